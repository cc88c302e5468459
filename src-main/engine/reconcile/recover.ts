// After a crash (upload-protocol.md, "States and what a restart may conclude"): an attempt that never reached
// `committing` created nothing; one that did is uncertain, and looking decides.
import type { Limiter } from '../limiter/limiter.ts';
import { statesWith } from '../../contract/model.ts';
import { linkAgainMs, lookTimes } from '../shared/waits.ts';
import type { AttemptOutcome } from '../ports/ledger.ts';
import type { Ports } from '../ports/ports.ts';
import type { Rows } from '../state/rows.ts';

/** What to do with a row after a crash, by the outcome of its attempt. */
export const concludeFrom = (outcome: AttemptOutcome | null): 'send-again' | 'uncertain' =>
  outcome === 'not-created' || outcome === 'refused' ? 'send-again' : 'uncertain';

/** Run once, by the holder of the engine lock, before anything is sent. */
export const recover = (
  ports: Pick<Ports, 'ledger' | 'clock' | 'settings'>,
  rows: Rows,
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
    const onTheWay = statesWith({ phase: 'under-way' }).flatMap((kind) =>
      ledger.uploads.inState(kind, 'all'),
    );
    for (const row of onTheWay) {
      const attempt = 'attemptId' in row.state ? ledger.attempts.byId(row.state.attemptId) : null;
      if (concludeFrom(attempt?.outcome ?? null) === 'send-again') {
        again += 1;
        rows.apply(row.id, { kind: 'returned' });
        continue;
      }
      uncertain += 1;
      rows.apply(row.id, {
        kind: 'answer-lost',
        attemptId: attempt?.id ?? 0,
        // Counted from here: when the connection ended is not known, only that it ended before.
        lost: clock.sinceBoot(),
        isQuick: false,
        isBusy: attempt?.status === 429,
        nextLookAtMs: nowMs + firstLookMs,
        message: null,
      });
    }
    notTooLate(ports, rows, nowMs);
    holdIfReplaced(ports, rows);
    ledger.run.takeUp();
  });
  return { again, uncertain };
};

/** The ledger is an older copy: what waits in it may be uploaded. Files that are not in it yet: see record-file.ts. */
const holdIfReplaced = ({ ledger }: Pick<Ports, 'ledger'>, rows: Rows): void => {
  if (ledger.facts.get('hold-waiting') === null) return;
  for (const kind of statesWith({ bucket: 'waiting', phase: 'idle' })) {
    for (const { id } of ledger.uploads.inState(kind, 'all')) rows.apply(id, { kind: 'ledger-replaced' });
  }
  ledger.facts.remove('hold-waiting');
};

/** No back-off is longer: a time that lies further ahead was planned by a clock that has been set back since. */
const mostAheadMs = 7_200_000;
/** No link is read more rarely. */
const mostLinkAheadMs = linkAgainMs(Infinity);

const notTooLate = (
  { ledger, settings }: Pick<Ports, 'ledger' | 'settings'>,
  rows: Rows,
  nowMs: number,
): void => {
  const [firstLookMs, , lastLookMs] = lookTimes(settings.current().reconcileAfterMs);
  for (const { id, state } of ledger.uploads.inState('uncertain', 'all')) {
    if (state.kind !== 'uncertain' || state.nextLookAtMs <= nowMs + lastLookMs) continue;
    const { looks } = state;
    rows.apply(id, { kind: 'look-planned', looks, nextLookAtMs: nowMs + firstLookMs });
  }
  for (const { id, state } of ledger.uploads.inState('waiting', 'all')) {
    if (state.kind !== 'waiting' || (state.untilMs ?? 0) <= nowMs + mostAheadMs) continue;
    rows.apply(id, { kind: 'replanned', untilMs: nowMs });
  }
  // What is being taken back is taken up at the start, whenever its next try is.
  for (const { id, state } of ledger.uploads.nextOf('recall', Number.MAX_SAFE_INTEGER)) {
    if (state.kind !== 'recalled' || (state.nextAtMs ?? 0) <= nowMs + mostLinkAheadMs) continue;
    rows.apply(id, { kind: 'recall-planned', refusal: null, nextAtMs: nowMs, tries: state.tries ?? 0 });
  }
};

/** The same in a running engine, after a time in which the ledger could not be written. Nothing may be on its way. */
export const recoverRunning = (
  ports: Pick<Ports, 'ledger' | 'clock' | 'settings'>,
  rows: Rows,
  limiter: Pick<Limiter, 'answered'>,
): void => {
  const { attempts, permits } = ports.ledger;
  const spent = new Set(attempts.open().map((attempt) => attempt.permitId));
  for (const permit of permits.outstanding()) {
    if (spent.has(permit.id)) limiter.answered(permit, { kind: 'no-answer' });
  }
  recover(ports, rows);
};
