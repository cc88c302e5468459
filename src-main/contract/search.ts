// Defines once what a search in Files finds: the ledger queries its index with it, and the window filters the rows that
// it already has. So the window can show part of the answer to a longer search before it asks the ledger.
import type { FileRow } from './model.ts';

/** Printable ASCII has nothing to fold but its case. Most names are, and rows are many. */
const plain = /^[ -~]*$/;

/** Accents and points of Latin, Greek, Cyrillic, Hebrew and Arabic. In other scripts such marks are letters. */
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

/** Letters that Unicode does not decompose, as they are typed on a keyboard that lacks them. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
};
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/**
 * Case, accents and composition do not matter in a search or a sort: "Ünïcödé" is "unicode". Bytes that are no text
 * cannot be searched for.
 */
export const fold = (name: string): string =>
  plain.test(name)
    ? name.toLowerCase()
    : name
        .replace(/\0[0-9a-f]{2}/gi, '\ufffd')
        .normalize('NFKD')
        .replace(marks, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(special, (letter) => letters[letter] ?? letter);

/** Further numbers in a name are compared as text. */
const MAX_NUMBERS = 30;

/**
 * The form in which a folded name is sorted: the length of each number comes before it, so that 2 comes before 10.
 * Leading zeros do not count.
 */
export const naturalOrder = (folded: string): string => {
  let numbers = 0;
  return folded.replace(/[0-9]+/g, (digits) => {
    numbers += 1;
    if (numbers > MAX_NUMBERS) return digits;
    const short = digits.replace(/^0+(?=.)/, '');
    return `${short.length < 9 ? String(short.length) : `9${String(short.length).padStart(3, '0')}`}${short}`;
  });
};

/** As SQL's lower() does it: links are ASCII. */
export const foldLink = (link: string): string => link.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Each word is compared with each row. Users type fewer. */
const MAX_WORDS = 12;

/** No name has a slash: a word with one is a pasted link, and means its file. */
const isLink = (word: string): boolean => word.includes('/') && linkId(word) !== '';

/** The words of a search, folded, the longest first. A word that is part of another adds nothing, and is dropped. */
export const searchWords = (search: string): string[] => {
  const typed = search.split(/\s+/).map((word) => fold(isLink(word) ? linkId(word) : word));
  const words = [...new Set(typed.flatMap((word) => word.split(/\s+/)))]
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
  return words
    .filter((word) => !words.some((other) => other !== word && other.includes(word)))
    .sort((one, other) => other.length - one.length);
};

/** The end of a link, which identifies it. Host and path are the same in all links. */
export const linkId = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

type Searched = Pick<FileRow, 'name' | 'publicLink' | 'fileId'>;

/** Whether each of the words (`searchWords`) is in the name, the link's id or the file's. */
export const isFound = ({ name, publicLink, fileId }: Searched, words: readonly string[]): boolean => {
  // A file without a name from the service is shown by its link.
  const searched = [
    ...(name === publicLink ? [] : [fold(name)]),
    foldLink(linkId(publicLink ?? '')),
    String(fileId ?? ''),
  ];
  return words.every((word) => searched.some((text) => text.includes(word)));
};

/** Where the words (`searchWords`) are in a name, as pairs of from and to, in order; overlapping pairs are merged. */
export const foundIn = (name: string, words: readonly string[]): [from: number, to: number][] => {
  // A letter may fold to none, one or two characters; each of them keeps the letter's place in the name.
  const parts = plain.test(name)
    ? Array.from(name, (text, at) => ({ at, end: at + 1, folded: text.toLowerCase() }))
    : Array.from(letterParts().segment(name), ({ segment, index }) => ({
        at: index,
        end: index + segment.length,
        folded: fold(segment),
      }));
  const places = parts.flatMap(({ at, end, folded }) =>
    Array.from({ length: folded.length }, () => ({ at, end })),
  );
  const text = parts.map(({ folded }) => folded).join('');
  const found: [number, number][] = [];
  for (const word of words) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length))
      found.push([places[at]?.at ?? 0, places[at + word.length - 1]?.end ?? name.length]);
  }
  found.sort(([one], [other]) => one - other);
  return found.reduce<[number, number][]>((apart, [from, to]) => {
    const last = apart.at(-1);
    if (last === undefined || from > last[1]) apart.push([from, to]);
    else last[1] = Math.max(last[1], to);
    return apart;
  }, []);
};
/** Made when first needed: it takes 10 ms, a twentieth of what the upload of a small file takes. */
let segmenter: Intl.Segmenter | null = null;
const letterParts = (): Intl.Segmenter =>
  (segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' }));

/** The search text, folded as the beginning of a name. */
export const searchPhrase = (search: string): string => fold(search).trim().replace(/\s+/g, ' ');

/** The characters between two words of a name. A word begins behind each. */
export const betweenWords = ' .-_,()[]+&';

const isWordEnd = (next: string | undefined): boolean => next === undefined || betweenWords.includes(next);

/**
 * How well a row that is found fits, best first: its name begins with what was typed, as whole words (0) or not (1);
 * each word begins one of the name (2), or is in it (3); it is in an id (4).
 */
export const rankOf = ({ name }: Pick<Searched, 'name'>, search: string): number => {
  const key = fold(name);
  const phrase = searchPhrase(search);
  if (key.startsWith(phrase)) return isWordEnd(Array.from(key.slice(phrase.length))[0]) ? 0 : 1;
  const words = searchWords(search);
  const begins = (word: string): boolean =>
    key.startsWith(word) || Array.from(betweenWords).some((letter) => key.includes(letter + word));
  return words.every(begins) ? 2 : words.every((word) => key.includes(word)) ? 3 : 4;
};

/** Whether a row that the words find is also found by `wider`. */
export const isNarrower = (words: readonly string[], wider: readonly string[]): boolean =>
  wider.every((part) => words.some((word) => word.includes(part)));
