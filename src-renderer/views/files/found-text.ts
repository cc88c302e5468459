// How many files a search found, of how many: for the field, and for screen readers.
import type { Files } from '../../state/files.svelte.ts';
import { say } from '../../words/say.svelte.ts';

/** The ledger counts the hits of a search up to here. */
const MOST_COUNTED = 1_000;

export const foundText = ({
  matches,
  total,
  counts,
  query,
}: Pick<Files, 'matches' | 'total' | 'counts' | 'query'>): string => {
  const count = matches?.[query.place] ?? total;
  if (counts === null) return say('files.results', { count });
  const all = counts.all;
  return matches === null && total >= MOST_COUNTED
    ? say('files.foundMany', { count: MOST_COUNTED, all })
    : say('files.found', { count, all });
};
