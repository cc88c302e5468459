// Time for "not before": wall time that never runs slower than the monotonic clock. So a wall clock that is set back
// delays nothing. Times from a file system or a person are compared with the wall clock instead.
import type { SinceBoot } from '../../contract/model.ts';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../ports/ports.ts';

/** Returns the clock, in epoch milliseconds. It advances at least as fast as the monotonic clock. */
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

/** Throws `aborted`. */
export const pauseFor = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const undo = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = (): void => {
      undo();
      reject(new AppError('aborted', 'Stopped.'));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

/**
 * The age of a moment of which only the wall time is stored, such as that of a tail. It takes the smaller value of both
 * clocks, so that a jump forward adds no age. The value is at least the time that this process has known the moment.
 */
export const createSince = <Id>(clock: Clock) => {
  const seen = new Map<Id, { wallMs: number; monoMs: number }>();
  return {
    /** These ids are open. All other ids are forgotten. */
    note(ids: ReadonlySet<Id>): void {
      for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id);
      for (const id of ids)
        if (!seen.has(id)) seen.set(id, { wallMs: clock.wallMs(), monoMs: clock.monoMs() });
    },
    ms(id: Id, atMs: number): number {
      const first = seen.get(id);
      const byWallMs = clock.wallMs() - atMs;
      if (first === undefined) return byWallMs;
      const knownMs = clock.monoMs() - first.monoMs;
      return Math.max(knownMs, Math.min(byWallMs, first.wallMs - atMs + knownMs));
    },
  };
};

/**
 * Whether a stored moment is less than this long ago. A moment that lies further ahead than that comes from a clock that
 * was wrong: it gives no information.
 */
export const isRecent = (clock: Pick<Clock, 'wallMs'>, atMs: number, spanMs: number): boolean =>
  Math.abs(clock.wallMs() - atMs) < spanMs;

/**
 * The age of a moment that was stored as time since boot. It stays exact when this process restarts and when the wall
 * clock is set. Null when the machine was restarted since, or has no such count.
 */
export const sinceMark = (mark: SinceBoot | null | undefined, now: SinceBoot | null): number | null =>
  mark !== undefined && mark !== null && mark.id === now?.id && now.ms >= mark.ms ? now.ms - mark.ms : null;
