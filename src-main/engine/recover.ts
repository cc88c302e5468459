// After a crash (upload-protocol.md, "States and what a restart may conclude"): an attempt that never reached
// `committing` created nothing; one that did is uncertain, and looking decides.
import type { Feed } from './feed.ts';
import { nextLookAt } from './look.ts';
import { joinPath } from './paths.ts';
import type { Attempt, Ports, Upload } from './ports.ts';

export type Conclusion = 'send-again' | 'uncertain' | 'settled';

export const concludeFrom = (
  attempt: Pick<Attempt, 'committingAtMs'>,
  row: Pick<Upload, 'state'>,
): Conclusion => {
  if (row.state.kind !== 'sending' && row.state.kind !== 'committing') return 'settled';
  return attempt.committingAtMs === null ? 'send-again' : 'uncertain';
};

/** Run once, by the holder of the engine lock, before anything is sent. */
export const recover = (
  ports: Pick<Ports, 'ledger' | 'clock' | 'settings'>,
  feed: Feed,
): { again: number; uncertain: number } => {
  const { ledger, clock } = ports;
  const { reconcileAfterMs } = ports.settings.current();
  let again = 0;
  let uncertain = 0;
  ledger.atomically(() => {
    const nowMs = clock.wallMs();
    for (const attempt of ledger.attempts.open()) {
      const row = ledger.uploads.byId(attempt.uploadId);
      const conclusion = row === null ? 'settled' : concludeFrom(attempt, row);
      const outcome = attempt.committingAtMs === null ? 'not-created' : 'uncertain';
      ledger.attempts.end(attempt.id, {
        atMs: nowMs,
        outcome,
        status: null,
        evidence: 'Outtray was stopped.',
      });
      if (row === null || conclusion === 'settled') continue;
      if (conclusion === 'send-again') {
        again += 1;
        ledger.uploads.update(row.id, { state: row.present ? { kind: 'ready' } : { kind: 'gone' } }, nowMs);
        continue;
      }
      uncertain += 1;
      const nextLookAtMs = nextLookAt(attempt.committingAtMs ?? nowMs, 0, reconcileAfterMs) ?? nowMs;
      const state = {
        kind: 'uncertain' as const,
        attemptId: attempt.id,
        looks: 0,
        absences: 0,
        nextLookAtMs,
      };
      ledger.uploads.update(row.id, { state, attempts: row.attempts + 1 }, nowMs);
      feed.record(row.id, joinPath(row.dir, row.name), { kind: 'held', reason: 'uncertain' });
    }
  });
  return { again, uncertain };
};
