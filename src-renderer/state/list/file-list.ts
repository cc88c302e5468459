// The answer to one question about files, as far as it has been read: from the top, and wherever the user jumped to.
// Pure: adding a page makes a new list.
import type { FileGroup, FilesPage } from '../../../src-main/contract/answers.ts';
import type { fileSorts } from '../../../src-main/contract/commands.ts';
import type { FileRow } from '../../../src-main/contract/model.ts';
import {
  fold,
  isFound,
  isNarrower,
  naturalOrder,
  rankOf,
  searchWords,
} from '../../../src-main/contract/search.ts';

type Sort = (typeof fileSorts)[number];
/** `folder`: only files of this watched folder; null: all files, also those of no folder. */
export type Query = {
  search: string;
  place: FileGroup;
  folder: string | null;
  sort: Sort;
  descending: boolean;
};

/** Rows that have not been read yet are null. */
export type Slots = readonly (FileRow | null)[];

export type FileList = {
  query: Query;
  slots: Slots;
  /** The ledger's cursors, by the index of the row that comes next. */
  cursors: ReadonlyMap<number, string>;
};

/** More rows than most windows show at once. */
export const FIRST_PAGE = 60;
const NEXT_PAGE = 500;

export const emptyList = (query: Query): FileList => ({ query, slots: [], cursors: new Map() });

/** Where the next page begins, and how it is requested: by cursor in sequence, by offset after a jump. */
export type Ask = { from: number; after: string | null; offset?: number; limit: number };

/** The first page of what is missing between these two indices; null when nothing is. */
export const missing = ({ slots, cursors }: FileList, from: number, to: number): Ask | null => {
  const last = Math.min(to, slots.length - 1);
  let first = Math.max(0, from);
  while (first <= last && slots[first] !== null) first += 1;
  if (first > last) return null;
  const known = first;
  // The rows just before the target of a jump are on screen with it.
  while (first > 0 && slots[first - 1] === null && known - first < FIRST_PAGE) first -= 1;
  const after = cursors.get(first) ?? null;
  return { from: first, after, ...(after === null && { offset: first }), limit: NEXT_PAGE };
};

/** The list with this page in it. A search is counted only up to a limit; a next page means at least one row more. */
export const withPage = (list: FileList, from: number, page: FilesPage): FileList => {
  const end = from + page.rows.length;
  const total = page.next === null ? end : Math.max(page.total, end + 1);
  const slots = list.slots.slice(0, total);
  while (slots.length < total) slots.push(null);
  // A row that moved since it was read must not appear twice.
  const moved = new Set(page.rows.map((row) => row.key));
  // This loop runs over the whole list for each page during scrolling: by index it takes half the time of `entries`.
  for (let at = 0; at < total; at += 1) {
    const row = slots[at] ?? null;
    if (row !== null && moved.has(row.key)) slots[at] = null;
  }
  for (const [at, row] of page.rows.entries()) slots[from + at] = row;
  const cursors = new Map(list.cursors);
  if (page.next !== null) cursors.set(end, page.next);
  return { query: list.query, slots, cursors };
};

/**
 * The same list, but with the row objects of `slots` where a row is unchanged and in the same place, so that such a row
 * is not drawn again.
 */
export const keeping = (slots: Slots, list: FileList): FileList => ({
  ...list,
  slots: list.slots.map((row, at) => {
    const known = slots[at] ?? null;
    return row !== null && known !== null && isSame(row, known) ? known : row;
  }),
});

/** For rows of plain values: a list of 100,000 is compared as well. */
const isSame = <Row extends object>(row: Row, other: Row): boolean => {
  if (row === other) return true;
  for (const name in row) if (row[name] !== other[name]) return false;
  return true;
};

/**
 * What is known of the answer to a narrower question: exactly its first rows, in order; `whole` when there are no
 * others. Null when the question is not a narrower one.
 */
export const narrowed = (list: FileList, query: Query): { rows: FileRow[]; whole: boolean } | null => {
  const { place, folder, sort, descending, search } = list.query;
  const words = searchWords(query.search);
  if (place !== query.place || folder !== query.folder) return null;
  const isSameOrder = sort === query.sort && descending === query.descending;
  if (!isSameOrder && query.sort !== 'match') return null;
  if (!isNarrower(words, searchWords(search))) return null;
  const gap = list.slots.indexOf(null);
  const read = gap === -1 ? list.slots : list.slots.slice(0, gap);
  const rows = read.filter((row) => row !== null).filter((row) => isFound(row, words));
  if (query.sort !== 'match') return { rows, whole: gap === -1 };
  // More letters change which row is the best match, and the best one of a part need not be the best one of all.
  return gap === -1 ? { rows: bestFirst(rows, query.search, query.descending), whole: true } : null;
};

const bestFirst = (rows: readonly FileRow[], search: string, descending: boolean): FileRow[] => {
  const sign = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: `${String(rankOf(row, search))}${naturalOrder(fold(row.name))}` }))
    .sort((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : 0))
    .map(({ row }) => row);
};

/** Where the rows with the links of these uploads are, from above, as far as the list was read. */
export const placesOf = (slots: Slots, uploadIds: readonly number[]): number[] => {
  const wanted = new Set(uploadIds);
  return [...slots.keys()].filter((at) => {
    const id = slots[at]?.uploadId ?? null;
    return id !== null && wanted.has(id);
  });
};

/** How many of these rows each group has. */
export const inGroups = (rows: readonly Pick<FileRow, 'place'>[]): Record<FileGroup, number> => {
  const count = (isIn: (place: FileRow['place']) => boolean): number =>
    rows.filter(({ place }) => isIn(place)).length;
  return {
    all: rows.length,
    ours: count((place) => place !== 'elsewhere'),
    elsewhere: count((place) => place === 'elsewhere'),
    gone: count((place) => place === 'gone-from-service'),
  };
};
