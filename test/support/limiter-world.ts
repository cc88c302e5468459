// A limiter with its clock and ledger, and helpers for tests.
import { createLimiter, type Limiter } from '../../src-main/engine/limiter/limiter.ts';
import { freshMemory, type LimiterMemory } from '../../src-main/engine/limiter/memory.ts';
import type { Turn } from '../../src-main/engine/limiter/line.ts';
import type { LimiterRules } from '../../src-main/engine/limiter/policy.ts';
import type { Lane } from '../../src-main/contract/model.ts';
import type { Permit } from '../../src-main/engine/ports/ledger.ts';
import { createPermitLedger, type PermitLedger } from './permit-table.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

type World = { clock: VirtualClock; ledger: PermitLedger; limiter: Limiter; start(owner?: string): Limiter };

export const pro: LimiterRules = { perMinute: 50, perDay: 5_000, share: 1, dailyUploads: null };

/** Between two requests at the full pace of 48 a minute. */
export const intervalMs = 1_250;
export const nowMs = 1_900_000_000_000;
export const remembered = (more: Partial<LimiterMemory> = {}): LimiterMemory => ({
  ...freshMemory(nowMs),
  ...more,
});

export const world = (
  options: {
    rules?: Partial<LimiterRules>;
    backlog?: number;
    committedSince?: (sinceMs: number) => number;
    isAlive?: (owner: string) => boolean;
    /** A machine that does not name its starts. */
    boot?: null;
  } = {},
): World => {
  const clock = createVirtualClock(options.boot === null ? { boot: null } : {});
  const table = createPermitLedger();
  const rules: LimiterRules = { ...pro, ...options.rules };
  const ledger =
    options.committedSince === undefined
      ? table
      : { ...table, attempts: { committedSince: options.committedSince } };
  let starts = 0;
  const start = (owner = `engine:${String(++starts)}`): Limiter =>
    createLimiter({
      clock,
      chance: () => 0,
      ledger,
      owner,
      rules: () => rules,
      backlog: () => options.backlog ?? 1_000,
      ...(options.isAlive === undefined ? {} : { isAlive: options.isAlive }),
    });
  return { clock, ledger: table, limiter: start(), start };
};

export const permitOf = (turn: Turn): Permit => {
  if (turn.kind === 'wait') throw new Error(`Must wait ${String(turn.waitMs)} ms: ${turn.why}.`);
  return turn.permit;
};

/** More than any limit in a test: a limiter that lets this many requests go has lost its count. */
const FAR_TOO_MANY = 10_000;

/** Takes and answers at once, as often as the limiter allows it. */
export const takeAll = (limiter: Limiter, lane: Lane = 'upload', most = Infinity): number => {
  let count = 0;
  while (count < most) {
    const turn = limiter.tryTake(lane);
    if (turn.kind === 'wait') break;
    limiter.answered(turn.permit, { kind: 'ok' });
    if (++count > FAR_TOO_MANY) throw new Error('The limiter lets everything go.');
  }
  return count;
};

/** Requests that go within the time, as fast as they may. */
export const takeFor = (clock: VirtualClock, limiter: Limiter, ms: number, lane: Lane = 'upload'): number => {
  const endMs = clock.monoMs() + ms;
  let count = 0;
  for (;;) {
    count += takeAll(limiter, lane);
    const waitMs = limiter.waitFor(lane)?.waitMs ?? 0;
    if (waitMs <= 0) throw new Error('The limiter lets nothing go and has no reason to.');
    if (clock.monoMs() + waitMs >= endMs) break;
    clock.advanceNow(waitMs);
  }
  clock.advanceNow(endMs - clock.monoMs());
  return count;
};

/** One request that the service answers with 429. */
export const refuse = (limiter: Limiter, retryAfterMs: number | null = null): void =>
  limiter.answered(permitOf(limiter.tryTake('upload')), { kind: 'rate-limited', retryAfterMs });
