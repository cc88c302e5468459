// Time as the service sees it: a given clock that can also be advanced from here.
import type { Clock } from './options.ts';

// The longest delay of a timer; a longer one would fire at once.
const longestTimerMs = 2 ** 31 - 1;

export type ServiceClock = {
  now(): number;
  tick(ms: number): void;
  /** Ends early, without an error, when the signal does. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

export function createServiceClock(outside: Clock | undefined): ServiceClock {
  let aheadMs = 0;
  const now = outside ? () => outside.now() : () => Date.now();
  return {
    now: () => now() + aheadMs,
    tick: (ms) => {
      aheadMs += ms;
    },
    sleep: (ms, signal) => untilAborted(signal, (done) => startSleep(outside, ms, signal, done)),
  };
}

/** A given clock may ignore the signal, but an exchange that is over must not wait for it. */
function startSleep(
  outside: Clock | undefined,
  ms: number,
  signal: AbortSignal,
  done: () => void,
): () => void {
  if (outside?.sleep) {
    void outside.sleep(ms, signal).then(done, done);
    return () => {};
  }
  const timer = setTimeout(done, Math.min(ms, longestTimerMs));
  return () => clearTimeout(timer);
}

/** Resolves when `start` calls back or the signal is aborted; then undoes what was started. */
export function untilAborted(signal: AbortSignal, start: (done: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    let undo = () => {};
    const done = () => {
      signal.removeEventListener('abort', done);
      undo();
      resolve();
    };
    signal.addEventListener('abort', done);
    undo = start(done);
  });
}
