// The bars of the chart of downloads. One bar covers the days between two readings. Days without a reading have no bar.
import type { StatsView } from '../../../src-main/contract/answers.ts';
import { daysBetween } from '../../../src-main/contract/text/formats.ts';
import type { Span } from '../../parts/charts/span.ts';

/** `days`: a moment of each day, oldest first. A day on which one bar ends and the next begins belongs to the first. */
export const downloadSpans = (days: readonly number[], readings: StatsView['readings']): Span[] => {
  const last = days.length - 1;
  const spans: Span[] = [];
  const add = (from: number, to: number, value: number | null): void => {
    const [fromMs, toMs] = [days[from], days[to]];
    if (fromMs !== undefined && toMs !== undefined && from <= to) spans.push({ fromMs, toMs, value });
  };
  const indexOf = ({ atMs }: { atMs: number }): number => last - daysBetween(days[last] ?? 0, atMs);
  let free = 0;
  for (const [at, reading] of readings.entries()) {
    const earlier = readings[at - 1];
    const end = Math.min(last, indexOf(reading));
    if (earlier === undefined || end < free) continue;
    const start = Math.max(free, indexOf(earlier));
    add(free, start - 1, null);
    add(start, end, reading.downloads - earlier.downloads);
    free = end + 1;
  }
  add(free, last, null);
  return spans;
};
