// Which rows of a list came while it was looked at.
import type { FileRow } from '../../src-main/contract/model.ts';

export const noArrivals: ReadonlySet<string> = new Set();

/** Keys of the rows that are in `now` and were not in `before`. */
export const arrivals = (before: readonly FileRow[], now: readonly FileRow[]): ReadonlySet<string> => {
  const known = new Set(before.map((row) => row.key));
  return new Set(now.map((row) => row.key).filter((key) => !known.has(key)));
};
