// What Files shows: search, filter, sort, pages, and the lists that are a part of it. Triggers keep the table `files`
// and its trigrams (schema.ts), so every read is up to date.
//
// An order of all places uses one index for each place, which SQLite merges. A search first takes up to 1,001 hits: by
// trigrams, or by a pass over the rows when it is too short for one. If these are all, they are sorted. If there are
// more, they are so frequent that a walk along the order soon finds a page of them.
// `total` is exact without a search; with one it is exact up to 1,000, and 1,000 then means "at least".
import { AppError } from '../../../contract/errors.ts';
import type { FileGroup } from '../../../contract/answers.ts';
import type { UploadViews } from '../../../engine/ports/views.ts';
import { number, type Database, type Value, whole } from '../database.ts';
import { readUpload, searchKeys, selectUpload } from '../upload-row.ts';
import {
  behindCursor,
  everything,
  inGroups,
  inPlaces,
  limited,
  listedPlaces,
  placesOf,
  quoted,
  readRows,
  withIds,
  type Cursor,
  type PageOrder,
  type Page,
  type ListedPlace,
  type Query,
  type RowId,
} from './page-sql.ts';
import { both, holding, indexed, trigrams, type Sql } from './search-sql.ts';

/** Counting further would cost more than the page. */
const MAX_COUNTED = 1_000;

export const createPages = (database: Database): Pick<UploadViews, 'page' | 'newestLinks'> => {
  /** The rows that contain the words: all, or one more than are counted. */
  const hits = (
    words: readonly string[],
    among: readonly ListedPlace[],
    condition: Sql,
  ): { id: RowId; place: Value }[] => {
    const match = trigrams(words);
    const held = both(holding(words), condition);
    const from =
      match === null
        ? { sql: 'files f WHERE TRUE', values: [] }
        : {
            sql: 'files_text t CROSS JOIN files f ON f.id = t.rowid WHERE files_text MATCH ?',
            values: [match],
          };
    return database
      .all(
        `SELECT f.id AS id, f.place AS place FROM ${from.sql} AND ${held.sql} AND f.place IN (${quoted(among)}) LIMIT ${MAX_COUNTED + 1}`,
        ...from.values,
        ...held.values,
      )
      .map((row) => ({ id: whole(row['id']), place: row['place'] ?? null }));
  };

  /** The rows that a query asks for, not yet sorted, and how many there are. */
  const asked = (
    query: Query,
  ): Pick<Page, 'total' | 'counts' | 'matches'> & { rows: (condition: Sql) => Sql } => {
    const among = placesOf[query.place];
    const words = searchKeys(query.search);
    const inFolder: Sql =
      query.folderId === undefined ? everything : { sql: 'f.folder = ?', values: [query.folderId] };
    if (words.length === 0) {
      const counts = countGroups(inFolder);
      return {
        total: counts[query.place],
        counts,
        matches: null,
        rows: (condition) => inPlaces(query, among, both(condition, inFolder)),
      };
    }
    const inAll = hits(words, listedPlaces, inFolder);
    const areAll = inAll.length <= MAX_COUNTED;
    const matches = areAll
      ? inGroups(
          new Map(listedPlaces.map((place) => [place, inAll.filter((hit) => hit.place === place).length])),
        )
      : null;
    const found = areAll
      ? inAll.filter(({ place }) => among.some((one) => one === place))
      : query.place === 'all'
        ? inAll
        : hits(words, among, inFolder);
    const counted = { counts: null, matches };
    if (found.length <= MAX_COUNTED) {
      const ids = found.map(({ id }) => id);
      return { ...counted, total: ids.length, rows: (condition) => withIds(query, ids, condition) };
    }
    return {
      ...counted,
      total: MAX_COUNTED,
      rows: (condition) =>
        inPlaces(query, among, [inFolder, indexed(words), holding(words)].reduce(both, condition)),
    };
  };

  const countGroups = (condition: Sql): Record<FileGroup, number> => {
    const rows = database.all(
      `SELECT place, count(*) AS count FROM files f WHERE ${condition.sql} GROUP BY place`,
      ...condition.values,
    );
    return inGroups(new Map(rows.map((row) => [row['place'] ?? null, number(row['count'])])));
  };

  return {
    page: (query) => {
      const after = query.after === null ? null : readCursor(query, query.after);
      const { total, counts, matches, rows } = asked(query);
      const offset = after === null ? (query.offset ?? 0) : 0;
      const source = rows(after === null ? everything : behindCursor(query, after));
      const found = readRows(database, limited(source, query, query.limit + 1, offset), query);
      const shown = found.slice(0, query.limit);
      const last = shown.at(-1);
      return {
        rows: shown.map(({ row }) => row),
        next: last === undefined || found.length === shown.length ? null : writeCursor(query, last.cursor),
        total,
        counts,
        matches,
      };
    },

    newestLinks: (limit) => {
      const newest: PageOrder = { sort: 'uploaded', descending: true };
      const linked = inPlaces(newest, ['this-machine', 'gone-from-disk'], {
        sql: 'f.link IS NOT NULL',
        values: [],
      });
      const window = limited(linked, newest, limit, 0);
      return database
        .all(
          `${selectUpload} JOIN (${window.sql}) w ON w.id = u.id ORDER BY w.value DESC, w.id DESC`,
          ...window.values,
        )
        .map(readUpload);
    },
  };
};

// ---------------------------------------------------------------- cursors

const writeCursor = ({ sort, descending }: PageOrder, { value, id }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, descending, value, id])).toString('base64url');

/** Throws `bad-use`. The cursor comes back through the window, so it may hold anything. */
const readCursor = (order: PageOrder, cursor: string): Cursor => {
  const [sort, descending, value, id] = parseList(Buffer.from(cursor, 'base64url').toString());
  const isText = order.sort === 'name' || order.sort === 'match';
  const isValue = typeof value === (isText ? 'string' : 'number');
  if (
    sort === order.sort &&
    descending === order.descending &&
    isValue &&
    (typeof value === 'string' || typeof value === 'number') &&
    (typeof id === 'number' || typeof id === 'string')
  ) {
    return { value, id };
  }
  throw new AppError('bad-use', 'This page follows no page of that order.', 'Start again at the first page.');
};

const parseList = (json: string): unknown[] => {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) ? (parsed as unknown[]) : [];
  } catch {
    return [];
  }
};
