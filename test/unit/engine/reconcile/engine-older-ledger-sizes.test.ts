// The ledger is an older copy, and the account list has no sizes: each unknown entry is requested by itself.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { World } from '../../../support/fake-world.ts';
import { forgotten, minuteMs, settledWithin, stopped } from '../../../support/older-ledger.ts';

describe('an account list without sizes', () => {
  /** Files of another device; none has the size of a file here. */
  const fill = (world: World, count: number): void => {
    world.service.without = ['size'];
    for (let i = 0; i < count; i += 1) world.service.addForeign(`other-${i}`, 'x'.repeat(100 + i));
  };

  test('costs one request for each file of another device, once, and delays no upload', async () => {
    const world = await stopped();
    fill(world, 60);
    world.disk.write('/tray/a.txt', 'never uploaded');
    await settledWithin(world, 5 * minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.service.count('info')).toBe(60);
    await world.running().stop();
    await world.clock.advance(60 * minuteMs);
    world.disk.write('/tray/b.txt', 'nor this one');
    await settledWithin(world, 5 * minuteMs);
    expect(world.row('b.txt').state.kind).toBe('uploaded');
    expect(world.service.count('info')).toBe(60);
  });

  test('delays no upload because of an entry that was deleted meanwhile', async () => {
    const world = await stopped();
    fill(world, 3);
    const { info } = world.service.api;
    world.service.api.info = async (fileId, signal) => {
      for (const file of world.service.stored) if (file.fileId === fileId) file.deleted = true;
      return await info(fileId, signal);
    };
    world.disk.write('/tray/a.txt', 'never uploaded');
    await settledWithin(world, minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
  });

  test.each([
    ['with links', ['size']],
    ['without links', ['size', 'public_link']],
  ] as const)('%s is not contradicted by one answer that an entry does not exist', async (_, without) => {
    const world = await stopped();
    world.service.without = [...without];
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    const { info } = world.service.api;
    let asked = 0;
    world.service.api.info = async (fileId, signal) => {
      asked += 1;
      if (asked === 1) throw new AppError('not-found', 'No such file.', '', { status: 404 });
      return await info(fileId, signal);
    };
    await settledWithin(world, 10 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
  });

  test('and without links never counts an entry as gone, however often its id is answered with 404', async () => {
    const world = await stopped();
    world.service.without = ['size', 'public_link'];
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    world.service.api.info = async () => {
      throw new AppError('not-found', 'No such file.', '', { status: 404 });
    };
    await settledWithin(world, 30 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
    expect(world.row('a.txt').state).toMatchObject({ kind: 'held', reason: 'maybe-uploaded' });
  });

  test('delays all uploads while a size cannot be requested, and no size is requested twice', async () => {
    const world = await stopped();
    fill(world, 4);
    forgotten(world, 'a.txt', 'uploaded in the lost hour', 'before.bin');
    const { info } = world.service.api;
    let asked = 0;
    world.service.api.info = async (fileId, signal) => {
      asked += 1;
      if (asked === 3) throw new AppError('interrupted', 'The connection broke.');
      return await info(fileId, signal);
    };
    await settledWithin(world, 10 * minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.service.count('upload')).toBe(1);
    expect(asked).toBe(6);
  });

  test.each<[string, number, 'uploaded' | 'held']>([
    ['goes up when all of them were compared', 8, 'uploaded'],
    ['is held when they are too many to be compared', 60, 'held'],
  ])('without sizes in other answers: a file %s', async (_, count, kind) => {
    const world = await stopped();
    fill(world, count);
    const { info } = world.service.api;
    world.service.api.info = async (fileId, signal) => {
      const { size: _size, ...file } = await info(fileId, signal);
      return file;
    };
    world.disk.write('/tray/a.txt', 'never uploaded');
    await settledWithin(world, 30 * minuteMs);
    expect(world.row('a.txt').state.kind).toBe(kind);
  });

  test('costs at most a tenth of the day’s requests at one start, and the rest at the next one', async () => {
    const world = await stopped({ settings: { requestsPerDay: 100 } });
    fill(world, 15);
    forgotten(world, 'a.txt', 'uploaded in the lost hour', 'before.bin');
    await settledWithin(world, minuteMs);
    const first = world.service.count('info');
    expect(first).toBeGreaterThan(5);
    expect(first).toBeLessThanOrEqual(10);
    await world.running().stop();
    await world.clock.advance(60 * minuteMs);
    world.disk.write('/tray/b.txt', 'never uploaded');
    await settledWithin(world, 30 * minuteMs);
    expect(world.service.count('info')).toBe(16);
  });
});
