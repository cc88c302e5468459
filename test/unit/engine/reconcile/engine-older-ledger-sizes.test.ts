// The ledger is an older copy, and the account list has no sizes: each entry that it does not know is asked for.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { World } from '../../../support/fake-world.ts';
import { forgotten, minuteMs, settledWithin, stopped } from '../../../support/older-ledger.ts';

describe('where the list has no sizes', () => {
  /** Files of another device; none has the size of a file here. */
  const fill = (world: World, count: number): void => {
    world.service.without = ['size'];
    for (let i = 0; i < count; i += 1) world.service.addForeign(`other-${i}`, 'x'.repeat(100 + i));
  };

  test('each file of another device costs one request, once, and holds nothing up', async () => {
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

  test('an entry that was deleted meanwhile holds nothing up', async () => {
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
  ] as const)('one answer that an entry of a list %s is not there does not count', async (_, without) => {
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

  test('an entry of a list without links is not gone, however often its id is answered with 404', async () => {
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

  test('nothing is sent while a size cannot be asked for, and none is asked for twice', async () => {
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
  ])('and no other answer has them, a file %s', async (_, count, kind) => {
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

  test('a start asks for as many as a tenth of the day’s requests, the next one for the others', async () => {
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
