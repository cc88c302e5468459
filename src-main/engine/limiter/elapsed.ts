// The limiter's own time. Every stamp in the permit table and in the limiter's memory is on this scale:
//
//   now = wall + offset        offset 0 until the wall clock of this machine jumps
//
// Within one process, the time that has passed is the smaller of wall and monotonic time, so
// · a wall clock that jumps forward frees no slot early; when the monotonic clock follows (a machine that slept
//   and notices it late), the time counts after all;
// · one that jumps backward, by however much, holds a slot back by no more than what passed since the last look;
// · a jump is kept as `offset` in the memory beside the permits: a restart, and the other processes on the same
//   table, go on from there, and the stamps stay comparable with each other.
// At start, stamps from the future count as now: the offset grows until the newest of them is now.
//
// Some systems count the time since boot. There each permit notes this count, and so does the first look after a boot.
// Then the count gives the time between two processes, even if the wall clock was set meanwhile. It does not help
// across a restart of the machine, or where boots cannot be distinguished. There a jump while no process runs, or
// before the running process looks again, counts as time that has passed. A virtual machine that was paused does not
// count the pause, so for the next process the budget of the day returns later by that time.
import type { SinceBoot } from '../../contract/model.ts';
import { sinceMark } from '../shared/time.ts';

/** One look at both clocks. */
export type ClockLook = {
  /** On the limiter's scale, whole milliseconds. */
  nowMs: number;
  wallMs: number;
  offsetMs: number;
  /** The shared offset as it was stored at that time. */
  storedOffsetMs: number;
  /** Where the comparison of the two clocks started. At that moment both showed `anchorNowMs`. */
  anchorNowMs: number;
  anchorMonoMs: number;
  anchorOffsetMs: number;
};

/** Differences up to this are slewing and rounding, no jump. The minute's window is longer by more than that. */
const JUMP_MS = 200;

/** A look that starts a new comparison: at this wall, the limiter's time is `nowMs`. */
export const lookAt = (nowMs: number, wallMs: number, monoMs: number, storedOffsetMs: number): ClockLook => {
  const offsetMs = Math.floor(nowMs - wallMs);
  const anchorNowMs = Math.floor(wallMs + offsetMs);
  return {
    nowMs: anchorNowMs,
    wallMs,
    offsetMs,
    storedOffsetMs,
    anchorNowMs,
    anchorMonoMs: monoMs,
    anchorOffsetMs: offsetMs,
  };
};

/** A moment on the machine's own count, and what the limiter's time was then. */
export type Note = SinceBoot & { nowMs: number };

/** The limiter's time by the machine's own count; null: nothing was noted since this start of the machine. */
export const timeByBoot = (noted: Note | null, boot: SinceBoot | null): number | null => {
  const passedMs = sinceMark(noted, boot);
  return noted === null || passedMs === null ? null : noted.nowMs + passedMs;
};

/** `byBootMs`: see `timeByBoot`; the wall clock counts where it agrees, since it has no grain. */
export const firstLook = (
  wallMs: number,
  monoMs: number,
  storedOffsetMs: number,
  byBootMs: number | null = null,
): ClockLook => {
  const byWallMs = wallMs + storedOffsetMs;
  const isOff = byBootMs !== null && Math.abs(byWallMs - byBootMs) > JUMP_MS;
  return lookAt(isOff ? byBootMs : byWallMs, wallMs, monoMs, storedOffsetMs);
};

/**
 * The next look. If another process has moved the stored offset since the last look, it has seen the same jump. Its
 * offset counts, unless that would let more time pass than our monotonic clock has measured.
 */
export const nextLook = (
  last: ClockLook,
  wallMs: number,
  monoMs: number,
  storedOffsetMs: number,
): ClockLook => {
  const byMonoMs = last.anchorNowMs + (monoMs - last.anchorMonoMs);
  const moved = storedOffsetMs !== last.storedOffsetMs && storedOffsetMs !== last.offsetMs;
  if (moved && wallMs + storedOffsetMs <= byMonoMs + JUMP_MS) {
    return firstLook(wallMs, monoMs, storedOffsetMs);
  }
  const byWallMs = wallMs + last.anchorOffsetMs;
  if (byWallMs < byMonoMs - JUMP_MS) {
    // The wall clock shows less than the monotonic one here, so what it shows is what has passed.
    const passedMs = Math.max(0, wallMs - last.wallMs);
    return lookAt(last.nowMs + passedMs, wallMs, monoMs, storedOffsetMs);
  }
  const nowMs = Math.floor(Math.min(byWallMs, byMonoMs));
  const offsetMs = Math.floor(nowMs - wallMs);
  // Slewing alone is not worth a write.
  const same = Math.abs(offsetMs - last.offsetMs) <= JUMP_MS;
  return { ...last, nowMs, wallMs, offsetMs: same ? last.offsetMs : offsetMs, storedOffsetMs };
};
