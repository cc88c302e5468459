// Discovery: the way from a hint to a row that is ready. Hints and scans say where to look (scan.ts). A look decides
// and records (record-file.ts). Quiet time and rules follow (admit.ts). Only a scan is complete; hints are faster.
import type { Account } from '../account/account.ts';
import { addByHand } from './given-by-path.ts';
import type { ActiveFolder } from '../shared/folder.ts';
import { createBurstGate } from './intake-rules.ts';
import type { Ports, Sighting, Upload } from '../ports.ts';
import { brakeSpanMs, createQuietPeriods } from './quiet-period.ts';
import { createAdmission } from './admit.ts';
import { createFileRecorder } from './record-file.ts';
import { startSlices } from '../shared/slices.ts';
import type { Rows } from '../state/rows.ts';
import { createScanner } from './scan.ts';
import { createUnreadableFolders } from './unreadable-folders.ts';

export type Discovery = {
  sighted(batch: readonly Sighting[]): void;
  requestScan(): void;
  /** The folder or its rules changed: the next scan judges every name again. */
  rulesChanged(): void;
  /** A row whose file must be looked at again. */
  lookAgain(upload: Upload): void;
  addByHand(paths: readonly string[], again: boolean): Promise<Upload[]>;
  /** Takes up the rows that settle, from an earlier run or from another process. */
  resume(): void;
  /** Does one piece of work. Returns milliseconds until the next one, or null. */
  turn(signal: AbortSignal): Promise<number | null>;
  /** No file is to be looked at, and no file settles. */
  isStill(): boolean;
  /** Monotonic; null before the first. */
  lastScanAtMs(): number | null;
};

/** More names than this in one folder: list it instead of looking at each. */
const namesPerFolder = 32;
const mostSettling = 1_000_000;

export const createDiscovery = (options: {
  ports: Ports;
  rows: Rows;
  account: Account;
  /** Null while no folder is watched, or while it is missing. */
  folder: () => ActiveFolder | null;
  folderIdOf: (path: string) => number | null;
  steadyMs: () => number;
  ready: () => void;
  lost: () => void;
  wake: () => void;
}): Discovery => {
  const { ports, rows, account, folder, ready } = options;
  const { ledger, clock, settings } = ports;
  const dirty = new Map<string, Set<string> | null>();
  const again = new Set<number>();
  let isResumed = false;
  let scanWanted = false;
  let lastScanAtMs: number | null = null;

  const quiet = createQuietPeriods(
    () => ({ settleMs: settings.current().settleMs }),
    (id) => ledger.uploads.versionsBefore(id, clock.wallMs() - brakeSpanMs),
  );
  const burst = createBurstGate(() => settings.current());
  const unread = createUnreadableFolders(ports);
  const recorder = createFileRecorder({ ports, rows, quiet, burst, unread });
  const scanner = createScanner({ ports, recorder, unread, lost: options.lost });
  const settling = createAdmission({
    ports,
    rows,
    account,
    quiet,
    burst,
    recorder,
    folder,
    steadyMs: options.steadyMs,
    ready,
  });

  const mark = (sighting: Sighting): void => {
    if (sighting.everything === true) {
      scanWanted = true;
      return;
    }
    const names = dirty.get(sighting.folder);
    if (names === null) return;
    if (sighting.name === null || (names !== undefined && names.size >= namesPerFolder)) {
      dirty.set(sighting.folder, null);
    } else if (names === undefined) dirty.set(sighting.folder, new Set([sighting.name]));
    else names.add(sighting.name);
  };

  const lookAtDirty = async (active: ActiveFolder, isCurrent: () => boolean): Promise<void> => {
    recorder.missing.clear();
    const work = [...dirty];
    dirty.clear();
    for (const [dir, names] of work) {
      if (!isCurrent()) return;
      if (names === null) await scanner.list(active, dir, isCurrent);
      else for (const name of names) await scanner.look(active, dir, name, isCurrent);
    }
  };

  const lookAtFolder = async (active: ActiveFolder, isCurrent: () => boolean): Promise<void> => {
    try {
      if (scanWanted) {
        scanWanted = false;
        dirty.clear();
        await scanner.scan(active, isCurrent);
        lastScanAtMs = clock.monoMs();
      }
      if (dirty.size > 0) await lookAtDirty(active, isCurrent);
    } catch (error) {
      // The marks of this work are already removed. Only a scan finds the rest.
      scanWanted = true;
      throw error;
    }
  };

  const lookAtRow = async (id: number, isCurrent: () => boolean): Promise<void> => {
    const row = ledger.uploads.byId(id);
    if (row === null || !row.present) return;
    const active = folder();
    const isActive = active !== null && row.folderId === active.row.id;
    if (isActive && !(await scanner.isInside(active, row.dir))) {
      ledger.atomically(() => recorder.vanish(row));
      return;
    }
    if (row.state.kind !== 'uploaded') {
      // Its turn may come late. If it is now on its way, uncertain or cancelled, it must not begin again.
      if (row.state.kind === 'settling' || row.state.kind === 'waiting') await settling.lookAt(row);
      return;
    }
    // It may have changed while its last bytes went out.
    if (isActive) {
      await scanner.look(active, row.dir, row.name, isCurrent);
    }
  };

  return {
    sighted(batch) {
      for (const sighting of batch) mark(sighting);
      options.wake();
    },
    requestScan() {
      scanWanted = true;
      options.wake();
    },
    rulesChanged() {
      scanner.rulesChanged();
      scanWanted = true;
      options.wake();
    },
    lookAgain(upload) {
      // A file given by hand is sent once, as it was. The user did not ask for its next version.
      if (upload.state.kind === 'uploaded' && upload.folderId === null) return;
      again.add(upload.id);
      options.wake();
    },
    async addByHand(paths, uploadAgain) {
      const given = await addByHand(ports, { recorder, rows }, options.folderIdOf, paths, uploadAgain);
      // A separate look finds out whether the file is old enough to go at once.
      for (const row of given) if (row.state.kind === 'settling') again.add(row.id);
      options.wake();
      return given;
    },
    resume() {
      const settling = ledger.uploads.inState('settling', mostSettling);
      if (!isResumed) recorder.countAgain(settling);
      isResumed = true;
      for (const { id } of settling) again.add(id);
      options.wake();
    },
    async turn(signal) {
      const active = folder();
      const isCurrent = (): boolean => !signal.aborted && folder() === active;
      if (active !== null) await lookAtFolder(active, isCurrent);
      const breathe = startSlices(clock, 20);
      for (const id of again) {
        const pause = breathe();
        if (pause !== null) await pause;
        if (signal.aborted) return null;
        again.delete(id);
        await lookAtRow(id, isCurrent);
      }
      await settling.turn(signal);
      if (signal.aborted) return null;
      if (again.size > 0 || (folder() !== null && (scanWanted || dirty.size > 0))) return 0;
      return settling.waitMs();
    },
    isStill: () =>
      quiet.size() === 0 && again.size === 0 && (folder() === null || (!scanWanted && dirty.size === 0)),
    lastScanAtMs: () => lastScanAtMs,
  };
};
