// What a fault of an upload means, as pure functions (design/decisions/after-the-tail.md). One question matters: may
// the service have created the file? Before the tail a fault proves that it has not. After the tail only a few
// statuses prove that: a proxy may have sent the request on, or sent it twice, before it answered anything else.
import { unreachable, type ErrorCode } from '../../contract/errors.ts';
import type { WaitReason } from '../../contract/model.ts';
import type { Attempt } from '../ports.ts';

export type Fault = {
  code: ErrorCode;
  /** HTTP status, when a complete answer came. */
  status: number | undefined;
  /** True once the tail may have left: `committing` is recorded. */
  tailSent: boolean;
};

export type Verdict =
  /** Not created; the file changed under way and settles anew. */
  | { kind: 'settle' }
  /** Not created; the file has gone. */
  | { kind: 'gone' }
  /** Not created; only this file waits, with back-off. */
  | { kind: 'file-waits'; reason: WaitReason }
  /** Not created; nothing is sent for a while. */
  | { kind: 'queue-waits'; reason: WaitReason }
  /** 403: one GET /stats tells plan from limit. */
  | { kind: 'ask-stats' }
  /** Not created, and sending the same again is useless. */
  | { kind: 'fail' }
  /**
   * Perhaps created: look before anything else. `closes`: why the whole queue waits as well; null: it does not.
   */
  | { kind: 'uncertain'; closes: WaitReason | null }
  /** We stopped it ourselves. */
  | { kind: 'stopped' };

export const verdictOf = (fault: Fault): Verdict => {
  if (fault.tailSent && !deniesCreation(fault.status)) {
    return { kind: 'uncertain', closes: closesAfterTail(fault.code) };
  }
  switch (fault.code) {
    case 'key-refused':
    case 'key-missing':
    case 'keychain-locked':
    case 'keychain-unavailable':
      return { kind: 'queue-waits', reason: 'key' };
    case 'plan':
      return { kind: 'queue-waits', reason: 'plan' };
    case 'limit':
      return { kind: 'ask-stats' };
    case 'rate':
      return { kind: 'queue-waits', reason: 'rate' };
    case 'moved':
    case 'wrong-address':
    case 'not-configured':
    case 'bad-setting':
      return { kind: 'queue-waits', reason: 'moved' };
    case 'refused':
    case 'too-large':
      return { kind: 'fail' };
    case 'offline':
    case 'interrupted':
      return { kind: 'queue-waits', reason: 'network' };
    case 'unusable-answer':
      // A success cannot come early: whatever it is about, it has to be looked at.
      return isSuccess(fault.status)
        ? { kind: 'uncertain', closes: 'service' }
        : { kind: 'queue-waits', reason: 'service' };
    case 'aborted':
      return { kind: 'stopped' };
    case 'changed':
    case 'outside':
    case 'not-a-file':
      return { kind: 'settle' };
    case 'gone':
      return { kind: 'gone' };
    case 'locked':
      return { kind: 'file-waits', reason: 'locked' };
    case 'folder-unavailable':
      return { kind: 'queue-waits', reason: 'folder' };
    case 'bad-use':
    case 'not-allowed':
    case 'not-found':
    case 'budget':
    case 'engine-taken':
    case 'folder-refused':
    case 'uncertain':
    case 'disk':
    case 'ledger':
    case 'internal':
      return { kind: 'fail' };
    default:
      return unreachable(fault.code);
  }
};

/** No proxy repeats a request after these; every other answer may be about a repetition. */
const deniesCreation = (status = 0): boolean => [401, 403, 404, 405, 413, 415].includes(status);

/** Trouble after the tail is trouble of the service, not of the file. For the rate the limiter waits. */
const closesAfterTail = (code: ErrorCode): WaitReason | null => {
  if (code === 'interrupted' || code === 'unusable-answer' || code === 'offline') return 'service';
  return code === 'moved' ? 'moved' : null;
};

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;

// ---------------------------------------------------------------- sending again

/** A proxy that answers this soon after the tail has not waited for anything that goes on behind it. */
const quickMs = 10_000;

/** A complete refusal soon after the tail, and no timeout of a gateway: nothing of the request is under way any more. */
export const isQuickRefusal = (status: number | undefined, sinceTailMs: number): boolean =>
  status !== undefined && status >= 400 && status !== 504 && sinceTailMs <= quickMs;

/** The service does not want this request, and said so; it is of no use to send it again. */
export const isFinalRefusal = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && ![408, 417, 421, 425, 429].includes(status);

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const mostTries = 4;
/** From the end of one attempt to the next; shorter where even lists are waited for less than usual. */
const againAfterMinutes = [1, 5, 30, 120];

/** How many attempts of the last day ended without a usable answer. */
export const unanswered = (
  attempts: readonly Pick<Attempt, 'outcome' | 'startedAtMs'>[],
  nowMs: number,
): number => attempts.filter((one) => one.outcome === 'uncertain' && one.startedAtMs > nowMs - dayMs).length;

export type Again = { kind: 'now' } | { kind: 'wait'; waitMs: number } | { kind: 'hold' };

/**
 * When a file goes up again that the service turned out not to have. `tries`: attempts of the last day that ended
 * without a usable answer; `sinceLastMs`: since the last of them ended.
 */
export const againAfter = (tries: number, sinceLastMs: number, reconcileAfterMs: number): Again => {
  if (tries >= mostTries) return { kind: 'hold' };
  const unitMs = Math.min(minuteMs, reconcileAfterMs / 15);
  const waitMs = (againAfterMinutes[Math.max(0, tries - 1)] ?? 0) * unitMs - sinceLastMs;
  return waitMs > 0 ? { kind: 'wait', waitMs } : { kind: 'now' };
};

/** The wait for an answer: the service may scan or store the file meanwhile, or a proxy send it on. */
const leastAnswerMs = 2 * minuteMs;
const mostAnswerMs = 30 * minuteMs;
/** How fast a proxy sends on what it took from us at once is not known; it is assumed to be no faster than this. */
const assumedBytesPerSecond = 256 * 1024;

/**
 * How long to wait for the answer after the last byte: by size and pace, twice as long with each attempt that got none.
 * A connection that is cut behind a buffering proxy is what loses an upload. `settingMs` 0: automatic.
 */
export const answerWaitMs = (sent: {
  settingMs: number;
  sizeBytes: number;
  bytesPerSecond: number | null;
  tries: number;
}): number => {
  if (sent.settingMs > 0) return sent.settingMs;
  const pace = Math.min(assumedBytesPerSecond, sent.bytesPerSecond ?? Infinity);
  const onceMs = leastAnswerMs + (1000 * sent.sizeBytes) / Math.max(1, pace);
  return Math.round(Math.min(mostAnswerMs, onceMs * 2 ** Math.min(10, sent.tries)));
};
