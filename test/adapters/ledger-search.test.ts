// Searches with more matches than are counted and with fewer, against a plain filter and sort.
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import { isDeep } from '../support/deep.ts';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { FileRow, RemoteFile } from '../../src-main/contract/model.ts';
import { fold, isFound, naturalOrder, searchWords } from '../../src-main/contract/search.ts';
import type { Ledger } from '../../src-main/engine/ports/ledger.ts';
import {
  addUploaded,
  firstPage,
  memoryLedger,
  NOON_MS,
  openFor,
  temporaryFolder,
  type Query,
} from './ledger-fixtures.ts';

const first30: Query = { ...firstPage, limit: 30 };

const valueOf = (row: FileRow, sort: Exclude<Query['sort'], 'match'>): number | string =>
  ({
    uploaded: row.uploadedAtMs ?? 0,
    name: naturalOrder(fold(row.name)),
    size: row.size ?? -1,
    downloads: row.downloads ?? -1,
  })[sort];

/** The names here are ASCII. */
const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

test.runIf(isDeep)(
  'searches in every order and place equal a plain filter and sort, also after changes by another process',
  () => {
    const file = path.join(temporaryFolder(), 'ledger.sqlite');
    const [ledger, other] = [openFor(file), openFor(file)];
    // Long stretches of every order contain no match.
    const words = ['budget', 'draft', 'photo', 'scan', 'sca'];
    const made = (at: number): RemoteFile => ({
      file_id: at + 1,
      filename: `${words[Math.floor(at / 2_000)]}-${at % 7 === 3 ? 'scan' : 'trip'}-${at}`,
      size: at < 8_000 ? 1 : at,
      download_count: at % 5 === 0 ? 1 : 0,
      public_link: `https://share.example/download/${at % 4_000 === 5 ? 'sCaNs' : 't'}${at}`,
    });
    const files = new Map<FileId, RemoteFile>();
    const saw = (by: Ledger, more: RemoteFile[]) => {
      for (const one of more) files.set(one.file_id ?? 0, one);
      by.remote.saw(1, more, NOON_MS);
    };
    saw(
      ledger,
      Array.from({ length: 10_000 }, (_, at) => made(at)),
    );
    for (let at = 0; at < 40; at += 1)
      addUploaded(ledger, { name: `scan of ours ${at}`, fileId: 20_000 + at });

    const check = () => {
      const everything = ledger.views.page({ ...first30, limit: 20_000 }).rows;
      expect(everything).toHaveLength(files.size + 40);
      for (const search of [
        's',
        'sc',
        'sca',
        'scan',
        'scan-',
        'scans',
        'zq',
        'zqx',
        '-11',
        'trip bud',
        '0 scan t',
        'of sc',
      ]) {
        const words = searchWords(search);
        const holding = everything.filter((row) => isFound(row, words));
        for (const place of ['all', 'elsewhere', 'ours'] as const) {
          const wanted = holding.filter(
            (row) => place === 'all' || (place === 'elsewhere') === (row.place === 'elsewhere'),
          );
          for (const sort of ['uploaded', 'name', 'size', 'downloads'] as const) {
            for (const descending of [true, false]) {
              const query = { ...first30, search, place, sort, descending };
              const first = ledger.views.page(query);
              const second = first.next === null ? null : ledger.views.page({ ...query, after: first.next });
              const found = [...first.rows, ...(second?.rows ?? [])];
              const sign = descending ? -1 : 1;
              const values = wanted.map((row) => valueOf(row, sort)).sort((a, b) => sign * compare(a, b));
              expect(found.map((row) => valueOf(row, sort))).toEqual(values.slice(0, 60));
              expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
              expect(found.every((row) => isFound(row, words))).toBe(true);
              expect(first.total).toBe(Math.min(wanted.length, 1_000));
            }
          }
        }
      }
    };
    check();
    saw(ledger, [{ file_id: 30_000, filename: 'a scan-', size: 0, download_count: 9 }]);
    check();
    // Listed by the other process, too.
    saw(other, [{ file_id: 30_001, filename: '0 scans zqx', size: 0, download_count: 10 }]);
    other.views.page(first30);
    check();
    other.remote.markGone(30_001);
    files.delete(30_001);
    check();
    // Half of a character is not valid text; its absence proves nothing about the character.
    saw(ledger, [{ file_id: 30_002, filename: '\u{1f600}' }]);
    for (const search of ['\ud83d', '\u{1f600}']) {
      const { rows } = ledger.views.page({ ...first30, search });
      expect(rows.map(({ fileId }) => fileId)).toEqual(search.length === 1 ? [] : [30_002]);
    }
  },
);

test('words are found in any order, regardless of case and accents, each in the name, the link or the id', () => {
  const ledger = memoryLedger();
  addUploaded(ledger, { name: 'Keynote recording.mp4', fileId: 1 });
  addUploaded(ledger, { name: 'U\u0308n\u00efco\u0308de\u0301 Straße.txt', fileId: 2 });
  ledger.remote.saw(
    1,
    [{ file_id: 4_711, filename: 'Smørrebrød Łódź.pdf', public_link: 'https://share.example/d/kQ9' }],
    NOON_MS,
  );
  const found = (search: string) =>
    ledger.views.page({ ...first30, search }).rows.map(({ fileId }) => fileId);
  expect(found('mp4 keynote')).toEqual([1]);
  expect(found('  KEY   mp4 rec ')).toEqual([1]);
  expect(found('mp4 keynotes')).toEqual([]);
  for (const search of ['unicode', 'Ünïcödé', 'ÜNICODE', 'strasse unicode', 'straße'])
    expect(found(search)).toEqual([2]);
  for (const search of [
    'smorrebrod',
    'lodz smør',
    'pdf kq9',
    '4711 łódź',
    '11 d/kq9',
    'https://share.example/d/kQ9',
  ])
    expect(found(search)).toEqual([4_711]);
  // All links share their host and path.
  for (const search of ['share', 'example/', 'https', 'd/']) expect(found(search)).toEqual([]);
  expect(found('  ')).toHaveLength(3);
});

test('the best match comes first: at the start of the name, then of a word, then inside, then in the id', () => {
  const ledger = memoryLedger();
  const names = [
    'doc 20.txt',
    'doc 2.txt',
    'my doc 2.txt',
    'doc 1 of 2.txt',
    'mydoc2.txt',
    'doc 21.txt',
    'notes',
  ];
  for (const [at, name] of names.entries())
    addUploaded(ledger, {
      name,
      fileId: at + 10,
      link: `https://share.example/d/${name === 'notes' ? 'doc2' : at}`,
    });
  const found = (search: string) =>
    ledger.views.page({ ...first30, search, sort: 'match', descending: false }).rows.map(({ name }) => name);
  expect(found('doc 2')).toEqual([
    'doc 2.txt',
    'doc 20.txt',
    'doc 21.txt',
    'doc 1 of 2.txt',
    'my doc 2.txt',
    'mydoc2.txt',
    'notes',
  ]);
  // There is one more page.
  const query = { ...first30, search: 'doc', sort: 'match' as const, descending: false, limit: 3 };
  const first = ledger.views.page(query);
  const second = ledger.views.page({ ...query, after: first.next });
  expect([...first.rows, ...second.rows].map(({ name }) => name)).toEqual(found('doc').slice(0, 6));
});
