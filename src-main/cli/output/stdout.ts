// Standard output as the command needs it: every byte arrives or the run says so. A full disk ends it with a code; a
// reader that has read enough (`outtray list | head`) ends it quietly.
import { fstatSync, writeSync } from 'node:fs';
import { AppError, toAppError } from '../../contract/errors.ts';

let fault: unknown = null;
let stopRun = (): void => undefined;
let isFile: boolean | null = null;

const failed = (error: unknown): void => {
  fault ??= error;
  stopRun();
};

/** Writes to a file may be cut short when the disk is full, which Node's own stream for files does not notice. */
export const writeOut = (text: string): void => {
  if (!(isFile ??= outputIsFile())) {
    process.stdout.write(text);
    return;
  }
  if (fault !== null) return;
  try {
    let rest = Buffer.from(text);
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    failed(error);
  }
};

const outputIsFile = (): boolean => {
  try {
    return fstatSync(1).isFile();
  } catch {
    return false;
  }
};

/** Resolves once standard output takes more. A reader that is slow, or gone, is not waited for after `signal`. */
export const stdoutDrained = async (signal: AbortSignal): Promise<void> => {
  // What was written before is let go in a turn of its own.
  await new Promise((next) => setImmediate(next));
  if (!process.stdout.writableNeedDrain || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      process.stdout.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    process.stdout.once('drain', done);
    signal.addEventListener('abort', done);
  });
};

/** From now on `stop` is called when standard output fails. */
export const guardStdout = (stop: () => void): void => {
  stopRun = stop;
  process.stdout.on('error', failed);
  // When stderr cannot be written, there is no place to report it.
  process.stderr.on('error', () => undefined);
};

/** How standard output failed, after everything was written; null: it did not. */
export const stdoutFault = async (): Promise<{ isReaderGone: boolean; error: AppError } | null> => {
  // A stream tells of its error a moment after the write.
  await new Promise((next) => setImmediate(next));
  if (fault === null) return null;
  const code = fault instanceof Error && 'code' in fault ? fault.code : null;
  const isReaderGone = code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
  const why = code === 'ENOSPC' ? 'no space is left' : toAppError(fault).message;
  const message = `Standard output could not be written: ${why}.`;
  return {
    isReaderGone,
    error: new AppError('disk', message, 'What was done is recorded; make room, then run it again.'),
  };
};
