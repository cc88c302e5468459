// An older copy of the ledger, and a service that gives the ids of deleted files again.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { FakeService } from '../../../support/fake-service.ts';
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

  test('is sent if that id still shows the link of our file', async () => {
    const world = await stopped();
    world.service.without = ['public_link'];
    world.disk.write('/tray/a.txt', 'the other file');
    await settledWithin(world, 15 * minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.service.count('upload')).toBe(2);
    expect(world.service.count('info')).toBe(1);
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
