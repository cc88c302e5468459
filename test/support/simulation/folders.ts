// The watched folders of a day, 1 to 20, and how their rules judge a path. The rules in force are read where they are
// stored, so a kill, a power cut or an older data folder also changes them here.
import type { OwnRules } from '../../../src-main/contract/settings.ts';
import type { Ledger } from '../../../src-main/engine/ports/ledger.ts';
import type { SettingsPort } from '../../../src-main/engine/ports/ports.ts';
import type { Dice } from './dice.ts';

export type Folders = {
  /** Every folder that is watched at some time of the day, the first one first. */
  paths: readonly string[];
  of(path: string): string | null;
  isWatched(folder: string): boolean;
  /** Whether its first scan has recorded what was in it before. */
  isJudged(folder: string): boolean;
  /** Files in its subfolders go up, too. */
  isDeep(folder: string): boolean;
  isPaused(folder: string): boolean;
  /** The watched folders and their rules, for the trace. */
  told(): string;
  /** The rule by which its name or place keeps it back; null: none. */
  nameRule(path: string): string | null;
  /** The same, and also whether its folder is watched and not paused. */
  rule(path: string): string | null;
  /** Reads the rules again; true when they have changed. */
  refresh(): boolean;
};

export const secretName = 'looks like a secret';
export const firstFolder = '/tray';

/** Patterns in the form that this oracle understands: an extension, or a folder with everything in it. */
const patterns: readonly (readonly string[])[] = [
  [],
  ['*.log'],
  ['*.txt'],
  ['*.jpg', '*.log'],
  ['sub/'],
  ['*.dat'],
];

/** Random rules for one folder. */
export const drawRules = (dice: Dice): OwnRules => ({
  ...(dice.happens(0.4) ? { ignore: [...dice.pick(patterns)] } : {}),
  ...(dice.happens(0.3) ? { recursive: dice.happens(0.5) } : {}),
  ...(dice.happens(0.3) ? { includeHidden: dice.happens(0.5) } : {}),
  ...(dice.happens(0.3) ? { graceSeconds: dice.pick([0, 5, 60, 300]) } : {}),
  ...(dice.happens(0.2) ? { copyLink: dice.pick(['always', 'never'] as const) } : {}),
  ...(dice.happens(0.2) ? { notify: dice.happens(0.5) } : {}),
  ...(dice.happens(0.1) ? { paused: true } : {}),
});

/** One random rule. Null: the folder uses the setting again. */
export const drawRule = (dice: Dice): [name: string, value: unknown] =>
  dice.pick<[string, unknown]>([
    ['ignore', [...dice.pick(patterns)]],
    ['ignore', [...dice.pick(patterns)]],
    ['ignore', null],
    ['recursive', dice.happens(0.5)],
    ['recursive', null],
    ['includeHidden', dice.happens(0.5)],
    ['includeHidden', null],
    ['graceSeconds', dice.pick([0, 5, 60, 300, null])],
    ['copyLink', dice.pick(['always', 'never', null])],
    ['notify', dice.happens(0.5)],
    ['paused', dice.happens(0.5)],
    ['paused', false],
  ]);

const isIgnored = (relative: string, pattern: string): boolean =>
  pattern.startsWith('*')
    ? relative.endsWith(pattern.slice(1))
    : relative.split('/').slice(0, -1).includes(pattern.slice(0, -1));

export const createFolders = (options: {
  count: number;
  settings: Pick<SettingsPort, 'current'>;
  ledger: () => Ledger;
}): Folders => {
  const { count, settings, ledger } = options;
  const paths = [firstFolder, ...Array.from({ length: count - 1 }, (_, n) => `/f${n + 1}`)];
  let watched = new Set<string>();
  let own = new Map<string, OwnRules>();
  let seen = '';

  const of = (path: string): string | null => {
    const folder = `/${path.split('/', 2)[1] ?? ''}`;
    return paths.includes(folder) ? folder : null;
  };
  const rules = (folder: string): OwnRules => own.get(folder) ?? {};
  const isDeep = (folder: string): boolean => rules(folder).recursive ?? settings.current().recursive;
  const isPaused = (folder: string): boolean => rules(folder).paused ?? false;

  const nameRule = (path: string): string | null => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (/\.(part|crdownload|tmp)$/.test(name) || name.endsWith('~')) return 'unfinished';
    const folder = of(path);
    const relative = folder === null ? name : path.slice(folder.length + 1);
    const { ignore, includeHidden } = settings.current();
    const mine = folder === null ? {} : rules(folder);
    if ((mine.ignore ?? ignore).some((pattern) => isIgnored(relative, pattern))) return 'ignored';
    if (/\.env$|^id_rsa|\.pem$/.test(name)) return secretName;
    const isShown = mine.includeHidden ?? includeHidden;
    if (!isShown && relative.split('/').some((part) => part.startsWith('.'))) return 'hidden';
    if (folder !== null && relative.includes('/') && !isDeep(folder)) return 'in a subfolder';
    return null;
  };

  return {
    paths,
    of,
    isWatched: (folder) => watched.has(folder),
    isJudged: (folder) => ledger().folders.byPath(folder)?.baselineDone === true,
    isDeep,
    isPaused,
    told: () => seen,
    nameRule,
    rule(path) {
      const folder = of(path);
      const byName = nameRule(path);
      if (byName !== null) return byName;
      if (folder === null || !watched.has(folder)) return 'not watched';
      return isPaused(folder) ? 'paused' : null;
    },
    refresh() {
      const { folder, folders } = settings.current();
      watched = new Set([...(folder === null ? [] : [folder]), ...folders]);
      own = new Map(paths.map((path) => [path, ledger().folders.byPath(path)?.own ?? {}]));
      const now = JSON.stringify([[...watched], [...own]]);
      const isOther = now !== seen;
      seen = now;
      return isOther;
    },
  };
};
