// `queue`: uploads under way, waiting, held or failed, each with its id, the reason, the end of its wait, the remedy.
import { isoOrNull } from '../../../contract/text/formats.ts';
import type { QueueView } from '../../../contract/answers.ts';
import { isBusy, isGrace, isLookedFor, isUncertain, type UploadView } from '../../../contract/model.ts';
import { queueIdText } from '../../../contract/text/named-file.ts';
import { sentenceFor } from '../../../engine/handlers/why.ts';
import { exitCodes, type ExitCode } from '../../exit-codes.ts';
import { completed, fileJson, ofView } from '../../../engine/state/file-json.ts';
import { typedText } from '../../output/typed.ts';
import { nameText, timeText } from '../../output/words.ts';
import { within, type Session } from '../../session.ts';

/** The most uploads per state in one answer. */
const mostShown = 1000;

const states = ['uploading', 'waiting', 'held', 'failed'] as const;
type State = (typeof states)[number];
export type QueueFlags = Partial<Record<State, boolean>>;

/** Without a flag: all of them. */
export const queue = (session: Session, flags: QueueFlags): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, clock, holder, ledger }) => {
    const { output } = session;
    const view = await client.call('queue.get', { limit: mostShown });
    const chosen = states.filter((state) => flags[state] === true);
    const wanted = chosen.length === 0 ? states : chosen;
    const totals = totalsOf(view);
    const rows = wanted.flatMap((state) =>
      rowsOf(view, state).map((row) => ({
        state,
        row,
        ...told(row, { ...view.status, running: holder !== null }),
      })),
    );
    for (const { state, row, reason, message, untilMs, remedy } of rows)
      output.object({
        ...fileJson(completed(ledger, ofView(row))),
        state,
        reason,
        message,
        until: isoOrNull(untilMs),
        remedy,
      });
    output.object({ event: 'queue', ...totals });
    const cells = rows.map(({ state, row, reason, untilMs, remedy }) => [
      queueIdText(row.id),
      state,
      reason ?? '',
      untilMs === null ? '' : `until ${timeText(untilMs, clock.wallMs(), session)}`,
      nameText(row.name),
      ...(remedy === null ? [] : [`→ ${remedy}`]),
    ]);
    output.table(cells);
    if (rows.length === 0) output.note('Nothing is in the queue.');
    for (const state of wanted) {
      const more = totals[state] - rowsOf(view, state).length;
      if (more > 0) output.note(`${more} more ${more === 1 ? 'is' : 'are'} ${state}.`);
    }
    return exitCodes.done;
  });

const rowsOf = ({ sending, waiting, held, failed }: QueueView, state: State): readonly UploadView[] =>
  ({ uploading: sending, waiting, held, failed })[state];

const totalsOf = ({ sending, waitingTotal, heldTotal, failedTotal }: QueueView): Record<State, number> => ({
  uploading: sending.length,
  waiting: waitingTotal,
  held: heldTotal,
  failed: failedTotal,
});

/** `remedy`: the command that resolves it, or the error's own remedy; null: none is needed or known. */
const told = (
  row: UploadView,
  status: QueueView['status'],
): { reason: string | null; message: string; untilMs: number | null; remedy: string | null } => {
  const { state, id } = row;
  const { gate, paused, pausedUntilMs } = status;
  const message = typedText(sentenceFor(state, row.publicLink, status));
  const byItself = { message, untilMs: null, remedy: null };
  if (isLookedFor(state))
    return { ...byItself, reason: isBusy(state) ? 'busy' : 'uncertain', untilMs: state.nextLookAtMs };
  if (isUncertain(row))
    return { ...byItself, reason: 'uncertain', remedy: `outtray resolve ${queueIdText(id)}` };
  switch (state.kind) {
    case 'held':
      return { ...byItself, reason: state.reason, remedy: `outtray confirm ${queueIdText(id, row.asOfMs)}` };
    case 'failed':
      return {
        ...byItself,
        reason: state.code,
        remedy: state.remedy === '' ? null : typedText(state.remedy),
      };
    case 'waiting':
      return {
        ...byItself,
        reason: state.reason,
        untilMs: state.untilMs,
        remedy: isGrace(state) ? `outtray cancel ${queueIdText(id)}` : null,
      };
    case 'ready':
      if (paused) return { ...byItself, reason: 'paused', untilMs: pausedUntilMs, remedy: 'outtray resume' };
      if (gate.kind === 'open') return { ...byItself, reason: null };
      return { ...byItself, reason: gate.reason, untilMs: gate.untilMs, remedy: typedText(gate.remedy) };
    default:
      return { ...byItself, reason: state.kind === 'settling' ? 'settling' : null };
  }
};
