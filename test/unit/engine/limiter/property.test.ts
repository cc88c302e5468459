// In any order of events, the service never counts more than the limit allows in any 60 s or 24 h.
// Each request may be counted at any instant between its leaving and its answer (or the kill of its process).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lane } from '../../../../src-main/contract/model.ts';
import { createLimiter, type Limiter } from '../../../../src-main/engine/limiter/limiter.ts';
import type { AnswerMeaning, LimiterRules } from '../../../../src-main/engine/limiter/policy.ts';
import type { Permit } from '../../../../src-main/engine/ports/ledger.ts';
import { isDeep } from '../../../support/deep.ts';
import { seeded } from '../../../support/limiter-models.ts';
import { createPermitLedger } from '../../../support/permit-table.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const HOUR_MS = 3_600_000;

type Step =
  /** Both processes send as fast as they may; answers take up to `answerMs`, one of 40 is a 429. */
  | { kind: 'work'; ms: number; answerMs: number; seed: number }
  | { kind: 'rest'; ms: number }
  | { kind: 'jump'; ms: number }
  | { kind: 'kill'; who: number; downMs: number }
  | { kind: 'rollback'; who: number };

const between = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('work'),
      ms: between(1_000, 200_000),
      answerMs: fc.oneof(between(0, 2_000), between(2_000, 300_000)),
      seed: fc.nat(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rest'),
      ms: fc.oneof(between(0, 70_000), between(20 * HOUR_MS, 25 * HOUR_MS)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('jump'), ms: between(-30 * HOUR_MS, 30 * HOUR_MS) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('kill'), who: fc.nat(1), downMs: between(0, 5_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rollback'), who: fc.nat(1) }) },
);

/** From when to when the service may count a request. */
type Request = { fromMs: number; toMs: number; who: number };

/** Two processes on one ledger, an engine and a command, live through the steps. */
const live = (steps: readonly Step[], rules: LimiterRules): Request[] => {
  const clock = createVirtualClock();
  const ledger = createPermitLedger();
  const requests: Request[] = [];
  const limiters: (Limiter | null)[] = [null, null];
  const owners: string[] = [];
  let starts = 0;

  const start = (who: number): Limiter => {
    const owner = `${who === 0 ? 'engine' : 'command'}:${String(++starts)}`;
    owners[who] = owner;
    const isAlive = (one: string): boolean => owners.includes(one);
    const limiter = createLimiter({
      clock,
      chance: () => 0,
      ledger,
      owner,
      rules: () => rules,
      backlog: () => 1,
      isAlive,
    });
    limiters[who] = limiter;
    if (who === 0) limiter.recover();
    return limiter;
  };

  const send = (
    who: number,
    limiter: Limiter,
    permit: Permit,
    answerInMs: number,
    outcome: AnswerMeaning,
  ): void => {
    const request: Request = { fromMs: clock.monoMs(), toMs: Infinity, who };
    requests.push(request);
    clock.after(answerInMs, () => {
      if (limiters[who] !== limiter) return;
      request.toMs = clock.monoMs();
      limiter.answered(permit, outcome);
    });
  };

  const work = (step: Step & { kind: 'work' }): void => {
    const untilMs = clock.monoMs() + step.ms;
    const chance = seeded(step.seed);
    const lanes: Lane[] = ['user', 'upload', 'background'];
    const ask = (who: number): void => {
      const limiter = limiters[who];
      if (limiter === null || limiter === undefined) return;
      while (clock.monoMs() < untilMs) {
        const turn = limiter.tryTake(lanes[Math.floor(chance() * 3)] ?? 'user');
        if (turn.kind === 'wait') {
          clock.after(turn.waitMs, () => ask(who));
          return;
        }
        const limited: AnswerMeaning = { kind: 'rate-limited', retryAfterMs: 1_000 };
        const outcome: AnswerMeaning =
          chance() < 0.025 ? limited : { kind: chance() < 0.05 ? 'no-answer' : 'ok' };
        send(who, limiter, turn.permit, chance() * step.answerMs, outcome);
      }
    };
    for (const who of [0, 1]) ask(who);
    clock.advanceNow(step.ms);
  };

  for (const who of [0, 1]) start(who);
  for (const step of steps) {
    switch (step.kind) {
      case 'work':
        work(step);
        break;
      case 'rest':
        clock.advanceNow(step.ms);
        break;
      case 'jump':
        clock.jumpWall(step.ms);
        // A running process looks at the clock now and then. A jump that no process saw looks like time that passed.
        limiters[0]?.waitFor('user');
        break;
      case 'kill':
        limiters[step.who]?.close();
        limiters[step.who] = null;
        owners[step.who] = '';
        for (const one of requests) if (one.who === step.who) one.toMs = Math.min(one.toMs, clock.monoMs());
        clock.advanceNow(step.downMs);
        start(step.who);
        break;
      case 'rollback':
        expect(() =>
          ledger.atomically(() => {
            limiters[step.who]?.tryTake('upload');
            throw new Error('rolled back');
          }),
        ).toThrow('rolled back');
        break;
    }
  }
  const endMs = clock.monoMs();
  return requests.map((one) => ({ ...one, toMs: Math.min(one.toMs, endMs) }));
};

/** The most requests that one window may hold, in the worst case of when the service counts each request. */
const mostIn = (windowMs: number, requests: readonly Request[]): number => {
  let most = 0;
  // One of the fullest windows begins at the last moment at which some request may be counted.
  for (const { toMs: beginMs } of requests) {
    let count = 0;
    for (const one of requests) if (one.toMs >= beginMs && one.fromMs < beginMs + windowMs) count++;
    most = Math.max(most, count);
  }
  return most;
};

const name = 'no 60 s and no 24 h hold more than the limit, whatever is sent, answered, killed or set wrong';
test(name, { timeout: 60_000 }, () => {
  const rules: LimiterRules = { perMinute: 20, perDay: 100, share: 1, dailyUploads: null };
  const seen = { minute: 0, day: 0 };
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 10, maxLength: 40 }), (steps) => {
      const requests = live(steps, rules);
      const [minute, day] = [mostIn(60_000, requests), mostIn(86_400_000, requests)];
      seen.minute = Math.max(seen.minute, minute);
      seen.day = Math.max(seen.day, day);
      expect(minute).toBeLessThanOrEqual(rules.perMinute);
      expect(day).toBeLessThanOrEqual(rules.perDay);
    }),
    { numRuns: isDeep ? 150 : 50, seed: 20_300_115 },
  );
  // The steps reach both limits; otherwise the test would prove nothing.
  expect(seen).toEqual({ minute: 20, day: 100 });
});
