// The grace period: a file that arrives in the folder waits before it becomes public, and can be cancelled.
import { describe, expect, test } from 'vitest';
import { begin, dayMs, hourMs, minuteMs, type Running, type World } from '../../../support/fake-world.ts';

const graceful = (graceSeconds = 30): Promise<{ world: World; run: Running }> =>
  begin({ settings: { graceSeconds } });
const waiting = { kind: 'waiting', reason: 'grace' };

describe('a file that arrives in the watched folder', () => {
  test('waits for the grace period, says until when, and is then uploaded', async () => {
    const { world, run } = await graceful();
    const row = await world.put('a.txt', 'content', 'waiting');
    expect(row.state).toMatchObject({ ...waiting, untilMs: Math.floor(world.clock.wallMs()) + 30_000 });
    expect(run.engine.status().counts.waiting).toBe(1);
    await world.clock.advance(29_000);
    expect(world.service.stored).toEqual([]);
    await world.until('a.txt', 'uploaded', 3000);
    const told = run.entries().filter(({ body }) => body.kind === 'waiting');
    expect(told.map(({ body }) => body)).toEqual([
      { ...waiting, untilMs: row.state.kind === 'waiting' ? row.state.untilMs : 0 },
    ]);
  });

  test('can be cancelled, and is then not uploaded', async () => {
    const { world, run } = await graceful();
    const { id } = await world.put('a.txt', 'content', 'waiting');
    await run.call('queue.cancel', { ids: [id] });
    await world.clock.advance(hourMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(world.service.stored).toEqual([]);
  });

  test('waits again in each new version, and only the newest one is uploaded', async () => {
    const { world } = await graceful();
    await world.put('a.txt', 'one', 'waiting');
    await world.clock.advance(20_000);
    world.disk.write('/tray/a.txt', 'two!');
    await world.clock.advance(20_000);
    expect(world.service.stored).toEqual([]);
    await world.until('a.txt', 'uploaded', 15_000);
    expect(world.service.stored.map(({ bytes }) => String(bytes))).toEqual(['two!']);
  });

  test('does not wait twice, whatever delays it afterwards', async () => {
    const { world } = await graceful();
    world.service.faults.push('cut-before-tail');
    await world.put('a.txt', 'content', 'waiting');
    await world.until('a.txt', 'uploaded', 45_000);
  });

  test('is uploaded at once when a person retries it', async () => {
    const { world, run } = await graceful(300);
    const { id } = await world.put('a.txt', 'content', 'waiting');
    await run.call('queue.retry', { ids: [id] });
    await world.until('a.txt', 'uploaded', 5000);
  });

  test('is uploaded at once when a person gives its path, at any moment of its intake', async () => {
    for (let afterMs = 0; afterMs <= 400; afterMs += 25) {
      const { world, run } = await graceful(300);
      world.disk.write('/tray/a.txt', 'content');
      await world.clock.advance(afterMs);
      const given = run.call('files.upload', { paths: ['/tray/a.txt'] });
      await world.until('a.txt', 'uploaded', 5000);
      await given;
    }
  });

  test('supersedes its earlier version only when its grace period is over', async () => {
    const { world } = await graceful();
    const first = await world.put('a.txt', 'one', 'waiting').then(() => world.until('a.txt', 'uploaded'));
    world.disk.write('/tray/a.txt', 'two!');
    await world.until('a.txt', 'waiting');
    expect(world.ledger.uploads.byId(first.id)?.state.kind).toBe('uploaded');
    const second = await world.until('a.txt', 'uploaded');
    expect(world.ledger.uploads.byId(first.id)?.state).toEqual({ kind: 'superseded', byId: second.id });
  });

  test('shares an existing link to its content without waiting', async () => {
    const { world } = await graceful();
    await world.put('a.txt', 'content', 'waiting');
    await world.until('a.txt', 'uploaded');
    await world.put('copy.txt', 'content', 'skipped', 5000);
  });

  test('is held with its burst', async () => {
    const { world } = await begin({ settings: { graceSeconds: 60, burstFiles: 3 } });
    for (let at = 1; at <= 3; at += 1) world.disk.write(`/tray/${at}.txt`, 'x'.repeat(at));
    await world.until('3.txt', 'waiting');
    for (let at = 4; at <= 6; at += 1) world.disk.write(`/tray/${at}.txt`, 'x'.repeat(at));
    await world.until('6.txt', 'held');
    expect(world.rows().map(({ state }) => state)).toEqual(
      Array.from({ length: 6 }, () => ({ kind: 'held', reason: 'burst' })),
    );
  });
});

test('a file given by path is uploaded without a grace period, in the folder and outside', async () => {
  const { world, run } = await graceful(300);
  world.disk.write('/other/b.txt', 'elsewhere');
  await world.put('a.txt', 'content', 'waiting');
  await run.call('files.upload', { paths: ['/tray/a.txt', '/other/b.txt'], again: false });
  await world.until('a.txt', 'uploaded', 10_000);
  await world.until('b.txt', 'uploaded', 10_000);
});

test('a file given by path that still grows is uploaded as soon as it is complete', async () => {
  const { world, run } = await graceful(300);
  world.disk.write('/other/b.txt', 'half');
  const close = world.disk.holdOpen('/other/b.txt');
  await run.call('files.upload', { paths: ['/other/b.txt'], again: false });
  await world.clock.advance(200);
  world.disk.write('/other/b.txt', 'the whole');
  close();
  await world.until('b.txt', 'uploaded', 10_000);
  expect(world.service.stored.map(({ bytes }) => String(bytes))).toEqual(['the whole']);
});

describe('the grace period', () => {
  test.each([6 * hourMs, -6 * hourMs])(
    'is neither shorter nor longer when the wall clock is set by %i ms',
    async (jumpMs) => {
      const { world } = await graceful();
      await world.put('a.txt', 'content', 'waiting');
      world.clock.jumpWall(jumpMs);
      // It wakes discovery.
      world.disk.write('/tray/b.txt', 'another');
      await world.clock.advance(28_000);
      expect(world.service.stored).toEqual([]);
      await world.until('a.txt', 'uploaded', 5000);
    },
  );

  test.each([6 * hourMs, -6 * hourMs])(
    'continues across a restart in which the wall clock is set by %i ms',
    async (jumpMs) => {
      const { world, run } = await graceful(60);
      await world.put('a.txt', 'content', 'waiting');
      await world.clock.advance(20_000);
      run.life.kill();
      world.clock.jumpWall(jumpMs);
      await world.start();
      await world.clock.advance(35_000);
      expect(world.service.stored).toEqual([]);
      await world.until('a.txt', 'uploaded', 8000);
    },
  );

  test('is over if it ended while nothing ran', async () => {
    const { world, run } = await graceful(60);
    await world.put('a.txt', 'content', 'waiting');
    await run.stop();
    await world.clock.advance(minuteMs);
    await world.start();
    await world.until('a.txt', 'uploaded', 5000);
  });

  test('is never longer than the setting if boots of the machine cannot be distinguished', async () => {
    const { world, run } = await begin({ settings: { graceSeconds: 60 }, boot: null });
    await world.put('a.txt', 'content', 'waiting');
    await run.stop();
    world.clock.jumpWall(-dayMs);
    await world.start();
    await world.until('a.txt', 'uploaded', 65_000);
  });

  test('follows the setting', async () => {
    const { world, run } = await graceful(300);
    await world.put('a.txt', 'content', 'waiting');
    await run.call('settings.set', { name: 'graceSeconds', value: 10 });
    await world.until('a.txt', 'uploaded', 15_000);
  });
});
