// Where in an order a text is known not to be. A search that walks an order passes every row before its first hit,
// which may be a tenth of them all; people type a word letter by letter, and the window asks again whenever it shows
// something new. No row before the first that holds "sca" holds "scan", so the next walk begins there.
// Kept in memory, for the list as it is: any change of it, by whatever process, forgets all.
import type { Value } from './database.ts';
import type { Listed } from './listed.ts';

/** At most this many walks are remembered; the oldest is forgotten first. */
const MOST = 128;

/** The first row in the order that may hold the text; null: none does. */
type Floor = { value: Value } | null;

export const createFloors = (listed: Listed) => {
  let known: { order: string; needle: string; floor: Floor }[] = [];
  let version = '';

  return {
    /** `walk` begins at the floor, where there is one, and returns the rows from the first that holds the text on. */
    from: <Found extends { value: Value }>(
      order: string,
      needle: string,
      walk: (floor: { value: Value } | undefined) => Found[],
    ): Found[] => {
      // Before the walk: what changes meanwhile is another version.
      const now = listed.version();
      if (now !== version) known = [];
      version = now;
      const nearest = known
        .filter((one) => one.order === order && needle.includes(one.needle))
        .reduce<(typeof known)[number] | undefined>(
          (longest, one) =>
            longest === undefined || one.needle.length > longest.needle.length ? one : longest,
          undefined,
        );
      if (nearest?.floor === null) return [];
      const found = walk(nearest?.floor);
      if (nearest?.needle !== needle) {
        known = [...known, { order, needle, floor: found[0] ?? null }].slice(-MOST);
      }
      return found;
    },
  };
};
