// What the simulation has found about files and folders that a link replaced for a while.
import { expect, test } from 'vitest';
import { createWorld, loseAnswer, minuteMs, share, started } from '../../support/fake-world.ts';

/** A pre-existing file that a link replaces. `back` puts the file there again. */
const oldFileSwapped = async () => {
  const world = createWorld();
  world.disk.write('/tray/old.txt', 'old');
  await world.clock.advance(minuteMs);
  const run = await world.start();
  const back = world.disk.swap('/tray/old.txt', '/elsewhere');
  await world.clock.advance(minuteMs);
  return { world, run, back };
};

test('a file of before that was replaced by a link for a while stays unpublished; confirmed and renamed, it keeps its link', async () => {
  const { world, run, back } = await oldFileSwapped();
  back();
  await world.clock.advance(minuteMs);
  expect(world.row('old.txt').state).toMatchObject({ rule: 'existing' });
  await run.call('queue.confirm', { ids: [world.row('old.txt').id] });
  await world.until('old.txt', 'uploaded', minuteMs);
  world.disk.rename('/tray/old.txt', '/tray/new.txt');
  await world.clock.advance(minuteMs);
  expect(world.row('new.txt').state.kind).not.toBe('failed');
  expect(world.service.stored).toHaveLength(1);
  expect((await run.call('app.status', {})).counts).toMatchObject({ waiting: 0, failed: 0 });
});

test('a file whose answer was lost, and that a link replaced for a while, does not go up beside itself', async () => {
  const { world, run } = await started();
  world.service.linksBroken = true;
  await loseAnswer(world, 'a.txt', 'the content');
  const back = world.disk.swap('/tray/a.txt', '/elsewhere');
  await world.clock.advance(1000);
  back();
  await world.clock.advance(5000);
  run.life.kill();
  await world.start();
  await world.clock.advance(60 * minuteMs);
  expect(world.service.stored).toHaveLength(1);
  expect(world.ledger.uploads.presentAt(1, '/tray', 'a.txt')?.state).toMatchObject({ reason: 'uncertain' });
});

test('a confirmed secret that was away for a while keeps its link, without another question', async () => {
  const { world, run } = await started();
  world.disk.write('/tray/id_rsa', 'the content');
  await run.call('queue.confirm', { ids: [(await world.until('id_rsa', 'held')).id] });
  const { id } = await world.until('id_rsa', 'uploaded');
  const back = world.disk.swap('/tray/id_rsa', '/elsewhere');
  await world.clock.advance(minuteMs);
  world.disk.remove('/tray/id_rsa');
  back();
  await world.clock.advance(minuteMs);
  world.disk.write('/tray/id_rsa', 'the content');
  await world.clock.advance(minuteMs);
  expect(world.service.stored).toHaveLength(1);
  expect(world.ledger.uploads.presentAt(1, '/tray', 'id_rsa')).toMatchObject({
    id,
    state: { kind: 'uploaded' },
  });
});

test('a file of before that comes back after a restart, a link in its place meanwhile, stays unpublished', async () => {
  const { world, run, back } = await oldFileSwapped();
  run.life.kill();
  back();
  await world.start();
  await world.clock.advance(minuteMs);
  expect(world.row('old.txt').state).toMatchObject({ kind: 'skipped', rule: 'existing' });
  expect(world.service.stored).toHaveLength(0);
});

test('a person’s word about a link does not hold for the file that takes its place', async () => {
  const { world, run } = await started();
  await share(world, 'a.txt', 'the content');
  const back = world.disk.swap('/tray/a.txt', '/elsewhere');
  await world.clock.advance(minuteMs);
  const { id } = await world.until('a.txt', 'skipped');
  await expect(run.call('queue.confirm', { ids: [id] })).rejects.toMatchObject({ code: 'bad-use' });
  await expect(run.call('queue.retry', { ids: [id] })).rejects.toMatchObject({ code: 'bad-use' });
  await world.clock.advance(minuteMs);
  back();
  await world.clock.advance(5 * minuteMs);
  expect(world.service.stored).toHaveLength(1);
});
