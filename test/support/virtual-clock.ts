// The clock of tests and benchmarks: time passes only when the test advances it, timers fire in the order of their due
// times (equal ones in the order in which they were set), and the wall clock can jump like a real one while the
// monotonic clock cannot. Between two timers, promises and a few turns of the real event loop get to run, so that code
// which awaits reacts before the next timer fires.
import type { Clock } from '../../src-main/engine/ports/ports.ts';

export type VirtualClock = Clock & {
  /** Lets `ms` pass. Timers due in that time fire at their own instants, those they set included. */
  advance(ms: number): Promise<void>;
  /** The same without yielding to promises: for code that is synchronous throughout. */
  advanceNow(ms: number): void;
  /** The machine starts again: its own count begins at zero. */
  reboot(): void;
  /** Moves the wall clock alone, forward or (negative) backward. */
  jumpWall(ms: number): void;
  /** Fires timer after timer until `done()`; throws when `limitMs` pass or no timer is left before that. */
  runUntil(done: () => boolean, limitMs?: number): Promise<void>;
  /** Lets promises and the event loop run without any time passing. */
  turn(): Promise<void>;
  /** Timers that are set and not undone. */
  pending(): number;
};

type Timer = { dueMs: number; order: number; act: (() => void) | null };

const DAY_MS = 86_400_000;

/**
 * `boot` null: a machine that does not name its starts. Starts at `wallMs` (default: a fixed day in 2030, so that
 * traces repeat). `turns`: event loop turns per step.
 */
export const createVirtualClock = (
  options: { wallMs?: number; turns?: number; boot?: null } = {},
): VirtualClock => {
  const turns = options.turns ?? 2;
  const timers: Timer[] = [];
  // Between two milliseconds, as the real one always is.
  let monoMs = 1_000.375;
  let wallOffsetMs = (options.wallMs ?? Date.UTC(2030, 0, 15, 12)) - monoMs;
  let order = 0;
  let pending = 0;
  let boots = 1;
  let bootMs = 0;

  const turn = async (): Promise<void> => {
    for (let i = 0; i < turns; i++) await new Promise<void>((resolve) => setImmediate(resolve));
  };

  /** The next timer that is still set and due by then; it leaves the heap. */
  const popDue = (byMs: number): Timer | null => {
    for (;;) {
      const first = timers[0];
      if (first === undefined || first.dueMs > byMs) return null;
      popTop(timers);
      if (first.act !== null) return first;
    }
  };

  const fire = (timer: Timer): void => {
    monoMs = Math.max(monoMs, timer.dueMs);
    const act = timer.act;
    timer.act = null;
    pending--;
    act?.();
  };

  /** Fires what is due by then, one by one; `between` decides after each whether to go on. */
  const fireAll = async (byMs: number, goOn: () => boolean): Promise<void> => {
    await turn();
    while (goOn()) {
      const timer = popDue(byMs);
      if (timer === null) return;
      fire(timer);
      await turn();
    }
  };

  return {
    // Whole milliseconds, as the real one.
    wallMs: () => Math.floor(monoMs + wallOffsetMs),
    monoMs: () => monoMs,
    sinceBoot: () => (options.boot === null ? null : { id: `boot ${boots}`, ms: monoMs - bootMs }),
    reboot() {
      boots += 1;
      bootMs = monoMs;
    },
    after(delayMs, act) {
      if (Number.isNaN(delayMs)) throw new RangeError('A timer needs a delay.');
      const timer: Timer = { dueMs: monoMs + Math.max(0, delayMs), order: order++, act };
      push(timers, timer);
      pending++;
      return () => {
        if (timer.act !== null) pending--;
        timer.act = null;
      };
    },
    async advance(ms) {
      const untilMs = monoMs + ms;
      await fireAll(untilMs, () => true);
      monoMs = Math.max(monoMs, untilMs);
      await turn();
    },
    advanceNow(ms) {
      const untilMs = monoMs + ms;
      for (let timer = popDue(untilMs); timer !== null; timer = popDue(untilMs)) fire(timer);
      monoMs = Math.max(monoMs, untilMs);
    },
    jumpWall(ms) {
      wallOffsetMs += ms;
    },
    async runUntil(done, limitMs = DAY_MS) {
      await fireAll(monoMs + limitMs, () => !done());
      if (!done()) {
        throw new Error(
          `Not done after ${String(limitMs)} ms of virtual time; ${String(pending)} timers left.`,
        );
      }
    },
    turn,
    pending: () => pending,
  };
};

// ---------------------------------------------------------------- a binary heap by due time

const isBefore = (a: Timer, b: Timer): boolean =>
  a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);

const push = (heap: Timer[], timer: Timer): void => {
  let at = heap.push(timer) - 1;
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up];
    if (parent === undefined || isBefore(parent, timer)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = timer;
};

const popTop = (heap: Timer[]): void => {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let down = 2 * at + 1;
    let child = heap[down];
    if (child === undefined) break;
    const right = heap[down + 1];
    if (right !== undefined && isBefore(right, child)) {
      down++;
      child = right;
    }
    if (isBefore(last, child)) break;
    heap[at] = child;
    at = down;
  }
  heap[at] = last;
};
