// Standard output as the command needs it: every byte arrives, or the run reports that it did not. A full disk ends the
// run with a code; a reader that has read enough (`outtray list | head`) ends it quietly.
import { AppError, toAppError } from '../../contract/errors.ts';
import type { Io, OutStream } from '../io.ts';
import { columnsOfStream } from './layout.ts';

export type Stdout = {
  /** The current width of the terminal; null: it is no terminal. */
  columns(): number | null;
  write(text: string): void;
  /** Resolves once it takes more. After `signal` it does not wait for a reader that is slow or gone. */
  drained(signal: AbortSignal): Promise<void>;
  /** How it failed, known after everything was written; null: it did not. */
  fault(): Promise<{ isReaderGone: boolean; error: AppError } | null>;
  /** Stops listening. */
  release(): void;
};

/** `stop` is called when a write fails. */
export const guardStdout = ({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>, stop: () => void): Stdout => {
  let failure: unknown = null;
  const failed = (error: unknown): void => {
    failure ??= error;
    stop();
  };
  stdout.on('error', failed);
  // When stderr cannot be written, there is no place to report it.
  stderr.on('error', stop);
  return {
    columns: () => columnsOfStream(stdout),
    write(text) {
      stdout.write(text);
    },
    drained: (signal) => drained(stdout, signal),
    async fault() {
      // A stream reports its error a moment after the write.
      await new Promise((next) => setImmediate(next));
      return failure === null ? null : explain(failure);
    },
    release() {
      stdout.off('error', failed);
      stderr.off('error', stop);
    },
  };
};

const drained = async (stream: OutStream, signal: AbortSignal): Promise<void> => {
  // Earlier writes are flushed in a turn of their own.
  await new Promise((next) => setImmediate(next));
  if (!stream.writableNeedDrain || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    stream.once('drain', done);
    signal.addEventListener('abort', done);
  });
};

const explain = (failure: unknown): { isReaderGone: boolean; error: AppError } => {
  const code = failure instanceof Error && 'code' in failure ? failure.code : null;
  const isReaderGone = code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
  const why = code === 'ENOSPC' ? 'no space is left' : toAppError(failure).message;
  const message = `Standard output could not be written: ${why}.`;
  return {
    isReaderGone,
    error: new AppError('disk', message, 'What was done is recorded; free some space, then run it again.'),
  };
};
