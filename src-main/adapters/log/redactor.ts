// Takes secrets out of text by value, in every form in which they could have got there: as they are, escaped in JSON
// (also twice), URL-encoded, in hex, in base64 wherever in the encoded text they begin.
import { redacted, withoutTokens } from '../../contract/text/tokens.ts';
import type { Secret } from '../secret.ts';

type Known = Pick<Secret, 'reveal'>;

export type Redactor = {
  /** For the log and the diagnostics: the known secrets, and whatever follows "Bearer". */
  redact(text: string): string;
  /** For everything else that is put out: the known secrets only, because names, paths and links may have any word. */
  redactKnown(text: string): string;
  /** The place of the first known secret in this text, in any of its forms; −1: there is none. */
  find(text: string): number;
  /** Takes this secret out from now on, too. False: it did so before, or the secret is too short. */
  add(secret: Known): boolean;
};

/** A shorter secret would blank out half of every line; the rule for "Bearer" still covers it in the log. */
const shortestCharacters = 4;
/** A shorter one is a word of many texts. */
const shortestFound = 6;

export const createRedactor = (secrets: Iterable<Known> = []): Redactor => {
  const known = new Set<string>();
  let patterns: RegExp[] = [];

  const add = (secret: Known): boolean => {
    const text = secret.reveal();
    if (text.length < shortestCharacters || known.has(text)) return false;
    known.add(text);
    patterns = patternsFor([...known]);
    return true;
  };
  const find = (text: string): number => {
    const places = [...known]
      .filter(({ length }) => length >= shortestFound)
      .flatMap((secret) => [
        ...[...writtenForms(secret), ...base64Cores(secret)].map((form) => text.indexOf(form)),
        text.toLowerCase().indexOf(Buffer.from(secret).toString('hex')),
      ])
      .filter((place) => place >= 0);
    return places.length === 0 ? -1 : Math.min(...places);
  };
  for (const secret of secrets) add(secret);

  const redactKnown = (text: string): string =>
    patterns.reduce((clean, pattern) => clean.replaceAll(pattern, redacted), text);
  return { add, find, redactKnown, redact: (text) => withoutTokens(redactKnown(text)) };
};

const patternsFor = (secrets: readonly string[]): RegExp[] => [
  // Longest first: a secret may begin with another.
  new RegExp(alternatives(secrets.flatMap(writtenForms)), 'g'),
  new RegExp(alternatives(secrets.map((text) => Buffer.from(text).toString('hex'))), 'gi'),
  new RegExp(`${base64Edge}(?:${alternatives(secrets.flatMap(base64Cores))})${base64Edge}={0,2}`, 'g'),
];

const alternatives = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|');

const writtenForms = (text: string): string[] => {
  const inJson = JSON.stringify(text).slice(1, -1);
  const inUrl = encodeURIComponent(text);
  const inForm = new URLSearchParams({ text }).toString().slice('text='.length);
  const lowerEscapes = (encoded: string) => encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [
    text,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    inUrl,
    lowerEscapes(inUrl),
    inForm,
    lowerEscapes(inForm),
  ];
};

/** Characters of base64 that mix bits of the secret with its neighbours. */
const base64Edge = '[A-Za-z0-9+/_-]{0,3}';

/** The characters of base64 that depend on the secret alone, for each of the three places it can begin at. */
const base64Cores = (text: string): string[] =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from(`${'x'.repeat(before)}${text}`);
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor((bytes.length * 8) / 6);
    const core = bytes.toString('base64').slice(first, end);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
