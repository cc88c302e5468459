// What a search in Files finds, defined once: the ledger asks its index by it, and the window filters the rows that it
// already has by it. So the window can show part of the answer to a longer search before it asks the ledger.
import type { FileRow } from './model.ts';

/** Printable ASCII has nothing to fold but its case. Most names are, and rows are many. */
const plain = /^[ -~]*$/;

/** Accents and points of Latin, Greek, Cyrillic, Hebrew and Arabic. In other scripts such marks are letters. */
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

/** Letters that Unicode does not take apart, as they are typed on a keyboard that lacks them. */
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

/** As SQL's lower() does it: links are ASCII. */
export const foldLink = (link: string): string => link.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Each word is compared with each row. Users type fewer. */
const MAX_WORDS = 12;

/** The words of a search, folded, the longest first. One that is a part of another asks for nothing more. */
export const searchWords = (search: string): string[] => {
  const words = [...new Set(fold(search).split(/\s+/))].filter((word) => word !== '').slice(0, MAX_WORDS);
  return words
    .filter((word) => !words.some((other) => other !== word && other.includes(word)))
    .sort((one, other) => other.length - one.length);
};

/** Whether each of the words (`searchWords`) is in the name, the link or the id. */
export const isFound = (
  { name, publicLink, fileId }: Pick<FileRow, 'name' | 'publicLink' | 'fileId'>,
  words: readonly string[],
): boolean => {
  const searched = [fold(name), foldLink(publicLink ?? ''), String(fileId ?? '')];
  return words.every((word) => searched.some((text) => text.includes(word)));
};

/** Whether a row that the words find is also found by `wider`. */
export const isNarrower = (words: readonly string[], wider: readonly string[]): boolean =>
  wider.every((part) => words.some((word) => word.includes(part)));
