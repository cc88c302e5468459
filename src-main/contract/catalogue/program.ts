// The command's table: names, arguments, options and help. Parser, help, manual page and completions are
// made from it; cli/actions.ts has what each command does, under its name.
import { folderRules } from '../settings.ts';
import { cardForms, shells } from './choices.ts';
import type { ProgramRow } from './program-kinds.ts';
import { existing, named, order, sending, unasked } from './program-options.ts';

export const tagline = 'Put a file in the tray, get its link.';

/** Printed at the end of the overview. */
export const firstExamples = [
  'outtray login --base-url=https://files.example.com/api/v1 --key-file key.txt',
  'outtray upload report.pdf',
  'outtray watch ~/Outtray',
] as const;

export const programRows = {
  login: {
    group: 'Account',
    summary: 'check the API key and store it',
    text: 'read the API key from standard input or a file, check it, and store it in the keychain',
    options: [
      { usage: '--key-file <file>', text: 'read the key from this file' },
      {
        usage: '--account <whose>',
        text: 'say that the stored key is of the same account as the files here, or of another one',
        choices: ['same', 'another'],
        conflicts: ['keyFile'],
      },
    ],
    examples: ['outtray login --key-file key.txt'],
  },
  logout: {
    group: 'Account',
    summary: 'remove the API key',
    text: 'remove the stored key',
    examples: ['outtray logout'],
  },
  profiles: {
    group: 'Account',
    summary: 'list the profiles, each with an account of its own',
    text: 'list the profiles: --profile NAME, with any command, keeps settings, key and records of its own',
    examples: ['outtray profiles'],
  },
  stats: {
    group: 'Account',
    summary: 'show the account’s statistics and the request budgets',
    text: 'show the account’s statistics and Outtray’s request budgets',
    examples: ['outtray stats', 'outtray --json stats'],
  },
  upload: {
    group: 'Share files',
    summary: 'upload files now and print their links',
    text: 'upload these files now (- is standard input) and print one link per line',
    arguments: [{ usage: '[file...]' }],
    options: [
      {
        usage: '-r, --recursive',
        text: 'upload what is in folders too, by the rules of watched folders',
      },
      { usage: '--files-from <list>', text: 'read paths from this file, one per line; - is standard input' },
      { usage: '--zip', text: 'pack the files and folders into one zip with one link' },
      { usage: '--name <name>', text: 'with - or --zip: the name of the file' },
      { usage: '--size <bytes>', text: 'with -: upload only if the input has this many bytes' },
      { usage: '--sha256 <hex>', text: 'with -: upload only if the input has this SHA-256' },
      { usage: '-0, --null', text: 'with --files-from: each path ends with a NUL character' },
      { usage: '--background', isHidden: true },
      ...sending,
    ],
    examples: [
      'outtray upload report.pdf',
      'outtray upload --zip --name photos.zip photos',
      'outtray upload --expire 7d --format markdown notes.txt',
    ],
  },
  plan: {
    group: 'Share files',
    summary: 'show what would happen, and change nothing',
    text: 'show what would happen to these files and folders, and when; makes no request and changes nothing',
    arguments: [
      {
        usage: '<path...>',
        text: 'a watched folder is planned as in a scan, anything else as by upload --recursive',
      },
    ],
    examples: ['outtray plan report.pdf photos'],
  },
  paste: {
    group: 'Share files',
    summary: 'upload what is on the clipboard',
    text: 'upload what is on the clipboard: copied files, an image or a text',
    options: sending,
    examples: ['outtray paste', 'outtray paste --copy --expire 1h'],
  },
  watch: {
    group: 'Share files',
    summary: 'watch a folder and upload what is new',
    text: 'watch a folder and upload what is new, until interrupted',
    arguments: [{ usage: '[dir]' }],
    options: [{ usage: '--once', text: 'upload what is new, then end' }, existing],
    examples: ['outtray watch --once Outtray', 'outtray watch --once --existing upload Outtray'],
  },
  folders: {
    group: 'Share files',
    summary: 'list, add, remove watched folders, and set their rules',
    text: 'manage the watched folders, each with rules of its own',
    examples: ['outtray folders', 'outtray folders add photos', 'outtray folders set photos expireAfter 7d'],
    below: {
      list: {
        isDefault: true,
        text: 'show them with their counts and the rules that differ from the settings',
      },
      add: {
        text: 'watch these folders too; screenshots stands for the system’s screenshot folder',
        arguments: [{ usage: '<dir...>' }],
        options: [existing],
      },
      set: {
        text: 'give a folder a rule of its own, or `default` to follow the settings again',
        arguments: [
          { usage: '<dir>' },
          { usage: '<rule>', text: 'the rule to set', choices: folderRules },
          { usage: '<value>', text: 'a value, or `default`' },
        ],
      },
      remove: { text: 'stop watching a folder; its files keep their links', arguments: [{ usage: '<dir>' }] },
    },
  },
  list: {
    group: 'Files and links',
    summary: 'list the account’s files',
    text: 'list the account’s files, one request per page; with --sort, --place or --folder, list what this machine knows, without a request',
    options: order,
    examples: ['outtray list', 'outtray list --limit 50 --page 1', 'outtray list --sort size --place here'],
  },
  search: {
    group: 'Files and links',
    summary: 'find files by words in their names',
    text: 'find files known to this machine whose names contain all of these words; makes no request',
    arguments: [{ usage: '<words...>' }],
    options: order,
    examples: ['outtray search report', 'outtray search notes --sort name --limit 5'],
  },
  link: {
    group: 'Files and links',
    summary: 'print a file’s link',
    text: 'print a file’s link; makes no request',
    names: 'service',
    arguments: [{ usage: '<file|id>', text: named }],
    options: [{ usage: '--open', text: 'open it in the browser' }],
    examples: ['outtray link report.pdf'],
  },
  info: {
    group: 'Files and links',
    summary: 'show one file of the account',
    text: 'show one file of the account, and other links of the same content',
    names: 'service',
    arguments: [{ usage: '<file|id>', text: named }],
    examples: ['outtray info 12'],
  },
  delete: {
    group: 'Files and links',
    summary: 'delete files from the account',
    text: 'delete files from the account; local files stay',
    names: 'service',
    arguments: [{ usage: '<file|id...>', text: named }],
    options: [{ usage: '--yes', text: unasked }],
    examples: ['outtray delete 13 --yes'],
  },
  recall: {
    group: 'Files and links',
    summary: 'take links back, and prove that they are dead',
    text: 'take links back: delete the files at the service and prove that the links are dead',
    names: 'link',
    arguments: [{ usage: '[file|id...]', text: named }],
    options: [
      { usage: '--older-than <span>', text: 'all links of this machine that are older: 30d, 12h' },
      { usage: '--never-downloaded', text: 'only those that nobody has downloaded; with --older-than' },
      {
        usage: '--all-copies',
        text: 'every link to the same content: under other names, as older versions, in zips; also named by its SHA-256',
      },
      { usage: '--yes', text: unasked },
    ],
    examples: [
      'outtray recall notes.txt',
      'outtray recall --all-copies report.pdf',
      'outtray recall --older-than 30d --never-downloaded --yes',
    ],
  },
  expire: {
    group: 'Files and links',
    summary: 'set when links expire',
    text: 'set when links expire: after 1h or 7d, tomorrow, on a date, or never; Outtray must be running then',
    names: 'link',
    arguments: [{ usage: '<file|id|when...>', text: `${named}; then the time: 7d, 2026-12-31, never` }],
    examples: ['outtray expire report.pdf 7d', 'outtray expire 12 notes.txt 30d', 'outtray expire 12 never'],
  },
  follow: {
    group: 'Files and links',
    summary: 'report downloads of links',
    text: 'report downloads of these links: the first one at once, then once a day; without a name, list the links that are followed',
    names: 'link',
    arguments: [{ usage: '[file|id...]', text: named }],
    options: [{ usage: '--stop', text: 'stop reporting downloads of these links' }],
    examples: ['outtray follow report.pdf', 'outtray follow', 'outtray follow --stop report.pdf'],
  },
  card: {
    group: 'Verify and report',
    summary: 'print a release card: name, size, SHA-256 and link',
    text: 'print a release card: name, size, SHA-256 and link of files uploaded from this machine; makes no request',
    names: 'link',
    arguments: [{ usage: '<file|id...>', text: named }],
    options: [
      {
        usage: '--format <form>',
        text: 'the format of the card',
        choices: cardForms,
        default: 'markdown',
      },
    ],
    examples: ['outtray card report.pdf', 'outtray card --format sha256sums 12 notes.txt'],
  },
  verify: {
    group: 'Verify and report',
    summary: 'download links and compare them with what was sent',
    text: 'download links without the key and compare their SHA-256 with what was sent',
    names: 'link',
    arguments: [{ usage: '[file|id...]', text: named }],
    options: [
      { usage: '--all', text: 'all links made on this machine' },
      { usage: '--card <file>', text: 'the files that a release card lists, in JSON or sha256sums form' },
    ],
    examples: ['outtray verify report.pdf', 'outtray verify --all'],
  },
  review: {
    group: 'Verify and report',
    summary: 'show links that need attention, and what to do about each',
    text: 'show links that need attention, each with the one command that settles it',
    options: [
      { usage: '--old <span>', text: 'count links as old after this time (default: 90d)' },
      { usage: '--refresh', text: 'read the account’s list first, one request per page' },
    ],
    examples: ['outtray review', 'outtray review --old 30'],
  },
  export: {
    group: 'Verify and report',
    summary: 'write all files and links for spreadsheets and scripts',
    text: 'write everything this machine knows about files, for spreadsheets and scripts; makes no request',
    options: [
      { usage: '--format <form>', text: 'csv, or json with one object per line', choices: ['csv', 'json'] },
      { usage: '--output <file>', text: 'write to this file instead of standard output' },
      { usage: '--force', text: 'overwrite an existing file' },
    ],
    examples: [
      'outtray export --format csv --output links.csv',
      'outtray export --format json --output links.jsonl',
    ],
  },
  import: {
    group: 'Verify and report',
    summary: 'make links known here that another machine has exported',
    text: 'make files of the same account known here that another machine or profile wrote with export --format json; asks the service for at most three of them',
    arguments: [{ usage: '<file>' }],
    options: [{ usage: '--take-expiry', text: 'let this machine end the links that have an end, too' }],
    examples: ['outtray import links.jsonl'],
  },
  status: {
    group: 'Queue',
    summary: 'show the queue, the budgets and the folders',
    text: 'show the queue, the counts, the budgets and the folders; makes no request',
    examples: ['outtray status'],
  },
  queue: {
    group: 'Queue',
    summary: 'list what is on its way, waiting, held or failed',
    text: 'list what is on its way, waiting, held or failed: ids, reasons, times and what you can do',
    options: [
      { usage: '--uploading', text: 'what is on its way' },
      { usage: '--waiting', text: 'what waits and continues by itself' },
      { usage: '--held', text: 'what waits for your decision' },
      { usage: '--failed', text: 'what has failed' },
    ],
    examples: ['outtray queue', 'outtray queue --held', 'outtray --json queue --failed'],
  },
  held: {
    group: 'Queue',
    summary: 'list what waits for your decision',
    text: 'list what waits for your decision',
    examples: ['outtray held'],
  },
  confirm: {
    group: 'Queue',
    summary: 'upload what is held',
    text: 'upload what is held; q1@m1k3f9 means one version of a file',
    names: 'confirm',
    arguments: [{ usage: '<id|name...>', text: named }],
    options: [
      { usage: '--without-location', text: 'upload photos as copies that do not show where they were taken' },
      { usage: '--yes', text: 'do not ask: upload each file as it is now' },
    ],
    examples: ['outtray confirm q1'],
  },
  cancel: {
    group: 'Queue',
    summary: 'take uploads out of the queue',
    text: 'take uploads out of the queue',
    names: 'cancel',
    arguments: [{ usage: '<id|name...>', text: named }],
    examples: ['outtray cancel q2'],
  },
  retry: {
    group: 'Queue',
    summary: 'try failed uploads again',
    text: 'try failed uploads again; without a name, all of them',
    names: 'retry',
    arguments: [{ usage: '[id|name...]', text: named }],
    examples: ['outtray retry'],
  },
  resolve: {
    group: 'Queue',
    summary: 'decide about an upload whose answer was lost',
    text: 'decide about an upload whose answer was lost; without an option, show what the service has',
    names: 'resolve',
    arguments: [{ usage: '<id|name>', text: named }],
    options: [
      {
        usage: '--adopt <file_id>',
        text: 'the upload is this file of the account',
        conflicts: ['again', 'drop'],
      },
      { usage: '--again', text: 'the service does not have it: upload it again', conflicts: ['drop'] },
      { usage: '--drop', text: 'do not upload it' },
    ],
    examples: ['outtray resolve q5', 'outtray resolve q5 --adopt 12', 'outtray resolve q5 --again'],
  },
  pause: {
    group: 'Queue',
    summary: 'pause the queue',
    text: 'pause the queue for 15m or 1h, until tomorrow or a date, or until resumed',
    arguments: [
      {
        usage: '[when...]',
        text: '15m, 3 days, tomorrow, 2026-12-31; without it, until resumed',
        offers: ['15m', '1h', 'tomorrow'],
      },
    ],
    examples: ['outtray pause 1h', 'outtray pause tomorrow'],
  },
  resume: {
    group: 'Queue',
    summary: 'resume the queue',
    text: 'resume the queue',
    examples: ['outtray resume'],
  },
  why: {
    group: 'Queue',
    summary: 'explain where a file is, in one sentence',
    text: 'explain why a file is where it is, in one sentence',
    names: 'path',
    arguments: [{ usage: '<file|id>', text: named }],
    examples: ['outtray why report.pdf'],
  },
  settings: {
    group: 'This computer',
    summary: 'show or change settings',
    text: 'show or change settings',
    examples: [
      'outtray settings',
      'outtray settings get expireAfter',
      'outtray settings set expireAfter 7d',
      'outtray settings unset expireAfter',
    ],
    below: {
      get: { isDefault: true, text: 'show one setting, or all of them', arguments: [{ usage: '[name]' }] },
      list: { text: 'show all settings' },
      unset: { text: 'reset a setting to its default', arguments: [{ usage: '<name>' }] },
      set: {
        text: 'change a setting',
        arguments: [{ usage: '<name>' }, { usage: '<value>', text: 'a value, or `default`' }],
      },
    },
  },
  integrate: {
    group: 'This computer',
    summary: 'add “Upload and copy link” to the file managers’ menus',
    text: 'put “Upload and copy link” into the menus of the file managers on this computer',
    options: [
      { usage: '--list', text: 'show the file managers and whether the entry is there; change nothing' },
      { usage: '--remove', text: 'take the entries away again', conflicts: ['list'] },
    ],
    examples: ['outtray integrate --list'],
  },
  mcp: {
    group: 'This computer',
    summary: 'serve an agent (Model Context Protocol)',
    text: 'serve an agent: a server of the Model Context Protocol on standard input and output',
    examples: ['outtray mcp'],
  },
  doctor: {
    group: 'This computer',
    summary: 'check keychain, folders, disk, network, key and clock',
    text: 'check keychain, folder, watcher, disk, network, key and clock',
    options: [
      {
        usage: '--bundle <file>',
        text: 'write diagnostics to a new file; checks nothing and sends nothing',
      },
    ],
    examples: ['outtray doctor', 'outtray doctor --bundle outtray.txt'],
  },
  help: {
    group: 'This computer',
    text: 'show how a command is used',
    isHidden: true,
    arguments: [{ usage: '[command...]' }],
  },
  completion: {
    group: 'This computer',
    summary: 'print the completion script for a shell',
    text: 'print the completion script for a shell',
    arguments: [{ usage: '<shell>', choices: shells }],
    options: [{ usage: '--line <text>', isHidden: true }],
    examples: ['outtray completion bash'],
  },
} as const satisfies Record<string, ProgramRow>;

export type ProgramCommand = keyof typeof programRows;
export const commandNames = Object.keys(programRows) as ProgramCommand[];
