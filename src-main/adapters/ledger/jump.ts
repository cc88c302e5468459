// A jump to some row of Files, where no page before it has been read: the order's index is counted off, from the end
// that is nearer, so the last row costs what the first does. Several places are merged by SQLite as it goes. Half way
// down 1,000,000 rows this takes some 10 ms in the order of time; a step by cursor stays what it is.
import type { Value } from './database.ts';

/** For `lists()`: (id, value) of the rows `offset` to `offset + most` of all `files`, reversed when so said. */
export const jumpTo = (
  order: { column: string; descending: boolean },
  scope: { places: readonly number[]; isAll: boolean; files: number },
  offset: number,
  most: number,
): { sql: string; values: Value[]; reversed: boolean } => {
  const count = Math.max(0, Math.min(most, scope.files - offset));
  const behind = scope.files - offset - count;
  const reversed = behind < offset;
  const direction = order.descending === reversed ? 'ASC' : 'DESC';
  const rows = `SELECT id, ${order.column} AS value FROM listed`;
  // In the order of time there is one index for all places; in the others one for each.
  const from =
    order.column === 'id' && scope.isAll
      ? rows
      : scope.places.map((place) => `${rows} WHERE place = ${place}`).join(' UNION ALL ');
  return {
    sql: `${from === '' ? `${rows} WHERE FALSE` : from} ORDER BY value ${direction}, id ${direction} LIMIT ? OFFSET ?`,
    values: [count, reversed ? behind : offset],
    reversed,
  };
};
