import { expect, test } from 'vitest';
import { forecast, type Backlog } from '../../../../src-main/engine/limiter/forecast.ts';
import { createLimiter, type Limiter } from '../../../../src-main/engine/limiter/limiter.ts';
import { createPermitLedger } from '../../../support/permit-table.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/virtual-clock.ts';
import { pro } from '../../../support/limiter-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const world = (rules = pro): { clock: VirtualClock; limiter: Limiter } => {
  const clock = createVirtualClock();
  const ledger = createPermitLedger();
  const limiter = createLimiter({ clock, chance: () => 0.5, ledger, owner: 'engine:1', rules: () => rules });
  return { clock, limiter };
};

const backlog = (files: number, more: Partial<Backlog> = {}): Backlog => ({
  files,
  bytes: files * 1_000,
  bytesPerSecond: null,
  concurrency: 4,
  ...more,
});

/** What really happens: sends as fast as the limiter allows, half a second each. Returns when each was done. */
const happen = ({ clock, limiter }: ReturnType<typeof world>, files: number): number[] => {
  const doneMs: number[] = [];
  let [sent, inFlight] = [0, 0];
  const send = (): void => {
    while (sent < files && inFlight < 4) {
      const turn = limiter.tryTake('upload');
      if (turn.kind === 'wait') {
        clock.after(turn.waitMs, send);
        return;
      }
      sent++;
      inFlight++;
      clock.after(500, () => {
        inFlight--;
        limiter.answered(turn.permit, { kind: 'ok' });
        doneMs.push(clock.wallMs());
        if (inFlight === 3) send();
      });
    }
  };
  send();
  while (doneMs.length < files) clock.advanceNow(HOUR_MS);
  return doneMs;
};

test('an empty queue takes no time', () => {
  const { limiter } = world();
  const seen = forecast(limiter.snapshot(), pro, backlog(0));
  expect(seen).toMatchObject({ nextSlotAtMs: null, allDoneAtMs: null, doneWithinDay: 0 });
  expect(seen.doneAtMs(1)).toBeNull();
});

test('one file leaves now', () => {
  const { clock, limiter } = world();
  const seen = forecast(limiter.snapshot(), pro, backlog(1));
  expect(seen.nextSlotAtMs).toBeNull();
  expect(seen.allDoneAtMs).toBe(clock.wallMs() + 500);
  expect(seen.doneWithinDay).toBe(1);
});

test.each([40, 312, 4_900, 12_000])('the forecast for %i files agrees with what happens', (files) => {
  const now = world();
  const startMs = now.clock.wallMs();
  const seen = forecast(now.limiter.snapshot(), pro, backlog(files));
  const doneMs = happen(now, files);
  for (const n of [1, Math.ceil(files / 3), Math.ceil(files / 2), files]) {
    const offMs = (seen.doneAtMs(n) ?? 0) - (doneMs[n - 1] ?? 0);
    expect(Math.abs(offMs)).toBeLessThan(2 * MINUTE_MS);
  }
  const withinDay = doneMs.filter((atMs) => atMs <= startMs + DAY_MS).length;
  expect(Math.abs(seen.doneWithinDay - withinDay)).toBeLessThanOrEqual(50);
});

test('a small backlog leaves at once, up to its maximum, and the files after it wait twice as long', () => {
  const { limiter } = world();
  const { nowMs } = limiter.snapshot();
  const seen = forecast(limiter.snapshot(), pro, backlog(11));
  // Three at the pace and seven that cost it twice are 17 steps of 1.25 s; the next leaves two steps before the end.
  expect([4, 10, 11].map((n) => (seen.doneAtMs(n) ?? 0) - nowMs)).toEqual([500, 1250, 15 * 1250 + 500]);
});

test('no small backlog leaves at once when the last minute had its requests', () => {
  const { limiter } = world();
  const { nowMs } = limiter.snapshot();
  const seen = forecast({ ...limiter.snapshot(), minuteUsed: 10 }, pro, backlog(5));
  expect((seen.allDoneAtMs ?? 0) - nowMs).toBe(2 * 1250 + 500);
});

test('no file of a small backlog leaves while the day has no room', () => {
  const { limiter } = world();
  const seen = forecast(limiter.snapshot(), { ...pro, dailyUploads: 2 }, backlog(5));
  expect(seen.doneWithinDay).toBe(2);
  expect(seen.doneAtMs(3)).toBeGreaterThan(limiter.snapshot().nowMs + DAY_MS);
});

test("files that exceed today's requests leave tomorrow", () => {
  const now = world();
  happen(now, 4_800);
  const seen = forecast(now.limiter.snapshot(), pro, backlog(312));
  const snapshot = now.limiter.snapshot();
  expect(seen.doneAtMs(100)).toBeLessThan(snapshot.nowMs + 5 * MINUTE_MS);
  expect(seen.doneAtMs(101)).toBeGreaterThan(snapshot.nowMs + 20 * HOUR_MS);
  expect(seen.allDoneAtMs).toBeLessThan(snapshot.nowMs + 24 * HOUR_MS);
});

test('a pause after a 429 and the slower pace after it are included', () => {
  const now = world();
  const startMs = now.clock.wallMs();
  for (let i = 0; i < 2; i++) {
    const turn = now.limiter.tryTake('upload');
    if (turn.kind === 'wait') throw new Error('must not wait');
    now.limiter.answered(turn.permit, { kind: 'rate-limited', retryAfterMs: 120_000 });
    now.clock.advanceNow(i === 0 ? 121_000 : 0);
  }
  const seen = forecast(now.limiter.snapshot(), pro, backlog(500));
  expect(seen.nextSlotAtMs).toBeGreaterThanOrEqual(startMs + 240_000);
  const doneMs = happen(now, 500);
  expect(Math.abs((seen.allDoneAtMs ?? 0) - (doneMs.at(-1) ?? 0))).toBeLessThan(2 * MINUTE_MS);
});

test('large files take as long as the connection needs', () => {
  const { clock, limiter } = world();
  const large = backlog(20, { bytes: 20e9, bytesPerSecond: 10e6 });
  const seen = forecast(limiter.snapshot(), pro, large);
  // 1 GB at 10 MB/s: 100 s each, and the line is shared.
  expect(seen.allDoneAtMs).toBeGreaterThanOrEqual(clock.wallMs() + 2_000_000);
  expect(seen.allDoneAtMs).toBeLessThan(clock.wallMs() + 2_100_000);
});

test('the daily uploads of the account limit the day', () => {
  const { limiter } = world();
  const seen = forecast(limiter.snapshot(), { ...pro, dailyUploads: 100 }, backlog(250));
  expect(seen.doneWithinDay).toBe(100);
  const { nowMs } = limiter.snapshot();
  expect(seen.doneAtMs(200)).toBeLessThan(nowMs + 1.1 * DAY_MS);
  expect(seen.allDoneAtMs).toBeGreaterThan(nowMs + 2 * DAY_MS);
});

test('a million files are forecast in a moment, and a forecast too far ahead gives no time', () => {
  const { limiter } = world();
  const before = process.cpuUsage();
  const seen = forecast(limiter.snapshot(), pro, backlog(1_000_000));
  // Processor time, so that other programs on the machine do not count. File by file it would take minutes.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  expect(seen.doneAtMs(1_000_000)).toBeGreaterThan(limiter.snapshot().nowMs + 200 * DAY_MS);
  expect(forecast(limiter.snapshot(), { ...pro, perDay: 100 }, backlog(1_000_000)).allDoneAtMs).toBeNull();
});
