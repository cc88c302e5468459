// What Files shows: search, filter, sort, pages, and the lists that are a part of it. Triggers keep the table `files`
// and its trigrams (schema.ts), so every read is up to date.
//
// An order of all places is one index a place, which SQLite merges. A search first takes up to 1,001 hits: by the
// trigrams, or by a pass over the rows when it is too short for one. When these are all, they are sorted; when there
// are more, they are so frequent that a walk along the order soon finds a page of them.
// `total` is exact without a search; with one it is exact up to 1,000, and 1,000 then means "at least".
import { AppError } from '../../contract/errors.ts';
import type { FileGroup } from '../../contract/commands.ts';
import type { FileRow } from '../../contract/model.ts';
import type { RemoteTable } from '../../engine/ports/ledger.ts';
import type { UploadTable } from '../../engine/ports/uploads.ts';
import {
  number,
  numberOrNull,
  textOrNull,
  word,
  type Database,
  type Row,
  type Value,
  whole,
  wholeOrNull,
} from './database.ts';
import { isWrong } from './schema.ts';
import { both, holding, indexed, rankOf, trigrams, type Sql } from './search-sql.ts';
import { pathOf, readUpload, searchKeys, selectUpload } from './upload-row.ts';

type Query = Parameters<UploadTable['page']>[0];
type Page = ReturnType<UploadTable['page']>;
type Place = FileRow['place'];
type Order = Pick<Query, 'sort' | 'descending'> & { search?: string };
/** The last row of a page: the next page begins behind it, also when rows were added before it. */
type RowId = number | string;
type Cursor = { value: Value; id: RowId };

const isPlace: Record<Place, true> = {
  'this-machine': true,
  elsewhere: true,
  'gone-from-disk': true,
  'gone-from-service': true,
};
const wrongs: Record<'gone' | 'differs', true> = { gone: true, differs: true };
const places = Object.keys(isPlace).filter((place): place is Place => Object.hasOwn(isPlace, place));
/** Their links work, as far as is known. */
const there = places.filter((place) => place !== 'gone-from-service');
const ours = places.filter((place) => place !== 'elsewhere');
const placesOf: Record<FileGroup, readonly Place[]> = {
  all: places,
  ours,
  elsewhere: ['elsewhere'],
  gone: ['gone-from-service'],
};

const columns: Record<Query['sort'], string> = {
  uploaded: 'at_ms',
  name: 'name_order',
  size: 'size',
  downloads: 'downloads',
  // Behind its rank.
  match: 'name_order',
};

/** Counting further would cost more than the page. */
const MAX_COUNTED = 1_000;

export type FileLists = Pick<UploadTable, 'page' | 'newestLinks' | 'perDay'>;

export type FileStatistics = Pick<RemoteTable, 'mostDownloaded' | 'firstDownloads' | 'shared'>;

export const createFiles = (database: Database, nowMs: () => number): FileLists & FileStatistics => {
  /** Rows that hold the words: all, or one more than are counted. */
  const hits = (
    words: readonly string[],
    among: readonly Place[],
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

  /** Which rows a query asks for, in no order yet, and how many there are. */
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
    const inAll = hits(words, places, inFolder);
    const areAll = inAll.length <= MAX_COUNTED;
    const matches = areAll
      ? inGroups(new Map(places.map((place) => [place, inAll.filter((hit) => hit.place === place).length])))
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

  /** The rows to show and the value of each in the order. */
  const read = (window: Sql, order: Order): { row: FileRow; cursor: Cursor }[] =>
    database
      .all(
        `SELECT w.value AS value, f.*, u.name, coalesce(u.sent_sha256, u.sha256) AS sha256, u.uploaded_at_ms, u.ends_at_ms, u.state, d.path AS dir, r.filename, r.upload_date, fo.upload_id AS followed_id,
           p.is_watched, iif(p.${isWrong}, p.told, NULL) AS wrong
         FROM (${window.sql}) w CROSS JOIN files f ON f.id = w.id
         LEFT JOIN uploads u ON u.id = f.id LEFT JOIN dirs d ON d.id = u.dir_id
         LEFT JOIN remote_files r ON r.file_id = f.file_id LEFT JOIN followed fo ON fo.upload_id = f.id
         LEFT JOIN proofs p ON p.upload_id = f.id
         ORDER BY w.value ${direction(order)}, w.id ${direction(order)}`,
        ...window.values,
      )
      .map((row) => ({
        row: readFileRow(row),
        cursor: { value: row['value'] ?? null, id: whole(row['id']) },
      }));

  const gainedBy = ({ fileId }: FileRow, fromMs: number, toMs: number): number =>
    number(
      database.value(
        'SELECT coalesce(sum(gained), 0) FROM downloads WHERE file_id = ? AND at_ms >= ? AND at_ms < ?',
        fileId,
        fromMs,
        Math.min(toMs, Number.MAX_SAFE_INTEGER),
      ),
    );

  return {
    page: (query) => {
      const after = query.after === null ? null : readCursor(query, query.after);
      const { total, counts, matches, rows } = asked(query);
      const offset = after === null ? (query.offset ?? 0) : 0;
      const source = rows(after === null ? everything : behindCursor(query, after));
      const found = read(limited(source, query, query.limit + 1, offset), query);
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
      const newest: Order = { sort: 'uploaded', descending: true };
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

    mostDownloaded: (limit, weekMs, sinceMs) => {
      const most: Order = { sort: 'downloads', descending: true };
      const source = inPlaces(most, there, { sql: 'f.downloads > 0', values: [] });
      const inAll = read(limited(source, most, limit, 0), most).map(({ row }) => row);
      const gainers = database
        .all(
          `SELECT f.id AS id FROM downloads d JOIN files f ON f.file_id = d.file_id
           WHERE d.at_ms >= ? AND f.place IN (${quoted(there)}) GROUP BY f.id ORDER BY sum(d.gained) DESC LIMIT ?`,
          weekMs,
          limit,
        )
        .map((row) => whole(row['id']));
      const ofWeek = read(withIds(most, gainers, everything), most).map(({ row }) => row);
      const span = days(sinceMs, nowMs());
      return [...new Map([...ofWeek, ...inAll].map((row) => [row.key, row])).values()]
        .map((row) => ({
          row,
          week: gainedBy(row, weekMs, Infinity),
          days: span.map(({ fromMs, toMs }) => gainedBy(row, fromMs, toMs)),
        }))
        .sort((a, b) => b.week - a.week || (b.row.downloads ?? 0) - (a.row.downloads ?? 0))
        .slice(0, limit);
    },

    firstDownloads: (limit) => {
      const first = database.all(
        `SELECT f.id AS id, d.at_ms AS at_ms FROM downloads d JOIN files f ON f.file_id = d.file_id
         WHERE d.gained = d.count AND f.place IN (${quoted(there)}) ORDER BY d.at_ms DESC, f.at_ms DESC LIMIT ?`,
        limit,
      );
      const newest: Order = { sort: 'uploaded', descending: true };
      const rows = read(
        withIds(
          newest,
          first.map((row) => whole(row['id'])),
          everything,
        ),
        newest,
      );
      return first.flatMap((one) => {
        const found = rows.find(({ cursor }) => cursor.id === one['id']);
        return found === undefined ? [] : [{ row: found.row, atMs: number(one['at_ms']) }];
      });
    },

    shared: () => {
      const row = database.get(
        `SELECT count(*) AS files, coalesce(sum(max(size, 0)) FILTER (WHERE id > 0), 0) AS bytes,
           coalesce(sum(max(size, 0)) FILTER (WHERE id < 0), 0) AS others, count(*) FILTER (WHERE downloads = 0) AS never,
           count(*) FILTER (WHERE downloads > 0) AS downloaded, coalesce(sum(max(downloads, 0)), 0) AS downloads
         FROM files WHERE place IN (${quoted(there)})`,
      );
      return {
        files: number(row?.['files']),
        bytes: number(row?.['bytes']),
        others: number(row?.['others']),
        neverDownloaded: number(row?.['never']),
        downloaded: number(row?.['downloaded']),
        downloads: number(row?.['downloads']),
      };
    },

    perDay: (sinceMs) =>
      days(sinceMs, nowMs()).map(({ day, fromMs, toMs }) => {
        const row = database.get(
          `SELECT count(*) AS uploads, coalesce(sum(max(size, 0)), 0) AS bytes FROM files
           WHERE place IN (${quoted(ours)}, 'removed') AND at_ms >= ? AND at_ms < ?`,
          fromMs,
          toMs,
        );
        const gained = database.value(
          'SELECT coalesce(sum(gained), 0) FROM downloads WHERE at_ms >= ? AND at_ms < ?',
          fromMs,
          toMs,
        );
        return {
          day,
          uploads: number(row?.['uploads']),
          bytes: number(row?.['bytes']),
          downloads: number(gained),
        };
      }),
  };
};

// ---------------------------------------------------------------- parts of a query

const everything: Sql = { sql: 'TRUE', values: [] };

const inGroups = (of: ReadonlyMap<Value, number>): Record<FileGroup, number> => {
  const sum = (group: FileGroup): number =>
    placesOf[group].reduce((total, place) => total + (of.get(place) ?? 0), 0);
  return { all: sum('all'), ours: sum('ours'), elsewhere: sum('elsewhere'), gone: sum('gone') };
};

const direction = ({ descending }: Order): string => (descending ? 'DESC' : 'ASC');

const quoted = (among: readonly Place[]): string => among.map((place) => `'${place}'`).join(', ');

/** (id, value) of rows in these places: one index each, which `limited` merges along the order. */
const inPlaces = (order: Order, among: readonly Place[], condition: Sql): Sql => {
  const value = valueIn(order);
  return {
    sql: among
      .map(
        (place) =>
          `SELECT f.id AS id, ${value.sql} AS value FROM files f WHERE f.place = '${place}' AND ${condition.sql}`,
      )
      .join(' UNION ALL '),
    values: among.flatMap(() => [...value.values, ...condition.values]),
  };
};

/** (id, value) of these rows, to be sorted. */
const withIds = (order: Order, ids: readonly RowId[], condition: Sql): Sql => {
  const value = valueIn(order);
  return {
    sql: `SELECT f.id AS id, ${value.sql} AS value
    FROM json_each(?) wanted CROSS JOIN files f ON f.id = wanted.value WHERE ${condition.sql}`,
    values: [...value.values, JSON.stringify(ids), ...condition.values],
  };
};

/** What the rows of `files f` are sorted by. */
const valueIn = ({ sort, search = '' }: Order): Sql => {
  const column = `f.${columns[sort]}`;
  const words = searchKeys(search);
  if (sort !== 'match' || words.length === 0) return { sql: column, values: [] };
  const rank = rankOf(words, search);
  return { sql: `${rank.sql} || ${column}`, values: rank.values };
};

const limited = ({ sql, values }: Sql, order: Order, limit: number, offset: number): Sql => ({
  sql: `${sql} ORDER BY value ${direction(order)}, id ${direction(order)} LIMIT ? OFFSET ?`,
  values: [...values, limit, offset],
});

const behindCursor = (order: Order, { value, id }: Cursor): Sql => {
  const sorted = valueIn(order);
  return {
    sql: `(${sorted.sql}, f.id) ${order.descending ? '<' : '>'} (?, ?)`,
    values: [...sorted.values, value, id],
  };
};

// ---------------------------------------------------------------- cursors

const writeCursor = ({ sort, descending }: Order, { value, id }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, descending, value, id])).toString('base64url');

/** Throws `bad-use`. Comes back through the window: anything may stand there. */
const readCursor = (order: Order, cursor: string): Cursor => {
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

// ---------------------------------------------------------------- rows

/** -1 stands for "not known". */
const known = (value: number): number | null => (value < 0 ? null : value);

const readFileRow = (row: Row): FileRow => {
  const id = whole(row['id']);
  const isOurs = typeof id === 'number' && id > 0;
  const fileId = wholeOrNull(row['file_id']);
  const publicLink = textOrNull(row['link']);
  const ownName = textOrNull(row['name']);
  const dir = textOrNull(row['dir']);
  return {
    key: isOurs ? `u${id}` : `r${fileId}`,
    uploadId: isOurs ? id : null,
    fileId,
    name: ownName ?? textOrNull(row['filename']) ?? publicLink ?? String(fileId),
    size: known(number(row['size'])),
    sizeIsBytes: isOurs,
    uploadedAtMs: numberOrNull(row['uploaded_at_ms']),
    uploadDate: textOrNull(row['upload_date']),
    downloads: known(number(row['downloads'])),
    publicLink,
    sha256: textOrNull(row['sha256']),
    path: dir === null || ownName === null ? null : pathOf(dir, ownName),
    place: word(isPlace, row['place']),
    superseded: row['state'] === 'superseded',
    isFollowed: row['followed_id'] !== null,
    isWatched: row['is_watched'] === 1,
    wrong: row['wrong'] === null ? null : word(wrongs, row['wrong'] ?? null),
    expiresAtMs: numberOrNull(row['ends_at_ms']),
  };
};

// ---------------------------------------------------------------- days

/** As many as a chart can show, and then some. */
const MAX_DAYS = 400;
const DAY_MS = 86_400_000;

/** Local calendar days up to now, oldest first; they are 23 to 25 hours long, the first may be cut. */
const days = (sinceMs: number, nowMs: number): { day: string; fromMs: number; toMs: number }[] => {
  const found = [];
  let startMs = Math.max(sinceMs, nowMs - MAX_DAYS * DAY_MS);
  while (startMs <= nowMs) {
    const start = new Date(startMs);
    const next = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1).getTime();
    const two = (value: number) => String(value).padStart(2, '0');
    const day = `${start.getFullYear()}-${two(start.getMonth() + 1)}-${two(start.getDate())}`;
    found.push({ day, fromMs: startMs, toMs: next });
    startMs = next;
  }
  return found;
};
