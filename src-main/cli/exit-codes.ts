// Exit codes (README.md, The command): fixed, because scripts depend on them.
import type { ErrorCode } from '../contract/errors.ts';

export const exitCodes = {
  done: 0,
  fault: 1,
  wrongUse: 2,
  key: 3,
  plan: 4,
  notFound: 5,
  budget: 6,
  unreachable: 7,
  someFailed: 8,
  interrupted: 130,
  /** Not all is done, for nobody reads the answer: as a signal for that would end it, and git and rclone do. */
  readerGone: 141,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeFor: Record<ErrorCode, ExitCode> = {
  'bad-use': exitCodes.wrongUse,
  'not-configured': exitCodes.wrongUse,
  'bad-setting': exitCodes.wrongUse,
  'not-allowed': exitCodes.wrongUse,
  'folder-unavailable': exitCodes.wrongUse,
  'folder-refused': exitCodes.wrongUse,
  'engine-taken': exitCodes.wrongUse,
  'key-missing': exitCodes.key,
  'key-refused': exitCodes.key,
  'keychain-unavailable': exitCodes.key,
  'keychain-locked': exitCodes.key,
  plan: exitCodes.plan,
  limit: exitCodes.plan,
  'not-found': exitCodes.notFound,
  rate: exitCodes.budget,
  budget: exitCodes.budget,
  offline: exitCodes.unreachable,
  interrupted: exitCodes.unreachable,
  'unusable-answer': exitCodes.unreachable,
  intercepted: exitCodes.unreachable,
  moved: exitCodes.unreachable,
  'wrong-address': exitCodes.unreachable,
  refused: exitCodes.someFailed,
  blocked: exitCodes.someFailed,
  'too-large': exitCodes.someFailed,
  changed: exitCodes.someFailed,
  gone: exitCodes.someFailed,
  locked: exitCodes.someFailed,
  'not-a-file': exitCodes.someFailed,
  outside: exitCodes.someFailed,
  uncertain: exitCodes.someFailed,
  ledger: exitCodes.fault,
  'ledger-newer': exitCodes.fault,
  disk: exitCodes.fault,
  audit: exitCodes.fault,
  internal: exitCodes.fault,
  aborted: exitCodes.interrupted,
};
