import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileRow, RemoteFile } from '../../src-main/contract/model.ts';
import { isFound, naturalOrder, rankOf, searchWords } from '../../src-main/contract/search.ts';
import type { Ledger } from '../../src-main/engine/ports/ledger.ts';
import { addUploaded, firstPage, memoryLedger, NOON_MS, stampOf, type Query } from './ledger-fixtures.ts';
import { isDeep } from '../support/deep.ts';

const allPages = (ledger: Ledger, query: Partial<Query>): FileRow[] => {
  const rows: FileRow[] = [];
  for (let after = query.after ?? null; ;) {
    const page = ledger.views.page({ ...firstPage, ...query, after });
    rows.push(...page.rows);
    // A cursor that does not advance would be read for ever.
    expect(rows.length).toBeLessThan(10_000);
    if (page.next === null) return rows;
    after = page.next;
  }
};

/** Which files a group has. */
const isIn = (group: Query['place'], place: FileRow['place']): boolean =>
  group === 'all' ||
  (group === 'gone' ? place === 'gone-from-service' : (group === 'ours') === (place !== 'elsewhere'));

const keys = (rows: FileRow[]) => rows.map(({ key }) => key);

/** Few letters, so that searches hit; case, accents, escapes and quotes, so that folding and quoting matter. */
const word = fc
  .array(
    fc.constantFrom('a', 'B', 'b', 'c', '"', 'É', 'e\u0301', 'ø', '%', '_', '\0ff', '1', '0', '2', ' '),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((letters) => letters.join(''));

type Made =
  | {
      kind: 'ours';
      name: string;
      size: number;
      second: number;
      fate: 'here' | 'left' | 'superseded' | 'deleted';
    }
  | { kind: 'elsewhere'; file: RemoteFile };

const made: fc.Arbitrary<Made> = fc.oneof(
  fc.record({
    kind: fc.constant('ours' as const),
    name: word,
    size: fc.nat(4),
    second: fc.nat(3),
    fate: fc.constantFrom('here', 'left', 'superseded', 'deleted'),
  }),
  fc.record({
    kind: fc.constant('elsewhere' as const),
    file: fc.record(
      {
        filename: word,
        size: fc.nat(4),
        download_count: fc.nat(3),
        upload_date: fc.constantFrom('2026-03-10 12:00:00', '2026-03-10 12:00:01', 'soon'),
        public_link: word.map((token) => `https://share.example/download/${encodeURIComponent(token)}`),
      },
      { requiredKeys: [] },
    ),
  }),
);

/** What Files should contain, without any of the ledger's own ideas. */
type Expected = {
  key: string;
  text: string[];
  place: FileRow['place'];
  name: string;
  sorts: Record<Exclude<Query['sort'], 'match'>, number | string>;
};

const fold = (text: string) =>
  text
    .replace(/\0[0-9a-f]{2}/g, '\ufffd')
    .normalize('NFD')
    .replaceAll('\u0301', '')
    .toLowerCase()
    .replaceAll('ø', 'o');

/** What distinguishes a link from the others. */
const end = (link: string) => link.split('/').at(-1) ?? '';

const put = (ledger: Ledger, one: Made, at: number): Expected => {
  const fileId = 1_000 + at;
  if (one.kind === 'elsewhere') {
    const { filename, public_link: link, size, download_count: downloads, upload_date: date } = one.file;
    ledger.remote.saw(1, [{ ...one.file, file_id: fileId }], NOON_MS);
    const name = filename ?? link ?? String(fileId);
    const dated = date !== undefined && date !== 'soon';
    return {
      key: `r${fileId}`,
      name,
      text: [filename ?? '', end(link ?? ''), String(fileId)],
      place: 'elsewhere',
      sorts: {
        uploaded: dated ? Date.parse(`${date.replace(' ', 'T')}Z`) : 0,
        name: naturalOrder(fold(name)),
        size: size ?? -1,
        downloads: downloads ?? -1,
      },
    };
  }
  const link = `https://share.example/download/Tok${at}`;
  const atMs = NOON_MS + one.second * 1_000;
  const upload = addUploaded(ledger, {
    ...one,
    dir: `/tray/${at}`,
    stamp: stampOf(one.size),
    fileId,
    atMs,
    link,
  });
  if (one.fate === 'left')
    ledger.uploads.update(upload.id, { present: false, state: { kind: 'gone' } }, atMs);
  if (one.fate === 'superseded') {
    ledger.uploads.update(upload.id, { present: false, state: { kind: 'superseded', byId: null } }, atMs);
  }
  if (one.fate === 'deleted') ledger.remote.markGone(fileId);
  else ledger.remote.saw(1, [{ file_id: fileId, download_count: one.size }], NOON_MS);
  const places = {
    here: 'this-machine',
    superseded: 'this-machine',
    left: 'gone-from-disk',
    deleted: 'gone-from-service',
  } as const;
  return {
    key: `u${upload.id}`,
    name: one.name,
    text: [one.name, one.fate === 'deleted' ? '' : end(link), String(fileId)],
    place: places[one.fate],
    sorts: {
      uploaded: atMs,
      name: naturalOrder(fold(one.name)),
      size: one.size,
      downloads: one.fate === 'deleted' ? -1 : one.size,
    },
  };
};

const compare = (a: number | string, b: number | string): number =>
  typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : Number(a) - Number(b);

test('pages equal a plain filter and sort of everything, for every sort, place, direction and search', () => {
  fc.assert(
    fc.property(
      fc.array(made, { maxLength: 30 }),
      fc.oneof(
        fc.constant(''),
        word,
        fc.constantFrom('tok1', 'https://share.example/', 'share', 'load', '100', 'https://e/Tok2', 'É"'),
      ),
      fc.integer({ min: 1, max: 7 }),
      (all, search, limit) => {
        const ledger = memoryLedger();
        const expected = all.map((one, at) => put(ledger, one, at));
        for (const place of ['all', 'ours', 'elsewhere', 'gone'] as const) {
          const wanted = expected.filter(
            (row) =>
              isIn(place, row.place) &&
              fold(search)
                .split(' ')
                .map((part) => end(part) || part)
                .every((part) => row.text.some((text) => fold(text).includes(part))),
          );
          for (const sort of ['uploaded', 'name', 'size', 'downloads', 'match'] as const) {
            const valueOf = (row: Expected) =>
              sort !== 'match'
                ? row.sorts[sort]
                : `${search.trim() === '' ? '' : rankOf(row, search)}${naturalOrder(fold(row.name))}`;
            const value = new Map(expected.map((row) => [row.key, valueOf(row)]));
            const values = (found: string[]) => found.map((key) => value.get(key));
            for (const descending of [true, false]) {
              const query = { search, place, sort, descending };
              const found = keys(allPages(ledger, { ...query, limit }));
              const sign = descending ? -1 : 1;
              const sorted = wanted.map(valueOf).sort((a, b) => sign * compare(a, b));
              expect(values(found)).toEqual(sorted);
              expect(found.toSorted()).toEqual(wanted.map(({ key }) => key).sort());
              // Ties come in the same order whatever the size of the page, and backwards in the other direction.
              expect(found).toEqual(keys(allPages(ledger, query)));
              expect(found.toReversed()).toEqual(
                keys(allPages(ledger, { ...query, descending: !descending })),
              );
              const page = ledger.views.page({ ...firstPage, ...query, limit });
              expect(page.total).toBe(wanted.length);
              // The numbers of the groups are those of everything, and adding them up gives all.
              expect(page.counts === null).toBe(search.trim() !== '');
              expect(page.matches === null).toBe(search.trim() === '');
              expect((page.counts ?? page.matches)?.[place]).toBe(wanted.length);
              if (page.counts !== null) {
                expect(page.counts[place]).toBe(wanted.length);
                expect(page.counts.ours + page.counts.elsewhere).toBe(page.counts.all);
              }
              // What the window finds among rows it has is what the ledger finds.
              const held = keys(
                allPages(ledger, { ...query, search: '' }).filter((row) => isFound(row, searchWords(search))),
              );
              // Without a search no row has a rank: only which rows are found is the same.
              if (sort === 'match') expect(held.toSorted()).toEqual(found.toSorted());
              else expect(held).toEqual(found);
              // A jump shows what steps would have reached, and steps continue from there.
              for (const offset of [1, limit, wanted.length + 1]) {
                const { rows, next, total } = ledger.views.page({ ...firstPage, ...query, limit, offset });
                const further = next === null ? [] : allPages(ledger, { ...query, after: next });
                expect([keys([...rows, ...further]), total]).toEqual([found.slice(offset), wanted.length]);
              }
            }
          }
        }
        ledger.close();
      },
    ),
    { numRuns: isDeep ? 25 : 8 },
  );
});

test('a file that the service listed before its upload was recorded becomes one row', () => {
  const ledger = memoryLedger();
  ledger.remote.saw(1, [{ file_id: 7, filename: 'sent.txt', download_count: 3 }], NOON_MS);
  expect(keys(allPages(ledger, {}))).toEqual(['r7']);
  const { id } = addUploaded(ledger, { name: 'mine.txt', fileId: 7 });
  expect(keys(allPages(ledger, {}))).toEqual([`u${id}`]);
  expect(keys(allPages(ledger, { search: 'sent' }))).toEqual([]);
  expect(ledger.views.page({ ...firstPage, search: 'sen' }).total).toBe(0);
  expect(allPages(ledger, { search: 'mine' })[0]).toMatchObject({
    fileId: 7,
    downloads: 3,
    sizeIsBytes: true,
  });
});

test('a row contains everything Files shows', () => {
  const ledger = memoryLedger();
  const upload = addUploaded(ledger, { name: 'a.txt', fileId: 7, stamp: stampOf(12) });
  ledger.remote.saw(
    1,
    [{ file_id: 7, filename: 'a.txt', upload_date: '2026-03-10 13:00:00', download_count: 2 }],
    NOON_MS,
  );
  expect(allPages(ledger, {})).toEqual([
    {
      key: `u${upload.id}`,
      uploadId: upload.id,
      fileId: 7,
      name: 'a.txt',
      size: 12,
      sizeIsBytes: true,
      uploadedAtMs: NOON_MS,
      uploadDate: '2026-03-10 13:00:00',
      downloads: 2,
      publicLink: upload.publicLink,
      sha256: upload.sha256,
      path: '/tray/a.txt',
      place: 'this-machine',
      superseded: false,
      linkState: null,
      isFollowed: false,
      wrong: null,
      expiresAtMs: null,
    } satisfies FileRow,
  ]);
});

test('deleting a file on the service keeps our row, marked, and drops one that came from elsewhere', () => {
  const ledger = memoryLedger();
  addUploaded(ledger, { name: 'a', fileId: 1 });
  ledger.remote.saw(1, [{ file_id: 2, filename: 'b' }], NOON_MS);
  ledger.remote.markGone(1);
  ledger.remote.markGone(2);
  expect(allPages(ledger, {}).map(({ fileId, place }) => [fileId, place])).toEqual([
    [1, 'gone-from-service'],
  ]);
  expect(ledger.views.newestLinks(10)).toEqual([]);
});

test('a file that is gone from the service has no link, can be removed from the list, and returns when it is seen again', () => {
  const ledger = memoryLedger();
  const { publicLink } = addUploaded(ledger, { name: 'a.txt', fileId: 1 });
  addUploaded(ledger, { name: 'b', fileId: 2 });
  ledger.remote.markGone(1);
  expect(allPages(ledger, { place: 'gone' }).map(({ name, publicLink: link }) => [name, link])).toEqual([
    ['a.txt', null],
  ]);
  // Only files that are gone are removed.
  expect(ledger.remote.removeGone([1, 2])).toBe(1);
  expect(allPages(ledger, {}).map(({ name }) => name)).toEqual(['b']);
  expect(ledger.views.page(firstPage).counts).toEqual({ all: 1, ours: 1, elsewhere: 0, gone: 0 });
  expect(allPages(ledger, { search: 'a.txt' })).toEqual([]);
  // It was uploaded all the same, and finding it gone once more does not restore it.
  expect(ledger.views.perDay(NOON_MS - 1)[0]?.uploads).toBe(2);
  ledger.remote.markGone(1);
  expect(ledger.remote.byId(1)?.gone).toBe(true);
  expect(allPages(ledger, {})).toHaveLength(1);
  ledger.remote.saw(1, [{ file_id: 1 }], NOON_MS);
  expect(allPages(ledger, { search: 'a.txt' })[0]?.publicLink).toBe(publicLink);
});

test('a cursor of another order, or a malformed one, is refused', () => {
  const ledger = memoryLedger();
  for (const fileId of [1, 2]) addUploaded(ledger, { name: `n${fileId}`, fileId });
  const { next } = ledger.views.page({ ...firstPage, limit: 1 });
  expect(next).not.toBeNull();
  for (const after of ['', 'x', 'bnVsbA', next]) {
    expect(() => ledger.views.page({ ...firstPage, sort: 'name', after })).toThrow(/follows no page/);
  }
});

test('matches beyond the counted bound are still all reachable, in every order', () => {
  const ledger = memoryLedger();
  const files = Array.from({ length: 4_500 }, (_, at) => ({
    file_id: at + 1,
    filename: `holiday ${at % 97}`,
  }));
  ledger.atomically(() => {
    ledger.remote.saw(1, files, NOON_MS);
  });
  const with96 = files.filter((one) => /96/.test(`${one.filename} ${one.file_id}`));
  for (const sort of ['uploaded', 'name', 'size'] as const) {
    expect(ledger.views.page({ ...firstPage, sort, search: 'holiday' }).total).toBe(1_000);
    expect(new Set(keys(allPages(ledger, { sort, search: 'HOLIDAY', limit: 500 }))).size).toBe(4_500);
    expect(allPages(ledger, { sort, search: '96 day', limit: 500 })).toHaveLength(with96.length);
  }
});

test('the newest links and the most downloaded files come from the same rows', () => {
  const ledger = memoryLedger();
  [3, 1, 2].forEach((fileId) =>
    addUploaded(ledger, { name: `n${fileId}`, fileId, atMs: NOON_MS + fileId * 1_000 }),
  );
  ledger.remote.saw(
    1,
    [
      { file_id: 1, download_count: 5 },
      { file_id: 9, download_count: 8 },
      { file_id: 2, download_count: 0 },
    ],
    NOON_MS,
  );
  expect(ledger.views.newestLinks(2).map(({ fileId }) => fileId)).toEqual([3, 2]);
  const most = ledger.views.mostDownloaded(10, NOON_MS);
  expect(most.map(({ row }) => row.fileId)).toEqual([9, 1]);
});

const DAY_MS = 86_400_000;

test('downloads are counted since a reading, by file, and the first of each file', () => {
  let nowMs = NOON_MS;
  const ledger = memoryLedger(() => nowMs);
  addUploaded(ledger, { name: 'ours', fileId: 1, atMs: NOON_MS - DAY_MS });
  addUploaded(ledger, { name: 'old', fileId: 2, atMs: NOON_MS - 40 * DAY_MS });
  const read = (counts: Record<number, number>): void =>
    ledger.remote.saw(
      1,
      Object.entries(counts).map(([id, count]) => ({ file_id: Number(id), download_count: count })),
      nowMs,
    );
  // Downloads before the first reading came at an unknown time; only our new file had none a day ago.
  read({ 1: 3, 2: 50, 9: 800 });
  nowMs = NOON_MS + 10 * DAY_MS;
  read({ 1: 3, 2: 50, 9: 810, 7: 0 });
  ledger.remote.countedBefore(nowMs);
  nowMs = NOON_MS + 12 * DAY_MS;
  read({ 1: 4, 2: 49, 9: 810, 7: 20 });
  const top = ledger.views.mostDownloaded(4, NOON_MS + 10 * DAY_MS);
  expect(top.map(({ row, gained }) => [row.fileId, gained])).toEqual([
    [9, 0],
    [2, 0],
    [7, 20],
    [1, 1],
  ]);
  expect(ledger.views.gainedSince(NOON_MS + 10 * DAY_MS)).toBe(21);
  expect(ledger.views.firstDownloads(5).map(({ row }) => row.fileId)).toEqual([7, 1]);
  const all = { downloads: 810 + 49 + 20 + 4, gone: 0, reported: 883 };
  expect(ledger.views.shared()).toMatchObject({ files: 4, neverDownloaded: 0, ...all });
  // Also a link that was removed from Files was downloaded.
  ledger.remote.markGone(9);
  ledger.remote.markGone(1);
  ledger.remote.removeGone([9]);
  expect(ledger.views.shared()).toMatchObject({ ...all, gone: 2, reported: 69 });
  nowMs += 100 * DAY_MS;
  read({ 7: 20 });
  expect(ledger.views.firstDownloads(5)).toEqual([]);
});
