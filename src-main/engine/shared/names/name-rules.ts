// How the rules judge a name: hidden, partial, temporary, ignored, secret. Pure; a port compiles the patterns.
import type { NameSkip } from '../../../contract/model.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { IgnoreRules } from '../../ports/files.ts';
import { spellingsOf, type NamedFile } from '../sent-name.ts';
import { systemFolders } from './system-folders.ts';
import { marks } from './unfinished-marks.ts';

export type NameVerdict =
  { kind: 'wanted' } | { kind: 'skip'; rule: NameSkip; pattern?: string } | { kind: 'secret' };

export type NameRules = {
  /** Equal for rules that judge every name alike. */
  digest: string;
  /** Its path below the folder uses `/`. */
  judge(file: NamedFile): NameVerdict;
};

/**
 * Names that look like secrets (README.md, promise 4), with the folder if many programs use the same name. A held name
 * costs one confirmation, so some false alarms are acceptable. Names that are common for other things (`config.json`,
 * `*.asc`, `*.txt`) are not in the table.
 */
const secretNames: readonly RegExp[] = [
  // Environment files.
  /^\.env($|\.|rc$)/i,
  /\.env$/i,
  // Keys of SSH, TLS and signing.
  /^id_(rsa|dsa|ecdsa|ed25519)/i,
  /^ssh_host_.*_key$/i,
  /\.(pem|key|p8|p12|pfx|pkcs12|ppk|jks|jceks|bcfks|keystore)$/i,
  /^secring\.(gpg|pgp|skr)$/i,
  /(private|secret)[-_. ]?key.*\.(asc|gpg|pgp|txt)$/i,
  // Password safes, wallets, VPN profiles.
  /\.(kdbx|kdb|psafe3|keychain|keychain-db|agekey|wallet|ovpn)$/i,
  /^(wallet|keystore)(\.|$)/i,
  /^(.*[-_ ])?passwords\.(csv|json)$/i,
  // Credential files that programs keep in the home folder.
  /^(\.netrc|_netrc|\.pgpass|pgpass\.conf|\.htpasswd|\.git-credentials|\.npmrc|\.pypirc|\.dockercfg|\.my\.cnf)$/i,
  /^(\.s3cfg|\.boto|\.vault-token|secrets\.(json|ya?ml|toml|ini))$/i,
  // Clouds and clusters.
  /^(.*[-_. ])?credentials(\.(json|csv|ya?ml|xml|ini|toml|txt))?$/i,
  /^(.*[-_ ])?service[-_ ]?account.*\.json$/i,
  /^client_?secret.*\.json$/i,
  /^(.*_accesskeys|rootkey)\.csv$/i,
  /^(.*[-_.])?kubeconfig(\.ya?ml)?$/i,
  /^\.kube\/config$/i,
  /^\.docker\/config\.json$/i,
  /\.(tfstate|tfvars|tfvars\.json)$/i,
];

/** What programs add after a name when they keep a copy: `server.key.old`, `terraform.tfstate.1690.backup`. */
const copySuffix =
  /(\.(old|bak|backup|orig|original|save|copy|new|\d{1,14})|[-_ ](old|bak|backup|orig|copy)|~)$/i;
/** What programs add before the extension: `credentials (1).json`, `id_rsa copy`. */
const copyMark = /( \(\d{1,4}\)| copy( \d{1,4})?| - copy( \(\d{1,4}\))?)(?=\.[^.]*$|$)/i;
/** A copy may be a copy of a copy. */
const mostCopies = 5;

/** Checks every way to read the name, alone and with the folder that it lies in. */
export const looksSecret = ({ below, names }: NamedFile): boolean => {
  const folder = below.split(/[/\\]/).at(-2);
  return spellingsOf(names).some((name) => isSecretName(name, folder));
};

const isSecretName = (spelling: string, folder: string | undefined): boolean => {
  let name = spelling;
  for (let copies = 0; ; copies += 1) {
    const shown = [name, ...(folder === undefined ? [] : [`${folder}/${name}`])];
    if (secretNames.some((pattern) => shown.some((text) => pattern.test(text)))) return true;
    const before = name.replace(copySuffix, '').replace(copyMark, '');
    if (before === name || before === '' || copies === mostCopies) return false;
    name = before;
  }
};

/**
 * The user named a file given by hand, so only the rule for secrets applies. The same holds for a file of a folder
 * that is not watched now: the other rules were applied when the file was found.
 */
export const judgeByHand = ({ holdSecrets }: Pick<Settings, 'holdSecrets'>, file: NamedFile): NameVerdict =>
  holdSecrets && looksSecret(file) ? { kind: 'secret' } : { kind: 'wanted' };

const builtIn = [...marks.keys(), ...systemFolders.keys()];

/** What a pattern without a slash inside stands for, as a regular expression. */
const expressionOf = (pattern: string): string =>
  pattern.replace(/\/$/, '').replace(/\\(.)|\[[^\]]*\]|[*?]|[^\w]/g, (part, escaped: string | undefined) => {
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return part.startsWith('[') ? part : `\\${escaped ?? part}`;
  });

/** Whether a name in the path may match a built-in pattern: one test instead of one for each. Most names match none. */
const mayBeBuiltIn = ((): RegExp => {
  const ends = builtIn.filter((pattern) => pattern.startsWith('*')).map((pattern) => pattern.slice(1));
  const others = builtIn.filter((pattern) => !pattern.startsWith('*'));
  const [end, other] = [ends, others].map((patterns) => patterns.map(expressionOf).join('|'));
  return new RegExp(`(?:^|/)(?:[^/]*(?:${end})|${other})(?:/|$)`, 'i');
})();

type RuleSettings = Pick<Settings, 'ignore' | 'includeHidden' | 'holdSecrets'>;

/** Contains the built-in rules too, because a later version of the program may have others. */
export const digestOfRules = ({ ignore, includeHidden, holdSecrets }: RuleSettings): string =>
  JSON.stringify([
    [...marks].map(([pattern, { rule, shape }]) => [pattern, rule, String(shape)]),
    [...systemFolders.keys()],
    [...secretNames, copySuffix, copyMark].map(String),
    ignore,
    includeHidden,
    holdSecrets,
  ]);

export const createNameRules = (settings: RuleSettings, ignore: IgnoreRules): NameRules => {
  // Compiled alone first: the error for a wrong pattern then gives its position in the setting.
  const matchingOwn = ignore.compile(settings.ignore);
  // The marks come before the user's patterns, so that the user can allow one with `!*.part`.
  const matchingAll = ignore.compile([...builtIn, ...settings.ignore]);
  return {
    digest: digestOfRules(settings),
    judge(file) {
      const { below } = file;
      const parts = below.split('/');
      const name = below.slice(below.lastIndexOf('/') + 1);
      const pattern = (mayBeBuiltIn.test(below) ? matchingAll : matchingOwn)(below, false);
      const mark = pattern === null ? undefined : marks.get(pattern);
      const isMeant = mark === undefined || mark.shape === null || mark.shape.test(name);
      if (pattern !== null && isMeant) {
        const rule = mark?.rule ?? (systemFolders.has(pattern) ? 'system' : 'ignored');
        return { kind: 'skip', rule, pattern };
      }
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
