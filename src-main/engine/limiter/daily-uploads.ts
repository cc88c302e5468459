// The account's `daily_uploads` (service.md §2): how many uploads may be committed in any rolling day. The ledger holds
// the uploads. They are counted there only when enough permits were spent to matter.
import type { Clock } from '../ports/ports.ts';
import { DAY_WINDOW_MS } from './usage.ts';

/** A binary search finds the end of a wait to this precision. */
const PRECISION_MS = 1_000;
/** After this time at the latest the uploads are counted again, because other processes upload too. */
const COUNT_AGAIN_MS = 60_000;

export const createDailyUploads = (clock: Clock, committedSince: (sinceMs: number) => number) => {
  /** The answer while the day is full; times on the monotonic clock. */
  let full: { limit: number; untilMs: number; countAgainMs: number } | null = null;

  /** Time until enough uploads have left the window for `limit` to allow one more. */
  const freeInMs = (limit: number, nowMs: number): number => {
    // At least `limit` were committed since `early`, fewer since `late`.
    let [early, late] = [nowMs - DAY_WINDOW_MS, nowMs];
    while (late - early > PRECISION_MS) {
      const middle = (early + late) / 2;
      if (committedSince(middle) >= limit) early = middle;
      else late = middle;
    }
    return Math.max(PRECISION_MS, Math.ceil(late + DAY_WINDOW_MS - nowMs));
  };

  return {
    /**
     * How long until one more upload fits; null: now. `spentUploads`: upload permits of the last day. `uploading` of them
     * are outstanding and may still be committed.
     */
    waitMs(limit: number | null, spentUploads: number, uploading: number): number | null {
      // Each committed upload spent a permit, so few permits mean few uploads.
      if (limit === null || spentUploads < limit) return null;
      const monoMs = clock.monoMs();
      if (full?.limit === limit && monoMs < Math.min(full.untilMs, full.countAgainMs)) {
        return full.untilMs - monoMs;
      }
      full = null;
      const nowMs = clock.wallMs();
      const committed = committedSince(nowMs - DAY_WINDOW_MS);
      if (committed + uploading < limit) return null;
      // Full only because of uploads that are under way. `forget` is called when one ends.
      const waitMs = committed < limit ? COUNT_AGAIN_MS : freeInMs(limit, nowMs);
      full = { limit, untilMs: monoMs + waitMs, countAgainMs: monoMs + COUNT_AGAIN_MS };
      return waitMs;
    },
    /** An upload has ended, or the limit has changed: count again. */
    forget(): void {
      full = null;
    },
  };
};
