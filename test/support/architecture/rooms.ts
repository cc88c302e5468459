// The rooms (parts of the source) and which room may import which: the table of the architecture, one entry per row.

export type Room = {
  name: string;
  /** True for the files of this room. A file belongs to the first room that returns true. */
  holds: (file: string) => boolean;
  /** Whether the file `from` of this room may import our own file `target`. */
  own: (target: string, from: string) => boolean;
  /** Our own files of which it may also import the types. */
  ownTypes?: (target: string) => boolean;
  /** Packages it may import; `node:` stands for all of Node's modules. */
  packages: readonly string[] | 'any';
  packageTypes?: readonly string[];
};

const inside =
  (folder: string) =>
  (file: string): boolean =>
    file.startsWith(folder);

const contract = inside('src-main/contract/');
const engine = inside('src-main/engine/');
const adapters = inside('src-main/adapters/');
const shell = inside('src-main/shell/');
const headless = (file: string): boolean => file === 'src-main/cli.ts' || file.startsWith('src-main/cli/');
const composition = (file: string): boolean =>
  file === 'src-main/compose.ts' || file === 'src-main/drive-child.ts';
const windowCode = inside('src-renderer/');

/** `src-main/adapters/ledger/uploads.ts` and `src-main/adapters/ledger.ts` → `ledger`: one adapter. */
const adapterOf = (file: string): string =>
  file.slice('src-main/adapters/'.length).replace(/\/.*$|\.ts$/g, '');

/** The rooms of the engine: each may import those before it, and the stages never each other. */
const stages = ['discover', 'upload', 'reconcile', 'recall', 'follow', 'programs'];
const engineRooms = [
  'ports',
  'shared',
  'state',
  'limiter',
  'candidate',
  'account',
  'inspect',
  'given',
  ...stages,
  'plan',
  'handlers',
];

const engineRoomOf = (file: string): string => file.slice('src-main/engine/'.length).split('/')[0] ?? '';

const mayEnter = (from: string, target: string): boolean => {
  const [own, other] = [engineRoomOf(from), engineRoomOf(target)];
  if (own === other || other === 'ports') return true;
  // engine.ts joins the rooms.
  if (!engineRooms.includes(own)) return true;
  if (stages.includes(own) && stages.includes(other)) return false;
  const at = engineRooms.indexOf(other);
  return at >= 0 && at < engineRooms.indexOf(own);
};

export const rooms: readonly Room[] = [
  { name: 'contract', holds: contract, own: contract, packages: ['valibot'] },
  {
    name: 'engine',
    holds: engine,
    own: (target, from) => contract(target) || (engine(target) && mayEnter(from, target)),
    packages: [],
  },
  {
    name: 'adapters',
    holds: adapters,
    own: (target, from) =>
      target.startsWith('src-main/engine/ports/') ||
      target === 'package.json' || // the version, read by one file
      contract(target) ||
      (adapters(target) && (adapterOf(target) === adapterOf(from) || sharedByAdapters.includes(target))),
    packages: [
      'node:',
      '@napi-rs/keyring',
      'chokidar',
      'env-paths',
      'ignore',
      'p-limit',
      'pino',
      'undici',
      'valibot',
      'write-file-atomic',
    ],
  },
  {
    name: 'shell',
    holds: shell,
    own: (target) => shell(target) || contract(target),
    packages: ['node:', 'electron', 'electron-updater', 'intl-messageformat'],
  },
  {
    name: 'main.ts, desktop',
    holds: (file) => file === 'src-main/main.ts' || file.startsWith('src-main/desktop/'),
    own: inside('src-main/'),
    packages: ['node:', 'electron'],
  },
  {
    name: 'preload.ts',
    holds: (file) => file === 'src-main/preload.ts',
    own: () => false,
    ownTypes: contract,
    packages: ['electron'],
  },
  {
    name: 'cli.ts, compose.ts, drive-child.ts',
    holds: (file) => headless(file) || composition(file),
    own: (target, from) =>
      contract(target) ||
      engine(target) ||
      adapters(target) ||
      composition(target) ||
      // compose.ts serves app and command and knows neither
      (headless(target) && headless(from)),
    packages: [
      'node:',
      '@clack/prompts',
      '@modelcontextprotocol/server',
      '@valibot/to-json-schema',
      'commander',
      'intl-messageformat',
      'valibot',
    ],
  },
  {
    name: 'src-renderer',
    holds: (file) => windowCode(file),
    own: (target, from) =>
      contract(target) ||
      (windowCode(target) &&
        !(from.startsWith('src-renderer/parts/') && target.startsWith('src-renderer/state/'))) ||
      /^resources\/.*\.(svg|png)$/.test(target),
    packages: ['svelte', 'bits-ui', '@lucide/svelte', 'uqr', 'intl-messageformat', 'valibot'],
  },
  { name: 'test', holds: inside('test/'), own: () => true, packages: 'any' },
  { name: 'config', holds: inside('.config/'), own: () => true, packages: 'any' },
  {
    name: 'resources',
    holds: inside('resources/'),
    // Papers are made from the program's own tables.
    own: (target) =>
      /^(resources|src-main)\//.test(target) || ['package.json', 'package-lock.json'].includes(target),
    packages: 'any',
  },
];

/** Small things several adapters need; an exception from "one adapter knows no other", so the list is short. */
export const sharedByAdapters: readonly string[] = [
  'src-main/adapters/secret.ts',
  'src-main/adapters/system/own-program.ts',
  'src-main/adapters/system-code.ts',
  'src-main/adapters/system/birth.ts',
  'src-main/adapters/system/programs.ts',
  'src-main/adapters/programs/prints.ts',
  'src-main/adapters/programs/run-program.ts',
  'src-main/adapters/system/thread.ts',
  'src-main/adapters/system/unless-aborted.ts',
  'src-main/adapters/system/storage.ts',
  'src-main/adapters/files/paths.ts',
  'src-main/adapters/files/disk.ts',
];

export function roomOf(file: string): Room | null {
  return rooms.find((room) => room.holds(file)) ?? null;
}
