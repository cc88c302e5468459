// The part of the request budget that agents may use (setting agentShare). What they used is kept in the ledger, so
// that all servers count together and a restart forgets nothing. The limiter's own limits apply as well.
import type { Composed } from '../session.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

export type ShareView = { minute: { used: number; limit: number }; day: { used: number; limit: number } };
export type Taken = { granted: number; retryAfterMs: number | null };

export const createShare = ({ ledger, clock, settings, engine }: Composed) => {
  /** One cell per minute, oldest first. If the clock was set back, later cells still count until their time is over. */
  const cells = (nowMs: number): { atMs: number; requests: number }[] =>
    (ledger.facts.get('agent-requests')?.value ?? []).filter(({ atMs }) => atMs > nowMs - dayMs);
  const store = (all: { atMs: number; requests: number }[], nowMs: number): void =>
    ledger.facts.set('agent-requests', all, nowMs);
  const sum = (all: readonly { requests: number }[]): number =>
    all.reduce((total, { requests }) => total + requests, 0);

  const limits = () => {
    const { minute, day } = engine.status().budget;
    const { agentShare } = settings.current();
    const part = (limit: number): number =>
      agentShare === 0 ? 0 : Math.max(1, Math.floor(limit * agentShare));
    return { minute: part(minute.limit), day: part(day.limit) };
  };
  const inMinute = (all: readonly { atMs: number; requests: number }[], nowMs: number) =>
    all.filter(({ atMs }) => atMs > nowMs - minuteMs);

  return {
    view(): ShareView {
      const nowMs = clock.wallMs();
      const all = cells(nowMs);
      const limit = limits();
      return {
        minute: { used: sum(inMinute(all, nowMs)), limit: limit.minute },
        day: { used: sum(all), limit: limit.day },
      };
    },
    /** Takes as many of these requests as the share allows. `retryAfterMs`: when it allows the next; null: never. */
    take(requests: number): Taken {
      const limit = limits();
      return ledger.atomically(() => {
        const nowMs = clock.wallMs();
        const all = cells(nowMs);
        const minute = inMinute(all, nowMs);
        const left = Math.max(0, Math.min(limit.minute - sum(minute), limit.day - sum(all)));
        const granted = Math.min(requests, left);
        if (granted > 0) {
          const last = all.at(-1);
          const isNear = last !== undefined && last.atMs <= nowMs && last.atMs > nowMs - 1000;
          if (isNear) last.requests += granted;
          else all.push({ atMs: nowMs, requests: granted });
          store(thinned(all, nowMs), nowMs);
        }
        if (granted === requests) return { granted, retryAfterMs: 0 };
        if (limit.day === 0) return { granted, retryAfterMs: null };
        const isDay = sum(all) >= limit.day;
        const [first] = isDay ? all : inMinute(all, nowMs);
        const freeAtMs = (first?.atMs ?? nowMs) + (isDay ? dayMs : minuteMs);
        return { granted, retryAfterMs: Math.max(1000, freeAtMs - nowMs) };
      });
    },
    /** Requests that were not made after all. */
    giveBack(requests: number): void {
      if (requests === 0) return;
      ledger.atomically(() => {
        const nowMs = clock.wallMs();
        let rest = requests;
        const left = cells(nowMs)
          .toReversed()
          .flatMap((cell) => {
            const back = Math.min(rest, cell.requests);
            rest -= back;
            return cell.requests === back ? [] : [{ ...cell, requests: cell.requests - back }];
          });
        store(left.toReversed(), nowMs);
      });
    },
  };
};

export type Share = ReturnType<typeof createShare>;

/** Merges cells older than a minute into one per ten minutes: at most 144 of them, and those of the last minute. */
const thinned = (all: readonly { atMs: number; requests: number }[], nowMs: number) => {
  const kept: { atMs: number; requests: number }[] = [];
  for (const cell of all) {
    const last = kept.at(-1);
    const isOld = cell.atMs <= nowMs - minuteMs;
    // The later time stays, so that no request is forgotten early.
    if (isOld && last !== undefined && Math.floor(last.atMs / 600_000) === Math.floor(cell.atMs / 600_000))
      kept[kept.length - 1] = { atMs: cell.atMs, requests: last.requests + cell.requests };
    else kept.push({ ...cell });
  }
  return kept;
};
