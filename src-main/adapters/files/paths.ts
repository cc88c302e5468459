// Names of the system as strings and back. Linux names are any bytes; the rest of the program wants strings, one
// per name, so every byte that is not part of valid UTF-8 is written as NUL and two hex digits (ports.ts, head).
// NUL cannot occur in a name, so nothing else reads like that, and plain names stay as they are.
import { isUtf8 } from 'node:buffer';
import { sep } from 'node:path';
import { AppError } from '../../contract/errors.ts';

const asciiOnly = /^[\x01-\x7f]*$/;
const escapes = /\0([0-9a-f]{2})?/g;

/** The string for a name or path as the system gave it. */
export const fromSystemName = (bytes: Buffer): string =>
  isUtf8(bytes) ? bytes.toString('utf8') : escapeBadBytes(bytes);

/**
 * The same for a name read with encoding `latin1`, which keeps every byte: plain names, nearly all, come out with
 * no buffer made for them.
 */
export const fromLatin1Name = (name: string): string =>
  asciiOnly.test(name) ? name : fromSystemName(Buffer.from(name, 'latin1'));

/** What to give to the system: the string itself if no byte in it is escaped, else the bytes. Throws `bad-use`. */
export const toSystemPath = (path: string): string | Buffer => {
  if (!path.includes('\0')) return path;
  const parts: Buffer[] = [];
  let taken = 0;
  for (const { 0: escape, 1: hex, index } of path.matchAll(escapes)) {
    if (hex === undefined) {
      throw new AppError('bad-use', 'A path cannot contain a NUL character.', 'Check the path.');
    }
    parts.push(Buffer.from(path.slice(taken, index), 'utf8'), Buffer.from(hex, 'hex'));
    taken = index + escape.length;
  }
  parts.push(Buffer.from(path.slice(taken), 'utf8'));
  return Buffer.concat(parts);
};

export const pathInFolder = (folder: string, name: string): string =>
  folder.endsWith(sep) ? folder + name : folder + sep + name;

/** True if the real path `inner` is `root` or below it. */
export const isWithin = (root: string, inner: string): boolean =>
  inner === root || inner.startsWith(root.endsWith(sep) ? root : root + sep);

const escapeBadBytes = (bytes: Buffer): string => {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const character = bytes.subarray(at, at + (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4));
    if (isUtf8(character)) {
      text += character.toString('utf8');
      at += character.length;
    } else {
      text += `\0${lead.toString(16).padStart(2, '0')}`;
      at += 1;
    }
  }
  return text;
};
