// The rows of Files: search, filter, sort, and pages by keyset, so that page 10,000 costs what page 1 costs.
//
// Without a search every page is a read of one index per place (at most four, merged here).
// A search of three characters or more asks the trigram index, which yields rows newest first: the default order
// needs no sorting. It is asked for the rarest trigrams only. For the other orders there are two ways, both checked against each row: few hits are collected
// and sorted; of many, enough turn up soon when the order's own index is walked.
// Shorter searches walk the index too: what is rare takes a pass over the rows (about half a second at a million).
//
// `total` is exact without a search; with one it is exact up to 1,000, and 1,000 then means "at least".
import { AppError } from '../../contract/errors.ts';
import type { UploadTable } from '../../engine/ports.ts';
import { number, type Database, type Value } from './database.ts';
import { readFileRows } from './file-rows.ts';
import { fold, places } from './listed.ts';
import { createSearches, isOneGroup, type Search } from './trigrams.ts';

type Query = Parameters<UploadTable['page']>[0];
type Sort = Query['sort'];
type Position = { value: Value; id: number };
type Cursor = Position & { total: number };

/** Counting further would cost more than the page. */
export const MAX_COUNTED = 1_000;
/** Up to this many hits (or rows of a place) are collected and sorted; beyond, walking the order is quicker. */
const FEW = 4_000;

const columns: Record<Sort, string> = {
  uploaded: 'id',
  name: 'name_key',
  size: 'size',
  downloads: 'downloads',
};

/** `instr` and not LIKE: no wildcards to escape, and the same idea of case as the index. */
const holds = '(instr(l.name_key, ?) OR instr(lower(l.link), ?) OR instr(l.file_id, ?))';

export const createPages = (database: Database): Pick<UploadTable, 'page'> => {
  const searchFor = createSearches(database);

  const filesIn = (wanted: readonly number[]): number =>
    database
      .all('SELECT place, files FROM listed_tally')
      .filter((row) => wanted.includes(number(row['place'])))
      .reduce((sum, row) => sum + number(row['files']), 0);

  const positions = (sql: string, values: Value[]): Position[] =>
    database.all(sql, ...values).map((row) => ({ value: row['value'] ?? null, id: number(row['id']) }));

  /** Walks the order's index place by place and merges; `needle` narrows further. */
  const walk = (query: Query, wanted: readonly number[], after: Position | null, needle: string | null) => {
    const checks = needle === null ? '' : ` AND ${holds}`;
    const searched = needle === null ? [] : [needle, needle, needle];
    const { column, direction, beyond } = orderOf(query);
    const limit = query.limit + 1;
    const piece = (condition: string, values: Value[], atMost: number) =>
      positions(
        `SELECT id, ${column} AS value FROM listed l WHERE ${condition}${checks}
         ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`,
        [...values, ...searched, atMost],
      );
    if (query.sort === 'uploaded' && wanted.length > 1) {
      return after === null ? piece('TRUE', [], limit) : piece(`id ${beyond} ?`, [after.id], limit);
    }
    const found = wanted.flatMap((place) => {
      if (after === null) return piece('place = ?', [place], limit);
      if (query.sort === 'uploaded') return piece(`place = ? AND id ${beyond} ?`, [place, after.id], limit);
      // Two reads, since SQLite searches an index by the first half of (column, id) < (?, ?) only.
      const equal = piece(
        `place = ? AND ${column} = ? AND id ${beyond} ?`,
        [place, after.value, after.id],
        limit,
      );
      if (equal.length === limit) return equal;
      const further = piece(
        `place = ? AND ${column} ${beyond} ?`,
        [place, after.value],
        limit - equal.length,
      );
      return [...equal, ...further];
    });
    return wanted.length === 1 ? found : merged(found, query, limit);
  };

  const search = (
    query: Query,
    wanted: readonly number[],
    after: Position | null,
    { needle, match }: Search,
  ) => {
    if (match === null || filesIn(wanted) <= FEW) return walk(query, wanted, after, needle);
    if (query.sort !== 'uploaded') {
      const hits = database.get(
        'SELECT count(*) AS n FROM (SELECT 1 FROM listed_text WHERE listed_text MATCH ? LIMIT ?)',
        match,
        FEW + 1,
      );
      if (number(hits?.['n']) > FEW) return walk(query, wanted, after, needle);
    }
    const { column, direction, beyond } = orderOf(query);
    // By the index's own row number: by any other name of it, all hits would be sorted.
    const byTime = query.sort === 'uploaded';
    const order = byTime ? `t.rowid ${direction}` : `l.${column} ${direction}, l.id ${direction}`;
    const from = byTime ? `t.rowid ${beyond} ?` : `(l.${column}, l.id) ${beyond} (?, ?)`;
    const values = after === null ? [] : byTime ? [after.id] : [after.value, after.id];
    return positions(
      `SELECT l.id, l.${column} AS value FROM listed_text t CROSS JOIN listed l ON l.id = t.rowid
       WHERE listed_text MATCH ? AND ${after === null ? 'TRUE' : from} AND ${holds} AND ${among(wanted)}
       ORDER BY ${order} LIMIT ?`,
      [match, ...values, needle, needle, needle, query.limit + 1],
    );
  };

  const countFound = (wanted: readonly number[], { needle, match }: Search): number => {
    const checks = `${holds} AND ${among(wanted)}`;
    const three = [needle, needle, needle];
    const count = (from: string, values: Value[]): number =>
      number(
        database.get(`SELECT count(*) AS n FROM (SELECT 1 FROM ${from} LIMIT ?)`, ...values, MAX_COUNTED)?.[
          'n'
        ],
      );
    if (match === null) return count(`listed l WHERE ${checks}`, three);
    // One group of three is the whole search: what the index says needs no check.
    if (isOneGroup(needle) && wanted.length === places.length) {
      return count('listed_text WHERE listed_text MATCH ?', [match]);
    }
    return count(
      `listed_text t CROSS JOIN listed l ON l.id = t.rowid WHERE listed_text MATCH ? AND ${checks}`,
      [match, ...three],
    );
  };

  return {
    page: (query) => {
      const wanted = query.place === 'all' ? [0, 1, 2, 3] : [places.indexOf(query.place)];
      const after = query.after === null ? null : readCursor(query, query.after);
      const needle = fold(query.search);
      const searched = needle === '' ? null : searchFor(needle);
      const found =
        searched === null ? walk(query, wanted, after, null) : search(query, wanted, after, searched);
      // Further pages of a search carry the count of the first.
      const total = searched === null ? filesIn(wanted) : (after?.total ?? countFound(wanted, searched));
      const shown = found.slice(0, query.limit);
      const last = shown.at(-1);
      return {
        rows: readFileRows(
          database,
          shown.map(({ id }) => id),
        ),
        next: last === undefined || found.length <= query.limit ? null : writeCursor(query, last, total),
        total,
      };
    },
  };
};

/** Ordered by the column, then by id, both in the query's direction. */
const orderOf = (query: Query) => ({
  column: columns[query.sort],
  direction: query.descending ? 'DESC' : 'ASC',
  beyond: query.descending ? '<' : '>',
});

const among = (wanted: readonly number[]): string =>
  wanted.length === places.length ? 'TRUE' : `l.place IN (${wanted.join(', ')})`;

const merged = (found: Position[], query: Query, limit: number): Position[] => {
  const sign = query.descending ? -1 : 1;
  return found.sort((a, b) => sign * (compare(a.value, b.value) || a.id - b.id)).slice(0, limit);
};

/** As SQLite compares: numbers by value, text by its UTF-8 bytes. */
const compare = (a: Value, b: Value): number =>
  typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : Number(a) - Number(b);

// ---------------------------------------------------------------- cursors

const writeCursor = (query: Query, last: Position, total: number): string =>
  Buffer.from(JSON.stringify([query.sort, query.descending, last.value, last.id, total])).toString(
    'base64url',
  );

/** Comes back through the window: anything may stand there. */
const readCursor = (query: Query, cursor: string): Cursor => {
  const parts = parseList(Buffer.from(cursor, 'base64url').toString());
  if (parts !== null) {
    const [sort, descending, value, id, total] = parts;
    const fits = typeof value === (query.sort === 'name' ? 'string' : 'number');
    if (
      sort === query.sort &&
      descending === query.descending &&
      fits &&
      (typeof value === 'string' || typeof value === 'number') &&
      typeof id === 'number' &&
      typeof total === 'number'
    ) {
      return { value, id, total };
    }
  }
  throw new AppError('bad-use', 'This page follows no page of that order.', 'Start again at the first page.');
};

const parseList = (json: string): unknown[] | null => {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) ? (parsed as unknown[]) : null;
  } catch {
    return null;
  }
};
