// Time as the service sees it: a clock from outside that can also be pushed forward from here.
import type { Clock } from './options.ts';

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
    sleep: (ms, signal) => (outside?.sleep ? outside.sleep(ms, signal) : realSleep(ms, signal)),
  };
}

function realSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
