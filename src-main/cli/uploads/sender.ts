// Who uploads what this run queues: the Outtray that runs and stays, or else this process or one after it.
import { isStaying } from '../../adapters/system/lock.ts';
import { AppError } from '../../contract/errors.ts';
import type { Composed } from '../session.ts';

/**
 * Throws what `keys.require` throws, and `bad-use` where the Outtray that runs has another address than this run: it
 * would make the file public there.
 */
export const requireSender = async ({
  holder,
  keys,
  ledger,
  settings,
}: Pick<Composed, 'holder' | 'keys' | 'ledger' | 'settings'>): Promise<void> => {
  if (!isStaying(holder)) {
    await keys.require();
    return;
  }
  const running = ledger.facts.get('engine-address')?.value;
  const { baseUrl } = settings.current();
  if (running === undefined || baseUrl === null || baseUrl === running) return;
  throw new AppError(
    'bad-use',
    `Outtray runs and uploads to ${running}, not to ${baseUrl}. Nothing is uploaded.`,
    'Quit it first, or use a profile for the other address (`--profile NAME`).',
  );
};
