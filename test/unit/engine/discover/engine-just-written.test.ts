// Who gives a file says that it is finished: a file just written goes at once where its writers can be seen.
import { describe, expect, test } from 'vitest';
import { begin, createWorld, type Running, type World } from '../../../support/fake-world.ts';

const path = '/else/a.txt';
const give = (run: Running) => run.call('files.upload', { paths: [path] });
const stored = ({ service }: World): string[] => service.stored.map(({ bytes }) => bytes.toString());

/** Milliseconds until it has its link. */
const timeToLink = async (world: World): Promise<number> => {
  const sinceMs = world.clock.monoMs();
  await world.until('a.txt', 'uploaded', 60_000);
  return world.clock.monoMs() - sinceMs;
};

describe('a file that was written a moment ago', () => {
  const given = async (door: 'person' | 'agent', prepare: (world: World) => unknown = () => undefined) => {
    const { world, run } = await begin({}, prepare);
    world.disk.write(path, 'content');
    const agent = { roots: ['/else'], mayReopen: [] };
    await run.call('files.upload', { paths: [path], ...(door === 'agent' ? { agent } : {}) });
    return await timeToLink(world);
  };

  test.each(['person', 'agent'] as const)('goes at once, given by: %s', async (door) => {
    expect(await given(door)).toBeLessThan(100);
  });

  test('has its quiet time where its writers cannot be seen', async () => {
    expect(await given('person', ({ disk }) => disk.hideWriters('untold'))).toBeGreaterThanOrEqual(950);
    expect(await given('person', ({ disk }) => disk.hideWriters('hidden'))).toBeGreaterThanOrEqual(9950);
  });

  test('has the quiet time that a person has set', async () => {
    const { world, run } = await begin({ settings: { settleMs: 5000 } });
    world.disk.write(path, 'content');
    await give(run);
    expect(await timeToLink(world)).toBeGreaterThanOrEqual(4950);
  });

  test('has its quiet time when it arrives in a folder by itself', async () => {
    const { world } = await begin();
    world.disk.write('/tray/a.txt', 'content');
    expect(await timeToLink(world)).toBeGreaterThanOrEqual(250);
  });
});

describe('a given file that a program has open for writing', () => {
  test('waits for it, and after a change for a quiet time', async () => {
    const { world, run } = await begin();
    world.disk.write(path, 'half');
    const close = world.disk.holdOpen(path);
    await give(run);
    await world.clock.advance(60_000);
    expect(world.row('a.txt').state.kind).toBe('settling');
    world.disk.append(path, ' and half');
    close();
    expect(await timeToLink(world)).toBeGreaterThanOrEqual(250);
    expect(stored(world)).toEqual(['half and half']);
    expect(world.service.count('upload')).toBe(1);
  });

  test('goes as soon as it is closed, if it has not changed', async () => {
    const { world, run } = await begin();
    world.disk.write(path, 'whole');
    const close = world.disk.holdOpen(path);
    await give(run);
    await world.clock.advance(100);
    close();
    expect(await timeToLink(world)).toBeLessThan(250);
  });
});

test('a file whose drive does not answer who writes it waits until it does', async () => {
  const { world } = await begin();
  const { openForWriting } = world.disk.files;
  world.disk.files.openForWriting = async () => new Map();
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(60_000);
  expect(world.row('a.txt').state.kind).toBe('settling');
  world.disk.files.openForWriting = openForWriting;
  await world.until('a.txt', 'uploaded');
});

describe('a given file that a program goes on with while it is sent', () => {
  /** `act` runs when all of it is read, before its tail goes. `ageMs`: since it was written. */
  const whileSent = async (act: (world: World) => unknown, ageMs = 0): Promise<World> => {
    const world = createWorld();
    const run = await world.start();
    const { open } = world.disk.files;
    let isFirst = true;
    world.disk.files.open = async (at, root) => {
      const file = await open(at, root);
      return {
        ...file,
        async *pieces(stop) {
          yield* file.pieces(stop);
          if (isFirst) await act(world);
          isFirst = false;
        },
      };
    };
    world.disk.write(path, 'half');
    await world.clock.advance(ageMs);
    await give(run);
    return world;
  };

  test('is not sent to its end when it is opened for writing; it settles until it is closed', async () => {
    let close = (): void => undefined;
    const world = await whileSent(({ disk }) => (close = disk.holdOpen(path)));
    await world.clock.advance(60_000);
    expect(world.row('a.txt').state.kind).toBe('settling');
    expect(stored(world)).toEqual([]);
    world.disk.append(path, ' and half');
    close();
    await world.until('a.txt', 'uploaded');
    expect(stored(world)).toEqual(['half and half']);
    // One that was stopped before its tail, and this one.
    expect(world.service.count('upload')).toBe(2);
  });

  test('is sent to its end if it has rested, although a program opens it for writing', async () => {
    const world = await whileSent(({ disk }) => disk.holdOpen(path), 3000);
    await world.until('a.txt', 'uploaded');
    expect(world.service.count('upload')).toBe(1);
  });

  test('is sent to its end if its drive does not answer who writes it', async () => {
    const world = await whileSent(({ disk }) => {
      disk.files.openForWriting = async () => new Map();
    });
    await world.until('a.txt', 'uploaded');
    expect(world.service.count('upload')).toBe(1);
  });

  test('is not sent to its end when it changes; it then has its quiet time', async () => {
    const world = await whileSent(({ disk }) => disk.append(path, ' and half'));
    expect(await timeToLink(world)).toBeGreaterThanOrEqual(250);
    expect(stored(world)).toEqual(['half and half']);
  });
});
