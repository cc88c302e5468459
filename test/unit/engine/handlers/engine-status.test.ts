// The status: what waits and why, until when, and the files that are no part of the folder.
import { describe, expect, test } from 'vitest';
import { toAppError } from '../../../../src-main/contract/errors.ts';
import { begin, dayMs, hourMs, minuteMs } from '../../../support/fake-world.ts';

describe('files from outside the folder', () => {
  test('are counted separately while they are on their way, failed and done', async () => {
    const { world, run } = await begin();
    await world.put('inside.txt', 'inside', 'uploaded');
    world.disk.write('/home/talk.pdf', 'outside');
    await run.call('files.upload', { paths: ['/home/talk.pdf'] });
    await world.until('talk.pdf', 'sending');
    expect(run.engine.status()).toMatchObject({
      sending: 1,
      counts: { uploaded: 1, waiting: 0 },
      outside: { uploaded: 0, waiting: 1, failed: 0 },
    });
    await world.until('talk.pdf', 'uploaded');
    world.service.faults.push({ code: 'refused', status: 415 });
    world.disk.write('/home/talk.exe', 'refused');
    await run.call('files.upload', { paths: ['/home/talk.exe'] });
    await world.until('talk.exe', 'failed');
    expect(run.engine.status().outside).toEqual({ uploaded: 1, waiting: 0, held: 0, skipped: 0, failed: 1 });
    expect(run.engine.status().counts).toEqual({ uploaded: 1, waiting: 0, held: 0, skipped: 0, failed: 0 });
  });

  test('are the only ones without a folder, and are counted once', async () => {
    const { world, run } = await begin({ settings: { folder: null } }, undefined, { folder: null });
    world.disk.write('/home/talk.pdf', 'outside');
    await run.call('files.upload', { paths: ['/home/talk.pdf'] });
    await world.until('talk.pdf', 'uploaded');
    const { counts, outside } = run.engine.status();
    expect([counts.uploaded, outside.uploaded]).toEqual([1, 0]);
  });
});

describe('the first run is over', () => {
  test('after a folder was chosen, also once it is removed', async () => {
    const { world, run } = await begin();
    await world.put('inside.txt', 'inside', 'uploaded');
    await run.call('folders.remove', { folder: '/tray' });
    expect(run.engine.status()).toMatchObject({ folder: null, counts: { uploaded: 0 }, wasSetUp: true });
  });

  test('after a file was given without a folder, whatever became of it', async () => {
    const { world, run } = await begin({ settings: { folder: null } }, undefined, { folder: null });
    expect(run.engine.status()).toMatchObject({ folder: null, wasSetUp: false });
    world.service.faults.push({ code: 'refused', status: 415 });
    world.disk.write('/home/talk.exe', 'refused');
    await run.call('files.upload', { paths: ['/home/talk.exe'] });
    await world.until('talk.exe', 'failed');
    expect(run.engine.status()).toMatchObject({ folder: null, counts: { uploaded: 0 }, wasSetUp: true });
  });
});

describe('the limit that makes the queue wait although the gate is open', () => {
  test('is reported when the requests of the day are used up, until they are free again', async () => {
    const { world, run } = await begin({ settings: { requestsPerDay: 10 } });
    for (let at = 1; at <= 12; at += 1) world.disk.write(`/tray/${at}.txt`, 'x'.repeat(at));
    await world.clock.advance(10 * minuteMs);
    const { limit, gate, counts, nextSlotAtMs, doneAtMs } = run.engine.status();
    expect(gate).toEqual({ kind: 'open' });
    expect(counts.waiting).toBeGreaterThan(0);
    expect(limit?.reason).toBe('budget');
    expect(limit?.untilMs).toBeGreaterThan(world.clock.wallMs() + 23 * hourMs);
    // No file is expected before that.
    expect(nextSlotAtMs).toBeGreaterThanOrEqual((limit?.untilMs ?? 0) - minuteMs);
    expect(doneAtMs).toBeGreaterThan(limit?.untilMs ?? Infinity);
    await world.clock.advance(dayMs + hourMs);
    expect(run.engine.status()).toMatchObject({ limit: null, counts: { waiting: 0, uploaded: 12 } });
  });

  test('is not the daily one while only the requests of the minute are used up', async () => {
    const { world, run } = await begin({ settings: { requestsPerMinute: 5, requestsPerDay: 1_000 } });
    for (let at = 1; at <= 12; at += 1) world.disk.write(`/tray/${at}.txt`, 'x'.repeat(at));
    await world.until('1.txt', 'uploaded');
    await world.clock.advance(10_000);
    const { limit, counts, budget } = run.engine.status();
    expect(counts.waiting).toBeGreaterThan(0);
    expect(budget.day.used).toBeLessThan(budget.day.limit);
    expect(limit).toBeNull();
  });

  test('is reported when the daily uploads are used up', async () => {
    const { world, run } = await begin();
    world.service.stats.limits.daily_uploads = 2;
    await run.call('stats.get', { refresh: true });
    for (let at = 1; at <= 4; at += 1) world.disk.write(`/tray/${at}.txt`, 'x'.repeat(at));
    await world.clock.advance(10 * minuteMs);
    const { limit, gate } = run.engine.status();
    expect(gate).toEqual({ kind: 'open' });
    expect(limit?.reason).toBe('daily-uploads');
    expect(limit?.untilMs).toBeGreaterThan(world.clock.wallMs() + 23 * hourMs);
  });

  test('is reported when the service answered 429, and a refresh does not blame the plan', async () => {
    const { world, run } = await begin();
    world.service.refuse = { code: 'rate', status: 429, retryAfterMs: 10 * minuteMs };
    world.disk.write('/tray/a.txt', 'a');
    await world.clock.advance(minuteMs);
    const { limit, gate } = run.engine.status();
    expect(gate).toEqual({ kind: 'open' });
    expect(limit?.reason).toBe('rate');
    expect(limit?.untilMs).toBeGreaterThan(world.clock.wallMs() + 8 * minuteMs);
    expect(run.changes.findLast(({ kind }) => kind === 'status')).toMatchObject({
      status: { limit: { reason: 'rate' } },
    });
    const refused = run.client
      .call('stats.get', { refresh: true })
      .catch((caught: unknown) => toAppError(caught));
    expect(await refused).toMatchObject({
      code: 'rate',
      remedy: 'Outtray continues by itself; try again then.',
    });
  });

  test('is missing while nothing waits, and while only the pace of the minute limits', async () => {
    const { world, run } = await begin({ settings: { requestsPerDay: 10 } });
    // One request of the ten reads the statistics.
    for (let at = 1; at <= 8; at += 1) world.disk.write(`/tray/${at}.txt`, 'x'.repeat(at));
    await world.clock.advance(10 * minuteMs);
    expect(run.engine.status().counts).toMatchObject({ waiting: 0 });
    expect(run.engine.status().limit).toBeNull();
    const slow = await begin({ settings: { requestsPerMinute: 2 } });
    for (let at = 1; at <= 9; at += 1) slow.world.disk.write(`/tray/${at}.txt`, 'x'.repeat(at));
    await slow.world.clock.advance(30_000);
    expect(slow.run.engine.status().counts.waiting).toBeGreaterThan(0);
    expect(slow.run.engine.status().limit).toBeNull();
  });
});

describe('an estimate', () => {
  test('is not given while the queue is paused or closed', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: world.clock.wallMs() + hourMs });
    await world.put('a.txt', 'a', 'ready');
    const { waiting, status } = await run.call('queue.get', {});
    expect(waiting.map(({ expectedAtMs }) => expectedAtMs)).toEqual([null]);
    expect(status).toMatchObject({ doneAtMs: null, nextSlotAtMs: null, doneToday: 0, doneLater: 0 });
    await world.clock.advance(2 * hourMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
  });

  test('covers uploads under way, and distinguishes files that are sent after a day', async () => {
    const { world, run } = await begin({ settings: { requestsPerDay: 20, burstFiles: 1000 } });
    for (let at = 1; at <= 30; at += 1) world.disk.write(`/tray/${at}.txt`, 'x'.repeat(at));
    await world.until('30.txt', 'ready');
    const { doneToday, doneLater, sending, counts } = run.engine.status();
    expect(doneToday + doneLater).toBe(counts.waiting - sending);
    expect(doneLater).toBeGreaterThan(0);
  });
});

test('whether uploads go is the same alone and in the status', async () => {
  const { run } = await begin();
  await run.call('queue.pause', { untilMs: null });
  expect(run.engine.queueNow()).toMatchObject({ paused: true, gate: { kind: 'open' }, sending: 0 });
  expect(run.engine.status()).toMatchObject(run.engine.queueNow());
});
