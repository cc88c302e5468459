// A ledger that cannot be written is read in place. A symbolic link in place of `-shm` prevents SQLite from
// writing, even as root.
import { cpSync, mkdirSync, readdirSync, readFileSync, lstatSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openLedgerToRead } from '../../src-main/adapters/ledger/read-only.ts';
import { schemaVersion } from '../../src-main/adapters/ledger/migrations/migrations.ts';
import { isDeep } from '../support/deep.ts';
import { add, errorOf, NOON_MS, openFor, temporaryFolder } from './ledger-fixtures.ts';

const nowMs = () => NOON_MS;

const openToRead = (file: string) => {
  const ledger = openLedgerToRead({ file, nowMs });
  onTestFinished(() => ledger.close());
  return ledger;
};

/** A ledger with two files, the second one only in the log when `hasLog`; no process can make its `-shm`. */
const unwritable = ({ hasLog }: { hasLog: boolean }): string => {
  const folder = temporaryFolder();
  const source = path.join(folder, 'source', 'ledger.sqlite');
  const ledger = openFor(source);
  add(ledger, { name: 'a' });
  ledger.close();
  const again = openFor(source);
  add(again, { name: 'b' });
  if (!hasLog) again.close();
  const data = path.join(folder, 'data');
  mkdirSync(data);
  const file = path.join(data, 'ledger.sqlite');
  for (const end of hasLog ? ['', '-wal'] : ['']) cpSync(source + end, file + end);
  symlinkSync('nowhere', `${file}-shm`);
  return file;
};

const contentOf = (file: string): string[] => {
  const folder = path.dirname(file);
  return readdirSync(folder).map((name) => {
    const place = path.join(folder, name);
    return `${name} ${lstatSync(place).isFile() ? readFileSync(place).toString('hex') : ''}`;
  });
};

test.skipIf(process.platform === 'win32').each([
  { name: 'closed in good order', hasLog: false },
  { name: 'of a killed process, with a log', hasLog: true },
])(
  '$name: everything recorded can be read, every write reports why it fails, and nothing changes',
  ({ hasLog }) => {
    const file = unwritable({ hasLog });
    // The file that SQLite makes before it finds out that it cannot write.
    if (!hasLog) writeFileSync(`${file}-wal`, '');
    const before = contentOf(file);
    const ledger = openToRead(file);
    expect(ledger.uploads.countInState('ready')).toBe(2);
    expect(ledger.unwritable).toMatchObject({ code: 'ledger', storage: 'refused' });
    expect(ledger.trouble()).toBe(ledger.unwritable);
    expect(errorOf(() => add(ledger, { name: 'c' }))).toBe(ledger.unwritable);
    expect(errorOf(() => ledger.probe())).toBe(ledger.unwritable);
    // A transaction that writes nothing succeeds.
    expect(ledger.atomically(() => ledger.uploads.countInState('ready'))).toBe(2);
    ledger.close();
    expect(contentOf(file)).toEqual(before);
  },
);

test('a ledger that can be written is opened for writing', () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const ledger = openToRead(file);
  expect(ledger.unwritable).toBeNull();
  add(ledger, { name: 'a' });
});

test.runIf(isDeep)(
  'a ledger that another program keeps locked is not read past its lock',
  { timeout: 20_000 },
  () => {
    const file = path.join(temporaryFolder(), 'ledger.sqlite');
    openFor(file).close();
    const other = new DatabaseSync(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    onTestFinished(() => other.close());
    expect(errorOf(() => openToRead(file))).toMatchObject({ code: 'ledger', storage: 'locked' });
  },
);

test.skipIf(process.platform === 'win32').each([
  [schemaVersion + 1, 'ledger-newer', /newer version/],
  [schemaVersion - 1, 'ledger', /earlier version of Outtray, and cannot be updated/],
  [0, 'ledger', /cannot be opened for writing/],
])('a ledger of version %i is not mistaken for a readable one', (version, code, says) => {
  const file = unwritable({ hasLog: false });
  const raw = new DatabaseSync(`file:${file}?vfs=unix-none`);
  raw.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA user_version = ${version}`);
  raw.exec('PRAGMA journal_mode = WAL');
  raw.close();
  const error = errorOf(() => openToRead(file));
  expect(error).toMatchObject({ code });
  expect(error.message).toMatch(says);
  expect(error.remedy).not.toBe('');
});
