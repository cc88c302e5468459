import { describe, expect, test } from 'vitest';
import type { WaitReason } from '../../../../src-main/contract/model.ts';
import {
  close,
  closedView,
  passage,
  passed,
  probeNow,
  restored,
  tested,
  type Gate,
} from '../../../../src-main/engine/account/gate-rules.ts';

const because = (reason: WaitReason) => ({ reason, message: 'It says no.', remedy: 'Do this.' });
const minuteMs = 60_000;
const closedOf = (gate: Gate) => {
  if (gate === null) throw new Error('The gate is open.');
  return gate;
};

/** The waits until the probe for consecutive closings, each after the probe of the one before. */
const waitsOf = (reason: WaitReason, times: number, chance = 1): (number | null)[] => {
  let gate: Gate = null;
  let nowMs = 0;
  return Array.from({ length: times }, () => {
    gate = close(gate, because(reason), nowMs, chance);
    const untilMs = gate?.untilMs ?? null;
    const waitMs = untilMs === null ? null : untilMs - nowMs;
    nowMs = untilMs ?? nowMs;
    return waitMs;
  });
};

describe('the time until the probe', () => {
  test.each(['network', 'service'] as const)(
    'grows from 2 s to 5 min in trouble (%s), and is at most 30 s in the first two minutes',
    (reason) => {
      const seconds = [2, 4, 8, 16, 30, 30, 30, 60, 120, 240, 300, 300];
      expect(waitsOf(reason, 12)).toEqual(seconds.map((each) => each * 1000));
    },
  );

  test('is randomly shortened by at most a quarter, so that machines do not retry in step', () => {
    expect(waitsOf('network', 2, 0)).toEqual([1500, 3000]);
    expect(waitsOf('service', 1, 0.5)).toEqual([1750]);
  });

  test('comes at most 25 times in an hour of trouble', () => {
    let nowMs = 0;
    for (const waitMs of waitsOf('service', 25, 0)) nowMs += waitMs ?? 0;
    expect(nowMs).toBeGreaterThan(60 * minuteMs);
  });

  test('keeps growing when the trouble changes from a failing service to an unreachable one, or back', () => {
    const gate = close(close(null, because('service'), 0, 1), because('network'), 2000, 1);
    expect(gate).toMatchObject({ reason: 'network', untilMs: 6000 });
    expect(close(gate, because('service'), 6000, 1)).toMatchObject({ untilMs: 14_000 });
  });

  test.each(['key', 'moved'] as const)('is 15 min for %s', (reason) => {
    expect(waitsOf(reason, 3)).toEqual([15 * minuteMs, 15 * minuteMs, 15 * minuteMs]);
  });

  test.each(['plan', 'limit', 'blocked', 'daily-uploads'] as const)(
    'grows from 15 min to 6 h for %s',
    (reason) => {
      expect(waitsOf(reason, 7)).toEqual([15, 30, 60, 120, 240, 360, 360].map((each) => each * minuteMs));
    },
  );

  test('is 30 s for the folder', () => {
    expect(waitsOf('folder', 2)).toEqual([30_000, 30_000]);
  });

  test.each(['disk', 'rate', 'budget', 'paused', 'settling', 'locked', 'same-name'] as const)(
    'does not exist for %s, which another part of the engine ends',
    (reason) => {
      expect(waitsOf(reason, 1)).toEqual([null]);
    },
  );

  test('keeps growing when each refusal turns out to be the daily limit, and counts each once', () => {
    let gate: Gate = null;
    let nowMs = 0;
    const waits = Array.from({ length: 4 }, () => {
      gate = close(gate, because('limit'), nowMs, 1);
      gate = close(gate, because('daily-uploads'), nowMs + 500, 1);
      expect(gate?.reason).toBe('daily-uploads');
      const waitMs = (gate?.untilMs ?? 0) - nowMs;
      nowMs += waitMs;
      return waitMs / minuteMs;
    });
    expect(waits).toEqual([15, 30, 60, 120]);
  });

  test('begins anew, without growing, when a request that left meanwhile is refused for the same reason', () => {
    const gate = close(null, because('plan'), 0, 1);
    expect(close(gate, because('plan'), minuteMs, 1)).toBe(gate);
    const later = close(gate, because('plan'), minuteMs, 1, true);
    expect(later).toMatchObject({ sinceMs: minuteMs, untilMs: 16 * minuteMs, streak: 0 });
  });

  test('starts over when the reason changes', () => {
    let gate = close(null, because('network'), 0, 1);
    gate = close(gate, because('network'), 2000, 1);
    gate = close(gate, because('key'), 6000, 1);
    gate = close(gate, because('network'), 6000 + 15 * minuteMs, 1);
    expect(gate?.untilMs).toBe(6000 + 15 * minuteMs + 2000);
  });
});

describe('the gate', () => {
  test('lets everything pass while it is open', () => {
    expect(passage(null, 0)).toEqual({ kind: 'open' });
  });

  test('lets one probe pass once the time has come, and nothing before', () => {
    const gate = close(null, because('key'), 1000, 1);
    expect(passage(gate, 1000)).toEqual({ kind: 'closed', waitMs: 15 * minuteMs });
    expect(passage(gate, 1000 + 15 * minuteMs - 1)).toEqual({ kind: 'closed', waitMs: 1 });
    expect(passage(gate, 1000 + 15 * minuteMs)).toEqual({ kind: 'probe' });
  });

  test('lets nothing pass where only a person can open it', () => {
    expect(passage(close(null, because('paused'), 0, 1), 1e12)).toEqual({
      kind: 'closed',
      waitMs: null,
    });
  });

  test('opens and ends the streak when the probe succeeds', () => {
    const gate = passed(close(null, because('network'), 0, 1), 2000);
    expect(gate).toEqual(null);
    expect(passed(gate, 2000)).toBe(gate);
  });

  test('does not open for a success that was under way before it closed', () => {
    const gate = close(null, because('key'), 1000, 1);
    expect(passed(gate, 1000)).toBe(gate);
    expect(passed(probeNow(gate, 3000), 2000)).toEqual(null);
  });
});

test('a cheap request that succeeds is remembered until the gate closes again', () => {
  const closed = close(null, because('service'), 1000, 1);
  expect(tested(closed, 3000)).toMatchObject({ isTested: true, untilMs: 3000 });
  expect(tested(closed, 1000)).toBe(closed);
  expect(tested(null, 5)).toEqual(null);
  expect(close(tested(closed, 3000), because('service'), 3500, 1)).toMatchObject({ isTested: false });
});

test('a cheap request that succeeds shows that the account may be used, as good statistics after a 403 do', () => {
  const refused = close(null, because('limit'), 1000, 1);
  expect(refused).toMatchObject({ isKnown: false });
  expect(tested(refused, 3000)).toMatchObject({ isKnown: true });
});

describe('the view of the gate', () => {
  test('gives wall-clock time', () => {
    const gate = close(null, because('key'), 1000, 1);
    expect(closedView(closedOf(gate), 1000, 5_000_000)).toEqual({
      kind: 'closed',
      reason: 'key',
      untilMs: 5_000_000 + 15 * minuteMs,
      message: 'It says no.',
      remedy: 'Do this.',
    });
    const paused = closedOf(close(null, because('paused'), 0, 1));
    expect(closedView(paused, 0, 7)).toMatchObject({ untilMs: null });
  });
});

test('an upload that breaks off does not shorten the wait after a refused key', () => {
  const refused = close(null, because('key'), 0, 1);
  expect(close(refused, because('network'), 1000, 1)).toEqual(refused);
  expect(close(refused, because('network'), 15 * minuteMs, 1)?.reason).toBe('network');
});

test.each<[WaitReason, leftMs: number, waitMs: number]>([
  ['limit', 10 * minuteMs, 10 * minuteMs],
  ['blocked', 10 * minuteMs, 10 * minuteMs],
  ['daily-uploads', -minuteMs, 0],
  // The clock was set back.
  ['limit', 10_000 * minuteMs, 30 * minuteMs],
  ['key', 10 * minuteMs, 0],
  ['moved', 10 * minuteMs, 0],
  ['plan', 10 * minuteMs, 0],
  ['network', minuteMs, 0],
  ['service', minuteMs, 0],
])(
  'the next process waits for what closes uploads (%s), and probes the rest at once',
  (reason, leftMs, waitMs) => {
    const wallMs = 5_000_000;
    const stored = { ...because(reason), owner: 'engine:1', untilMs: wallMs + leftMs, streak: 1 };
    const gate = restored(stored, 700, wallMs);
    expect(gate).toMatchObject({ streak: 1, reason, untilMs: 700 + waitMs });
    expect(passage(gate, 700).kind).toBe(waitMs === 0 ? 'probe' : 'closed');
  },
);
