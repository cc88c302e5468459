// The service refuses every request, or cannot be reached: the whole queue waits, and probes rarely.
import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../../../src-main/contract/errors.ts';
import { createWorld, hourMs, minuteMs, share, started, type World } from '../../../support/fake-world.ts';

const put = (world: World, count: number): void => {
  for (let n = 1; n <= count; n += 1) world.disk.write(`/tray/file${n}.txt`, 'x'.repeat(n));
};
const uploaded = (world: World): number => world.service.stored.length;

describe('a refusal that concerns every file', () => {
  test.each<[ErrorCode, number, string]>([
    ['key-refused', 401, 'key'],
    ['limit', 403, 'plan'],
    ['wrong-address', 404, 'moved'],
    ['moved', 301, 'moved'],
  ])('%s: one probe per interval for the whole queue, and no file is lost', async (code, status, reason) => {
    const { world, run } = await started();
    world.service.refuse = { code, status };
    put(world, 30);
    await world.clock.advance(14 * minuteMs);
    expect(run.engine.status().gate).toMatchObject({ kind: 'closed', reason });
    expect(world.service.requests).toHaveLength(1);
    await world.clock.advance(31 * minuteMs);
    expect(world.service.requests.length).toBeLessThanOrEqual(4);
    world.service.refuse = null;
    await world.clock.runUntil(() => uploaded(world) === 30, hourMs);
    expect(run.engine.status().gate).toEqual({ kind: 'open' });
    const kinds = run.entries().map((entry) => entry.body.kind);
    expect(kinds.filter((kind) => kind === 'queue-closed')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'queue-opened')).toHaveLength(1);
  });

  test('reaches only uploads under way when it begins in the middle', async () => {
    const { world } = await started();
    put(world, 60);
    await world.clock.runUntil(() => uploaded(world) === 6);
    world.service.refuse = { code: 'key-refused', status: 401 };
    const before = world.service.requests.length;
    await world.clock.advance(14 * minuteMs);
    expect(world.service.requests.length - before).toBeLessThanOrEqual(4);
  });

  test('allows one probe when a person acts, not one for each concurrent upload', async () => {
    const { world, run } = await started();
    put(world, 1);
    await world.until('file1.txt', 'uploaded');
    world.service.refuse = { code: 'key-refused', status: 401 };
    put(world, 30);
    await world.clock.advance(minuteMs);
    const before = world.service.requests.length;
    await run.call('queue.resume', {});
    await world.clock.advance(minuteMs);
    expect(world.service.requests.length - before).toBe(1);
    world.service.refuse = null;
    await run.call('queue.resume', {});
    await world.clock.runUntil(() => uploaded(world) >= 30, 2 * minuteMs);
  });

  test('is not lifted by an upload that was on its way before', async () => {
    const { world, run } = await started({ settings: { concurrentUploads: 2 } });
    world.service.faults.push({ code: 'key-refused', status: 401 });
    put(world, 5);
    await world.clock.advance(10_000);
    expect(uploaded(world)).toBe(1);
    expect(run.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'key' });
    await world.clock.runUntil(() => uploaded(world) === 5, 16 * minuteMs);
  });

  test('of a missing key stops the queue without any request', async () => {
    const { world, run } = await started();
    await run.call('account.logout', {});
    put(world, 3);
    await world.clock.advance(hourMs);
    expect(world.service.requests).toEqual([]);
    expect(run.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'key' });
    await run.call('account.login', { key: 'new-key-9876' });
    await world.clock.runUntil(() => uploaded(world) === 3, minuteMs);
  });
});

describe('a failing network', () => {
  test('that interrupts four uploads at once counts as one closing', async () => {
    const { world, run } = await started();
    world.service.faults.push('cut-before-tail', 'cut-before-tail', 'cut-before-tail', 'cut-before-tail');
    put(world, 4);
    await world.clock.runUntil(() => world.service.faults.length === 0);
    await world.clock.advance(500);
    expect(run.engine.streak()).toBe(1);
    await world.clock.runUntil(() => uploaded(world) === 4, minuteMs);
    expect(run.engine.streak()).toBe(0);
  });

  test('that interrupts only one file lets the others pass first', async () => {
    const { world } = await started({ settings: { concurrentUploads: 1 } });
    world.service.faults.push('cut-before-tail');
    put(world, 3);
    await world.clock.runUntil(() => uploaded(world) === 3, minuteMs);
    expect(world.service.namesOf()).toEqual(['file2.txt', 'file3.txt', 'file1.txt']);
  });
});

describe('a 403 for one upload', () => {
  const meets = async (stats: Partial<World['service']['stats']>): Promise<World> => {
    const world = createWorld();
    Object.assign(world.service.stats, stats);
    await world.start();
    world.service.faults.push({ code: 'limit', status: 403 });
    put(world, 2);
    await world.clock.advance(5000);
    return world;
  };

  test('is a limit when the statistics are accessible: the queue probes again after 15 min', async () => {
    const world = await meets({});
    expect(world.running().engine.status().gate).toMatchObject({ kind: 'closed', reason: 'limit' });
    await world.clock.runUntil(() => uploaded(world) === 2, 16 * minuteMs);
  });

  test('with good statistics is over for all other requests, and they are requested once', async () => {
    const { world, run } = await started();
    world.service.refuse = { code: 'moved', status: 301 };
    put(world, 2);
    await world.clock.advance(5000);
    world.service.refuse = null;
    world.service.faults.push({ code: 'limit', status: 403 });
    const before = world.service.count('stats');
    await world.clock.advance(20 * minuteMs);
    expect(run.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'limit' });
    // One tests the address, and one asks for the reason of the refusal.
    expect(world.service.count('stats') - before).toBe(2);
  });

  test('that meets two uploads together requests the statistics once', async () => {
    const { world } = await started();
    const limit = { code: 'limit' as const, status: 403 };
    world.service.faults.push(limit, limit);
    put(world, 2);
    await world.clock.advance(minuteMs);
    expect(uploaded(world)).toBe(0);
    expect(world.service.count('stats')).toBe(2);
    await world.clock.runUntil(() => uploaded(world) === 2, 16 * minuteMs);
  });

  test('is final for a file that is larger than the account allows, and others are uploaded', async () => {
    const { world } = await started();
    // From the size of this file the engine learns the unit of sizes.
    await share(world, 'small.txt', 'x'.repeat(2000));
    world.service.stats.limits.max_file_size = 10;
    world.service.faults.push({ code: 'limit', status: 403 });
    const row = await world.put('large.txt', 'x'.repeat(1000), 'failed');
    expect(row.state).toMatchObject({ code: 'too-large' });
    await world.put('next.txt', 'xy', 'uploaded', minuteMs);
  });

  test("is also final while the unit of the account's sizes is unknown, and others are not delayed", async () => {
    const { world } = await started();
    world.service.stats.limits.max_file_size = 100;
    world.service.faults.push({ code: 'limit', status: 403 });
    expect((await world.put('large.txt', 'x'.repeat(5000), 'failed')).state).toMatchObject({
      code: 'too-large',
    });
    await world.put('small.txt', 'small', 'uploaded', minuteMs);
  });

  test('is the daily limit when the uploads of the account are used up', async () => {
    const { world } = await started();
    put(world, 3);
    await world.clock.runUntil(() => uploaded(world) === 3);
    world.service.stats.limits.daily_uploads = 3;
    world.service.faults.push({ code: 'limit', status: 403 });
    world.disk.write('/tray/more.txt', 'more');
    await world.clock.advance(10_000);
    expect(world.running().engine.status().gate).toMatchObject({ reason: 'daily-uploads' });
    await world.until('more.txt', 'uploaded', 26 * hourMs);
  });

  test('with failing statistics does not open a gate that a refused key has closed meanwhile', async () => {
    const { world } = await started();
    put(world, 1);
    await world.until('file1.txt', 'uploaded');
    world.service.api.stats = () =>
      new Promise((_, reject) => {
        world.clock.after(1000, () => reject(new AppError('interrupted', 'Cut.')));
      });
    world.service.faults.push({ code: 'limit', status: 403 }, { code: 'key-refused', status: 401 });
    world.disk.write('/tray/b.txt', 'b');
    world.disk.write('/tray/c.txt', 'c, which is longer');
    await world.clock.advance(10 * minuteMs);
    expect(world.running().engine.status().gate).toMatchObject({ kind: 'closed', reason: 'key' });
    expect(world.service.count('upload')).toBe(3);
  });

  test('whose statistics still wait for their turn requests none once every file is refused', async () => {
    const { world } = await started();
    put(world, 1);
    await world.until('file1.txt', 'uploaded');
    world.service.faults.push({ code: 'limit', status: 403 }, { code: 'moved', status: 302 });
    const latencies = [20, 500];
    world.service.latencyMs = () => latencies.shift() ?? 20;
    world.disk.write('/tray/b.txt', 'b');
    world.disk.write('/tray/c.txt', 'c, which is longer');
    await world.clock.runUntil(() => world.service.faults.length === 0, minuteMs);
    world.keys.require = () => new Promise((next) => void world.clock.after(1000, next));
    const before = world.service.requests.length;
    await world.clock.advance(14 * minuteMs);
    expect(world.running().engine.status().gate).toMatchObject({ kind: 'closed', reason: 'moved' });
    expect(world.service.requests.length - before).toBe(2);
    await world.until('c.txt', 'uploaded', 5 * minuteMs);
  });

  test('with failing statistics waits for the network', async () => {
    const { world } = await started();
    put(world, 1);
    await world.until('file1.txt', 'uploaded');
    world.service.api.stats = () => Promise.reject(new AppError('interrupted', 'Cut.'));
    world.service.faults.push({ code: 'limit', status: 403 });
    await world.put('b.txt', 'more', 'uploaded', minuteMs);
    const closings = world
      .running()
      .entries()
      .filter((entry) => entry.body.kind === 'queue-closed');
    expect(closings.at(-1)?.body).toMatchObject({ reason: 'network', message: 'Cut.' });
  });
});

describe('other answers', () => {
  test('429 makes every file wait, and the refused one returns to the front without counting an attempt', async () => {
    const { world, run } = await started({ settings: { concurrentUploads: 1 } });
    world.service.faults.push({ code: 'rate', status: 429, retryAfterMs: 30_000 });
    put(world, 3);
    await world.clock.runUntil(() => world.service.faults.length === 0);
    const fromMs = world.clock.monoMs();
    await world.clock.runUntil(() => uploaded(world) === 1, 10 * minuteMs);
    expect(world.clock.monoMs() - fromMs).toBeGreaterThan(29_000);
    expect(world.service.stored[0]?.name).toBe('file1.txt');
    expect(world.row('file1.txt').attempts).toBe(0);
    expect(run.engine.streak()).toBe(0);
  });

  test('400 is final for that file until it changes', async () => {
    const { world } = await started();
    world.service.faults.push({ code: 'refused', status: 400 });
    put(world, 1);
    const row = await world.until('file1.txt', 'failed');
    expect(row.state).toMatchObject({ code: 'refused', message: 'The service said refused.' });
    await world.clock.advance(24 * hourMs);
    expect(uploaded(world)).toBe(0);
    await share(world, 'file1.txt', 'better');
  });

  test('invalid statistics do not keep files waiting', async () => {
    const { world } = await started();
    let asked = 0;
    world.service.api.stats = () => {
      asked += 1;
      return Promise.reject(new AppError('unusable-answer', 'stats.total_files', '', { status: 200 }));
    };
    put(world, 3);
    await world.clock.runUntil(() => uploaded(world) === 3, minuteMs);
    expect(asked).toBe(1);
  });

  test.each<[what: string, code: ErrorCode, status: number | null, reason: string]>([
    ['a login page', 'intercepted', 200, 'service'],
    ['an empty answer', 'intercepted', 204, 'service'],
    ['a network that demands a login (511)', 'intercepted', 511, 'service'],
    ['a redirect to a login page', 'moved', 302, 'moved'],
    ['a page that is not there', 'wrong-address', 404, 'moved'],
    ['a speaker of something else than HTTP', 'unusable-answer', null, 'service'],
  ])('nothing is sent while %s answers in place of the statistics', async (_what, code, status, reason) => {
    const { world, run } = await started();
    const { stats, list } = world.service.api;
    const details = status === null ? {} : { status };
    const loginPage = () => Promise.reject(new AppError(code, 'A login page?', '', details));
    world.service.api.stats = loginPage;
    world.service.api.list = loginPage;
    put(world, 3);
    await world.clock.advance(5 * minuteMs);
    expect(world.service.count('upload')).toBe(0);
    expect(run.engine.status().gate).toMatchObject({
      kind: 'closed',
      reason,
      message: 'A login page?',
    });
    world.service.api.stats = stats;
    world.service.api.list = list;
    await world.clock.runUntil(() => uploaded(world) === 3, reason === 'moved' ? hourMs : 6 * minuteMs);
  });

  test.each([200, 204, 511])(
    'a login page (%s) in place of the statistics alone stops all uploads, too',
    async (status) => {
      const { world, run } = await started();
      const { stats } = world.service.api;
      world.service.api.stats = () =>
        Promise.reject(new AppError('intercepted', 'A login page?', '', { status }));
      put(world, 3);
      await world.clock.advance(6 * hourMs);
      expect(uploaded(world)).toBe(0);
      expect(run.engine.status().gate).toMatchObject({ kind: 'closed', message: 'A login page?' });
      world.service.api.stats = stats;
      await world.clock.runUntil(() => uploaded(world) === 3, 6 * minuteMs);
    },
  );

  test('statistics that are refused for their rate are requested again when the service allows it', async () => {
    const { world } = await started();
    world.service.refuse = { code: 'rate', status: 429 };
    put(world, 1);
    await world.clock.runUntil(() => world.service.requests.length > 0);
    world.service.refuse = null;
    await world.until('file1.txt', 'uploaded', 2 * minuteMs);
  });
});
