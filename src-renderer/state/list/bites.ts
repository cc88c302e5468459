// Calls about many files: in as many as they need.

/** The most ids that one call can take in the pipe's 64 KiB. For each call about many files a system dialog asks. */
export const MAX_IDS = 5_000;

export const bitesOf = <Item>(all: readonly Item[], most = MAX_IDS): Item[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most));
