// Where a new day begins in a list sorted by date. Pure.
import type { FileRow } from '../../../src-main/contract/model.ts';
import type { Slots } from './file-list.ts';

type DayHead = { at: number; dayMs: number };

/** The days in the order of the list, each once: dates of an unknown zone may alternate around midnight. */
export const dayHeads = (slots: Slots, descending: boolean): DayHead[] => {
  const dateOf = createDates();
  const heads: DayHead[] = [];
  let [fromMs, toMs] = descending ? [Infinity, Infinity] : [-Infinity, -Infinity];
  // By index: a list of 100,000 is walked each time a part of it is read.
  for (let at = 0; at < slots.length; at += 1) {
    const row = slots[at] ?? null;
    const ms = row === null ? null : dateOf(row);
    if (ms === null || (descending ? ms >= fromMs : ms < toMs)) continue;
    fromMs = new Date(ms).setHours(0, 0, 0, 0);
    toMs = new Date(fromMs).setDate(new Date(fromMs).getDate() + 1);
    heads.push({ at, dayMs: fromMs });
  }
  return heads;
};

/** Parses the service's date as the day that it names; neighbours often share it, so the last result is kept. */
const createDates = (): ((row: FileRow) => number | null) => {
  let last = { date: '', ms: null as number | null };
  return ({ uploadedAtMs, uploadDate }) => {
    if (uploadedAtMs !== null) return uploadedAtMs;
    const date = uploadDate?.slice(0, 10) ?? '';
    if (date !== last.date) {
      const ms = Date.parse(`${date}T12:00:00`);
      last = { date, ms: Number.isNaN(ms) ? null : ms };
    }
    return last.ms;
  };
};
