// When a file of the account was first seen, which tells whether a lost upload can have created it (reconcile-rules.ts).
import type { Ports } from '../ports.ts';

const mostAtOnce = 1000;

/**
 * For `remote.saw`, epoch milliseconds: now, and no earlier than any upload began of which nobody knows yet what came.
 * The wall clock may have been set back since: then what a lost upload created would seem to have been there before it,
 * be taken for somebody else's, and be sent again.
 */
export const seenAtMs = ({ ledger, clock }: Pick<Ports, 'ledger' | 'clock'>): number => {
  const uncertain = ledger.uploads.inState('uncertain', mostAtOnce).map(({ state, createdAtMs }) => {
    const attempt = state.kind === 'uncertain' ? ledger.attempts.byId(state.attemptId) : null;
    return attempt?.startedAtMs ?? createdAtMs;
  });
  const underWay = ledger.attempts.open().map(({ startedAtMs }) => startedAtMs);
  return Math.max(clock.wallMs(), ...uncertain, ...underWay);
};
