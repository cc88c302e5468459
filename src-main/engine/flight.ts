// An upload that is on its way, as the queue sees it.
import type { Upload } from './ports.ts';

export type Flight = {
  upload: Upload;
  /** How it passed the gate. */
  as: 'open' | 'probe';
  abort: AbortController;
  sentBytes: number;
  /** A fault ended it, which may close the queue: until that is decided nothing else begins. */
  isFailing: boolean;
  done: Promise<void>;
};

export const createFlight = (upload: Upload, as: Flight['as']): Flight => ({
  upload,
  as,
  abort: new AbortController(),
  sentBytes: 0,
  isFailing: false,
  done: Promise.resolve(),
});
