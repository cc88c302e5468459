// A page of Files as SQL: which rows, in which order, between which bounds, and each row as it is read.
import type { FileGroup } from '../../../contract/answers.ts';
import type { FileRow } from '../../../contract/model.ts';
import type { UploadViews } from '../../../engine/ports/views.ts';
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
} from '../database.ts';
import { sqlEndOf } from '../ends.ts';
import { isWrong } from '../schema.ts';
import { openStateOf, rowPathOf, searchKeys } from '../upload-row.ts';
import { sqlRankOf, type Sql } from './search-sql.ts';

export type Query = Parameters<UploadViews['page']>[0];
export type Page = ReturnType<UploadViews['page']>;
export type ListedPlace = FileRow['place'];
export type PageOrder = Pick<Query, 'sort' | 'descending'> & { search?: string };
/** The last row of a page: the next page begins behind it, also when rows were added before it. */
export type RowId = number | string;
export type Cursor = { value: Value; id: RowId };

const isPlace: Record<ListedPlace, true> = {
  'this-machine': true,
  elsewhere: true,
  'gone-from-disk': true,
  'gone-from-service': true,
  'other-account': true,
};
const wrongs: Record<'gone' | 'differs', true> = { gone: true, differs: true };
export const listedPlaces = Object.keys(isPlace).filter((place): place is ListedPlace =>
  Object.hasOwn(isPlace, place),
);
/** Their links work, as far as is known. */
export const there = listedPlaces.filter(
  (place) => place !== 'gone-from-service' && place !== 'other-account',
);
export const ours = listedPlaces.filter((place) => place !== 'elsewhere');
export const placesOf: Record<FileGroup, readonly ListedPlace[]> = {
  all: listedPlaces,
  ours,
  elsewhere: ['elsewhere'],
  gone: ['gone-from-service'],
};

const columns: Record<Query['sort'], string> = {
  uploaded: 'at_ms',
  name: 'name_order',
  size: 'size',
  downloads: 'downloads',
  // After the rank.
  match: 'name_order',
};

export const everything: Sql = { sql: 'TRUE', values: [] };

export const inGroups = (of: ReadonlyMap<Value, number>): Record<FileGroup, number> => {
  const sum = (group: FileGroup): number =>
    placesOf[group].reduce((total, place) => total + (of.get(place) ?? 0), 0);
  return { all: sum('all'), ours: sum('ours'), elsewhere: sum('elsewhere'), gone: sum('gone') };
};

const direction = ({ descending }: PageOrder): string => (descending ? 'DESC' : 'ASC');

export const quoted = (among: readonly ListedPlace[]): string =>
  among.map((place) => `'${place}'`).join(', ');

/** (id, value) of rows in these places: one index each, which `limited` merges along the order. */
export const inPlaces = (order: PageOrder, among: readonly ListedPlace[], condition: Sql): Sql => {
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
export const withIds = (order: PageOrder, ids: readonly RowId[], condition: Sql): Sql => {
  const value = valueIn(order);
  return {
    sql: `SELECT f.id AS id, ${value.sql} AS value
    FROM json_each(?) wanted CROSS JOIN files f ON f.id = wanted.value WHERE ${condition.sql}`,
    values: [...value.values, JSON.stringify(ids), ...condition.values],
  };
};

/** The value by which the rows of `files f` are sorted. */
const valueIn = ({ sort, search = '' }: PageOrder): Sql => {
  const column = `f.${columns[sort]}`;
  const words = searchKeys(search);
  if (sort !== 'match' || words.length === 0) return { sql: column, values: [] };
  const rank = sqlRankOf(words, search);
  return { sql: `${rank.sql} || ${column}`, values: rank.values };
};

export const limited = ({ sql, values }: Sql, order: PageOrder, limit: number, offset: number): Sql => ({
  sql: `${sql} ORDER BY value ${direction(order)}, id ${direction(order)} LIMIT ? OFFSET ?`,
  values: [...values, limit, offset],
});

export const behindCursor = (order: PageOrder, { value, id }: Cursor): Sql => {
  const sorted = valueIn(order);
  return {
    sql: `(${sorted.sql}, f.id) ${order.descending ? '<' : '>'} (?, ?)`,
    values: [...sorted.values, value, id],
  };
};

/** The rows to show and the value of each in the order. */
export const readRows = (
  database: Database,
  window: Sql,
  order: PageOrder,
): { row: FileRow; cursor: Cursor }[] =>
  database
    .all(
      `SELECT w.value AS value, f.*, u.name, coalesce(u.sent_sha256, u.sha256, r.sha256) AS sha256, u.uploaded_at_ms, ${sqlEndOf('u', 'at')} AS end_at_ms, u.state, u.detail, d.path AS dir, r.filename, r.upload_date, r.size_bytes AS learned_bytes, fo.upload_id AS followed_id,
           iif(p.${isWrong}, p.told, NULL) AS wrong
         FROM (${window.sql}) w CROSS JOIN files f ON f.id = w.id
         LEFT JOIN uploads u ON u.id = f.id LEFT JOIN dirs d ON d.id = u.dir_id
         LEFT JOIN remote_files r ON r.account = f.account AND r.file_id = f.file_id
         LEFT JOIN watched fo ON fo.upload_id = f.id AND fo.what = 'downloads'
         LEFT JOIN watched p ON p.upload_id = f.id AND p.what = 'content'
         ORDER BY w.value ${direction(order)}, w.id ${direction(order)}`,
      ...window.values,
    )
    .map((row) => ({
      row: readFileRow(row),
      cursor: { value: row['value'] ?? null, id: whole(row['id']) },
    }));

/** -1 stands for "not known". */
const known = (value: number): number | null => (value < 0 ? null : value);

const readFileRow = (row: Row): FileRow => {
  const id = whole(row['id']);
  const isOurs = typeof id === 'number' && id > 0;
  const place = word(isPlace, row['place']);
  const fileId = place === 'other-account' ? null : wholeOrNull(row['file_id']);
  const publicLink = textOrNull(row['link']);
  const ownName = textOrNull(row['name']);
  const dir = textOrNull(row['dir']);
  return {
    key: isOurs ? `u${id}` : `r${fileId}`,
    uploadId: isOurs ? id : null,
    fileId,
    name: ownName ?? textOrNull(row['filename']) ?? publicLink ?? String(fileId),
    size: known(number(row['size'])),
    sizeIsBytes: isOurs || row['learned_bytes'] !== null,
    uploadedAtMs: numberOrNull(row['uploaded_at_ms']),
    uploadDate: textOrNull(row['upload_date']),
    downloads: known(number(row['downloads'])),
    publicLink,
    sha256: textOrNull(row['sha256']),
    path: dir === null || ownName === null ? null : rowPathOf(dir, ownName),
    place,
    superseded: row['state'] === 'superseded',
    linkState: row['state'] === 'recalled' ? openStateOf(row) : null,
    isFollowed: row['followed_id'] !== null,
    wrong: row['wrong'] === null ? null : word(wrongs, row['wrong'] ?? null),
    expiresAtMs: numberOrNull(row['end_at_ms']),
  };
};
