// How the rules judge a name: hidden, partial, temporary, ignored, secret. Pure; a port compiles the patterns.
import type { NameSkip } from '../../../contract/model.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { IgnoreRules } from '../../ports/files.ts';
import type { FileNames } from '../sent-name.ts';
import { looksSecret, secretDigest } from './secret-names.ts';
import { systemFolders } from './system-folders.ts';
import { marks } from './unfinished-marks.ts';

type Skip = { kind: 'skip'; rule: NameSkip; pattern?: string };

export type NameVerdict = { kind: 'wanted' } | Skip | { kind: 'secret' };

export type NameRules = {
  /** Equal for rules that judge every name alike. */
  digest: string;
  /** Its path below the folder uses `/`. */
  judge(file: FileNames): NameVerdict;
};

/**
 * The user named a file given by hand, so only the rule for secrets applies. The same holds for a file of a folder
 * that is not watched now: the other rules were applied when the file was found.
 */
export const judgeByHand = ({ holdSecrets }: Pick<Settings, 'holdSecrets'>, file: FileNames): NameVerdict =>
  holdSecrets && looksSecret(file) ? { kind: 'secret' } : { kind: 'wanted' };

/** A rule of the tables for one name in a path. `isOfFolders`: it is for folders only. */
type BuiltIn = {
  rule: 'partial' | 'temporary' | 'system';
  pattern: string;
  isOfFolders: boolean;
  whole: RegExp;
  shape: RegExp | undefined;
};

/** What a pattern without a slash inside stands for, as a regular expression. */
const expressionOf = (pattern: string): string =>
  pattern.replace(/\/$/, '').replace(/\\(.)|\[[^\]]*\]|[*?]|[^\w]/g, (part, escaped: string | undefined) => {
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return part.startsWith('[') ? part : `\\${escaped ?? part}`;
  });

const builtInOf = (pattern: string, rule: BuiltIn['rule'], shape?: RegExp): BuiltIn => ({
  rule,
  pattern,
  isOfFolders: pattern.endsWith('/'),
  whole: new RegExp(`^${expressionOf(pattern)}$`, 'i'),
  shape,
});

/** The last one that matches decides, as in a .gitignore. */
const builtIns: readonly BuiltIn[] = [
  ...[...marks].map(([pattern, { rule, shape }]) => builtInOf(pattern, rule, shape?.is)),
  ...[...systemFolders.keys()].map((pattern) => builtInOf(pattern, 'system')),
].toReversed();

const findBuiltIn = (name: string, isFolder: boolean): BuiltIn | undefined =>
  builtIns.find(
    ({ isOfFolders, whole, shape }) =>
      (isFolder || !isOfFolders) && whole.test(name) && shape?.test(name) !== false,
  );

/** Whether a name in the path may match a built-in pattern: one test instead of one for each. Most names match none. */
const mayBeBuiltIn = ((): RegExp => {
  const patterns = builtIns.map(({ pattern }) => pattern);
  const ends = patterns.filter((pattern) => pattern.startsWith('*')).map((pattern) => pattern.slice(1));
  const others = patterns.filter((pattern) => !pattern.startsWith('*'));
  const [end, other] = [ends, others].map((some) => some.map(expressionOf).join('|'));
  return new RegExp(`(?:^|/)(?:[^/]*(?:${end})|${other})(?:/|$)`, 'i');
})();

type RuleSettings = Pick<Settings, 'ignore' | 'includeHidden' | 'holdSecrets'>;

/** Contains the built-in rules too, because a later version of the program may have others. */
export const digestOfRules = ({ ignore, includeHidden, holdSecrets }: RuleSettings): string =>
  JSON.stringify([
    builtIns.map(({ rule, pattern, shape }) => [rule, pattern, String(shape)]),
    secretDigest,
    ignore,
    includeHidden,
    holdSecrets,
  ]);

export const createNameRules = (settings: RuleSettings, ignore: IgnoreRules): NameRules => {
  const matchingOwn = ignore.compile(settings.ignore);
  /** A skipped folder skips all below it. A pattern with `!` allows what a built-in rule skips at the same name. */
  const skipOf = (below: string): Skip | null => {
    const isOwnOnly = !mayBeBuiltIn.test(below);
    for (let from = 0, end = 0; end < below.length; from = end + 1) {
      const slash = isOwnOnly ? -1 : below.indexOf('/', from);
      end = slash < 0 ? below.length : slash;
      const own = matchingOwn(below.slice(0, end), slash >= 0);
      if (own?.kind === 'ignored') return { kind: 'skip', rule: 'ignored', pattern: own.pattern };
      const builtIn = own !== null || isOwnOnly ? undefined : findBuiltIn(below.slice(from, end), slash >= 0);
      if (builtIn !== undefined) return { kind: 'skip', rule: builtIn.rule, pattern: builtIn.pattern };
    }
    return null;
  };
  return {
    digest: digestOfRules(settings),
    judge(file) {
      const { below } = file;
      const skip = skipOf(below);
      if (skip !== null) return skip;
      const parts = below.split('/');
      const name = parts.at(-1) ?? '';
      // A hidden folder hides everything below it. A file that looks like a secret is held and not silently skipped,
      // because the user must see that it did not become a link.
      if (!settings.includeHidden && parts.slice(0, -1).some(isHidden))
        return { kind: 'skip', rule: 'hidden' };
      if (settings.holdSecrets && looksSecret(file)) return { kind: 'secret' };
      if (!settings.includeHidden && isHidden(name)) return { kind: 'skip', rule: 'hidden' };
      return { kind: 'wanted' };
    },
  };
};

const isHidden = (name: string): boolean => name.startsWith('.');
