// What a fault of an upload means, as pure functions (design/decisions/after-the-tail.md). One question matters: may
// the service have created the file? Before the tail a fault proves that it has not. After the tail only a few
// statuses prove that: a proxy may have sent the request on, or sent it twice, before it answered anything else.
import { unreachable, type ErrorCode } from '../../contract/errors.ts';
import type { WaitReason } from '../../contract/model.ts';

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

export const classifyFailure = (fault: Fault): Verdict => {
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

/** A proxy that answers this soon after the tail has not waited for anything that goes on behind it. */
const quickMs = 10_000;

/** A complete refusal soon after the tail, and no timeout of a gateway: nothing of the request is under way any more. */
export const isQuickRefusal = (status: number | undefined, sinceTailMs: number): boolean =>
  status !== undefined && status >= 400 && status !== 504 && sinceTailMs <= quickMs;

const minuteMs = 60_000;
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
