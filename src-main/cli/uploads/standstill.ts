// Why a run cannot continue now, as the error that it ends with; null while it can continue, or only waits for the next
// slot.
import type { Wording } from '../../contract/text/wording.ts';
import type { Composed } from '../session.ts';
import { AppError } from '../../contract/errors.ts';
import { isBusy, waitRow, type WaitReason } from '../../contract/model.ts';
import { isTrouble } from '../../engine/account/gate-rules.ts';
import type { Upload } from '../../engine/ports/uploads.ts';
import { timeText } from '../output/words.ts';
import { nextWait } from './waits.ts';

/** A short break of the network or the service is waited out: three tries, some seconds, and any upload under way. */
const networkTries = 3;
/** Up to this, a delay is only the even pace of requests and not a wait. */
const paceMs = 3000;
/** A wait longer than this is for the day's budget, not for the minute's. */
const longWaitMs = 5 * 60_000;

/** The error of a closed gate; null for one that opens by itself soon. */
export const closedFor = (gate: {
  reason: WaitReason;
  message: string;
  remedy: Wording;
}): AppError | null => {
  const code = waitRow(gate.reason).error;
  return code === undefined ? null : new AppError(code, gate.message, gate.remedy);
};

/**
 * `patience`: `none` ends at any wait for the budget or for a busy service, `minute` at one of over five minutes, `all`
 * never. `rows`: the remaining uploads, needed to see whether all of them wait for a busy service.
 */
export const standstill = (
  { engine, isEngine, clock, locale }: Composed,
  patience: 'none' | 'minute' | 'all',
  rows: () => readonly Upload[] = () => [],
): AppError | null => {
  const trouble = engine.trouble();
  // With `all` it is reported and tried again. A version that is too old stays so while it runs, and a process that uses
  // all of its file handles gets no more.
  if (trouble !== null) {
    const isPassing = trouble.code !== 'not-allowed' && trouble.storage !== 'handles';
    return patience === 'all' && isPassing ? engine.fatal() : trouble;
  }
  const { gate, paused, pausedUntilMs, pauseIsUnread, sending } = engine.queueNow();
  if (paused) {
    const until =
      pausedUntilMs === null
        ? 'until resumed'
        : `until ${timeText(pausedUntilMs, clock.wallMs(), { locale })}`;
    const why = pauseIsUnread === true ? ': its end in the data folder cannot be read' : '';
    return new AppError('budget', `The queue is paused ${until}${why}.`, 'Run `outtray resume` to continue.');
  }
  // What a guest does about the gate of another process: running-engine.ts.
  const isTriedNow = gate.kind === 'closed' && isDue(gate, clock.wallMs()) && !engine.isStill();
  if (isEngine && gate.kind === 'closed' && !isTriedNow) {
    const isBrief = engine.streak() < networkTries || sending > 0;
    return isTrouble(gate.reason) && isBrief ? null : closedFor(gate);
  }
  if (patience === 'all') return null;
  const waitMs = engine.wait()?.waitMs ?? null;
  const maxMs = patience === 'none' ? paceMs : longWaitMs;
  if (waitMs === null || waitMs <= maxMs) {
    const look = onlyLook(rows());
    return look === null || look.atMs - clock.wallMs() <= maxMs ? null : busyUntil(look.atMs, clock, locale);
  }
  const at = timeText(clock.wallMs() + waitMs, clock.wallMs(), { locale });
  return new AppError(
    'budget',
    `The request budget is used up until ${at}.`,
    'The rest is uploaded when you run it again.',
  );
};

/** What an earlier run has learned is tried again first: the key may be another one. */
const isDue = ({ untilMs }: { untilMs: number | null }, nowMs: number): boolean =>
  untilMs !== null && untilMs <= nowMs;

/** The first look, when all of these wait for a busy service. */
const onlyLook = (rows: readonly Upload[]) =>
  rows.every(({ state }) => isBusy(state)) ? nextWait(rows) : null;

const busyUntil = (atMs: number, clock: Composed['clock'], locale: Composed['locale']): AppError =>
  new AppError(
    'rate',
    `The service was busy. At ${timeText(atMs, clock.wallMs(), { locale })} Outtray checks whether it took what was sent.`,
    'The rest continues while Outtray runs, or when you run it again.',
  );
