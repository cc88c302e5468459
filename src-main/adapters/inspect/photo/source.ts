// Random access to the bytes of a photo or film, and what a walk over its structure finds.
import type { inflateSync } from 'node:zlib';
import type { Part } from '../../../engine/ports/files.ts';

/** `read` returns exactly these bytes. Throws `Broken` when they are outside of the file. */
export type Source = { sizeBytes: number; read(at: number, length: number): Uint8Array };

/** Whether metadata shows a place. `unread`: it could not be read, so it may. */
export type Told = 'nothing' | 'location' | 'unread';

/**
 * Metadata of one kind. `rest`: any other bytes; `gps`: EXIF whose first directory is the one for GPS; `claims`: of
 * C2PA; `isKept`: the copy keeps it, so it must show no place.
 */
export type Block = { isKept?: true } & (
  | { kind: 'exif' | 'gps' | 'xmp' | 'resources' | 'claims' | 'rest'; bytes: Uint8Array }
  | { kind: 'tiff' | 'nested'; source: Source }
  | { kind: 'told'; told: Told }
);

/**
 * The structure of a file. `parts`: all that its picture needs, without metadata; `exif` is put between them. Null: the
 * structure does not allow separating the two.
 */
export type Layout = { blocks: Block[]; parts: ((exif: Uint8Array | null) => Part[]) | null };

/** The structure does not match its format. */
export class Broken extends Error {}

/** Null: the structure does not match its format. */
export const tried = <T>(make: () => T): T | null => {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return null;
  }
};

/** How much metadata is read; more counts as unread. */
export const mostMetadataBytes = 64 * 1024 * 1024;
/** How large compressed data may be once it is unpacked. */
const mostUnpackedBytes = 16 * 1024 * 1024;
/** Null: it cannot be unpacked, or is too large. */
export const unpacked = (bytes: Uint8Array, by: typeof inflateSync): Uint8Array | null => {
  try {
    return by(bytes, { maxOutputLength: mostUnpackedBytes });
  } catch {
    return null;
  }
};
/** The most segments, chunks or boxes that a walk visits. */
export const mostSegments = 100_000;

export const sourceOf = (bytes: Uint8Array): Source => ({
  sizeBytes: bytes.length,
  read(at, length) {
    if (at < 0 || length < 0 || at + length > bytes.length) throw new Broken('outside of the file');
    return bytes.subarray(at, at + length);
  },
});

/** A piece of a source as a source of its own. */
export const pieceOf = (source: Source, from: number, length: number): Source => {
  if (from < 0 || length < 0 || from + length > source.sizeBytes) throw new Broken('outside of the file');
  return {
    sizeBytes: length,
    read(at, count) {
      if (at < 0 || count < 0 || at + count > length) throw new Broken('outside of the piece');
      return source.read(from + at, count);
    },
  };
};

/** The parts one after another, as one file. */
export const joined = (source: Source, parts: readonly Part[]): Source => {
  const starts: { at: number; part: Part }[] = [];
  let sizeBytes = 0;
  for (const part of parts) {
    starts.push({ at: sizeBytes, part });
    sizeBytes += lengthOf(part);
  }
  /** The last part that begins at or before this place. */
  const partAt = (at: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle]?.at ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    sizeBytes,
    read(at, length) {
      if (at < 0 || length < 0 || at + length > sizeBytes) throw new Broken('outside of the file');
      const bytes = new Uint8Array(length);
      for (let index = partAt(at); index < starts.length; index += 1) {
        const { at: start, part } = starts[index] ?? { at: 0, part: bytes };
        if (start >= at + length) break;
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

export const lengthOf = (part: Part): number =>
  part instanceof Uint8Array ? part.length : part.to - part.from;

/** Collects metadata within the limit. */
export const createBlocks = (source: Source) => {
  const blocks: Block[] = [];
  let total = 0;
  const take = (at: number, length: number): Uint8Array => {
    total += length;
    if (total > mostMetadataBytes) throw new Broken('too much metadata');
    return source.read(at, length);
  };
  return {
    blocks,
    take,
    add(
      kind: Extract<Block, { bytes: Uint8Array }>['kind'],
      at: number,
      length: number,
      isKept?: true,
    ): Uint8Array {
      const bytes = take(at, length);
      blocks.push({ kind, bytes, ...(isKept === undefined ? {} : { isKept }) });
      return bytes;
    },
    nest(at: number, length: number): void {
      blocks.push({ kind: 'nested', source: pieceOf(source, at, length) });
    },
  };
};

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
export const latin1 = (bytes: Uint8Array): string => bufferOf(bytes).toString('latin1');
/** The text in bytes: UTF-8 read as Latin-1. UTF-16 is read as ASCII, with its mark also as UTF-8. Other NULs separate texts. */
export const textOf = (bytes: Uint8Array): string => {
  const order = { fffe: 'utf-16le', feff: 'utf-16be' }[bufferOf(bytes.subarray(0, 2)).toString('hex')];
  const recoded = order === undefined ? '' : latin1(Buffer.from(new TextDecoder(order).decode(bytes)));
  const text = latin1(bytes)
    .replace(/(?<=\0[^\0])\0|\0(?=[^\0]\0)/g, '')
    .replace(/\0+/g, '\n');
  return `${recoded}${text}`;
};
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
export const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
export const startsWith = (bytes: Uint8Array, text: string): boolean =>
  latin1(bytes.subarray(0, text.length)) === text;
