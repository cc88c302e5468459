// A row that is due for a check may have changed before its turn comes: a command, the queue or another
// process was faster.
import { expect, test } from 'vitest';
import { loseAnswer, minuteMs, share, started } from '../../support/fake-world.ts';

test('an upload that becomes uncertain while a larger file is compared is not sent a second time', async () => {
  const { world, run } = await started();
  await share(world, 'first.txt', 'same size');

  // Their size is known, so their content is read: that takes long, and keeps the discovery busy.
  const { open } = world.disk.files;
  world.disk.files.open = async (path, root) => {
    if (path.includes('slow')) await new Promise<void>((next) => world.clock.after(5000, next));
    return await open(path, root);
  };
  world.service.faults.push('answer-lost');
  world.disk.write('/tray/slow1.txt', 'size same');
  world.disk.write('/tray/a.txt', 'the content');
  world.disk.write('/tray/slow2.txt', 'zise same');
  await world.clock.advance(1000);
  // A command wakes everybody while all of them settle.
  run.engine.nudge();
  await world.until('a.txt', 'uncertain');
  await world.clock.advance(20_000);
  expect(world.row('a.txt').state.kind).toBe('uncertain');
  await world.until('a.txt', 'uploaded', 2 * minuteMs);
  expect(world.service.namesOf().filter((name) => name === 'a.txt')).toHaveLength(1);
});

test('a file that is cancelled while others are being checked is not uploaded', async () => {
  const { world, run } = await started();
  const { look } = world.disk.files;
  world.disk.hideWriters('untold');
  world.disk.write('/tray/a.txt', 'one');
  await world.put('b.txt', 'another', 'settling');
  world.disk.files.look = async (path) => {
    await new Promise<void>((next) => world.clock.after(50, next));
    return await look(path);
  };
  run.engine.nudge();
  await world.clock.advance(60);
  await run.call('queue.cancel', { ids: [world.row('b.txt').id] });
  await world.clock.advance(minuteMs);
  expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  expect(world.service.namesOf()).toEqual(['a.txt']);
});

test('a decision about an uncertain upload stands when the lookup under way fails', async () => {
  const { world, run } = await started();
  const { id } = await loseAnswer(world, 'a.txt', 'the content');
  world.service.refuseLists = { code: 'unusable-answer', status: 502 };
  world.service.latencyMs = 5000;
  await world.clock.advance(31_000);
  await run.call('queue.resolve', { id, choice: 'leave' });
  await world.clock.advance(5 * minuteMs);
  expect(world.row('a.txt').state).toMatchObject({ kind: 'uncertain', isUnwanted: true });
  world.service.refuseLists = null;
  await world.clock.advance(20 * minuteMs);
  expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'recalled' });
});
