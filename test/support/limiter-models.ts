// Services that count requests in different ways, and a discrete-event simulation of clients that use the real
// limiter against them: 0 to 2 s each way, several uploads at once, kills and restarts. Virtual time only.
import { createLimiter, type Limiter } from '../../src-main/engine/limiter/limiter.ts';
import type { LimiterRules } from '../../src-main/engine/limiter/policy.ts';
import type { Permit } from '../../src-main/engine/ports/ledger.ts';
import { createPermitLedger, type PermitLedger } from './permit-table.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** A repeatable source of chance, uniform in [0, 1) (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Whether a request that reaches the service at that time (milliseconds) is answered; false: 429. */
export type Model = (atMs: number) => boolean;

const bucket = (perMinute: number, size: number): Model => {
  let tokens = size;
  let lastMs = 0;
  return (atMs) => {
    tokens = Math.min(size, tokens + ((atMs - lastMs) * perMinute) / 60_000);
    lastMs = atMs;
    if (tokens < 1 - 1e-9) return false;
    tokens--;
    return true;
  };
};

const slidingLog = (perMinute: number, rejectedCount: boolean): Model => {
  const log: number[] = [];
  return (atMs) => {
    while ((log[0] ?? Infinity) <= atMs - 60_000) log.shift();
    const accepted = log.length < perMinute;
    if (accepted || rejectedCount) log.push(atMs);
    return accepted;
  };
};

/** The six ways of counting that were measured; `chance` sets where fixed minutes begin. */
export const models = {
  fixed(perMinute: number, chance: () => number): Model {
    const phaseMs = chance() * 60_000;
    let minute = -1;
    let count = 0;
    return (atMs) => {
      const now = Math.floor((atMs + phaseMs) / 60_000);
      if (now !== minute) [minute, count] = [now, 0];
      if (count >= perMinute) return false;
      count++;
      return true;
    };
  },
  slidingLog: (perMinute: number): Model => slidingLog(perMinute, false),
  /** Rejected requests count as well. */
  slidingLogRejects: (perMinute: number): Model => slidingLog(perMinute, true),
  bucket50: (perMinute: number): Model => bucket(perMinute, perMinute),
  bucket10: (perMinute: number): Model => bucket(perMinute, 10),
  /** Two fixed minutes, the earlier one weighted by what of it lies within the last 60 s. */
  twoBuckets(perMinute: number, chance: () => number): Model {
    const phaseMs = chance() * 60_000;
    let minute = -1;
    let [count, before] = [0, 0];
    return (atMs) => {
      const place = (atMs + phaseMs) / 60_000;
      const now = Math.floor(place);
      if (now !== minute) [before, count, minute] = [now === minute + 1 ? count : 0, 0, now];
      if (before * (1 - (place - now)) + count + 1 > perMinute + 1e-9) return false;
      count++;
      return true;
    };
  },
} as const satisfies Record<string, (perMinute: number, chance: () => number) => Model>;
export type ModelName = keyof typeof models;

/** What a client calls before each request and after each answer. */
export type Pacer = Pick<Limiter, 'tryTake' | 'answered'>;
/** Makes the client's pacer; called again, with the same ledger, after a kill. */
export type MakePacer = (world: {
  clock: VirtualClock;
  chance: () => number;
  ledger: PermitLedger;
  /** How many times it was started. */
  start: number;
  backlog: () => number;
}) => Pacer;

export const proRules: LimiterRules = { perMinute: 50, perDay: 1_000_000, share: 1, dailyUploads: null };

/** The real limiter as the engine starts it. */
export const realLimiter =
  (rules: LimiterRules = proRules): MakePacer =>
  ({ clock, chance, ledger, start, backlog }) => {
    const owner = `engine:${String(start)}`;
    const limiter = createLimiter({ clock, chance, ledger, owner, rules: () => rules, backlog });
    limiter.recover();
    return limiter;
  };

export type SimulationResult = {
  /** Requests the service answered well, as a part of what it allows in that time. */
  used: number;
  sent: number;
  rejected: number;
  /** Rejected of each thousand. */
  perMille: number;
  /** Jain's index of fairness between the clients: 1 is even. */
  jain: number;
  /** When each file of a limited backlog was accepted, milliseconds since the start. */
  doneMs: number[];
  /** When each request was counted by the service, whether accepted or not. */
  countedMs: number[];
};

/**
 * Runs clients with an endless (or, with `files`, limited) backlog against one service. Only what happens after
 * `warmMs` is counted in `used`, `sent` and `rejected`.
 */
export const simulate = (options: {
  model: ModelName;
  perMinute?: number;
  clients: readonly MakePacer[];
  forMs: number;
  warmMs?: number;
  seed: number;
  /** Longest time of each way. */
  jitterMs?: number;
  atOnce?: number;
  /** Files each client has; a rejected one is sent again. */
  files?: number;
  /** At each interval, this many files more arrive at each client. */
  clumps?: { files: number; everyMs: number };
  /** Kills each client about this often; it is back 2 s later. */
  killEveryMs?: number;
}): SimulationResult => {
  const { clients, seed, forMs, warmMs = 60_000, jitterMs = 2_000, atOnce = 8, perMinute = 50 } = options;
  const chance = seeded(seed);
  const clock = createVirtualClock();
  const startMs = clock.monoMs();
  const accepts = models[options.model](perMinute, chance);
  const accepted = clients.map(() => 0);
  const result = { sent: 0, rejected: 0, doneMs: [] as number[], countedMs: [] as number[] };

  clients.forEach((makePacer, index) => {
    const ledger = createPermitLedger();
    const own = seeded(seed * 131 + index * 17 + 5);
    let left = options.files ?? (options.clumps === undefined ? Infinity : 0);
    let start = 0;
    let inFlight = 0;
    let undoTimer = (): void => undefined;
    let pacer: Pacer | null = null;

    const run = (): void => {
      pacer = makePacer({ clock, chance: own, ledger, start: ++start, backlog: () => left });
      inFlight = 0;
      sendAll();
    };
    const sendAll = (): void => {
      undoTimer();
      while (pacer !== null && inFlight < Math.min(atOnce, left)) {
        const turn = pacer.tryTake('upload');
        if (turn.kind === 'wait') {
          undoTimer = clock.after(turn.waitMs, sendAll);
          return;
        }
        send(pacer, turn.permit);
      }
    };
    const send = (by: Pacer, permit: Permit): void => {
      inFlight++;
      clock.after(chance() * jitterMs, () => {
        const atMs = clock.monoMs() - startMs;
        const ok = accepts(atMs);
        result.countedMs.push(atMs);
        if (ok) {
          left--;
          result.doneMs.push(atMs);
        }
        if (atMs >= warmMs && atMs < forMs) {
          result.sent++;
          if (ok) accepted[index] = (accepted[index] ?? 0) + 1;
          else result.rejected++;
        }
        clock.after(50 + chance() * jitterMs, () => {
          if (pacer !== by) return;
          inFlight--;
          by.answered(permit, ok ? { kind: 'ok' } : { kind: 'rate-limited', retryAfterMs: null });
          sendAll();
        });
      });
    };
    const kill = (): void => {
      undoTimer();
      pacer = null;
      clock.after(2_000, () => {
        run();
        scheduleKill();
      });
    };
    const scheduleKill = (): void => {
      if (options.killEveryMs !== undefined) clock.after(options.killEveryMs * (0.5 + chance()), kill);
    };
    const { clumps } = options;
    if (clumps !== undefined) {
      const come = (): void => {
        left += clumps.files;
        sendAll();
        clock.after(clumps.everyMs, come);
      };
      clock.after(clumps.everyMs, come);
    }
    clock.after(clients.length > 1 ? chance() * 60_000 : 0, run);
    scheduleKill();
  });
  clock.advanceNow(forMs);

  const good = accepted.reduce((sum, one) => sum + one, 0);
  const squares = accepted.reduce((sum, one) => sum + one * one, 0);
  return {
    ...result,
    used: good / ((perMinute * (forMs - warmMs)) / 60_000),
    perMille: (1000 * result.rejected) / Math.max(1, result.sent),
    jain: good ** 2 / Math.max(1, clients.length * squares),
  };
};
