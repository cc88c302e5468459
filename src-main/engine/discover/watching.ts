// The watched folder over time: it is opened, watched, lost and back. It is scanned at the start, every hour, and
// every 30 s if the watches of the system do not cover it.
import { toAppError } from '../../contract/errors.ts';
import type { Core } from '../state/core.ts';
import { openFolder, whyUnavailable, type ActiveFolder, type Existing } from '../shared/folder.ts';
import { createLoop } from '../shared/loop.ts';
import type { Ports, Sighting } from '../ports.ts';
import { createNameRules } from '../shared/name-rules.ts';

export type Health = { kind: 'off' | 'live' | 'degraded' | 'lost'; message: string | null };

export type Watching = {
  /** The folder that is watched and there. */
  active(): ActiveFolder | null;
  /** The folder that was opened. It may be missing now. */
  opened(): ActiveFolder | null;
  health(): Health;
  /**
   * Starts the watch first and the scan after it, so no file is missed in between. For a new folder it resolves when
   * the baseline is done. Throws `folder-unavailable`.
   */
  open(path: string, existing: Existing): Promise<void>;
  /** Settings changed: patterns take effect at once, by a scan. */
  rulesChanged(): Promise<void>;
  /** The folder may be gone: check it now. */
  check(): void;
  /** No folder is watched any more. */
  close(): Promise<void>;
  stop(): Promise<void>;
};

/** A scan finds files whose hints were lost. Jitter keeps many machines from scanning at the same moment. */
const scanEveryMs = 3_600_000;
const degradedScanEveryMs = 30_000;
/** A missing folder is looked for again after this time. */
const lostCheckMs = 30_000;
const baselineCheckMs = 20;

/** The reason and the remedy while the watching process has to scan instead. Null: its watches are enough. */
export const degradedMessage = ({ ledger }: Pick<Ports, 'ledger'>): string | null =>
  ledger.facts.get('watch-degraded')?.value ?? null;

/** The part of discovery that looks at the folder. */
export type Lookout = {
  sighted(batch: readonly Sighting[]): void;
  requestScan(): void;
  /** The folder or its rules changed: the next scan judges every name again. */
  rulesChanged(): void;
  /** Takes up the rows that settle, from an earlier run or from another process. */
  resume(): void;
  /** Monotonic; null before the first scan. */
  lastScanAtMs(): number | null;
};

export const createWatching = ({ ports, feed, work }: Core, lookout: Lookout): Watching => {
  const { clock, chance, settings, log } = ports;
  const { signal } = work;
  let opened: ActiveFolder | null = null;
  let health: Health = { kind: 'off', message: null };
  let watch: { stop(): Promise<void> } | null = null;
  let ending = new AbortController();
  let isRecursive = true;
  /** The system's message about its watches that is not yet in the activity list. */
  let unrecorded: string | null = null;
  /** The value in the ledger. Undefined: not known yet. */
  let told: string | null | undefined;

  /** Stores the message in the ledger, where other processes read it. */
  const tellOthers = (): void => {
    const message = health.kind === 'degraded' ? health.message : null;
    if (message === told) return;
    if (message !== null) ports.ledger.facts.set('watch-degraded', message, clock.wallMs());
    else if (degradedMessage(ports) !== null) ports.ledger.facts.remove('watch-degraded');
    told = message;
  };

  const startWatch = async (folder: ActiveFolder): Promise<void> => {
    ending = new AbortController();
    const before = health;
    health = { kind: 'live', message: null };
    isRecursive = settings.current().recursive;
    const starting = ports.watch.start({
      root: folder.row.path,
      recursive: isRecursive,
      sighted: (batch) => lookout.sighted(batch),
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
      throw error;
    });
  };

  const endWatch = async (): Promise<void> => {
    ending.abort();
    await watch?.stop();
    watch = null;
  };

  /** Done in the loop, not in the watch callback: a write may fail on a full disk, and only the loop tries again. */
  const recordDegraded = (path: string): void => {
    if (unrecorded === null) return;
    feed.record(null, path, { kind: 'watch-degraded', message: unrecorded });
    unrecorded = null;
  };

  /** The user may have accepted the folder that is there now in another process. */
  const hearChosenAgain = (folder: ActiveFolder): void => {
    const row = ports.ledger.folders.byId(folder.row.id);
    if (row === null || row.identity === folder.row.identity) return;
    folder.row = row;
    folder.isBaseline = !row.baselineDone;
    folder.existing = 'skip';
  };

  const turn = async (): Promise<number | null> => {
    tellOthers();
    const folder = opened;
    if (folder === null) return null;
    recordDegraded(folder.row.path);
    if (health.kind === 'lost') hearChosenAgain(folder);
    const problem = await whyUnavailable(ports.files, folder.row);
    if (problem !== null) {
      if (health.kind !== 'lost') {
        const { path } = folder.row;
        const message = `${problem.message} ${problem.remedy}`;
        feed.record(null, path, { kind: 'folder-lost', folder: path, message });
        health = { kind: 'lost', message };
        await endWatch();
      }
      return lostCheckMs;
    }
    if (health.kind === 'lost') {
      await startWatch(folder);
      lookout.requestScan();
      feed.record(null, folder.row.path, { kind: 'folder-back', folder: folder.row.path });
      return scanEveryMs;
    }
    const everyMs = health.kind === 'degraded' ? degradedScanEveryMs : scanEveryMs * (0.9 + 0.2 * chance());
    const waitMs = (lookout.lastScanAtMs() ?? clock.monoMs()) + everyMs - clock.monoMs();
    if (waitMs > 0) return waitMs;
    lookout.requestScan();
    return everyMs;
  };
  const loop = createLoop({ name: 'folder', ports, work, turn });

  const baselineDone = (folder: ActiveFolder): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (signal.aborted || opened !== folder || !folder.isBaseline || health.kind === 'lost') resolve();
        else clock.after(baselineCheckMs, check);
      };
      check();
    });

  return {
    active: () => (health.kind === 'lost' ? null : opened),
    opened: () => opened,
    health: () => health,
    async open(path, existing) {
      const folder = await openFolder(ports, path, settings.current(), existing);
      await endWatch();
      // The settings may have changed while the folder was opened.
      folder.rules = createNameRules(settings.current(), ports.ignore);
      opened = folder;
      await startWatch(folder);
      lookout.rulesChanged();
      lookout.resume();
      loop.wake();
      await baselineDone(folder);
    },
    async rulesChanged() {
      const folder = opened;
      if (folder === null || settings.current().folder !== folder.row.path) return;
      try {
        // The new rules hold before any access to the disk. A slow or missing disk would keep the old rules in force.
        folder.rules = createNameRules(settings.current(), ports.ignore);
        lookout.rulesChanged();
        if (settings.current().recursive !== isRecursive && health.kind !== 'lost') {
          await endWatch();
          await startWatch(folder);
          lookout.requestScan();
        }
      } catch (error) {
        log.warn('rules not taken over', { code: toAppError(error).code });
      }
    },
    check: loop.wake,
    async close() {
      opened = null;
      health = { kind: 'off', message: null };
      loop.wake();
      await endWatch();
    },
    async stop() {
      await endWatch();
      await loop.stop();
    },
  };
};
