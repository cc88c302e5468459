import { expect, test, vi } from 'vitest';
import type { FilesPage } from '../../../src-main/contract/answers.ts';
import { fold, isFound, isNarrower, searchWords } from '../../../src-main/contract/search.ts';
import {
  emptyList,
  keeping,
  missing,
  narrowed,
  withPage,
  type FileList,
  type Query,
} from '../../../src-renderer/state/list/file-list.ts';
import { Files } from '../../../src-renderer/state/files.svelte.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';
import { manyRows, row } from '../../support/window/seed.ts';

const everything: Query = { search: '', place: 'all', folder: null, sort: 'uploaded', descending: true };
const all = manyRows(5_000);

/** As the ledger answers: `total` may be only a bound. */
const page = (from: number, limit: number, total = all.length): FilesPage => ({
  rows: all.slice(from, from + limit),
  next: from + limit < all.length ? `c${String(from + limit)}` : null,
  total,
  counts: null,
  matches: null,
  asOfMs: null,
  accountId: 1,
});
const first = (query: Partial<Query> = {}, limit = 60): FileList =>
  withPage(emptyList({ ...everything, ...query }), 0, page(0, limit));

test('rows that were read are not read again, steps use a cursor and jumps a number', () => {
  const list = first();
  expect(missing(list, -20, 59)).toBeNull();
  expect(missing(list, 40, 80)).toMatchObject({ from: 60, after: 'c60' });
  expect(missing(list, 100, 120)).toMatchObject({ from: 60, after: 'c60' });
  expect(missing(list, 4_999, 4_999)).toEqual({ from: 4_939, after: null, offset: 4_939, limit: 500 });

  const jumped = withPage(list, 4_500, page(4_500, 500));
  expect(missing(jumped, 4_600, 5_020)).toBeNull();
  expect(missing(jumped, 4_480, 4_520)).toMatchObject({ from: 4_420, offset: 4_420 });
  expect(jumped.slots).toHaveLength(5_000);
  expect(jumped.slots[4_999]?.key).toBe(all[4_999]?.key);
});

test('a list that was counted up to a bound grows while it is read, and ends where its last page ends', () => {
  const bounded = withPage(emptyList(everything), 0, page(0, 60, 40));
  expect(bounded.slots).toHaveLength(61);
  const read = withPage(bounded, 60, page(60, 4_940, 40));
  expect(read.slots).toHaveLength(5_000);
  expect(missing(read, 0, Infinity)).toBeNull();
  // Some are gone meanwhile: the list is as long as its last page shows.
  const gone: FilesPage = { ...page(4_000, 100), next: null };
  expect(withPage(read, 4_000, gone).slots).toHaveLength(4_100);
});

test('a row that moves between two pages appears in one place', () => {
  const moved = withPage(first(), 60, page(50, 60));
  const keys = moved.slots.flatMap((one) => (one === null ? [] : [one.key]));
  expect(new Set(keys).size).toBe(keys.length);
  expect(moved.slots[50]).toBeNull();
  expect(moved.slots[60]?.key).toBe(all[50]?.key);
});

test('a narrower query is answered from the rows read so far', () => {
  const narrower = { ...everything, search: 'Render' };
  const some = narrowed(first(), narrower);
  expect(some?.whole).toBe(false);
  expect(some?.rows).toEqual(all.slice(0, 60).filter(({ name }) => name.startsWith('render')));
  expect(narrowed(first({}, 5_000), narrower)?.whole).toBe(true);
  expect(narrowed(first({ search: 'ren' }), narrower)).not.toBeNull();

  for (const other of [
    { ...narrower, place: 'elsewhere' as const },
    { ...narrower, folder: '/home/mara/Outtray' },
    { ...narrower, sort: 'name' as const },
    { ...narrower, descending: false },
  ]) {
    expect(narrowed(first(), other)).toBeNull();
  }
  expect(narrowed(first({ search: 'render-1' }), narrower)).toBeNull();
  expect(narrowed(first({ search: 'photo' }), narrower)).toBeNull();

  // Behind a gap there may be others between.
  const jumped = withPage(first(), 4_500, page(4_500, 500));
  expect(narrowed(jumped, narrower)?.rows).toEqual(some?.rows);
});

test('name, link and id are searched, whatever their case and composition', () => {
  const one = row(4_711, 'Zu\u0308rich \0ff.PDF', { publicLink: 'https://files.example.com/d/AbC' });
  const finds = (search: string): boolean => isFound(one, searchWords(search));
  for (const search of [
    'zürich',
    'ZURICH',
    '\ufffd.pdf',
    'abc',
    'https://files.example.com/d/AbC',
    '4711',
    '71',
    'pdf zur',
    'abc 47 zü',
  ])
    expect(finds(search), search).toBe(true);
  for (const search of ['pdfabc', '4712', 'zurich 4712', 'files', 'example.com', 'https', 'd/'])
    expect(finds(search), search).toBe(false);
  expect(isFound({ name: 'a', publicLink: null, fileId: null }, ['null'])).toBe(false);
  // A file without a name is shown by its link.
  const nameless = { name: 'https://h/d/x', publicLink: 'https://h/d/x', fileId: 1 };
  expect(['h', 'x'].map((word) => isFound(nameless, [word]))).toEqual([false, true]);
});

test.each([
  ['ÀÉÎÕÜ', 'aeiou'],
  ['Straße, Øl, Łódź, İzmir, æœđþ', 'strasse, ol, lodz, izmir, aeoedth'],
  ['ΟΔΟΣ Ἀθῆναι', 'οδοσ αθηναι'],
  ['Ёлка', 'елка'],
  ['ﬁle № ①', 'file no 1'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد', 'محمد'],
  // In these scripts a mark makes another letter.
  ['がか', 'がか'],
  ['कि', 'कि'],
  ['한글', '한글'],
])('%s is searched as %s', (name, folded) => {
  expect(fold(name)).toBe(folded);
  expect(fold(folded)).toBe(folded);
});

test('a word that is a part of another adds no condition, and further typing narrows the result', () => {
  expect(searchWords(' Key  mp4 keynote KEY ')).toEqual(['keynote', 'mp4']);
  expect(searchWords('   ')).toEqual([]);
  const narrows = (search: string, wider: string): boolean =>
    isNarrower(searchWords(search), searchWords(wider));
  expect(narrows('mp4 keynote', 'mp4 key')).toBe(true);
  expect(narrows('keynote mp4', 'mp4')).toBe(true);
  expect(narrows('keynote', '')).toBe(true);
  expect(narrows('keynote', 'key note')).toBe(true);
  expect(narrows('key', 'keynote')).toBe(false);
  expect(narrows('mp4', 'mp4 key')).toBe(false);
});

/** The list over a transport whose answers wait until they are released. */
const slowFiles = async (rows = manyRows(5_000)) => {
  const transport = createFakeTransport({ rows });
  const waiting: (() => void)[] = [];
  const asked: unknown[] = [];
  const session = new Session({
    listen: transport.listen,
    async call(name, input) {
      if (name === 'files.page') {
        asked.push(input);
        await new Promise<void>((go) => waiting.push(go));
      }
      // Copies, as every channel between two processes makes them.
      return structuredClone(await transport.call(name, input));
    },
  });
  const files = new Files(session);
  const answer = async (): Promise<void> => {
    waiting.shift()?.();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    await new Promise((soon) => setImmediate(soon));
  };
  const reading = files.reload();
  await answer();
  await reading;
  return { files, answer, asked: () => asked.splice(0).map((input) => (input as Query).search) };
};

const namesOf = (files: Files): string[] => files.slots.flatMap((one) => (one === null ? [] : [one.name]));

test('one query at a time: of those typed meanwhile only the newest is sent', async () => {
  const { files, answer, asked } = await slowFiles();
  asked();
  for (const search of ['r', 're', 'ren', 'rend']) void files.ask({ search });
  expect(asked()).toEqual(['r']);
  await answer();
  // Too late for its own query, and more rows for the next one.
  expect(asked()).toEqual(['rend']);
  await answer();
  expect(files.partial).toBe(false);
  expect(files.total).toBe(all.filter(({ name }) => name.includes('rend')).length);
  expect(files.slots[0]?.name).toBe(all.find(({ name }) => name.includes('rend'))?.name);
});

const renders = (among: number): string[] =>
  all
    .slice(0, among)
    .map(({ name }) => name)
    .filter((name) => name.includes('render'));

/** A partial list cannot know the best match. */
const newestFirst = { sort: 'uploaded', descending: true } as const;

test('a partial answer is shown at once where it fills the screen', async () => {
  const { files, answer } = await slowFiles();
  const more = files.need(0, 559);
  await answer();
  await more;
  void files.ask({ search: 'render', ...newestFirst });
  expect(namesOf(files)).toEqual(renders(560));
  expect(files.partial).toBe(true);
  await answer();
  expect(files.partial).toBe(false);
});

test('less than a screen is shown only when the ledger is slow with the rest, and from then on at once', async () => {
  const { files, answer } = await slowFiles();
  const before = namesOf(files);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() };

  // The answer is quick: the rows on screen are replaced by all of its rows together.
  void files.ask({ search: 'e', ...newestFirst });
  await answer();
  void files.ask({ search: 'render' });
  vi.advanceTimersByTime(40);
  expect(namesOf(files).length).toBe(60);
  await answer();
  const found = namesOf(files);
  expect(found).toEqual(renders(all.length).slice(0, 60));
  vi.advanceTimersByTime(1_000);
  expect(namesOf(files)).toEqual(found);

  // It is slow: the known rows come first.
  void files.ask({ search: '' });
  await answer();
  expect(namesOf(files)).toEqual(before);
  void files.ask({ search: 'rend', ...newestFirst });
  vi.advanceTimersByTime(40);
  expect([namesOf(files), files.partial]).toEqual([before, false]);
  vi.advanceTimersByTime(20);
  expect([namesOf(files), files.partial]).toEqual([renders(60), true]);
  void files.ask({ search: 'render-000009' });
  expect(namesOf(files)).toEqual(renders(60).slice(1, 2));
});

test('a search starts with its best match, by the number in its name, and has an order of its own', async () => {
  const rows = ['doc 21.pdf', 'my doc 2.pdf', 'doc 2.pdf', 'doc 20.pdf', 'other.pdf'].map((name, at) =>
    row(at + 1, name, at === 4 ? { place: 'elsewhere' } : {}),
  );
  const { files, answer } = await slowFiles(rows);
  const before = namesOf(files);
  void files.ask({ search: 'doc 2' });
  expect(namesOf(files)).toEqual(['doc 2.pdf', 'doc 20.pdf', 'doc 21.pdf', 'my doc 2.pdf']);
  expect((await files.first())?.name).toBe('doc 2.pdf');
  expect(files.matches).toEqual({ all: 4, ours: 4, elsewhere: 0, gone: 0 });
  // Another order is as it is chosen.
  void files.ask({ sort: 'name', descending: true });
  await answer();
  expect(namesOf(files)[0]).toBe('my doc 2.pdf');
  void files.ask({ sort: 'match', descending: false });
  await answer();
  void files.ask({ search: '' });
  await answer();
  expect(namesOf(files)).toEqual(before);
  // Enter comes before the answer.
  const { files: late, answer: soon } = await slowFiles();
  void late.ask({ search: 'render-000009' });
  const first = late.first();
  await soon();
  expect((await first)?.name).toBe('render-000009.png');
});

test('among rows that are read again only changed ones are new', async () => {
  const { files, answer } = await slowFiles();
  const before = files.slots;
  const reading = files.reload();
  await answer();
  await reading;
  expect(files.slots.slice(0, 60).every((one, at) => one === before[at])).toBe(true);

  const list = first();
  const known = all.map((one, at) => ({ ...one, downloads: at === 3 ? 4_711 : one.downloads }));
  const kept = keeping(known.slice(0, 40), list).slots;
  expect(kept).toEqual(list.slots);
  expect(kept.map((one, at) => one === known[at]).indexOf(false)).toBe(3);
  expect(kept[39]).toBe(known[39]);
  // In another place it is another row.
  expect(keeping(known.slice(1), list).slots).toEqual(list.slots);
});

test('once everything has been read a narrower query costs no request, and neither does the way back', async () => {
  const { files, answer, asked } = await slowFiles(manyRows(40));
  asked();
  void files.ask({ search: 'render' });
  expect(files.partial).toBe(false);
  expect(namesOf(files).every((name) => name.startsWith('render'))).toBe(true);
  void files.ask({ search: 'nothing of that name' });
  expect([files.total, files.phase]).toEqual([0, 'ready']);
  void files.ask({ search: '' });
  expect(files.total).toBe(40);
  expect(asked()).toEqual([]);
  // Another order is another query.
  void files.ask({ sort: 'name' });
  await answer();
  expect(asked()).toEqual(['']);
});

test('a query sent while the list is read again includes the rows that this read adds', async () => {
  const rows = manyRows(1);
  const { files, answer, asked } = await slowFiles(rows);
  asked();
  const added = row(2, 'brought.txt');
  rows.push(added);
  void files.reload();
  void files.ask({ search: added.name });
  await answer();
  await answer();
  expect(namesOf(files)).toEqual([added.name]);
  expect(asked()).toEqual(['', added.name]);
});

test('the last row is two reads away, and a range to it reads the rows between', async () => {
  const { files, answer, asked } = await slowFiles();
  asked();
  const jump = files.need(4_999, 4_999);
  await answer();
  await jump;
  expect(files.slots[4_999]?.key).toBe(all[4_999]?.key);
  expect(asked()).toHaveLength(1);
  expect(files.slots[1_000]).toBeNull();
  files.choose(4_999, 'only');
  expect(files.chosen).toHaveLength(1);

  const everyRow = files.chooseAll();
  // Rows that were read are selected at once, for the next key.
  expect(files.chosen.length).toBeGreaterThan(1);
  expect(files.chosen.length).toBeLessThan(5_000);
  for (let read = 0; read < 12; read += 1) await answer();
  await everyRow;
  expect(files.chosen).toHaveLength(5_000);
});

test('a choice made while the rest of the list is read is not undone by “select all”', async () => {
  const { files, answer } = await slowFiles();
  const everyRow = files.chooseAll();
  files.chooseNone();
  for (let read = 0; read < 12; read += 1) await answer();
  await everyRow;
  expect(files.chosen).toEqual([]);
});
