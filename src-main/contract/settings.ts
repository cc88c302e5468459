// The settings: one schema for the window, `settings.json`, the command line and the policy.
import * as v from 'valibot';
import { commandWords } from './command-words.ts';
import { spanOf } from './expiry.ts';
import { linkForms } from './text/link-text.ts';

const wholeNumber = (min: number, max: number) =>
  v.pipe(v.number('must be a number'), v.integer('must be a whole number'), v.minValue(min), v.maxValue(max));

const GB = 1_000_000_000;

/** An `https:` address, or `http:` on a loopback host (security.md). Kept without a trailing slash. */
export const isAllowedAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(address);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
  if (protocol === 'https:') return true;
  return protocol === 'http:' && isLoopbackHost(hostname);
};

/** `files.example.com` becomes an address; what has a scheme stays as it is. */
export const withScheme = (text: string, scheme: 'https' | 'http'): string =>
  text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`;

/** Loopback literals only: a name other than `localhost` may resolve to anything. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

const address = v.pipe(
  v.string(),
  v.check(isAllowedAddress, 'must be an https: address (http: only for this machine itself)'),
  v.transform((text) => text.replace(/\/+$/, '')),
);

/** A program is loaded from there: not even this machine itself may serve it in the clear. */
const remoteAddress = v.pipe(
  address,
  v.check((text) => text.startsWith('https:'), 'must be an https: address'),
);

const absolute = /^(\/|~(?=$|[/\\])|[a-z]:[/\\]|\\\\)/i;

/** Each has a watch of the system, a scan of its own at the start, and a line in the window. */
export const mostFolders = 20;

/** Folders for an administrator's rules: absolute, so that they mean the same for every user of Outtray. */
const rootList = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(4096), v.regex(absolute, 'must be an absolute path'))),
  v.maxLength(100),
);

/** Endings of names, without the dot. */
const typeList = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.regex(/^[^./\\\s][^/\\\s]{0,31}$/u, 'must be an ending without dot'),
      v.transform((ending) => ending.toLowerCase()),
    ),
  ),
  v.maxLength(500),
);

/** `none`, or a span as in contract/expiry.ts. */
const span = v.pipe(
  v.string(),
  v.regex(/^(none|[1-9]\d{0,8}[smhdw])$/, 'must be none or a time such as 7d'),
  v.check((text) => text === 'none' || spanOf(text) !== null, 'must be none or a time such as 7d'),
);

/** Keys as Electron writes them. Letters need more than Shift: the shortcut works while another program is typed in. */
const shortcut = v.pipe(
  v.string(),
  v.regex(
    /^((shift|(commandorcontrol|cmdorctrl|command|cmd|control|ctrl|alt|option|altgr|super|meta))\+)*(f([1-9]|1\d|2[0-4])|printscreen)$|^(shift\+)?((commandorcontrol|cmdorctrl|command|cmd|control|ctrl|alt|option|altgr|super|meta)\+)+(shift\+)?([a-z0-9]|space|tab|insert|delete|home|end|pageup|pagedown|up|down|left|right)$/i,
    'must be keys as CommandOrControl+Shift+U',
  ),
);

const hostName = v.pipe(v.string(), v.regex(/^[a-z0-9.-]+(:\d{1,5})?$/i, 'must be a host name'));

export const settingsSchema = v.object({
  baseUrl: v.optional(v.nullable(address), null),
  /** A program that prints the key, with its arguments; null: the keychain has the key. */
  keyCommand: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.maxLength(4096),
        v.check((text) => commandWords(text) !== null, 'must be a program with its arguments'),
      ),
    ),
    null,
  ),
  folder: v.optional(v.nullable(v.pipe(v.string(), v.minLength(1))), null),
  /** Watched beside `folder`. */
  folders: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(4096), v.regex(absolute, 'must be an absolute path'))),
      v.maxLength(mostFolders - 1),
    ),
    [],
  ),
  recursive: v.optional(v.boolean(), true),
  ignore: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(500))), v.maxLength(1000)), []),
  includeHidden: v.optional(v.boolean(), false),
  includeEmpty: v.optional(v.boolean(), false),
  /** 0: automatic. */
  settleMs: v.optional(wholeNumber(0, 600_000), 0),
  /** How long what arrives in the folder can be taken back before it goes up. */
  graceSeconds: v.optional(wholeNumber(0, 300), 0),
  /** How long after its upload the link of a file of the folder is taken back. */
  expireAfter: v.optional(span, 'none'),
  holdSecrets: v.optional(v.boolean(), true),
  /** Texts are searched for secrets before they become public. */
  lookInside: v.optional(v.boolean(), true),
  /** What cannot be looked into is held, and lookInside cannot be switched off. */
  requireLookInside: v.optional(v.boolean(), false),
  /** What happens to photos that tell where they were taken. */
  photoLocation: v.optional(v.picklist(['ask', 'keep', 'remove']), 'ask'),
  burstFiles: v.optional(wholeNumber(1, 1_000_000), 200),
  burstBytes: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER), 5 * GB),
  /** How long an answer is waited for after the last byte; 0: automatic. */
  answerTimeoutMs: v.optional(wholeNumber(0, 86_400_000), 0),
  concurrentUploads: v.optional(wholeNumber(1, 16), 4),
  /** null: by plan. */
  requestsPerMinute: v.optional(v.nullable(wholeNumber(1, 100_000)), null),
  requestsPerDay: v.optional(v.nullable(wholeNumber(1, 100_000_000)), null),
  requestShare: v.optional(v.pipe(v.number(), v.gtValue(0, 'must be over 0'), v.maxValue(1)), 1),
  reconcileAfterMs: v.optional(wholeNumber(1000, 86_400_000), 900_000),
  onAmbiguous: v.optional(v.picklist(['hold', 'adopt-verified', 'reupload']), 'hold'),
  bandwidthBytesPerSecond: v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER), 0),
  /** Each link is read back once after its upload. */
  verifyAfterUpload: v.optional(v.boolean(), false),
  /** Hours between two reads of a link that is watched (`outtray verify --watch`). */
  releaseWatch: v.optional(wholeNumber(1, 168), 24),
  /** How often a followed link is checked at most; each check is a request in the background. */
  followEveryMinutes: v.optional(wholeNumber(1, 10_080), 15),
  /** Folders whose files agents may share (`outtray mcp`); empty: the watched folders. */
  agentRoots: v.optional(rootList, []),
  /** The part of the request budget that agents may use; 0: they share nothing. */
  agentShare: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 0.25),
  /** Folders among the files that the app is given: one link for all, one for each file in them, or a question. */
  givenFolders: v.optional(v.picklist(['ask', 'zip', 'files']), 'ask'),
  copyLink: v.optional(v.picklist(['never', 'dropped', 'always']), 'dropped'),
  /** How links are copied where no other form is asked for. */
  copyFormat: v.optional(v.picklist(linkForms), 'plain'),
  /** One link in the user's own form, with {link} in it, and {name}, {size}, {sha256} and {date} where wanted. */
  copyTemplate: v.optional(
    v.pipe(v.string(), v.maxLength(500), v.includes('{link}', 'must contain {link}')),
    '{name}: {link}',
  ),
  notify: v.optional(v.boolean(), true),
  /** `system`, `none`, or the address of a proxy, without name and password. */
  proxy: v.optional(
    v.union([
      v.picklist(['system', 'none']),
      v.pipe(v.string(), v.regex(/^https?:\/\/[^\s@]+$/, 'must be system, none or an http: address')),
    ]),
    'system',
  ),
  caFile: v.optional(v.nullable(v.string()), null),
  linkHosts: v.optional(v.pipe(v.array(hostName), v.maxLength(100)), []),
  /** Only files and folders below one of these are shared; empty: anywhere. `~` is the user's home. */
  allowedRoots: v.optional(rootList, []),
  /** Nothing below one of these is shared; wins over `allowedRoots`. */
  forbiddenRoots: v.optional(rootList, []),
  /** null: what the account allows. */
  maxFileBytes: v.optional(v.nullable(wholeNumber(1, Number.MAX_SAFE_INTEGER)), null),
  /** No link lives longer, also one without an end of its own. */
  maxExpireAfter: v.optional(span, 'none'),
  /** Only files with one of these endings are shared; empty: all. */
  allowedTypes: v.optional(typeList, []),
  /** Files with one of these endings are not shared; wins over `allowedTypes`. */
  forbiddenTypes: v.optional(typeList, []),
  /** A record of what became public, one JSON object a line; null: there is none. */
  auditFile: v.optional(
    v.nullable(v.pipe(v.string(), v.maxLength(4096), v.regex(absolute, 'must be an absolute path'))),
    null,
  ),
  /** Uploads the clipboard from any program; null: there is none. */
  pasteShortcut: v.optional(v.nullable(shortcut), null),
  launchAtLogin: v.optional(v.boolean(), false),
  quitOnClose: v.optional(v.boolean(), false),
  updateMode: v.optional(v.picklist(['auto', 'notify', 'off']), 'notify'),
  /** Where updates come from; null: the feed this installer was built with. */
  updateFeed: v.optional(v.nullable(remoteAddress), null),
  updateChannel: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be a name')),
    'latest',
  ),
  language: v.optional(v.picklist(['system', 'en', 'de', 'es', 'zh']), 'system'),
  // What the user may do; each only makes sense locked by a policy (contract/rights.ts).
  allowPause: v.optional(v.boolean(), true),
  allowCopy: v.optional(v.boolean(), true),
  allowGivenFiles: v.optional(v.boolean(), true),
  allowAccountChange: v.optional(v.boolean(), true),
});

export type Settings = v.InferOutput<typeof settingsSchema>;
export type SettingName = keyof Settings;

/**
 * What a page sets by itself: any value, or only these, which are the careful ones; `hand`: any value after a press of the
 * user. About all else a dialog of the system asks: it moves the key, programs, records or guards. Folders' own rules go by
 * the same list.
 */
export const pageSettings: { readonly [Name in SettingName]?: 'any' | 'hand' | readonly Settings[Name][] } = {
  recursive: [false],
  includeHidden: [false],
  includeEmpty: 'any',
  settleMs: 'any',
  holdSecrets: [true],
  lookInside: [true],
  photoLocation: ['ask', 'remove'],
  concurrentUploads: 'any',
  requestsPerMinute: 'any',
  requestsPerDay: 'any',
  requestShare: 'any',
  reconcileAfterMs: 'any',
  onAmbiguous: ['hold', 'adopt-verified'],
  bandwidthBytesPerSecond: 'any',
  verifyAfterUpload: 'any',
  followEveryMinutes: 'any',
  givenFolders: 'any',
  copyLink: 'any',
  copyFormat: 'any',
  // Another address could stand in it.
  copyTemplate: 'hand',
  notify: 'any',
  launchAtLogin: 'hand',
  quitOnClose: 'any',
  language: 'any',
};

/** Only the command, its file or a policy sets a program to run. */
export const isForbiddenToPages = (name: SettingName): boolean => name === 'keyCommand';

/** Settings that a watched folder may have of its own. */
export const folderSettings = [
  'recursive',
  'ignore',
  'includeHidden',
  'graceSeconds',
  'expireAfter',
  'copyLink',
  'copyFormat',
  'notify',
] as const satisfies readonly SettingName[];

/** What a watched folder has of its own. `paused`: its files wait, while those of others go. */
export const ownRulesSchema = v.object({
  recursive: v.exactOptional(settingsSchema.entries.recursive.wrapped),
  ignore: v.exactOptional(settingsSchema.entries.ignore.wrapped),
  includeHidden: v.exactOptional(settingsSchema.entries.includeHidden.wrapped),
  graceSeconds: v.exactOptional(settingsSchema.entries.graceSeconds.wrapped),
  expireAfter: v.exactOptional(settingsSchema.entries.expireAfter.wrapped),
  copyLink: v.exactOptional(settingsSchema.entries.copyLink.wrapped),
  copyFormat: v.exactOptional(settingsSchema.entries.copyFormat.wrapped),
  notify: v.exactOptional(settingsSchema.entries.notify.wrapped),
  paused: v.exactOptional(v.boolean()),
});
export type OwnRules = v.InferOutput<typeof ownRulesSchema>;
/** The rules in force in a folder: its own, and the settings where it has none. */
export type FolderRules = Required<OwnRules>;
export type FolderRule = keyof FolderRules;

export const folderRules: readonly FolderRule[] = [...folderSettings, 'paused'];

export const isFolderRule = (name: string): name is FolderRule => folderRules.some((one) => one === name);

/** The rules of a folder with this one changed, or what is wrong with it in words. Value null: it has none of its own. */
export const withRule = (
  own: OwnRules,
  name: FolderRule,
  value: unknown,
): { ok: true; own: OwnRules } | { ok: false; problem: string } => {
  const { [name]: _before, ...others } = own;
  const result = v.safeParse(ownRulesSchema, value === null ? others : { ...others, [name]: value });
  return result.success ? { ok: true, own: result.output } : { ok: false, problem: result.issues[0].message };
};

/** The watched folders, the first one first. */
export const watchedPaths = ({ folder, folders }: Pick<Settings, 'folder' | 'folders'>): string[] => [
  ...new Set([...(folder === null ? [] : [folder]), ...folders]),
];

/** Where a value comes from; the first that is set wins. */
export type SettingOrigin = 'policy' | 'command-line' | 'environment' | 'user' | 'recommended' | 'default';

export type SettingView = {
  [Name in SettingName]: {
    name: Name;
    value: Settings[Name];
    origin: SettingOrigin;
    /** Set when the value is locked: who locked it, as a sentence. */
    lockedBy: string | null;
  };
}[SettingName];

export const settingNames = Object.keys(settingsSchema.entries) as SettingName[];

/** The values a setting chooses from; empty for a free one. */
export const settingChoices = (name: SettingName): readonly string[] => {
  const inner = settingsSchema.entries[name].wrapped;
  if (inner.type === 'boolean') return ['true', 'false'];
  return inner.type === 'picklist' ? inner.options : [];
};

export const isSettingName = (name: string): name is SettingName =>
  Object.hasOwn(settingsSchema.entries, name);

export const defaultSettings = (): Settings => v.parse(settingsSchema, {});

/** One value against the schema: the clean value, or what is wrong with it in words. */
export const checkSetting = (
  name: SettingName,
  value: unknown,
): { ok: true; value: unknown } | { ok: false; problem: string } => {
  const result = v.safeParse(settingsSchema.entries[name], value);
  return result.success
    ? { ok: true, value: result.output }
    : { ok: false, problem: result.issues[0].message };
};
