// The service says that it is busy only after it has read the whole file. It may have stored it, so the file is
// looked up as after any lost answer. But no person has to decide: the file waits, and continues by itself.
import { describe, expect, test } from 'vitest';
import { isBusy } from '../../../../src-main/contract/model.ts';
import { begin, hourMs, minuteMs, share, type Running, type World } from '../../../support/fake-world.ts';

type Answer = { status: number; retryAfterMs?: number; created?: boolean };

/** A file that met this answer after its tail, just now. */
const meet = async (answer: Answer, given: Parameters<typeof begin>[0] = {}) => {
  const { world, run } = await begin(given);
  world.service.faults.push({ code: 'rate', afterTail: true, ...answer });
  await world.put('a.txt', 'the content', 'uncertain');
  return { world, run };
};

const lookOf = (world: World, name = 'a.txt'): number => {
  const { state } = world.row(name);
  return isBusy(state) ? state.nextLookAtMs : NaN;
};

/** What the window, the tray and the commands show. */
const expectWaiting = async (run: Running, world: World): Promise<void> => {
  const status = await run.call('app.status', {});
  expect(status.counts).toMatchObject({ waiting: 1, held: 0, failed: 0 });
  const view = await run.call('queue.get', { limit: 10 });
  expect(view.waiting.map(({ name, bucket }) => [name, bucket])).toEqual([['a.txt', 'waiting']]);
  expect([view.waitingTotal, view.heldTotal, view.held]).toEqual([1, 0, []]);
  expect(await run.call('queue.held', {})).toEqual([]);
  const why = await run.call('file.why', { path: '/tray/a.txt' });
  expect(why.sentence).toContain('Waiting: the service was busy');
  expect(why.upload?.state).toMatchObject({ isBusy: true, nextLookAtMs: lookOf(world) });
};

describe('a file that a busy service refused after its tail', () => {
  test.each<[string, Answer]>([
    ['429', { status: 429 }],
    ['429 with a time', { status: 429, retryAfterMs: 40_000 }],
    ['503 with a time', { status: 503, retryAfterMs: 5000 }],
  ])(
    '%s: waits without being held, and is sent again only when it is certainly missing',
    async (_, answer) => {
      const { world, run } = await meet(answer);
      const lostAtMs = world.clock.monoMs();
      await expectWaiting(run, world);
      await world.clock.advance(14 * minuteMs);
      await expectWaiting(run, world);
      expect(world.service.count('upload')).toBe(1);
      await world.until('a.txt', 'uploaded', 5 * minuteMs);
      expect(world.clock.monoMs() - lostAtMs).toBeGreaterThan(15 * minuteMs);
      expect(world.service.stored).toHaveLength(1);
      expect(run.entries().filter(({ body }) => body.kind === 'held')).toEqual([]);
    },
  );

  test('is found soon when a proxy repeated the request and the service accepted it', async () => {
    const { world, run } = await meet({ status: 429, created: true });
    await expectWaiting(run, world);
    const row = await world.until('a.txt', 'uploaded', minuteMs);
    expect(row.fileId).toBe(world.service.stored[0]?.fileId);
    expect(world.service.count('upload')).toBe(1);
  });

  test('is not sent twice when that request is stored only after two lists without it', async () => {
    const { world } = await meet({ status: 429, created: true });
    world.service.listLagMs = 10 * minuteMs;
    await world.until('a.txt', 'uploaded', 20 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
    expect(world.service.stored).toHaveLength(1);
  });

  test("is reported with the time of the next lookup, which is not before the end of the service's pause", async () => {
    const { world, run } = await meet({ status: 429, retryAfterMs: 20 * minuteMs });
    const untilMs = world.clock.wallMs() + 20 * minuteMs;
    const [told] = run.entries().filter(({ body }) => body.kind === 'waiting');
    expect(told?.body).toMatchObject({ reason: 'busy', untilMs: lookOf(world) });
    expect(lookOf(world)).toBeGreaterThan(untilMs - 1000);
    await world.clock.advance(19 * minuteMs);
    expect(world.service.count('list')).toBe(0);
    await world.clock.advance(2 * minuteMs);
    expect(world.service.count('list')).toBeGreaterThan(0);
  });

  test('is reported with that time even if the service demands a pause later', async () => {
    const { world, run } = await meet({ status: 429 });
    await world.clock.advance(12_000);
    world.service.faults.push({ code: 'rate', status: 429, retryAfterMs: 10 * minuteMs });
    await world.put('b.txt', 'another content', 'sending');
    await world.until('b.txt', 'ready');
    const { upload } = await run.call('file.why', { path: '/tray/a.txt' });
    const state = upload?.state ?? { kind: 'gone' };
    expect(isBusy(state) ? state.nextLookAtMs : 0).toBeGreaterThan(world.clock.wallMs() + 9 * minuteMs);
  });

  test('delays no other file for longer than any 429 does', async () => {
    const { world } = await meet({ status: 429 });
    await world.put('b.txt', 'another content', 'uploaded', 30_000);
    expect(world.row('a.txt').state.kind).toBe('uncertain');
  });

  test('waits for the next day when that was the last request of the day, and says so', async () => {
    const used = async (lastIsBusy: number | null) => {
      const { world, run } = await begin({ settings: { requestsPerDay: 12 } });
      for (let n = 1; run.engine.wait()?.why !== 'day'; n += 1) {
        if (n === lastIsBusy) world.service.faults.push({ code: 'rate', status: 429, afterTail: true });
        await world.put(
          `${n}.txt`,
          'x'.repeat(n),
          n === lastIsBusy ? 'uncertain' : 'uploaded',
          30 * minuteMs,
        );
      }
      return { world, run, uploads: world.service.count('upload') };
    };
    const { uploads } = await used(null);
    const { world, run } = await used(uploads);
    const name = `${uploads}.txt`;
    expect(lookOf(world, name)).toBeGreaterThan(world.clock.wallMs() + 12 * hourMs);
    expect((await run.call('app.status', {})).counts).toMatchObject({ waiting: 1, held: 0 });
    await world.until(name, 'uploaded', 25 * hourMs);
    expect(world.service.stored).toHaveLength(uploads);
  });

  test('is not held even if it happens repeatedly, and is uploaded in the end', async () => {
    const { world, run } = await begin();
    const busy = { code: 'rate', status: 429, afterTail: true } as const;
    world.service.faults.push(...Array.from({ length: 8 }, () => busy));
    world.disk.write('/tray/a.txt', 'the content');
    await world.until('a.txt', 'uploaded', 24 * hourMs);
    expect(world.service.count('upload')).toBe(9);
    expect(world.service.stored).toHaveLength(1);
    expect(run.entries().filter(({ body }) => body.kind === 'held')).toEqual([]);
  });

  test('is held if a file on the service cannot be compared with it', async () => {
    const { world } = await meet({ status: 429, created: true });
    world.service.linksBroken = true;
    const row = await world.until('a.txt', 'held', 20 * minuteMs);
    expect(row.state).toEqual({ kind: 'held', reason: 'uncertain' });
    expect(world.service.count('upload')).toBe(1);
  });

  test('continues to wait after a restart, and another process reports the same', async () => {
    const { world, run } = await meet({ status: 429 });
    await run.stop();
    const next = await world.start();
    await expectWaiting(next, world);
    await expectWaiting(world.make('guest'), world);
    await world.until('a.txt', 'uploaded', 20 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
  });

  test('counts as waiting when its file has left the folder, or was never in one', async () => {
    const { world, run } = await meet({ status: 429 });
    world.disk.remove('/tray/a.txt');
    await world.clock.advance(10_000);
    const gone = await run.call('app.status', {});
    expect(gone.counts).toMatchObject({ waiting: 0, held: 0 });
    expect(gone.outside).toMatchObject({ waiting: 1, held: 0 });
    world.service.faults.push({ code: 'rate', status: 429, afterTail: true });
    world.disk.write('/else/b.txt', 'named');
    await run.call('files.upload', { paths: ['/else/b.txt'] });
    await world.until('b.txt', 'uncertain');
    expect((await run.call('app.status', {})).outside).toMatchObject({ waiting: 2, held: 0 });
  });

  test('may be public, and the audit file says so', async () => {
    const { world } = await meet({ status: 429 }, { settings: { auditFile: '/audit.jsonl' } });
    await world.clock.advance(1);
    expect(world.audit.lines.map(({ event, filename }) => [event, filename])).toEqual([
      ['uncertain', 'a.txt'],
    ]);
  });

  test('can still be resolved by a person', async () => {
    const { world, run } = await meet({ status: 429 });
    const { id } = world.row('a.txt');
    await expect(run.call('queue.confirm', { ids: [id] })).rejects.toMatchObject({ code: 'uncertain' });
    await run.call('queue.resolve', { id, choice: 'again' });
    await world.until('a.txt', 'uploaded');
    expect(world.service.stored).toHaveLength(1);
  });

  test('reports a pause of the queue as the reason while it lasts', async () => {
    const { run } = await meet({ status: 429 });
    await run.call('queue.pause', { untilMs: null });
    const why = await run.call('file.why', { path: '/tray/a.txt' });
    expect(why.sentence).toBe('Waiting: the queue is paused.');
  });
});

test('a lost answer holds a file as before', async () => {
  const { world, run } = await begin();
  await share(world, 'first.txt');
  world.service.faults.push({ code: 'unusable-answer', status: 503, afterTail: true });
  await world.put('a.txt', 'the content', 'uncertain');
  expect((await run.call('app.status', {})).counts).toMatchObject({ waiting: 0, held: 1 });
});
