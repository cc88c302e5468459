// What to ask the trigram index, and then the rows, for. Any text that holds the search holds all of its groups of
// three; asking for a few rare ones is quickest, since each costs a walk of its own and every hit is checked against
// the row anyway.
import { number, type Database, type Value } from './database.ts';

/** So many are looked at, spread over the search: each look costs about 20 µs. */
const LOOKED_AT = 16;
/**
 * The rarest is asked for, and with it a second and a third unless they are so many times as common: walking 190,000
 * places of "to-" beside 11,000 of "-20" takes a millisecond, checking 2,000 rows too.
 */
const COMMONER = [1, 32, 4];
/** Groups of one word are found together and narrow nothing: so many letters apart, they are of different ones. */
const APART = 6;
/** So many hits tell how rare a group is: by how far apart they lie. */
const HITS = 128;

/** Text to search for, folded, and the question for the index; null when the text is too short for it. */
export type Search = { needle: string; match: string | null };

export const createSearches =
  (database: Database) =>
  (needle: string): Search => {
    const spreadOf = (trigram: string): number => {
      const row = database.get(
        `SELECT count(*) AS hits, max(rowid) - min(rowid) AS spread
         FROM (SELECT rowid FROM listed_text WHERE listed_text MATCH ? LIMIT ${HITS})`,
        quoted(trigram),
      );
      return row === undefined || number(row['hits']) < HITS ? Infinity : number(row['spread']);
    };
    const found = trigrams(needle);
    if (found.length <= 1) return { needle, match: found[0] === undefined ? null : quoted(found[0].trigram) };
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
