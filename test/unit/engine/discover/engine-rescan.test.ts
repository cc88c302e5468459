// A scan does not read the rows of a folder that has not changed since the last scan. A change without a hint is still
// found, by the next scan and not by a later one.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { createWorld, minuteMs, type World } from '../../../support/fake-world.ts';

const scan = async (world: World): Promise<void> => {
  await world.running().call('folder.scan', {});
  await world.clock.advance(minuteMs);
};

/** Two shared files and a link, and scans enough that nothing is left to record. */
const begun = async (what: 'files' | 'files and a link' = 'files'): Promise<World> => {
  const world = createWorld();
  world.disk.hints(false);
  await world.start();
  world.disk.write('/tray/a.txt', 'a');
  world.disk.write('/tray/b.txt', 'b');
  if (what !== 'files') world.disk.make('/tray/link', 'link');
  for (let times = 0; times < 3; times += 1) await scan(world);
  expect(world.service.namesOf().toSorted()).toEqual(['a.txt', 'b.txt']);
  return world;
};

const present = (world: World): string[] =>
  ['a.txt', 'b.txt', 'c.txt', 'link'].filter(
    (name) => world.ledger.uploads.presentAt(1, '/tray', name) !== null,
  );

test.each<[string, (world: World) => void, string[]]>([
  ['changed', ({ disk }) => disk.write('/tray/a.txt', 'another'), ['a.txt', 'a.txt', 'b.txt']],
  ['came', ({ disk }) => disk.write('/tray/c.txt', 'c'), ['a.txt', 'b.txt', 'c.txt']],
])('a file that %s is noticed', async (_, change, names) => {
  const world = await begun();
  change(world);
  await scan(world);
  expect(world.service.namesOf().toSorted()).toEqual(names);
});

test('a file that disappears is noticed', async () => {
  const world = await begun();
  world.disk.remove('/tray/a.txt');
  await scan(world);
  expect(present(world)).toEqual(['b.txt']);
});

test('a link that disappears, or replaces a file, is noticed', async () => {
  const world = await begun('files and a link');
  expect(present(world)).toEqual(['a.txt', 'b.txt', 'link']);
  world.disk.remove('/tray/link');
  await scan(world);
  expect(present(world)).toEqual(['a.txt', 'b.txt']);
  await scan(world);
  world.disk.remove('/tray/a.txt');
  world.disk.make('/tray/a.txt', 'link');
  await scan(world);
  expect(world.ledger.uploads.presentAt(1, '/tray', 'a.txt')?.state.kind).not.toBe('uploaded');
});

test.each<[string, (world: World) => void]>([
  [
    'one file',
    ({ disk }) => {
      failOnce(disk);
      disk.write('/tray/new.txt', 'new');
    },
  ],
  [
    'all files of a folder',
    ({ disk }) => {
      disk.hints(false);
      disk.write('/tray/new.txt', 'new');
      disk.hints(true);
      failOnce(disk);
      disk.hint({ folder: '/tray', name: null });
    },
  ],
  [
    'a whole folder',
    ({ disk, running }) => {
      disk.hints(false);
      disk.write('/tray/new.txt', 'new');
      failOnce(disk);
      running().engine.scanFolders();
    },
  ],
  [
    'a folder that is not readable',
    ({ disk, running, clock }) => {
      disk.hints(false);
      disk.write('/tray/new.txt', 'new');
      disk.hide('/tray', true);
      running().engine.scanFolders();
      clock.after(1000, () => disk.hide('/tray', false));
    },
  ],
])('a look at %s that fails for a moment is made up for', async (_, act) => {
  const world = createWorld();
  await world.start();
  await world.clock.advance(minuteMs);
  act(world);
  await world.until('new.txt', 'uploaded', 2 * minuteMs);
});

test('a folder that stays unreadable is scanned more and more rarely', async () => {
  const world = createWorld();
  await world.start();
  await world.clock.advance(minuteMs);
  const { list } = world.disk.files;
  let listings = 0;
  world.disk.files.list = (...given) => {
    listings += 1;
    return list(...given);
  };
  world.disk.hide('/tray', true);
  world.running().engine.scanFolders();
  await world.clock.advance(60 * minuteMs);
  expect(listings).toBeLessThan(20);
});

/** The disk does not tell once which folder it is. */
const failOnce = ({ files }: World['disk']): void => {
  const { identify } = files;
  files.identify = (folder) => {
    files.identify = identify;
    return Promise.reject(new AppError('folder-unavailable', `The folder ${folder} cannot be reached.`));
  };
};
