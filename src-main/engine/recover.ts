// After a crash (upload-protocol.md, "States and what a restart may conclude"): an attempt that never reached
// `committing` created nothing; one that did is uncertain, and looking decides.
import type { Feed } from './feed.ts';
import type { Limiter } from './limiter/limiter.ts';
import { lookTimes } from './look.ts';
import { joinPath } from './paths.ts';
import type { AttemptOutcome, Ports } from './ports.ts';

/** What follows for the row of an attempt that a crash cut off, once the attempt itself is concluded. */
export const concludeFrom = (outcome: AttemptOutcome | null): 'send-again' | 'uncertain' =>
  outcome === 'not-created' || outcome === 'refused' ? 'send-again' : 'uncertain';

/** More uploads than this are never on their way at once. */
const mostOnTheWay = 10_000;
const mostWaiting = 1_000_000;

/** Run once, by the holder of the engine lock, before anything is sent. */
export const recover = (
  ports: Pick<Ports, 'ledger' | 'clock' | 'settings'>,
  feed: Feed,
): { again: number; uncertain: number } => {
  const { ledger, clock } = ports;
  const [firstLookMs] = lookTimes(ports.settings.current().reconcileAfterMs);
  let again = 0;
  let uncertain = 0;
  ledger.atomically(() => {
    const nowMs = clock.wallMs();
    for (const attempt of ledger.attempts.open()) {
      const outcome = attempt.committingAtMs === null ? 'not-created' : 'uncertain';
      const evidence = 'Outtray was stopped.';
      ledger.attempts.end(attempt.id, { atMs: nowMs, outcome, status: null, evidence });
    }
    // Rows, not attempts: a crash may fall between the end of an attempt and what becomes of its row.
    const onTheWay = (['sending', 'committing'] as const).flatMap((kind) =>
      ledger.uploads.inState(kind, mostOnTheWay),
    );
    for (const row of onTheWay) {
      const attempt = 'attemptId' in row.state ? ledger.attempts.byId(row.state.attemptId) : null;
      if (concludeFrom(attempt?.outcome ?? null) === 'send-again') {
        again += 1;
        ledger.uploads.update(row.id, { state: row.present ? { kind: 'ready' } : { kind: 'gone' } }, nowMs);
        continue;
      }
      uncertain += 1;
      const nextLookAtMs = nowMs + firstLookMs;
      const state = {
        kind: 'uncertain' as const,
        attemptId: attempt?.id ?? 0,
        // Counted from here: when the connection ended is not known, only that it ended before.
        lost: clock.sinceBoot(),
        looks: 0,
        absences: 0,
        nextLookAtMs,
      };
      ledger.uploads.update(row.id, { state, attempts: row.attempts + 1 }, nowMs);
      feed.record(row.id, joinPath(row.dir, row.name), { kind: 'held', reason: 'uncertain' });
    }
    notTooLate(ports, nowMs);
  });
  return { again, uncertain };
};

/** No back-off is longer: a time that lies further ahead was planned by a clock that has been set back since. */
const mostAheadMs = 7_200_000;

const notTooLate = ({ ledger, settings }: Pick<Ports, 'ledger' | 'settings'>, nowMs: number): void => {
  const [firstLookMs, , lastLookMs] = lookTimes(settings.current().reconcileAfterMs);
  for (const { id, state } of ledger.uploads.inState('uncertain', mostOnTheWay)) {
    if (state.kind !== 'uncertain' || state.nextLookAtMs <= nowMs + lastLookMs) continue;
    ledger.uploads.update(id, { state: { ...state, nextLookAtMs: nowMs + firstLookMs } }, nowMs);
  }
  for (const { id, state } of ledger.uploads.inState('waiting', mostWaiting)) {
    if (state.kind !== 'waiting' || (state.untilMs ?? 0) <= nowMs + mostAheadMs) continue;
    ledger.uploads.update(id, { state: { ...state, untilMs: nowMs } }, nowMs);
  }
};

/** The same while the engine runs and nothing is on its way: the ledger could not be written for a while. */
export const recoverRunning = (
  ports: Pick<Ports, 'ledger' | 'clock' | 'settings'>,
  feed: Feed,
  limiter: Pick<Limiter, 'answered'>,
): void => {
  const { attempts, permits } = ports.ledger;
  const spent = new Set(attempts.open().map((attempt) => attempt.permitId));
  for (const permit of permits.outstanding()) {
    if (spent.has(permit.id)) limiter.answered(permit, { kind: 'no-answer' });
  }
  recover(ports, feed);
};
