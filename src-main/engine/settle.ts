// The settle gate: a file goes on once nothing about it has changed for the quiet time and, where the system can
// tell, nobody has it open for writing. Pure: the caller looks, this decides. There is no give-up time: a file that
// keeps changing keeps waiting.
import type { Stamp } from './ports.ts';

/** Quiet time where open writers can be seen. */
const quietWhenWritersAreSeenMs = 250;
/** Elsewhere a writer may pause: at least 1 s, growing with the longest pause this file has shown. */
const quietElsewhereMs = { least: 1000, most: 10_000 };
/** A file that stays open for writing is asked about again after 60 ms, later every 2 s. */
const writerAgainMs = { least: 60, most: 2000 };
/** A file that changes without a word is looked at so often within its quiet time. */
const looksAtSilent = 4;

type Watched = {
  id: number;
  stampKey: string;
  /** Monotonic time since which nothing has changed. */
  sinceMs: number;
  dueAtMs: number;
  quietMs: number;
  writerAgainMs: number;
  /** Somebody who has it open changes it without an event, as through a mapping: only looking tells when. */
  isSilent: boolean;
};

export type Settle = {
  /** Seen with this stamp. Something new, or another stamp, starts the quiet time; the same stamp changes nothing. */
  observe(id: number, stamp: Stamp, nowMs: number, options?: { hurry?: boolean }): void;
  forget(id: number): void;
  /** Those whose quiet time is over: look at them again and say what was found. */
  due(nowMs: number, limit: number): number[];
  /** The second look, first half: false when nobody's answer is needed, because it is known to be written still. */
  isToAsk(id: number, stamp: Stamp, nowMs: number): boolean;
  /** The second look, with the answer: true when the file is stable and may go on (it is then forgotten). */
  confirm(id: number, stamp: Stamp, openForWriting: boolean | null, nowMs: number): boolean;
  nextDueAtMs(): number | null;
  size(): number;
};

export const createSettle = (rules: () => { settleMs: number; writersAreSeen: boolean }): Settle => {
  const watched = new Map<number, Watched>();

  const firstQuietMs = (): number => {
    const { settleMs, writersAreSeen } = rules();
    if (settleMs > 0) return settleMs;
    return writersAreSeen ? quietWhenWritersAreSeenMs : quietElsewhereMs.least;
  };

  const restart = (file: Watched, stampKey: string, nowMs: number): void => {
    if (file.quietMs === 0) file.quietMs = firstQuietMs();
    const pauseMs = nowMs - file.sinceMs;
    const { settleMs, writersAreSeen } = rules();
    if (settleMs === 0 && !writersAreSeen) {
      // A writer that paused this long may pause as long again.
      file.quietMs = Math.min(quietElsewhereMs.most, Math.max(file.quietMs, 2 * pauseMs));
    }
    file.stampKey = stampKey;
    file.sinceMs = nowMs;
    waitForQuiet(file, nowMs);
    file.writerAgainMs = writerAgainMs.least;
  };

  const waitForQuiet = (file: Watched, nowMs: number): void => {
    const quietAtMs = file.sinceMs + file.quietMs;
    file.dueAtMs = file.isSilent ? Math.min(quietAtMs, nowMs + file.quietMs / looksAtSilent) : quietAtMs;
  };

  return {
    observe(id, stamp, nowMs, options = {}) {
      const file = watched.get(id);
      if (file === undefined) {
        const quietMs = firstQuietMs();
        watched.set(id, {
          id,
          stampKey: stamp.key,
          sinceMs: nowMs,
          dueAtMs: options.hurry === true ? nowMs : nowMs + quietMs,
          quietMs: options.hurry === true ? 0 : quietMs,
          writerAgainMs: writerAgainMs.least,
          isSilent: false,
        });
      } else if (file.stampKey !== stamp.key) {
        restart(file, stamp.key, nowMs);
      }
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
      if (file.sinceMs + file.quietMs <= nowMs) return true;
      waitForQuiet(file, nowMs);
      return false;
    },
    confirm(id, stamp, openForWriting, nowMs) {
      const file = watched.get(id);
      if (file === undefined) return false;
      if (file.stampKey !== stamp.key) {
        // An event would have told before its quiet time was over.
        file.isSilent = openForWriting === true;
        restart(file, stamp.key, nowMs);
        return false;
      }
      if (nowMs < file.sinceMs + file.quietMs) return false;
      if (openForWriting === true) {
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
