// The survey: reads folders against the ledger. A full scan is the truth; a look at one name or one folder is the
// same for a part of it. Folder by folder, one query and one transaction each, so that 100,000 files cost little
// memory and never block for long.
import { joinPath, splitPath } from '../shared/paths.ts';
import { whyUnavailable, type ActiveFolder } from '../shared/folder.ts';
import type { Found, Listing, Ports, Upload } from '../ports.ts';
import { noteBaseline } from './consent.ts';
import { printOfRules } from '../shared/name-rules.ts';
import { startSlices } from '../shared/slices.ts';
import { flatFact, type FileRecorder } from './record-file.ts';
import { isSameVersion } from '../shared/file-version.ts';
import type { Unread } from './unreadable-folders.ts';

export type Scanner = {
  /** Everything; ends the baseline. Stops early when `isCurrent` turns false. */
  scan(active: ActiveFolder, isCurrent: () => boolean): Promise<void>;
  /** One name in a folder, whatever it is now. */
  look(active: ActiveFolder, dir: string, name: string, isCurrent: () => boolean): Promise<void>;
  /** One folder and the subfolders that are new in it. */
  list(active: ActiveFolder, dir: string, isCurrent: () => boolean): Promise<void>;
  /** Whether the way from the watched folder down to `dir` is made of folders, without a link in it. */
  isInside(active: ActiveFolder, dir: string): Promise<boolean>;
  /** The rules changed: the next scan judges every name anew. */
  rulesChanged(): void;
};

/** A folder that is being listed, and its rows that have not been met unchanged so far, by name. */
type Reading = { dir: string; known: Map<string, string | null>; listing: Promise<Listing> };

/** Rows in one transaction: about five milliseconds. */
const rowsAtOnce = 64;

export const createScanner = (options: {
  ports: Pick<Ports, 'files' | 'ledger' | 'settings' | 'clock' | 'log'>;
  recorder: FileRecorder;
  unread: Unread;
  /** The watched folder itself cannot be read. */
  lost: () => void;
}): Scanner => {
  const { recorder, unread } = options;
  const { files, ledger, settings, clock, log } = options.ports;
  let rulesMayDiffer = true;
  /** False when a folder of the present scan could not be read. */
  let isWhole = true;
  const wasWhole = (): boolean => isWhole;

  /** The rules by which every name of a folder was judged in a whole scan: a restart need not judge them anew. */
  const judgedBy = 'judged-by';
  const isJudged = (folderId: number | null, print: string): boolean => {
    const value = ledger.facts.get(judgedBy)?.value;
    return Array.isArray(value) && (folderId === null || value[0] === folderId) && value[1] === print;
  };

  /** At once: what is judged by other rules from now on must be judged again when the former ones come back. */
  const judgingBy = (print: string): void => {
    if (!isJudged(null, print)) ledger.facts.remove(judgedBy);
  };

  /**
   * Before anything counts as gone or as new: a disk that was taken away leaves an empty folder behind, or another
   * disk's.
   */
  const isThere = async (active: ActiveFolder): Promise<boolean> => {
    if ((await whyUnavailable(files, active.row)) === null) return true;
    options.lost();
    return false;
  };

  /** The ledger is asked first, so that what is not found afterwards was there before. */
  const begin = (active: ActiveFolder, dir: string): Reading => {
    const known = ledger.uploads.stampsIn(active.row.id, dir, rulesMayDiffer);
    const isUnchanged = (name: string, key: string): boolean =>
      isSameVersion(known.get(name) ?? null, key) && known.delete(name);
    return { dir, known, listing: files.list(dir, isUnchanged) };
  };

  /** One folder against the ledger; returns its subfolders, or null when it could not be read. */
  const compare = async (active: ActiveFolder, reading: Reading): Promise<string[] | null> => {
    const { dir, known } = reading;
    const listing = await reading.listing;
    if (!listing.ok) {
      isWhole = false;
      if (dir === active.row.path) options.lost();
      else if (listing.gone && (await isThere(active))) forgetBelow(active, dir);
      if (!listing.gone) {
        unread.failed(active, dir);
        log.warn('folder not readable', { dir, message: listing.message });
      }
      return null;
    }
    const folders: string[] = [];
    const changed: Found[] = [];
    for (const found of listing.found) {
      if (found.type === 'folder') {
        folders.push(joinPath(dir, found.name));
        continue;
      }
      const before = known.get(found.name);
      if (before !== undefined && isSameVersion(before, found.stamp?.key ?? null)) known.delete(found.name);
      else changed.push(found);
    }
    const isAsKnown = changed.length === 0 && known.size === 0;
    for (const found of changed) if (!known.delete(found.name)) await noteLeft(active, found);
    if (!isAsKnown) {
      if (!(await isThere(active))) {
        isWhole = false;
        return null;
      }
      for (const name of known.keys()) recorder.missing.add(joinPath(dir, name));
      // As it is in the ledger now: meanwhile it may have been given by hand, or followed to another name.
      const rowOf = (name: string): Upload | null => ledger.uploads.presentAt(active.row.id, dir, name);
      await recordAll(changed, (found) => {
        recorder.sight(active, dir, found, rowOf(found.name));
      });
      await recordAll([...known.keys()], (name) => {
        const row = rowOf(name);
        if (row !== null) recorder.vanish(row);
      });
    }
    return settings.current().recursive ? folders : [];
  };

  /** In transactions of a few: very many changes in one folder would hold up everything else. */
  const recordAll = async <T>(changes: readonly T[], record: (change: T) => void): Promise<void> => {
    const breathe = startSlices(clock);
    for (let from = 0; from < changes.length; from += rowsAtOnce) {
      const pause = breathe();
      if (pause !== null) await pause;
      ledger.atomically(() => {
        for (const change of changes.slice(from, from + rowsAtOnce)) record(change);
      });
    }
  };

  /**
   * The new name of a rename may be looked at before the old one: whether a file with the same inode has left its
   * path is asked here, so that what nobody consented to is not taken for a new file.
   */
  const noteLeft = async (active: ActiveFolder, found: Found): Promise<void> => {
    if (found.stamp === null) return;
    for (const row of ledger.uploads.presentByInode(found.stamp.inode)) {
      const from = joinPath(row.dir, row.name);
      if (row.folderId !== active.row.id || recorder.missing.has(from)) continue;
      if ((await files.look(from).catch(() => 'unreadable' as const)) === null) recorder.missing.add(from);
    }
  };

  /** Rows in a folder that is not there any more, or became a file. */
  const forgetBelow = (active: ActiveFolder, dir: string): void => {
    const inside = joinPath(dir, '');
    for (const known of ledger.uploads.presentDirs(active.row.id)) {
      if (known !== dir && !known.startsWith(inside)) continue;
      ledger.atomically(() => {
        for (const id of ledger.uploads.presentIn(active.row.id, known)) {
          const row = ledger.uploads.byId(id);
          if (row !== null) recorder.vanish(row);
        }
      });
    }
  };

  const walk = async (
    active: ActiveFolder,
    from: string,
    isCurrent: () => boolean,
  ): Promise<ReadonlySet<string>> => {
    const visited = new Set<string>();
    const pending = [from];
    const next = (): Reading | null => {
      const dir = pending.pop();
      if (dir === undefined) return null;
      return begin(active, dir);
    };
    let ahead = next();
    while (ahead !== null && isCurrent()) {
      const reading = ahead;
      // The system reads its names while the files of this one are looked at.
      ahead = next();
      const folders = await compare(active, reading);
      if (folders !== null) {
        visited.add(reading.dir);
        pending.push(...folders);
      }
      ahead ??= next();
    }
    if (isCurrent()) unread.read(active, visited);
    return visited;
  };

  /** A hint may come from a subfolder although subfolders are off: from a watch that is just being changed. */
  const isOutOfReach = (active: ActiveFolder, dir: string): boolean =>
    !settings.current().recursive && dir !== active.row.path;

  const isInside = async (active: ActiveFolder, dir: string): Promise<boolean> => {
    for (let at = dir; at !== active.row.path; at = splitPath(at).dir) {
      if (at.length <= active.row.path.length) return false;
      const found = await files.look(at).catch(() => 'unreadable' as const);
      // What is not there is nowhere; whether it is gone is for a listing to say.
      if (found !== null && found !== 'unreadable' && found.type !== 'folder') return false;
    }
    return true;
  };

  return {
    isInside,
    async scan(active, isCurrent) {
      const startMs = clock.monoMs();
      const { rules } = active;
      rulesMayDiffer = !isJudged(active.row.id, rules.print);
      isWhole = true;
      recorder.missing.clear();
      const isFlat = !settings.current().recursive;
      const visited = await walk(active, active.row.path, isCurrent);
      if (!isCurrent() || !(await isThere(active))) return;
      for (const dir of ledger.uploads.presentDirs(active.row.id)) {
        if (visited.has(dir)) continue;
        // Not seen in the walk: gone, or not readable now. Only a folder that is truly gone loses its rows.
        const isGone = async (): Promise<boolean> => {
          const listing = await files.list(dir);
          return !listing.ok && listing.gone;
        };
        if (!settings.current().recursive || !(await isInside(active, dir)) || (await isGone())) {
          forgetBelow(active, dir);
        }
      }
      // Others may have held meanwhile; then another scan is wanted already.
      rulesMayDiffer = active.rules !== rules;
      if (!rulesMayDiffer && wasWhole() && !isJudged(active.row.id, rules.print)) {
        ledger.facts.set(judgedBy, [active.row.id, rules.print], clock.wallMs());
      }
      log.info('scanned', { folders: visited.size, tookMs: Math.round(clock.monoMs() - startMs) });
      if (!active.isBaseline) return;
      ledger.atomically(() => {
        if (isFlat || !settings.current().recursive) ledger.facts.set(flatFact(active), true, clock.wallMs());
        noteBaseline(options.ports, active);
        ledger.folders.update(active.row.id, { baselineDone: true });
      });
      active.isBaseline = false;
    },
    async look(active, dir, name, isCurrent) {
      if (!isCurrent() || isOutOfReach(active, dir)) return;
      judgingBy(active.rules.print);
      if (!(await isThere(active))) return;
      // A folder that became a link leads outside, whatever lies behind it.
      if (!(await isInside(active, dir))) {
        forgetBelow(active, dir);
        return;
      }
      const path = joinPath(dir, name);
      const found = await files.look(path).catch(() => 'unreadable' as const);
      // What cannot be looked at stays as it is; the next scan asks again.
      if (found === 'unreadable') return;
      const known = ledger.uploads.presentAt(active.row.id, dir, name);
      if (found === null) {
        recorder.missing.add(path);
        if (known === null) forgetBelow(active, path);
        else ledger.atomically(() => recorder.vanish(known));
        return;
      }
      if (found.type === 'folder') {
        if (known !== null) ledger.atomically(() => recorder.vanish(known));
        if (settings.current().recursive) await walk(active, path, isCurrent);
        return;
      }
      if (known === null) await noteLeft(active, found);
      ledger.atomically(() => recorder.sight(active, dir, found, known));
    },
    async list(active, dir, isCurrent) {
      judgingBy(active.rules.print);
      if (!(await isThere(active))) return;
      if (!(await isInside(active, dir))) {
        forgetBelow(active, dir);
        return;
      }
      if (isOutOfReach(active, dir)) return;
      const known = new Set(ledger.uploads.presentDirs(active.row.id));
      const folders = await compare(active, begin(active, dir));
      for (const folder of folders ?? []) {
        if (!known.has(folder) && isCurrent()) await walk(active, folder, isCurrent);
      }
      if (folders !== null && isCurrent()) unread.read(active, new Set([dir]));
    },
    rulesChanged() {
      rulesMayDiffer = true;
      judgingBy(printOfRules(settings.current()));
    },
  };
};
