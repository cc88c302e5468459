// What a search in Files finds, defined once: the ledger asks its index by it, and the window filters the rows that it
// already has by it. So the window can show part of the answer to a longer search before it asks the ledger.
import type { FileRow } from './model.ts';

/** Case and composition do not matter in a search or a sort; bytes that are no text cannot be searched for. */
export const fold = (name: string): string =>
  name
    .replace(/\0[0-9a-f]{2}/gi, '\ufffd')
    .normalize('NFC')
    .toLowerCase();

/** As SQL's lower() does it: links are ASCII. */
export const foldLink = (link: string): string => link.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** `needle` is folded. */
export const isFound = (row: Pick<FileRow, 'name' | 'publicLink' | 'fileId'>, needle: string): boolean =>
  fold(row.name).includes(needle) ||
  (row.publicLink !== null && foldLink(row.publicLink).includes(needle)) ||
  String(row.fileId ?? '').includes(needle);
