// Time that passes `rate` times as fast as the system's, for the commands in the test's process.
import { createClock, type SystemClock } from '../../../src-main/adapters/system/clock.ts';

export const createQuickClock = (rate: number): { begin: () => SystemClock } => {
  const fromMs = performance.now();
  const wallFromMs = Date.now();
  const passedMs = (): number => (performance.now() - fromMs) * rate;
  const awakeMs = (): number => fromMs + passedMs();
  return {
    begin: () =>
      createClock({
        rate,
        wallMs: () => Math.floor(wallFromMs + passedMs()),
        awakeMs,
        uptimeMs: awakeMs,
      }),
  };
};
