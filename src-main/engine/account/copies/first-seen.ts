// When a file of the account was first seen. This shows whether a lost upload can have created it (reconcile-rules.ts).
import type { Ports } from '../../ports/ports.ts';

/**
 * When files that were not known count as first seen, in epoch milliseconds: now, but no earlier than the start of any
 * upload without a known result, or of the doubt whether the ledger is an older copy. The reason: the wall clock may have
 * been set back. Then the file of a lost upload would seem older than the upload. It would count as a file of another
 * program, and the upload would be sent again.
 */
export const firstSeenAtMs = ({ ledger, clock }: Pick<Ports, 'ledger' | 'clock'>): number =>
  Math.max(
    clock.wallMs(),
    ledger.attempts.latestUnknownMs(),
    ledger.facts.get('may-be-older')?.value.sinceMs ?? 0,
  );
