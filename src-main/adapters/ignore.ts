// The user's ignore patterns, with the meaning they have in a .gitignore: the last pattern that matches decides, `!`
// takes a path back in unless a folder above it is ignored, `build/` means folders only, a slash inside ties the
// pattern to the watched folder.
//
// Two differences. Upper and lower case are the same on every system: what is ignored by too much is skipped with
// the pattern shown, what is ignored by too little becomes public. And a pattern that git would silently match with
// nothing is refused, for the user meant something by it.
import ignore from 'ignore';
import { AppError } from '../contract/errors.ts';
import type { IgnoreRules } from '../engine/ports/files.ts';

/** The library keeps every path that it was asked about; after this many it is created again. About 2 MiB. */
const askedMost = 10_000;

/** Folders with the same patterns share their rules, which take milliseconds to compile. */
const mostCompiled = 8;

const compiled = new Map<string, Matcher>();

export const createIgnoreRules = (): IgnoreRules => ({
  compile: (patterns) => {
    const key = JSON.stringify(patterns);
    const known = compiled.get(key);
    if (known !== undefined) return known;
    patterns.forEach(assertReadable);
    const matcher = matcherOf(patterns);
    const [oldest] = compiled.keys();
    if (compiled.size >= mostCompiled && oldest !== undefined) compiled.delete(oldest);
    compiled.set(key, matcher);
    return matcher;
  },
});

type Matcher = ReturnType<IgnoreRules['compile']>;

const matcherOf = (patterns: readonly string[]): Matcher => {
  const make = () => ignore().add(patterns.map((pattern) => ({ pattern })));
  let rules = make();
  let asked = 0;
  return (relativePath, isFolder) => {
    if (relativePath === '') return null; // the watched folder itself
    asked += 1;
    if (asked > askedMost) [rules, asked] = [make(), 0];
    return rules.test(isFolder ? `${relativePath}/` : relativePath).rule?.pattern ?? null;
  };
};

const assertReadable = (pattern: string): void => {
  const problem = problemOf(pattern);
  if (problem === null) return;
  throw new AppError(
    'bad-setting',
    `The ignore pattern ${JSON.stringify(pattern)} ${problem}.`,
    'Write patterns as in a .gitignore, for example *.tmp, build/ or !keep.tmp.',
  );
};

/** What is wrong with a pattern, in words. Blank lines and comments are allowed and match nothing. */
const problemOf = (pattern: string): string | null => {
  if (/[\0\r\n]/.test(pattern)) return 'has more than one line';
  if (pattern.startsWith('#') || pattern.trim() === '') return null;
  const body = pattern.replace(/^!/, '').replace(/(?<!\\) +$/, '');
  if (body === '' || body === '/') return 'names nothing';
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(body)) return 'ends in a lone backslash';
  return hasOpenBracket(body) ? 'has a [ that is never closed' : null;
};

/** Reads as git does: the first member of a bracket, after `!` or `^`, may be any character, `]` too. */
const hasOpenBracket = (body: string): boolean => {
  const escaped = /\\[^]/.source;
  const named = /\[:[a-z]*:\]/.source;
  const bracket = `\\[(?:[!^]|(?![!^]))(?:${escaped}|${named}|[^])(?:${escaped}|${named}|[^\\]\\\\])*\\]`;
  return body.replace(new RegExp(`${escaped}|${bracket}`, 'g'), '').includes('[');
};
