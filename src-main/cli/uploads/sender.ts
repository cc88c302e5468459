// Who uploads what this run queues: the Outtray that runs and stays, or else this process or one after it.
import { requireSameAddress } from '../../adapters/system/same-address.ts';
import { isStaying } from '../../adapters/system/lock.ts';
import type { Composed } from '../session.ts';

/** Throws as `requireSameAddress`; where no other process uploads, what `keys.require` throws. */
export const requireSender = async (
  composed: Pick<Composed, 'holder' | 'keys' | 'settings'>,
): Promise<void> => {
  requireSameAddress(composed);
  if (!isStaying(composed.holder)) await composed.keys.require();
};
