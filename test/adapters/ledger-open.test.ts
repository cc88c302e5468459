import { isDeep } from '../support/deep.ts';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { toLedgerError } from '../../src-main/adapters/ledger/faults.ts';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';
import { firstVersion, schemaVersion } from '../../src-main/adapters/ledger/migrations/migrations.ts';
import { probeFolder } from '../../src-main/adapters/system/storage.ts';
import { add, addUploaded, errorOf, NOON_MS, openFor, temporaryFolder } from './ledger-fixtures.ts';
import { posixTest } from '../support/posix.ts';

const writer = path.join(import.meta.dirname, 'ledger-writer.ts');

const startWriter = (file: string, who: string, count: number) => {
  const child = spawn(process.execPath, [writer, file, who, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
  return { child, recorded: () => said.join('').split('\n').slice(0, -1).map(Number) };
};

const setAsideIn = (folder: string) => readdirSync(folder).filter((name) => name.includes('.damaged-'));

test('a new ledger is private and survives closing', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'data', 'ledger.sqlite');
  const ledger = openFor(file);
  add(ledger, { name: 'a' });
  if (process.platform !== 'win32') {
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    for (const end of ['', '-wal', '-shm']) expect(statSync(file + end).mode & 0o777).toBe(0o600);
  }
  ledger.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(openFor(file).uploads.countInState('ready')).toBe(1);
});

test('a commit is on the disk when it returns', () => {
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepared.mockRestore());
  const ledger = openFor(path.join(temporaryFolder(), 'ledger.sqlite'));
  add(ledger, { name: 'a' });
  const sqlite: unknown = prepared.mock.contexts.at(-1);
  const ask = (pragma: string): unknown =>
    sqlite instanceof DatabaseSync ? Object.values(sqlite.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] : null;
  const full = 2;
  expect([ask('synchronous'), ask('journal_mode')]).toEqual([full, 'wal']);
  if (process.platform === 'darwin') expect([ask('fullfsync'), ask('checkpoint_fullfsync')]).toEqual([1, 1]);
  ledger.close();
});

test('a ledger from before the first shipped version is set aside and kept, and the new one records it', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'ledger.sqlite');
  openFor(file).close();
  const raw = new DatabaseSync(file);
  raw.exec(`PRAGMA user_version = ${firstVersion - 1}`);
  raw.close();
  const ledger = openFor(file);
  const [kept = ''] = setAsideIn(folder);
  expect(ledger.setAside()).toBe(path.join(folder, kept));
  expect(ledger.facts.get('rebuilt')).not.toBeNull();
  ledger.close();
  expect(openFor(file).uploads.countInState('ready')).toBe(0);
  expect(setAsideIn(folder)).toHaveLength(1);
});

test('tables that cannot be made leave an empty file, and the next start makes them', () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const broken = 'CREATE TABLE half (a); SELECT broken FROM nowhere';
  expect(() => openLedger({ file, nowMs: () => NOON_MS, schema: broken })).toThrow(/no such table/);
  add(openFor(file), { name: 'a' });
});

test('a ledger from a newer Outtray is refused and left as it is', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'ledger.sqlite');
  openFor(file).close();
  const raw = new DatabaseSync(file);
  raw.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
  raw.close();
  const before = readFileSync(file);
  const fault = errorOf(() => openFor(file));
  expect(fault.code).toBe('ledger-newer');
  expect(fault.remedy).toMatch(/Update/);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(setAsideIn(folder)).toEqual([]);
});

test.each([
  ['garbage', (file: string) => writeFileSync(file, 'x'.repeat(10_000))],
  ['a piece of itself', (file: string) => truncateSync(file, 5_000)],
])('a ledger that is %s is set aside and kept, and the new one records it', (_, spoil) => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'ledger.sqlite');
  const old = openFor(file);
  add(old, { name: 'a' });
  old.close();
  spoil(file);
  const spoiled = readFileSync(file);
  const ledger = openFor(file);
  const [kept = ''] = setAsideIn(folder);
  expect(ledger.facts.get('rebuilt')).toEqual({
    value: { setAside: path.join(folder, kept) },
    atMs: NOON_MS,
  });
  expect(ledger.setAside()).toBe(path.join(folder, kept));
  expect(readFileSync(path.join(folder, kept)).equals(spoiled)).toBe(true);
  expect(ledger.uploads.countInState('ready')).toBe(0);
  ledger.close();
  // Again at the same time: the first one is not overwritten.
  spoil(file);
  openFor(file);
  expect(setAsideIn(folder)).toHaveLength(2);
});

test('a rebuilt ledger records it even when the start that set the old one aside stopped there', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'ledger.sqlite');
  writeFileSync(`${file}.damaged-20260310T120000Z`, 'x');
  expect(openFor(file).facts.get('rebuilt')).not.toBeNull();
});

test('damage deep inside is an error when it is encountered, and set aside at the next start', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'ledger.sqlite');
  const old = openFor(file);
  old.atomically(() => {
    for (let at = 1; at < 500; at += 1) addUploaded(old, { name: `n${at}`, fileId: at });
  });
  old.close();
  const bytes = readFileSync(file);
  // Behind the pages of the schema, which every start reads.
  bytes.fill(0xa5, 4096 * 73, 4096 * (bytes.length / 4096 - 1));
  writeFileSync(file, bytes);
  const ledger = openFor(file);
  const readAll = () => {
    for (let id = 1; id < 500; id += 1) ledger.uploads.byId(id);
    return ledger.views.page({
      search: '',
      place: 'all',
      sort: 'name',
      descending: true,
      after: null,
      limit: 500,
    });
  };
  const fault = errorOf(readAll);
  expect(fault.code).toBe('ledger');
  expect(fault.remedy).toMatch(/again/);
  ledger.close();
  expect(setAsideIn(folder)).toEqual([]);
  expect(openFor(file).facts.get('rebuilt')).not.toBeNull();
  expect(setAsideIn(folder)).toHaveLength(1);
});

describe('beside another process that starts, too', () => {
  const taken = new AppError('engine-taken', 'The Outtray app (process 7) is already at work.');
  /** Damaged in its header, or deep inside with the mark of the process that met it. */
  const damaged = (isDeepInside: boolean): { folder: string; file: string } => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'ledger.sqlite');
    openFor(file).close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, isDeepInside ? 4096 * 10 : 0);
    writeFileSync(file, bytes);
    if (isDeepInside) writeFileSync(`${file}.suspect`, '');
    return { folder, file };
  };
  test.each([
    ['in its header, the other gives the turn back', false, false],
    ['deep inside, the other gives the turn back', true, false],
    ['in its header, the other keeps the engine', false, true],
    ['deep inside, the other keeps the engine', true, true],
  ])('a damaged ledger is set aside once: %s', (_, isDeepInside, staysTaken) => {
    const { folder, file } = damaged(isDeepInside);
    const ledger = openFor(file, () => NOON_MS, {
      takeTurn: () => {
        const other = openFor(file);
        add(other, { name: 'of the other' });
        other.close();
        if (staysTaken) throw taken;
        return () => undefined;
      },
    });
    expect(ledger.uploads.countInState('ready')).toBe(1);
    expect(setAsideIn(folder)).toHaveLength(1);
    ledger.close();
  });

  test.each([false, true])('it stays where the engine that uses it runs; deep inside: %s', (isDeepInside) => {
    const { folder, file } = damaged(isDeepInside);
    const before = readFileSync(file);
    const takeTurn = (): never => {
      throw taken;
    };
    const error = errorOf(() => openFor(file, () => NOON_MS, { takeTurn }));
    expect(error).toMatchObject({ code: 'engine-taken', remedy: expect.stringContaining('Quit') as string });
    expect(error.message).toMatch(/damaged.*process 7/);
    expect(setAsideIn(folder)).toEqual([]);
    expect(readFileSync(file).equals(before)).toBe(true);
    // The next start sets it aside once the other has ended.
    openFor(file).close();
    expect(setAsideIn(folder)).toHaveLength(1);
  });
});

test('a suspicion that turns out to be wrong changes nothing', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'ledger.sqlite');
  const old = openFor(file);
  add(old, { name: 'a' });
  old.close();
  writeFileSync(`${file}.suspect`, '');
  expect(openFor(file).uploads.countInState('ready')).toBe(1);
  expect(readdirSync(folder).filter((name) => name.includes('damaged') || name.includes('suspect'))).toEqual(
    [],
  );
});

posixTest('nothing is below a file')('a place that cannot be written is an error with a remedy', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'file'), '');
  const fault = errorOf(() => openFor(path.join(folder, 'file', 'ledger.sqlite')));
  expect(fault.code).toBe('ledger');
  expect(fault.remedy).toMatch(/writable/);
});

test('a full disk is a disk error, nothing is half written, and work continues when there is room', () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  // SQLite's own limit on pages, set on this connection, fails exactly as a full disk does.
  const ledger = openLedger({ file, nowMs: () => NOON_MS, pragma: 'PRAGMA max_page_count = 124' });
  ledger.facts.set('salt', 'x'.repeat(100_000), 1);
  const fill = () =>
    ledger.atomically(() => {
      add(ledger, { name: 'a' });
      ledger.facts.set('watch-degraded', 'x'.repeat(200_000), 1);
    });
  const fault = errorOf(fill);
  expect(fault.code).toBe('disk');
  expect(fault.remedy).toMatch(/space/);
  expect(ledger.uploads.countInState('ready')).toBe(0);
  ledger.facts.remove('salt');
  fill();
  expect(ledger.uploads.countInState('ready')).toBe(1);
  ledger.close();
});

test.each([
  [{ errcode: 5 }, 'ledger'],
  [{ errcode: 8 }, 'ledger'],
  [{ errcode: 10 | (3 << 8) }, 'disk'],
  [{ errcode: 11 }, 'ledger'],
  [{ errcode: 13 }, 'disk'],
  [{ errcode: 14 }, 'ledger'],
  [{ errcode: 19 | (8 << 8) }, 'internal'],
  [{ errcode: 26 }, 'ledger'],
  [{ errcode: 1 }, 'internal'],
  [{ code: 'ENOSPC' }, 'disk'],
  [{ code: 'EIO' }, 'disk'],
  [{ code: 'EACCES' }, 'ledger'],
  [{ code: 'EWHAT' }, 'internal'],
])('%j from below is %s to the program, with a remedy and the cause', (details, code) => {
  const cause = Object.assign(new Error('said'), details);
  const error = toLedgerError(cause);
  expect(error).toMatchObject({ code, cause });
  expect(error.remedy).not.toBe('');
});

test('every transaction that was acknowledged is there after a kill', async () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  for (let round = 0; round < (isDeep ? 3 : 1); round += 1) {
    const { child, recorded } = startWriter(file, `w${round}`, 0);
    while (recorded().length < 20) await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const ledger = openFor(file);
    const seqs = ledger.entries.after(0, 1_000_000).map(({ seq }) => seq);
    expect(seqs).toEqual(expect.arrayContaining(recorded()));
    // One transaction that was recorded but not yet reported may be there; half of one is not.
    expect(ledger.permits.after(0)).toHaveLength(seqs.length);
    ledger.close();
  }
});

test('processes that make the same ledger at the same moment all open it', async () => {
  const opener = path.join(import.meta.dirname, 'ledger-opener.ts');
  const args = [opener, temporaryFolder(), String(Date.now() + 1500), isDeep ? '20' : '4'];
  const children = Array.from({ length: 4 }, () => spawn(process.execPath, args, { stdio: 'inherit' }));
  const ended = await Promise.all(children.map((child) => once(child, 'close')));
  expect(ended.map(([code]) => code as number)).toEqual([0, 0, 0, 0]);
});

test('two processes write at once and nothing is lost or numbered twice', async () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const ledger = openFor(file);
  const writers = ['one', 'two'].map((who) => startWriter(file, who, 200));
  const ended = Promise.all(writers.map(({ child }) => once(child, 'close')));
  for (let turn = 0; turn < 50; turn += 1) {
    ledger.entries.add(null, 'three', { kind: 'queue-opened' }, turn);
    await new Promise(setImmediate);
  }
  for (const [code] of await ended) expect(code).toBe(0);
  const entries = ledger.entries.after(0, 1_000);
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 450 }, (_, at) => at + 1));
  const all = writers.flatMap(({ recorded }) => recorded());
  expect(new Set(all).size).toBe(400);
  expect(ledger.permits.after(0)).toHaveLength(400);
});

test.skipIf(process.platform === 'win32')('the probe of the data folder follows no symbolic link', () => {
  const place = temporaryFolder();
  const precious = path.join(place, 'precious');
  writeFileSync(precious, 'precious');
  for (const name of ['probe', `probe-${process.pid}`]) symlinkSync(precious, path.join(place, name));
  expect(probeFolder(place)).toBeNull();
  expect(readFileSync(precious, 'utf8')).toBe('precious');
});

describe('with few file handles left', () => {
  const script = `
    import { closeSync, openSync } from 'node:fs';
    const { explained } = await import(process.argv[1]);
    const [, , folder, free] = process.argv;
    const held = [];
    try { for (;;) held.push(openSync('/dev/null')); } catch {}
    for (let at = 0; at < Number(free); at += 1) closeSync(held.pop());
    const error = Object.assign(new Error('unable to open database file'), { errcode: 14 });
    const { storage } = explained(error, folder + '/ledger.sqlite');
    held.forEach(closeSync);
    console.log(storage);
  `;
  const faults = path.join(import.meta.dirname, '../../src-main/adapters/ledger/faults.ts');
  const storageWith = (free: number): string =>
    execFileSync(
      '/bin/bash',
      [
        ...['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath],
        ...['--input-type=module', '-e', script, faults, temporaryFolder(), String(free)],
      ],
      { encoding: 'utf8' },
    ).trim();

  posixTest('it has no such limit').each([1, 2, 4])(
    'a ledger that cannot be opened while %d are free reports them, although a probe of one file succeeds',
    (free) => expect(storageWith(free)).toBe('handles'),
  );

  posixTest('it has no such limit')('a refusal while there are enough stays one', () => {
    expect(storageWith(20)).toBe('refused');
  });
});

test('who asks a closed ledger is told that it was stopped, as by a call that was under way at the end', () => {
  const ledger = openFor(path.join(temporaryFolder(), 'ledger.sqlite'));
  const { id } = add(ledger, { name: 'a' });
  ledger.close();
  const asked = [
    () => ledger.uploads.byId(id),
    () => ledger.views.newestLinks(5),
    () => add(ledger, { name: 'b' }),
    () => ledger.atomically(() => null),
    () => ledger.facts.set('probed', true, NOON_MS),
    () => ledger.probe(),
  ];
  expect(asked.map((ask) => errorOf(ask).code)).toEqual(asked.map(() => 'aborted'));
});
