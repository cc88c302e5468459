// Which rows of `files f` a search finds, and how well each matches, both as contract/search.ts defines them.
import { betweenWords, searchPhrase } from '../../../contract/search.ts';
import type { Value } from '../database.ts';
import { asKept, containing } from '../upload-row.ts';

export type Sql = { sql: string; values: Value[] };

/** How many trigrams of a search the index is asked for. More cost more and narrow little. */
const MAX_TRIGRAMS = 6;

export const both = (one: Sql, other: Sql): Sql => ({
  sql: `${one.sql} AND ${other.sql}`,
  values: [...one.values, ...other.values],
});

/** `rankOf` of contract/search.ts, as text. */
export const sqlRankOf = (words: readonly string[], search: string): Sql => {
  const phrase = asKept(searchPhrase(search));
  const key = like('f.name_key');
  const begins = words.map((word): Sql => {
    const starts = [beginning(word), ...Array.from(betweenWords, (letter) => containing(letter + word))];
    return { sql: `(${starts.map(() => key).join(' OR ')})`, values: starts };
  });
  const eachBegins = begins.reduce(both);
  const eachIsIn = words.map((word): Sql => ({ sql: key, values: [containing(word)] })).reduce(both);
  return {
    sql: `CASE WHEN ${key} THEN iif(instr(?, substr(f.name_key, ? + 1, 1)) > 0, '0', '1')
      WHEN ${eachBegins.sql} THEN '2' WHEN ${eachIsIn.sql} THEN '3' ELSE '4' END`,
    values: [
      beginning(phrase),
      betweenWords,
      Array.from(phrase).length,
      ...eachBegins.values,
      ...eachIsIn.values,
    ],
  };
};

const beginning = (text: string): string => containing(text).slice(1);

const like = (text: string): string => String.raw`${text} LIKE ? ESCAPE '\'`;

/** Whether a row of `files f` contains each of the words. Words that the index does not know are tested first. */
export const holding = (words: readonly string[]): Sql =>
  [...words.filter((word) => !isIndexed(word)), ...words.filter(isIndexed)].map(holdingWord).reduce(both);

/** `isFound` of contract/search.ts. LIKE ignores the case of ASCII, and links are ASCII. */
const holdingWord = (word: string): Sql => {
  const searched = [
    `${like('f.name_key')} AND f.name_key IS NOT lower(f.link)`,
    // After the last slash. Tested only where the link contains the word at all, which takes a tenth of the time.
    `${like('f.link')} AND ${like(`substr(f.link, length(rtrim(f.link, replace(f.link, '/', ''))) + 1)`)}`,
    // Only digits can be in a number.
    ...(/^\d+$/.test(word) ? [like('f.file_id')] : []),
  ];
  const sql = `(${searched.join(' OR ')})`;
  return { sql, values: Array.from(sql.matchAll(/\?/g), () => containing(word)) };
};

/** Whether the index has a row of `files f` for the words: SQLite reads the hits once, and the walk searches them. */
export const indexed = (words: readonly string[]): Sql => {
  const match = trigrams(words);
  return match === null
    ? { sql: 'TRUE', values: [] }
    : { sql: 'f.id IN (SELECT rowid FROM files_text WHERE files_text MATCH ?)', values: [match] };
};

const isIndexed = (word: string): boolean => Array.from(word).length >= 3;

/** The query for the index; null when all words are too short. A text that contains a word contains its trigrams. */
export const trigrams = (words: readonly string[]): string | null => {
  const long = words.filter(isIndexed).slice(0, MAX_TRIGRAMS);
  if (long.length === 0) return null;
  const found = new Set(long.flatMap((word) => trigramsOf(word, Math.floor(MAX_TRIGRAMS / long.length))));
  return [...found].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
};

const trigramsOf = (word: string, max: number): string[] => {
  const letters = Array.from(word);
  const last = letters.length - 3;
  const stride = Math.ceil((last + 1) / max);
  const found = [];
  for (let at = last; at >= 0; at -= stride) found.push(letters.slice(at, at + 3).join(''));
  return found;
};
