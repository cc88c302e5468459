// A firewall before the service refuses one file by its name or content, with a page of its own.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { createRefusals } from '../../../../src-main/engine/account/refusals.ts';
import { hourMs, minuteMs, started } from '../../../support/fake-world.ts';

const blocking = async (isBlocked: (name: string) => boolean) => {
  const { world, run } = await started();
  const { upload } = world.service.api;
  world.service.api.upload = async (request) => {
    if (!isBlocked(request.sentName)) return await upload(request);
    world.service.requests.push({ kind: 'upload', atMs: world.clock.monoMs(), ok: false });
    throw new AppError('blocked', 'Something before the service refused this file.', 'Rename the file.', {
      status: 403,
    });
  };
  return { world, run, upload };
};

test('one file that a firewall refuses fails alone, and the others go on', async () => {
  const { world } = await blocking((name) => name.includes("O'Brien"));
  world.disk.write("/tray/O'Brien.txt", 'x');
  for (let n = 1; n <= 5; n += 1) world.disk.write(`/tray/file${n}.txt`, 'y'.repeat(n));
  await world.clock.runUntil(() => world.service.stored.length === 5, 2 * minuteMs);
  const row = await world.until("O'Brien.txt", 'failed', 5 * minuteMs);
  expect(row.state).toMatchObject({ code: 'blocked', remedy: 'Rename the file.' });
});

test('a file that is refused alone fails, and a later one goes', async () => {
  const { world } = await blocking((name) => name.includes('select'));
  world.disk.write('/tray/select 1 from users.txt', 'x');
  await world.until('select 1 from users.txt', 'failed', 5 * minuteMs);
  world.disk.write('/tray/other.txt', 'y');
  await world.until('other.txt', 'uploaded', 5 * minuteMs);
});

test('a firewall that refuses all uploads closes the queue, and no more than two files fail', async () => {
  const { world, run, upload } = await blocking(() => true);
  for (let n = 1; n <= 10; n += 1) world.disk.write(`/tray/file${n}.txt`, 'y'.repeat(n));
  await world.clock.runUntil(() => {
    const { gate } = run.engine.status();
    return gate.kind === 'closed' && gate.reason === 'limit';
  }, 10 * minuteMs);
  const before = world.service.count('upload');
  await world.clock.advance(24 * hourMs);
  expect(world.service.count('upload') - before).toBeLessThan(40);
  expect(run.engine.status().counts.failed).toBeLessThanOrEqual(2);
  world.service.api.upload = upload;
  await world.clock.runUntil(() => world.service.stored.length >= 8, 7 * hourMs);
});

test('a refusal is about one file once another one passed, and about all when three are refused in a row', () => {
  const refusals = createRefusals();
  expect(refusals.refused(1)).toBe('not-known');
  refusals.passed(2);
  expect(refusals.refused(1)).toBe('this-file');
  refusals.passed(3);
  expect([4, 5, 6].map((id) => refusals.refused(id))).toEqual(['not-known', 'not-known', 'all']);
});
