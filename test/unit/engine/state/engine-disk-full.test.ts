// The ledger refuses to be written: the disk is full. Nothing may be believed that is not on disk.
import { expect, test } from 'vitest';
import { createWorld, started } from '../../../support/fake-world.ts';

test('a ledger that cannot be written stops the queue and not the program', async () => {
  const { world, run } = await started();
  await world.put('a.txt', 'content', 'committing');
  run.life.fillDisk(true);
  await world.clock.advance(60_000);
  expect(run.engine.status().gate).toMatchObject({
    kind: 'closed',
    reason: 'disk',
    message: 'The disk is full.',
  });
  expect(run.engine.status()).toMatchObject({ storage: 'full', doneAtMs: null });
  expect(world.log.lines.some((line) => line.event === 'outcome not recorded')).toBe(true);
});

test('what went up while the disk was full is found again at the next start, and not sent twice', async () => {
  const { world, run } = await started();
  await world.put('a.txt', 'content', 'committing');
  run.life.fillDisk(true);
  await world.clock.advance(60_000);
  run.life.kill();
  await world.start();
  const row = await world.until('a.txt', 'uploaded', 3_600_000);
  expect(world.service.stored).toHaveLength(1);
  expect(row.fileId).toBe(world.service.stored[0]?.fileId);
});

test('goes on within seconds after there is room, and sends nothing twice', async () => {
  const { world, run } = await started();
  await world.put('a.txt', 'content', 'committing');
  run.life.fillDisk(true);
  world.disk.write('/tray/b.txt', 'other');
  await world.clock.advance(600_000);
  run.life.fillDisk(false);
  await world.until('b.txt', 'uploaded', 10_000);
  await world.until('a.txt', 'uploaded', 3_600_000);
  expect(run.engine.trouble()).toBeNull();
  expect(world.service.stored).toHaveLength(2);
});

test('a full disk is told to listeners as the reason disk, and its end as well', async () => {
  const { world, run } = await started();
  run.life.fillDisk(true);
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(5_000);
  const gates = () => run.changes.flatMap((change) => (change.kind === 'status' ? [change.status.gate] : []));
  expect(gates().at(-1)).toMatchObject({ kind: 'closed', reason: 'disk', remedy: 'Free space.' });
  run.life.fillDisk(false);
  await world.clock.advance(5_000);
  expect(gates().at(-1)).toEqual({ kind: 'open' });
});

test('why says what the disk says, for files that are known and for those that are not', async () => {
  const { world, run } = await started();
  run.life.fillDisk(true);
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(5_000);
  expect((await run.call('file.why', { path: '/tray/a.txt' })).sentence).toBe(
    'Waiting: The disk is full. Free space.',
  );
});

test('a data folder that is gone is no passing trouble: nothing is tried again', async () => {
  const { world, run } = await started();
  run.life.loseFolder();
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(10_000);
  expect(run.engine.fatal()).toMatchObject({ code: 'ledger', storage: 'gone' });
  await world.clock.advance(3_600_000);
  expect(world.service.stored).toHaveLength(0);
});

test('files that came while the disk was full are found as soon as it has room', async () => {
  const { world, run } = await started();
  run.life.fillDisk(true);
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(60_000);
  run.life.fillDisk(false);
  await world.until('a.txt', 'uploaded', 60_000);
});

test('a first scan that met a full disk is made up for, so that the start comes to an end', async () => {
  const world = createWorld();
  world.disk.write('/tray/old.txt', 'old');
  await world.clock.advance(60_000);
  const run = world.make();
  const { list } = world.disk.files;
  world.disk.files.list = async (folder) => {
    run.life.fillDisk(true);
    world.disk.files.list = list;
    return await list(folder);
  };
  const starting = run.engine.start({ folder: '/tray', existing: 'skip' });
  await world.clock.advance(10_000);
  run.life.fillDisk(false);
  await world.during(starting);
  expect(world.row('old.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
});

test('an order that could not be recorded is refused, and the status goes on telling the one that holds', async () => {
  const { run } = await started();
  run.life.fillDisk(true);
  await expect(run.call('queue.order', { by: 'smallest' })).rejects.toMatchObject({ code: 'disk' });
  expect((await run.call('app.status', {})).order).toBe('arrival');
  run.life.fillDisk(false);
  expect(await run.call('queue.order', { by: 'smallest' })).toMatchObject({ order: 'smallest' });
});

test('a disk that fills while the queue tries an outage is not taken for the service: it goes on within seconds', async () => {
  const { world, run } = await started();
  world.service.gatewayDown = 502;
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(20 * 60_000);
  world.disk.write('/tray/b.txt', 'other');
  await world.clock.advance(2_000);
  run.life.fillDisk(true);
  // The next try, five minutes apart, finds no room for its permit.
  await world.clock.advance(6 * 60_000);
  world.service.gatewayDown = null;
  run.life.fillDisk(false);
  await world.until('b.txt', 'uploaded', 10_000);
});

test('a refusal that could not be recorded holds all the same: the queue tries again when its interval is over', async () => {
  const { world, run } = await started();
  const { upload } = world.service.api;
  let uploads = 0;
  world.service.api.upload = async (request) => {
    uploads += 1;
    run.life.fillDisk(true);
    world.service.faults.unshift({ code: 'limit', status: 403 });
    return await upload(request);
  };
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.runUntil(() => uploads === 1, 60_000);
  await world.clock.advance(30_000);
  run.life.fillDisk(false);
  await world.clock.advance(10 * 60_000);
  expect(uploads).toBe(1);
});
