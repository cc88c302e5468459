// The limiter's own time. Every stamp in the permit table and in the limiter's memory is on this scale:
//
//   now = wall + offset        offset 0 until the wall clock of this machine jumps
//
// Within one process, time passes at the pace of the slower of wall and monotonic clock, so
// · a wall clock that jumps forward frees no slot early (the monotonic clock bounds what has passed);
// · one that jumps backward, by however much, holds a slot back by no more than what passed since the last look;
// · a jump is kept as `offset` in the memory beside the permits: a restart, and the other processes on the same
//   table, go on from there, and the stamps stay comparable with each other.
// At start, stamps from the future count as now: the offset grows until the newest of them is now.
//
// The price: a forward jump while no process runs (or before the one that ran looked again) cannot be told from
// time that passed, since nothing else on the machine remembers how long it was off.

/** One look at both clocks. `anchor…` is where the comparison of the two clocks started. */
export type Look = {
  /** On the limiter's scale, whole milliseconds. */
  nowMs: number;
  wallMs: number;
  offsetMs: number;
  /** The shared offset as it was stored at that time; `offsetMs` differs while a jump is not yet stored. */
  storedOffsetMs: number;
  anchorNowMs: number;
  anchorMonoMs: number;
};

/** Differences up to this are slewing and rounding, no jump. The minute's window is longer by more than that. */
export const JUMP_MS = 200;

export const firstLook = (wallMs: number, monoMs: number, storedOffsetMs: number): Look => {
  const nowMs = Math.floor(wallMs + storedOffsetMs);
  return {
    nowMs,
    wallMs,
    offsetMs: storedOffsetMs,
    storedOffsetMs,
    anchorNowMs: nowMs,
    anchorMonoMs: monoMs,
  };
};

/**
 * The next look. When another process has moved the stored offset since the last one, it has seen the same jump
 * and its word counts, unless that would let more time pass than our monotonic clock saw.
 */
export const nextLook = (last: Look, wallMs: number, monoMs: number, storedOffsetMs: number): Look => {
  const moved = storedOffsetMs !== last.storedOffsetMs;
  const byWallMs = wallMs + (moved ? storedOffsetMs : last.offsetMs);
  const byMonoMs = last.anchorNowMs + (monoMs - last.anchorMonoMs);
  if (byWallMs > byMonoMs + JUMP_MS) return lookAt(byMonoMs, wallMs, monoMs, storedOffsetMs);
  if (byWallMs < byMonoMs - JUMP_MS) {
    if (moved) return firstLook(wallMs, monoMs, storedOffsetMs);
    const passedMs = Math.max(0, Math.min(wallMs - last.wallMs, byMonoMs - last.nowMs));
    return lookAt(last.nowMs + passedMs, wallMs, monoMs, storedOffsetMs);
  }
  return {
    ...last,
    nowMs: Math.floor(Math.min(byWallMs, byMonoMs)),
    wallMs,
    offsetMs: moved ? storedOffsetMs : last.offsetMs,
    storedOffsetMs,
  };
};

/** A look that starts a new comparison: at this wall, the limiter's time is that. */
export const lookAt = (nowMs: number, wallMs: number, monoMs: number, storedOffsetMs: number): Look => ({
  ...firstLook(wallMs, monoMs, Math.floor(nowMs) - wallMs),
  storedOffsetMs,
});
