// When a file of the account was first seen. This shows whether a lost upload can have created it (reconcile-rules.ts).
import type { Facts } from '../../../contract/facts.ts';
import type { Ports } from '../../ports/ports.ts';

/**
 * The doubt whether the ledger is an older copy of itself; null: there is none. If the clock was ahead when the doubt began,
 * it begins again now. Otherwise files that come later would count as files that were there before.
 */
export const doubtOf = ({ ledger, clock }: Pick<Ports, 'ledger' | 'clock'>): Facts['may-be-older'] | null => {
  const doubt = ledger.facts.get('may-be-older')?.value ?? null;
  const nowMs = clock.wallMs();
  if (doubt === null || doubt.sinceMs <= nowMs) return doubt;
  const begun = { sinceMs: nowMs, untilMs: nowMs };
  ledger.facts.set('may-be-older', begun, nowMs);
  return begun;
};

/**
 * When files that were not known count as first seen, in epoch milliseconds: now, but no earlier than the start of any
 * upload without a known result, or of the doubt whether the ledger is an older copy. The reason: the wall clock may have
 * been set back. Then the file of a lost upload would seem older than the upload. It would count as a file of another
 * program, and the upload would be sent again.
 */
export const firstSeenAtMs = ({ ledger, clock }: Pick<Ports, 'ledger' | 'clock'>): number =>
  Math.max(doubtOf({ ledger, clock })?.sinceMs ?? 0, clock.wallMs(), ledger.attempts.latestUnknownMs());
