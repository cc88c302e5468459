// What a fault of an upload means, as one pure function (upload-protocol.md, "What each fault means"). The one
// question that matters is whether the service may have created the file: only a complete answer that says no, or
// a tail that was never sent, allows sending again.
import { unreachable, type ErrorCode } from '../contract/errors.ts';
import type { WaitReason } from '../contract/model.ts';

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
  /** Not created; nobody may ask for a while. */
  | { kind: 'queue-waits'; reason: WaitReason }
  /** 403: one GET /stats tells plan from limit. */
  | { kind: 'ask-stats' }
  /** Not created, and sending the same again is useless. */
  | { kind: 'fail' }
  /** Perhaps created: look before anything else. */
  | { kind: 'uncertain' }
  /** We stopped it ourselves. */
  | { kind: 'stopped' };

export const verdictOf = (fault: Fault): Verdict => {
  switch (fault.code) {
    // Definite answers: the status says that nothing was created, whenever it came.
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
    // No connection was ever made.
    case 'offline':
      return { kind: 'queue-waits', reason: 'network' };
    // No complete, valid answer: before the tail nothing can exist, after it everything can.
    case 'interrupted':
      return fault.tailSent && !isRefusal(fault.status)
        ? { kind: 'uncertain' }
        : { kind: 'queue-waits', reason: 'network' };
    case 'unusable-answer':
      return fault.tailSent || isSuccess(fault.status)
        ? { kind: 'uncertain' }
        : { kind: 'queue-waits', reason: 'network' };
    case 'aborted':
      return fault.tailSent ? { kind: 'uncertain' } : { kind: 'stopped' };
    // The file's own faults are found before the tail; after it they would be about something else.
    case 'changed':
    case 'outside':
      return fault.tailSent ? { kind: 'uncertain' } : { kind: 'settle' };
    case 'gone':
      return fault.tailSent ? { kind: 'uncertain' } : { kind: 'gone' };
    case 'locked':
      return fault.tailSent ? { kind: 'uncertain' } : { kind: 'file-waits', reason: 'locked' };
    case 'not-a-file':
      return fault.tailSent ? { kind: 'uncertain' } : { kind: 'settle' };
    case 'folder-unavailable':
      return fault.tailSent ? { kind: 'uncertain' } : { kind: 'queue-waits', reason: 'folder' };
    case 'bad-use':
    case 'not-found':
    case 'budget':
    case 'engine-taken':
    case 'folder-refused':
    case 'uncertain':
    case 'disk':
    case 'ledger':
    case 'internal':
      return fault.tailSent ? { kind: 'uncertain' } : { kind: 'fail' };
    default:
      return unreachable(fault.code);
  }
};

/** 408, 417, 421, 425 say that the request was not acted upon. */
const isRefusal = (status = 0): boolean => [408, 417, 421, 425].includes(status);

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;
