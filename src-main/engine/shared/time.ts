// Time for "not before": wall time that never goes slower than the monotonic clock, so that a wall clock that is set
// back delays nothing. Not for what a file system or a person says about time: those go by the wall.
import type { SinceBoot } from '../../contract/model.ts';
import type { Clock } from '../ports.ts';

/** Returns the clock: epoch milliseconds, at least as many later as the monotonic clock says. */
export const createSteady = (clock: Clock): (() => number) => {
  let wallMs = clock.wallMs();
  let monoMs = clock.monoMs();
  return () => {
    const byMonoMs = wallMs + clock.monoMs() - monoMs;
    wallMs = Math.max(clock.wallMs(), byMonoMs);
    monoMs = clock.monoMs();
    return Math.floor(wallMs);
  };
};

/**
 * How long ago moments were that only the wall knows, such as that of a tail. The smaller of what both clocks say,
 * so that a jump forward ages nothing; but at least as long as this process has known of it.
 */
export const createSince = (clock: Clock) => {
  const seen = new Map<number, { wallMs: number; monoMs: number }>();
  return {
    /** These are open; the others are forgotten. */
    note(ids: ReadonlySet<number>): void {
      for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id);
      for (const id of ids)
        if (!seen.has(id)) seen.set(id, { wallMs: clock.wallMs(), monoMs: clock.monoMs() });
    },
    ms(id: number, atMs: number): number {
      const first = seen.get(id);
      const byWallMs = clock.wallMs() - atMs;
      if (first === undefined) return byWallMs;
      const knownMs = clock.monoMs() - first.monoMs;
      return Math.max(knownMs, Math.min(byWallMs, first.wallMs - atMs + knownMs));
    },
  };
};

/**
 * How long ago a moment was that was noted by the machine's own count: exact over restarts of this process, whatever
 * was done to the wall clock. Null where the machine was started anew since, or does not count.
 */
export const sinceMark = (mark: SinceBoot | null | undefined, now: SinceBoot | null): number | null =>
  mark !== undefined && mark !== null && mark.id === now?.id && now.ms >= mark.ms ? now.ms - mark.ms : null;
