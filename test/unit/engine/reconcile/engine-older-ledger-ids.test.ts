// An older copy of the ledger, and a service that gives the ids of deleted files again.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { FakeService } from '../../../support/fake-service.ts';
import { begin } from '../../../support/fake-world.ts';
import { forgotten, minuteMs, settledWithin, stopped } from '../../../support/older-ledger.ts';

describe('a file that was uploaded since, and got the id of a deleted file of ours', () => {
  const given: [string, Partial<FakeService>][] = [
    ['with links', {}],
    ['without links', { without: ['public_link'] }],
  ];
  test.each(given)('is found in a list %s', async (_, knobs) => {
    const world = await stopped();
    Object.assign(world.service, { ids: 'again', ...knobs });
    for (const file of world.service.stored) file.deleted = true;
    forgotten(world, 'a.txt', 'uploaded again');
    await settledWithin(world, 15 * minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.row('first.txt').idTakenAtMs).not.toBeNull();
    expect(world.service.count('upload')).toBe(1);
  });

  test('does not end the reading of a list: older entries may be unknown, too', async () => {
    const world = await stopped();
    Object.assign(world.service, { pageSize: 20 });
    for (let i = 0; i < 30; i += 1) {
      await world.clock.advance(minuteMs);
      forgotten(world, `lost-${i}.txt`, `uploaded in the lost hour, ${i}`);
    }
    await world.clock.advance(minuteMs);
    const [first] = world.service.stored;
    if (first === undefined) throw new Error('Nothing is stored.');
    first.deleted = true;
    world.service.addForeign('other.txt', 'of another device').fileId = first.fileId;
    await settledWithin(world, 15 * minuteMs);
    for (let i = 0; i < 30; i += 1) expect(world.row(`lost-${i}.txt`).state.kind).toBe('uploaded');
    expect(world.service.count('upload')).toBe(1);
  });

  test.each([
    ['its name', ['public_link'], 0],
    ['no name, but its link if it is asked', ['public_link', 'filename'], 1],
  ] as const)('is sent if that id still shows %s', async (_, without, questions) => {
    const world = await stopped();
    world.service.without = [...without];
    world.disk.write('/tray/a.txt', 'the other file');
    await settledWithin(world, 15 * minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.service.count('upload')).toBe(2);
    expect(world.service.count('info')).toBe(questions);
  });

  test('is held if that id cannot be asked', async () => {
    const world = await stopped();
    Object.assign(world.service, { ids: 'again', without: ['public_link'] });
    for (const file of world.service.stored) file.deleted = true;
    forgotten(world, 'a.txt', 'uploaded again');
    world.service.api.info = () => Promise.reject(new AppError('not-found', 'No.', '', { status: 404 }));
    await settledWithin(world, 60 * minuteMs);
    expect(world.row('a.txt').state).toMatchObject({ kind: 'held', reason: 'maybe-uploaded' });
    expect(world.service.count('upload')).toBe(1);
  });
});

test('questions for ids have one budget for all files and tries; without it, ids rule entries out', async () => {
  const { world } = await begin({ settings: { requestsPerDay: 200 } });
  world.service.without = ['public_link', 'filename'];
  for (let n = 10; n < 40; n += 1) {
    await world.put(`own-${n}.txt`, `own ${n}`, 'uploaded', 30 * minuteMs);
    await world.clock.advance(10_000);
  }
  await world.running().stop();
  await world.clock.advance(26 * 60 * minuteMs);
  for (let n = 10; n < 13; n += 1) world.disk.write(`/tray/new-${n}.txt`, `new ${n}`);
  await settledWithin(world, 60 * minuteMs);
  for (let n = 10; n < 13; n += 1) expect(world.row(`new-${n}.txt`).state.kind).toBe('uploaded');
  expect(world.service.count('info')).toBe(20);
});
