// Readings of the account's list: the last one of each day, with the downloads so far.
import type { StatsView } from '../../../contract/answers.ts';
import { daysBetween } from '../../../contract/text/formats.ts';
import type { Ledger } from '../../ports/ledger.ts';

/** As far back as a chart may reach. */
const mostReadings = 60;

/**
 * What came since the last reading adds to it, so the number never falls. A file that was there before and is seen only now
 * may bring downloads of any day: they raise all readings alike, and no day gains them.
 */
export const downloadsSoFar = (ledger: Ledger): Pick<StatsView, 'readings'> & { downloads: number } => {
  const readings = ledger.facts.get('readings')?.value ?? [];
  const known = ledger.views.shared().downloads;
  const last = readings.at(-1);
  if (last === undefined) return { readings, downloads: known };
  const counted = last.downloads + ledger.views.gainedSince(last.atMs);
  const late = Math.max(0, known - counted - ledger.views.countedLateSince(last.atMs));
  return {
    readings: readings.map(({ atMs, downloads }) => ({ atMs, downloads: downloads + late })),
    downloads: Math.max(known, counted),
  };
};

export const noteReading = (ledger: Ledger, atMs: number): void => {
  const { readings, downloads } = downloadsSoFar(ledger);
  ledger.remote.countedBefore(atMs);
  // Without those of today, and those that a clock set back has moved into the future.
  const earlier = readings.filter((one) => daysBetween(atMs, one.atMs) > 0);
  ledger.facts.set('readings', [...earlier, { atMs, downloads }].slice(-mostReadings), atMs);
};
