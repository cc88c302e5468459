// The settings as an administrator reads them: what each is for, and its part in the policy. One row per setting, so
// that a new setting without a row does not compile.
import { settingNames, type SettingName } from '../../../src-main/contract/settings.ts';

export type Group = 'service' | 'folder' | 'limits' | 'after' | 'network' | 'updates' | 'app' | 'rights';

export const groups: Record<Group, string> = {
  service: 'Service',
  folder: 'Folder and files',
  limits: 'Limits and requests',
  after: 'After an upload',
  network: 'Network',
  updates: 'Updates',
  app: 'Application',
  rights: 'What the user may do',
};

type Row = { group: Group; title: string; text: string };

export const settingsWords: Record<SettingName, Row> = {
  baseUrl: {
    group: 'service',
    title: 'Base address of the service',
    text: 'The API key is sent to this address and nowhere else.',
  },
  linkHosts: {
    group: 'service',
    title: 'Trusted link domains',
    text: 'Domains besides the service’s own on which public links may lie. Other links are shown but not opened.',
  },
  folder: { group: 'folder', title: 'Watched folder', text: 'The folder whose new files are uploaded.' },
  folders: {
    group: 'folder',
    title: 'More watched folders',
    text: 'Watched beside the first one, 19 at most; none lies in another. The user gives each rules of its own.',
  },
  recursive: { group: 'folder', title: 'Watch subfolders', text: 'Whether files in subfolders count.' },
  allowedRoots: {
    group: 'folder',
    title: 'Allowed folders',
    text: 'Only what lies below one of these is shared. Empty: anywhere. “~” is the user’s home.',
  },
  forbiddenRoots: {
    group: 'folder',
    title: 'Forbidden folders',
    text: 'Nothing below one of these is shared. Wins over the allowed folders.',
  },
  ignore: { group: 'folder', title: 'Ignored names', text: 'Patterns as in .gitignore.' },
  includeHidden: {
    group: 'folder',
    title: 'Share hidden files',
    text: 'Whether names that begin with a dot count.',
  },
  includeEmpty: { group: 'folder', title: 'Share empty files', text: 'Whether files of 0 bytes count.' },
  holdSecrets: {
    group: 'folder',
    title: 'Hold what looks like a secret',
    text: 'Key files, .env and the like wait until the user confirms them.',
  },
  lookInside: {
    group: 'folder',
    title: 'Look inside for secrets',
    text: 'Texts are searched for keys, tokens and passwords before they become public. What is found waits until the user confirms it.',
  },
  requireLookInside: {
    group: 'folder',
    title: 'Hold what cannot be looked into',
    text: 'lookInside is on and cannot be switched off. A text that is too large to be searched to its end, or could not be searched, waits until the user confirms it.',
  },
  photoLocation: {
    group: 'folder',
    title: 'Photos that tell where they were taken',
    text: 'ask: the photo waits until the user decides, while lookInside is on. keep: it goes as it is. remove: a copy without metadata goes; a photo that cannot be cut waits.',
  },
  burstFiles: {
    group: 'folder',
    title: 'Files at once before asking',
    text: 'When more arrive together, all of them wait until the user confirms them.',
  },
  burstBytes: {
    group: 'folder',
    title: 'Bytes at once before asking',
    text: 'When more arrive together, all of them wait until the user confirms them.',
  },
  settleMs: {
    group: 'folder',
    title: 'Quiet time before an upload',
    text: 'Milliseconds without a change; 0 is automatic.',
  },
  graceSeconds: {
    group: 'folder',
    title: 'Time in which an upload can be cancelled',
    text: 'Seconds that a file which arrives in the folder waits before it becomes public. Files named or dropped go at once.',
  },
  expireAfter: {
    group: 'folder',
    title: 'Links of the folder end after',
    text: 'Outtray takes the link of a file back this long after its upload: none, or a time such as 30m, 1h, 7d or 2w. Outtray must be running then; otherwise it takes the link back at its next start.',
  },
  answerTimeoutMs: {
    group: 'limits',
    title: 'Wait for the answer to an upload',
    text: 'Milliseconds after the last byte; 0 is automatic: by size and pace, 2 to 30 minutes.',
  },
  reconcileAfterMs: {
    group: 'limits',
    title: 'Time to look for lost answers',
    text: 'Milliseconds after which the list of files must show an upload whose answer was lost.',
  },
  maxFileBytes: { group: 'limits', title: 'Largest file', text: 'In bytes. Larger files are refused.' },
  maxExpireAfter: {
    group: 'limits',
    title: 'Longest life of a link',
    text: 'No link of this machine lives longer: none, or a time such as 1h, 7d or 31d. Also links that are there already and that have no end of their own: those that are older are taken back at once.',
  },
  allowedTypes: {
    group: 'limits',
    title: 'Allowed kinds of files',
    text: 'Only files with one of these endings are shared. Empty: all.',
  },
  forbiddenTypes: {
    group: 'limits',
    title: 'Forbidden kinds of files',
    text: 'Files with one of these endings are not shared. Wins over the allowed kinds.',
  },
  concurrentUploads: { group: 'limits', title: 'Uploads at the same time', text: '1 to 16.' },
  requestsPerMinute: {
    group: 'limits',
    title: 'Requests per minute',
    text: 'Less than the plan allows, for a key that other programs use as well.',
  },
  requestsPerDay: {
    group: 'limits',
    title: 'Requests per day',
    text: 'Less than the plan allows, for a key that other programs use as well.',
  },
  requestShare: {
    group: 'limits',
    title: 'Share of the requests',
    text: 'This machine’s part of what the plan allows: 0.05 when 20 machines share one key.',
  },
  onAmbiguous: {
    group: 'limits',
    title: 'When the answer to an upload is lost',
    text: 'hold: ask the user. adopt-verified: take a file of the account whose content was verified. reupload: send again.',
  },
  bandwidthBytesPerSecond: {
    group: 'limits',
    title: 'Bytes per second',
    text: 'The most that uploads use; 0 is no limit.',
  },
  verifyAfterUpload: {
    group: 'after',
    title: 'Read each link back',
    text: 'Once after its upload each link is read without the key and compared with what was sent; it costs one background request and the download, and waits while files wait or once half of the day’s requests are used.',
  },
  releaseWatch: {
    group: 'limits',
    title: 'Hours between reads of watched links',
    text: 'How often a watched link (`outtray verify --watch`) is read back and compared with what was sent, one background request and one download each; never while an upload waits or is on its way, or once half of the day’s requests are used.',
  },
  followEveryMinutes: {
    group: 'limits',
    title: 'Minutes between checks of followed links',
    text: 'Followed links (`outtray follow`) are asked for their downloads at most so often, one background request each; never while an upload waits, or once half of the day’s requests are used.',
  },
  agentRoots: {
    group: 'limits',
    title: 'Folders for agents',
    text: 'Folders whose files agents may share by `outtray mcp`; empty: the watched folder.',
  },
  agentShare: {
    group: 'limits',
    title: 'Share of agents',
    text: 'Number from 0 to 1: the part of the request budget that agents may use. 0: they share nothing.',
  },
  givenFolders: {
    group: 'after',
    title: 'Folders that are dropped',
    text: 'ask: the user chooses. zip: one link for all that is given together. files: one link for each file.',
  },
  copyLink: {
    group: 'after',
    title: 'Copy links by itself',
    text: 'never; dropped: of files given by hand; always.',
  },
  copyFormat: {
    group: 'after',
    title: 'Form of copied links',
    text: 'plain, markdown, html, bbcode, or template (copyTemplate): how links are copied where no other form is asked for.',
  },
  copyTemplate: {
    group: 'after',
    title: 'Template of a link',
    text: 'How “Copy with template” writes one link; {link}, {name}, {size}, {sha256} and {date} stand for the link and the file’s name, size, SHA-256 and day of upload.',
  },
  notify: { group: 'after', title: 'Notifications', text: 'Whether the system’s notifications are used.' },
  proxy: {
    group: 'network',
    title: 'Proxy',
    text: 'system, none, or http://host:port without user name and password.',
  },
  keyCommand: {
    group: 'network',
    title: 'Key command',
    text: 'A program that prints the API key, with its arguments, as pass show outtray. It wins over the keychain, and OUTTRAY_API_KEY over it. No shell runs it.',
  },
  caFile: {
    group: 'network',
    title: 'Additional certificate authority',
    text: 'A PEM file, for a service or proxy with a certificate of the company.',
  },
  updateMode: {
    group: 'updates',
    title: 'Updates',
    text: 'auto: loaded, and installed after five idle minutes in the tray or when Outtray quits. notify: the user decides. off: never looked for.',
  },
  updateFeed: {
    group: 'updates',
    title: 'Feed',
    text: 'The https: folder that holds latest.yml and the installers. Empty: the feed the installer was built with.',
  },
  updateChannel: { group: 'updates', title: 'Channel', text: 'latest, or the name of another one, as beta.' },
  auditFile: {
    group: 'app',
    title: 'Audit file',
    text: 'What became public, when, by which door and until when is written to this file, one JSON object a line. Nothing is uploaded while it cannot be written. A whole path on a local disk; “~” is the user’s home. Empty: no record.',
  },
  pasteShortcut: {
    group: 'app',
    title: 'Shortcut that uploads the clipboard',
    text: 'Keys that work in every program, as CommandOrControl+Shift+U. Not on Wayland: there the user binds `outtray paste` in the system.',
  },
  launchAtLogin: {
    group: 'app',
    title: 'Start at login',
    text: 'Whether the app starts with the user’s session.',
  },
  quitOnClose: {
    group: 'app',
    title: 'Quit when the window is closed',
    text: 'Whether closing the window ends the app; otherwise it stays in the tray.',
  },
  language: { group: 'app', title: 'Language', text: 'system, en, de, es or zh.' },
  allowPause: {
    group: 'rights',
    title: 'Allow pausing',
    text: 'Whether the user can pause uploads. When it is forbidden, an earlier pause ends.',
  },
  allowCopy: {
    group: 'rights',
    title: 'Allow copying',
    text: 'Whether Outtray puts links and other texts on the clipboard, on request or by itself.',
  },
  allowGivenFiles: {
    group: 'rights',
    title: 'Allow files given by hand',
    text: 'Whether the user can drop, paste, choose or name single files for upload. When it is forbidden, only files in the watched folder are shared.',
  },
  allowAccountChange: {
    group: 'rights',
    title: 'Allow another account',
    text: 'Whether the user can replace or remove the key and change the base address and the key command. A first key can always be entered.',
  },
};

/** What a user may do is decided or not: a right that the user may change is none. */
export const recommendedNames: readonly SettingName[] = settingNames.filter(
  (name) => settingsWords[name].group !== 'rights',
);
