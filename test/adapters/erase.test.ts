// “Forget everything” removes all that Outtray has in its data folder, now or at the next start, and nothing else.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { eraseMarked, markToErase } from '../../src-main/adapters/system/erase.ts';
import { homeFiles } from '../../src-main/adapters/system/home.ts';
import { takeEngineLock } from '../../src-main/adapters/system/lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outtray-erase-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const put = (name: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), 'x');
};
const left = (): string[] => readdirSync(folder).toSorted();

const ofOuttray = [
  ...['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm', 'ledger.sqlite.suspect', 'ledger.witness'],
  ...['ledger.sqlite.damaged-20261129T010203Z', 'ledger.sqlite.damaged-20261129T010203Z-2-wal'],
  ...['ledger.sqlite.version-22', 'ledger.sqlite.version-22.new', 'ledger.sqlite.version-22.new-journal'],
  ...[
    'settings.json',
    'settings.good.json',
    'settings.good.json.new',
    'folder.json',
    'folder.json.4711',
    'wake',
  ],
  ...['log/outtray.log', 'log/outtray.log.1', 'log/outtray.log.2', 'spool/1/a.zip', 'pasted/b.png'],
];
const ofAPerson = [
  'Outtray notes.txt',
  'ledger copy.sqlite',
  'ledger.sqlite.bak',
  'settings.json.bak',
  'logs',
  'profiles',
];

test('all files of Outtray go, also what was set aside and kept; a person’s own stay', () => {
  for (const name of [...ofOuttray, ...ofAPerson]) put(name);
  eraseMarked(folder);
  expect(left()).toHaveLength(new Set([...ofOuttray, ...ofAPerson].map((name) => name.split('/')[0])).size);
  markToErase(folder);
  eraseMarked(folder);
  expect(left()).toEqual([...ofAPerson, 'engine.lock'].toSorted());
});

test('while another process has the engine nothing goes, afterwards everything', () => {
  put('settings.json');
  const other = takeEngineLock({ folder, who: 'outtray watch' });
  markToErase(folder);
  eraseMarked(folder);
  expect(left()).toEqual(['engine.json', 'engine.lock', 'erase', 'settings.json']);
  other.release();
  eraseMarked(folder);
  expect(left()).toEqual(['engine.lock']);
});

test('a start that waits for the lock meanwhile keeps every other from the engine', () => {
  put('settings.json');
  markToErase(folder);
  takeEngineLock({ folder, who: 'before' }).release();
  const { ino } = statSync(join(folder, 'engine.lock'));
  eraseMarked(folder);
  expect(statSync(join(folder, 'engine.lock')).ino).toBe(ino);
});

test('a file that cannot be removed is named, and the next start tries again', () => {
  put('settings.json');
  markToErase(folder);
  const inUse = (place: unknown): void => {
    if (place === join(folder, 'settings.json'))
      throw Object.assign(new Error('EBUSY: in use'), { code: 'EBUSY', syscall: 'unlink' });
  };
  expect(() => eraseMarked(folder, inUse)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(join(folder, 'settings.json')) as string,
      remedy: expect.stringContaining('Close the program that uses it') as string,
    }),
  );
  expect(left()).toContain(homeFiles.erase.path);
  eraseMarked(folder);
  expect(left()).toEqual(['engine.lock']);
});
