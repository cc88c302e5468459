// The rows of Files: search, filter, sort, and pages by keyset, so that page 10,000 costs what page 1 costs.
//
// Without a search every page is a read of one index per place (at most four, merged here).
// A search of three characters or more asks the trigram index, which yields rows newest first: the default order
// needs no sorting. It is asked for the rarest trigrams only, and once: the rows of the first page are counted in the
// same pass. For the other orders there are two ways, both checked against each row: few hits are collected and
// sorted; of many, enough turn up soon when the order's own index is walked.
// Shorter searches walk the index too: what is rare takes a pass over the rows (about half a second at a million). By
// time and by name one pass finds and counts; names begin alike, so "ph" is counted by time, not behind all of A to O.
// What a walk has passed without a hit, the walk for a longer text need not pass again (floors.ts).
//
// `total` is exact without a search; with one it is exact up to 1,000, and 1,000 then means "at least".
import type { UploadTable } from '../../engine/ports.ts';
import { readCursor, writeCursor, type Cursor, type Position } from './cursor.ts';
import { number, type Database, type Value } from './database.ts';
import { readFileRows } from './file-rows.ts';
import { createFloors } from './floors.ts';
import { jumpTo } from './jump.ts';
import { places, searchKey, type Listed } from './listed.ts';
import { createSearches, holding, isOneGroup, type Search } from './trigrams.ts';

type Query = Parameters<UploadTable['page']>[0];
type Sort = Query['sort'];
/** At least one row more than asked for, if there are more. */
type Page = { found: Position[]; total: number };
/** Which files are asked for: the places that have some, and whether no others have any. */
type Scope = { places: readonly number[]; isAll: boolean; files: number };

/** Counting further would cost more than the page. */
export const MAX_COUNTED = 1_000;
/** Up to this many rows of a place, or hits that need no check, are collected and sorted. */
const FEW = 4_000;
/** From about this many hits on, walking the order is quicker than collecting them. */
const MANY = 8_000;

/** The orders that have all that is searched for at hand: a walk in another one goes no further than it must. */
const countsOnItsWay: ReadonlySet<Sort> = new Set<Sort>(['uploaded', 'name']);

const columns: Record<Sort, string> = {
  uploaded: 'id',
  name: 'name_key',
  size: 'size',
  downloads: 'downloads',
};

export const createPages = (database: Database, listed: Listed): Pick<UploadTable, 'page'> => {
  const searchFor = createSearches(database);
  const floors = createFloors(listed);

  const scopeOf = (place: Query['place']): Scope => {
    const there = database
      .lists('SELECT place, files FROM listed_tally WHERE files > 0')
      .map(([at, files]) => ({ place: number(at), files: number(files) }));
    const wanted = place === 'all' ? there : there.filter((one) => one.place === places.indexOf(place));
    return {
      places: wanted.map((one) => one.place),
      isAll: wanted.length === there.length,
      files: wanted.reduce((sum, one) => sum + one.files, 0),
    };
  };

  const positions = (sql: string, values: Value[]): Position[] =>
    database.lists(sql, ...values).map(([id, value]) => ({ value: value ?? null, id: number(id) }));

  /** Walks the order's index place by place and merges; `needle` narrows further. */
  const walk = (query: Query, scope: Scope, after: Position | null, needle: string | null) => {
    const held = needle === null ? null : holding(needle);
    const checks = held === null ? '' : ` AND ${held.sql}`;
    const searched = held?.values ?? [];
    const { column, direction, beyond } = orderOf(query);
    const limit = query.limit + 1;
    const piece = (condition: string, values: Value[], atMost: number) =>
      positions(
        `SELECT id, ${column} AS value FROM listed l WHERE ${condition}${checks}
         ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`,
        [...values, ...searched, atMost],
      );
    const fromTop = (place: number | null): Position[] => {
      const [condition, values] = place === null ? ['TRUE', []] : ['place = ?', [place]];
      if (needle === null) return piece(condition, values, limit);
      return floors.from(`${column} ${direction} ${place}`, needle, (floor) =>
        floor === undefined
          ? piece(condition, values, limit)
          : piece(`${condition} AND ${column} ${beyond}= ?`, [...values, floor.value], limit),
      );
    };
    if (query.sort === 'uploaded' && scope.isAll) {
      return after === null ? fromTop(null) : piece(`id ${beyond} ?`, [after.id], limit);
    }
    const found = scope.places.flatMap((place) => {
      if (after === null) return fromTop(place);
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
    return scope.places.length === 1 ? found : merged(found, query, limit);
  };

  /** Hits as (id, value); `rest` narrows, orders or limits. */
  const hits = (query: Query, scope: Scope, search: Search, rest: string, values: Value[]) => {
    const { needle, match } = search;
    const held = holding(needle);
    const from =
      match === null
        ? 'listed l WHERE TRUE'
        : 'listed_text t CROSS JOIN listed l ON l.id = t.rowid WHERE listed_text MATCH ?';
    return positions(
      `SELECT l.id, l.${columns[query.sort]} AS value FROM ${from} AND ${held.sql} AND ${among(scope)} ${rest}`,
      [...(match === null ? [] : [match]), ...held.values, ...values],
    );
  };

  const searchByTime = (query: Query, scope: Scope, after: Cursor | null, search: Search): Page => {
    const { direction, beyond } = orderOf(query);
    // By the index's own row number: by any other name of it, all hits would be sorted.
    const order = `ORDER BY t.rowid ${direction} LIMIT ?`;
    if (after !== null) {
      const further = hits(query, scope, search, `AND t.rowid ${beyond} ? ${order}`, [
        after.id,
        query.limit + 1,
      ]);
      return { found: further, total: after.total };
    }
    if (isExact(search, scope)) {
      const found = hits(query, scope, search, order, [query.limit + 1]);
      return { found, total: countCandidates(search, MAX_COUNTED) };
    }
    const found = hits(query, scope, search, order, [Math.max(MAX_COUNTED, query.limit + 1)]);
    return { found, total: Math.min(found.length, MAX_COUNTED) };
  };

  /** Few hits are sorted here; of many, the order's index soon shows enough. */
  const searchByOrder = (query: Query, scope: Scope, after: Cursor | null, search: Search): Page => {
    const walked = (total: number): Page => ({ found: walk(query, scope, after, search.needle), total });
    const collected = (all: Position[]): Page => ({
      found: merged(beyondCursor(all, query, after), query, query.limit + 1),
      total: after?.total ?? Math.min(all.length, MAX_COUNTED),
    });
    const isShort = scope.files <= FEW;
    if (search.match === null && !isShort) {
      if (after !== null) return walked(after.total);
      if (!countsOnItsWay.has(query.sort)) return walked(countByWalk(scope, search));
      const found = walk({ ...query, limit: Math.max(query.limit, MAX_COUNTED) }, scope, null, search.needle);
      return { found, total: Math.min(found.length, MAX_COUNTED) };
    }
    if (!isShort && isExact(search, scope)) {
      if (countCandidates(search, FEW + 1) > FEW) return walked(MAX_COUNTED);
      return collected(hits(query, scope, search, '', []));
    }
    const some = hits(query, scope, search, 'LIMIT ?', [isShort ? FEW : MAX_COUNTED + 1]);
    if (isShort || some.length <= MAX_COUNTED) return collected(some);
    // Collecting costs by the hit, walking by the rows between two of them.
    return estimatedHits(some) > MANY ? walked(MAX_COUNTED) : collected(hits(query, scope, search, '', []));
  };

  /** From how far the ids of some hits lie apart, which came in the order of the index. */
  const estimatedHits = (some: readonly Position[]): number => {
    const range = database.get(
      'SELECT (SELECT min(id) FROM listed) AS least, (SELECT max(id) FROM listed) AS most',
    );
    const all = number(range?.['most']) - number(range?.['least']);
    const spread = Math.abs((some.at(-1)?.id ?? 0) - (some[0]?.id ?? 0));
    return (some.length * all) / Math.max(spread, 1);
  };

  const countCandidates = ({ match }: Search, atMost: number): number =>
    number(
      database.get(
        'SELECT count(*) AS n FROM (SELECT 1 FROM listed_text WHERE listed_text MATCH ? LIMIT ?)',
        match,
        atMost,
      )?.['n'],
    );

  const countByWalk = (scope: Scope, { needle }: Search): number => {
    const { sql, values } = holding(needle);
    return number(
      database.get(
        `SELECT count(*) AS n FROM (SELECT 1 FROM listed l WHERE ${sql} AND ${among(scope)} LIMIT ?)`,
        ...values,
        MAX_COUNTED,
      )?.['n'],
    );
  };

  const jump = (query: Query, scope: Scope, offset: number): Position[] => {
    const order = { column: columns[query.sort], descending: query.descending };
    const { sql, values, reversed } = jumpTo(order, scope, offset, query.limit + 1);
    const found = positions(sql, values);
    return reversed ? found.reverse() : found;
  };

  /** A search is counted up to a bound only, so a jump in it goes from the top and not far. */
  const jumpInSearch = (query: Query, scope: Scope, offset: number, searched: Search): Page => {
    const { found, total } = search({ ...query, limit: offset + query.limit }, scope, null, searched);
    return { found: found.slice(offset), total };
  };

  const search = (query: Query, scope: Scope, after: Cursor | null, searched: Search): Page => {
    const byTime = query.sort === 'uploaded' && searched.match !== null && scope.files > FEW;
    return (byTime ? searchByTime : searchByOrder)(query, scope, after, searched);
  };

  return {
    page: (query) => {
      listed.catchUpIfCan();
      const scope = scopeOf(query.place);
      const after = query.after === null ? null : readCursor(query, query.after);
      const needle = searchKey(query.search);
      const searched = needle === '' ? null : searchFor(needle);
      // Further pages of a search carry the count of the first.
      const offset = after === null ? (query.offset ?? 0) : 0;
      const { found, total } =
        searched === null
          ? {
              found: offset > 0 ? jump(query, scope, offset) : walk(query, scope, after, null),
              total: scope.files,
            }
          : offset > 0
            ? jumpInSearch(query, scope, offset, searched)
            : search(query, scope, after, searched);
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

const among = (scope: Scope): string => (scope.isAll ? 'TRUE' : `l.place IN (${scope.places.join(', ')})`);

/** One group of three is the whole search: what the index says needs no check. */
const isExact = ({ needle, match }: Search, scope: Scope): boolean =>
  match !== null && isOneGroup(needle) && scope.isAll;

const beyondCursor = (all: Position[], query: Query, after: Position | null): Position[] => {
  if (after === null) return all;
  const sign = query.descending ? -1 : 1;
  return all.filter(({ value, id }) => sign * (compare(value, after.value) || id - after.id) > 0);
};

const merged = (found: Position[], query: Query, limit: number): Position[] => {
  const sign = query.descending ? -1 : 1;
  return found.sort((a, b) => sign * (compare(a.value, b.value) || a.id - b.id)).slice(0, limit);
};

/** As SQLite compares: numbers by value, text by its UTF-8 bytes. */
const compare = (a: Value, b: Value): number =>
  typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : Number(a) - Number(b);
