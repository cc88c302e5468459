// Reads one file into shared memory and hashes it there, beside the thread that sends it. Each order gets one answer. A
// piece is answered once it is read, and hashed before the next order, which may refill its part of the memory.
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

export type HashTask = { fd: number; ring: SharedArrayBuffer };
/** `from`: the offset in the ring. */
export type HashOrder = { from: number; length: number; atBytes: number } | 'hex';
/** The bytes that were read, fewer at the end of the file; or the SHA-256 in lower-case hex. */
export type HashAnswer = number | string;

const { fd, ring } = workerData as HashTask;
const hash = createHash('sha256');

const read = (bytes: Uint8Array, atBytes: number): number => {
  let filled = 0;
  while (filled < bytes.length) {
    const got = readSync(fd, bytes, filled, bytes.length - filled, atBytes + filled);
    if (got === 0) break;
    filled += got;
  }
  return filled;
};

parentPort?.on('message', (order: HashOrder) => {
  const say = (answer: HashAnswer): void => parentPort?.postMessage(answer);
  if (order === 'hex') {
    say(hash.digest('hex'));
    return;
  }
  const bytes = new Uint8Array(ring, order.from, order.length);
  say(read(bytes, order.atBytes));
  hash.update(bytes);
});
