// An upload that is on its way, as the queue sees it.
import type { AppError } from '../../contract/errors.ts';
import type { Upload } from '../ports.ts';

export type Flight = {
  upload: Upload;
  /** It tells whether others may follow. */
  isProbe: boolean;
  abort: AbortController;
  sentBytes: number;
  /** A good answer is there and is being recorded: the next one may begin, with the same flush of the disk. */
  isAnswered: boolean;
  /** A fault ended it, which may close the queue: until that is decided nothing else begins. */
  failure: AppError | null;
  done: Promise<void>;
};

export const createFlight = (upload: Upload, isProbe: boolean): Flight => ({
  upload,
  isProbe,
  abort: new AbortController(),
  sentBytes: 0,
  isAnswered: false,
  failure: null,
  done: Promise.resolve(),
});

/** How many keep the next one waiting. */
export const onTheWay = (flights: ReadonlyMap<number, Flight>): number =>
  [...flights.values()].filter(({ isAnswered }) => !isAnswered).length;

/** A probe keeps others waiting until it is recorded what became of it. */
export const hasProbe = (flights: ReadonlyMap<number, Flight>): boolean =>
  [...flights.values()].some(({ isProbe }) => isProbe);
