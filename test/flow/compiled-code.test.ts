// Another user who may write to a folder of compiled code could run code in the program, with its access to the keychain.
// The program of the packages has its compiled code inside, and reads and writes no such folder. That of npm has a
// folder of its user.
import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { start } from '../support/flow/command.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { storedAs } from '../support/flow/wire.ts';

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test.runIf(process.env['OUTTRAY_PROGRAM'] !== undefined)(
  'no file of compiled code appears where a variable or the temporary folder would have it',
  async () => {
    const service = await ownService();
    const place = await ownPlace(service);
    const folders = ['cache', 'temporary'].map((name) => path.join(place.home, '..', name));
    const [cache, temporary] = folders;
    for (const folder of folders) await mkdir(folder);
    // An upload has a thread that looks into texts, and asks for a key in a child process.
    const file = await place.put('../a.txt', 'compiled');
    for (const args of [['upload', file], ['doctor']])
      await place.run(args, { env: { NODE_COMPILE_CACHE: cache, TMPDIR: temporary } });
    expect(storedAs(service, 'compiled')).toHaveLength(1);
    for (const folder of folders) expect(await filesBelow(folder)).toEqual([]);
  },
);

test.runIf(process.env['OUTTRAY_PROGRAM'] === undefined && process.platform !== 'win32')(
  'the command of npm keeps compiled code in a folder that only its user can write, and elsewhere none',
  async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'outtray-compiled-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const name = `outtray-compiled-${process.geteuid?.() ?? ''}`;
    const [own, elsewhere] = [path.join(root, name), path.join(root, 'elsewhere')];
    const run = async () => {
      const env = { HOME: root, TMPDIR: root, NODE_COMPILE_CACHE: undefined };
      expect((await start(['--version'], { env }).ended).code).toBe(0);
      const found = await filesBelow(root);
      await rm(own, { recursive: true });
      return found.length;
    };
    expect(await run()).toBeGreaterThan(0);
    expect(await readdir(root)).toEqual([]);
    await mkdir(own);
    await chmod(own, 0o770);
    expect(await run()).toBe(0);
    await mkdir(elsewhere);
    await symlink(elsewhere, own);
    expect(await run()).toBe(0);
  },
);
