// Decides which folders are watched: those of the settings, chosen here or in another process, or none. Also keeps what
// the user wants to do with the pre-existing files of a folder.
import { toAppError } from '../../../contract/errors.ts';
import {
  watchedPaths,
  type FolderRules,
  type OwnRules,
  type SettingName,
  type Settings,
} from '../../../contract/settings.ts';
import type { Existing } from '../../../contract/answers.ts';
import { isByPerson } from '../../../contract/model.ts';
import { acceptFolder, rulesOfRow } from '../../shared/folder.ts';
import { createLoop } from '../../shared/loop.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Upload, WatchedFolder } from '../../ports/uploads.ts';
import { relativeTo } from '../../shared/paths.ts';
import type { Core } from '../../state/core.ts';
import { lostCheckMs } from './post.ts';
import { isFoundAway, type Watching } from './watching.ts';

export type FolderChoice = {
  /**
   * Makes it the first folder of the settings; watches it if the engine runs. Throws `bad-setting`,
   * `folder-unavailable`, `folder-refused`.
   */
  choose(path: string, existing: Existing): Promise<void>;
  /**
   * Watches the folders of the settings with this one as the first, or with `alone` this one only. Resolves once the
   * available ones are watched. If none is, throws the first problem.
   */
  start(path: string, options: { existing: Existing; alone: boolean }): Promise<void>;
  /** Throws `folder-refused` when it cannot be watched beside the others. One that is away can be chosen again. */
  assertNew(path: string): Promise<void>;
  /** Watches this one beside the others, with its own rules. One that is away keeps its rules. Throws as `choose`. */
  add(path: string, existing: Existing, own: OwnRules): Promise<void>;
  /** Watches these beside the first one, and no others. Throws as `choose`. */
  setOthers(paths: readonly string[]): Promise<void>;
  /** Changes the folder's own rules; `change` gets the present ones. Throws `folder-unavailable`. */
  setRules(path: string, change: (own: OwnRules) => OwnRules): Promise<void>;
  /** Stops watching this one. Throws `bad-setting`. */
  remove(path: string): Promise<void>;
  settingsChanged(settings: Settings): void;
  /** Every folder that is to be watched, the first one first. `row`: null while the ledger does not know it. */
  chosen(): { path: string; row: WatchedFolder | null; isAvailable: boolean }[];
  /** A folder is on its way to being watched: its first whole listing is not done. */
  isOpening(): boolean;
  isWatched(folderId: number): boolean;
  /** It is chosen, and is not there, or another one is in its place. */
  isAway(folderId: number): boolean;
  /** It is no longer chosen: the files that wait in it do not become public. */
  isRemoved(folderId: number): boolean;
  /** Its folder is no longer chosen. A file that a person gives by path, or confirms, still goes from there. */
  isLeft(row: Pick<Upload, 'folderId' | 'door' | 'confirmed'>): boolean;
  /** The same, or it is not known yet: a chosen folder that was never opened may be this one. */
  mayBeLeft(row: Pick<Upload, 'folderId' | 'door' | 'confirmed'>): boolean;
  /** The rules of the folders that the row belongs to. */
  rulesOf(row: Upload): FolderRules[];
  /** The chosen folder in which this path lies. It may not be watched now. */
  folderOf(path: string): WatchedFolder | null;
  /** A file of a chosen folder has one row, also when it is given by hand or the folder is not watched now. */
  folderIdOf(path: string): number | null;
  stop(): Promise<void>;
};

/** The folders that are opened or tried again, of those that are `wanted` now. `watches`: false while none is watched. */
const createOpened = (
  { ports, work }: Pick<Core, 'ports' | 'work'>,
  watching: Watching,
  wanted: () => string[],
  watches: () => boolean,
) => {
  const { ledger, places, log } = ports;
  /** The real path of each opened folder, by its path in the settings. */
  const opened = new Map<string, string>();
  const opening = new Set<string>();
  /** The last logged message of each folder that cannot be opened, so that it is logged once. */
  const logged = new Map<string, string>();

  const rowOf = (path: string): WatchedFolder | null => {
    const real = opened.get(path) ?? path;
    const post = watching.posts().find(({ folder }) => folder.row.path === real);
    return post?.folder.row ?? ledger.folders.byPath(real);
  };

  const rows = (paths: readonly string[]): WatchedFolder[] =>
    paths.flatMap((path) => {
      const row = rowOf(path);
      return row === null ? [] : [row];
    });

  const isAvailable = (path: string): boolean => {
    if (!watches() || opening.has(path)) return true;
    const real = opened.get(path);
    return watching.active().some(({ folder }) => folder.row.path === real);
  };

  const close = async (path: string): Promise<void> => {
    const real = opened.get(path);
    opened.delete(path);
    if (real !== undefined) await watching.close(real);
  };

  /** A folder of a policy, or one that was moved, may lie in another one. The first of them is watched. */
  const assertApart = async (path: string, real: string): Promise<void> => {
    const paths = wanted();
    const others = paths.slice(0, Math.max(0, paths.indexOf(path))).map((one) => opened.get(one) ?? one);
    await places.assertApart(real, others);
  };

  /** The wish for pre-existing files stays in the ledger until the baseline is done. So a crash does not lose it. */
  const open = async (path: string, existing: Existing): Promise<void> => {
    opening.add(path);
    try {
      const real = await places.acceptFolder(path);
      await assertApart(path, real);
      // Another one was chosen meanwhile.
      if (!wanted().includes(path)) return;
      const wish = wishFor(ledger, real) ?? existing;
      if (wish !== 'skip') setWish(ports, real, wish);
      opened.set(path, real);
      await watching.open(real, wish);
      logged.delete(path);
      if (ledger.folders.byPath(real)?.baselineDone === true) setWish(ports, real, 'skip');
    } catch (error) {
      if (watching.posts().every(({ folder }) => folder.row.path !== opened.get(path))) opened.delete(path);
      throw error;
    } finally {
      opening.delete(path);
    }
  };

  const missing = (): string[] => wanted().filter((path) => !opened.has(path) && !opening.has(path));

  /** Tries again until all folders are there. */
  const turn = async (): Promise<number | null> => {
    if (!watches()) return null;
    const tries = missing().map((path) =>
      open(path, 'skip').catch((error: unknown) => {
        const { message } = toAppError(error);
        if (logged.get(path) !== message) log.warn('folder not opened', { folder: path, error });
        logged.set(path, message);
      }),
    );
    await Promise.all(tries);
    return missing().length > 0 ? lostCheckMs : null;
  };
  const loop = createLoop({ name: 'folders', ports, work, turn });

  /** Closes the folders that are not wanted any more. Called first: another folder may then fail to open. */
  const closeOthers = (): Promise<unknown> => {
    const paths = wanted();
    return Promise.all([...opened.keys()].filter((path) => !paths.includes(path)).map(close));
  };

  const follow = (): void => {
    closeOthers()
      .then(loop.wake)
      .catch((error: unknown) => log.warn('folder not closed', { error }));
  };

  return {
    count: () => opened.size,
    isOpening: () => opening.size > 0,
    ...{ rowOf, rows, isAvailable, open, closeOthers, follow, wake: loop.wake, stop: loop.stop },
  };
};

/** Which folder a file belongs to, watched now or not. */
const createMembership = (
  ports: Ports,
  { rows, rowOf }: Pick<ReturnType<typeof createOpened>, 'rows' | 'rowOf'>,
  wanted: () => string[],
): Pick<FolderChoice, 'isRemoved' | 'isLeft' | 'mayBeLeft' | 'rulesOf' | 'folderOf' | 'folderIdOf'> => {
  const { settings } = ports;
  const chosenPaths = (): string[] => [...wanted(), ...watchedPaths(settings.current())];

  const folderOf = (path: string): WatchedFolder | null =>
    rows(chosenPaths()).find((folder) => relativeTo(folder.path, path) !== null) ?? null;

  const isChosen = (folderId: number): boolean | 'unknown' => {
    const chosen = chosenPaths().map(rowOf);
    if (chosen.some((row) => row?.id === folderId)) return true;
    // A chosen folder without a row may be this one: where its links lead is known only when it is opened.
    return chosen.includes(null) ? 'unknown' : false;
  };
  const isOfChosen = ({ folderId, door, confirmed }: Pick<Upload, 'folderId' | 'door' | 'confirmed'>) =>
    folderId === null || isByPerson(door) || confirmed || isChosen(folderId);

  return {
    isRemoved: (folderId) => isChosen(folderId) === false,
    isLeft: (row) => isOfChosen(row) === false,
    mayBeLeft: (row) => isOfChosen(row) !== true,
    rulesOf: (row) => rulesOfRow(ports, folderOf, row),
    folderOf,
    folderIdOf: (path) => folderOf(path)?.id ?? null,
  };
};

export const createChoice = (core: Core, watching: Watching): FolderChoice => {
  const { ports, feed, work } = core;
  const { settings, ledger, places } = ports;
  let isChoosing = false;
  /** False while the engine runs only for files given by hand. */
  let watches = false;
  /** Only the first folder is watched in this run. */
  let isAlone = false;
  let before = settings.current();
  let first = before.folder;
  const opened = createOpened(
    core,
    watching,
    () => wanted(),
    () => watches,
  );
  const { rowOf, rows, isAvailable, open, closeOthers, follow } = opened;
  const wanted = (): string[] =>
    watchedPaths({ folder: first, folders: isAlone ? [] : settings.current().folders });

  /** Watched, and not there, or another folder in its place. */
  const isAway = (path: string): boolean => wanted().includes(path) && !isAvailable(path);

  const assertNew = (path: string): Promise<void> =>
    places.assertApart(
      path,
      watchedPaths(settings.current()).filter((one) => one !== path || !isAway(path)),
    );

  /** Changes the settings, and watches the folder at once, not only after the settings report the change. */
  const change = async (
    path: string,
    existing: Existing,
    sets: readonly [name: SettingName, value: unknown][],
  ): Promise<void> => {
    const row = ledger.folders.byPath(path);
    // The row may be older than this choice, because its rules were set before. Files that came since then are
    // pre-existing. The time is recorded before the settings change, so that this also holds after a crash.
    if (row?.baselineDone === false && sets.length > 0)
      ledger.folders.update(row.id, { chosenAtMs: ports.clock.wallMs() });
    isChoosing = true;
    try {
      for (const [name, value] of sets) await settings.set(name, value);
    } finally {
      isChoosing = false;
    }
    setWish(ports, path, existing);
    if (work.isRunning()) {
      watches = true;
      await closeOthers();
      if (wanted().includes(path)) await open(path, existing);
    }
    feed.record(null, path, { kind: 'folder-chosen', folder: path });
  };

  const membership = createMembership(ports, opened, wanted);

  return {
    async start(path, { existing, alone }) {
      const paths = watchedPaths(settings.current());
      // A folder for this run only must share no file with a folder of the settings.
      if (alone && !paths.includes(path)) await places.assertApart(await places.acceptFolder(path), paths);
      watches = true;
      isAlone = alone;
      first = path;
      const ends = await Promise.allSettled(wanted().map((one) => open(one, existing)));
      opened.wake();
      const [failed] = ends.flatMap((end) => (end.status === 'rejected' ? [end] : []));
      if (failed !== undefined && opened.count() === 0) throw failed.reason;
    },
    chosen: () =>
      wanted().map((path) => {
        const row = rowOf(path);
        const isElsewhereAway = !watches && row !== null && isFoundAway(ports, row);
        return { path, row, isAvailable: isAvailable(path) && !isElsewhereAway };
      }),
    isOpening: opened.isOpening,
    isWatched: (folderId) => rows(wanted()).some(({ id }) => id === folderId),
    isAway: (folderId) => wanted().some((path) => rowOf(path)?.id === folderId && !isAvailable(path)),
    ...membership,
    async choose(path, existing) {
      const { folder, folders } = settings.current();
      if (folder !== path) await places.assertApart(path, folders);
      // If the setting already has this folder, do not set it: a policy may have locked the setting.
      await change(path, existing, folder === path ? [] : [['folder', path]]);
    },
    assertNew,
    async add(path, existing, own) {
      const { folder, folders } = settings.current();
      await assertNew(path);
      if (isAway(path)) {
        await change(path, existing, []);
        return;
      }
      const row = ledger.folders.byPath(path) ?? (await insert(ports, path));
      ledger.folders.update(row.id, { own });
      await change(path, existing, [folder === null ? ['folder', path] : ['folders', [...folders, path]]]);
    },
    setOthers: (paths) => setOthers(ports, paths),
    async setRules(path, change) {
      const row = ledger.folders.byPath(path) ?? (await insert(ports, path));
      ledger.folders.update(row.id, { own: change(row.own) });
    },
    remove: (path) => remove(ports, path),
    settingsChanged(now) {
      const paths = JSON.stringify(watchedPaths(before));
      const isOther = JSON.stringify(watchedPaths(now)) !== paths;
      if (now.folder !== before.folder && (!isAlone || first === before.folder)) first = now.folder;
      before = now;
      if (!work.isRunning()) return;
      if (isOther && !isChoosing && watches) follow();
      void watching.rulesChanged();
    },
    stop: opened.stop,
  };
};

const insert = async ({ ledger, files, clock }: Ports, path: string): Promise<WatchedFolder> =>
  ledger.folders.insert({
    path,
    identity: await files.identify(path),
    chosenAtMs: clock.wallMs(),
  });

/** What the user wants to do with the pre-existing files of a folder, stored when it was chosen; null: no wish. */
export const wishFor = ({ facts }: Pick<Ports['ledger'], 'facts'>, folder: string): Existing | null =>
  facts.get('existing')?.value.find((wish) => wish.folder === folder)?.existing ?? null;

const setWish = (
  { ledger: { facts }, clock }: Pick<Ports, 'ledger' | 'clock'>,
  folder: string,
  existing: Existing,
): void => {
  const before = facts.get('existing')?.value ?? [];
  const others = before.filter((wish) => wish.folder !== folder);
  const wishes = existing === 'skip' ? others : [...others, { folder, existing }];
  if (wishes.length > 0) facts.set('existing', wishes, clock.wallMs());
  else if (before.length > 0) facts.remove('existing');
};

const setOthers = async (ports: Ports, paths: readonly string[]): Promise<void> => {
  const { settings, places } = ports;
  const { folder } = settings.current();
  const real: string[] = [];
  for (const path of paths) {
    // One that is chosen already may be away.
    const known = settings.current().folders.includes(path) ? path : await places.acceptFolder(path);
    await places.assertApart(known, [...(folder === null ? [] : [folder]), ...real]);
    await acceptFolder(ports, known).catch(() => undefined);
    real.push(known);
  }
  await settings.set('folders', real);
};

const remove = async (ports: Ports, path: string): Promise<void> => {
  const { settings } = ports;
  const { folder, folders } = settings.current();
  // If a policy has locked the other folders, none of them becomes the first.
  const [next = null, ...rest] = settings.isLocked('folders') ? [] : folders;
  if (folder !== path)
    await settings.set(
      'folders',
      folders.filter((one) => one !== path),
    );
  else {
    await settings.set('folder', next);
    if (next !== null) await settings.set('folders', rest);
  }
  setWish(ports, path, 'skip');
};
