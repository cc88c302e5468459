import { AppError } from '../../contract/errors.ts';

/** For work that knows no signal: it goes on, and what it returns later is ignored. Throws `aborted`. */
export const unlessAborted = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new AppError('aborted', 'Stopped.', '', { cause: signal.reason }));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => undefined);
  }
};
