// The scan: compares folders with the ledger. A full scan covers everything; a look at one name or one folder covers
// a part. It works folder by folder, with one query for each and small transactions, so that 100,000 files use little
// memory and block for a short time only.
import { isByPerson } from '../../contract/model.ts';
import { isTooDeep, joinPath, splitPath } from '../shared/paths.ts';
import { isThereStill } from '../shared/folder.ts';
import type { Found, Listing } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import { startSlices } from '../shared/loop.ts';
import type { FileRecorder } from './record-file.ts';
import { isSameVersion } from '../shared/file-version.ts';
import type { OpenFolder } from './folders/open-folder.ts';

/** A folder that is being listed. `known`: by name, its rows that the listing has not yet found unchanged. */
type Reading = { dir: string; known: Map<string, string | null>; listing: Promise<Listing> };

/** Rows in one transaction: about five milliseconds. */
const rowsAtOnce = 64;

type ScanOptions = {
  ports: Pick<Ports, 'files' | 'ledger' | 'clock' | 'log'>;
  recorder: FileRecorder;
  /** Holds the files of a burst that were recorded: the question does not wait for the rest of the scan. */
  holdBurst: () => Promise<void>;
  /** The watched folder itself cannot be reached or read, so what was to be looked at in it is left out. */
  missed: (folderId: number) => void;
  look: FolderLook;
};

/** What a look at a folder may still do. */
export type FolderLook = {
  /** An answer of the disk. Throws where the look has to end: at a stop, and see `demandCurrent`. */
  heard<T>(answer: Promise<T>): Promise<T>;
  /** Throws if the folder was closed or lost meanwhile, or is judged by other rules. */
  demandCurrent(): void;
  /** A stop waits for it: files that came together are recorded together, so that a person is asked about all of them. */
  recording(work: Promise<void>): Promise<void>;
};

/** Compares folders with the ledger, one at a time. */
const createComparison = (options: ScanOptions) => {
  const { recorder } = options;
  const { heard, recording } = options.look;
  const { files, ledger, log } = options.ports;
  /** False when a folder of this scan could not be read. */
  let isWhole = true;
  const wasWhole = (): boolean => isWhole;
  /** Folders that this scan is to read and that could not be read before. */
  const closed = new Set<string>();

  /**
   * Asked before anything counts as gone or new. When a disk is removed, its path holds an empty folder or the folder
   * of another disk.
   */
  const isThere = async (active: OpenFolder): Promise<boolean> => {
    if (await heard(isThereStill(files, active))) return true;
    options.missed(active.row.id);
    return false;
  };

  /** Reads the ledger before the disk. So a row that the listing does not find was there before. */
  const begin = (active: OpenFolder, dir: string): Reading => {
    const known = ledger.uploads.stampsIn(active.row.id, dir, active.judgesAgain);
    const isUnchanged = (name: string, key: string): boolean =>
      isSameVersion(known.get(name) ?? null, key) && known.delete(name);
    return { dir, known, listing: files.list(dir, isUnchanged) };
  };

  /** Compares one folder with the ledger. Returns its subfolders, or null when it could not be read. */
  const compare = async (active: OpenFolder, reading: Reading): Promise<string[] | null> => {
    const { dir, known } = reading;
    const listing = await heard(reading.listing);
    if (!listing.ok) {
      isWhole = false;
      if (!listing.gone) {
        active.addUnreadable(dir);
        log.warn('folder not readable', { dir, message: listing.message });
      }
      if (dir === active.row.path) options.missed(active.row.id);
      else if (await isThere(active)) {
        if (listing.gone) forgetBelow(options, active, dir);
        else noteUnreadable(active, dir);
      }
      return null;
    }
    if (closed.delete(dir)) noteReadable(options, active, dir);
    const folders: string[] = [];
    const unseen = new Set<string>();
    const changed: Found[] = [];
    for (const entry of listing.found) {
      const found = withDepth(active, dir, entry);
      if (found.type === 'folder') {
        const path = joinPath(dir, found.name);
        folders.push(path);
        // A row without a stamp may be that of this folder, recorded when it could not be read.
        if (active.rules.recursive && known.get(found.name) === null && known.delete(found.name))
          closed.add(path);
        continue;
      }
      if (found.type === 'unreadable') isWhole = false;
      if (found.type === 'unreadable' || found.type === 'too-deep') {
        unseen.add(found.name);
        active.addUnreadable(joinPath(dir, found.name));
      }
      const before = known.get(found.name);
      if (before !== undefined && isSameVersion(before, found.stamp?.key ?? null)) known.delete(found.name);
      else changed.push(found);
    }
    const isAsKnown = changed.length === 0 && known.size === 0;
    for (const found of changed) if (!known.delete(found.name)) await heard(noteLeft(found));
    if (!isAsKnown) {
      if (!(await isThere(active))) {
        isWhole = false;
        return null;
      }
      for (const name of known.keys()) recorder.missing.add(joinPath(dir, name));
      // Reads the row again: meanwhile the file may have been given by hand, or its row may have another name.
      const rowOf = (name: string): Upload | null => ledger.uploads.presentAt(active.row.id, dir, name);
      const sight = (found: Found): void => recorder.sight(active, dir, found, rowOf(found.name));
      await recording(recordAll(options, changed, sight));
      const vanish = (name: string): void => {
        const row = rowOf(name);
        if (row !== null) recorder.vanish(row);
      };
      await recording(recordAll(options, [...known.keys()], vanish));
    }
    // A folder in it counts as read once it has been listed itself.
    active.removeUnreadable((path) => {
      const { dir: above, name } = splitPath(path);
      return above === dir && !unseen.has(name) && !folders.includes(path);
    });
    return active.rules.recursive ? folders : [];
  };

  /** A folder that cannot be read gets a row, so that its files are not missing from every count. */
  const noteUnreadable = (active: OpenFolder, path: string): void => {
    closed.delete(path);
    const { dir, name } = splitPath(path);
    const found: Found = { name, type: 'unreadable', stamp: null, onlineOnly: false };
    const known = ledger.uploads.presentAt(active.row.id, dir, name);
    ledger.atomically(() => recorder.sight(active, dir, found, known));
  };
  const noteLeft = createNoteLeft(options.ports, recorder);

  return {
    isThere,
    begin,
    compare,
    noteLeft,
    wasWhole,
  };
};

const noteReadable = (
  { recorder, ports: { ledger } }: ScanOptions,
  active: OpenFolder,
  path: string,
): void => {
  const { dir, name } = splitPath(path);
  const row = ledger.uploads.presentAt(active.row.id, dir, name);
  if (row !== null) ledger.atomically(() => recorder.vanish(row));
};

/** Marks the rows of a folder that is gone or has become a file. `isLost`: only these of them. */
const forgetBelow = (
  { recorder, ports: { ledger } }: ScanOptions,
  active: OpenFolder,
  dir: string,
  isLost: (row: Upload) => boolean = () => true,
): void => {
  const inside = joinPath(dir, '');
  for (const known of ledger.uploads.presentDirs(active.row.id)) {
    if (known !== dir && !known.startsWith(inside)) continue;
    ledger.atomically(() => {
      for (const id of ledger.uploads.presentIn(active.row.id, known)) {
        const row = ledger.uploads.byId(id);
        if (row !== null && isLost(row)) recorder.vanish(row);
      }
    });
  }
};

/** Uses small transactions. Very many changes in one transaction would block everything else. */
const recordAll = async <T>(
  { holdBurst, look, ports: { ledger, clock } }: ScanOptions,
  changes: readonly T[],
  record: (change: T) => void,
): Promise<void> => {
  const breathe = startSlices(clock);
  for (let from = 0; from < changes.length; from += rowsAtOnce) {
    const pause = breathe();
    if (pause !== null) await pause;
    look.demandCurrent();
    ledger.atomically(() => {
      for (const change of changes.slice(from, from + rowsAtOnce)) record(change);
    });
    await holdBurst();
  }
};

/** For one look at one folder. */
export const createScanner = (options: ScanOptions) => {
  const { recorder } = options;
  const { heard } = options.look;
  const { files, ledger, clock, log } = options.ports;
  const { isThere, begin, compare, noteLeft, wasWhole } = createComparison(options);
  const walk = async (active: OpenFolder, from: string): Promise<ReadonlySet<string>> => {
    const visited = new Set<string>();
    const pending = [from];
    const next = (): Reading | null => {
      const dir = pending.pop();
      return dir === undefined ? null : begin(active, dir);
    };
    let ahead = next();
    while (ahead !== null) {
      const reading = ahead;
      // The system reads the names of the next folder while the files of this one are compared.
      ahead = next();
      const folders = await compare(active, reading);
      if (folders !== null) {
        visited.add(reading.dir);
        pending.push(...folders);
      }
      ahead ??= next();
    }
    active.removeUnreadable((path) => visited.has(path));
    return visited;
  };

  /** A hint may come from too deep below, or from a subfolder just after subfolders were turned off. */
  const isOutOfReach = (active: OpenFolder, dir: string): boolean =>
    active.rules.recursive ? isTooDeep(active.row.path, dir) : dir !== active.row.path;

  /** Below a folder that is watched without its subfolders there are only files that a person gave by their paths. */
  const forgetUnwatched = async (active: OpenFolder, dir: string): Promise<void> => {
    const given = new Set<number>();
    for (const id of ledger.uploads.presentIn(active.row.id, dir)) {
      const row = ledger.uploads.byId(id);
      if (row === null || !isByPerson(row.door)) continue;
      const found = await heard(files.look(joinPath(dir, row.name)).catch(() => 'unreadable' as const));
      if (found !== null) given.add(id);
    }
    forgetBelow(options, active, dir, ({ id, dir: at, door }) =>
      at === dir ? !given.has(id) : !isByPerson(door),
    );
  };

  /** False: the folder is gone. A folder that became a link leads outside the watched folder, whatever it points to. */
  const enters = async (active: OpenFolder, dir: string): Promise<boolean> => {
    active.forgetOtherRules();
    if (!(await isThere(active))) return false;
    const isStillInside = await heard(leadsInside(files, active, dir));
    if (!isStillInside) forgetBelow(options, active, dir);
    return isStillInside;
  };

  return {
    /** Scans everything and ends the baseline. */
    async scan(active: OpenFolder): Promise<void> {
      const startMs = clock.monoMs();
      const end = active.beginScan();
      const visited = await walk(active, active.row.path);
      if (!(await isThere(active))) return;
      for (const dir of ledger.uploads.presentDirs(active.row.id)) {
        if (visited.has(dir)) continue;
        // The walk did not see this folder: it is gone or not readable now. Only a folder that is gone loses its rows.
        const isGone = async (): Promise<boolean> => {
          const listing = await heard(files.list(dir));
          return !listing.ok && listing.gone;
        };
        if (!active.rules.recursive) await forgetUnwatched(active, dir);
        else if (!(await heard(leadsInside(files, active, dir))) || (await isGone()))
          forgetBelow(options, active, dir);
      }
      end(wasWhole());
      log.info('scanned', {
        folder: active.row.path,
        folders: visited.size,
        tookMs: Math.round(clock.monoMs() - startMs),
      });
    },
    /** Looks at one name in a folder: a file, a folder, or nothing. */
    async look(active: OpenFolder, dir: string, name: string): Promise<void> {
      if (isOutOfReach(active, dir) || !(await enters(active, dir))) return;
      const path = joinPath(dir, name);
      const entry = await heard(files.look(path).catch(() => 'unreadable' as const));
      // If the path cannot be read, its row stays as it is. The next scan looks again.
      if (entry === 'unreadable') return;
      const found = entry === null ? null : withDepth(active, dir, entry);
      const known = ledger.uploads.presentAt(active.row.id, dir, name);
      if (found === null) {
        recorder.missing.add(path);
        if (known === null) forgetBelow(options, active, path);
        else ledger.atomically(() => recorder.vanish(known));
        return;
      }
      if (found.type === 'folder') {
        if (known !== null) ledger.atomically(() => recorder.vanish(known));
        if (active.rules.recursive) await walk(active, path);
        return;
      }
      if (known === null) await heard(noteLeft(found));
      ledger.atomically(() => recorder.sight(active, dir, found, known));
    },
    /** Lists one folder, and scans the subfolders that are new in it. */
    async list(active: OpenFolder, dir: string): Promise<void> {
      if (!(await enters(active, dir)) || isOutOfReach(active, dir)) return;
      const known = new Set(ledger.uploads.presentDirs(active.row.id));
      const folders = await compare(active, begin(active, dir));
      for (const folder of folders ?? []) {
        if (!known.has(folder)) await walk(active, folder);
      }
      if (folders !== null) active.removeUnreadable((path) => path === dir);
    },
  };
};

/** Whether the path from the watched folder to `dir` has only folders in it and no link. */
export const leadsInside = async (
  files: Pick<Ports['files'], 'look'>,
  { row }: Pick<OpenFolder, 'row'>,
  dir: string,
): Promise<boolean> => {
  for (let at = dir; at !== row.path; at = splitPath(at).dir) {
    if (at.length <= row.path.length) return false;
    const found = await files.look(at).catch(() => 'unreadable' as const);
    // A missing or unreadable path does not count as outside. A listing decides whether it is gone.
    if (found !== null && found !== 'unreadable' && found.type !== 'folder') return false;
  }
  return true;
};

/** A folder that lies too deep is not entered. */
const withDepth = (active: OpenFolder, dir: string, found: Found): Found =>
  found.type === 'folder' && active.rules.recursive && isTooDeep(active.row.path, joinPath(dir, found.name))
    ? { ...found, type: 'too-deep' }
    : found;

/**
 * After a rename the new name may be looked at before the old one. So this checks whether a file with the same inode
 * has left its path. Otherwise a file without consent would count as new. Other folders may be looked at for long, so a
 * path that was missing may hold its file again.
 */
export const createNoteLeft =
  ({ files, ledger }: Pick<Ports, 'files' | 'ledger'>, { missing }: Pick<FileRecorder, 'missing'>) =>
  async (found: Found): Promise<void> => {
    if (found.stamp === null) return;
    for (const row of ledger.uploads.presentByInode(found.stamp.inode)) {
      if (row.folderId === null) continue;
      const from = joinPath(row.dir, row.name);
      const there = await files.look(from).catch(() => 'unreadable' as const);
      if (there === null) missing.add(from);
      else if (there !== 'unreadable') missing.delete(from);
    }
  };
