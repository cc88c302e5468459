// Links whose time is over: which they are, when the next one ends, and the one sentence that reports them. The
// recaller takes them back like all others.
import type { LinkState } from '../../contract/files/taken-back.ts';
import type { Expiry } from '../account/expiry.ts';
import { isRecent } from '../shared/time.ts';
import type { Ends, Upload } from '../ports/uploads.ts';
import type { Core } from '../state/core.ts';

/** Links that end within this time of each other are reported together. The report waits for `untoldMs` at most. */
const togetherMs = 60_000;
const untoldMs = 600_000;
/** How often to compare the clocks. A jump must be stored before the machine restarts; afterwards nothing proves it. */
const lookAgainMs = 900_000;

export const createEndedLinks = (
  { ports, rows, feed, steadyMs }: Pick<Core, 'ports' | 'rows' | 'feed' | 'steadyMs'>,
  expiry: Expiry,
) => {
  const { ledger, clock } = ports;

  const lateBy = (ends: Ends): number => {
    const now = expiry.now();
    return Math.min(now.atMs - ends.atMs, now.provenMs - ends.provenMs);
  };

  const untilNext = (): number | null => ledger.uploads.nextEndMs(expiry.now());

  return {
    /** Links whose time is over, the earliest end first. */
    due: (limit: number): Upload[] => ledger.uploads.ended(expiry.now(), limit),
    /** Takes the link back; null: its end has been moved, or another process takes it back. */
    begin: (id: number): Upload | null =>
      ledger.atomically(() => {
        // It may have been lifted meanwhile.
        expiry.syncCeiling();
        const ends = ledger.uploads.byId(id)?.ends ?? null;
        if (ends === null || lateBy(ends) < 0) return null;
        const row = rows.apply(id, { kind: 'recall', nextAtMs: Math.ceil(steadyMs()), isExpired: true });
        return row === 'stale' ? null : row;
      }),
    /** How late it is now. */
    lateMs: ({ ends }: Upload): number => (ends === null ? 0 : Math.max(0, lateBy(ends))),
    /** Inside the transaction that records it. */
    note(found: LinkState, lateMs: number): void {
      const before = ledger.facts.get('expired');
      const { files, alive, answers = 0, lateMs: most } = before?.value ?? noneYet;
      const noted = {
        files: files + 1,
        alive: alive + (found === 'dead' ? 0 : 1),
        answers: answers + (found === 'answers' ? 1 : 0),
        lateMs: Math.max(most, lateMs),
      };
      ledger.facts.set('expired', noted, before?.atMs ?? clock.wallMs());
    },
    /** Records one entry for all noted links. It waits if another link ends soon. */
    tell(): void {
      ledger.atomically(() => {
        const noted = ledger.facts.get('expired');
        if (noted === null) return;
        const nextMs = untilNext();
        const isNew = isRecent(clock, noted.atMs, untoldMs);
        if (nextMs !== null && nextMs <= togetherMs && isNew) return;
        ledger.facts.remove('expired');
        feed.record(null, null, { kind: 'expired', ...noted.value });
      });
    },
    /** How long until the next look; null: no link ends. */
    nextMs(): number | null {
      const nextMs = untilNext();
      return nextMs === null ? null : Math.min(nextMs, lookAgainMs);
    },
  };
};

export type EndedLinks = ReturnType<typeof createEndedLinks>;

const noneYet = { files: 0, alive: 0, answers: 0, lateMs: 0 };
