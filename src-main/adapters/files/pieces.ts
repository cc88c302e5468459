// The content of an open file, once, through a few reused buffers. Fresh buffers are what makes uploads slow
// (performance.md: 4 × curl with 64 KiB streams, 1.07 × with a ring of 1 MiB), so a large file goes through three
// buffers: one in the consumer's hands, one being filled, one for the hash to lag behind in. They are large for the
// first large file only: those that are read beside it share the line with it anyway, and four rings of full size
// would be an eighth of all the memory that the command takes.
import { read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { AppError } from '../../contract/errors.ts';
import { createDigestHere, createDigestsBeside, type Digest } from './digest.ts';
import { changed, fileFault } from './faults.ts';

const pieceBytes = 1024 * 1024;
/** Of a large file while another one is being read. */
const besideBytes = 256 * 1024;
const ringSize = 3;
/** From this size on the hash runs beside the transfer: below, starting a worker costs more than it saves. */
const besideFromBytes = 8 * 1024 * 1024;
/** Up to this size reading in place is cheaper than a trip through the thread pool. */
const inPlaceBytes = 64 * 1024;

const readInto = promisify(read);

export type Source = { fd: number; path: string; sizeBytes: number };

/** Makes readers; they share one hashing worker. `hashBesideFromBytes` is for tests and measurements. */
export const createPieces = ({ hashBesideFromBytes = besideFromBytes } = {}) => {
  const createDigestBeside = createDigestsBeside();
  /** Large files being read. */
  let large = 0;
  return (source: Source) => {
    if (source.sizeBytes < hashBesideFromBytes)
      return createReader(source, {
        createDigest: createDigestHere,
        shared: false,
        mostBytes: () => pieceBytes,
      });
    let counted = false;
    const reader = createReader(source, {
      createDigest: createDigestBeside,
      shared: true,
      mostBytes() {
        counted = true;
        large += 1;
        return large === 1 ? pieceBytes : besideBytes;
      },
    });
    return {
      ...reader,
      async end() {
        await reader.end();
        if (counted) large -= 1;
        counted = false;
      },
    };
  };
};

type Ways = {
  createDigest: () => Digest;
  /** In memory that the hashing worker sees as well. */
  shared: boolean;
  /** Asked once, when reading begins. */
  mostBytes: () => number;
};

const createReader = (source: Source, { createDigest, shared, mostBytes }: Ways) => {
  const { path, sizeBytes } = source;
  let digest: Digest | null = null;
  let complete = false;
  let ended = false;
  let reading: Promise<void> = Promise.resolve();

  const readAhead = (slot: Slot, atBytes: number): void => {
    reading = fill(source, slot.bytes, atBytes);
    reading.catch(() => undefined); // thrown when it is this piece's turn
  };

  const pieces = async function* (signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    if (digest !== null) throw new AppError('internal', `${path} is read a second time.`);
    const hash = (digest = createDigest());
    const slotFor = createRing(sizeBytes, mostBytes(), shared);
    if (sizeBytes > 0) readAhead(slotFor(0), 0);
    else await assertEnd(source);

    for (let atBytes = 0; atBytes < sizeBytes;) {
      await reading;
      stopUnlessWanted(signal, ended);
      const slot = slotFor(atBytes);
      slot.hashed = hash.take(slot.bytes);
      slot.hashed.catch(() => undefined); // thrown before the slot is used again, or by sha256
      atBytes += slot.bytes.length;
      if (atBytes < sizeBytes) {
        const next = slotFor(atBytes);
        await next.hashed; // the hash may lag behind by two pieces, not more
        readAhead(next, atBytes);
      } else {
        await assertEnd(source); // before the last piece leaves: the consumer need not ask for another
        complete = true;
      }
      yield slot.bytes;
      stopUnlessWanted(signal, ended);
    }
    complete = true;
  };

  return {
    pieces,
    sha256: async (): Promise<string> => {
      if (digest === null || !complete) throw new AppError('internal', `${path} is not read to its end.`);
      return digest.hex();
    },
    /** Resolves when nothing reads from the descriptor any more. */
    end: async (): Promise<void> => {
      ended = true;
      await reading.catch(() => undefined);
      digest?.drop();
    },
  };
};

/** The part of a buffer that one piece fills; `hashed` settles when the hash has let go of it. */
type Slot = { bytes: Uint8Array; hashed: Promise<void> };

/** Slots by offset: neighbours lie in different buffers. A file of one piece has one buffer of its own size. */
const createRing = (sizeBytes: number, mostBytes: number, shared: boolean): ((atBytes: number) => Slot) => {
  const count = Math.min(ringSize, Math.ceil(sizeBytes / mostBytes));
  const room = Math.min(sizeBytes, mostBytes);
  const idle = Promise.resolve();
  const slots = Array.from({ length: count }, (): Slot => ({
    bytes: shared ? Buffer.from(new SharedArrayBuffer(room)) : Buffer.allocUnsafe(room),
    hashed: idle,
  }));
  return (atBytes) => {
    const slot = slots[Math.floor(atBytes / mostBytes) % count];
    if (slot === undefined) throw new AppError('internal', 'A piece outside of its file.');
    // Only the last piece is shorter, and its slot is not used again.
    if (sizeBytes - atBytes < slot.bytes.length) slot.bytes = slot.bytes.subarray(0, sizeBytes - atBytes);
    return slot;
  };
};

/** Fills all of `bytes` from the file, or throws `changed` when the file ends before. */
const fill = async ({ fd, path }: Source, bytes: Uint8Array, atBytes: number): Promise<void> => {
  for (let filled = 0; filled < bytes.length;) {
    const got = await readSome(fd, path, bytes.subarray(filled), atBytes + filled);
    if (got === 0) throw changed(path);
    filled += got;
  }
};

/** Throws `changed` when there is a byte after the last one announced. */
const assertEnd = async ({ fd, path, sizeBytes }: Source): Promise<void> => {
  if ((await readSome(fd, path, Buffer.allocUnsafe(1), sizeBytes)) > 0) throw changed(path);
};

const readSome = async (fd: number, path: string, into: Uint8Array, atBytes: number): Promise<number> => {
  try {
    if (into.length <= inPlaceBytes) return readSync(fd, into, 0, into.length, atBytes);
    return (await readInto(fd, into, 0, into.length, atBytes)).bytesRead;
  } catch (error) {
    throw fileFault(error, path);
  }
};

const stopUnlessWanted = (signal: AbortSignal, ended: boolean): void => {
  if (signal.aborted || ended)
    throw new AppError('aborted', 'Reading was stopped.', '', { cause: signal.reason });
};
