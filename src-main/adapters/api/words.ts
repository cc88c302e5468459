// Makes text of the service or the network fit to be quoted: short, printable, one line, and never with the key or
// another token.
import { withoutTokens } from '../../contract/text/tokens.ts';
import type { Secret } from '../secret.ts';

const maxCharacters = 200;
/** Only the beginning of an answer is searched for a message to quote. */
const maxRead = 4096;

/** Controls, bidi and zero-width characters and tokens go, white space becomes one space, at most 200 characters stay. */
export const clean = (text: string): string => {
  const plain = text.slice(0, maxRead).toWellFormed().replaceAll(/\s+/gu, ' ').replaceAll(/\p{C}/gu, '');
  const line = withoutTokens(plain.trim());
  const characters = Array.from(line);
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`;
};

/** Fewer characters in a row are no secret and occur by chance. */
const tellingLength = 8;

/** Whether a text contains the key or a piece of it that reveals it: as it is, URL-encoded, hexadecimal or base64. */
export const echoesKey = (text: string, secret: Secret): boolean => {
  const key = secret.reveal();
  const lower = text.toLowerCase();
  const hex = Buffer.from(key).toString('hex');
  const encoded = encodeURIComponent(key).toLowerCase();
  return (
    containsPiece(text, key) ||
    lower.includes(key.toLowerCase()) ||
    lower.includes(encoded) ||
    lower.includes(hex) ||
    [0, 1, 2].some((offset) =>
      containsPiece(text.replaceAll('-', '+').replaceAll('_', '/'), base64At(key, offset)),
    )
  );
};

const containsPiece = (text: string, form: string): boolean => {
  if (form.length <= tellingLength) return form !== '' && text.includes(form);
  for (let at = 0; at + tellingLength <= form.length; at += 1) {
    if (text.includes(form.slice(at, at + tellingLength))) return true;
  }
  return false;
};

/** The characters of base64 that depend on the key alone when `offset` other bytes precede it. */
const base64At = (key: string, offset: number): string => {
  const encoded = Buffer.from('\0'.repeat(offset) + key)
    .toString('base64')
    .replace(/=+$/, '');
  const whole = Math.floor(((key.length + offset) * 8) / 6);
  return encoded.slice(Math.ceil((offset * 8) / 6), whole);
};

/** The part of a text that may be quoted; null when there is none or the key is in it. */
export const quotable = (text: string, secret: Secret): string | null => {
  const line = clean(text);
  return line === '' || echoesKey(text.slice(0, maxRead), secret) || echoesKey(line, secret) ? null : line;
};

/** The message for readers in the body of an error, whatever its shape (service.md §7 shows none). */
export const messageIn = (contentType: string, body: Uint8Array): string => {
  const text = new TextDecoder().decode(body.subarray(0, maxRead * 4));
  try {
    return messageOf(JSON.parse(text), 0);
  } catch {
    return contentType.startsWith('text/plain') ? text : '';
  }
};

const messageOf = (value: unknown, depth: number): string => {
  if (typeof value === 'string') return value;
  if (depth > 2 || value === null || typeof value !== 'object') return '';
  for (const name of ['message', 'error', 'detail', 'title', 'errors', '0']) {
    if (!Object.hasOwn(value, name)) continue;
    const found = messageOf(Reflect.get(value, name), depth + 1);
    if (found !== '') return found;
  }
  return '';
};
