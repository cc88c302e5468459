// How one file is read and hashed: in this thread, or beside it by a worker (hash-worker.ts). SHA-256 of 1 GiB takes as
// long as sending it. Measured, 1 GiB, processor time of the thread that sends: 1.1 s with the hash, 0.7 s without.
import { createHash } from 'node:crypto';
import { fstatSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { AppError } from '../../contract/errors.ts';
import { startThread } from '../system/thread.ts';
import { changed, fileFault, wrongSize } from './faults.ts';
import type { HashAnswer, HashOrder, HashTask } from './hash-worker.ts';

export type ReadSource = { fd: number; path: string; sizeBytes: number };

/** Reading one file from its first byte to its last. */
export type Reading = {
  /**
   * Fills all of `bytes` with the next bytes of the file, which begin at `atBytes`, and adds them to the hash. The
   * caller may read them as soon as it resolves; the next fill waits for the hash. Throws `changed` at the file's end,
   * `disk` where the file's size promises more.
   */
  fill(bytes: Uint8Array, atBytes: number): Promise<void>;
  /** Lower-case hex of all that was filled. */
  hex(): Promise<string>;
  /** Resolves when nothing reads from the descriptor any more. */
  end(): Promise<void>;
};

/** Up to this size reading in place is cheaper than a trip through the thread pool. */
const inPlaceBytes = 64 * 1024;

const readInto = promisify(read);

/** Reads through the pool, hashes in this thread. */
export const readHere = (source: ReadSource): Reading => {
  const hash = createHash('sha256');
  let last = Promise.resolve();
  const fill = async (bytes: Uint8Array, atBytes: number, before: Promise<void>): Promise<void> => {
    await before;
    await fillFrom(source, bytes, atBytes);
    hash.update(bytes);
  };
  return {
    fill: (bytes, atBytes) => (last = fill(bytes, atBytes, last)),
    hex: () => Promise.resolve(hash.digest('hex')),
    end: () => last.catch(() => undefined),
  };
};

/** The first bytes of the file, at most this many. Throws `changed` when it is shorter than it was. */
export const readHead = async (source: ReadSource, maxBytes: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(Math.min(source.sizeBytes, maxBytes));
  await fillFrom(source, bytes, 0);
  return bytes;
};

/** Fills all of `bytes`. Throws as `fill` does. */
export const fillFrom = async (
  { fd, path }: ReadSource,
  bytes: Uint8Array,
  atBytes: number,
): Promise<void> => {
  for (let filled = 0; filled < bytes.length;) {
    const rest = bytes.subarray(filled);
    try {
      const got =
        rest.length <= inPlaceBytes
          ? readSync(fd, rest, 0, rest.length, atBytes + filled)
          : (await readInto(fd, rest, 0, rest.length, atBytes + filled)).bytesRead;
      if (got === 0) throw atEnd(fd, path, atBytes + filled);
      filled += got;
    } catch (error) {
      throw fileFault(error, path);
    }
  }
};

/** The fault when nothing can be read, although the file had more when it was opened. */
const atEnd = (fd: number, path: string, atBytes: number): AppError =>
  fstatSync(fd).size > atBytes && readSync(fd, Buffer.alloc(1), 0, 1, atBytes) === 0
    ? wrongSize(path)
    : changed(path);

/** Reads into `ring`, which must contain the buffers to fill, and hashes there. `end` must be called. */
export const readBeside = ({ fd, path }: ReadSource, ring: SharedArrayBuffer): Reading => {
  const task: HashTask = { fd, ring };
  const worker = startThread(new URL('./hash-worker.ts', import.meta.url), { workerData: task });
  /** Answers come in the order of the orders. */
  const waiting: PromiseWithResolvers<HashAnswer>[] = [];
  let fault: AppError | null = null;

  const fail = (error: AppError): void => {
    fault ??= error;
    for (const { reject } of waiting.splice(0)) reject(fault);
  };
  worker.on('message', (answer: HashAnswer) => waiting.shift()?.resolve(answer));
  worker.on('error', (error) => fail(fileFault(error, path)));
  worker.on('exit', () => fail(new AppError('internal', 'The thread that reads files ended.')));

  const ask = (order: HashOrder): Promise<HashAnswer> => {
    const answer = Promise.withResolvers<HashAnswer>();
    if (fault === null) waiting.push(answer);
    else answer.reject(fault);
    worker.postMessage(order);
    return answer.promise;
  };

  return {
    async fill(bytes, atBytes) {
      const gotBytes = await ask({ from: bytes.byteOffset, length: bytes.length, atBytes });
      if (gotBytes !== bytes.length) throw atEnd(fd, path, atBytes + Number(gotBytes));
    },
    hex: async () => String(await ask('hex')),
    end: async () => {
      await worker.terminate();
    },
  };
};
