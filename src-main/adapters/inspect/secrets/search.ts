// Searches a text with every rule. The result names the rule, never the text.
import { findAddress } from './addresses.ts';
import { findAssignment } from './assignments.ts';
import { findCommand } from './commands.ts';
import { findLogins } from './logins.ts';
import { findShape } from './shape.ts';
import { shapes } from './shapes.ts';
import { sieveOf, type Sieve } from './sieve.ts';
import { findInTable } from './tables.ts';

export type SecretPlace = { rule: string; line: number };

const searches: readonly { rule: string; find: (text: string, sieve: Sieve) => number }[] = [
  ...shapes.map((shape) => ({
    rule: shape.rule,
    find: (text: string, sieve: Sieve) => findShape(shape, text, sieve),
  })),
  { rule: 'assignment', find: findAssignment },
  { rule: 'address', find: findAddress },
  { rule: 'command', find: findCommand },
  { rule: 'table', find: findInTable },
  { rule: 'token', find: findLogins },
];

/** The place with the lowest line; null: there is none. */
export const firstSecret = (content: string): SecretPlace | null => {
  const sieve = sieveOf(content);
  let first: { rule: string; at: number } | null = null;
  for (const { rule, find } of searches) {
    const at = find(content, sieve);
    if (at !== -1 && (first === null || at < first.at)) first = { rule, at };
  }
  return first && { rule: first.rule, line: content.slice(0, first.at).split('\n').length };
};
