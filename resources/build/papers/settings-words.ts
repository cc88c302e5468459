// The settings as an administrator reads them: what each is for. A new setting without its words does not compile.
import type { Group } from '../../../src-main/contract/catalogue/kinds.ts';
import { rowOf, settingNames, type SettingName } from '../../../src-main/contract/settings.ts';

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

export const settingsWords: Record<SettingName, { title: string; text: string }> = {
  baseUrl: {
    title: 'Base address of the service',
    text: 'The API key is sent to this address and nowhere else.',
  },
  linkHosts: {
    title: 'Trusted link domains',
    text: 'Domains besides the service’s own on which public links may lie. Other links are shown but not opened.',
  },
  folder: { title: 'Watched folder', text: 'The folder whose new files are uploaded.' },
  folders: {
    title: 'More watched folders',
    text: 'Watched beside the first one, 19 at most; none lies in another. The user gives each rules of its own.',
  },
  recursive: { title: 'Watch subfolders', text: 'Whether files in subfolders count.' },
  allowedRoots: {
    title: 'Allowed folders',
    text: 'Only what lies below one of these is shared. Empty: anywhere. “~” is the user’s home.',
  },
  forbiddenRoots: {
    title: 'Forbidden folders',
    text: 'Nothing below one of these is shared. Wins over the allowed folders.',
  },
  ignore: { title: 'Ignored names', text: 'Patterns as in .gitignore.' },
  includeHidden: {
    title: 'Share hidden files',
    text: 'Whether names that begin with a dot count.',
  },
  includeEmpty: { title: 'Share empty files', text: 'Whether files of 0 bytes count.' },
  holdSecrets: {
    title: 'Hold what looks like a secret',
    text: 'Key files, .env and the like wait until the user confirms them.',
  },
  lookInside: {
    title: 'Look inside for secrets',
    text: 'Texts are searched for keys, tokens and passwords before they become public. What is found waits until the user confirms it.',
  },
  requireLookInside: {
    title: 'Hold what cannot be looked into',
    text: 'lookInside is on and cannot be switched off. A text that is too large to be searched to its end, or could not be searched, waits until the user confirms it.',
  },
  photoLocation: {
    title: 'Photos that tell where they were taken',
    text: 'ask: the photo waits until the user decides, while lookInside is on. keep: it goes as it is. remove: a copy without metadata goes; a photo that cannot be cut waits.',
  },
  burstFiles: {
    title: 'Files at once before asking',
    text: 'When more arrive together, all of them wait until the user confirms them.',
  },
  burstBytes: {
    title: 'Bytes at once before asking',
    text: 'When more arrive together, all of them wait until the user confirms them.',
  },
  settleMs: {
    title: 'Quiet time before an upload',
    text: 'Milliseconds without a change; 0 is automatic.',
  },
  graceSeconds: {
    title: 'Time in which an upload can be cancelled',
    text: 'Seconds that a file which arrives in the folder waits before it becomes public. Files named or dropped go at once.',
  },
  expireAfter: {
    title: 'Links of the folder end after',
    text: 'Outtray takes the link of a file back this long after its upload: none, or a time such as 30m, 1h, 7d or 2w. Outtray must be running then; otherwise it takes the link back at its next start.',
  },
  answerTimeoutMs: {
    title: 'Wait for the answer to an upload',
    text: 'Milliseconds after the last byte; 0 is automatic: by size and pace, 2 to 30 minutes.',
  },
  reconcileAfterMs: {
    title: 'Time to look for lost answers',
    text: 'Milliseconds after which the list of files must show an upload whose answer was lost.',
  },
  maxFileBytes: { title: 'Largest file', text: 'In bytes. Larger files are refused.' },
  maxExpireAfter: {
    title: 'Longest life of a link',
    text: 'No link of this machine lives longer: none, or a time such as 1h, 7d or 31d. Also links that are there already and that have no end of their own: those that are older are taken back at once.',
  },
  allowedTypes: {
    title: 'Allowed kinds of files',
    text: 'Only files with one of these endings are shared. Empty: all.',
  },
  forbiddenTypes: {
    title: 'Forbidden kinds of files',
    text: 'Files with one of these endings are not shared. Wins over the allowed kinds.',
  },
  concurrentUploads: { title: 'Uploads at the same time', text: '1 to 16.' },
  requestsPerMinute: {
    title: 'Requests per minute',
    text: 'Less than the plan allows, for a key that other programs use as well.',
  },
  requestsPerDay: {
    title: 'Requests per day',
    text: 'Less than the plan allows, for a key that other programs use as well.',
  },
  requestShare: {
    title: 'Share of the requests',
    text: 'This machine’s part of what the plan allows: 0.05 when 20 machines share one key.',
  },
  onAmbiguous: {
    title: 'When the answer to an upload is lost',
    text: 'hold: ask the user. adopt-verified: take a file of the account whose content was verified. reupload: send again.',
  },
  bandwidthBytesPerSecond: {
    title: 'Bytes per second',
    text: 'The most that uploads use; 0 is no limit.',
  },
  verifyAfterUpload: {
    title: 'Read each link back',
    text: 'Once after its upload each link is read without the key and compared with what was sent; it costs one background request and the download, and waits while files wait or once half of the day’s requests are used.',
  },
  releaseWatch: {
    title: 'Hours between reads of watched links',
    text: 'How often a watched link (`outtray verify --watch`) is read back and compared with what was sent, one background request and one download each; never while an upload waits or is on its way, or once half of the day’s requests are used.',
  },
  followEveryMinutes: {
    title: 'Minutes between checks of followed links',
    text: 'Followed links (`outtray follow`) are asked for their downloads at most so often, one background request each; never while an upload waits, or once half of the day’s requests are used.',
  },
  agentRoots: {
    title: 'Folders for agents',
    text: 'Folders whose files agents may share by `outtray mcp`; empty: the watched folder.',
  },
  agentShare: {
    title: 'Share of agents',
    text: 'Number from 0 to 1: the part of the request budget that agents may use. 0: they share nothing.',
  },
  givenFolders: {
    title: 'Folders that are dropped',
    text: 'ask: the user chooses. zip: one link for all that is given together. files: one link for each file.',
  },
  copyLink: {
    title: 'Copy links by itself',
    text: 'never; dropped: of files given by hand; always.',
  },
  copyFormat: {
    title: 'Form of copied links',
    text: 'plain, markdown, html, bbcode, or template (copyTemplate): how links are copied where no other form is asked for.',
  },
  copyTemplate: {
    title: 'Template of a link',
    text: 'How “Copy with template” writes one link; {link}, {name}, {size}, {sha256} and {date} stand for the link and the file’s name, size, SHA-256 and day of upload.',
  },
  notify: { title: 'Notifications', text: 'Whether the system’s notifications are used.' },
  proxy: {
    title: 'Proxy',
    text: 'system, none, or http://host:port without user name and password.',
  },
  keyCommand: {
    title: 'Key command',
    text: 'A program that prints the API key, with its arguments, as pass show outtray. It wins over the keychain, and OUTTRAY_API_KEY over it. No shell runs it.',
  },
  caFile: {
    title: 'Additional certificate authority',
    text: 'A PEM file, for a service or proxy with a certificate of the company.',
  },
  updateMode: {
    title: 'Updates',
    text: 'auto: loaded, and installed after five idle minutes in the tray or when Outtray quits. notify: the user decides. off: never looked for.',
  },
  updateFeed: {
    title: 'Feed',
    text: 'The https: folder that holds latest.yml and the installers. Empty: the feed the installer was built with.',
  },
  updateChannel: { title: 'Channel', text: 'latest, or the name of another one, as beta.' },
  auditFile: {
    title: 'Audit file',
    text: 'What became public, when, by which door and until when is written to this file, one JSON object a line. Nothing is uploaded while it cannot be written. A whole path on a local disk; “~” is the user’s home. Empty: no record.',
  },
  pasteShortcut: {
    title: 'Shortcut that uploads the clipboard',
    text: 'Keys that work in every program, as CommandOrControl+Shift+U. Not on Wayland: there the user binds `outtray paste` in the system.',
  },
  launchAtLogin: {
    title: 'Start at login',
    text: 'Whether the app starts with the user’s session.',
  },
  quitOnClose: {
    title: 'Quit when the window is closed',
    text: 'Whether closing the window ends the app; otherwise it stays in the tray.',
  },
  language: { title: 'Language', text: 'system, en, de, es or zh.' },
  allowPause: {
    title: 'Allow pausing',
    text: 'Whether the user can pause uploads. When it is forbidden, an earlier pause ends.',
  },
  allowCopy: {
    title: 'Allow copying',
    text: 'Whether Outtray puts links and other texts on the clipboard, on request or by itself.',
  },
  allowGivenFiles: {
    title: 'Allow files given by hand',
    text: 'Whether the user can drop, paste, choose or name single files for upload. When it is forbidden, only files in the watched folder are shared.',
  },
  allowAccountChange: {
    title: 'Allow another account',
    text: 'Whether the user can replace or remove the key and change the base address and the key command. A first key can always be entered.',
  },
};

/** What a user may do is decided or not: a right that the user may change is none. */
export const recommendedNames: readonly SettingName[] = settingNames.filter(
  (name) => rowOf(name).group !== 'rights',
);
