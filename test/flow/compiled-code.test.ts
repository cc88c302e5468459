// The program of the packages has its compiled code inside. Another user who may write to a folder of compiled code could run
// code in the program, with its access to the keychain: it reads and writes no such folder.
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, openService } from '../support/flow/place.ts';
import { storedAs } from '../support/flow/wire.ts';

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test.runIf(process.env['OUTTRAY_PROGRAM'] !== undefined)(
  'no file of compiled code appears where a variable or the temporary folder would have it',
  async () => {
    const service = await openService();
    const place = await createPlace(service);
    const folders = ['cache', 'temporary'].map((name) => path.join(place.home, '..', name));
    const [cache, temporary] = folders;
    for (const folder of folders) await mkdir(folder);
    // An upload has a thread that looks into texts, and asks for a key in a child process.
    const file = await place.put('../a.txt', 'compiled');
    for (const args of [['upload', file], ['doctor']])
      await place.run(args, { env: { NODE_COMPILE_CACHE: cache, TMPDIR: temporary } });
    expect(storedAs(service, 'compiled')).toHaveLength(1);
    for (const folder of folders) expect(await filesBelow(folder)).toEqual([]);
    await place.remove();
    await service.close();
  },
);
