// Searches with our own rules, for what those of secretlint lack. A result names the rule, never the text.
import { findAddress } from './addresses.ts';
import { findAssignment } from './assignments.ts';
import { findShape } from './shape.ts';
import { shapes } from './shapes.ts';
import { findInTable } from './tables.ts';

export type Place = { rule: string; line: number };

const searches: readonly { rule: string; find: (text: string) => number }[] = [
  ...shapes.map((shape) => ({ rule: shape.rule, find: (text: string) => findShape(shape, text) })),
  { rule: 'assignment', find: findAssignment },
  { rule: 'address', find: findAddress },
  { rule: 'table', find: findInTable },
];

/** The first place of each kind, by its line. */
export const findMore = (content: string): Place[] =>
  searches.flatMap(({ rule, find }) => {
    const at = find(content);
    return at === -1 ? [] : [{ rule, line: content.slice(0, at).split('\n').length }];
  });
