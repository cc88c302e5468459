// The service answers with 403 where one file is asked for in the background, and takes all else.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import {
  hourMs,
  loseAnswer,
  minuteMs,
  share,
  started,
  type Running,
  type World,
} from '../../../support/fake-world.ts';
import { beforeMs, forgotten, stopped } from '../../../support/older-ledger.ts';

/** Requests for files with these names are answered with 403. */
const forbid = (world: World, names: string[]) => {
  const { info } = world.service.api;
  world.service.api.info = (fileId, ...rest) =>
    world.service.stored.some((file) => file.fileId === fileId && names.includes(file.name))
      ? Promise.reject(new AppError('limit', 'No.', '', { status: 403 }))
      : info(fileId, ...rest);
};

const ways: Record<string, () => Promise<{ world: World; run: Running }>> = {
  async 'a link that ends'() {
    const both = await started();
    await share(both.world, 'a.txt', 'content');
    await share(both.world, 'b.txt', 'another');
    forbid(both.world, ['a.txt']);
    await both.run.call('files.expire', {
      files: both.world.service.stored.map(({ fileId }) => ({ fileId })),
      expire: { afterMs: minuteMs },
    });
    return both;
  },
  async 'a lost upload'() {
    const both = await started();
    both.world.service.without = ['public_link'];
    forbid(both.world, ['a.txt']);
    await loseAnswer(both.world, 'a.txt', 'the content');
    return both;
  },
  async 'a file that an older ledger has forgotten'() {
    const world = await stopped();
    world.service.without = ['public_link'];
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    forbid(world, ['a.txt']);
    await world.clock.advance(beforeMs);
    return { world, run: await world.start() };
  },
  async 'the size of a file that an older ledger has forgotten'() {
    const world = await stopped();
    world.service.without = ['size'];
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    forbid(world, ['a.txt']);
    await world.clock.advance(beforeMs);
    return { world, run: await world.start() };
  },
  async 'a file that the list lacks'() {
    const both = await started();
    await share(both.world, 'a.txt', 'content');
    await both.world.clock.advance(hourMs);
    forbid(both.world, ['a.txt']);
    both.world.service.listLagMs = 24 * hourMs;
    await both.run.call('files.refresh', {});
    return both;
  },
};

test.each(Object.keys(ways))('a 403 to %s closes nothing for other files', async (way) => {
  const begun = await ways[way]?.();
  if (begun === undefined) throw new Error('There is no such way.');
  const { world, run } = begun;
  await world.clock.advance(2 * minuteMs);
  world.service.listLagMs = 0;
  await share(world, 'new.txt', 'of another file');
  // A lost answer closes the queue for a moment.
  expect(
    run.entries().flatMap(({ body }) => (body.kind === 'queue-closed' ? [body.reason] : [])),
  ).not.toContain('plan');
  expect(run.engine.status().gate).toEqual({ kind: 'open' });
});

test('a link whose file may not be asked for is said to be refused, and tried again as rarely as a refused DELETE', async () => {
  const { world, run } = await started();
  const fileId = await share(world, 'a.txt', 'content');
  await share(world, 'b.txt', 'another');
  const { info } = world.service.api;
  forbid(world, ['a.txt']);
  await run.call('files.expire', {
    files: world.service.stored.map((file) => ({ fileId: file.fileId })),
    expire: { afterMs: minuteMs },
  });
  await world.clock.advance(24 * hourMs);
  expect(world.service.namesOf()).toEqual(['a.txt']);
  expect(world.ledger.uploads.byFileId(fileId)?.state).toMatchObject({
    kind: 'recalling',
    refusal: 'No.',
    tries: 6,
  });
  world.service.api.info = info;
  await world.clock.advance(25 * hourMs);
  expect(world.service.namesOf()).toEqual([]);
});

test('of many links that end together, whose files may not be asked for, one request tells that the plan is good', async () => {
  const { world, run } = await started();
  const names = Array.from({ length: 8 }, (_, at) => `${at}.txt`);
  for (const name of names) await share(world, name, `content of ${name}`);
  forbid(world, names.slice(1));
  await run.call('files.expire', {
    files: world.service.stored.map(({ fileId }) => ({ fileId })),
    expire: { afterMs: hourMs },
  });
  await world.clock.advance(hourMs - minuteMs);
  const stats = world.service.count('stats');
  await world.clock.advance(2 * minuteMs);
  expect(world.service.namesOf()).toEqual(names.slice(1));
  for (const name of names.slice(1)) expect(world.row(name).state).toMatchObject({ refusal: 'No.' });
  expect(world.service.count('stats') - stats).toBe(1);
});
