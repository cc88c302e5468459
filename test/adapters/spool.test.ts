// Our own files until their upload is over: private, whole or absent, and known to belong to the process that makes them.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSpool } from '../../src-main/adapters/spool/spool.ts';
import { fromFileSystem } from '../../src-main/adapters/system/storage.ts';
import type { Spool } from '../../src-main/engine/ports/files.ts';
import { onWindows } from '../support/posix.ts';

let root: string;
let spool: Spool;
const signal = new AbortController().signal;
const open = (isRunning: boolean | null = false): Spool =>
  createSpool({ folder: path.join(root, 'spool'), isRunning: () => isRunning, explain: fromFileSystem });

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'outtray-spool-'));
  spool = open();
});
afterEach(() => rm(root, { recursive: true }));

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  const shared = Buffer.alloc(16);
  for (const text of texts) yield shared.subarray(0, shared.write(text));
}

test.runIf(process.platform === 'linux')('a name that is not valid text stays as it is', async () => {
  const file = await spool.keep('b\0ff.txt', pieces('x'), signal);
  const dir = path.dirname(file);
  expect(await readdir(dir, { encoding: 'latin1' })).toEqual(['b\xff.txt']);
  expect(await spool.list()).toMatchObject([{ dir, name: 'b\0ff.txt' }]);
  await spool.remove(dir);
  expect(await spool.list()).toEqual([]);
});

test('a stream becomes a private file of its name, and is removed with its folder', async () => {
  const name = onWindows ? 'résumé (1).txt' : 'résumé "1".txt';
  const file = await spool.keep(name, pieces('one ', 'two'), signal);
  expect(path.basename(file)).toBe(name);
  expect(await readFile(file, 'utf8')).toBe('one two');
  const dir = path.dirname(file);
  if (process.platform !== 'win32') {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    expect((await stat(path.dirname(dir))).mode & 0o777).toBe(0o700);
  }
  expect([spool.holds(dir), spool.holds(root), spool.holds(path.dirname(dir))]).toEqual([true, false, false]);
  await spool.remove(dir);
  expect(await readdir(path.join(root, 'spool'))).toEqual([]);
});

test('a source that fails, and one that stays silent when it is stopped, leave nothing', async () => {
  const failing = (async function* () {
    yield Buffer.from('half');
    throw new Error('the writer died');
  })();
  await expect(spool.keep('a', failing, signal)).rejects.toThrow('the writer died');
  const stop = new AbortController();
  const silent = (async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half');
    await new Promise(() => undefined);
  })();
  const kept = spool.keep('b', silent, stop.signal);
  setTimeout(() => stop.abort(), 20);
  await expect(kept).rejects.toMatchObject({ code: 'aborted' });
  expect(await readdir(path.join(root, 'spool'))).toEqual([]);
});

test('a name with a folder in it is refused', async () => {
  for (const name of ['', '.', '..', 'a/b', '../x'])
    await expect(spool.keep(name, pieces('x'), signal)).rejects.toMatchObject({ code: 'bad-use' });
});

test('a file that its own process is still making is guarded; those of a dead process, and foreign ones, are not', async () => {
  await spool.keep('mine', pieces('x'), signal);
  const folder = path.join(root, 'spool');
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  for (const name of [`${dead}-0011`, `${process.pid}-0011`, 'stray']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, `${dead}-0011`, 'left.zip'), 'half');
  const guarded = async (by: Spool) =>
    (await by.list()).map(({ name, isGuarded }) => [name, isGuarded]).toSorted();
  // Our process number from an earlier start was another process's.
  expect(await guarded(spool)).toEqual([
    [null, false],
    [null, false],
    ['left.zip', false],
    ['mine', true],
  ]);
  expect((await open(true).list()).find(({ name }) => name === 'left.zip')?.isGuarded).toBe(true);
  expect(await open().list()).toHaveLength(4);
});

test.runIf(process.platform === 'linux')('a place that cannot be written is reported as such', async () => {
  const full = createSpool({ folder: '/dev/full/spool', isRunning: () => false, explain: fromFileSystem });
  await expect(full.keep('a', pieces('x'), signal)).rejects.toMatchObject({ name: 'AppError' });
});
