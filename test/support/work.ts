// The work of a status that a test makes: derived from its counts, as if none were from an earlier run.
import { noCounts, type EngineStatus } from '../../src-main/contract/model.ts';
import { workOf } from '../../src-main/contract/catalogue/work.ts';
import type { Work } from '../../src-main/contract/model.ts';

type Told = Partial<Pick<EngineStatus, 'counts' | 'outside' | 'sending'>> & { work?: Work | undefined };

export const workSeen = ({ counts = noCounts(), outside = noCounts(), sending = 0, work }: Told): Work => {
  if (work !== undefined) return work;
  const waiting = Math.max(counts.waiting + outside.waiting, sending);
  return workOf({
    ready: counts.uploaded + outside.uploaded,
    uploading: sending,
    waiting: waiting - sending,
    held: counts.held + outside.held,
    failed: counts.failed + outside.failed,
  });
};
