// Which trigrams a search asks the index for, and how it checks the rows. A text that holds the search holds all of its
// trigrams. Asking for a few rare ones is quickest: each costs a walk of its own, and every hit is checked against its
// row in any case.
import { number, type Database, type Value } from './database.ts';

/** At most this many trigrams of a search are looked at: each look costs some 50 µs, up to 100 µs at a million rows. */
const LOOKED_AT = 12;
/**
 * The index is asked for the rarest trigram. A second and a third are added unless they are this many times as common:
 * walking 190,000 places of "to-" beside 11,000 of "-20" takes a millisecond, as checking 2,000 rows does.
 */
const COMMONER = [1, 32, 4];
/** Trigrams of one word occur together, so they narrow nothing; this many letters apart they are of different words. */
const APART = 6;
/**
 * This many hits at each end of the list show how rare a trigram is: rare ones reach further from the end. Both ends
 * are needed, because a search is often about one time (a date, a number that counts up): all of the oldest 10,000
 * files may hold "-00", and no later one.
 */
const HITS = 64;
/** A share of the list; a reach counts up to this. A longer one shows a gap and says nothing of the rows behind it. */
const FAR = 0.1;

/** Text to search for, folded, and the question for the index; null when the text is too short for it. */
export type Search = { needle: string; match: string | null };

export const createSearches =
  (database: Database) =>
  (needle: string): Search => {
    const found = trigrams(needle);
    if (found.length <= 1) return { needle, match: found[0] === undefined ? null : quoted(found[0].trigram) };
    /** About the hits at one end: their number, the oldest one and the newest one. */
    const look = (direction: 'ASC' | 'DESC', trigram: string) =>
      database.list(
        `SELECT count(*), min(rowid), max(rowid) FROM (
           SELECT rowid FROM listed_text WHERE listed_text MATCH ? ORDER BY rowid ${direction} LIMIT ${HITS})`,
        quoted(trigram),
      ) ?? [];
    const [oldest, newest] =
      database.list('SELECT (SELECT min(id) FROM listed), (SELECT max(id) FROM listed)') ?? [];
    const spreadOf = (trigram: string): number => {
      const [hits, , behind] = look('ASC', trigram);
      if (number(hits) < HITS) return Infinity;
      const [, before] = look('DESC', trigram);
      const far = (number(newest) - number(oldest)) * FAR;
      return Math.min(number(behind) - number(oldest), far) + Math.min(number(newest) - number(before), far);
    };
    const looked = found.map((group) => ({ ...group, spread: spreadOf(group.trigram) }));
    const asked: typeof looked = [];
    for (const times of COMMONER) {
      const next = looked
        .filter((one) => !asked.includes(one))
        .map((one) => ({ one, worth: one.spread * apart(one.at, asked) }))
        // Two infinite ones are equal, and their difference is no number.
        .sort((a, b) => (a.worth === b.worth ? 0 : b.worth - a.worth))[0]?.one;
      if (next === undefined || next.spread * times < (asked[0] ?? next).spread) break;
      asked.push(next);
    }
    return { needle, match: asked.map(({ trigram }) => quoted(trigram)).join(' AND ') };
  };

/**
 * Whether a row of `listed l` holds the text. LIKE takes 40 % of the time that `instr` does: it jumps to the first
 * letter, and takes the ASCII of links in either case by itself. Only digits can be in a number.
 */
export const holding = (needle: string): { sql: string; values: Value[] } => {
  const columns = /^\d+$/.test(needle) ? ['name_key', 'link', 'file_id'] : ['name_key', 'link'];
  const pattern = `%${needle.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return {
    sql: `(${columns.map((column) => String.raw`l.${column} LIKE ? ESCAPE '\'`).join(' OR ')})`,
    values: columns.map(() => pattern),
  };
};

export const isOneGroup = (needle: string): boolean => Array.from(needle).length === 3;

const apart = (at: number, others: readonly { at: number }[]): number =>
  Math.min(APART, ...others.map((other) => Math.abs(other.at - at)));

const trigrams = (needle: string): { trigram: string; at: number }[] => {
  const characters = Array.from(needle);
  const last = characters.length - 3;
  const stride = Math.max(1, Math.ceil((last + 1) / LOOKED_AT));
  const found = new Map<string, number>();
  for (let at = last; at >= 0; at -= stride) found.set(characters.slice(at, at + 3).join(''), at);
  return [...found].map(([trigram, at]) => ({ trigram, at }));
};

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;
