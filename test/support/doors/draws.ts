// What a walk draws: settings, names and contents, with odd ones more often than in reality.
import type { Settings } from '../../../src-main/contract/settings.ts';
import type { Dice } from '../simulation/dice.ts';
import { ownFolder } from '../fake-ports.ts';
import { placed } from './places.ts';

export const watched = '/tray';
export const agentRoots = ['/tray', '/given/agents'];
export const folders = [
  '/tray',
  '/tray/sub',
  // A built-in pattern matches their names, and its shape does not.
  '/tray/My.Projects',
  '/given/agents/cafe.deadbeef',
  // Of programs, half written, hidden, and with signs that change how a name is read.
  '/tray/lost+found',
  '/tray/film.crdownload',
  '/tray/.cache',
  '/tray/a\u202efdp. ',
  '/given',
  '/given/deep',
  '/given/agents',
  '/open',
  '/secret',
  '/secret/deep',
  ownFolder,
];

const stems = [
  'report',
  'id_rsa',
  '.env',
  'server.pem',
  'vault.kdbx',
  'tool.exe',
  'notes.exe.txt',
  'photo.jpg',
  'a.txt',
  'film.bin.part',
  'disc.iso',
];
const decorations = [
  (name: string) => name,
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => `${name}.`,
  (name: string) => `${name} `,
  (name: string) => `${name}\u200b`,
  (name: string) => name.replace(/e/, '\uff45'),
  (name: string) => name.replace(/\./, '\u202e.'),
  (name: string) => name.replace(/\./, '.\u00ad'),
  (name: string) => `${name} . `,
  (name: string) => `${name}*`,
  (name: string) => name.replace(/e/, 'e\u0301'),
];

export const drawSettings = (dice: Dice): Partial<Settings> => ({
  recursive: true,
  includeHidden: dice.happens(0.5),
  forbiddenRoots: dice.pick([[], ['/secret'], ['/way'], ['/secret/deep', '/tray/sub']]),
  allowedRoots: dice.pick([[], [], [], ['/tray', '/given', '/spool'], ['/open', '/given']]),
  ignore: dice.pick([[], ['*.jpg'], ['a.txt', '*.jpg'], ['*.iso']]),
  forbiddenTypes: dice.pick([[], ['exe'], ['exe', 'iso']]),
  allowedTypes: dice.pick([[], [], [], ['txt', 'jpg', 'zip']]),
  maxFileBytes: dice.pick([null, null, 3000]),
  photoLocation: dice.pick(['ask', 'keep', 'remove']),
  lookInside: dice.happens(0.9),
  holdSecrets: dice.happens(0.9),
  graceSeconds: dice.pick([0, 0, 10]),
  burstFiles: dice.pick([200, 4]),
});

/** The rules that are applied only once, when a file has settled. */
export const isQuestion = (name: string): boolean =>
  ['holdSecrets', 'lookInside', 'ignore', 'includeHidden'].includes(name);

const bodies = [
  (mark: string) => `plain text ${mark}`,
  (mark: string) => `plain text ${mark}`,
  (mark: string) => `a text with SECRET in it ${mark}`,
  (mark: string) => `PK\x03\x04 a zip inside ${mark}`,
  (mark: string) => `long ${mark} ${'x'.repeat(3000)}`,
];

/** Takes the mark by which the content is known. */
export const drawBody = (dice: Dice): ((mark: string) => string) =>
  dice.pick(dice.happens(0.4) ? placed : bodies);
export const drawName = (dice: Dice): string => dice.pick(decorations)(dice.pick(stems));
