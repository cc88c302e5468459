// What is still to be looked at in a watched folder, and when it is scanned again.
import type { Clock } from '../../ports/ports.ts';
import type { Sighting } from '../../ports/files.ts';

/** Work in a folder: `names` null: all of `dir`. */
export type DirtyFolder = { dir: string; names: ReadonlySet<string> | null };

/** More names than this in one folder: list it instead of looking at each. */
const namesPerFolder = 32;

export const createMarks = (clock: Pick<Clock, 'monoMs'>, chance: () => number) => {
  /** Names by folder; null: all of it. */
  const dirty = new Map<string, Set<string> | null>();
  let isScanWanted = false;
  /** Monotonic; null before the first one. */
  let lastScanAtMs: number | null = null;
  let cost: ScanCost = { expectedMs: 0, lastMs: 0 };

  const note = ({ everything, folder, name }: Sighting): void => {
    if (everything === true) {
      isScanWanted = true;
      return;
    }
    const names = dirty.get(folder);
    if (names === null) return;
    if (name === null || (names !== undefined && names.size >= namesPerFolder)) dirty.set(folder, null);
    else if (names === undefined) dirty.set(folder, new Set([name]));
    else names.add(name);
  };

  return {
    note: (batch: readonly Sighting[]): void => batch.forEach(note),
    requestScan(): void {
      isScanWanted = true;
    },
    hasWork: (): boolean => isScanWanted || dirty.size > 0,
    /** Scans, if a scan is wanted. That covers everything that was marked before. */
    async scanWith(scan: () => Promise<void>): Promise<void> {
      if (!isScanWanted) return;
      isScanWanted = false;
      dirty.clear();
      const startMs = clock.monoMs();
      await scan();
      lastScanAtMs = clock.monoMs();
      cost = costAfter(cost, lastScanAtMs - startMs);
    },
    /** What was marked, which counts as done from now on. */
    takeDirty(): DirtyFolder[] {
      const taken = [...dirty].map(([dir, names]) => ({ dir, names }));
      dirty.clear();
      return taken;
    },
    /** Milliseconds from the end of one scan to the start of the next. */
    intervalMs: (folder: Omit<Parameters<typeof scanInterval>[0], 'cost'>): number =>
      scanInterval({ ...folder, cost }, chance()),
    /** Milliseconds until the next scan, if it comes after this interval. */
    untilScanMs: (everyMs: number): number => (lastScanAtMs ?? clock.monoMs()) + everyMs - clock.monoMs(),
  };
};

export type Marks = ReturnType<typeof createMarks>;

/** Between two scans where the system reports every change. They find files whose events were lost. */
const scanEveryMs = 3_600_000;

/** Elsewhere: at least this time, and more if scans would take more than this share of it. */
const onShared = { leastMs: 60_000, share: 0.03 };
const withoutWatches = { leastMs: 30_000, share: 0.003 };

/** What the scans of a folder took, in milliseconds. */
export type ScanCost = { expectedMs: number; lastMs: number };

/** The cheaper of the last two: one may have waited for other work, or have recorded new files. */
export const costAfter = ({ lastMs }: ScanCost, tookMs: number): ScanCost => ({
  expectedMs: Math.min(lastMs, tookMs),
  lastMs: tookMs,
});

/**
 * Milliseconds from the end of a scan to the start of the next. `isShared`: other machines write to the drive, and no
 * event reports it. `isDegraded`: there are no watches left. `chance`, 0 to 1, keeps many machines from scanning at
 * the same moment.
 */
export const scanInterval = (
  { isShared, isDegraded, cost }: { isShared: boolean; isDegraded: boolean; cost: ScanCost },
  chance: number,
): number => {
  if (!isShared && !isDegraded) return scanEveryMs * (0.9 + 0.2 * chance);
  const { leastMs, share } = isShared ? onShared : withoutWatches;
  return Math.min(scanEveryMs, Math.max(leastMs, cost.expectedMs / share));
};
