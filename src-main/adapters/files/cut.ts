// An open file of which only some parts are content. Nothing is written to the disk.
import { createHash } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import type { OpenFile, Part } from '../../engine/ports/files.ts';
import { fillFrom, type ReadSource } from './reading.ts';

const pieceBytes = 1024 * 1024;

export const cutOf = (file: OpenFile, source: ReadSource, parts: readonly Part[]): OpenFile => {
  const sizeBytes = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  const hash = createHash('sha256');
  return {
    ...file,
    stamp: { ...file.stamp, sizeBytes },
    /** Gathers the parts into pieces: a photo may have thousands of parts, and its last piece is held back. */
    async *pieces(signal) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, sizeBytes));
      let filled = 0;
      let leftBytes = sizeBytes;
      for (const part of parts) {
        for (let at = 0; at < lengthOf(part);) {
          if (signal.aborted) throw new AppError('aborted', 'Reading was stopped.');
          const length = Math.min(lengthOf(part) - at, piece.length - filled);
          const room = piece.subarray(filled, filled + length);
          if (part instanceof Uint8Array) room.set(part.subarray(at, at + length));
          else await fillFrom(source, room, part.from + at);
          at += length;
          filled += length;
          leftBytes -= length;
          if (filled < piece.length && leftBytes > 0) continue;
          hash.update(piece.subarray(0, filled));
          yield piece.subarray(0, filled);
          filled = 0;
        }
      }
    },
    sha256: async () => hash.copy().digest('hex'),
  };
};

const lengthOf = (part: Part): number => (part instanceof Uint8Array ? part.length : part.to - part.from);
