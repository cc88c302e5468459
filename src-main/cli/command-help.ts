// What the overview says of each command in one line, and examples of its use, which a test runs.

export const tagline = 'Put a file in the tray, get its link.';

type CommandHelp = { summary: string; examples: readonly string[] };

export const commandHelp: Readonly<Record<string, CommandHelp>> = {
  login: { summary: 'check the API key and store it', examples: ['outtray login --key-file key.txt'] },
  logout: { summary: 'remove the API key', examples: ['outtray logout'] },
  stats: {
    summary: 'show the account’s statistics and the request budgets',
    examples: ['outtray stats', 'outtray --json stats'],
  },

  upload: {
    summary: 'upload files now and print their links',
    examples: [
      'outtray upload report.pdf',
      'outtray upload --zip --name photos.zip photos',
      'outtray upload --expire 7d --format markdown notes.txt',
    ],
  },
  plan: {
    summary: 'show what would happen, and change nothing',
    examples: ['outtray plan report.pdf photos'],
  },
  paste: {
    summary: 'upload what is on the clipboard',
    examples: ['outtray paste', 'outtray paste --copy --expire 1h'],
  },
  watch: {
    summary: 'watch a folder and upload what is new',
    examples: ['outtray watch --once Outtray', 'outtray watch --once --existing upload Outtray'],
  },
  folders: {
    summary: 'list, add, remove watched folders, and set their rules',
    examples: ['outtray folders', 'outtray folders add photos', 'outtray folders set photos expireAfter 7d'],
  },

  list: {
    summary: 'list the account’s files',
    examples: ['outtray list', 'outtray list --limit 50 --page 1', 'outtray list --sort size --place here'],
  },
  search: {
    summary: 'find files by words of their names',
    examples: ['outtray search report', 'outtray search notes --sort name --limit 5'],
  },
  link: { summary: 'print the links of a file', examples: ['outtray link report.pdf'] },
  info: { summary: 'show one file of the account', examples: ['outtray info 12'] },
  delete: { summary: 'delete files from the account', examples: ['outtray delete 13 --yes'] },
  recall: {
    summary: 'take links back, and prove that they are dead',
    examples: ['outtray recall notes.txt', 'outtray recall 12'],
  },
  expire: {
    summary: 'set when links end',
    examples: ['outtray expire report.pdf 7d', 'outtray expire 12 notes.txt 30d', 'outtray expire 12 never'],
  },
  follow: {
    summary: 'report downloads of links',
    examples: ['outtray follow report.pdf', 'outtray follow'],
  },
  unfollow: { summary: 'stop reporting downloads', examples: ['outtray unfollow report.pdf'] },

  card: {
    summary: 'print a release card: name, size, SHA-256 and link',
    examples: ['outtray card report.pdf', 'outtray card --format sha256sums 12 notes.txt'],
  },
  verify: {
    summary: 'download links and compare them with what was sent',
    examples: ['outtray verify report.pdf', 'outtray verify --all'],
  },
  exposure: { summary: 'show every link that a content ever had', examples: ['outtray exposure report.pdf'] },
  review: {
    summary: 'show links that need a look, and what settles each',
    examples: ['outtray review', 'outtray review --old 30'],
  },
  export: {
    summary: 'write all files and links for spreadsheets and scripts',
    examples: ['outtray export --format csv --output links.csv', 'outtray export --format json'],
  },

  status: { summary: 'show the queue, the budgets and the folders', examples: ['outtray status'] },
  queue: {
    summary: 'list what is on its way, waits, is held or has failed',
    examples: ['outtray queue', 'outtray queue --held', 'outtray --json queue --failed'],
  },
  held: { summary: 'list what waits for your decision', examples: ['outtray held'] },
  confirm: { summary: 'upload what is held', examples: ['outtray confirm q1'] },
  cancel: { summary: 'take uploads out of the queue', examples: ['outtray cancel q2'] },
  retry: { summary: 'try failed uploads again', examples: ['outtray retry'] },
  resolve: {
    summary: 'decide about an upload whose answer was lost',
    examples: ['outtray resolve q5', 'outtray resolve q5 --adopt 12', 'outtray resolve q5 --again'],
  },
  pause: { summary: 'pause the queue', examples: ['outtray pause 1h', 'outtray pause tomorrow'] },
  resume: { summary: 'resume the queue', examples: ['outtray resume'] },
  why: { summary: 'explain where a file is, in one sentence', examples: ['outtray why report.pdf'] },

  settings: {
    summary: 'show or change settings',
    examples: [
      'outtray settings',
      'outtray settings get expireAfter',
      'outtray settings set expireAfter 7d',
      'outtray settings unset expireAfter',
    ],
  },
  integrate: {
    summary: 'add “Upload and copy link” to the file managers’ menus',
    examples: ['outtray integrate --list'],
  },
  mcp: { summary: 'serve an agent (Model Context Protocol)', examples: ['outtray mcp'] },
  doctor: {
    summary: 'check keychain, folders, disk, network, key and clock',
    examples: ['outtray doctor'],
  },
  completion: { summary: 'print the completions for a shell', examples: ['outtray completion bash'] },
};

/** What the overview ends with. */
export const firstExamples: readonly string[] = [
  'outtray login --base-url=https://files.example.com/api/v1 --key-file key.txt',
  'outtray upload report.pdf',
  'outtray watch ~/Outtray',
];
