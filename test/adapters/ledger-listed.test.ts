// The list that Files shows is updated when it is read. A reader must not see a difference to a list that is always
// up to date.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';
import type { Ledger } from '../../src-main/engine/ports.ts';
import {
  addUploaded,
  errorOf,
  firstPage,
  memoryLedger,
  NOON_MS,
  openFor,
  temporaryFolder,
  type Query,
} from './ledger-fixtures.ts';

const pageOf = (ledger: Ledger, query: Partial<Query> = {}) =>
  ledger.uploads.page({ ...firstPage, limit: 1_000, ...query });

const names = (ledger: Ledger, query: Partial<Query> = {}) =>
  pageOf(ledger, query).rows.map(({ name }) => name);

const change = fc.record({
  kind: fc.constantFrom('upload', 'saw', 'supersede', 'leave', 'delete', 'lose', 'undo'),
  which: fc.nat(5),
  downloads: fc.nat(3),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** File ids 1 to 6: the account list may show each before our upload of it, after it, or never. */
const apply = (ledger: Ledger, { kind, which, downloads }: Change, step: number): void => {
  const fileId = 1 + which;
  const atMs = NOON_MS + step;
  const ours = ledger.uploads.byFileId(fileId);
  switch (kind) {
    case 'upload':
      if (ours === null) addUploaded(ledger, { name: `holiday ${step}`, dir: `/tray/${step}`, fileId, atMs });
      return;
    case 'saw':
      ledger.remote.saw(
        [
          {
            file_id: fileId,
            filename: `Seen ${step}`,
            download_count: downloads,
            upload_date: `2026-03-0${fileId} 12:00:00`,
          },
        ],
        atMs,
      );
      return;
    case 'supersede':
      if (ours !== null)
        ledger.uploads.update(ours.id, { state: { kind: 'superseded', byId: null }, present: false }, atMs);
      return;
    case 'leave':
      if (ours !== null) ledger.uploads.update(ours.id, { present: false }, atMs);
      return;
    case 'delete':
      ledger.remote.markGone(fileId);
      return;
    case 'lose':
      ledger.remote.markUnseenGone(atMs - 2);
      return;
    case 'undo':
      errorOf(() =>
        ledger.atomically(() => {
          apply(ledger, { kind: 'upload', which, downloads }, step);
          apply(ledger, { kind: 'delete', which, downloads }, step);
          ledger.uploads.update(-1, {}, atMs);
        }),
      );
  }
};

const everything = (ledger: Ledger) => ({
  pages: (['uploaded', 'name', 'size', 'downloads'] as const).map((sort) =>
    (['', 'holiday', 'see', '1'] as const).map((search) =>
      (['all', 'this-machine', 'elsewhere', 'gone-from-disk', 'gone-from-service'] as const).map((place) =>
        pageOf(ledger, { sort, search, place }),
      ),
    ),
  ),
  newest: ledger.uploads.newestLinks(9),
  most: ledger.remote.mostDownloaded(9),
  perDay: ledger.uploads.perDay(NOON_MS - 1),
});

test('read after every change, or after all of them: the same list', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
      const [eager, late] = [memoryLedger(), memoryLedger()];
      for (const [step, one] of changes.entries()) {
        apply(eager, one, step);
        expect(pageOf(eager).total).toBe(pageOf(eager).rows.length);
        apply(late, one, step);
      }
      expect(everything(late)).toEqual(everything(eager));
      eager.close();
      late.close();
    }),
    { numRuns: 60 },
  );
});

test('what is not listed yet when a process ends is listed for the next one, and for one beside it', () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const first = openFor(file);
  const beside = openFor(file);
  addUploaded(first, { name: 'a', fileId: 1 });
  expect(names(beside)).toEqual(['a']);
  addUploaded(first, { name: 'b', fileId: 2, atMs: NOON_MS + 1 });
  first.close();
  expect(names(openFor(file), { search: 'b' })).toEqual(['b']);
  expect(names(beside)).toEqual(['b', 'a']);
});

test('without any reader, what is not listed yet stays little', () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const ledger = openFor(file);
  for (let at = 1; at <= 300; at += 1) addUploaded(ledger, { name: `n${at}`, fileId: at });
  const raw = new DatabaseSync(file, { readOnly: true });
  const count = (table: string) => raw.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'];
  expect(count('listed')).toBeGreaterThan(200);
  expect(count('unlisted')).toBeLessThan(260);
  ledger.close();
  // Processes that each record one of their own.
  for (let at = 301; at <= 400; at += 1) {
    const one = openFor(file);
    addUploaded(one, { name: `n${at}`, fileId: at });
    one.close();
  }
  expect(count('unlisted')).toBeLessThan(260);
  raw.close();
  expect(pageOf(openFor(file)).total).toBe(400);
});

test('the newest links are those of the truth or none: whose list it is, and which service, rests on them', () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const ledger = openLedger({ file, nowMs: () => NOON_MS, pragma: 'PRAGMA max_page_count = 150' });
  ledger.atomically(() => {
    for (let at = 1; at <= 30; at += 1)
      addUploaded(ledger, { name: `n${at} ${'x'.repeat(200)}`, fileId: at });
  });
  const isFull = errorOf(() => {
    for (let at = 31; ; at += 1) ledger.facts.set(`fact ${at}`, 'x'.repeat(500), NOON_MS);
  });
  expect(isFull).toMatchObject({ code: 'disk' });
  expect(errorOf(() => ledger.uploads.newestLinks(3))).toMatchObject({ code: 'disk' });
});

test('on a full disk the list is shown as it was, and made up for when there is room', () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const ledger = openLedger({ file, nowMs: () => NOON_MS, pragma: 'PRAGMA max_page_count = 150' });
  addUploaded(ledger, { name: 'early', fileId: 1_000 });
  expect(names(ledger)).toEqual(['early']);
  const late = Array.from({ length: 30 }, (_, at) => `late ${at} ${'x'.repeat(200)}`);
  ledger.atomically(() => {
    for (const [at, name] of late.entries())
      addUploaded(ledger, { name, fileId: at + 1, atMs: NOON_MS + at + 1 });
  });
  let filled = 0;
  const fault = errorOf(() => {
    for (; filled < 500; filled += 1) ledger.facts.set(`fill ${filled}`, 'x'.repeat(3_000), NOON_MS);
  });
  expect(fault.code).toBe('disk');
  expect(names(ledger)).toEqual(['early']);
  expect(ledger.trouble()?.code).toBe('disk');
  for (let at = 0; at < filled; at += 1) ledger.facts.remove(`fill ${at}`);
  expect(names(ledger)).toEqual([...late.toReversed(), 'early']);
  ledger.close();
});

test('wildcards are letters, and a NUL in a name of the service hides nothing behind it', () => {
  const ledger = memoryLedger();
  ledger.remote.saw(
    ['100%_done', '100x done', String.raw`back\slash`, 'before\0shown'].map((filename, at) => ({
      file_id: at + 1,
      filename,
    })),
    NOON_MS,
  );
  for (const sort of ['uploaded', 'name'] as const) {
    expect(names(ledger, { sort, search: '100%_' })).toEqual(['100%_done']);
    expect(names(ledger, { sort, search: '_' })).toEqual(['100%_done']);
    expect(names(ledger, { sort, search: String.raw`k\s` })).toEqual([String.raw`back\slash`]);
    expect(names(ledger, { sort, search: '\\' })).toEqual([String.raw`back\slash`]);
    expect(names(ledger, { sort, search: 'SHOWN' })).toEqual(['before\0shown']);
    expect(names(ledger, { sort, search: 'e\0s' })).toEqual(['before\0shown']);
  }
});

test('files with the smallest and the largest ids there are can be listed', () => {
  const ledger = memoryLedger();
  ledger.remote.saw(
    [
      { file_id: 1, filename: 'first' },
      { file_id: Number.MAX_SAFE_INTEGER, filename: 'last' },
    ],
    NOON_MS,
  );
  expect(names(ledger).toSorted()).toEqual(['first', 'last']);
});
