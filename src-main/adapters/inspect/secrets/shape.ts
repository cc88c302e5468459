// A known shape of a secret.
import { isStandIn } from './values.ts';

export type Shape = {
  /** The name that a person sees. */
  rule: string;
  /** Where the form is described. */
  source: string;
  /** One of these is in every text with this shape, so most texts need no search. */
  near: readonly string[];
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

/** Decodes base64, in either alphabet. */
export const decoded = (match: string): string => Buffer.from(match, 'base64').toString('latin1');

/** For one shape in one piece of a text: after this many stand-ins the next match is one, too. */
const mostTries = 200;
/** How far a shape reaches before and behind the part that is searched for first. */
const [before, behind] = [120, 2200];

/** The parts of a text where a shape may be: around each occurrence of a `near` text. */
function* partsNear({ near, reach = behind }: Shape, text: string): Generator<[from: number, to: number]> {
  for (const part of near) {
    let [from, to] = [-1, -1];
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + Math.max(1, part.length))) {
      if (from === -1 || at - before > to) {
        if (from !== -1) yield [from, to];
        from = Math.max(0, at - before);
      }
      to = at + reach;
    }
    if (from !== -1) yield [from, to];
  }
}

/** Where the first shape of this kind begins, or -1. */
export const findShape = (shape: Shape, text: string): number => {
  const isReal = shape.isReal ?? ((match: string) => !isStandIn(match));
  let tries = 0;
  for (const [from, to] of partsNear(shape, text)) {
    for (const { 0: match, index } of text.slice(from, to).matchAll(shape.pattern)) {
      // The part may begin in the middle of a longer word.
      if (index === 0 && from > 0) continue;
      if (isReal(match, text, from + index)) return from + index;
      if ((tries += 1) === mostTries) return -1;
    }
  }
  return -1;
};
