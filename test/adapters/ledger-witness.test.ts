// A ledger that is older than it was: restored from a copy, or deleted.
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Ledger } from '../../src-main/engine/ports/ledger.ts';
import { addUploaded, errorOf, NOON_MS, openFor, temporaryFolder } from './ledger-fixtures.ts';
import { posixTest } from '../support/posix.ts';

const spend = (ledger: Ledger): number => ledger.permits.insert('upload', NOON_MS, 'engine:1').id;
const fileIn = (folder: string): string => path.join(folder, 'ledger.sqlite');
const kinds = (ledger: Ledger, ids: readonly number[]) =>
  ids.map((id) => ledger.uploads.byId(id)?.state).map((state) => state?.kind);

test('a ledger restored from a copy holds its waiting and its unknown uploads at the next start', () => {
  const file = fileIn(temporaryFolder());
  const before = openFor(file);
  const done = addUploaded(before, { name: 'b', fileId: 1 }).id;
  spend(before);
  before.close();
  copyFileSync(file, `${file}.copy`);
  const later = openFor(file);
  spend(later);
  later.close();
  renameSync(`${file}.copy`, file);

  const restored = openFor(file);
  expect(restored.facts.get('rebuilt')?.atMs).toBe(NOON_MS);
  expect(restored.facts.get('hold-waiting')).not.toBeNull();
  expect(kinds(restored, [done])).toEqual(['uploaded']);
  // Once: files that arrive after the start that held it are new.
  restored.facts.remove('hold-waiting');
  restored.close();
  expect(openFor(file).facts.get('hold-waiting')).toBeNull();
});

test('a ledger made after a deletion between two runs holds earlier files', () => {
  const file = fileIn(temporaryFolder());
  const before = openFor(file);
  spend(before);
  before.close();
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  expect(openFor(file).facts.get('rebuilt')).not.toBeNull();
});

test('a crash at any moment, pruned permits and an undone request do not make it look older', () => {
  const folder = temporaryFolder();
  const file = fileIn(folder);
  const ledger = openFor(file);
  const first = spend(ledger);
  const witness = readFileSync(path.join(folder, 'ledger.witness'), 'latin1');
  expect(Number(witness)).toBe(first);
  expect(() =>
    ledger.atomically(() => {
      spend(ledger);
      throw new Error('undone');
    }),
  ).toThrow('undone');
  expect(Number(readFileSync(path.join(folder, 'ledger.witness'), 'latin1'))).toBe(first);
  ledger.permits.answer(spend(ledger), NOON_MS);
  ledger.permits.prune(NOON_MS + 1);
  ledger.close();
  const held = (): boolean => {
    const again = openFor(file);
    const isHeld = again.facts.get('rebuilt') !== null || again.facts.get('hold-waiting') !== null;
    again.close();
    return isHeld;
  };
  expect(held()).toBe(false);
  // Killed after the commit and before the witness was written, or a power cut that lost its last bytes.
  writeFileSync(path.join(folder, 'ledger.witness'), witness);
  expect(held()).toBe(false);
  for (const nonsense of ['', 'x', '-5', '1e99', '\0'.repeat(20)]) {
    writeFileSync(path.join(folder, 'ledger.witness'), nonsense);
    expect(held()).toBe(false);
  }
  rmSync(path.join(folder, 'ledger.witness'));
  expect(held()).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'once it is deleted or replaced while open, no request may be spent on it',
  () => {
    const file = fileIn(temporaryFolder());
    const ledger = openFor(file);
    spend(ledger);
    renameSync(file, `${file}.moved`);
    const fault = errorOf(() => spend(ledger));
    expect(fault).toMatchObject({ code: 'ledger' });
    expect(fault.message).toMatch(/deleted or replaced/);
    writeFileSync(file, '');
    expect(errorOf(() => spend(ledger)).code).toBe('ledger');
    rmSync(file);
    renameSync(`${file}.moved`, file);
    spend(ledger);
    expect(existsSync(file)).toBe(true);
  },
);

posixTest('an open file keeps its name')(
  'an obstacle to writing it is known until a probe can write it again',
  () => {
    const file = fileIn(temporaryFolder());
    const ledger = openFor(file);
    expect(ledger.trouble()).toBeNull();
    renameSync(file, `${file}.moved`);
    errorOf(() => ledger.atomically(() => spend(ledger)));
    expect(ledger.trouble()).toMatchObject({ code: 'ledger', storage: 'gone' });
    expect(errorOf(() => ledger.probe())).toMatchObject({ storage: 'gone' });
    renameSync(`${file}.moved`, file);
    ledger.atomically(() => spend(ledger));
    expect(ledger.trouble()).not.toBeNull();
    ledger.probe();
    expect(ledger.trouble()).toBeNull();
  },
);
