import { describe, expect, test } from 'vitest';
import type { WaitReason } from '../../../../src-main/contract/model.ts';
import {
  close,
  gateView,
  lifted,
  openGate,
  passage,
  passed,
  probeNow,
  tested,
} from '../../../../src-main/engine/account/gate-rules.ts';

const because = (reason: WaitReason) => ({ reason, message: 'It says no.', remedy: 'Do this.' });
const minuteMs = 60_000;

/** The waits until the probe for consecutive closings, each after the probe of the one before. */
const waitsOf = (reason: WaitReason, times: number, chance = 1): (number | null)[] => {
  let gate = openGate();
  let nowMs = 0;
  return Array.from({ length: times }, () => {
    gate = close(gate, because(reason), nowMs, chance);
    const untilMs = gate.closed?.untilMs ?? null;
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
    const gate = close(close(openGate(), because('service'), 0, 1), because('network'), 2000, 1);
    expect(gate.closed).toMatchObject({ reason: 'network', untilMs: 6000 });
    expect(close(gate, because('service'), 6000, 1).closed).toMatchObject({ untilMs: 14_000 });
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
    let gate = openGate();
    let nowMs = 0;
    const waits = Array.from({ length: 4 }, () => {
      gate = close(gate, because('limit'), nowMs, 1);
      gate = close(gate, because('daily-uploads'), nowMs + 500, 1);
      expect(gate.closed?.reason).toBe('daily-uploads');
      const waitMs = (gate.closed?.untilMs ?? 0) - nowMs;
      nowMs += waitMs;
      return waitMs / minuteMs;
    });
    expect(waits).toEqual([15, 30, 60, 120]);
  });

  test('starts over when the reason changes', () => {
    let gate = close(openGate(), because('network'), 0, 1);
    gate = close(gate, because('network'), 2000, 1);
    gate = close(gate, because('key'), 6000, 1);
    gate = close(gate, because('network'), 6000 + 15 * minuteMs, 1);
    expect(gate.closed?.untilMs).toBe(6000 + 15 * minuteMs + 2000);
  });
});

test('an unknown reason is a programming error', () => {
  expect(() => close(openGate(), because('tired' as WaitReason), 0, 1)).toThrow('Unexpected value');
});

describe('the gate', () => {
  test('lets everything pass while it is open', () => {
    expect(passage(openGate(), 0)).toEqual({ kind: 'open' });
  });

  test('lets one probe pass once the time has come, and nothing before', () => {
    const gate = close(openGate(), because('key'), 1000, 1);
    expect(passage(gate, 1000)).toEqual({ kind: 'closed', waitMs: 15 * minuteMs });
    expect(passage(gate, 1000 + 15 * minuteMs - 1)).toEqual({ kind: 'closed', waitMs: 1 });
    expect(passage(gate, 1000 + 15 * minuteMs)).toEqual({ kind: 'probe' });
  });

  test('lets nothing pass where only a person can open it', () => {
    expect(passage(close(openGate(), because('paused'), 0, 1), 1e12)).toEqual({
      kind: 'closed',
      waitMs: null,
    });
  });

  test('opens and ends the streak when the probe succeeds', () => {
    const gate = passed(close(openGate(), because('network'), 0, 1), 2000);
    expect(gate).toEqual(openGate());
    expect(passed(gate, 2000)).toBe(gate);
  });

  test('does not open for a success that was under way before it closed', () => {
    const gate = close(openGate(), because('key'), 1000, 1);
    expect(passed(gate, 1000)).toBe(gate);
    expect(passed(probeNow(gate, 3000), 2000)).toEqual(openGate());
  });
});

test('a cheap request that succeeds is remembered until the gate closes again', () => {
  const closed = close(openGate(), because('service'), 1000, 1);
  expect(tested(closed, 3000).closed).toMatchObject({ isTested: true, untilMs: 3000 });
  expect(tested(closed, 1000)).toBe(closed);
  expect(tested(openGate(), 5)).toEqual(openGate());
  expect(close(tested(closed, 3000), because('service'), 3500, 1).closed).toMatchObject({ isTested: false });
});

describe('the view of the gate', () => {
  test('gives wall-clock time', () => {
    const gate = close(openGate(), because('key'), 1000, 1);
    expect(gateView(gate, 1000, 5_000_000)).toEqual({
      kind: 'closed',
      reason: 'key',
      untilMs: 5_000_000 + 15 * minuteMs,
      message: 'It says no.',
      remedy: 'Do this.',
    });
    expect(gateView(close(openGate(), because('paused'), 0, 1), 0, 7)).toMatchObject({ untilMs: null });
    expect(gateView(openGate(), 0, 7)).toEqual({ kind: 'open' });
  });
});

test('an upload that breaks off does not shorten the wait after a refused key', () => {
  const refused = close(openGate(), because('key'), 0, 1);
  expect(close(refused, because('network'), 1000, 1)).toEqual(refused);
  expect(close(refused, because('network'), 15 * minuteMs, 1).closed?.reason).toBe('network');
});

test.each(['key', 'plan', 'moved'] as const)(
  'lifting a limit restores the earlier closing for %s, with its original time',
  (reason) => {
    const refused = close(openGate(), because(reason), 0, 1);
    const limited = close(refused, because('limit'), 1000, 1);
    expect(limited.closed).toMatchObject({ reason: 'limit', untilMs: 1000 + 15 * minuteMs });
    expect(lifted(limited)).toEqual(refused);
    // Found after the probe, the limit is the only reason.
    expect(lifted(close(refused, because('limit'), 15 * minuteMs, 1))).toEqual(openGate());
    expect(lifted(refused)).toBe(refused);
  },
);

test('lifting a limit does not restore an earlier closing for an unreachable network', () => {
  const limited = close(close(openGate(), because('network'), 0, 1), because('limit'), 1000, 1);
  expect(limited.closed?.reason).toBe('limit');
  expect(lifted(limited)).toEqual(openGate());
});
