// Which rows of a list arrived while it was on screen.
import type { FileRow } from '../../../src-main/contract/model.ts';

/** Null: not read. */
type Rows = readonly (FileRow | null)[];

export const noArrivals: ReadonlySet<string> = new Set();

/** Keys of the rows that are in `now` and were not in `before`. */
export const arrivals = (before: Rows, now: Rows): ReadonlySet<string> => {
  const known = new Set(before.map((row) => row?.key));
  return new Set(now.flatMap((row) => (row === null || known.has(row.key) ? [] : [row.key])));
};
