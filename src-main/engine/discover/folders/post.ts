// One watched folder over time: it is opened, watched, lost and back. It is scanned at the start, every hour, and more
// often where events do not cover it (scan.ts).
import { wording, type Wording } from '../../../contract/text/wording.ts';
import { toAppError, type AppError } from '../../../contract/errors.ts';
import type { WaitReason } from '../../../contract/model.ts';
import type { Mounts } from '../../ports/files.ts';
import { isExchanged, isInFirstScan, whyUnavailable } from '../../shared/folder.ts';
import { createLoop } from '../../shared/loop.ts';
import type { Core } from '../../state/core.ts';
import type { OpenFolder } from './open-folder.ts';
import { createMarks, type Marks } from './marks.ts';

export type FolderHealth =
  | { kind: 'off' | 'live'; message: null }
  | { kind: 'degraded'; message: string }
  | { kind: 'lost'; message: Wording };

/** One watched folder. It may be missing now. */
export type Post = {
  folder: OpenFolder;
  marks: Marks;
  health(): FolderHealth;
};

/** A missing folder is looked for again after this time. */
export const lostCheckMs = 30_000;
/** A drive that does not answer may only pause. After this time without an answer it is lost. */
const doubtMs = 3000;
const baselineCheckMs = 20;
/** A file that could not be read on a drive that hung waits as one that another program has locked. */
const waitsForDrive: ReadonlySet<WaitReason> = new Set(['folder', 'locked']);
const waitsForFolder: ReadonlySet<WaitReason> = new Set(['folder']);

/** The part of discovery that looks at the folders. */
export type Lookout = {
  /** There is something to look at. */
  wake(): void;
  /** A folder is opened: the rows that settle in it are taken up. */
  opened(): void;
};

export type OpenPost = Post & {
  /** Whether a disk was mounted or unmounted in the folder. Null: the system reports no mounts. */
  isMountedAnew(): boolean | null;
  /** Milliseconds between two scans of a folder that other machines write to; null for other folders. */
  sharedScanMs(): number | null;
  begin(): Promise<void>;
  rulesChanged(): Promise<void>;
  requestScan(): void;
  check(): void;
  /** A look at something in it had to be left out: a scan makes up for it. */
  missed(): void;
  close(): Promise<void>;
  stop(): Promise<void>;
};

export const createPost = (
  { ports, rows, feed, work, steadyMs }: Core,
  folder: OpenFolder,
  { wake, opened, tellOthers }: Lookout & { tellOthers: () => void },
): OpenPost => {
  const { clock, chance, log, ledger } = ports;
  const { signal } = work;
  const marks = createMarks(clock, chance);
  let isOpen = true;
  const isWanted = (): boolean => isOpen;
  let health: FolderHealth = { kind: 'off', message: null };
  let watch: { stop(): Promise<void> } | null = null;
  let ending = new AbortController();
  let isRecursive = true;
  /** The system's message about its watches that is not yet in the activity list. */
  let unrecorded: string | null = null;
  /** What has been mounted since the folder was proven to be the chosen one. Null: this has changed or is not known. */
  let provenOn = folder.mounts?.own ?? null;
  /** When the drive first gave no answer, monotonic. */
  let doubtedAtMs: number | null = null;
  /** Files may wait for this folder since before it was opened. */
  let hasReleased = false;

  /** When something in it was not looked at, because the folder could not be reached or read. Monotonic. */
  let missedAtMs: number | null = null;
  /** Grows while the scans that make up for it miss something, too. */
  let missedAgainMs = lostCheckMs;

  const requestScan = (): void => {
    missedAtMs = null;
    marks.requestScan();
    wake();
  };

  /** What the files wait for is there: they are looked at now. */
  const releaseWaiting = (reasons: ReadonlySet<WaitReason>): void => {
    for (const { id, folderId, state } of ledger.uploads.inState('waiting', 'all'))
      if (folderId === folder.row.id && state.kind === 'waiting' && reasons.has(state.reason))
        rows.apply(id, { kind: 'replanned', untilMs: steadyMs() });
    wake();
  };

  const startWatch = async (): Promise<void> => {
    ending = new AbortController();
    const before = health;
    health = { kind: 'live', message: null };
    isRecursive = folder.rules.recursive;
    const starting = ports.watch.start({
      root: folder.row.path,
      recursive: isRecursive,
      sighted(batch) {
        marks.note(batch);
        wake();
      },
      health: (now) => {
        if (health.kind === 'lost') return;
        if (now.kind === 'degraded' && health.kind !== 'degraded') unrecorded = now.message;
        health = now.kind === 'degraded' ? now : { kind: 'live', message: null };
        loop.wake();
      },
      signal: AbortSignal.any([signal, ending.signal]),
    });
    watch = await starting.catch((error: unknown) => {
      // The watch did not start. The former state returns, so the loop tries again.
      health = before;
      folder.setMounts(null);
      throw error;
    });
    loop.wake();
    // The folder was closed meanwhile.
    if (!isWanted()) await endWatch();
  };

  const endWatch = async (): Promise<void> => {
    ending.abort();
    await watch?.stop();
    watch = null;
  };

  /** Done in the loop, not in the watch callback: a write may fail on a full disk, and only the loop tries again. */
  const recordDegraded = (): void => {
    if (unrecorded === null) return;
    feed.record(null, folder.row.path, { kind: 'watch-degraded', message: unrecorded });
    unrecorded = null;
  };

  const problemNow = async (mounts: Mounts | null): Promise<AppError | null> => {
    if (provenOn !== mounts?.own) provenOn = null;
    // If nothing else was mounted there, a drive that answers again is the one that hung, even if its content changed.
    const hasOnlyHung = provenOn !== null && ports.files.disk(folder.row.path).mayHang;
    if (health.kind === 'lost' ? hasOnlyHung : !isExchanged(ports.files, folder))
      return whyUnavailable(ports.files, folder.row);
    const problem = await folder.prove();
    if (problem === null) provenOn = mounts?.own ?? null;
    return problem;
  };

  const isMountedAnew = (): boolean | null => {
    const now = ports.files.mounts(folder.row.path);
    return now === null ? null : now.key !== folder.mounts?.key;
  };

  const intervalMs = (): number =>
    marks.intervalMs({ isShared: folder.mounts?.isShared === true, isDegraded: health.kind === 'degraded' });

  const turn = async (): Promise<number | null> => {
    tellOthers();
    if (!isWanted()) return null;
    const { path } = folder.row;
    recordDegraded();
    if (health.kind === 'lost') folder.readChoice();
    // Read first: a disk that is mounted after this is looked at in the next turn.
    const mounts = ports.files.mounts(path);
    const problem = await problemNow(mounts);
    if (!isWanted()) return null;
    if (problem !== null) {
      const mayHang = ports.files.disk(path).mayHang;
      if (health.kind !== 'lost') {
        if (mayHang) doubtedAtMs ??= clock.monoMs();
        const leftMs = doubtedAtMs === null ? 0 : doubtedAtMs + doubtMs - clock.monoMs();
        if (leftMs > 0) return leftMs;
        const message = wording`${problem.message} ${problem.remedy}`;
        feed.record(null, path, { kind: 'folder-lost', folder: path, message });
        health = { kind: 'lost', message };
        tellOthers();
        wake();
        await endWatch();
      }
      // A drive that may hang can be asked often: while one call to it hangs, no other call is made.
      return mayHang ? doubtMs : lostCheckMs;
    }
    if (!hasReleased) releaseWaiting(waitsForFolder);
    hasReleased = true;
    // Calls to the drive have failed meanwhile.
    if (doubtedAtMs !== null && health.kind !== 'lost') {
      requestScan();
      releaseWaiting(waitsForDrive);
    }
    doubtedAtMs = null;
    if (health.kind === 'lost') {
      folder.setMounts(mounts);
      await startWatch();
      requestScan();
      releaseWaiting(waitsForDrive);
      feed.record(null, path, { kind: 'folder-back', folder: path });
      tellOthers();
      return intervalMs();
    }
    // For the watch, a folder on which a disk was mounted is another one. No event reports the files on that disk.
    if (mounts !== null && mounts.key !== folder.mounts?.key) {
      folder.setMounts(mounts);
      await endWatch();
      await startWatch();
      requestScan();
    }
    const everyMs = intervalMs();
    // After the miss, or after the end of the scan that it happened in.
    const againMs =
      missedAtMs === null
        ? Infinity
        : missedAgainMs + Math.max(missedAtMs - clock.monoMs(), marks.untilScanMs(0));
    const waitMs = Math.min(marks.untilScanMs(everyMs), againMs);
    if (waitMs > 0) return waitMs;
    missedAgainMs = missedAtMs === null ? lostCheckMs : 2 * missedAgainMs;
    requestScan();
    return everyMs;
  };
  const loop = createLoop({ name: 'folder', ports, work, turn });

  const baselineDone = (): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (signal.aborted || !isOpen || !isInFirstScan(folder) || health.kind === 'lost') resolve();
        else clock.after(baselineCheckMs, check);
      };
      check();
    });

  return {
    folder,
    marks,
    health: () => health,
    isMountedAnew,
    sharedScanMs: () => (folder.mounts?.isShared === true ? intervalMs() : null),
    async begin() {
      // The settings may have changed while the folder was opened.
      folder.takeRules();
      await startWatch();
      requestScan();
      opened();
      loop.wake();
      await baselineDone();
    },
    async rulesChanged() {
      try {
        // The new rules hold before any access to the disk. A slow or missing disk would keep the old rules in force.
        folder.takeRules();
        requestScan();
        if (folder.rules.recursive !== isRecursive && health.kind !== 'lost') {
          await endWatch();
          await startWatch();
          requestScan();
        }
      } catch (error) {
        log.warn('rules not taken over', { code: toAppError(error).code });
      }
    },
    requestScan,
    check: loop.wake,
    missed() {
      missedAtMs = clock.monoMs();
      loop.wake();
    },
    async close() {
      isOpen = false;
      loop.wake();
      await endWatch();
    },
    async stop() {
      await endWatch();
      await loop.stop();
    },
  };
};
