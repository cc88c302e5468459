// Exit codes (user guide): fixed, because scripts depend on them.
import { errorRows, type Exit } from '../contract/catalogue/errors.ts';
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
  /** Another process does it. */
  busy: 9,
  interrupted: 130,
  /** The reader closed the output before the run was done; git and rclone use the same code. */
  readerGone: 141,
} as const satisfies Record<Exit | 'done' | 'readerGone', number>;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeOf = (code: ErrorCode): ExitCode => exitCodes[errorRows[code].exit];
