// What every stage works with.
import type { Feed } from '../shared/feed.ts';
import type { StageWork } from '../shared/loop.ts';
import type { Ports } from '../ports/ports.ts';
import type { Rows } from './rows.ts';

export type Core = {
  ports: Ports;
  rows: Rows;
  feed: Feed;
  work: StageWork;
  /** The clock for "not before" times: see time.ts. */
  steadyMs: () => number;
};
