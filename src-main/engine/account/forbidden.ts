// A 403 means the plan or a limit, and does not show which (service.md §7). One GET /stats shows it: that request has
// no limit to exceed, so if it is refused as well, the plan is the reason.
import { AppError, toAppError, type ErrorCode } from '../../contract/errors.ts';
import type { Lane } from '../../contract/model.ts';
import type { Ask } from '../limiter/ask.ts';
import { isRecent } from '../shared/time.ts';
import type { Account } from './account.ts';
import type { Ports } from '../ports/ports.ts';

/** Errors that concern all requests, not only the one that was refused. */
export const closesEverything: ReadonlySet<ErrorCode> = new Set([
  'key-refused',
  'key-missing',
  'unknown-key',
  'limit',
  'moved',
  'wrong-address',
]);

/** No usable answer, so the next request would fail too. A good status with an unreadable answer does not count. */
const isTroubleOf = ({ code, status }: AppError): boolean =>
  code === 'offline' ||
  code === 'interrupted' ||
  code === 'intercepted' ||
  (code === 'unusable-answer' && (status ?? 500) >= 500);

/** After such an error no request may go: all would fail. */
export const concernsAll = (error: AppError): boolean =>
  closesEverything.has(error.code) || isTroubleOf(error);

/** A refusal of GET /stats, as what it means. */
export const planFault = (caught: unknown): AppError => {
  const error = toAppError(caught);
  return error.code === 'limit'
    ? new AppError(
        'plan',
        'The plan of this account does not include the API.',
        'Choose the Pro plan or a higher one.',
        { status: 403, cause: error },
      )
    : error;
};

/** Good statistics show for this long that the plan is not the reason. */
const knownMs = 5 * 60_000;

/**
 * For automatic requests about one file each: if the statistics are good, a 403 is about that file alone, and `refused`
 * is thrown. Otherwise throws what the statistics throw. One request for them answers for all stages.
 */
export const createAboutOne = (
  { api, clock }: Pick<Ports, 'api' | 'clock'>,
  account: Pick<Account, 'stats' | 'keep'>,
): ((ask: Ask) => Ask) => {
  let asked: Promise<void> | null = null;
  const demandGood = async (ask: Ask, lane: Lane, signal: AbortSignal): Promise<void> => {
    const known = account.stats();
    if (known !== null && isRecent(clock, known.atMs, knownMs)) return;
    asked ??= ask(lane, signal, async (stop, { accountId }) =>
      account.keep(accountId, await api.stats(stop)),
    ).finally(() => {
      asked = null;
    });
    await asked;
  };
  return (ask) => async (lane, signal, request) => {
    try {
      return await ask(lane, signal, request);
    } catch (caught) {
      const error = toAppError(caught);
      if (error.code !== 'limit') throw error;
      await demandGood(ask, lane, signal);
      throw new AppError('refused', error.message, '', { status: 403, cause: error });
    }
  };
};

/** For a person's request: finds out what a 403 means before it is shown. */
export const tellingPlan = async <Answer>(
  ask: Ask,
  api: Pick<Ports['api'], 'stats'>,
  signal: AbortSignal,
  request: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await request();
  } catch (caught) {
    const error = toAppError(caught);
    if (error.code !== 'limit') throw error;
    await ask('user', signal, (stop) => api.stats(stop)).catch((refusal: unknown) => {
      const fault = planFault(refusal);
      throw fault.code === 'plan' ? fault : error;
    });
    throw error;
  }
};
