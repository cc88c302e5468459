// Pasted content becomes a file of its own, however many commands paste in the same second.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keep } from '../../../src-main/cli/commands/paste.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'outtray-keep-'));
  vi.useFakeTimers({ now: new Date(2026, 10, 20, 9, 5, 7), toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

test('two commands that paste in the same second overwrite nothing', async () => {
  const texts = ['of the first', 'of the second', 'of the third'];
  const drafts = texts.map((_, index) => path.join(folder, `.reading-${index}`));
  await Promise.all(drafts.map((draft, index) => writeFile(draft, texts[index] ?? '')));
  const files = await Promise.all(drafts.map((draft) => keep(draft, folder, 'txt')));
  expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual(texts);
  expect((await readdir(folder)).toSorted()).toEqual([
    'Pasted 2026-11-20 09.05.07 (2).txt',
    'Pasted 2026-11-20 09.05.07 (3).txt',
    'Pasted 2026-11-20 09.05.07.txt',
  ]);
});
