// The quiet period: a file goes on when it has not changed for its quiet time and no process has it open for writing.
// Who gives a file says that it is finished: it has no quiet time where writers can be seen. The quiet time depends on
// what is known of its writers and on how often the file became a link within the last hour
// (resources/docs/design/upload-protocol.md). Pure: the caller looks at the file, this code decides. There is
// no time limit: a file that keeps changing keeps waiting.
import type { StillWritten } from '../../contract/entries.ts';
import type { Stamp, Writing } from '../ports/files.ts';
import { isOldEnough } from '../shared/file-version.ts';

/** An unseen writer may pause. Then the quiet time grows to twice the longest pause. */
const quietMs = {
  closed: 250,
  /** The platform gives no information about open files. */
  untold: { least: 1000, most: 10_000 },
  /** The writer is another user's program, in a container, or on another machine. */
  hidden: { least: 10_000, most: 60_000 },
};
/** If a file stays open for writing, the next check comes after 60 ms. The wait doubles up to 2 s. */
const writerAgainMs = { least: 60, most: 2000 };
/** A file that changes without an event is looked at this many times within its quiet time. */
const looksAtSilent = 4;
/** Versions that became links within this time make the next one wait. */
export const brakeSpanMs = 3_600_000;
/** A file that is still written after this time is reported once. */
const reportedAfterMs = 5000;
const brakeMs = { first: 10_000, most: 3_600_000 };

/** The least quiet time of a file. `versions`: how many of its versions became links within the hour. */
export const brakeOf = (versions: number): number =>
  versions === 0 ? 0 : Math.min(brakeMs.most, brakeMs.first * 2 ** (versions - 1));

type Watched = {
  id: number;
  stampKey: string;
  /** Monotonic times of the last change, and of the first look. */
  sinceMs: number;
  seenAtMs: number;
  dueAtMs: number;
  /** What is known of its writers. Before the first answer the file counts as closed. */
  writing: Exclude<Writing, 'open'>;
  longestPauseMs: number;
  /** Why it needs no quiet time of its own, until it changes: it is old enough, or it was given. */
  hurry: 'rested' | 'given' | null;
  brakeMs: number;
  writerAgainMs: number;
  /** Its writer has it open and changes it without an event, for example through a memory map. Only a look shows it. */
  isSilent: boolean;
  isReported: boolean;
  isPutOff: boolean;
};

type Known = { restedMs?: number; isGiven?: boolean };

export type QuietPeriods = {
  /**
   * The file was seen with this stamp. A new file or another stamp starts the quiet time; the same stamp does nothing.
   * `restedMs`: milliseconds since its last change, which count; a file that is old enough goes at once. `isGiven`:
   * someone has given this version, and its writers can be seen.
   */
  observe(id: number, stamp: Stamp, nowMs: number, options?: Known): void;
  forget(id: number): void;
  isWatched(id: number): boolean;
  /** Not due until it is taken up again: its folder is being compared. Its changes count. */
  putOff(id: number): void;
  takeUp(id: number): void;
  /** Files whose quiet time is over. The caller looks at them again and reports the result. */
  due(nowMs: number, limit: number): number[];
  /** The second look, part one. False: the file still changes, so the writer check is not needed. */
  isToAsk(id: number, stamp: Stamp, nowMs: number): boolean;
  /** The second look, part two, with the writer check. True: the file is stable and goes on; it is then forgotten. */
  confirm(id: number, stamp: Stamp, writing: Writing, nowMs: number): boolean;
  /** Files that were seen to be written for seconds, each once. */
  takeStillWritten(): { id: number; how: StillWritten }[];
  nextDueAtMs(): number | null;
  size(): number;
};

const newlyWatched = (
  id: number,
  stamp: Stamp,
  nowMs: number,
  { restedMs = 0, isGiven = false, versions }: Known & { versions: number },
): Watched => ({
  id,
  stampKey: stamp.key,
  sinceMs: nowMs - restedMs,
  seenAtMs: nowMs,
  dueAtMs: nowMs,
  writing: 'closed',
  longestPauseMs: 0,
  hurry: isOldEnough(restedMs) ? 'rested' : isGiven ? 'given' : null,
  brakeMs: brakeOf(versions),
  writerAgainMs: writerAgainMs.least,
  isSilent: false,
  isReported: false,
  isPutOff: false,
});

export const createQuietPeriods = (
  rules: () => { settleMs: number },
  /** How many versions at the path of this upload became links within the hour. */
  versionsOf: (id: number) => number = () => 0,
): QuietPeriods => {
  const watched = new Map<number, Watched>();
  /** The longest pause of any unseen writer. The same program probably writes the next file, too. */
  let longestHiddenPauseMs = 0;
  let stillWritten: { id: number; how: StillWritten }[] = [];

  const noteWritten = (file: Watched, how: StillWritten, nowMs: number): void => {
    if (file.isReported || nowMs - file.seenAtMs < reportedAfterMs) return;
    file.isReported = true;
    stillWritten.push({ id: file.id, how });
  };

  const quietOf = (file: Watched): number => quietFor(file, rules().settleMs, longestHiddenPauseMs);

  const restart = (file: Watched, stampKey: string, nowMs: number): void => {
    file.longestPauseMs = Math.max(file.longestPauseMs, nowMs - file.sinceMs);
    file.hurry = null;
    file.stampKey = stampKey;
    file.sinceMs = nowMs;
    noteWritten(file, 'changing', nowMs);
    if (file.writing === 'hidden') longestHiddenPauseMs = Math.max(longestHiddenPauseMs, file.longestPauseMs);
    waitForQuiet(file, nowMs);
    file.writerAgainMs = writerAgainMs.least;
  };

  const waitForQuiet = (file: Watched, nowMs: number): void => {
    const quietAtMs = file.sinceMs + quietOf(file);
    file.dueAtMs = file.isSilent ? Math.min(quietAtMs, nowMs + quietOf(file) / looksAtSilent) : quietAtMs;
  };

  const setPutOff = (id: number, isPutOff: boolean): void => {
    const file = watched.get(id);
    if (file !== undefined) file.isPutOff = isPutOff;
  };

  return {
    putOff: (id) => setPutOff(id, true),
    takeUp: (id) => setPutOff(id, false),
    observe(id, stamp, nowMs, options) {
      const known = watched.get(id);
      if (known !== undefined) {
        if (known.stampKey !== stamp.key) restart(known, stamp.key, nowMs);
        return;
      }
      const file = newlyWatched(id, stamp, nowMs, { ...options, versions: versionsOf(id) });
      waitForQuiet(file, nowMs);
      watched.set(id, file);
    },
    forget(id) {
      watched.delete(id);
    },
    isWatched: (id) => watched.has(id),
    due(nowMs, limit) {
      const ids: number[] = [];
      for (const file of watched.values()) {
        if (file.isPutOff || file.dueAtMs > nowMs) continue;
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
      // A short rest by a clock that may be another machine's proves nothing.
      if (file.writing !== 'closed' && file.hurry !== 'rested')
        file.sinceMs = Math.max(file.sinceMs, file.seenAtMs);
      if (file.stampKey !== stamp.key) {
        // The file changed and no event came within its quiet time.
        file.isSilent = writing === 'open';
        restart(file, stamp.key, nowMs);
        return false;
      }
      if (nowMs < file.sinceMs + quietOf(file)) {
        waitForQuiet(file, nowMs);
        return false;
      }
      if (writing === 'open') {
        noteWritten(file, 'open', nowMs);
        file.dueAtMs = nowMs + file.writerAgainMs;
        file.writerAgainMs = Math.min(writerAgainMs.most, file.writerAgainMs * 2);
        return false;
      }
      watched.delete(id);
      return true;
    },
    takeStillWritten() {
      const taken = stillWritten;
      stillWritten = [];
      return taken;
    },
    nextDueAtMs() {
      let nextMs = Infinity;
      for (const file of watched.values()) if (!file.isPutOff) nextMs = Math.min(nextMs, file.dueAtMs);
      return nextMs === Infinity ? null : nextMs;
    },
    size: () => watched.size,
  };
};

/** `settleMs`: the quiet time of the settings; 0: none is set. */
const quietFor = (file: Watched, settleMs: number, longestHiddenPauseMs: number): number => {
  const { writing, hurry, brakeMs, longestPauseMs } = file;
  if (settleMs > 0) return Math.max(hurry === 'rested' ? 0 : settleMs, brakeMs);
  const ownMs = hurry === null ? quietMs.closed : 0;
  switch (writing) {
    case 'closed':
      return Math.max(ownMs, brakeMs);
    case 'untold':
      return Math.max(grown(quietMs.untold, longestPauseMs), brakeMs);
    case 'hidden':
      return Math.max(grown(quietMs.hidden, Math.max(longestPauseMs, longestHiddenPauseMs)), brakeMs);
  }
};

const grown = ({ least, most }: { least: number; most: number }, pauseMs: number): number =>
  Math.min(most, Math.max(least, 2 * pauseMs));
