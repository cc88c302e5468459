// What the engine calls absent: an upload whose answer was lost, and which it takes for never stored (W7).
import type { Ledger } from '../../../src-main/engine/ports/ledger.ts';

/** An upload leaves "uncertain" for one of these states only when the service does not have it. */
const afterAbsence: ReadonlySet<string> = new Set(['settling', 'waiting', 'failed', 'skipped', 'gone']);

/** `told`: the attempt of an upload that is called absent. */
export const hearAbsences = (ledger: Ledger, told: (attemptId: number) => void): Ledger => ({
  ...ledger,
  uploads: {
    ...ledger.uploads,
    update(id, change, atMs) {
      const before = ledger.uploads.byId(id)?.state;
      const after = ledger.uploads.update(id, change, atMs);
      const { state } = after;
      const isAbsent =
        afterAbsence.has(state.kind) || (state.kind === 'held' && state.reason === 'unanswered');
      if (before?.kind === 'uncertain' && isAbsent) told(before.attemptId);
      return after;
    },
  },
});
