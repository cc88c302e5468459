// Asks the drive for its free space while an order is open. No cache answers that, so each answer is a sign of the
// drive, even while one long call occupies the main thread. The descriptor leads to the asking process.
import { statfsSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** `open`: one number, the orders that are not answered yet. */
export type PulseTask = {
  roots: readonly (string | Uint8Array)[];
  open: SharedArrayBuffer;
  descriptor: number;
};

const everyMs = 200;

const { roots, open, descriptor } = workerData as PulseTask;
const orders = new Int32Array(open);
const never = new Int32Array(new SharedArrayBuffer(4));
const sign = Buffer.from('.');

for (;;) {
  Atomics.wait(orders, 0, 0);
  for (const root of roots)
    try {
      statfsSync(root instanceof Uint8Array ? Buffer.from(root) : root);
    } catch {
      // An error is an answer, too.
    }
  writeSync(descriptor, sign);
  Atomics.wait(never, 0, 0, everyMs);
}
