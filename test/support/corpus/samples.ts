// The corpus: files with and without a secret, as texts with made-up values between « and ». `name | source | flags`
// stands above each text; `source` is the document that the format is taken from. Rules were written with the seen part
// and judged by the unseen one; the blind part is by an author who had not read the rules, and the formats are as the
// documents of their makers show them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as made from './made.ts';
import type { Made } from './made.ts';

export type Kind = { name: string; make: (made: Made) => Buffer };

const changes: Record<string, (text: string) => string> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  json: (text) => JSON.stringify(text).slice(1, -1),
  lines: (text) => text.replaceAll(' ', '\n'),
  lines64: made.lines64,
  quoted: (text) => text.trimEnd().replace(/^/gm, '> '),
  up: (text) => text.toUpperCase(),
  uri: encodeURIComponent,
};

/** `«password:csvSafe»` is a call of the maker, `«1=user»` keeps its value for `«1»`, `«base64 ‹user›:x»` changes a text. */
const filled = (text: string, from: Made): string => {
  const makers: Record<string, unknown> = from;
  const kept = new Map<string, string>();
  const valueOf = (call: string): string => {
    const [name = '', ...given] = call.split(':');
    const values = given.map((one) => (/^\d+$/.test(one) ? Number(one) : (made.alphabets[one] ?? one)));
    return (makers[name] as (...values: unknown[]) => string)(...values);
  };
  const within = (part: string): string => {
    const [, change, inner] = /^(\w+) (.*)$/s.exec(part) ?? [];
    if (change === undefined || inner === undefined || changes[change] === undefined) return valueOf(part);
    return changes[change](inner.replace(/‹([^›]*)›/g, (_, call: string) => valueOf(call)));
  };
  return text.replace(/«(?:(\d)=)?([^»]*)»/g, (_, keep: string | undefined, part: string) => {
    const value = kept.get(part) ?? within(part);
    if (keep !== undefined) kept.set(keep, value);
    return value;
  });
};

const encoded = (text: string, flags: readonly string[]): Buffer => {
  let out = flags.includes('open') ? text.slice(0, -1) : text;
  if (flags.includes('quoted-printable')) out = made.quotedPrintable(out);
  if (flags.includes('crlf')) out = out.replaceAll('\n', '\r\n');
  if (flags.includes('bom')) out = `\ufeff${out}`;
  return flags.includes('utf16') ? Buffer.from(`\ufeff${out}`, 'utf16le') : Buffer.from(out);
};

export const kindsOf = (file: string): readonly Kind[] =>
  readFileSync(path.join(import.meta.dirname, 'samples', `${file}.samples`), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((sample) => {
      const [head = ''] = sample.split('\n', 1);
      const [name = '', , flags = ''] = head.split(' | ');
      const text = sample.slice(head.length + 1);
      return { name, make: (from) => encoded(filled(text, from), flags.split(' ')) };
    });
