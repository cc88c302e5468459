// Files of the user that are no uploads: a list, a card, a key or certificates to read, a table to write.
import { option, wording } from '../../contract/text/wording.ts';
import { randomBytes } from 'node:crypto';
import { constants, openSync } from 'node:fs';
import { open, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { AppError, ownData } from '../../contract/errors.ts';
import { pathInFolder, toSystemPath } from '../files/paths.ts';
import { hasLocksHere } from '../system/storage.ts';
import { systemCode } from '../system-code.ts';
import type { NewText, Texts } from './messages.ts';

export const texts: Texts = {
  async read(path, mostBytes, isPipeTaken = false) {
    try {
      await demandForeign(path);
      // Non-blocking: a pipe that nothing writes to must not block a thread. Windows lacks the flag, which counts as 0.
      await using handle = await open(toSystemPath(path), readOnly);
      const stats = await handle.stat();
      if (!stats.isFile() && !isPipeTaken) return { kind: 'no-file' };
      if (stats.isFile() && stats.size > mostBytes) return { kind: 'too-large' };
      const bytes = await firstBytes(stats.isFIFO() ? pipeAt(path) : piecesOf(handle), mostBytes + 1);
      return bytes.length > mostBytes ? { kind: 'too-large' } : { kind: 'read', bytes, mode: stats.mode };
    } catch (error) {
      if (error instanceof AppError) throw error;
      return { kind: isMissing.has(systemCode(error)) ? 'missing' : 'unreadable' };
    }
  },
  create: (path, replaces) => written(path, () => create(path, replaces)),
};

/** Throws `own-data` for a database that this process has open: it must be neither read, which frees its locks, nor replaced. */
const demandForeign = async (path: string): Promise<void> => {
  const there = await stat(toSystemPath(path), { bigint: true }).catch(() => null);
  if (there !== null && hasLocksHere(there)) throw ownData(path);
};

const isMissing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);
const readOnly = constants.O_RDONLY | constants.O_NONBLOCK;

/** Unlike a read in a thread, it can be abandoned: it keeps no process alive. */
const pipeAt = (path: string): AsyncIterable<Uint8Array> =>
  new Socket({ fd: openSync(toSystemPath(path), readOnly), readable: true, writable: false }).unref();

/** The size that a file reports may be wrong, so all of it is read. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64 * 1024));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

const firstBytes = async (pieces: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    parts.push(piece);
    size += piece.length;
    if (size >= mostBytes) break;
  }
  return Buffer.concat(parts, Math.min(size, mostBytes));
};

const create = async (path: string, replaces: boolean): Promise<NewText> => {
  if (replaces) await demandForeign(path);
  const draft = pathInFolder(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.tmp`);
  const target = toSystemPath(replaces ? draft : path);
  // Links are only for those who are given them, so other users of this machine cannot read the file.
  const handle = await open(target, 'wx', 0o600);
  return {
    write: (text) => written(path, () => handle.appendFile(text)),
    finish: () =>
      written(path, async () => {
        await handle.sync();
        await handle.close();
        if (replaces) await rename(target, toSystemPath(path));
      }),
    async discard() {
      await handle.close().catch(() => undefined);
      await unlink(target).catch(() => undefined);
    },
  };
};

const written = async <Value>(path: string, act: () => Promise<Value>): Promise<Value> => {
  try {
    return await act();
  } catch (error) {
    throw outputFault(error, path);
  }
};

const outputFault = (error: unknown, path: string): AppError => {
  if (error instanceof AppError) return error;
  const code = systemCode(error);
  if (code === 'EEXIST')
    return new AppError(
      'bad-use',
      `${path} is there already.`,
      wording`Name another file, or give ${option('--force')}.`,
    );
  const remedy = remedies[code];
  if (remedy !== undefined) return new AppError('bad-use', `${path} cannot be written.`, remedy);
  return new AppError(
    'disk',
    `${path} cannot be written (${code === '' ? 'unknown' : code}).`,
    'Make room, or name a file on another disk.',
    { cause: error },
  );
};

const inOwnFolder = 'Name a file in a folder that you may write.';
const remedies: Record<string, string> = {
  ENOENT: inOwnFolder,
  ENOTDIR: inOwnFolder,
  EISDIR: inOwnFolder,
  EACCES: inOwnFolder,
  EPERM: inOwnFolder,
  EROFS: 'This disk can only be read: name a file on another one.',
  ENAMETOOLONG: 'Its name is too long for this disk: name a shorter one.',
};
