// The spool: files of our own that are uploaded and then removed (a bundle, standard input). Each lies in a folder of
// its own, so that it can have any name; the folder's name contains the number of the process that made it.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Spool } from '../../engine/ports/files.ts';
import { fromSystemName, toSystemPath } from '../files/paths.ts';
import { zipOf, type Written } from './zip.ts';

/** Process numbers are reused: of the folders with our number, only these are ours. */
const made = new Set<string>();

export const createSpool = (options: {
  folder: string;
  /** Whether a process runs; null: unknown. */
  isRunning: (pid: number) => boolean | null;
  /** What an error of the file system means for the disk with the data folder; null: nothing. */
  explain: (error: unknown) => AppError | null;
}): Spool => {
  const { folder, isRunning, explain } = options;

  const isGuarded = (name: string): boolean => {
    if (made.has(name)) return true;
    const pid = Number(name.split('-')[0]);
    // A name that is not ours is not a file of the spool.
    return Number.isSafeInteger(pid) && pid > 0 && pid !== process.pid && isRunning(pid) !== false;
  };

  const remove = (dir: string): Promise<void> =>
    rm(dir, { recursive: true, force: true, maxRetries: 3, retryDelay: 200 });

  const put = async (name: string, pieces: AsyncIterable<Written>, signal: AbortSignal): Promise<string> => {
    if (name === '' || name === '.' || name === '..' || basename(name) !== name)
      throw new AppError('bad-use', 'A file name cannot contain a folder.', 'Give a name like report.txt.');
    const own = `${process.pid}-${randomBytes(8).toString('hex')}`;
    const dir = join(folder, own);
    made.add(own);
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      await write(join(dir, name), pieces, signal);
      return join(dir, name);
    } catch (error) {
      await remove(dir).catch(() => undefined);
      made.delete(own);
      throw error instanceof AppError ? error : (explain(error) ?? error);
    }
  };

  return {
    holds: (dir) => dirname(dir) === folder,
    keep: (name, pieces, signal) => put(name, atEnd(pieces), signal),
    pack: (name, files, signal) => put(name, zipOf(files), signal),
    async remove(dir) {
      await remove(dir);
      made.delete(basename(dir));
    },
    async list() {
      const names = await readdir(folder).catch(() => []);
      return await Promise.all(
        names.map(async (name) => {
          const dir = join(folder, name);
          const [file] = await readdir(dir, { encoding: 'buffer' }).catch(() => []);
          return { dir, name: file === undefined ? null : fromSystemName(file), isGuarded: isGuarded(name) };
        }),
      );
    },
  };
};

async function* atEnd(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Written> {
  for await (const bytes of pieces) yield { at: null, bytes };
}

/** Flushed at the end: after a power cut the ledger must not know a file whose bytes are lost. */
const write = async (path: string, pieces: AsyncIterable<Written>, signal: AbortSignal): Promise<void> => {
  const handle = await open(toSystemPath(path), 'wx', 0o600);
  const source = pieces[Symbol.asyncIterator]();
  let interrupt = (): void => undefined;
  // A source that sends nothing for hours must not hold up a stop. No Promise.race with one promise for all pieces:
  // that promise would keep every piece in memory.
  const next = (): Promise<IteratorResult<Written>> =>
    new Promise((resolve, reject) => {
      interrupt = () => reject(new AppError('aborted', 'It was stopped; nothing is public.'));
      if (signal.aborted) interrupt();
      else source.next().then(resolve, reject);
    });
  const stop = (): void => interrupt();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const step = await next();
      if (step.done === true) break;
      const { at, bytes } = step.value;
      if (at === null) await handle.writeFile(bytes);
      else await handle.write(bytes, 0, bytes.length, at);
    }
    await handle.sync();
  } catch (error) {
    void source.return?.().catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await handle.close();
  }
};
