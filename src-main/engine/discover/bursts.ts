// Files that arrive together: they are counted, and the question about them comes at once.
import { nameVerdict } from '../given/names-at.ts';
import type { Core } from '../state/core.ts';
import type { ActiveFolder } from '../shared/folder.ts';
import { startSlices } from '../shared/loop.ts';
import { isInGrace, isPausedByFolder } from '../shared/waits.ts';
import type { QuietPeriods } from './quiet-period.ts';

/** Counts files that arrive together (README.md, promise 4). If a burst is over the limit, all of it is held. */
export type Bursts = {
  /** One more new file. */
  arrived(id: number, sizeBytes: number, nowMs: number): void;
  /** What this file is a part of, or is by itself; null: neither. `sizeBytes`: as it is now. */
  holds(id: number, sizeBytes: number): 'burst' | 'large' | null;
  /** The files of a burst that nobody has taken yet: the question about them does not wait for anything. */
  take(): number[];
  /** The file has its state. */
  forget(id: number): void;
  /** Whether the files of the last minute are over the limit. */
  isOver(nowMs: number): boolean;
};

/** Files that arrive within this time are asked about together. */
const burstSpanMs = 60_000;

export const createBursts = (limits: () => { burstFiles: number; burstBytes: number }): Bursts => {
  /** Of the last minute, oldest first. `from`: those before it are older. */
  let recent: { id: number; sizeBytes: number; atMs: number }[] = [];
  let from = 0;
  let bytes = 0;
  /** New files without a state. */
  const known = new Set<number>();
  const held = new Set<number>();
  const fresh = new Set<number>();
  /** A file that is over the limit alone is a question of its own. */
  const counted = (sizeBytes: number): number => (sizeBytes > limits().burstBytes ? 0 : sizeBytes);
  const dropOld = (nowMs: number): void => {
    for (let one = recent[from]; one !== undefined && nowMs - one.atMs > burstSpanMs; one = recent[from]) {
      bytes -= one.sizeBytes;
      from += 1;
    }
    if (from > 1000 && from > recent.length / 2) [recent, from] = [recent.slice(from), 0];
  };
  const isOver = (nowMs: number): boolean => {
    dropOld(nowMs);
    return recent.length - from > limits().burstFiles || bytes > limits().burstBytes;
  };
  const hold = (id: number): void => {
    if (!known.has(id) || held.has(id)) return;
    held.add(id);
    fresh.add(id);
  };
  return {
    arrived(id, sizeBytes, nowMs) {
      const wasOver = isOver(nowMs);
      recent.push({ id, sizeBytes: counted(sizeBytes), atMs: nowMs });
      bytes += counted(sizeBytes);
      known.add(id);
      if (wasOver) hold(id);
      else if (isOver(nowMs)) for (const one of recent.slice(from)) hold(one.id);
    },
    holds(id, sizeBytes) {
      if (known.has(id) && sizeBytes > limits().burstBytes) return 'large';
      return held.has(id) ? 'burst' : null;
    },
    take() {
      const ids = [...fresh];
      fresh.clear();
      return ids;
    },
    forget(id) {
      for (const ids of [known, held, fresh]) ids.delete(id);
    },
    isOver,
  };
};

const heldAtOnce = 64;

/** Holds the files of a burst. What a rule decides by their name or size is decided when they have settled. */
export const holdBurst = async (
  {
    ports,
    rows,
    quiet,
    bursts,
    activeOf,
  }: Pick<Core, 'ports' | 'rows'> & {
    quiet: Pick<QuietPeriods, 'forget'>;
    bursts: Bursts;
    activeOf: (folderId: number | null) => ActiveFolder | null;
  },
  signal: AbortSignal,
): Promise<void> => {
  const { ledger, clock } = ports;
  const breathe = startSlices(clock, 20);
  const ids = bursts.take();
  const newlyHeld = new Set<number>();
  const holdOne = (id: number): void => {
    const row = ledger.uploads.byId(id);
    if (row === null || row.state.kind !== 'settling' || row.confirmed || row.stamp === null) return;
    // The content may have an answer already.
    if (ledger.letGo.knowsSize(row.stamp.sizeBytes)) return;
    const isOfMany = bursts.holds(id, row.stamp.sizeBytes) === 'burst' && row.stamp.sizeBytes > 0;
    if (!isOfMany || nameVerdict(ports, row, activeOf(row.folderId)).kind !== 'wanted') return;
    if (rows.apply(id, { kind: 'burst' }) === 'stale') return;
    quiet.forget(id);
    bursts.forget(id);
    newlyHeld.add(id);
  };
  for (let from = 0; from < ids.length && !signal.aborted; from += heldAtOnce) {
    const pause = breathe();
    if (pause !== null) await pause;
    ledger.atomically(() => ids.slice(from, from + heldAtOnce).forEach(holdOne));
  }
  if (newlyHeld.size > 0) ledger.atomically(() => holdRestOfBurst({ ports, rows }));
};

/** When a burst goes over the limit, its first files may already be ready, in their time of grace, or paused. */
export const holdRestOfBurst = ({ ports, rows }: Pick<Core, 'ports' | 'rows'>): void => {
  const { clock, ledger, settings } = ports;
  const nowMs = clock.wallMs();
  const most = settings.current().burstFiles + 1;
  // Others may wait for long; those of the burst are the newest.
  const waiting = ledger.uploads.inState('waiting', most, 'newest');
  const still = waiting.filter((row) => isInGrace(row) || isPausedByFolder(row));
  for (const row of [...ledger.uploads.inState('ready', most), ...still]) {
    if (row.folderId === null || row.confirmed || row.createdAtMs < nowMs - burstSpanMs) continue;
    rows.apply(row.id, { kind: 'burst' });
  }
};
