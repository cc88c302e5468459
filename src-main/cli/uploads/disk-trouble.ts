// What the command says while the disk with the data folder cannot be written, or the policy lets nothing go. It cannot be
// read from the ledger's entries: they could not be written either.
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

/** To be called with what is wrong now, as often as one likes: each change is told once. */
export const createTroubleTeller = (output: Output, clock: Pick<Clock, 'wallMs'>) => {
  let told: string | null = null;
  return (error: AppError | null): void => {
    // A disk that failed, a folder that is gone and a newer ledger are told by the error that ends the run.
    const isPassing = error !== null && !['failed', 'gone', 'newer'].includes(error.storage ?? '');
    const message = isPassing ? error.message : null;
    if (message === told || (error !== null && !isPassing)) return;
    told = message;
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
