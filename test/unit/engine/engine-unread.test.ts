// Stored facts that cannot be read: nothing that they held back is sent, and a person can continue.
import { expect, test } from 'vitest';
import { begin, createWorld, minuteMs, share } from '../../support/fake-world.ts';

test('the queue stays paused when the end of its pause cannot be read, says so, and continues when it is resumed', async () => {
  const world = createWorld();
  world.ledger.facts.set('pause', { untilMs: null, isUnread: true }, 0);
  const run = await world.start();
  await world.put('a.txt', 'a', 'ready');
  await world.clock.advance(60 * minuteMs);
  expect(world.service.stored).toEqual([]);
  expect(run.engine.status()).toMatchObject({ paused: true, pausedUntilMs: null, pauseIsUnread: true });
  await run.call('queue.resume', {});
  await world.until('a.txt', 'uploaded');
  expect(run.engine.status()).not.toHaveProperty('pauseIsUnread');
});

test('all files that a person left out are read when it cannot be read which of them are due', async () => {
  const { world, run } = await begin();
  await run.call('queue.pause', { untilMs: null });
  const { id } = await world.put('a.txt', 'private', 'ready');
  world.ledger.uploads.update(id, { state: { kind: 'skipped', rule: 'cancelled' }, sha256: null }, 0);
  world.ledger.facts.set('left-out-unread', 'all', 0);
  run.engine.nudge();
  await world.clock.advance(minuteMs);
  expect(world.row('a.txt').sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(world.ledger.facts.get('left-out-unread')).toBeNull();
});

test('the list of files that are still to be read is not written for each of many', async () => {
  const { world, run } = await begin({ settings: { burstFiles: 1000, lookInside: false } });
  await run.call('queue.pause', { untilMs: null });
  const names = Array.from({ length: 200 }, (_, at) => `${at}.txt`);
  for (const name of names) world.disk.write(`/tray/${name}`, `content of ${name}`);
  await world.clock.advance(minuteMs);
  const ids = names.map((name) => world.row(name).id);
  expect(world.row('7.txt')).toMatchObject({ state: { kind: 'ready' }, sha256: null });
  const { set } = world.ledger.facts;
  let written = 0;
  world.ledger.facts.set = (name, ...given) => {
    if (name === 'left-out-unread') written += 1;
    set(name, ...given);
  };
  await run.call('queue.cancel', { ids });
  await world.clock.advance(minuteMs);
  expect(names.filter((name) => world.row(name).sha256 === null)).toEqual([]);
  expect(world.ledger.facts.get('left-out-unread')).toBeNull();
  expect(written).toBeLessThan(10);
});

test('the audit file gets all entries again when its position cannot be read', async () => {
  const { world } = await begin({ settings: { auditFile: '/audit.jsonl' } });
  await share(world, 'a.txt');
  await world.clock.advance(1);
  world.ledger.facts.set('audit', { ledger: '', seq: 0 }, 0);
  await share(world, 'b.txt');
  await world.clock.advance(1);
  expect(world.audit.lines.map(({ filename }) => filename)).toEqual(['a.txt', 'a.txt', 'b.txt']);
  expect(world.ledger.facts.get('audit')?.value.ledger).toMatch(/^[0-9a-f]{16}$/);
});
