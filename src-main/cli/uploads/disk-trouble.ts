// What the command prints while the disk with the data folder cannot be written, or a policy blocks all uploads. The
// ledger has no entries about it: they could not be written either.
import type { AppError, ErrorCode } from '../../contract/errors.ts';
import type { WaitReason } from '../../contract/model.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import type { Output } from '../output/output.ts';
import { troubleText } from '../output/typed.ts';

/** By the error's code. */
const reasons: Partial<Record<ErrorCode, WaitReason>> = {
  audit: 'audit',
  'bad-setting': 'policy',
  'not-allowed': 'policy',
};

/** Call it with the current trouble as often as you like: it prints each change once. */
export const createTroubleTeller = (output: Output, clock: Pick<Clock, 'wallMs'>) => {
  let reported: string | null = null;
  return (error: AppError | null): void => {
    // The error that ends the run reports a failed disk, a missing folder and a newer ledger.
    const isPassing = error !== null && !['failed', 'gone', 'newer'].includes(error.storage ?? '');
    const message = isPassing ? error.message : null;
    if (message === reported || (error !== null && !isPassing)) return;
    reported = message;
    if (error === null) {
      output.note('Continuing.');
      return;
    }
    const at = new Date(clock.wallMs()).toISOString();
    const { remedy } = error;
    const reason = reasons[error.code] ?? 'disk';
    output.object({ event: 'waiting', at, path: null, reason, until: null, message, remedy });
    output.note(`Waiting: ${troubleText(error)}`);
  };
};
