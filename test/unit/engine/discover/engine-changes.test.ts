// What happens to files that change, disappear or move, at any moment.
import { describe, expect, test } from 'vitest';
import { begin, hourMs, minuteMs, type Running, share, type World } from '../../../support/fake-world.ts';

const texts = (world: World): string[] => world.service.stored.map((file) => file.bytes.toString());
const bodies = (run: Running): string[] => run.entries().map((entry) => entry.body.kind);

describe('a file that changes', () => {
  test.each([
    ['as its newest version', 'first version', 'the second version'],
    ['also without another size', 'AAAA', 'BBBB'],
    ['in its short form', 'a long content', 'short'],
  ])('while it is being sent is uploaded once, %s', async (_, first, second) => {
    const { world } = await begin();
    await world.put('a.txt', first, 'sending');
    world.disk.write('/tray/a.txt', second);
    await world.clock.advance(hourMs);
    expect(texts(world)).toEqual([second]);
  });

  test('after its tail was sent is uploaded again as a new version', async () => {
    const { world } = await begin();
    await world.put('a.txt', 'first', 'committing');
    world.disk.hints(false);
    world.disk.write('/tray/a.txt', 'second');
    await world.clock.advance(minuteMs);
    expect(texts(world)).toEqual(['first', 'second']);
  });

  test('places with a hidden file gets its link back when it is visible again', async () => {
    const { world } = await begin();
    const first = await world.put('a.txt', 'first', 'uploaded');
    world.disk.rename('/tray/a.txt', '/tray/.hidden');
    world.disk.write('/tray/a.txt', 'second');
    await world.clock.advance(minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    world.disk.rename('/tray/.hidden', '/tray/b.txt');
    await world.clock.advance(minuteMs);
    expect(texts(world)).toEqual(['first', 'second']);
    expect(world.ledger.uploads.presentAt(1, '/tray', 'b.txt')?.publicLink).toBe(first.publicLink);
  });

  test.each([
    ['open', 60],
    ['changing', 1],
  ])('or that a program has open, for seconds (%s), is reported once', async (written, everySeconds) => {
    const { world, run } = await begin();
    world.disk.write('/tray/a.txt', 'a');
    const close = world.disk.holdOpen('/tray/a.txt');
    for (let second = 0; second < 30; second += 1) {
      if (second > 0 && second % everySeconds === 0) world.disk.write('/tray/a.txt', 'a'.repeat(second));
      await world.clock.advance(1000);
    }
    const waits = () => run.entries().filter(({ body }) => body.kind === 'waiting');
    expect(waits()).toMatchObject([
      { path: '/tray/a.txt', body: { reason: 'settling', untilMs: null, written } },
    ]);
    close();
    await world.until('a.txt', 'uploaded', minuteMs);
    expect(waits()).toHaveLength(1);
  });

  test('after its upload gets a new link, and the old one is superseded', async () => {
    const { world, run } = await begin();
    const first = await world.put('a.txt', 'first', 'uploaded');
    world.disk.replace('/tray/a.txt', 'second');
    await world.clock.runUntil(() => world.service.stored.length === 2);
    await world.clock.advance(1000);
    expect(world.ledger.uploads.byId(first.id)?.state).toEqual({
      kind: 'superseded',
      byId: world.row('a.txt').id,
    });
    expect(run.engine.status().counts).toMatchObject({ uploaded: 1, waiting: 0 });
  });

  test('only its times keeps its link without any request', async () => {
    const { world } = await begin();
    const first = await world.put('a.txt', 'same', 'uploaded');
    world.disk.touch('/tray/a.txt');
    await world.clock.advance(hourMs);
    expect(world.service.count('upload')).toBe(1);
    expect(world.ledger.uploads.byId(first.id)).toMatchObject({ present: true, state: { kind: 'uploaded' } });
  });

  test('its inode while it settles is followed', async () => {
    const { world } = await begin();
    await world.put('a.txt', 'first', 'settling');
    world.disk.hints(false);
    world.disk.replace('/tray/a.txt', 'other');
    await world.until('a.txt', 'uploaded');
    expect(texts(world)).toEqual(['other']);
  });

  test('all the time is never uploaded', async () => {
    const { world } = await begin();
    world.disk.write('/tray/a.txt', 'x');
    for (let n = 0; n < 100; n += 1) {
      await world.clock.advance(200);
      world.disk.append('/tray/a.txt', 'x');
    }
    expect(world.service.stored).toEqual([]);
    await world.until('a.txt', 'uploaded');
    expect(texts(world)).toEqual(['x'.repeat(101)]);
  });

  test('is not uploaded while a writer has it open, even if it does not change', async () => {
    const { world, run } = await begin();
    world.disk.write('/tray/a.txt', 'half');
    const close = world.disk.holdOpen('/tray/a.txt');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect((await run.call('file.why', { path: '/tray/a.txt' })).sentence).toContain(
      'checking that it is complete',
    );
    world.disk.append('/tray/a.txt', ' and half');
    close();
    await world.until('a.txt', 'uploaded');
    expect(texts(world)).toEqual(['half and half']);
  });

  test('gets a longer quiet period where open writers cannot be seen', async () => {
    const { world } = await begin({}, (one) => one.disk.hideWriters('untold'));
    await share(world, 'first.txt', 'first');
    world.disk.write('/tray/a.txt', 'half');
    await world.clock.advance(900);
    world.disk.append('/tray/a.txt', ' and half');
    await world.clock.advance(1700);
    expect(world.service.stored).toHaveLength(1);
    await world.until('a.txt', 'uploaded', 5000);
  });
});

describe('a file that disappears', () => {
  test('before it is sent is gone', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    await world.put('a.txt', 'content', 'ready');
    world.disk.remove('/tray/a.txt');
    await world.until('a.txt', 'gone');
    await world.clock.advance(200);
    expect(bodies(run)).toContain('gone');
    expect(run.engine.status().counts).toEqual({ uploaded: 0, waiting: 0, held: 0, skipped: 0, failed: 0 });
  });

  test('while it is sent is not created on the service, and is gone', async () => {
    const { world } = await begin();
    await world.put('a.txt', 'content', 'sending');
    world.disk.remove('/tray/a.txt');
    await world.until('a.txt', 'gone');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
  });

  test('while it settles is gone, found by the next check without a hint', async () => {
    const { world } = await begin();
    await world.put('a.txt', 'content', 'settling');
    world.disk.hints(false);
    world.disk.remove('/tray/a.txt');
    await world.until('a.txt', 'gone');
  });

  test('after its tail was sent keeps its link', async () => {
    const { world } = await begin();
    await world.put('a.txt', 'content', 'committing');
    world.disk.remove('/tray/a.txt');
    const row = await world.until('a.txt', 'uploaded');
    await world.clock.advance(1000);
    expect(world.ledger.uploads.byId(row.id)).toMatchObject({ present: false, state: { kind: 'uploaded' } });
  });

  test('with its whole folder is gone, too', async () => {
    const { world, run } = await begin({}, (one) => one.disk.make('/tray/sub', 'folder'));
    await run.call('queue.pause', { untilMs: null });
    await world.put('sub/a.txt', 'content', 'ready');
    world.disk.remove('/tray/sub');
    await world.until('a.txt', 'gone');
  });
});

describe('a file that moves inside the folder', () => {
  test('keeps its link under its new name, without a request', async () => {
    const { world, run } = await begin();
    const row = await world.put('a.txt', 'content', 'uploaded');
    world.disk.make('/tray/sub', 'folder');
    world.disk.rename('/tray/a.txt', '/tray/sub/b.txt');
    await world.clock.advance(hourMs);
    expect(world.service.count('upload')).toBe(1);
    expect(world.ledger.uploads.byId(row.id)).toMatchObject({
      dir: '/tray/sub',
      name: 'b.txt',
      present: true,
    });
    expect(bodies(run)).toContain('moved');
    expect(run.engine.status().counts.uploaded).toBe(1);
  });
});
