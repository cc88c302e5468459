// The content of an open file, once, through a few reused buffers. Fresh buffers are what makes uploads slow
// (test/bench/README.md: 4 × curl with 64 KiB streams, 1.07 × with a ring of 1 MiB), so a large file goes through three
// buffers: one in the consumer's hands, two being filled and hashed ahead of it. They are large for the first large
// file only: those that are read beside it share the line with it anyway, and four rings of full size would be an
// eighth of all the memory that the command takes.
import { fstatSync, readSync } from 'node:fs';
import { AppError } from '../../contract/errors.ts';
import { changed, fileFault, wrongSize } from './faults.ts';
import { readBeside, readHere, type Reading, type ReadSource } from './reading.ts';

const pieceBytes = 1024 * 1024;
/** The pieces of a large file while another one is being read. */
const besideBytes = 256 * 1024;
const ringSize = 3;
/** From this size on a worker reads and hashes: below, starting it costs more than it saves. */
const workerFromBytes = 8 * 1024 * 1024;

/** Makes readers. `mostBytes`: the largest piece. `workerFrom` is for tests. */
export const createPieces = ({ workerFrom = workerFromBytes, mostBytes = pieceBytes } = {}) => {
  /** Large files being read. */
  let large = 0;
  return (source: ReadSource) => {
    const { sizeBytes } = source;
    let isCounted = false;
    const begin = (): { ring: Ring; reading: Reading } => {
      isCounted = sizeBytes >= workerFrom;
      if (isCounted) large += 1;
      if (!isCounted || large > 1) {
        const slotBytes = Math.min(mostBytes, isCounted ? besideBytes : pieceBytes);
        return { ring: createRing(sizeBytes, slotBytes, Buffer.allocUnsafe), reading: readHere(source) };
      }
      let shared = new SharedArrayBuffer(0);
      const ring = createRing(sizeBytes, mostBytes, (bytes) =>
        Buffer.from((shared = new SharedArrayBuffer(bytes))),
      );
      return { ring, reading: readBeside(source, shared) };
    };
    const reader = createReader(source, begin);
    return {
      ...reader,
      async end() {
        await reader.end();
        if (isCounted) large -= 1;
        isCounted = false;
      },
    };
  };
};

const createReader = (source: ReadSource, begin: () => { ring: Ring; reading: Reading }) => {
  const { path, sizeBytes } = source;
  let reading: Reading | null = null;
  let complete = false;
  let ended = false;

  const pieces = async function* (signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    stopUnlessWanted(signal, ended);
    if (reading !== null) throw new AppError('internal', `${path} is read a second time.`);
    const begun = begin();
    const { ring } = begun;
    reading = begun.reading;
    const order = (atBytes: number): void => {
      if (atBytes >= sizeBytes) return;
      const slot = ring.slotFor(atBytes);
      slot.filled = begun.reading.fill(slot.bytes, atBytes);
      slot.filled.catch(() => undefined); // thrown when it is this piece's turn
    };
    for (let atBytes = 0; atBytes < ring.sizeBytes; atBytes += ring.slotBytes) order(atBytes);

    for (let atBytes = 0; atBytes < sizeBytes; atBytes += ring.slotBytes) {
      const { bytes, filled } = ring.slotFor(atBytes);
      await filled;
      stopUnlessWanted(signal, ended);
      if (atBytes + bytes.length === sizeBytes) {
        assertEnd(source); // before the last piece leaves: the consumer need not ask for another
        complete = true;
      }
      yield bytes;
      // A consumer that asks for the next piece is done with this one.
      stopUnlessWanted(signal, ended);
      order(atBytes + ring.sizeBytes);
    }
    if (sizeBytes === 0) assertEnd(source);
    complete = true;
  };

  return {
    pieces,
    sha256: async (): Promise<string> => {
      if (reading === null || !complete) throw new AppError('internal', `${path} is not read to its end.`);
      return reading.hex();
    },
    /** Resolves when nothing reads from the descriptor any more. */
    end: async (): Promise<void> => {
      ended = true;
      await reading?.end();
    },
  };
};

/** The part of the ring that one piece fills; `filled` settles when it is. */
type Slot = { bytes: Uint8Array; filled: Promise<void> };

type Ring = {
  slotBytes: number;
  /** Of all slots together. */
  sizeBytes: number;
  /** By offset in the file: neighbours lie in different slots. */
  slotFor: (atBytes: number) => Slot;
};

/** A file of one piece has a ring of its own size. */
const createRing = (sizeBytes: number, maxBytes: number, allocate: (bytes: number) => Buffer): Ring => {
  const count = Math.min(ringSize, Math.ceil(sizeBytes / maxBytes));
  const slotBytes = Math.min(sizeBytes, maxBytes);
  const all = allocate(count * slotBytes);
  const slots = Array.from({ length: count }, (_, at): Slot => ({
    bytes: all.subarray(at * slotBytes, (at + 1) * slotBytes),
    filled: Promise.resolve(),
  }));
  return {
    slotBytes,
    sizeBytes: count * slotBytes,
    slotFor(atBytes) {
      const slot = slots[Math.floor(atBytes / slotBytes) % count];
      if (slot === undefined) throw new AppError('internal', 'A piece outside of its file.');
      // Only the last piece is shorter, and its slot is not used again.
      if (sizeBytes - atBytes < slot.bytes.length) slot.bytes = slot.bytes.subarray(0, sizeBytes - atBytes);
      return slot;
    },
  };
};

/** Throws `changed` when there is a byte after the announced size, `disk` when the file's size does not include it. */
const assertEnd = ({ fd, path, sizeBytes }: ReadSource): void => {
  try {
    if (readSync(fd, Buffer.allocUnsafe(1), 0, 1, sizeBytes) === 0) return;
    throw fstatSync(fd).size === sizeBytes ? wrongSize(path) : changed(path);
  } catch (error) {
    throw fileFault(error, path);
  }
};

const stopUnlessWanted = (signal: AbortSignal, ended: boolean): void => {
  if (signal.aborted || ended)
    throw new AppError('aborted', 'Reading was stopped.', '', { cause: signal.reason });
};
