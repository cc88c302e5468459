// Readings of the account's list: the last one of each day, with the downloads so far.
import { daysBetween } from '../../../contract/text/formats.ts';
import type { Ledger } from '../../ports/ledger.ts';

/** As far back as a chart may reach. */
const mostReadings = 60;

const readingsOf = (ledger: Ledger) => ledger.facts.get('readings')?.value ?? [];

/** Never falls, also when the service counts fewer for a file than before. */
export const downloadsSoFar = (ledger: Ledger): number =>
  Math.max(ledger.views.shared().downloads, ...readingsOf(ledger).map(({ downloads }) => downloads));

export const noteReading = (ledger: Ledger, atMs: number): void => {
  // Those of today, and those that a clock set back has moved into the future.
  const earlier = readingsOf(ledger).filter((one) => daysBetween(atMs, one.atMs) > 0);
  const readings = [...earlier, { atMs, downloads: downloadsSoFar(ledger) }];
  ledger.facts.set('readings', readings.slice(-mostReadings), atMs);
};
