// What the rules say about a name: hidden, partial, temporary, ignored, secret. Pure; patterns are compiled by a port.
import type { SkipRule } from '../contract/model.ts';
import type { Settings } from '../contract/settings.ts';
import type { IgnoreRules } from './ports.ts';

export type NameVerdict =
  { kind: 'wanted' } | { kind: 'skip'; rule: SkipRule; pattern?: string } | { kind: 'secret' };

export type NameRules = {
  /** Equal for rules that judge every name alike. */
  print: string;
  /** `relativePath` uses `/` and is below the folder. */
  judge(relativePath: string): NameVerdict;
};

/**
 * Names of unfinished downloads and of programs' own files (upload-protocol.md, folder table). They come before the
 * user's patterns, so that the user can allow one with `!*.part`.
 */
const builtIn: Record<string, 'partial' | 'temporary'> = {
  '*.crdownload': 'partial',
  '*.part': 'partial',
  '*.partial': 'partial',
  '*.download': 'partial',
  '*.opdownload': 'partial',
  '*.aria2': 'partial',
  '*.!ut': 'partial',
  '*.tmp': 'temporary',
  '~$*': 'temporary',
  '.~lock*': 'temporary',
  '*~': 'temporary',
  '.*.sw?': 'temporary',
  '.goutputstream-*': 'temporary',
  '\\#*#': 'temporary',
  '.#*': 'temporary',
  '.DS_Store': 'temporary',
  'Thumbs.db': 'temporary',
  'desktop.ini': 'temporary',
};

/** Names that look like secrets (README.md, promise 4). */
const secretNames: readonly RegExp[] = [
  /^\.env($|\.)/i,
  /\.env$/i,
  /^id_(rsa|dsa|ecdsa|ed25519)/i,
  /\.(pem|key|kdbx|kdb|ovpn|p12|pfx|ppk|jks|keystore)$/i,
  /^(wallet|keystore)(\.|$)/i,
  /\.wallet$/i,
  /^(\.netrc|_netrc|\.pgpass|\.htpasswd|credentials|\.git-credentials|\.npmrc|\.pypirc)$/i,
];

export const looksSecret = (name: string): boolean => secretNames.some((pattern) => pattern.test(name));

type RuleSettings = Pick<Settings, 'ignore' | 'includeHidden' | 'holdSecrets'>;

/** Of the program's own rules too: a later version may have others. */
export const printOfRules = ({ ignore, includeHidden, holdSecrets }: RuleSettings): string =>
  JSON.stringify([Object.entries(builtIn), secretNames.map(String), ignore, includeHidden, holdSecrets]);

export const createNameRules = (settings: RuleSettings, ignore: IgnoreRules): NameRules => {
  const matching = ignore.compile([...Object.keys(builtIn), ...settings.ignore]);
  return {
    print: printOfRules(settings),
    judge(relativePath) {
      const parts = relativePath.split('/');
      const name = relativePath.slice(relativePath.lastIndexOf('/') + 1);
      const pattern = matching(relativePath, false);
      const own = pattern === null ? undefined : builtIn[pattern];
      if (pattern !== null) return { kind: 'skip', rule: own ?? 'ignored', pattern };
      // A hidden folder hides everything below it. A file that looks like a secret is held, not silently skipped:
      // whoever dropped it must see that it did not become a link.
      if (!settings.includeHidden && parts.slice(0, -1).some(isHidden))
        return { kind: 'skip', rule: 'hidden' };
      if (settings.holdSecrets && looksSecret(name)) return { kind: 'secret' };
      if (!settings.includeHidden && isHidden(name)) return { kind: 'skip', rule: 'hidden' };
      return { kind: 'wanted' };
    },
  };
};

const isHidden = (name: string): boolean => name.startsWith('.');
