// A known shape of a secret.
import { sieveOf, type Sieve } from './sieve.ts';
import { isStandIn } from './values.ts';

export type Shape = {
  /** The name that a person sees. */
  rule: string;
  /** Where the form is described. */
  source: string;
  /**
   * Every text with this shape contains one of these, so most texts need no search. A number (20 or more): it contains a
   * word of at least this many letters, digits, underscores and hyphens.
   */
  near: readonly string[] | number;
  pattern: RegExp;
  /** How far it reaches behind the `near` text, if that is further than most do. */
  reach?: number;
  /** A further condition. If it is missing: the match is no stand-in. */
  isReal?: (match: string, text: string, at: number) => boolean;
};

export const always = (): boolean => true;

/** As a whole word: no letter, digit or underscore before and after it. */
export const wholeWord = (inner: string, flags = ''): RegExp =>
  new RegExp(`(?<!\\w)(?:${inner})(?!\\w)`, `g${flags}`);

/** One alternative of a pattern. Groups are nested once at most. */
const alternative = /(?:\\.|\[(?:\\.|[^\]])*\]|\((?:\\.|[^()]|\([^()]*\))*\)|[^|\\[(])+/g;
/** A part that is a letter, one of a few or a condition, and is not repeated. */
const fixedPart =
  /\(\?<?[!=][^()]*\)|(?:([\w/:~+@$-])|\\(\W)|\[(\w+)\]|\(\?:((?:[\w|-]|\\\W)+)\))(?![{?*+])/y;

/** The texts with which a match of a pattern can begin, up to its first part that is repeated or may be anything. */
export const beginningsOf = (pattern: string): string[] =>
  (pattern.match(alternative) ?? []).flatMap((one) => {
    let beginnings = [''];
    fixedPart.lastIndex = 0;
    for (let part = fixedPart.exec(one); part !== null; part = fixedPart.exec(one)) {
      const [, letter, escaped, set, group] = part;
      const next = set?.split('') ?? group?.replaceAll('\\', '').split('|') ?? [letter ?? escaped ?? ''];
      beginnings = beginnings.flatMap((before) => next.map((more) => before + more));
    }
    return beginnings;
  });

/** Decodes base64, in either alphabet. */
export const decoded = (match: string): string => Buffer.from(match, 'base64').toString('latin1');

/** For one shape in one piece of a text: after this many stand-ins the next match is one, too. */
const mostTries = 200;
/** How far a shape reaches before and behind the part that is searched for first. */
const [before, behind] = [120, 2200];

/** Where the texts begin that a shape is searched near to, in order for each of them. */
function* placesNear({ near }: Shape, text: string, sieve: Sieve): Generator<number> {
  if (typeof near === 'number') {
    for (const { from, to } of sieve.longWords) if (to - from >= near) yield from;
    return;
  }
  for (const part of near) {
    if (!sieve.mayHave(part)) continue;
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) yield at;
  }
}

/** The parts of a text where a shape may be. */
function* partsNear(shape: Shape, text: string, sieve: Sieve): Generator<[from: number, to: number]> {
  const { reach = behind } = shape;
  let [from, to] = [-1, -1];
  for (const at of placesNear(shape, text, sieve)) {
    if (from === -1 || at - before < from || at - before > to) {
      if (from !== -1) yield [from, to];
      [from, to] = [Math.max(0, at - before), 0];
    }
    to = Math.max(to, at + reach);
  }
  if (from !== -1) yield [from, to];
}

/** Where the first shape of this kind begins, or -1. */
export const findShape = (shape: Shape, text: string, sieve = sieveOf(text)): number => {
  const isReal = shape.isReal ?? ((match: string) => !isStandIn(match));
  let tries = 0;
  for (const [from, to] of partsNear(shape, text, sieve)) {
    for (const { 0: match, index } of text.slice(from, to).matchAll(shape.pattern)) {
      // The part may begin in the middle of a longer word.
      if (index === 0 && from > 0) continue;
      if (isReal(match, text, from + index)) return from + index;
      if ((tries += 1) === mostTries) return -1;
    }
  }
  return -1;
};
