// Searches photos, beside the thread that sends. Each message names an open file by its descriptor, each answer is
// what was found.
import { readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { lookAtPhoto } from './photo.ts';
import { Broken, type Source } from './source.ts';

export type PhotoOrder = { descriptor: number; sizeBytes: number; cutsAll: boolean };

/** Small reads are served from one piece: a walk reads a few bytes here and there. */
const pieceBytes = 64 * 1024;

const openSource = ({ descriptor, sizeBytes }: Omit<PhotoOrder, 'cutsAll'>): Source => {
  let pieceAt = 0;
  let piece: Uint8Array = new Uint8Array(0);
  const fill = (at: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length;) {
      const got = readSync(descriptor, bytes, filled, length - filled, at + filled);
      if (got === 0) throw new Broken('shorter than it was');
      filled += got;
    }
    return bytes;
  };
  return {
    sizeBytes,
    read(at, length) {
      if (at < 0 || length < 0 || at + length > sizeBytes) throw new Broken('outside of the file');
      if (length > pieceBytes / 2) return fill(at, length);
      if (at < pieceAt || at + length > pieceAt + piece.length) {
        piece = fill(at, Math.min(pieceBytes, sizeBytes - at));
        pieceAt = at;
      }
      return piece.slice(at - pieceAt, at - pieceAt + length);
    },
  };
};

parentPort?.on('message', (order: PhotoOrder) => {
  parentPort?.postMessage(lookAtPhoto(openSource(order), order.cutsAll));
});
