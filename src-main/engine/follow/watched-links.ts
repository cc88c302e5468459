// Stage: looks at links again with spare requests: at followed links for their downloads, and at those that are read
// back for what they serve. The times of the next looks are in the ledger, so a kill at any point only delays a look,
// and each finding is reported once (design/decisions.md, Followed links, Proof of links).
import type { Service } from '../account/service.ts';
import { createLoop } from '../shared/loop.ts';
import type { Core } from '../state/core.ts';
import { createDownloads } from './downloads.ts';
import { createProofs } from './proofs.ts';

/** What links are looked at again for. */
type LinkLook = {
  /** Until the next look is due: milliseconds, 0: now; null: no link is looked at. */
  dueMs(): number | null;
  /** Takes the link whose turn it is. Spare requests were there just now. */
  look(): Promise<void>;
  /** A run that ends when nothing is due waits this long for the pace before a look. */
  patienceMs: number;
};

const minuteMs = 60_000;
/** How soon to see again whether a look that is due may begin. */
const tryAgainMs = minuteMs;
/** The limiter's time may stand still while the clock of the timer runs, and the wall clock may be set. */
const lookAgainMs = 15 * minuteMs;

export const createWatchedLinks = (core: Core, service: Service) => {
  const { ports, rows, work } = core;
  const { gate, spare } = service;
  const downloads = createDownloads(core, service);
  const proofs = createProofs(core, service);
  /** The one that had its turn last comes last. */
  let looks: readonly LinkLook[] = [proofs, downloads];

  /** The look that is due first. */
  const first = (): { look: LinkLook; dueMs: number } | null => {
    const due = looks.flatMap((look) => {
      const dueMs = look.dueMs();
      return dueMs === null ? [] : [{ look, dueMs }];
    });
    return due.toSorted((a, b) => a.dueMs - b.dueMs)[0] ?? null;
  };

  const turn = async (): Promise<number | null> => {
    const due = first();
    if (due?.dueMs === 0 && spare.waitMs() === 0) {
      looks = [...looks.filter((look) => look !== due.look), due.look];
      await due.look.look();
    }
    if (work.signal.aborted) return null;
    const reportInMs = downloads.report();
    const next = first();
    if (next === null) return null;
    const waitMs = next.dueMs > 0 ? next.dueMs : (spare.waitMs() ?? tryAgainMs);
    return Math.min(waitMs, reportInMs ?? Infinity, lookAgainMs);
  };

  const loop = createLoop({ name: 'watched links', ports, work, turn });
  gate.onChange(loop.wake);
  rows.onMove(({ row: { id, state } }) => {
    // The user's upload goes first, also on the wire.
    if (state.kind === 'ready') proofs.giveWay();
    if (state.kind !== 'uploaded') return;
    proofs.add(id);
    loop.wake();
  });

  return {
    stop: loop.stop,
    wake() {
      // Another process may have queued one.
      if (work.isOn() && proofs.isReading() && ports.ledger.uploads.countInState('ready') > 0)
        proofs.giveWay();
      loop.wake();
    },
    isStill(): boolean {
      if (proofs.isReading()) return false;
      if (first() === null) return true;
      if (loop.isBusy()) return false;
      return looks.every((look) => {
        if (look.dueMs() !== 0) return true;
        const waitMs = spare.waitMs();
        return waitMs === null || waitMs > look.patienceMs;
      });
    },
    downloads,
    proofs,
  };
};

export type WatchedLinks = ReturnType<typeof createWatchedLinks>;
