// Before the first upload of a day, and before the first one after a refusal: is there a key, is it our service, what
// are plan and limits. They set the budgets and spare hopeless uploads; and they are the probe after any refusal or
// trouble: cheaper than a file, and nothing is created whatever becomes of the answer.
import { toAppError } from '../../contract/errors.ts';
import type { WaitReason } from '../../contract/model.ts';
import type { Account } from '../account/account.ts';
import { askWhile, type Ask } from '../limiter/ask.ts';
import { isTrouble, passed, tested, type Gate } from './gate.ts';
import type { Limiter } from '../limiter/limiter.ts';
import { gateReasonOf } from './apply-failure.ts';
import { planFault } from '../account/forbidden.ts';
import type { Ports } from '../ports.ts';

export type Preflight = {
  /** `alone`: there is no file to try. False: something closed the queue, or the wait was given up. */
  isReady(why: 'for-upload' | 'alone'): Promise<boolean>;
  /** What `ask` says, which may ask the service. False, too: something closed the queue, or the wait was given up. */
  allows(ask: (stop: AbortSignal) => Promise<boolean>): Promise<boolean>;
  /** Somebody acted: the statistics are asked for again. */
  askAgain(): void;
  /** Nothing may be asked now: whoever waits for a permit here gives up. */
  giveUp(): void;
};

/** Good statistics do not open the queue then: one upload goes and says whether others may follow. */
const onlyAnUploadTells: ReadonlySet<WaitReason> = new Set([
  'limit',
  'daily-uploads',
  'moved',
  'network',
  'service',
]);
/** Statistics older than this are read again before the next upload. */
const statsFreshMs = 24 * 3_600_000;

/** The wait after so many closings in a row is the longest (circuit-breaker.ts). */
const longestStreak = 10;

export const createPreflight = (options: {
  ports: Pick<Ports, 'api' | 'clock' | 'ledger'>;
  account: Account;
  limiter: Limiter;
  ask: Ask;
  signal: AbortSignal;
  /** Throws while there is no key, or the service is not the one whose links the ledger holds. */
  entitle: (signal: AbortSignal) => Promise<void>;
  gate: () => Gate;
  setGate: (gate: Gate) => void;
  shut: (reason: WaitReason, error: { message: string; remedy: string }) => void;
}): Preflight => {
  const { ports, account, limiter, ask, signal, gate, setGate, shut } = options;
  let statsAsked = false;
  let waiting = new AbortController();
  let stop = AbortSignal.any([signal, waiting.signal]);

  /** One cheap request. In trouble every other one asks for the list: the statistics alone may be out of order. */
  const askCheaply = async (mayWait: AbortSignal): Promise<void> => {
    const { closed, streak } = gate();
    // The permit may have been waited for, and another request refused meanwhile.
    const askStill = askWhile(() => gate().closed === closed, ask);
    if (closed !== null && isTrouble(closed.reason) && streak % 2 === 1) {
      await askStill('background', mayWait, () => ports.api.list({ page: 1, limit: 1 }, signal));
      return;
    }
    // Only the wait is given up: a request that is on its way has cost its permit.
    account.keep(await askStill('background', mayWait, () => ports.api.stats(signal)));
    limiter.rulesChanged();
    statsAsked = true;
  };

  /** The last cheap request was answered with 5xx. */
  let isReadingRefused = false;
  const test = async (mayWait: AbortSignal): Promise<void> => {
    try {
      await askCheaply(mayWait);
      isReadingRefused = false;
    } catch (caught) {
      const { code, status } = toAppError(caught);
      isReadingRefused = code === 'unusable-answer' && (status ?? 0) >= 500;
      throw caught;
    }
  };

  /**
   * Statistics and list may be out of order while uploads work. After the longest wait the upload itself is the try
   * then, in place of the cheap request; and only while no upload is uncertain, so that an outage makes one file
   * uncertain at the most.
   */
  const isUploadTheTry = (): boolean => {
    const { closed, streak } = gate();
    const isTheTry =
      isReadingRefused &&
      isTrouble(closed?.reason ?? null) &&
      streak >= longestStreak &&
      ports.ledger.uploads.countInState('uncertain') === 0;
    if (isTheTry) isReadingRefused = false;
    return isTheTry;
  };

  return {
    async isReady(why) {
      const { closed } = gate();
      const reason = closed?.reason ?? null;
      const mayWait = stop;
      try {
        await options.entitle(mayWait);
        const known = account.stats();
        const isFresh = statsAsked || (known !== null && ports.clock.wallMs() - known.atMs < statsFreshMs);
        const isOfNoUse = reason === null ? isFresh : reason === 'folder';
        if (why === 'for-upload' && (isOfNoUse || closed?.isTested === true || isUploadTheTry())) return true;
        const begunMs = ports.clock.monoMs();
        await test(mayWait);
        const isEnough = why === 'alone' || reason === null || !onlyAnUploadTells.has(reason);
        setGate(isEnough ? passed(gate(), begunMs) : tested(gate(), begunMs));
        return true;
      } catch (caught) {
        const error = planFault(caught);
        if (error.code === 'aborted' || error.code === 'rate') return false;
        // The disk says nothing about the service: ledger-health.ts closes and opens for it.
        if (error.storage !== undefined) throw error;
        if (reason === null) {
          // Of the first statistics only trouble of the whole service counts: they are no condition.
          statsAsked = true;
          if (error.code === 'unusable-answer' && (error.status ?? 500) < 500) return true;
        }
        shut(gateReasonOf(error), error);
        return false;
      }
    },
    async allows(question) {
      try {
        return await question(stop);
      } catch (caught) {
        const error = planFault(caught);
        if (error.storage !== undefined) throw error;
        if (error.code !== 'aborted' && error.code !== 'rate') shut(gateReasonOf(error), error);
        return false;
      }
    },
    askAgain() {
      statsAsked = false;
    },
    giveUp() {
      waiting.abort();
      waiting = new AbortController();
      stop = AbortSignal.any([signal, waiting.signal]);
    },
  };
};
