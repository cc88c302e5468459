// The settle gate: a file goes on once nothing about it has changed for its quiet time and no process has it open for
// writing. How long the quiet time is depends on what can be known of its writers, and on how often the file became a
// link of late (resources/docs/design/decisions/finished-files.md). Pure: the caller looks, this decides. There is no
// give-up time: a file that keeps changing keeps waiting.
import type { Stamp, Writing } from '../ports.ts';

/** Where a writer that is not seen may pause, the quiet time grows to twice the longest pause. */
const quietMs = {
  closed: 250,
  /** The platform tells nothing of open files. */
  untold: { least: 1000, most: 10_000 },
  /** The writer is another user's program, in a container, or on another machine. */
  hidden: { least: 10_000, most: 60_000 },
};
/** A file that stays open for writing is asked about again after 60 ms, later every 2 s. */
const writerAgainMs = { least: 60, most: 2000 };
/** A file that changes without an event is looked at so often within its quiet time. */
const looksAtSilent = 4;
/** Versions that became links within this time make the next one wait. */
export const brakeSpanMs = 3_600_000;
const brakeMs = { first: 10_000, most: 3_600_000 };

/** The least quiet time of a file of which so many versions became links within the hour. */
export const brakeOf = (versions: number): number =>
  versions === 0 ? 0 : Math.min(brakeMs.most, brakeMs.first * 2 ** (versions - 1));

type Watched = {
  id: number;
  stampKey: string;
  /** Monotonic time since which nothing has changed. */
  sinceMs: number;
  dueAtMs: number;
  /** What is known of its writers; before the first answer it counts as closed. */
  writing: Exclude<Writing, 'open'>;
  longestPauseMs: number;
  /** It was old enough to go at once, and has not changed since. */
  hurry: boolean;
  brakeMs: number;
  writerAgainMs: number;
  /** Its writer has it open and changes it without an event, as through a mapping: only looking tells when. */
  isSilent: boolean;
};

export type QuietPeriods = {
  /**
   * Seen with this stamp. Something new, or another stamp, starts the quiet time; the same stamp changes nothing.
   * `restedMs`: so long ago it was changed, and it is to go at once.
   */
  observe(id: number, stamp: Stamp, nowMs: number, options?: { restedMs?: number }): void;
  forget(id: number): void;
  /** Those whose quiet time is over: look at them again and say what was found. */
  due(nowMs: number, limit: number): number[];
  /** The second look, first half: false when no answer is needed, because it is known to be written still. */
  isToAsk(id: number, stamp: Stamp, nowMs: number): boolean;
  /** The second look, with the answer: true when the file is stable and may go on (it is then forgotten). */
  confirm(id: number, stamp: Stamp, writing: Writing, nowMs: number): boolean;
  nextDueAtMs(): number | null;
  size(): number;
};

export const createQuietPeriods = (
  rules: () => { settleMs: number },
  /** How many versions at the path of this upload became links within the hour. */
  versionsOf: (id: number) => number = () => 0,
): QuietPeriods => {
  const watched = new Map<number, Watched>();
  /** The longest pause of any writer that was not seen: the next file is written by the same program, probably. */
  let longestHiddenPauseMs = 0;

  const quietOf = (file: Watched): number => {
    const { settleMs } = rules();
    const ownMs = file.hurry ? 0 : settleMs > 0 ? settleMs : quietMs.closed;
    const unknownMs = settleMs > 0 ? 0 : quietOfUnknown(file);
    return Math.max(ownMs, unknownMs, file.brakeMs);
  };

  const quietOfUnknown = ({ writing, longestPauseMs }: Watched): number => {
    switch (writing) {
      case 'closed':
        return 0;
      case 'untold':
        return grown(quietMs.untold, longestPauseMs);
      case 'hidden':
        return grown(quietMs.hidden, Math.max(longestPauseMs, longestHiddenPauseMs));
    }
  };

  const restart = (file: Watched, stampKey: string, nowMs: number): void => {
    file.longestPauseMs = Math.max(file.longestPauseMs, nowMs - file.sinceMs);
    file.hurry = false;
    file.stampKey = stampKey;
    file.sinceMs = nowMs;
    if (file.writing === 'hidden') longestHiddenPauseMs = Math.max(longestHiddenPauseMs, file.longestPauseMs);
    waitForQuiet(file, nowMs);
    file.writerAgainMs = writerAgainMs.least;
  };

  const waitForQuiet = (file: Watched, nowMs: number): void => {
    const quietAtMs = file.sinceMs + quietOf(file);
    file.dueAtMs = file.isSilent ? Math.min(quietAtMs, nowMs + quietOf(file) / looksAtSilent) : quietAtMs;
  };

  return {
    observe(id, stamp, nowMs, { restedMs } = {}) {
      const known = watched.get(id);
      if (known !== undefined) {
        if (known.stampKey !== stamp.key) restart(known, stamp.key, nowMs);
        return;
      }
      const file: Watched = {
        id,
        stampKey: stamp.key,
        sinceMs: nowMs - (restedMs ?? 0),
        dueAtMs: nowMs,
        writing: 'closed',
        longestPauseMs: 0,
        hurry: restedMs !== undefined,
        brakeMs: brakeOf(versionsOf(id)),
        writerAgainMs: writerAgainMs.least,
        isSilent: false,
      };
      waitForQuiet(file, nowMs);
      watched.set(id, file);
    },
    forget(id) {
      watched.delete(id);
    },
    due(nowMs, limit) {
      const ids: number[] = [];
      for (const file of watched.values()) {
        if (file.dueAtMs > nowMs) continue;
        ids.push(file.id);
        if (ids.length >= limit) break;
      }
      return ids;
    },
    isToAsk(id, stamp, nowMs) {
      const file = watched.get(id);
      if (file?.isSilent !== true) return file !== undefined;
      if (file.stampKey !== stamp.key) restart(file, stamp.key, nowMs);
      if (file.sinceMs + quietOf(file) <= nowMs) return true;
      waitForQuiet(file, nowMs);
      return false;
    },
    confirm(id, stamp, writing, nowMs) {
      const file = watched.get(id);
      if (file === undefined) return false;
      if (writing !== 'open') file.writing = writing;
      if (file.stampKey !== stamp.key) {
        // An event would have told before its quiet time was over.
        file.isSilent = writing === 'open';
        restart(file, stamp.key, nowMs);
        return false;
      }
      if (nowMs < file.sinceMs + quietOf(file)) {
        waitForQuiet(file, nowMs);
        return false;
      }
      if (writing === 'open') {
        file.dueAtMs = nowMs + file.writerAgainMs;
        file.writerAgainMs = Math.min(writerAgainMs.most, file.writerAgainMs * 2);
        return false;
      }
      watched.delete(id);
      return true;
    },
    nextDueAtMs() {
      let nextMs = Infinity;
      for (const file of watched.values()) nextMs = Math.min(nextMs, file.dueAtMs);
      return nextMs === Infinity ? null : nextMs;
    },
    size: () => watched.size,
  };
};

const grown = ({ least, most }: { least: number; most: number }, pauseMs: number): number =>
  Math.min(most, Math.max(least, 2 * pauseMs));
