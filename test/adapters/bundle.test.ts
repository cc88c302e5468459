// A zip from real files: a fault while it is packed is reported as what it is, and nothing is left behind.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { createIgnoreRules } from '../../src-main/adapters/ignore.ts';
import { openMemoryLedger } from '../support/memory-ledger.ts';
import { createSpool } from '../../src-main/adapters/spool/spool.ts';
import { fromFileSystem } from '../../src-main/adapters/system/storage.ts';
import { AppError } from '../../src-main/contract/errors.ts';
import { createNamesAt } from '../../src-main/engine/given/names-at.ts';
import { packBundle } from '../../src-main/engine/upload/bundle.ts';
import { createFakeInspect, createFakePlaces, createFakeSettings } from '../support/fake-ports.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

let root: string;
let packs = 0;
const { signal } = new AbortController();

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'outtray-bundle-'));
  packs = 0;
  await writeFile(path.join(root, 'a.txt'), 'a');
});
afterEach(() => rm(root, { recursive: true }));

const pack = (options: { fault?: AppError; meanwhile?: () => Promise<void>; mostBytes?: number } = {}) => {
  const clock = createVirtualClock();
  const spool = createSpool({
    folder: path.join(root, '.spool'),
    isRunning: () => false,
    explain: fromFileSystem,
  });
  const ports = {
    clock: { ...clock, after: (_: number, act: () => void) => (queueMicrotask(act), () => undefined) },
    files: createFiles(),
    ignore: createIgnoreRules(),
    inspect: createFakeInspect(),
    ledger: openMemoryLedger(() => 0),
    places: createFakePlaces(),
    settings: createFakeSettings(),
    spool: {
      ...spool,
      async pack(...given: Parameters<typeof spool.pack>) {
        packs += 1;
        const made = await spool.pack(...given);
        if (options.fault !== undefined) {
          await spool.remove(path.dirname(made));
          throw options.fault;
        }
        await options.meanwhile?.();
        return made;
      },
    },
  };
  return packBundle(
    ports,
    {
      paths: [root],
      name: 'x.zip',
      namesAt: createNamesAt(ports, () => null, null),
      mostBytes: options.mostBytes ?? Infinity,
      rootFor: () => null,
      tell: () => undefined,
    },
    signal,
  );
};
const spooled = () => readdir(path.join(root, '.spool')).catch(() => []);

test('a full disk is reported as such, at once', async () => {
  await expect(pack({ fault: new AppError('disk', 'The disk is full.') })).rejects.toMatchObject({
    code: 'disk',
  });
  expect([packs, await spooled()]).toEqual([1, []]);
});

test('a file that changes each time it is packed ends the packing after four attempts, with its name', async () => {
  let version = 0;
  const meanwhile = () =>
    writeFile(path.join(root, 'a.txt'), `version ${(version += 1)}${'!'.repeat(version)}`);
  await expect(pack({ meanwhile })).rejects.toMatchObject({
    code: 'changed',
    message: expect.stringContaining('a.txt changes again and again') as string,
  });
  expect([packs, await spooled()]).toEqual([4, []]);
});

test('a zip that is too large is refused before anything is written', async () => {
  await expect(pack({ mostBytes: 100 })).rejects.toMatchObject({ code: 'too-large' });
  expect([packs, await spooled()]).toEqual([0, []]);
});
