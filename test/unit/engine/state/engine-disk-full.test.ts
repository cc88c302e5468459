// The ledger cannot be written: the disk is full. Nothing counts that is not on disk.
import { expect, test } from 'vitest';
import { createWorld, started, type Running } from '../../../support/fake-world.ts';

test('a ledger that cannot be written stops the queue but not the program', async () => {
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

test('a file that was uploaded while the disk was full is found at the next start, and not sent twice', async () => {
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

test('work continues within seconds after there is room, and nothing is sent twice', async () => {
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

test('a full disk is reported to listeners with the reason disk, and its end as well', async () => {
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

test('why reports the error of the disk, for known and unknown files', async () => {
  const { world, run } = await started();
  run.life.fillDisk(true);
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(5_000);
  expect((await run.call('file.why', { path: '/tray/a.txt' })).sentence).toBe(
    'Waiting: The disk is full. Free space.',
  );
});

test('a missing data folder is not temporary: nothing is tried again', async () => {
  const { world, run } = await started();
  run.life.loseFolder();
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(10_000);
  expect(run.engine.fatal()).toMatchObject({ code: 'ledger', storage: 'gone' });
  await world.clock.advance(3_600_000);
  expect(world.service.stored).toHaveLength(0);
});

test('files that arrive while the disk is full are found as soon as it has room', async () => {
  const { world, run } = await started();
  run.life.fillDisk(true);
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(60_000);
  run.life.fillDisk(false);
  await world.until('a.txt', 'uploaded', 60_000);
});

test('a first scan that meets a full disk is repeated, so that the start comes to an end', async () => {
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

test('an order that cannot be recorded is refused, and the status still shows the earlier one', async () => {
  const { run } = await started();
  run.life.fillDisk(true);
  await expect(run.call('queue.order', { by: 'smallest' })).rejects.toMatchObject({ code: 'disk' });
  expect((await run.call('app.status', {})).order).toBe('arrival');
  run.life.fillDisk(false);
  expect(await run.call('queue.order', { by: 'smallest' })).toMatchObject({ order: 'smallest' });
});

test('a full disk during a probe is not taken for a failure of the service: the queue continues within seconds', async () => {
  const { world, run } = await started();
  world.service.gatewayDown = 502;
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(20 * 60_000);
  world.disk.write('/tray/b.txt', 'other');
  await world.clock.advance(2_000);
  run.life.fillDisk(true);
  // The next probe, five minutes later, finds no room for its permit.
  await world.clock.advance(6 * 60_000);
  world.service.gatewayDown = null;
  run.life.fillDisk(false);
  await world.until('b.txt', 'uploaded', 10_000);
});

test('a refusal that cannot be recorded is respected: the queue probes again only after its interval', async () => {
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

test.each<[string, (run: Running) => void]>([
  ['waking up', (run) => run.engine.resumed()],
  ['a nudge of another process', (run) => run.engine.nudge()],
])('%s does not end the program while the gate cannot be recorded, and is made up for', async (_, act) => {
  const { world, run } = await started();
  world.service.refuse = { code: 'offline' };
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.runUntil(() => run.engine.status().gate.kind === 'closed', 600_000);
  await world.clock.advance(3_600_000);
  run.life.fillDisk(true);
  world.service.refuse = null;
  expect(() => act(run)).not.toThrow();
  await world.clock.advance(1000);
  expect(run.engine.trouble()).toMatchObject({ storage: 'full' });
  run.life.fillDisk(false);
  await world.until('a.txt', 'uploaded', 60_000);
});
