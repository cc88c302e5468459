// An upload that is on its way, as the queue sees it.
import type { AppError } from '../../contract/errors.ts';
import type { Upload } from '../ports/uploads.ts';

export type Flight = {
  upload: Upload;
  /** The one upload that tries whether the service can be used again. The others wait for its result. */
  isProbe: boolean;
  abort: AbortController;
  sentBytes: number;
  /** The fault that ended it. It may close the queue, so no other upload begins until that is decided. */
  failure: AppError | null;
  done: Promise<void>;
};

export const createFlight = (upload: Upload, isProbe: boolean): Flight => ({
  upload,
  isProbe,
  abort: new AbortController(),
  sentBytes: 0,
  failure: null,
  done: Promise.resolve(),
});

/** Other uploads wait until the result of a probe is recorded. */
export const hasProbe = (flights: ReadonlyMap<number, Flight>): boolean =>
  [...flights.values()].some(({ isProbe }) => isProbe);
