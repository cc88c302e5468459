// Long work in slices: whoever asks before each step lets everything else have its turn in between.
import type { Clock } from '../ports.ts';

/** With a slice of the file adapter in the same turn it stays under 20 ms. */
const sliceMs = 8;

/**
 * For one piece of work, asked before each step of it; only every `stride` steps can be the end of a slice. Null: go
 * on at once, without even the turn of an `await`.
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
