import { describe, expect, test } from 'vitest';
import { createQuietPeriods } from '../../../../src-main/engine/discover/quiet-period.ts';
import { restedMsOf } from '../../../../src-main/engine/shared/file-version.ts';
import type { Stamp, Writing } from '../../../../src-main/engine/ports/files.ts';

const stamp = (version: number): Stamp => ({
  sizeBytes: version,
  key: `v${version}`,
  inode: '1:1',
  mtimeMs: 0,
  ctimeMs: 0,
});
const gate = (rules: { settleMs?: number; versions?: number } = {}) =>
  createQuietPeriods(
    () => ({ settleMs: rules.settleMs ?? 0 }),
    () => rules.versions ?? 0,
  );

describe('where open writers can be seen', () => {
  test('a file is stable after 250 ms without change', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 1000);
    expect(settle.due(1249, 10)).toEqual([]);
    expect(settle.confirm(1, stamp(1), 'closed', 1249)).toBe(false);
    expect(settle.nextDueAtMs()).toBe(1250);
    expect(settle.due(1250, 10)).toEqual([1]);
    expect(settle.confirm(1, stamp(1), 'closed', 1250)).toBe(true);
    expect(settle.size()).toBe(0);
    expect(settle.nextDueAtMs()).toBeNull();
  });

  test('seeing the same stamp again does not restart the quiet period', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 1000);
    settle.observe(1, stamp(1), 1200);
    expect(settle.due(1250, 10)).toEqual([1]);
  });

  test('any change restarts it, seen by a hint or by the second check', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 1000);
    settle.observe(1, stamp(2), 1200);
    expect(settle.due(1250, 10)).toEqual([]);
    expect(settle.confirm(1, stamp(3), 'closed', 1450)).toBe(false);
    expect(settle.due(1450, 10)).toEqual([]);
    expect(settle.confirm(1, stamp(3), 'closed', 1699)).toBe(false);
    expect(settle.confirm(1, stamp(3), 'closed', 1700)).toBe(true);
  });

  test('an open file waits as long as it takes, and is checked ever less often', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 0);
    const asked: number[] = [];
    for (let atMs = 0; atMs < 20_000; atMs += 10) {
      if (settle.due(atMs, 10).length === 0) continue;
      asked.push(atMs);
      expect(settle.confirm(1, stamp(1), 'open', atMs)).toBe(false);
    }
    expect(asked.slice(0, 8)).toEqual([250, 310, 430, 670, 1150, 2110, 4030, 6030]);
    expect(asked.at(-1)).toBe(18_030);
    expect(settle.confirm(1, stamp(1), 'closed', 20_000)).toBe(true);
  });
});

describe('a file that is still written after five seconds is reported', () => {
  /** Looks every 100 ms; the file changes at these times. Returns what is reported, and when. */
  const reports = (writing: Writing, changesAtMs: number[], rules = {}, untilMs = 20_000) => {
    const settle = gate(rules);
    settle.observe(1, stamp(0), 0);
    const found: { atMs: number; how: string }[] = [];
    for (let atMs = 0; atMs < untilMs; atMs += 100) {
      const now = stamp(changesAtMs.filter((each) => each <= atMs).length);
      settle.observe(1, now, atMs);
      if (settle.due(atMs, 1).length > 0 && settle.isToAsk(1, now, atMs))
        settle.confirm(1, now, writing, atMs);
      found.push(...settle.takeStillWritten().map(({ how }) => ({ atMs, how })));
      if (settle.size() === 0) break;
    }
    return found;
  };
  const each = (stepMs: number, untilMs = 20_000): number[] =>
    Array.from({ length: untilMs / stepMs }, (_, n) => (n + 1) * stepMs);

  test.each<[string, ReturnType<typeof reports>, unknown]>([
    ['once, as open', reports('open', []), [{ atMs: expect.any(Number) as number, how: 'open' }]],
    ['once, as changing', reports('closed', each(200)), [{ atMs: 5000, how: 'changing' }]],
    ['as changing while it is open, too', reports('open', each(200)), [{ atMs: 5000, how: 'changing' }]],
    ['where its writer is not seen', reports('hidden', each(4000)), [{ atMs: 8000, how: 'changing' }]],
    ['where no writer is seen', reports('untold', each(900)), [{ atMs: 5400, how: 'changing' }]],
    ['not when it only rests', reports('hidden', [1000]), []],
    ['not when it is finished before', reports('closed', [200, 400]), []],
    ['not for a long quiet time alone', reports('closed', [1000], { settleMs: 15_000 }), []],
    ['not for a file that became a link before', reports('closed', [], { versions: 1 }), []],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
    for (const { atMs } of found) expect(atMs).toBeLessThan(8100);
  });
});

describe('a file that changes without an event while it is open', () => {
  const silent = (): ReturnType<typeof gate> => {
    const settle = gate();
    settle.observe(1, stamp(1), 0);
    expect(settle.isToAsk(1, stamp(2), 250)).toBe(true);
    expect(settle.confirm(1, stamp(2), 'open', 250)).toBe(false);
    return settle;
  };

  test('is checked four times within its quiet period, and not for writers before that is over', () => {
    const settle = silent();
    for (const atMs of [312.5, 375, 437.5]) {
      expect(settle.nextDueAtMs()).toBe(atMs);
      expect(settle.isToAsk(1, stamp(2), atMs)).toBe(false);
    }
    expect(settle.nextDueAtMs()).toBe(500);
    expect(settle.isToAsk(1, stamp(2), 500)).toBe(true);
    expect(settle.confirm(1, stamp(2), 'closed', 500)).toBe(true);
  });

  test('has its whole quiet period after the last visible change', () => {
    const settle = silent();
    expect(settle.isToAsk(1, stamp(3), 312.5)).toBe(false);
    expect(settle.confirm(1, stamp(3), 'closed', 562)).toBe(false);
    expect(settle.isToAsk(1, stamp(4), 562.5)).toBe(false);
    expect(settle.nextDueAtMs()).toBe(625);
    expect(settle.isToAsk(1, stamp(4), 812.5)).toBe(true);
    expect(settle.confirm(1, stamp(4), 'open', 812.5)).toBe(false);
    expect(settle.confirm(1, stamp(4), 'closed', 872.5)).toBe(true);
  });

  test('is checked no more often when it is closed, or when that cannot be known', () => {
    for (const writing of ['closed', 'untold', 'hidden'] as const) {
      const settle = silent();
      expect(settle.confirm(1, stamp(3), writing, 500)).toBe(false);
      expect(settle.nextDueAtMs()).toBeGreaterThanOrEqual(750);
      expect(settle.isToAsk(1, stamp(4), 600)).toBe(true);
    }
  });
});

describe('on a platform that does not report open files', () => {
  test('the quiet period is a second and grows to twice the longest pause of the writer', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 0);
    expect(settle.confirm(1, stamp(1), 'untold', 250)).toBe(false);
    expect(settle.nextDueAtMs()).toBe(1000);
    settle.observe(1, stamp(2), 900);
    expect(settle.nextDueAtMs()).toBe(900 + 1800);
    settle.observe(1, stamp(3), 1000);
    expect(settle.nextDueAtMs()).toBe(1000 + 1800);
    expect(settle.confirm(1, stamp(3), 'untold', 2800)).toBe(true);
  });

  test('a change found by the second check counts the same, and never shortens the quiet period', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 0);
    expect(settle.confirm(1, stamp(2), 'untold', 900)).toBe(false);
    expect(settle.confirm(1, stamp(3), 'untold', 1000)).toBe(false);
    expect(settle.nextDueAtMs()).toBe(1000 + 1800);
  });

  test('it never exceeds ten seconds', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 0);
    expect(settle.confirm(1, stamp(2), 'untold', 60_000)).toBe(false);
    expect(settle.nextDueAtMs()).toBe(70_000);
  });
});

describe('where a writer may be invisible', () => {
  /** Writes `pieces` pieces, one every `pauseMs`. Returns when the gate lets the file through. */
  const passesAfter = (settle: ReturnType<typeof gate>, pauseMs: number, pieces: number): number => {
    let version = 1;
    for (let atMs = 0; ; atMs += 10) {
      if (atMs % pauseMs === 0 && atMs / pauseMs < pieces) settle.observe(1, stamp((version += 1)), atMs);
      if (settle.due(atMs, 1).length > 0 && settle.confirm(1, stamp(version), 'hidden', atMs)) return atMs;
    }
  };

  test.each([700, 3000, 8000])(
    'a pause of %d ms is waited out, and then at least ten seconds more',
    (pauseMs) => {
      const lastWriteMs = 9 * pauseMs;
      expect(passesAfter(gate(), pauseMs, 10)).toBeGreaterThanOrEqual(lastWriteMs + 10_000);
      expect(passesAfter(gate(), pauseMs, 10)).toBeLessThanOrEqual(lastWriteMs + 2 * pauseMs + 10_000);
    },
  );

  test('the next file has a quiet period of twice the longest pause, and never over a minute', () => {
    const settle = gate();
    passesAfter(settle, 8000, 3);
    settle.observe(2, stamp(1), 100_000);
    expect(settle.confirm(2, stamp(1), 'hidden', 100_250)).toBe(false);
    expect(settle.nextDueAtMs()).toBe(116_000);
    expect(settle.confirm(2, stamp(2), 'hidden', 400_000)).toBe(false);
    expect(settle.nextDueAtMs()).toBe(460_000);
  });

  test('a file whose writers are visible is not slowed down by it', () => {
    const settle = gate();
    passesAfter(settle, 8000, 3);
    settle.observe(2, stamp(1), 100_000);
    expect(settle.confirm(2, stamp(1), 'closed', 100_250)).toBe(true);
  });
});

describe('a file with versions that got links within the hour', () => {
  test('has a quiet period that doubles with each of them, from ten seconds to an hour', () => {
    const quiet = [0, 1, 2, 3, 6, 9, 10, 40].map((versions) => {
      const settle = gate({ versions });
      settle.observe(1, stamp(1), 0);
      return (settle.nextDueAtMs() ?? 0) / 1000;
    });
    expect(quiet).toEqual([0.25, 10, 20, 40, 320, 2560, 3600, 3600]);
  });

  test('keeps it when it changes, whoever writes it and whatever quiet period the user set', () => {
    for (const settleMs of [0, 500]) {
      const settle = gate({ versions: 2, settleMs });
      settle.observe(1, stamp(1), 0);
      settle.observe(1, stamp(2), 5000);
      expect(settle.nextDueAtMs()).toBe(25_000);
      expect(settle.confirm(1, stamp(2), 'closed', 24_999)).toBe(false);
      expect(settle.confirm(1, stamp(2), 'closed', 25_000)).toBe(true);
    }
  });
});

describe('with a quiet period set by the user', () => {
  test('that time applies everywhere, and does not grow', () => {
    for (const writing of ['closed', 'untold', 'hidden'] as const) {
      const settle = gate({ settleMs: 5000 });
      settle.observe(1, stamp(1), 0);
      settle.observe(1, stamp(2), 4000);
      expect(settle.nextDueAtMs()).toBe(9000);
      expect(settle.confirm(1, stamp(2), writing, 9000)).toBe(true);
    }
  });
});

describe('a file that is old enough to be uploaded at once', () => {
  test('is due now', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 1000, { restedMs: 3000 });
    expect(settle.due(1000, 10)).toEqual([1]);
    expect(settle.confirm(1, stamp(1), 'closed', 1000)).toBe(true);
  });

  test('has rested long enough for an invisible writer, or waits for the rest of that time', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 100_000, { restedMs: 3000 });
    settle.observe(2, stamp(1), 100_000, { restedMs: 86_400_000 });
    expect(settle.confirm(1, stamp(1), 'hidden', 100_000)).toBe(false);
    expect(settle.confirm(2, stamp(1), 'hidden', 100_000)).toBe(true);
    expect(settle.nextDueAtMs()).toBe(107_000);
    expect(settle.confirm(1, stamp(1), 'hidden', 107_000)).toBe(true);
  });

  test('is no longer due at once after its first change', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 1000, { restedMs: 3000 });
    expect(settle.confirm(1, stamp(2), 'closed', 1000)).toBe(false);
    expect(settle.nextDueAtMs()).toBe(1250);
    settle.observe(2, stamp(1), 1000, { restedMs: 3000 });
    settle.observe(2, stamp(2), 1100);
    expect(settle.confirm(2, stamp(2), 'closed', 1349)).toBe(false);
    expect(settle.confirm(2, stamp(2), 'closed', 1350)).toBe(true);
  });
});

describe('the rest of a file given by hand', () => {
  const times = (mtimeMs: number, ctimeMs = mtimeMs): Stamp => ({ ...stamp(1), mtimeMs, ctimeMs });

  test.each([
    ['by the later of its two times', times(9_000.5, 9_900.5), 99.5],
    ['by a time of long ago', times(1_000.5), 8_999.5],
    ['not by a time in the future', times(10_500.5), 0],
    ['not by a young time in whole seconds', times(9_000), 0],
    ['by an old time in whole seconds', times(7_000), 3_000],
  ])('counts %s', (_, one, restedMs) => {
    expect(restedMsOf(one, 10_000)).toBe(restedMs);
  });

  test('is a part of its quiet time', () => {
    const settle = gate();
    settle.observe(1, stamp(1), 1000, { restedMs: 200 });
    expect(settle.confirm(1, stamp(1), 'closed', 1049)).toBe(false);
    expect(settle.nextDueAtMs()).toBe(1050);
    expect(settle.confirm(1, stamp(1), 'closed', 1050)).toBe(true);
  });

  test.each(['hidden', 'untold'] as const)('counts from the first look where the writer is %s', (writing) => {
    const settle = gate();
    settle.observe(1, stamp(1), 100_000, { restedMs: 1900 });
    expect(settle.confirm(1, stamp(1), writing, 100_000)).toBe(false);
    expect(settle.nextDueAtMs()).toBe(100_000 + (writing === 'hidden' ? 10_000 : 1000));
  });
});

test('a file that is forgotten is neither due nor stable', () => {
  const settle = gate();
  settle.observe(1, stamp(1), 0);
  settle.observe(2, stamp(1), 100);
  settle.forget(1);
  expect(settle.due(10_000, 10)).toEqual([2]);
  expect(settle.confirm(1, stamp(1), 'closed', 10_000)).toBe(false);
  expect(settle.isToAsk(1, stamp(1), 10_000)).toBe(false);
});

test('no more files are due at once than requested, and the next time is the earliest', () => {
  const settle = gate();
  for (const id of [3, 1, 2]) settle.observe(id, stamp(1), id * 100);
  expect(settle.nextDueAtMs()).toBe(350);
  expect(settle.due(10_000, 2)).toEqual([3, 1]);
});
