// The check before the first upload of a day and before the first one after a refusal: the key, the service, the plan
// and the limits. The result sets the budgets and avoids uploads that would fail. It is also the probe after any
// refusal or trouble: it is cheaper than a file, and it creates nothing even if the answer is lost.
import { toAppError } from '../../contract/errors.ts';
import type { WaitReason } from '../../contract/model.ts';
import { askWhile } from '../limiter/ask.ts';
import { gateReasonOf, isTrouble } from '../account/gate-rules.ts';
import type { Service } from '../account/service.ts';
import { planFault } from '../account/forbidden.ts';
import { isRecent } from '../shared/time.ts';
import type { Core } from '../state/core.ts';

/** For these reasons good statistics do not open the queue. One upload goes; if it succeeds, others may follow. */
const onlyAnUploadTells: ReadonlySet<WaitReason> = new Set([
  'limit',
  'blocked',
  'daily-uploads',
  'moved',
  'network',
  'service',
]);
/** Statistics older than this are read again before the next upload. */
export const statsFreshMs = 24 * 3_600_000;

/** After this many closings in a row the wait is the longest one (gate.ts). */
const longestStreak = 10;

export const createPreflight = (
  { ports, work }: Pick<Core, 'ports' | 'work'>,
  { account, ask, gate, identity, limiter }: Service,
) => {
  const { signal } = work;
  let statsAsked = false;
  let waiting = new AbortController();
  let stop = AbortSignal.any([signal, waiting.signal]);

  /** Something other than the service answered the last cheap request: a login page. */
  let isIntercepted = false;

  /**
   * Makes one cheap request. In trouble every second one asks for the list: maybe only the statistics are broken. If
   * something else answered the statistics, the list proves nothing about them.
   */
  const askCheaply = async (mayWait: AbortSignal): Promise<void> => {
    const closed = gate.now();
    // While it waited for the permit, another request may have been refused.
    const askStill = askWhile(() => gate.now() === closed, ask);
    if (closed !== null && isTrouble(closed.reason) && closed.streak % 2 === 1 && !isIntercepted) {
      await askStill('background', mayWait, () => ports.api.list({ page: 1, limit: 1 }, signal));
      return;
    }
    // Only the wait can be given up. A request that is on its way has already spent its permit.
    await askStill('background', mayWait, async (_, { accountId }) =>
      account.keep(accountId, await ports.api.stats(signal)),
    );
    limiter.rulesChanged();
    statsAsked = true;
  };

  /** The last cheap request was answered with 5xx. */
  let isReadingRefused = false;
  const test = async (mayWait: AbortSignal): Promise<void> => {
    try {
      await askCheaply(mayWait);
      [isReadingRefused, isIntercepted] = [false, false];
    } catch (caught) {
      const { code, status } = toAppError(caught);
      if (code !== 'aborted' && code !== 'rate') isIntercepted = code === 'intercepted';
      isReadingRefused = code === 'unusable-answer' && (status ?? 0) >= 500;
      throw caught;
    }
  };

  /**
   * Statistics and list may be broken while uploads work. Then, after the longest wait, one upload is the probe instead
   * of the cheap request. It must find no uncertain upload, so that an outage makes at most one file uncertain.
   */
  const takeUploadAsProbe = (): boolean => {
    const closed = gate.now();
    const isTheTry =
      isReadingRefused &&
      closed !== null &&
      isTrouble(closed.reason) &&
      closed.streak >= longestStreak &&
      ports.ledger.uploads.countInState('uncertain') === 0;
    if (isTheTry) isReadingRefused = false;
    return isTheTry;
  };

  return {
    /** `alone`: there is no file to try. False: the queue was closed, or the wait was given up. */
    async prepare(why: 'for-upload' | 'alone'): Promise<boolean> {
      const closed = gate.now();
      const reason = closed?.reason ?? null;
      const mayWait = stop;
      try {
        await identity.prove('background', mayWait);
        const known = account.stats();
        const isFresh = statsAsked || (known !== null && isRecent(ports.clock, known.atMs, statsFreshMs));
        const isNeedless = reason === null ? isFresh : reason === 'folder';
        if (why === 'for-upload' && (isNeedless || closed?.isTested === true || takeUploadAsProbe()))
          return true;
        const begunMs = ports.clock.monoMs();
        await test(mayWait);
        const isEnough = why === 'alone' || reason === null || !onlyAnUploadTells.has(reason);
        gate.tested(begunMs, isEnough);
        return true;
      } catch (caught) {
        const error = planFault(caught);
        if (error.code === 'aborted' || error.code === 'rate') return false;
        // A fault of the disk is no fault of the service. ledger-health.ts handles it.
        if (error.storage !== undefined) throw error;
        if (reason === null) {
          // The first statistics are optional. Only trouble of the whole service stops the upload here.
          statsAsked = true;
          if (error.code === 'unusable-answer' && (error.status ?? 500) < 500) return true;
        }
        gate.shut(gateReasonOf(error), error);
        return false;
      }
    },
    /** The answer to a question to the service. Also false if the queue was closed or the wait was given up. */
    async ask(question: (stop: AbortSignal) => Promise<boolean>): Promise<boolean> {
      try {
        return await question(stop);
      } catch (caught) {
        const error = planFault(caught);
        if (error.storage !== undefined) throw error;
        if (error.code !== 'aborted' && error.code !== 'rate') gate.shut(gateReasonOf(error), error);
        return false;
      }
    },
    /** The user acted: the statistics are asked for again. */
    askAgain(): void {
      statsAsked = false;
    },
    /** No request may go now: a wait for a permit here ends. */
    giveUp(): void {
      waiting.abort();
      waiting = new AbortController();
      stop = AbortSignal.any([signal, waiting.signal]);
    },
  };
};
