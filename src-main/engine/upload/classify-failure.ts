// Decides what a fault of an upload means (design/upload-protocol.md). Pure. The question is: can the service
// have created the file? Before the tail a fault proves that it has not. After the tail only a few statuses prove it,
// because a proxy may have forwarded the request, even twice, before it answered with another status.
import { closedBy } from '../account/gate-rules.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { DelayReason } from '../../contract/model.ts';

export type Fault = {
  code: ErrorCode;
  /** HTTP status, when a complete answer came. */
  status: number | undefined;
  /** True when the tail may have been sent: `committing` is recorded. */
  tailSent: boolean;
};

export type Verdict =
  /** Not created. The file changed while it was sent, and settles again. */
  | { kind: 'settle' }
  /** Not created; the file has gone. */
  | { kind: 'gone' }
  /** Not created; only this file waits, with back-off. */
  | { kind: 'file-waits'; reason: DelayReason }
  /** Not created; nothing is sent for a while. */
  | { kind: 'queue-waits'; reason: DelayReason }
  /** One GET /stats shows whether it is the plan or a limit, or something before the service that refuses this file. */
  | { kind: 'ask-stats' }
  /** Not created, and sending the same again is useless. */
  | { kind: 'fail' }
  /**
   * It may have been created, so the reconciler must look first. `closes`: why the whole queue waits too, or null.
   * `rate`: the service is busy, and no person is asked about this file.
   */
  | { kind: 'uncertain'; closes: DelayReason | null }
  /** We stopped it ourselves. */
  | { kind: 'stopped' };

export const classifyFailure = (fault: Fault): Verdict => {
  if (fault.tailSent && !deniesCreation(fault.status)) {
    return { kind: 'uncertain', closes: closesAfterTail(fault) };
  }
  // A success before the tail is not possible. So it is not known what it means, and the reconciler must look.
  const isAnswer = fault.code === 'unusable-answer' || fault.code === 'intercepted';
  if (isAnswer && isSuccess(fault.status)) return { kind: 'uncertain', closes: 'service' };
  const meaning = meanings[fault.code];
  return typeof meaning === 'string' ? { kind: 'queue-waits', reason: meaning } : meaning;
};

const [settle, fail, askStats] = [{ kind: 'settle' }, { kind: 'fail' }, { kind: 'ask-stats' }] as const;

/** What each fault means while nothing can have been created. A reason alone: the queue waits for it. */
const meanings: Record<ErrorCode, Verdict | DelayReason> = {
  ...closedBy,
  plan: 'plan',
  limit: askStats,
  blocked: askStats,
  rate: 'rate',
  'folder-unavailable': 'folder',
  refused: fail,
  'too-large': fail,
  aborted: { kind: 'stopped' },
  changed: settle,
  outside: settle,
  'not-a-file': settle,
  gone: { kind: 'gone' },
  locked: { kind: 'file-waits', reason: 'locked' },
  'bad-use': fail,
  ambiguous: fail,
  'not-allowed': fail,
  forbidden: fail,
  'own-data': fail,
  'not-found': fail,
  budget: fail,
  'engine-taken': fail,
  'folder-refused': fail,
  uncertain: fail,
  disk: fail,
  audit: fail,
  ledger: fail,
  'ledger-newer': fail,
  internal: fail,
};

/** No proxy repeats a request after these statuses. Any other answer may belong to a repeated request. */
const deniesCreation = (status = 0): boolean => [401, 403, 404, 405, 406, 413, 415].includes(status);

/** Trouble after the tail comes from the service and not from the file. */
const closesAfterTail = ({ code, status = 0 }: Fault): DelayReason | null => {
  // The next cheap request shows whether the service has moved.
  if (code === 'blocked' && status >= 300 && status < 400) return 'service';
  if (['interrupted', 'unusable-answer', 'intercepted', 'offline'].includes(code)) return 'service';
  return code === 'moved' || code === 'rate' ? code : null;
};

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;

/** A proxy that answers within this time after the tail has not waited for work behind it. */
const quickMs = 10_000;

/** A complete refusal soon after the tail that is no gateway timeout. No part of the request is still on its way. */
export const isQuickRefusal = (status: number | undefined, sinceTailMs: number): boolean =>
  status !== undefined && status >= 400 && status !== 504 && sinceTailMs <= quickMs;

const minuteMs = 60_000;
/** The wait for an answer. Meanwhile the service may scan or store the file, or a proxy may forward it. */
const leastAnswerMs = 2 * minuteMs;
const mostAnswerMs = 30 * minuteMs;
/** It is not known how fast a proxy forwards the bytes that it took at once. This speed is assumed at most. */
const assumedBytesPerSecond = 256 * 1024;

/**
 * How long to wait for the answer after the last byte. It depends on size and speed, and doubles with each attempt that
 * got no answer. If the wait ends too early behind a buffering proxy, the upload is lost. `settingMs` 0: automatic.
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
