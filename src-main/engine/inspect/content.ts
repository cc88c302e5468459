// What kind of content a file has, by its first bytes.
import type { Content } from '../ports/files.ts';

/** This much of every file is read. */
export const headBytes = 64 * 1024;
/** This much of each kind is looked into; more would take too long. */
export const contentBytes: Record<Content['kind'], number> = { text: 1024 * 1024 };

/** Null: there is nothing to look for in it. */
export const kindOf = (head: Uint8Array): Content['kind'] | null => (isText(head) ? 'text' : null);

/** Binary files show within this many bytes that they are no text. */
const sampleBytes = 8192;

/**
 * Text in any encoding: at most one byte in fifty is a control character. NULs do not count, because UTF-16 has one in
 * each letter and a log that was cut has rows of them.
 */
const isText = (head: Uint8Array): boolean => {
  if (isUtf16(head)) return true;
  let letters = 0;
  let controls = 0;
  for (const byte of head) {
    if (byte === 0) continue;
    letters += 1;
    if ((byte < 0x20 && !layout.has(byte)) || byte === 0x7f) controls += 1;
    if (letters === sampleBytes) break;
  }
  return letters > 0 && controls * 50 <= letters;
};

/** Backspace, tab, line feed, vertical tab, form feed, carriage return, escape. */
const layout: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

/** By its byte order mark. */
const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
