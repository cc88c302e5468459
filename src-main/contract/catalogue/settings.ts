// Every setting, one row each. The rows define the schema, what the command reads and prints, the policy and its
// papers, and the rights of the window's page.
import { linkForms } from '../text/link-text.ts';
import { languages } from '../text/speech.ts';
import type { SettingRow } from './kinds.ts';

/** Each folder costs one watch of the system, a scan at the start, and a line in the window. */
export const mostFolders = 20;

export const settingRows = {
  baseUrl: { kind: 'text', check: 'address', default: null, group: 'service', guards: true, account: true },
  /** A program that prints the key, with its arguments; null: the keychain has the key. */
  keyCommand: {
    kind: 'text',
    check: 'program',
    default: null,
    group: 'network',
    guards: true,
    account: true,
    page: 'never',
  },
  folder: { kind: 'path', check: 'folderPath', default: null, group: 'folder' },
  /** Watched beside `folder`. */
  folders: {
    kind: 'list',
    of: 'folder',
    most: mostFolders - 1,
    default: [],
    example: ['~/Screenshots', '/srv/out'],
    group: 'folder',
  },
  recursive: { kind: 'flag', default: true, group: 'folder', byFolder: true, page: [false] },
  ignore: { kind: 'list', of: 'pattern', most: 1000, default: [], group: 'folder', byFolder: true },
  includeHidden: { kind: 'flag', default: false, group: 'folder', byFolder: true, page: [false] },
  includeEmpty: { kind: 'flag', default: false, group: 'folder', page: 'any' },
  settleMs: {
    kind: 'whole',
    min: 0,
    max: 600_000,
    unit: 'milliseconds',
    zero: 'automatic',
    default: 0,
    group: 'folder',
    tuning: true,
    page: 'any',
  },
  /** How long a new file in the folder can be taken back before it is uploaded. */
  graceSeconds: {
    kind: 'whole',
    min: 0,
    max: 300,
    unit: 'seconds',
    default: 0,
    example: 30,
    group: 'folder',
    byFolder: true,
  },
  /** How long after its upload the link of a file of the folder is taken back. */
  expireAfter: { kind: 'text', check: 'span', default: 'none', group: 'folder', byFolder: true },
  holdSecrets: { kind: 'flag', default: true, group: 'folder', guards: true, page: [true] },
  /** Texts are searched for secrets before they become public. */
  lookInside: { kind: 'flag', default: true, group: 'folder', guards: true, page: [true] },
  /** What cannot be looked into is held, and lookInside cannot be switched off. */
  requireLookInside: { kind: 'flag', default: false, group: 'folder', guards: true },
  /** What happens to photos that show where they were taken. */
  photoLocation: {
    kind: 'choice',
    of: ['ask', 'keep', 'remove'],
    default: 'ask',
    example: 'remove',
    group: 'folder',
    guards: true,
    page: ['ask', 'remove'],
  },
  burstFiles: { kind: 'whole', min: 1, max: 1_000_000, default: 200, group: 'folder' },
  burstBytes: {
    kind: 'whole',
    min: 1,
    max: null,
    unit: 'bytes',
    per: 1_000_000_000,
    default: 5_000_000_000,
    group: 'folder',
  },
  /** How long to wait for an answer after the last byte. */
  answerTimeoutMs: {
    kind: 'whole',
    min: 0,
    max: 86_400_000,
    unit: 'milliseconds',
    zero: 'automatic',
    default: 0,
    example: 600_000,
    group: 'limits',
    tuning: true,
  },
  concurrentUploads: {
    kind: 'whole',
    min: 1,
    max: 16,
    default: 4,
    group: 'limits',
    tuning: true,
    page: 'any',
  },
  /** null: the limit of the plan. */
  requestsPerMinute: {
    kind: 'whole',
    min: 1,
    max: 100_000,
    default: null,
    example: 50,
    group: 'limits',
    tuning: true,
    page: 'any',
  },
  requestsPerDay: {
    kind: 'whole',
    min: 1,
    max: 100_000_000,
    default: null,
    example: 1000,
    group: 'limits',
    tuning: true,
    page: 'any',
  },
  requestShare: {
    kind: 'share',
    mayBeZero: false,
    default: 1,
    example: 0.5,
    group: 'limits',
    tuning: true,
    page: 'any',
  },
  reconcileAfterMs: {
    kind: 'whole',
    min: 1000,
    max: 86_400_000,
    unit: 'milliseconds',
    default: 900_000,
    group: 'limits',
    tuning: true,
    page: 'any',
  },
  onAmbiguous: {
    kind: 'choice',
    of: ['hold', 'adopt-verified', 'reupload'],
    default: 'hold',
    group: 'limits',
    tuning: true,
    page: ['hold', 'adopt-verified'],
  },
  bandwidthBytesPerSecond: {
    kind: 'whole',
    min: 0,
    max: null,
    unit: 'bytes a second',
    zero: 'no limit',
    per: 1_000_000,
    default: 0,
    example: 1_000_000,
    group: 'limits',
    page: 'any',
  },
  /** A program that hears of each link, with its arguments, or `none`. */
  afterUpload: {
    kind: 'text',
    check: 'hook',
    default: 'none',
    group: 'after',
    guards: true,
    byFolder: true,
  },
  /** Each link is read back once after its upload. */
  verifyAfterUpload: { kind: 'flag', default: false, group: 'after', page: 'any' },
  /** How often a followed link is checked at most; each check is a request in the background. */
  followEveryMinutes: {
    kind: 'whole',
    min: 1,
    max: 10_080,
    unit: 'minutes',
    default: 15,
    example: 60,
    group: 'limits',
    page: 'any',
  },
  /** Folders whose files agents may share (`outtray mcp`); empty: the watched folders. */
  agentRoots: { kind: 'list', of: 'folder', most: 100, default: [], group: 'limits', guards: true },
  /** The part of the request budget that agents may use; 0: they share nothing. */
  agentShare: {
    kind: 'share',
    mayBeZero: true,
    default: 0.25,
    example: 0.1,
    group: 'limits',
    guards: true,
  },
  /** Folders among the files that the app is given: one link for all, one for each file in them, or a question. */
  givenFolders: {
    kind: 'choice',
    of: ['ask', 'zip', 'files'],
    default: 'ask',
    example: 'zip',
    group: 'after',
    page: 'any',
  },
  copyLink: {
    kind: 'choice',
    of: ['never', 'dropped', 'always'],
    default: 'dropped',
    group: 'after',
    byFolder: true,
    page: 'any',
  },
  /** How links are copied where no other form is asked for. */
  copyFormat: {
    kind: 'choice',
    of: linkForms,
    default: 'plain',
    example: 'markdown',
    group: 'after',
    byFolder: true,
    page: 'any',
  },
  /** One link in the user's own form. A page cannot set it alone: it could contain another address. */
  copyTemplate: { kind: 'text', check: 'template', default: '{name}: {link}', group: 'after', page: 'hand' },
  notify: { kind: 'flag', default: true, group: 'after', byFolder: true, page: 'any' },
  /** `system`, `none`, or the address of a proxy, without name and password. */
  proxy: { kind: 'text', check: 'proxy', default: 'system', group: 'network', guards: true },
  caFile: {
    kind: 'path',
    check: 'filePath',
    default: null,
    example: '/etc/ssl/certs/company.pem',
    group: 'network',
    guards: true,
  },
  linkHosts: { kind: 'list', of: 'host', most: 100, default: [], group: 'service', guards: true },
  /** Only files and folders below one of these are shared; empty: anywhere. `~` is the user's home. */
  allowedRoots: { kind: 'list', of: 'folder', most: 100, default: [], group: 'folder', guards: true },
  /** Nothing below one of these is shared; wins over `allowedRoots`. */
  forbiddenRoots: { kind: 'list', of: 'folder', most: 100, default: [], group: 'folder', guards: true },
  /** null: what the account allows. */
  maxFileBytes: {
    kind: 'whole',
    min: 1,
    max: null,
    unit: 'bytes',
    default: null,
    example: 2_000_000_000,
    group: 'limits',
    guards: true,
  },
  /** No link lives longer, not even one without an end of its own. */
  maxExpireAfter: { kind: 'text', check: 'span', default: 'none', group: 'limits', guards: true },
  /** Only files with one of these endings are shared; empty: all. */
  allowedTypes: { kind: 'list', of: 'ending', most: 500, default: [], group: 'limits', guards: true },
  /** Files with one of these endings are not shared; wins over `allowedTypes`. */
  forbiddenTypes: { kind: 'list', of: 'ending', most: 500, default: [], group: 'limits', guards: true },
  /** A record of what became public, one JSON object a line; null: there is none. */
  auditFile: {
    kind: 'path',
    check: 'absolutePath',
    default: null,
    example: '~/outtray-audit.jsonl',
    group: 'app',
    guards: true,
  },
  /** The shortcut that uploads the clipboard while any program is in front; null: there is none. */
  pasteShortcut: { kind: 'text', check: 'keys', default: null, group: 'app' },
  launchAtLogin: { kind: 'flag', default: false, group: 'app', page: 'hand' },
  quitOnClose: { kind: 'flag', default: false, group: 'app', page: 'any' },
  updateMode: { kind: 'choice', of: ['auto', 'notify', 'off'], default: 'notify', group: 'updates' },
  /** Where updates come from; null: the feed this installer was built with. */
  updateFeed: { kind: 'text', check: 'httpsAddress', default: null, group: 'updates', guards: true },
  updateChannel: { kind: 'text', check: 'channel', default: 'latest', group: 'updates' },
  /** The oldest version that may upload; null: any version may. */
  minimumVersion: { kind: 'text', check: 'version', default: null, group: 'updates', guards: true },
  language: {
    kind: 'choice',
    of: ['system', ...languages],
    default: 'system',
    group: 'app',
    page: 'any',
  },
  // What the user may do; each only makes sense locked by a policy (contract/rights.ts).
  allowPause: { kind: 'flag', default: true, group: 'rights', guards: true },
  allowCopy: { kind: 'flag', default: true, group: 'rights', guards: true },
  allowGivenFiles: { kind: 'flag', default: true, group: 'rights', guards: true },
  allowAccountChange: { kind: 'flag', default: true, group: 'rights', guards: true },
} as const satisfies Record<string, SettingRow>;

/** Settings that Outtray had, and what replaces each. A file or a policy may still have them. */
export const formerSettings: Readonly<Record<string, string>> = {
  auditSystemLog: 'The audit file has these lines, and programs that collect logs can read it.',
  releaseWatch: 'Links are no longer read back regularly; a scheduled task can verify them.',
};
