// What the simulation has found, each as the few steps that led to it.
import { expect, test } from 'vitest';
import { createWorld, loseAnswer, minuteMs, share, started } from '../../support/fake-world.ts';

test('a changed copy leaves its original, and its original’s link, as they are', async () => {
  const { world, run } = await started();
  await share(world, 'a.txt', 'the content');
  await world.put('copy.txt', 'the content', 'skipped');
  await share(world, 'copy.txt', 'the copy has changed');
  expect(world.row('a.txt').state.kind).toBe('uploaded');
  world.disk.touch('/tray/a.txt');
  await world.clock.advance(minuteMs);
  expect((await run.call('app.status', {})).counts).toMatchObject({ uploaded: 2, waiting: 0 });
  expect(world.service.stored).toHaveLength(2);
});

test('a touched copy does not take the row of its original', async () => {
  const { world } = await started();
  await share(world, 'a.txt', 'the content');
  await world.put('copy.txt', 'the content', 'skipped');
  world.disk.touch('/tray/copy.txt');
  await world.clock.advance(minuteMs);
  expect(world.row('a.txt')).toMatchObject({ present: true, name: 'a.txt', state: { kind: 'uploaded' } });
  expect(world.row('copy.txt').state).toMatchObject({ kind: 'skipped', rule: 'already-shared' });
});

test('an uploaded file that gets the name of a secret keeps its link when it is confirmed', async () => {
  const { world, run } = await started();
  await share(world, 'a.txt', 'the content');
  world.disk.rename('/tray/a.txt', '/tray/id_rsa');
  const held = await world.until('id_rsa', 'held');
  await run.call('queue.confirm', { ids: [held.id] });
  await world.clock.advance(minuteMs);
  expect(world.service.stored).toHaveLength(1);
  expect(world.ledger.uploads.presentAt(1, '/tray', 'id_rsa')?.state.kind).toBe('uploaded');
});

test.each([
  ['', 0, false],
  [', nor when the wall clock is set forward', 60 * minuteMs, false],
  [', nor when it was set forward before a restart', 60 * minuteMs, true],
])('a file that a slow list does not show yet is not taken for deleted%s', async (_, jumpMs, isAnew) => {
  const world = createWorld();
  let run = await world.start();
  world.service.listLagMs = 5 * minuteMs + jumpMs;
  await share(world, 'a.txt', 'the content');
  await world.clock.advance(1000);
  world.clock.jumpWall(jumpMs);
  if (isAnew) {
    run.life.kill();
    run = await world.start();
  }
  await run.call('files.refresh', {});
  world.disk.touch('/tray/a.txt');
  await world.clock.advance(minuteMs);
  expect(world.service.stored).toHaveLength(1);
});

test('an upload held as uncertain is not sent again because its file has another name', async () => {
  const { world } = await started();
  world.service.linksBroken = true;
  world.service.faults.push('answer-lost');
  await world.put('a.txt', 'the content', 'held', 60 * minuteMs);
  world.disk.rename('/tray/a.txt', '/tray/b.txt');
  await world.clock.advance(10 * minuteMs);
  expect(world.service.stored).toHaveLength(1);
  expect(world.ledger.uploads.presentAt(1, '/tray', 'b.txt')).toMatchObject({
    present: true,
    state: { kind: 'held', reason: 'uncertain' },
  });
});

test('a file of before that changes in steps and is renamed stays unpublished', async () => {
  const world = createWorld();
  world.disk.write('/tray/old.txt', 'old');
  await world.clock.advance(minuteMs);
  await world.start();
  world.disk.append('/tray/old.txt', ' and new');
  await world.clock.advance(5000);
  world.disk.append('/tray/old.txt', ' and newer');
  await world.clock.advance(5000);
  world.disk.rename('/tray/old.txt', '/tray/new.txt');
  await world.clock.advance(minuteMs);
  expect(world.row('new.txt').state).toEqual({ kind: 'held', reason: 'existing-changed' });
  expect(world.service.stored).toHaveLength(0);
});

test('looks stop when the service refuses the key', async () => {
  const { world } = await started();
  await loseAnswer(world, 'a.txt', 'the content');
  world.service.refuse = { code: 'key-refused', status: 401 };
  const before = world.service.requests.length;
  await world.clock.advance(14 * minuteMs);
  expect(world.service.requests.length - before).toBe(1);
  world.service.refuse = null;
  await world.until('a.txt', 'uploaded', 60 * minuteMs);
});

test('uploads that are refused together with 403 ask for the statistics once', async () => {
  const { world } = await started();
  await share(world, 'first.txt', 'first');
  await world.clock.advance(minuteMs);
  world.service.refuse = { code: 'limit', status: 403 };
  const before = world.service.count('stats');
  for (const name of ['a', 'b', 'c', 'd']) world.disk.write(`/tray/${name}.txt`, name.repeat(9));
  await world.clock.advance(5 * minuteMs);
  expect(world.service.count('stats') - before).toBe(1);
});

test('what went up while the disk was full is found again as soon as there is room', async () => {
  const { world, run } = await started();
  await world.put('a.txt', 'the content', 'committing');
  run.life.fillDisk(true);
  await world.clock.advance(minuteMs);
  run.life.fillDisk(false);
  await world.until('a.txt', 'uploaded', 60 * minuteMs);
  expect(world.service.stored).toHaveLength(1);
  expect(world.ledger.permits.outstanding()).toEqual([]);
});

test('a file that waited for an uncertain upload goes on when that one is held', async () => {
  const { world } = await started();
  world.service.linksBroken = true;
  await loseAnswer(world, 'a.txt', 'the content');
  world.disk.make('/tray/sub', 'folder');
  world.disk.write('/tray/sub/a.txt', 'CONTENT the');
  await world.clock.advance(30 * minuteMs);
  expect(world.ledger.uploads.presentAt(1, '/tray', 'a.txt')?.state.kind).toBe('held');
  expect(world.ledger.uploads.presentAt(1, '/tray/sub', 'a.txt')?.state.kind).toBe('uploaded');
});

test('a rename cut in two by a crash does not make a file of before public', async () => {
  const world = createWorld();
  world.disk.write('/tray/old.txt', 'old');
  await world.clock.advance(minuteMs);
  const run = await world.start();
  world.disk.hints(false);
  world.disk.rename('/tray/old.txt', '/tray/new.txt');
  world.disk.hints(true);
  world.disk.hint({ folder: '/tray', name: 'old.txt' });
  await world.clock.advance(1000);
  run.life.kill();
  await world.start();
  await world.clock.advance(minuteMs);
  expect(world.ledger.uploads.presentAt(1, '/tray', 'new.txt')?.state).toMatchObject({ rule: 'existing' });
  expect(world.service.stored).toHaveLength(0);
});

test('a wall clock that jumps forward does not shorten the wait for a slow list', async () => {
  const { world } = await started();
  world.service.listLagMs = 5 * minuteMs;
  await loseAnswer(world, 'a.txt', 'the content');
  await world.clock.advance(45_000);
  world.clock.jumpWall(60 * minuteMs);
  // The service has clocks of its own.
  world.service.listLagMs += 60 * minuteMs;
  await world.clock.advance(4 * minuteMs);
  world.service.listLagMs = 0;
  await world.until('a.txt', 'uploaded', 120 * minuteMs);
  expect(world.service.stored).toHaveLength(1);
});

test.each([
  ['as it was sent', 'a.txt'],
  ['with a number before it', '1001-a.txt'],
  ['in capitals', 'A.TXT'],
])('an answer that names an upload whose own answer was lost is not believed: %s', async (_, filename) => {
  const { world } = await started();
  world.service.linksBroken = true;
  world.service.faults.push('answer-lost', { receipt: { file_id: 1001, filename } });
  await world.put('a.txt', 'first content', 'uncertain');
  await world.put('b.txt', 'another content', 'uncertain');
  world.service.linksBroken = false;
  expect((await world.until('a.txt', 'uploaded', 60 * minuteMs)).fileId).toBe(1001);
  expect((await world.until('b.txt', 'uploaded', 60 * minuteMs)).fileId).toBe(1002);
});

test('an uncertain upload of a file that has a newer version is deleted when it is not wanted', async () => {
  const { world, run } = await started();
  world.service.linksBroken = true;
  world.service.faults.push('answer-lost');
  const { id } = await world.put('a.txt', 'the content', 'held', 60 * minuteMs);
  world.disk.replace('/tray/a.txt', 'a newer content');
  await world.until('a.txt', 'uploaded', minuteMs);
  await run.call('queue.resolve', { id, choice: 'leave' });
  world.service.linksBroken = false;
  await world.clock.advance(60 * minuteMs);
  expect(world.ledger.uploads.byId(id)?.state).toMatchObject({ kind: 'recalled', dead: true });
  expect(world.row('a.txt').state.kind).toBe('uploaded');
});

test('a renamed file keeps its link also when another one has its old name and it is confirmed late', async () => {
  const { world, run } = await started();
  await share(world, 'a.txt', 'the content');
  world.disk.rename('/tray/a.txt', '/tray/id_rsa');
  const held = await world.until('id_rsa', 'held');
  world.disk.write('/tray/a.txt', 'something else');
  await world.clock.advance(minuteMs);
  await run.call('queue.confirm', { ids: [held.id] });
  await world.clock.advance(minuteMs);
  expect(world.service.namesOf()).toEqual(['a.txt', 'a.txt']);
  expect(world.ledger.uploads.presentAt(1, '/tray', 'id_rsa')?.state.kind).toBe('uploaded');
});

test('a renamed file waits for its lost upload also when the queue stands while that one is held', async () => {
  const { world, run } = await started();
  world.service.linksBroken = true;
  const { id } = await loseAnswer(world, 'a.txt', 'the content');
  world.disk.rename('/tray/a.txt', '/tray/b.txt');
  await world.until('b.txt', 'ready', minuteMs);
  run.life.kill();
  world.ledger.uploads.update(id, { state: { kind: 'held', reason: 'uncertain' } }, world.clock.wallMs());
  await world.start();
  await world.clock.advance(10 * minuteMs);
  expect(world.service.stored).toHaveLength(1);
  expect(world.ledger.uploads.presentAt(1, '/tray', 'b.txt')).toMatchObject({ id, state: { kind: 'held' } });
});

test('a full disk does not fall upon whoever tells that watches do not suffice; it is said when there is room', async () => {
  const { world, run } = await started();
  run.life.fillDisk(true);
  world.disk.degrade({ kind: 'degraded', message: 'Too few watches.' });
  await world.clock.advance(minuteMs);
  run.life.fillDisk(false);
  await world.clock.advance(minuteMs);
  expect(run.entries().filter((entry) => entry.body.kind === 'watch-degraded')).toHaveLength(1);
});

test('a look that is refused while the next upload is being prepared lets that one wait as well', async () => {
  const { world, run } = await started();
  await loseAnswer(world, 'a.txt', 'the content');
  world.service.latencyMs = 10_000;
  world.service.refuseLists = { code: 'wrong-address', status: 404 };
  // The list is on its way; the keychain takes longer than its answer.
  await world.clock.advance(31_000);
  const mark = world.keys.mark;
  world.keys.mark = async () => {
    await new Promise<void>((next) => world.clock.after(20_000, next));
    return await mark();
  };
  world.disk.write('/tray/b.txt', 'something else');
  await world.clock.runUntil(() => run.engine.status().gate.kind === 'closed', minuteMs);
  const before = world.service.requests.length;
  world.service.latencyMs = 20;
  await world.clock.advance(10 * minuteMs);
  expect(world.service.requests).toHaveLength(before);
  expect(world.row('b.txt').state.kind).toBe('ready');
  await world.clock.runUntil(() => world.service.stored.length === 2, 10 * minuteMs);
});
