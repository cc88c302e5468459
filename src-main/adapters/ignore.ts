// The user's ignore patterns, with the meaning they have in a .gitignore: the last pattern that matches decides, `!`
// includes a path again unless a folder above it is ignored, `build/` means folders only, a slash inside anchors the
// pattern at the watched folder.
//
// Three differences. A letter with an accent is the same in both forms of Unicode, as a person sees it. Upper and lower case are the same on every system: if too much is ignored, the file is skipped with
// the pattern shown; if too little is, it becomes public. And a pattern that would silently match nothing in git is
// refused, because the user meant something by it.
import ignore from 'ignore';
import { AppError } from '../contract/errors.ts';
import { patternFault, type PatternFault } from '../contract/text/ignore-pattern.ts';
import type { IgnoreRules } from '../engine/ports/files.ts';

/** The library keeps every path that it was asked about, so it is created again after this many. About 2 MiB. */
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
  const asWritten = new Map(patterns.map((pattern) => [pattern.normalize('NFC'), pattern]));
  // Each of them, also one that is there twice: the last one that matches decides.
  const make = () => ignore().add(patterns.map((pattern) => ({ pattern: pattern.normalize('NFC') })));
  let rules = make();
  let asked = 0;
  return (relativePath, isFolder) => {
    if (relativePath === '') return null; // the watched folder itself
    asked += 1;
    if (asked > askedMost) [rules, asked] = [make(), 0];
    const path = relativePath.normalize('NFC');
    const { unignored, rule } = rules.test(isFolder ? `${path}/` : path);
    if (rule !== undefined) return { kind: 'ignored', pattern: asWritten.get(rule.pattern) ?? rule.pattern };
    return unignored ? { kind: 'allowed' } : null;
  };
};

/** The error names the position of the pattern: a list may have a thousand. */
const assertReadable = (pattern: string, at: number): void => {
  const fault = patternFault(pattern);
  if (fault === null) return;
  throw new AppError(
    'bad-setting',
    `Ignore pattern ${at + 1}, ${JSON.stringify(pattern)}, ${faultWords[fault]}.`,
    'Write patterns as in a .gitignore, for example *.tmp, build/ or !keep.tmp.',
  );
};

const faultWords: Record<PatternFault, string> = {
  lines: 'has more than one line',
  nothing: 'names nothing',
  backslash: 'ends in a lone backslash',
  bracket: 'has a [ that is never closed',
};
