// Each of twenty folders costs as much as a single one: listings, watches, pending hints.
import { expect, test } from 'vitest';
import { isDeep } from '../../../support/deep.ts';
import { createWorld, hourMs, minuteMs, type Running, type World } from '../../../support/fake-world.ts';

const subfolders = 4;
const filesEach = 5;

/** A world with this number of folders like `/tray`, each with subfolders and files in them. */
const withFolders = async (count: number): Promise<{ world: World; run: Running; folders: string[] }> => {
  const folders = ['/tray', ...Array.from({ length: count - 1 }, (_, n) => `/f${n}`)];
  const world = createWorld({ settings: { folders: folders.slice(1) } });
  for (const folder of folders) {
    if (folder !== '/tray') world.disk.make(folder, 'folder');
    for (let n = 0; n < subfolders; n += 1) {
      world.disk.make(`${folder}/${n}`, 'folder');
      for (let file = 0; file < filesEach; file += 1)
        world.disk.write(`${folder}/${n}/${file}.txt`, `${folder} ${n} ${file}`);
    }
  }
  await world.clock.advance(minuteMs);
  const run = await world.start();
  return { world, run, folders };
};

/** How often each folder, subfolders included, was listed since the last time. */
const listings = (world: World, folders: readonly string[]): number[] => {
  const listed = world.disk.listed.splice(0);
  return folders.map((folder) => listed.filter((dir) => `${dir}/`.startsWith(`${folder}/`)).length);
};

test.each([1, 20])('each of %i folders is listed once at the start, and once an hour', async (count) => {
  const { world, folders } = await withFolders(count);
  await world.clock.advance(minuteMs);
  expect(listings(world, folders)).toEqual(folders.map(() => 1 + subfolders));
  expect(world.disk.watches()).toBe(count);
  expect(world.disk.opened).toEqual([]);
  await world.clock.advance(10 * hourMs);
  for (const times of listings(world, folders)) {
    expect(times).toBeGreaterThanOrEqual(9 * (1 + subfolders));
    expect(times).toBeLessThanOrEqual(11 * (1 + subfolders));
  }
});

test.each([1, 20])('of %i folders, only the one with a changed rule is listed again', async (count) => {
  const { world, run, folders } = await withFolders(count);
  await world.clock.advance(minuteMs);
  listings(world, folders);
  await run.call('folders.set', { folder: '/tray', name: 'ignore', value: ['*.tmp'] });
  await world.clock.advance(minuteMs);
  expect(listings(world, folders)).toEqual(
    folders.map((folder) => (folder === '/tray' ? 1 + subfolders : 0)),
  );
});

test.each(isDeep ? [1, 20] : [2])(
  'of %i folders, each checks single names for few hints, and is listed once for many',
  async (count) => {
    const { world, folders } = await withFolders(count);
    await world.clock.advance(minuteMs);
    listings(world, folders);
    for (const folder of folders)
      for (let n = 0; n < 200; n += 1) world.disk.write(`${folder}/1/many ${n}.txt`, `${folder} many ${n}`);
    world.disk.write('/tray/2/one.txt', 'one');
    await world.clock.advance(1000);
    expect(listings(world, folders)).toEqual(folders.map(() => 1));
    expect(world.rows()).toHaveLength((subfolders * filesEach + 200) * count + 1);
  },
);

test('one unavailable folder of twenty costs the others nothing', async () => {
  const { world, folders } = await withFolders(20);
  await world.clock.advance(minuteMs);
  listings(world, folders);
  world.disk.takeAway('/f3', true);
  world.disk.hint({ folder: '/f3', name: 'a.txt' });
  await world.clock.advance(30 * minuteMs);
  expect(listings(world, folders)).toEqual(folders.map(() => 0));
  world.disk.takeAway('/f3', false);
  await world.clock.advance(minuteMs);
  expect(listings(world, folders)).toEqual(folders.map((folder) => (folder === '/f3' ? 1 + subfolders : 0)));
});
