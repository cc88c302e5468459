// When a request may go that can wait for days: a check of a followed link, or a link that is read back. It takes only
// what uploads leave (design/decisions.md, Followed links). An upload that arrives then waits for one permit at most.
import type { FollowWait } from '../../contract/answers.ts';
import type { Core } from '../state/core.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { ServiceGate } from './gate.ts';
import type { AccountIdentity } from './copies/identity.ts';

/** Of the day's requests: once this part is used, the rest is for uploads and for the user. */
const spentPart = 0.5;
/** All background requests together take this part of the day's requests at most. The rest is free for uploads. */
const backgroundPart = 0.2;
/** Ten uploads may leave at once when few requests left in the last minute: at most one of these is such a request. */
const apartMs = 60_000;

export const createSpare = (
  { ports: { ledger }, work }: Pick<Core, 'ports' | 'work'>,
  { limiter, gate, identity }: { limiter: Limiter; gate: ServiceGate; identity: AccountIdentity },
) => {
  let endedMs = -Infinity;
  const mayAsk = (): boolean => work.isOn() && identity.holds() && gate.mayAsk();

  const isDayFree = (): boolean => {
    const { day, lanes } = limiter.view();
    return day.used < day.limit * spentPart && lanes.day.background < day.limit * backgroundPart;
  };

  return {
    /** The service may be asked at all. */
    mayAsk,
    /** 0: such a request may go now. Null: it is not known when it may. */
    waitMs(): number | null {
      if (!mayAsk() || ledger.uploads.countInState('ready') > 0 || !isDayFree()) return null;
      const idleMs = limiter.idleInMs();
      if (idleMs === null) return null;
      const waitMs = Math.max(idleMs, endedMs + apartMs - limiter.nowMs(), 0);
      if (waitMs > 0) return waitMs;
      return limiter.waitFor('background') === null ? 0 : null;
    },
    /** Why such a request is not made for some time; null: nothing delays it, or only for a moment. */
    waits(): FollowWait | null {
      if (ledger.uploads.countInState('ready') > 0) return 'uploads';
      if (!isDayFree() || limiter.waitFor('background') !== null) return 'requests';
      const maySend = work.isRunning() ? mayAsk() : gate.mayAsk();
      return maySend ? null : 'service';
    },
    /** Such a request has ended just now. */
    ended(): void {
      endedMs = limiter.nowMs();
    },
  };
};

export type Spare = ReturnType<typeof createSpare>;
