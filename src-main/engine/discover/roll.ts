// What the ledger knows of a folder, against what is there. As a rule nothing has changed: then both are the same text,
// and nothing is made of a single file.
import type { Known, Roll } from '../ports.ts';
import { isSameVersion } from '../shared/file-version.ts';

/** By name with the key of the stamp; null: not a regular file. */
export type Rows = Map<string, string | null>;

export const rowsOf = (roll: Roll): Rows => {
  const rows: Rows = new Map();
  const parts = roll.split('/');
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const key = parts[at + 1] ?? '';
    rows.set(parts[at] ?? '', key === '-' ? null : key);
  }
  return rows;
};

/** `rows`: those that have not been met unchanged so far. From its first call on, files are known one by one. */
export const createKnown = (roll: Roll): Known & { rows(): Rows } => {
  let met = 0;
  let made: Rows | null = null;
  const rows = (): Rows => (made ??= rowsOf(roll.slice(met)));
  return {
    isNext(part) {
      // Not startsWith, which compares letter by letter.
      if (made !== null || roll.slice(met, met + part.length) !== part) return false;
      met += part.length;
      return true;
    },
    has: (name, stampKey) => isSameVersion(rows().get(name) ?? null, stampKey) && rows().delete(name),
    rows,
  };
};
