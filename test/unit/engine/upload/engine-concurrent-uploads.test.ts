// How many uploads are under way at once, as the ledger records it.
import { describe, expect, test } from 'vitest';
import { begin, hourMs, minuteMs, started, type Running, type World } from '../../../support/fake-world.ts';

const many = 40;

const mostAtOnce = async (concurrentUploads: number): Promise<number> => {
  const { world, run } = await started({
    settings: { concurrentUploads, requestsPerMinute: 1e9, requestsPerDay: 1e9, burstFiles: 1000 },
  });
  await run.call('queue.pause', { untilMs: null });
  for (let n = 1; n <= many; n += 1) world.disk.write(`/tray/file${n}.txt`, 'x'.repeat(n));
  await world.clock.advance(minuteMs);
  const inState = (...kinds: string[]): number =>
    world.rows().filter(({ state }) => kinds.includes(state.kind)).length;
  expect(inState('ready')).toBe(many);
  let most = 0;
  await run.call('queue.resume', {});
  await world.clock.runUntil(() => {
    most = Math.max(most, inState('sending', 'committing'));
    return inState('uploaded') === many;
  }, minuteMs);
  expect(world.service.stored).toHaveLength(many);
  return most;
};

test('the ledger never has more uploads under way than the settings allow', async () => {
  expect(await mostAtOnce(1)).toBe(1);
  expect(await mostAtOnce(4)).toBe(4);
});

describe('a small file does not wait behind large ones: the last slot is for small files', () => {
  const large = Array.from({ length: 6 }, (_, at) => `large${at + 1}.bin`);
  const sizeOf = (at: number): number => 17 * 1024 * 1024 + at;
  type Begun = { world: World; run: Running };
  const top = ({ world, run }: Begun): Promise<unknown> =>
    run.call('queue.toTop', { ids: large.map((name) => world.row(name).id) });
  test.each<[string, number, (begun: Begun) => unknown]>([
    ['in the order of arrival', 4, () => undefined],
    ['with two slots', 2, () => undefined],
    ['the newest first', 4, ({ run }) => run.call('queue.order', { by: 'newest' })],
    ['the smallest first', 4, ({ run }) => run.call('queue.order', { by: 'smallest' })],
    ['although the large ones were moved to the top', 4, top],
    [
      'although the large ones were given by path',
      4,
      ({ run }) => run.call('files.upload', { paths: large.map((name) => `/tray/${name}`) }),
    ],
    [
      'after a restart',
      4,
      async (begun) => {
        await begun.run.stop();
        begun.run = await begun.world.start();
      },
    ],
  ])('%s', async (_, concurrentUploads, before) => {
    const begun = await started({
      settings: { concurrentUploads, lookInside: false, burstBytes: 1e12 },
    });
    const { world, run } = begun;
    await world.put('first.txt', 'first', 'uploaded');
    await run.call('queue.pause', { untilMs: null });
    for (const [at, name] of large.entries()) world.disk.write(`/tray/${name}`, new Uint8Array(sizeOf(at)));
    await world.clock.advance(minuteMs);
    await before(begun);
    world.service.latencyMs = 30 * minuteMs;
    await begun.run.call('queue.resume', {});
    await world.clock.advance(10_000);
    const sending = (): string[] =>
      world
        .rows()
        .flatMap(({ state, name }) => (['sending', 'committing'].includes(state.kind) ? [name] : []));
    expect(sending()).toHaveLength(concurrentUploads - 1);
    world.disk.write('/tray/small.txt', 'small');
    await world.clock.advance(10_000);
    expect(sending()).toContain('small.txt');
  });

  test('with one slot, large ones go all the same', async () => {
    const { world } = await started({
      settings: { concurrentUploads: 1, lookInside: false, burstBytes: 1e12 },
    });
    for (const [at, name] of large.entries()) world.disk.write(`/tray/${name}`, new Uint8Array(sizeOf(at)));
    await world.clock.runUntil(() => world.service.stored.length === large.length, 10 * minuteMs);
  });
});

test.each(['copied', 'moved to another disk'])(
  'a file that is %s while its upload is uncertain waits under its new name',
  async (how) => {
    const { world } = await begin();
    world.service.faults.push('answer-lost');
    world.service.linksBroken = true;
    await world.put('a.txt', 'the content', 'uncertain');
    world.disk.write('/tray/b.pdf', 'the content');
    if (how !== 'copied') world.disk.remove('/tray/a.txt');
    await world.until('b.pdf', 'ready');
    await world.clock.advance(10_000);
    expect([world.row('a.txt').state.kind, world.row('b.pdf').state.kind]).toEqual(['uncertain', 'ready']);
    world.service.linksBroken = false;
    await world.clock.advance(hourMs);
    expect(world.service.stored).toHaveLength(1);
    expect(world.rows().filter(({ state }) => state.kind === 'uploaded')).toHaveLength(1);
  },
);

test.each([1, 2])(
  'two new files with the same content, %i at a time: the second waits while the first is uncertain, and shares its link',
  async (concurrentUploads) => {
    const { world, run } = await started({ settings: { concurrentUploads } });
    await run.call('queue.pause', { untilMs: null });
    for (const name of ['a.txt', 'b.pdf']) world.disk.write(`/tray/${name}`, 'the content');
    for (const name of ['a.txt', 'b.pdf']) await world.until(name, 'ready');
    world.service.faults.push('answer-lost');
    world.service.linksBroken = true;
    await run.call('queue.resume', {});
    await world.until('a.txt', 'uncertain');
    await world.clock.advance(10_000);
    expect(world.service.stored).toHaveLength(1);
    world.service.linksBroken = false;
    await world.clock.advance(hourMs);
    expect(world.service.stored).toHaveLength(1);
    expect(world.row('b.pdf').state).toMatchObject({ kind: 'skipped', rule: 'already-shared' });
  },
);
