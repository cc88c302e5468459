// The watched folder over time: open, watched, lost, back; scanned at the start, hourly, and every 30 s where the
// system's watches do not suffice.
import { toAppError } from '../../contract/errors.ts';
import type { Discovery } from './discovery.ts';
import type { Feed } from '../shared/feed.ts';
import { openFolder, whyUnavailable, type ActiveFolder, type Existing } from '../shared/folder.ts';
import { createLoop } from '../shared/loop.ts';
import type { Ports } from '../ports.ts';
import { createNameRules } from '../shared/name-rules.ts';

export type Health = { kind: 'off' | 'live' | 'degraded' | 'lost'; message: string | null };

export type Watching = {
  /** The folder that is watched and there. */
  active(): ActiveFolder | null;
  /** The folder that was opened, there or not. */
  opened(): ActiveFolder | null;
  health(): Health;
  /**
   * Watches first and scans after: what arrives in between is seen by one of the two. Resolves when a folder that
   * is new has been read once. Throws `folder-unavailable`.
   */
  open(path: string, existing: Existing): Promise<void>;
  /** Settings changed: patterns take effect at once, by a scan. */
  rulesChanged(): Promise<void>;
  /** Something says that the folder may be gone. */
  check(): void;
  /** No folder is watched any more. */
  close(): Promise<void>;
  stop(): Promise<void>;
};

/** A scan makes up for hints that were lost; with jitter so that machines do not do it together. */
const scanEveryMs = 3_600_000;
const degradedScanEveryMs = 30_000;
/** A folder that is not there is asked for again. */
const lostCheckMs = 30_000;
const baselineCheckMs = 20;

const degradedFact = 'watch-degraded';

/** Why, and what to do, where the process that watches has to scan instead; null where its watches suffice. */
export const degradedMessage = ({ ledger }: Pick<Ports, 'ledger'>): string | null => {
  const value = ledger.facts.get(degradedFact)?.value;
  return typeof value === 'string' ? value : null;
};

export const createWatching = (options: {
  ports: Ports;
  feed: Feed;
  discovery: () => Discovery;
  signal: AbortSignal;
  /** False while the ledger cannot be written. */
  isWell: () => boolean;
}): Watching => {
  const { ports, feed, discovery, signal } = options;
  const { clock, chance, settings, log } = ports;
  let opened: ActiveFolder | null = null;
  let health: Health = { kind: 'off', message: null };
  let watch: { stop(): Promise<void> } | null = null;
  let ending = new AbortController();
  let isRecursive = true;
  /** What the system said of its watches and no entry says yet. */
  let unrecorded: string | null = null;
  /** As it stands in the ledger; undefined: not looked yet. */
  let told: string | null | undefined;

  /** For whoever asks beside this process. */
  const tellOthers = (): void => {
    const message = health.kind === 'degraded' ? health.message : null;
    if (message === told) return;
    if (message !== null) ports.ledger.facts.set(degradedFact, message, clock.wallMs());
    else if (degradedMessage(ports) !== null) ports.ledger.facts.remove(degradedFact);
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
      enter: () => true,
      sighted: (batch) => discovery().sighted(batch),
      health: (now) => {
        if (health.kind === 'lost') return;
        if (now.kind === 'degraded' && health.kind !== 'degraded') unrecorded = now.message;
        health = now.kind === 'degraded' ? now : { kind: 'live', message: null };
        loop.wake();
      },
      signal: AbortSignal.any([signal, ending.signal]),
    });
    watch = await starting.catch((error: unknown) => {
      // Not watched after all: it is tried again as before.
      health = before;
      throw error;
    });
  };

  const endWatch = async (): Promise<void> => {
    ending.abort();
    await watch?.stop();
    watch = null;
  };

  /** Here and not where it is heard: whoever watches cannot do anything about a full disk. */
  const recordDegraded = (path: string): void => {
    if (unrecorded === null) return;
    feed.record(null, path, { kind: 'watch-degraded', message: unrecorded });
    unrecorded = null;
  };

  /** Another process may have taken the folder that lies there now for the right one. */
  const hearChosenAgain = (folder: ActiveFolder): void => {
    const row = ports.ledger.folders.byId(folder.row.id);
    if (row === null || row.identity === folder.row.identity) return;
    folder.row = row;
    folder.isBaseline = !row.baselineDone;
    folder.existing = 'skip';
  };

  const turn = async (): Promise<number | null> => {
    if (!options.isWell()) return null;
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
      discovery().requestScan();
      feed.record(null, folder.row.path, { kind: 'folder-back', folder: folder.row.path });
      return scanEveryMs;
    }
    const everyMs = health.kind === 'degraded' ? degradedScanEveryMs : scanEveryMs * (0.9 + 0.2 * chance());
    const waitMs = (discovery().lastScanAtMs() ?? clock.monoMs()) + everyMs - clock.monoMs();
    if (waitMs > 0) return waitMs;
    discovery().requestScan();
    return everyMs;
  };
  const loop = createLoop({ name: 'folder', clock, log, signal, turn });

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
      // The settings may have changed while the disk was asked.
      folder.rules = createNameRules(settings.current(), ports.ignore);
      opened = folder;
      await startWatch(folder);
      discovery().rulesChanged();
      discovery().resume();
      loop.wake();
      await baselineDone(folder);
    },
    async rulesChanged() {
      const folder = opened;
      if (folder === null || settings.current().folder !== folder.row.path) return;
      try {
        // Nothing is asked of the disk before: it may be slow, or away, and the former rules would go on.
        folder.rules = createNameRules(settings.current(), ports.ignore);
        discovery().rulesChanged();
        if (settings.current().recursive !== isRecursive && health.kind !== 'lost') {
          await endWatch();
          await startWatch(folder);
          discovery().requestScan();
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
