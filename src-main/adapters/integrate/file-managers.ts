// Lists, makes and removes the entries "Upload and copy link" in the file managers of this computer, for this user. It
// keeps no record: it reads the entries from the disk each time.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { EntryState, FileManagerName, FileManagerView } from '../../contract/file-managers.ts';
import { entryLabels } from './labels.ts';
import type { Language } from '../../contract/text/speech.ts';
import { explorerEntries, type StartProgram } from './explorer.ts';
import { finderInfo, finderWorkflow } from './finder.ts';
import { dolphinMenu, nautilusScript, nemoAction } from './linux.ts';
import { entryMark, findEntry, isCurrent, removeEntry, writeEntry, type OwnEntry } from './own-files.ts';
import { thunarActions } from './thunar.ts';

export type FileManagers = {
  /** Those of this system, found or not. */
  list(): Promise<FileManagerView[]>;
  /**
   * Creates or replaces the entry. Does nothing where the file manager is missing or a package installed the entry.
   * Throws `bad-use`, `disk`.
   */
  add(name: FileManagerName): Promise<FileManagerView>;
  /** Leaves no file behind, and no folder that is empty then. Throws `disk`. */
  remove(name: FileManagerName): Promise<FileManagerView>;
};

type Manager = {
  title: string;
  isFound: boolean;
  /** What a package installs for all users. */
  isInSystem: boolean;
  places: string[];
  state(): Promise<'on' | 'old' | 'off'>;
  add(): Promise<void>;
  remove(): Promise<boolean>;
};

export const createFileManagers = (options: {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** The user's home folder. */
  home: string;
  /** The words of the command that shares files; the paths follow. */
  words: readonly string[];
  language: Language;
  /** Its file managers have no entry: there is one for each user, and it uploads to the default profile's account. */
  profile?: string | null;
  run?: StartProgram;
}): FileManagers => {
  if (typeof options.profile === 'string') return noEntries;
  const managers = new Map(Object.entries(managersOf(options))) as Map<FileManagerName, Manager>;
  const view = async (name: FileManagerName): Promise<FileManagerView> => {
    const manager = managerOf(name);
    return { name, title: manager.title, state: await stateOf(manager), places: manager.places };
  };
  const managerOf = (name: FileManagerName): Manager => {
    const manager = managers.get(name);
    if (manager === undefined) throw new AppError('bad-use', `There is no ${name} on this system.`);
    return manager;
  };
  return {
    list: () => Promise.all([...managers.keys()].map(view)),
    async add(name) {
      const manager = managerOf(name);
      const state = await stateOf(manager);
      if (state === 'off' || state === 'old') await manager.add();
      return await view(name);
    },
    async remove(name) {
      await managerOf(name).remove();
      return await view(name);
    },
  };
};

export const ofDefaultProfile = (): AppError =>
  new AppError(
    'bad-use',
    'The entries in file managers upload to the account of the default profile.',
    'Make or remove them without a profile.',
  );
const noEntries: FileManagers = {
  list: () => Promise.resolve([]),
  add: () => Promise.reject(ofDefaultProfile()),
  remove: () => Promise.reject(ofDefaultProfile()),
};

/** An entry is shown even while its file manager is not installed: it can still be removed. */
const stateOf = async ({ isFound, isInSystem, state }: Manager): Promise<EntryState> => {
  const own = await state();
  if (own !== 'off') return own;
  if (!isFound) return 'missing';
  return isInSystem ? 'system' : 'off';
};

const managersOf = (
  options: Parameters<typeof createFileManagers>[0],
): Partial<Record<FileManagerName, Manager>> => {
  const { env, home, words, language } = options;
  const label = entryLabels[language];
  const labels = [...new Set(Object.values(entryLabels))];
  switch (options.platform) {
    case 'win32': {
      const { run } = options;
      const entries = explorerEntries({ env, words, label, labels, ...(run === undefined ? {} : { run }) });
      return { explorer: { title: 'Explorer', isFound: true, isInSystem: false, ...entries } };
    }
    case 'darwin': {
      const files = [
        { name: 'Contents/Info.plist', text: finderInfo(label, entryMark) },
        { name: 'Contents/document.wflow', text: finderWorkflow(words) },
      ];
      const root = path.join(home, 'Library');
      const entryFor = (one: string): OwnEntry => ({
        place: path.join(root, 'Services', `${one}.workflow`),
        root,
        files,
        mode: 0o644,
      });
      return {
        finder: { title: 'Finder', isFound: true, isInSystem: false, ...named(entryFor, label, labels) },
      };
    }
    default: {
      const data = env['XDG_DATA_HOME'] || path.join(home, '.local/share');
      const config = env['XDG_CONFIG_HOME'] || path.join(home, '.config');
      const allData = listed(env['XDG_DATA_DIRS'], '/usr/local/share:/usr/share');
      const allConfig = listed(env['XDG_CONFIG_DIRS'], '/etc/xdg');
      const inSystem = (file: string): boolean =>
        allData.some((folder) => existsSync(path.join(folder, file)));
      const isFound = (...names: string[]): boolean =>
        names.some((name) => isProgram(name, env['PATH'] ?? ''));
      const entry = (file: string, mode: number, text: string): OwnEntry => ({
        place: path.join(data, file),
        root: data,
        files: [{ name: '', text }],
        mode,
      });
      const oneFile = (file: string, mode: number, text: string) =>
        named(() => entry(file, mode, text), label, [label]);
      const script = (one: string): OwnEntry =>
        entry(path.join('nautilus/scripts', one), 0o755, nautilusScript(words, entryMark));
      return {
        nautilus: {
          title: 'Nautilus',
          isFound: isFound('nautilus'),
          isInSystem: false,
          ...named(script, label, labels),
        },
        nemo: {
          title: 'Nemo',
          isFound: isFound('nemo'),
          isInSystem: inSystem('nemo/actions/outtray.nemo_action'),
          ...oneFile('nemo/actions/outtray.nemo_action', 0o644, nemoAction(words, language, entryMark)),
        },
        thunar: {
          title: 'Thunar',
          isFound: isFound('thunar', 'Thunar'),
          isInSystem: inSystem('Thunar/sendto/outtray.desktop'),
          places: [path.join(config, 'Thunar/uca.xml')],
          ...thunarActions({
            file: path.join(config, 'Thunar/uca.xml'),
            root: config,
            defaults: allConfig.map((folder) => path.join(folder, 'Thunar/uca.xml')),
            words,
            label,
          }),
        },
        dolphin: {
          title: 'Dolphin',
          isFound: isFound('dolphin'),
          isInSystem: inSystem('kio/servicemenus/outtray.desktop'),
          ...oneFile('kio/servicemenus/outtray.desktop', 0o755, dolphinMenu(words, language, entryMark)),
        },
      };
    }
  }
};

/** An entry whose place may depend on its label. One with another language's label is ours, too, and is replaced. */
const named = (
  entryFor: (label: string) => OwnEntry,
  label: string,
  labels: readonly string[],
): Pick<Manager, 'places' | 'state' | 'add' | 'remove'> => {
  const entry = entryFor(label);
  const others = labels.filter((one) => one !== label).map(entryFor);
  const removeAll = async (entries: readonly OwnEntry[]): Promise<boolean> => {
    let isAnyGone = false;
    for (const one of entries) isAnyGone = (await removeEntry(one)) || isAnyGone;
    return isAnyGone;
  };
  return {
    places: [entry.place],
    async state() {
      const found = await findEntry(entry);
      for (const other of others) if ((await findEntry(other)) === 'ours') return 'old';
      if (found !== 'ours') return 'off';
      return (await isCurrent(entry)) ? 'on' : 'old';
    },
    async add() {
      await writeEntry(entry);
      await removeAll(others);
    },
    remove: () => removeAll([entry, ...others]),
  };
};

const listed = (folders: string | undefined, otherwise: string): string[] =>
  (folders || otherwise).split(':').filter((folder) => path.isAbsolute(folder));

const isProgram = (name: string, searched: string): boolean =>
  searched.split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
