// An error that nothing awaits (a timer that meets a dead disk): one sentence and a code.
import { exitCodeFor } from './exit-codes.ts';
import { explained } from './help.ts';
import type { Output } from './output/output.ts';

/** Ends the process; only our own faults show where they come from. Returns its undo. */
export const catchFaults = (lastOutput: () => Output): (() => void) => {
  const fall = (fault: unknown): void => {
    const error = explained(fault);
    const output = lastOutput();
    output.error(error);
    if (error.code === 'internal' && fault instanceof Error) console.error(output.clean(fault.stack ?? ''));
    process.exit(exitCodeFor[error.code]);
  };
  process.on('uncaughtException', fall);
  process.on('unhandledRejection', fall);
  return () => {
    process.off('uncaughtException', fall);
    process.off('unhandledRejection', fall);
  };
};
