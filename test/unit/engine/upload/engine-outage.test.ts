// The service fails: a buffering proxy accepts whole files and answers 502, an answer takes very long, or never
// comes. What may be sent again, and when: design/upload-protocol.md.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { isDeep } from '../../../support/deep.ts';
import { createWorld, hourMs, minuteMs, started, type World } from '../../../support/fake-world.ts';

const put = (world: World, count: number, from = 1): void => {
  for (let n = from; n < from + count; n += 1) world.disk.write(`/tray/file${n}.txt`, 'x'.repeat(n));
};
const stored = (world: World): string[] => world.service.stored.map((file) => file.name).toSorted();

/** Uploads have succeeded until now; then the service fails behind its proxy, and files arrive. */
const goDown = async (count: number, seed = 1): Promise<World> => {
  const { world } = await started({ seed });
  put(world, 1);
  await world.until('file1.txt', 'uploaded');
  await world.clock.advance(minuteMs);
  world.service.gatewayDown = 502;
  world.service.requests.length = 0;
  put(world, count, 2);
  return world;
};

const seeds = isDeep ? [1, 2, 3, 4, 5] : [1];

describe('an outage behind a proxy that buffers', () => {
  test.each(seeds)(
    'of a minute: at most six uploads begin, and all are stored once within two minutes after it (seed %i)',
    async (seed) => {
      const world = await goDown(40, seed);
      await world.clock.advance(minuteMs);
      expect(world.service.count('upload')).toBeLessThanOrEqual(6);
      expect(stored(world)).toHaveLength(1);
      world.service.gatewayDown = null;
      await world.clock.runUntil(() => world.ledger.uploads.countInState('uploaded') === 41, 2 * minuteMs);
      expect(new Set(stored(world)).size).toBe(41);
      expect(stored(world)).toHaveLength(41);
    },
  );

  test.each(seeds)('of an hour costs at most 30 requests (seed %i)', async (seed) => {
    const world = await goDown(150, seed);
    await world.clock.advance(hourMs);
    expect(world.service.requests.length).toBeLessThanOrEqual(30);
    expect(world.service.requests.length).toBeGreaterThan(10);
  });

  test('is reported with the time of each next probe', async () => {
    const world = await goDown(3);
    await world.clock.advance(3000);
    const run = world.running();
    const closings = run.entries().flatMap(({ body }) => (body.kind === 'queue-closed' ? [body] : []));
    expect(closings[0]).toMatchObject({ reason: 'service' });
    expect(closings.length).toBeGreaterThan(1);
    expect(run.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'service' });
    await world.clock.advance(minuteMs);
    const { gate } = run.engine.status();
    expect(gate.kind === 'closed' ? (gate.untilMs ?? 0) : 0).toBeGreaterThan(world.clock.wallMs());
  });

  test('that lasts since the start begins no upload at all', async () => {
    const { world } = await started();
    world.service.gatewayDown = 503;
    put(world, 10);
    await world.clock.advance(minuteMs);
    expect(world.service.count('upload')).toBe(0);
    world.service.gatewayDown = null;
    await world.clock.runUntil(() => world.ledger.uploads.countInState('uploaded') === 10, minuteMs);
  });

  test('ends even if only the statistics still fail', async () => {
    const world = await goDown(3);
    await world.clock.advance(minuteMs);
    world.service.gatewayDown = null;
    world.service.api.stats = () => Promise.reject(new Error('out of order'));
    await world.clock.runUntil(() => world.ledger.uploads.countInState('uploaded') === 4, 20 * minuteMs);
  });

  test('ends within 20 minutes for uploads even if statistics and list still fail', async () => {
    const { world } = await started();
    const refusal = { code: 'unusable-answer' as const, status: 503 };
    world.service.refuse = refusal;
    put(world, 3);
    await world.clock.advance(minuteMs);
    expect(world.service.count('upload')).toBe(0);
    world.service.refuse = null;
    world.service.refuseLists = refusal;
    world.service.api.stats = () => Promise.reject(new AppError('unusable-answer', '503', '', refusal));
    await world.clock.runUntil(() => world.ledger.uploads.countInState('uploaded') === 3, 20 * minuteMs);
    expect(stored(world)).toEqual(['file1.txt', 'file2.txt', 'file3.txt']);
  });

  test('costs at most 30 requests an hour even while the account has to be listed before the first upload', async () => {
    const world = createWorld();
    world.disk.write('/tray/before.txt', 'from before the ledger');
    await world.start();
    const refusal = { code: 'unusable-answer' as const, status: 503 };
    world.service.refuse = refusal;
    put(world, 10);
    world.service.requests.length = 0;
    await world.clock.advance(hourMs);
    expect(world.service.requests.length).toBeGreaterThan(10);
    expect(world.service.requests.length).toBeLessThanOrEqual(30);
  });

  test('causes no second probe at once when the upload that is the probe fails because of its own file', async () => {
    const { world } = await started();
    const refusal = { code: 'unusable-answer' as const, status: 503 };
    world.service.refuse = refusal;
    const triesMs: number[] = [];
    const refused = () => {
      triesMs.push(world.clock.monoMs());
      return Promise.reject(new AppError('unusable-answer', '503', '', refusal));
    };
    let uploads = 0;
    world.service.api.stats = refused;
    world.service.api.list = refused;
    world.service.api.upload = () => {
      uploads += 1;
      triesMs.push(world.clock.monoMs());
      return Promise.reject(new AppError('changed', 'The file changed while it was being sent.'));
    };
    put(world, 3);
    await world.clock.advance(hourMs);
    expect(uploads).toBeGreaterThan(1);
    const pausesMs = triesMs.slice(11).map((atMs, n) => atMs - (triesMs[n + 10] ?? 0));
    expect(Math.min(...pausesMs)).toBeGreaterThan(200_000);
  });

  test('of hours from the start on makes one file uncertain, which is also uploaded later', async () => {
    const { world } = await started();
    world.service.gatewayDown = 502;
    put(world, 10);
    await world.clock.advance((isDeep ? 24 : 3) * hourMs);
    expect(world.service.count('upload')).toBe(1);
    expect(world.ledger.uploads.countInState('uncertain')).toBe(1);
    world.service.gatewayDown = null;
    await world.clock.runUntil(() => world.ledger.uploads.countInState('uploaded') === 10, 30 * minuteMs);
    expect(stored(world)).toHaveLength(10);
  });

  test('leaves uploads waiting for the whole time if the list is slow', async () => {
    const world = await goDown(30);
    world.service.listLagMs = 5 * minuteMs;
    await world.clock.advance(minuteMs);
    world.service.gatewayDown = null;
    await world.clock.advance(10 * minuteMs);
    expect(world.ledger.uploads.countInState('uncertain')).toBeGreaterThan(0);
    await world.clock.runUntil(() => world.ledger.uploads.countInState('uploaded') === 31, 20 * minuteMs);
    expect(stored(world)).toHaveLength(31);
  });

  test('leaves uploads waiting for the whole time if nothing else proves the list to be prompt', async () => {
    const world = await goDown(3);
    await world.clock.advance(minuteMs);
    world.service.gatewayDown = null;
    await world.clock.advance(10 * minuteMs);
    expect(world.ledger.uploads.countInState('uncertain')).toBe(3);
    await world.clock.runUntil(() => world.ledger.uploads.countInState('uploaded') === 4, 10 * minuteMs);
  });
});

describe('a service that accepts whole uploads and never answers them', () => {
  test('receives a file at most four times a day; then the file is held until a person sends it again', async () => {
    const { world, run } = await started();
    world.service.faults.push(...Array.from({ length: 20 }, () => 'tail-lost' as const));
    put(world, 1);
    const row = await world.until('file1.txt', 'held', 24 * hourMs);
    expect(row.state).toEqual({ kind: 'held', reason: 'unanswered' });
    expect(world.service.count('upload')).toBe(4);
    await world.clock.advance(24 * hourMs);
    expect(world.service.count('upload')).toBe(4);
    world.service.faults.length = 0;
    await run.call('queue.confirm', { ids: [row.id] });
    await world.until('file1.txt', 'uploaded');
    expect(stored(world)).toHaveLength(1);
  });

  test('meanwhile receives at most one other file for each probe', async () => {
    const { world } = await started();
    world.service.faults.push(...Array.from({ length: 200 }, () => 'tail-lost' as const));
    put(world, 100);
    await world.clock.advance(hourMs);
    expect(world.service.count('upload')).toBeLessThanOrEqual(30);
  });
});

describe('an answer after the tail', () => {
  test.each<[number, 'refused' | 'rate' | 'interrupted' | 'unusable-answer']>([
    [400, 'refused'],
    [429, 'rate'],
    [408, 'interrupted'],
    [502, 'unusable-answer'],
  ])('%i proves nothing: a file that a proxy had forwarded before is found', async (status, code) => {
    const { world } = await started();
    world.service.faults.push({ code, status, afterTail: true, created: true });
    put(world, 1);
    await world.until('file1.txt', 'uncertain');
    await world.until('file1.txt', 'uploaded', 20 * minuteMs);
    expect(stored(world)).toEqual(['file1.txt']);
    expect(world.service.count('upload')).toBe(1);
  });

  test('400 fails the file when the service proves not to have it', async () => {
    const { world } = await started();
    world.service.faults.push({ code: 'refused', status: 400, afterTail: true });
    put(world, 2);
    await world.until('file2.txt', 'uploaded');
    const row = await world.until('file1.txt', 'failed', 20 * minuteMs);
    expect(row.state).toMatchObject({ code: 'refused' });
    expect(world.service.count('upload')).toBe(2);
  });

  test('413 fails the file at once', async () => {
    const { world } = await started();
    world.service.faults.push({ code: 'too-large', status: 413, afterTail: true });
    put(world, 1);
    await world.until('file1.txt', 'failed', 5000);
  });

  test('that is not trouble of the service delays no other file', async () => {
    const { world, run } = await started();
    world.service.faults.push({ code: 'refused', status: 422, afterTail: true });
    put(world, 1);
    await world.until('file1.txt', 'uncertain');
    expect(run.engine.status().gate).toEqual({ kind: 'open' });
  });
});

test("an upload that waits for its answer does not prevent a probe after another one's failure", async () => {
  const { world } = await started();
  const { upload } = world.service.api;
  world.service.api.upload = async (request) => {
    if (request.sentName === 'file1.txt')
      await new Promise<void>((next) => world.clock.after(20 * minuteMs, next));
    return await upload(request);
  };
  put(world, 1);
  await world.until('file1.txt', 'sending');
  world.service.faults.push('tail-lost');
  put(world, 3, 2);
  await world.clock.runUntil(() => stored(world).length === 2, minuteMs);
});
