// Divides long synchronous work into slices, so that nothing else waits for longer than one.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** With the engine's own work in the same turn it stays under 20 ms (`npm run bench -- reconcile`). */
const sliceMs = 6;

export type Breathe = () => Promise<void>;

/** Work that shares the returned function shares one slice: two listings at once do not make two slices in a row. */
export const createSlices = (): Breathe => {
  let sliceEndsMs = 0;
  let turn: Promise<void> | null = null;
  return async () => {
    if (performance.now() < sliceEndsMs) return;
    turn ??= nextTurn().then(() => {
      turn = null;
      sliceEndsMs = performance.now() + sliceMs;
    });
    await turn;
  };
};
