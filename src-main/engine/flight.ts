// An upload that is on its way, as the queue sees it.
import type { Upload } from './ports.ts';

export type Flight = {
  upload: Upload;
  abort: AbortController;
  sentBytes: number;
  /** A good answer is there and is being recorded: the next one may begin, with the same flush of the disk. */
  isAnswered: boolean;
  /** A fault ended it, which may close the queue: until that is decided nothing else begins. */
  isFailing: boolean;
  done: Promise<void>;
};

export const createFlight = (upload: Upload): Flight => ({
  upload,
  abort: new AbortController(),
  sentBytes: 0,
  isAnswered: false,
  isFailing: false,
  done: Promise.resolve(),
});

/** How many keep the next one waiting. A probe does until it is recorded what became of it. */
export const onTheWay = (flights: ReadonlyMap<number, Flight>, as: 'open' | 'probe'): number =>
  as === 'probe' ? flights.size : [...flights.values()].filter(({ isAnswered }) => !isAnswered).length;
