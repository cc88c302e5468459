// Pasted content becomes a file of its own, however many processes paste in the same second, and goes when it is over.
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPasted } from '../../src-main/adapters/spool/pasted.ts';
import type { Upload } from '../../src-main/engine/ports/uploads.ts';

let home: string;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'outtray-pasted-'));
  folder = path.join(home, 'pasted');
  vi.useFakeTimers({ now: new Date(2026, 10, 20, 9, 5, 7), toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(home, { recursive: true, force: true });
});

test('what is pasted in the same second overwrites nothing', async () => {
  const texts = ['of the first', 'of the second', 'of the third'];
  const keep = (text: string) =>
    createPasted(home).keep('txt', (file) => writeFile(file, text, { flag: 'wx' }));
  const files = await Promise.all(texts.map(keep));
  expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual(texts);
  expect((await readdir(folder)).toSorted()).toEqual([
    'Pasted 2026-11-20 09.05.07 (2).txt',
    'Pasted 2026-11-20 09.05.07 (3).txt',
    'Pasted 2026-11-20 09.05.07.txt',
  ]);
});

test('on a disk that is full it says so', async () => {
  const full = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  await expect(createPasted(home).keep('txt', full)).rejects.toMatchObject({ code: 'disk' });
});

test('files go that are uploaded, will not be, or were refused; others are left, also without a row', async () => {
  const states = { up: 'uploaded', out: 'skipped', again: 'failed', going: 'sending' } as const;
  await mkdir(folder);
  const old = ['.reading-old', 'Pasted old.txt', 'notes'];
  const names = [...Object.keys(states), ...old, '.reading-new', 'Pasted new.txt', 'Pasted refused.txt'];
  for (const name of names) await writeFile(path.join(folder, name), name);
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of old) await utimes(path.join(folder, name), longAgo, longAgo);
  const presentAt = (_: number | null, dir: string, name: string) =>
    dir === folder && name in states
      ? ({ state: { kind: states[name as keyof typeof states] } } as Upload)
      : null;
  const left = ['.reading-new', 'Pasted new.txt', 'Pasted old.txt', 'again', 'going', 'notes'];
  await createPasted(home).tidy({ presentAt }, [path.join(folder, 'Pasted refused.txt')]);
  expect((await readdir(folder)).toSorted()).toEqual(left);
});
