// One file on its way in: hashed and written as it comes, in constant memory.
import { createHash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import type { StoreMode } from './options.ts';

// Enough for the disk to stay busy while the next chunks arrive; little enough for many uploads at once.
const mostQueuedBytes = 4 * 1024 * 1024;
// One call to the system for each chunk from the socket would cost more than the writing itself.
const batchBytes = 1024 * 1024;

export type Incoming = {
  path: string;
  sizeBytes(): number;
  /** The caller waits for the promise before it writes again, when there is one. */
  write(chunk: Buffer): Promise<void> | null;
  finish(): Promise<{ sizeBytes: number; sha256: string }>;
  /** Leaves nothing behind; safe at any time. */
  drop(): Promise<void>;
};

export function createIncoming(path: string, mode: StoreMode): Incoming {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let queue: Buffer[] = [];
  let queuedBytes = 0;
  let handle: FileHandle | null = null;
  let writing: Promise<void> | null = null;
  let failure: Error | null = null;

  const writeQueue = async () => {
    handle ??= await open(path, 'w');
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      const wantedBytes = queuedBytes;
      queuedBytes = 0;
      const { bytesWritten } = await handle.writev(batch);
      if (bytesWritten !== wantedBytes)
        throw new Error(`Only ${bytesWritten} of ${wantedBytes} bytes written`);
    }
  };
  const startWriting = () => {
    writing ??= writeQueue()
      .catch((error: unknown) => {
        failure ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => {
        writing = null;
      });
    return writing;
  };

  return {
    path,
    sizeBytes: () => sizeBytes,
    write: (chunk) => {
      sizeBytes += chunk.length;
      hash.update(chunk);
      if (mode !== 'disk') return null;
      queue.push(chunk);
      queuedBytes += chunk.length;
      if (queuedBytes < batchBytes) return null;
      const written = startWriting();
      return queuedBytes >= mostQueuedBytes ? written : null;
    },
    finish: async () => {
      if (mode === 'disk') {
        await writing;
        await startWriting();
        await handle?.close();
        handle = null;
        if (failure !== null) throw failure;
      }
      return { sizeBytes, sha256: hash.digest('hex') };
    },
    drop: async () => {
      queue = [];
      await writing;
      await handle?.close();
      handle = null;
      await rm(path, { force: true });
    },
  };
}
