// Random access to the bytes of a photo, and what a walk over its structure finds.
import type { Part } from '../../../engine/ports.ts';

/** `read` gives exactly these bytes. Throws `Broken` when they lie outside of the file. */
export type Source = { sizeBytes: number; read(at: number, length: number): Uint8Array };

/** Metadata of one kind. `whole`: a file whose parts only the reader of EXIF knows; `rest`: any other bytes. */
export type Block = { kind: 'exif' | 'xmp' | 'resources' | 'whole' | 'rest'; bytes: Uint8Array };

/**
 * What a photo is made of. `parts`: all that its picture needs, without metadata; `exif` is put between them. Null: the
 * structure does not allow to tell the two apart.
 */
export type Layout = { blocks: Block[]; parts: ((exif: Uint8Array | null) => Part[]) | null };

/** The structure is not what the format says. */
export class Broken extends Error {}

/** So much metadata is read; a longer one counts as not read. */
export const mostMetadataBytes = 64 * 1024 * 1024;
/** A walk goes over at most this many segments or chunks. */
export const mostSegments = 100_000;

export const sourceOf = (bytes: Uint8Array): Source => ({
  sizeBytes: bytes.length,
  read(at, length) {
    if (at < 0 || length < 0 || at + length > bytes.length) throw new Broken('outside of the file');
    return bytes.subarray(at, at + length);
  },
});

/** The parts one after another, as one file. */
export const joined = (source: Source, parts: readonly Part[]): Source => {
  const starts: { at: number; part: Part }[] = [];
  let sizeBytes = 0;
  for (const part of parts) {
    starts.push({ at: sizeBytes, part });
    sizeBytes += lengthOf(part);
  }
  return {
    sizeBytes,
    read(at, length) {
      if (at < 0 || length < 0 || at + length > sizeBytes) throw new Broken('outside of the file');
      const bytes = new Uint8Array(length);
      for (const { at: start, part } of starts) {
        const [from, to] = [Math.max(at, start), Math.min(at + length, start + lengthOf(part))];
        if (from >= to) continue;
        const piece =
          part instanceof Uint8Array
            ? part.subarray(from - start, to - start)
            : source.read(part.from + from - start, to - from);
        bytes.set(piece, from - at);
      }
      return bytes;
    },
  };
};

const lengthOf = (part: Part): number => (part instanceof Uint8Array ? part.length : part.to - part.from);

/** Collects metadata within the limit. */
export const createBlocks = (source: Source) => {
  const blocks: Block[] = [];
  let total = 0;
  return {
    blocks,
    add(kind: Block['kind'], at: number, length: number): Uint8Array {
      total += length;
      if (total > mostMetadataBytes) throw new Broken('too much metadata');
      const bytes = source.read(at, length);
      blocks.push({ kind, bytes });
      return bytes;
    },
  };
};

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
export const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
export const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
export const startsWith = (bytes: Uint8Array, text: string): boolean =>
  latin1(bytes.subarray(0, text.length)) === text;
