// Commands of a person to the queue while it works: pause, cancel, confirm, skip, retry, order.
import { describe, expect, test } from 'vitest';
import { isDeep } from '../../../support/deep.ts';
import {
  begin,
  hourMs,
  loseAnswer,
  minuteMs,
  type Running,
  type World,
} from '../../../support/fake-world.ts';

const idOf = (world: World, name: string): number => world.row(name).id;

describe('a pause', () => {
  test('stops all uploads, and they continue when it is resumed', async () => {
    const { world, run } = await begin();
    const paused = await run.call('queue.pause', { untilMs: null });
    expect(paused).toMatchObject({ paused: true, pausedUntilMs: null });
    world.disk.write('/tray/a.txt', 'content');
    await world.clock.advance(24 * hourMs);
    expect(world.service.requests).toEqual([]);
    expect(world.row('a.txt').state.kind).toBe('ready');
    expect(run.engine.isStill()).toBe(true);
    const why = await run.call('file.why', { path: '/tray/a.txt' });
    expect(why.sentence).toBe('Waiting: the queue is paused.');
    await run.call('queue.resume', {});
    await world.until('a.txt', 'uploaded', minuteMs);
  });

  test('ends by itself at its time', async () => {
    const { world, run } = await begin();
    const untilMs = world.clock.wallMs() + hourMs;
    expect(await run.call('queue.pause', { untilMs })).toMatchObject({ pausedUntilMs: untilMs });
    world.disk.write('/tray/a.txt', 'content');
    await world.clock.advance(hourMs - 1000);
    expect(world.service.requests).toEqual([]);
    await world.until('a.txt', 'uploaded', 10_000);
    expect(run.engine.status()).toMatchObject({ paused: false, pausedUntilMs: null });
  });

  test('survives the process', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    run.life.kill();
    const again = await world.start();
    world.disk.write('/tray/a.txt', 'content');
    await world.clock.advance(hourMs);
    expect(again.engine.status().paused).toBe(true);
    expect(world.service.stored).toEqual([]);
  });

  test('during the request for the statistics still precedes the first file', async () => {
    const { world, run } = await begin();
    world.service.latencyMs = 500;
    world.disk.write('/tray/a.txt', 'content');
    await world.clock.runUntil(() => world.ledger.permits.outstanding().length > 0);
    await run.client.call('queue.pause', { untilMs: null });
    await world.clock.advance(hourMs);
    expect(world.service.count('upload')).toBe(0);
  });
});

describe('cancelling a file', () => {
  test('that waits ends its upload at once, and the file stays where it is', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    await world.put('a.txt', 'content', 'ready');
    const [view] = await run.call('queue.cancel', { ids: [idOf(world, 'a.txt')] });
    expect(view).toMatchObject({ state: { kind: 'skipped', rule: 'cancelled' }, bucket: 'skipped' });
    await run.call('queue.resume', {});
    await run.call('folder.scan', {});
    await world.clock.advance(2 * hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.disk.text('/tray/a.txt')).toBe('content');
  });

  test('under way stops it before its tail, and the service has nothing', async () => {
    const { world, run } = await begin();
    await world.put('a.txt', 'content', 'sending');
    await run.call('queue.cancel', { ids: [idOf(world, 'a.txt')] });
    await world.clock.advance(hourMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(world.service.stored).toEqual([]);
    expect(world.ledger.attempts.ofUpload(idOf(world, 'a.txt'))[0]?.outcome).toBe('not-created');
  });

  test('after its tail is kept: its link is taken back as soon as the answer has it', async () => {
    const { world, run } = await begin();
    await world.put('a.txt', 'content', 'committing');
    await run.call('queue.cancel', { ids: [idOf(world, 'a.txt')] });
    expect(world.row('a.txt').state.kind).toBe('committing');
    await world.clock.advance(minuteMs);
    expect(world.service.stored.map(({ deleted }) => deleted)).toEqual([true]);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'recalled' });
  });

  test('that is being opened prevents its upload', async () => {
    const { world, run } = await begin();
    world.service.latencyMs = 500;
    world.disk.write('/tray/a.txt', 'content');
    await world.clock.runUntil(() => world.ledger.permits.outstanding().length > 0);
    await run.client.call('queue.cancel', { ids: [idOf(world, 'a.txt')] });
    await world.clock.advance(hourMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(world.service.count('upload')).toBe(0);
  });

  test('that is locked and being opened keeps it cancelled', async () => {
    const { world, run } = await begin();
    world.service.latencyMs = 500;
    world.disk.write('/tray/a.txt', 'content');
    await world.clock.runUntil(() => world.ledger.permits.outstanding().length > 0);
    world.disk.lock('/tray/a.txt', true);
    await run.client.call('queue.cancel', { ids: [idOf(world, 'a.txt')] });
    await world.clock.advance(minuteMs);
    world.disk.lock('/tray/a.txt', false);
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
  });

  test('works from another process than the one that sends it', async () => {
    const { world } = await begin();
    const guest = world.make('guest:1');
    await world.put('a.txt', 'content', 'sending');
    await guest.client.call('queue.cancel', { ids: [idOf(world, 'a.txt')] });
    await world.clock.advance(hourMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(world.service.stored).toEqual([]);
  });

  test('applies after the sending process was killed before it noticed', async () => {
    const { world, run } = await begin();
    const guest = world.make('guest:1');
    await world.put('a.txt', 'content', 'sending');
    run.life.kill();
    await guest.client.call('queue.cancel', { ids: [idOf(world, 'a.txt')] });
    await world.start();
    await world.clock.advance(hourMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(world.service.stored).toEqual([]);
  });
});

describe('confirming, skipping and retrying', () => {
  test('a secret is held until it is confirmed', async () => {
    const { world, run } = await begin();
    const row = await world.put('server.key', 'secret', 'held');
    expect(row.state).toEqual({ kind: 'held', reason: 'secret-name' });
    expect((await run.call('queue.held', {})).map((view) => view.name)).toEqual(['server.key']);
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    await run.call('queue.confirm', { ids: [row.id] });
    await world.until('server.key', 'uploaded');
  });

  test('only held or skipped files can be confirmed, and no uncertain one', async () => {
    const { world, run } = await begin();
    const { id } = await loseAnswer(world, 'a.txt', 'content');
    const confirm = (): Promise<unknown> => run.client.call('queue.confirm', { ids: [id] });
    await expect(confirm()).rejects.toMatchObject({ code: 'uncertain' });
    await world.until('a.txt', 'uploaded', minuteMs);
    await expect(confirm()).rejects.toMatchObject({ code: 'bad-use' });
    await expect(run.client.call('queue.confirm', { ids: [99] })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  test('one wrong id among many changes nothing', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('server.key', 'secret', 'held');
    await expect(run.client.call('queue.confirm', { ids: [id, 99] })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(world.row('server.key').state.kind).toBe('held');
  });

  test('a file under way can be skipped like a held one', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('server.key', 'secret', 'held');
    await run.call('queue.skip', { ids: [id] });
    expect(world.row('server.key').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    const sending = await world.put('a.txt', 'content', 'sending');
    await run.call('queue.skip', { ids: [sending.id] });
    await world.until('a.txt', 'skipped');
    expect(world.service.stored).toEqual([]);
  });

  test('failed files are retried, one or all of them, and others are refused', async () => {
    const { world, run } = await begin();
    world.service.faults.push({ code: 'refused', status: 400 }, { code: 'refused', status: 400 });
    world.disk.write('/tray/a.txt', 'a');
    world.disk.write('/tray/b.txt', 'bb');
    await world.until('a.txt', 'failed');
    await world.until('b.txt', 'failed');
    await run.call('queue.retry', { ids: [idOf(world, 'a.txt')] });
    await world.until('a.txt', 'uploaded');
    expect(world.row('b.txt').state.kind).toBe('failed');
    await run.call('queue.retry', {});
    await world.until('b.txt', 'uploaded');
    const ids = [idOf(world, 'a.txt')];
    await expect(run.client.call('queue.retry', { ids })).rejects.toMatchObject({ code: 'bad-use' });
  });

  test('a skipped file is uploaded on request, whatever rule skipped it', async () => {
    const { world, run } = await begin();
    const row = await world.put('empty.txt', '', 'skipped');
    expect(row.state).toEqual({ kind: 'skipped', rule: 'empty' });
    await run.call('queue.retry', { ids: [row.id] });
    await world.until('empty.txt', 'uploaded');
  });
});

describe('the order', () => {
  const paused = async (): Promise<{ world: World; run: Running }> => {
    const both = await begin({ settings: { concurrentUploads: 1 } });
    await both.run.call('queue.pause', { untilMs: null });
    for (const [name, size] of [
      ['one.txt', 30],
      ['two.txt', 10],
      ['three.txt', 20],
    ] as const) {
      both.world.disk.write(`/tray/${name}`, 'x'.repeat(size));
      await both.world.until(name, 'ready');
    }
    return both;
  };
  const goOn = async ({ world, run }: { world: World; run: Running }): Promise<string[]> => {
    await run.call('queue.resume', {});
    await world.clock.runUntil(() => world.service.stored.length === 3, minuteMs);
    return world.service.namesOf();
  };

  test.each([
    ['arrival', ['one.txt', 'two.txt', 'three.txt']],
    ['newest', ['three.txt', 'two.txt', 'one.txt']],
    ['smallest', ['two.txt', 'three.txt', 'one.txt']],
  ] as const)('by %s', async (by, names) => {
    const both = await paused();
    await both.run.call('queue.order', { by });
    expect(both.run.engine.status().order).toBe(by);
    const { waiting } = await both.run.call('queue.get', {});
    expect(waiting.map((view) => view.name)).toEqual(names);
    expect(await goOn(both)).toEqual(names);
  });

  test('files that were moved to the top are sent first, the newest of them before the others', async () => {
    const both = await paused();
    await both.run.call('queue.toTop', { ids: [idOf(both.world, 'two.txt')] });
    await both.run.call('queue.toTop', { ids: [idOf(both.world, 'three.txt')] });
    expect(await goOn(both)).toEqual(['three.txt', 'two.txt', 'one.txt']);
  });

  test('only the uploads to which a run is restricted are sent', async () => {
    const both = await paused();
    const { world, run } = both;
    run.engine.restrictTo(new Set([idOf(world, 'two.txt'), 4711]));
    await run.call('queue.resume', {});
    await world.clock.advance(hourMs);
    expect(world.service.namesOf()).toEqual(['two.txt']);
    expect(run.engine.isStill()).toBe(true);
    run.engine.restrictTo(null);
    await world.clock.runUntil(() => world.service.stored.length === 3, minuteMs);
  });
});

describe('many files of the same name and size', () => {
  test('are uploaded one after the other, without queueing all others again each time', async () => {
    const { world } = await begin({ settings: { requestsPerMinute: 100_000, burstFiles: 1_000 } });
    const count = isDeep ? 60 : 20;
    for (let at = 0; at < count; at += 1) world.disk.write(`/tray/${at}/index.html`, `page ${1_000 + at}`);
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toHaveLength(count);
    const queued = world.ledger.entries.after(0, 100_000).filter(({ body }) => body.kind === 'queued');
    expect(queued.length).toBeLessThanOrEqual(count * 10);
  });
});
