// What a known shape of a secret is.
import { isStandIn } from './values.ts';

export type Shape = {
  /** What a person is told. */
  rule: string;
  /** Where the form is described. */
  source: string;
  /** One of these is in every text that has it: most texts need no search. */
  near: readonly string[];
  pattern: RegExp;
  /** What else has to hold. Without it: the match is no stand-in. */
  isReal?: (match: string, text: string, at: number) => boolean;
};

export const always = (): boolean => true;

/** Before and after a word of letters, digits, underscores. */
export const word = (inner: string, flags = ''): RegExp =>
  new RegExp(`(?<!\\w)(?:${inner})(?!\\w)`, `g${flags}`);

/** Of base64, in either alphabet. */
export const decoded = (match: string): string => Buffer.from(match, 'base64').toString('latin1');

/** Of one shape in one piece of a text; what comes after so many stand-ins is one, too. */
const mostTries = 200;
/** How far a shape reaches before and behind the part of it that is looked for first. */
const [before, behind] = [120, 2200];

/** The parts of a text where a shape may lie: around each place of what is near it. */
function* partsNear(near: readonly string[], text: string): Generator<[from: number, to: number]> {
  for (const part of near) {
    let [from, to] = [-1, -1];
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + Math.max(1, part.length))) {
      if (from === -1 || at - before > to) {
        if (from !== -1) yield [from, to];
        from = Math.max(0, at - before);
      }
      to = at + behind;
    }
    if (from !== -1) yield [from, to];
  }
}

/** Where the first shape of this kind begins, or -1. */
export const findShape = (shape: Shape, text: string): number => {
  const isReal = shape.isReal ?? ((match: string) => !isStandIn(match));
  let tries = 0;
  for (const [from, to] of partsNear(shape.near, text)) {
    for (const { 0: match, index } of text.slice(from, to).matchAll(shape.pattern)) {
      // What the part begins with may be the rest of a longer word.
      if (index === 0 && from > 0) continue;
      if (isReal(match, text, from + index)) return from + index;
      if ((tries += 1) === mostTries) return -1;
    }
  }
  return -1;
};
