// Makes one request to the service: takes a permit, sends the request, and reports the result to the limiter.
import { AppError, toAppError } from '../../contract/errors.ts';
import type { Lane } from '../../contract/model.ts';
import { formatWait } from '../../contract/text/formats.ts';
import type { Limiter } from './limiter.ts';
import type { Permit } from '../ports/ledger.ts';

/** The account of the present key, and the mark of this key. */
export type KnownKey = { accountId: number; mark: string };

/** `key`: whose the key was when the permit was there. */
export type AskWith<Key> = <Answer>(
  lane: Lane,
  signal: AbortSignal,
  request: (signal: AbortSignal, key: Key) => Promise<Answer>,
) => Promise<Answer>;
export type Ask = AskWith<KnownKey>;

/** The part of the limiter that a request needs. */
type Permits = Pick<Limiter, 'take' | 'waitFor' | 'answered'>;

/** A person's request waits at most this long, which is enough for a slot of the minute but not for one of the day. */
const patienceMs = 65_000;

/** `keyFor` throws when no request can be made. Then no permit is spent. */
export const createAsk =
  <Key>(limiter: Permits, keyFor: (lane: Lane, signal: AbortSignal) => Promise<Key>): AskWith<Key> =>
  async (lane, signal, request) => {
    await keyFor(lane, signal);
    if (isAwaited(lane)) refuseLongWait(limiter);
    const permit = await limiter.take(lane, signal);
    try {
      // The key may have changed during the wait.
      const answer = await request(signal, await keyFor(lane, signal));
      limiter.answered(permit, { kind: 'ok' });
      return answer;
    } catch (error) {
      try {
        noteOutcome(limiter, permit, error);
      } catch {
        // ledger-health.ts reports a failing disk. The caller needs the error of the request: it may close the gate.
      }
      throw toAppError(error);
    }
  };

/** After the wait for its permit, an automatic request goes only if `may` is still true. A person's always goes. */
export const askWhile =
  <Key>(may: () => boolean, ask: AskWith<Key>): AskWith<Key> =>
  (lane, signal, request) =>
    ask(lane, signal, async (stop, key) => {
      if (!isAwaited(lane) && !may()) throw new AppError('aborted', 'Nothing may be asked just now.');
      return await request(stop, key);
    });

/** Only with a key of this account: in another one the ids of its files are those of other files. */
export const askOf =
  (accountId: number, ask: Ask): Ask =>
  (lane, signal, request) =>
    ask(lane, signal, async (stop, key) => {
      if (key.accountId !== accountId) throw new AppError('aborted', 'Another account is used now.');
      return await request(stop, key);
    });

/** If the refusal of another request closes the gate from now on, this request does not go either. */
export const askUnlessClosed = <Key>(closedSinceMs: () => number | null, ask: AskWith<Key>): AskWith<Key> => {
  const before = closedSinceMs();
  return askWhile(() => [null, before].includes(closedSinceMs()), ask);
};

/** A person, or an agent, waits for the answer. */
export const isAwaited = (lane: Lane): boolean => lane === 'user' || lane === 'agent';

/** Reports to the limiter what a failed request means for the budget. */
export const noteOutcome = (limiter: Permits, permit: Permit, error: unknown): void => {
  const fault = toAppError(error);
  if (fault.code === 'rate') {
    limiter.answered(permit, { kind: 'rate-limited', retryAfterMs: fault.retryAfterMs ?? null });
  } else {
    limiter.answered(permit, { kind: fault.status === undefined ? 'no-answer' : 'ok' });
  }
};

const refuseLongWait = (limiter: Permits): void => {
  const wait = limiter.waitFor('user');
  if (wait === null || wait.waitMs <= patienceMs) return;
  const next = formatWait('en', wait.waitMs);
  if (wait.why === 'rate') {
    throw new AppError(
      'rate',
      `The service asked Outtray to wait; the next request is possible in ${next}.`,
      'Outtray continues by itself; try again then.',
    );
  }
  throw new AppError(
    'budget',
    `The request budget is used up; the next request is possible in ${next}.`,
    'Try again then, or raise requestsPerDay if your plan allows more.',
  );
};
