// Splits long work into slices. The caller asks before each step, so that other work can run between the slices.
import type { Clock } from '../ports.ts';

/** One turn stays under 20 ms, also with a slice of the file adapter in it. */
const sliceMs = 8;

/**
 * For one piece of work; call the result before each step. A slice can end only at every `stride`-th step. Null: go on
 * at once, without an `await`.
 */
export const startSlices = (clock: Clock, stride = 1): (() => Promise<void> | null) => {
  let endsAtMs = clock.monoMs() + sliceMs;
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % stride !== 0 || clock.monoMs() < endsAtMs) return null;
    return new Promise<void>((next) => {
      clock.after(0, next);
    }).then(() => {
      endsAtMs = clock.monoMs() + sliceMs;
    });
  };
};
