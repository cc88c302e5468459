// Folders on drives that other machines write to, and disks that are mounted in a folder: no event reports either.
import { describe, expect, test } from 'vitest';
import { begin, hourMs, minuteMs, type World } from '../../../support/fake-world.ts';

const seconds = 1000;
const onShared = (world: World): void => world.disk.kind({ isShared: true });

/** Written by another machine: the watch reports nothing. */
const writeElsewhere = (world: World, path: string): void => {
  world.disk.hints(false);
  world.disk.write(path, 'written by another machine');
  world.disk.hints(true);
};

const scansIn = async (world: World, ms: number): Promise<number> => {
  const before = world.disk.listed.length;
  await world.clock.advance(ms);
  return world.disk.listed.slice(before).filter((folder) => folder === '/tray').length;
};

/** As on a slow drive. */
const listIn = (world: World, ms: number): void => {
  const { files } = world.disk;
  const list = files.list.bind(files);
  files.list = async (...asked) => {
    await new Promise<void>((done) => {
      world.clock.after(ms, done);
    });
    return list(...asked);
  };
};

describe('a folder on a drive that other machines write to', () => {
  test('is scanned every minute, though its watch works', async () => {
    const { world, run } = await begin({}, onShared);
    expect(run.engine.status().watch).toBe('live');
    expect(await scansIn(world, 10 * minuteMs)).toBe(10);
    writeElsewhere(world, '/tray/new.txt');
    await world.until('new.txt', 'uploaded', 65 * seconds);
  });

  test.each([
    ['five hours behind', (nowMs: number) => nowMs - 5 * hourMs],
    ['five hours ahead', (nowMs: number) => nowMs + 5 * hourMs],
    ['at the year 1970', () => 0],
    ['at the end of its numbers', () => 4_294_967_295_000],
  ])('whose server has a clock %s has its files uploaded', async (_, mtimeOf) => {
    const { world } = await begin({}, (one) => one.disk.kind({ isShared: true, tellsBirth: false }));
    writeElsewhere(world, '/tray/new.txt');
    world.disk.hints(false);
    world.disk.age('/tray/new.txt', mtimeOf(world.clock.wallMs()));
    world.disk.hints(true);
    await world.until('new.txt', 'uploaded', 5 * minuteMs);
  });

  test('is scanned less often if a scan takes long', async () => {
    const { world, run } = await begin({}, onShared);
    listIn(world, 9 * seconds);
    await world.clock.advance(10 * minuteMs);
    expect(await scansIn(world, 51 * minuteMs)).toBe(10);
    expect(run.engine.status().folders).toMatchObject([{ folder: '/tray', scanMinutes: 5 }]);
  });

  test('is reported by status and by the list of folders, in other processes too', async () => {
    const { world, run } = await begin({}, onShared);
    const guest = world.make('guest:1');
    for (const each of [run, guest]) {
      expect(each.engine.status().folders).toMatchObject([{ folder: '/tray', scanMinutes: 1 }]);
      expect(await each.call('folders.list', {})).toMatchObject([{ folder: '/tray', scanMinutes: 1 }]);
    }
    world.disk.kind({ isShared: false });
    world.disk.mounts('a local one');
    await world.clock.advance(10 * seconds);
    expect(guest.engine.status().folders[0]).not.toHaveProperty('scanMinutes');
    expect(await scansIn(world, 30 * minuteMs)).toBe(0);
  });
});

test('a folder on another drive is not reported, and is not scanned every minute', async () => {
  const { world, run } = await begin();
  expect(run.engine.status().folders[0]).not.toHaveProperty('scanMinutes');
  expect(await scansIn(world, 30 * minuteMs)).toBe(0);
});

describe('a disk that is mounted in a folder', () => {
  test('is noticed within ten seconds, and its files are found and watched', async () => {
    const { world } = await begin({}, (one) => {
      one.disk.make('/tray/stick', 'folder');
      one.disk.mounts('none');
    });
    writeElsewhere(world, '/tray/stick/photo.txt');
    world.disk.mounts('stick');
    await world.until('photo.txt', 'uploaded', 10 * seconds);
    expect(world.disk.watched).toHaveLength(2);
    expect(world.disk.watches()).toBe(1);
  });

  test('is noticed when it is unmounted', async () => {
    const { world } = await begin({}, (one) => {
      one.disk.mounts('stick');
    });
    await world.put('stick/photo.txt', 'content', 'uploaded');
    world.disk.hints(false);
    world.disk.remove('/tray/stick/photo.txt');
    world.disk.mounts('none');
    await world.clock.advance(10 * seconds);
    expect(world.row('photo.txt').present).toBe(false);
  });

  test('does not restart a watch that is still starting and finds no watches left', async () => {
    const { world, run } = await begin({}, (one) => {
      one.disk.mounts('stick');
      const { watch } = one.disk;
      const start = watch.start.bind(watch);
      watch.start = async (options) => {
        options.health({ kind: 'degraded', message: 'None left.' });
        await new Promise<void>((done) => {
          one.clock.after(1000, done);
        });
        options.signal.throwIfAborted();
        return start(options);
      };
    });
    expect(run.engine.status().watch).toBe('degraded');
    expect(world.disk.watched).toHaveLength(1);
  });

  test('costs no scan while nothing is mounted', async () => {
    const { world } = await begin({}, (one) => one.disk.mounts('stick'));
    expect(await scansIn(world, 30 * minuteMs)).toBe(0);
  });
});
