// An end that a file is given with, before that has a link, goes with the file to its new name.
import { expect, test } from 'vitest';
import { begin, hourMs, minuteMs, type Running, type World } from '../../../support/fake-world.ts';

type Act = (world: World, run: Running, from: string) => Promise<unknown> | void;

/** The file is at `/tray/b.txt` in the end. */
const renames: [how: string, act: Act][] = [
  ['renamed', ({ disk }, _, from) => disk.rename(from, '/tray/b.txt')],
  [
    'renamed twice',
    async ({ disk, clock }, _, from) => {
      disk.rename(from, '/tray/c.txt');
      await clock.advance(minuteMs);
      disk.rename('/tray/c.txt', '/tray/b.txt');
    },
  ],
  [
    'moved away and into the folder again',
    async ({ disk, clock }, _, from) => {
      disk.rename(from, '/away.txt');
      await clock.advance(minuteMs);
      disk.rename('/away.txt', '/tray/b.txt');
    },
  ],
  [
    'written again and renamed',
    async ({ disk }, _, from) => {
      disk.write(from, 'ours, longer');
      disk.rename(from, '/tray/b.txt');
    },
  ],
  [
    'renamed over a file that waits',
    async ({ disk, clock }, _, from) => {
      disk.write('/tray/b.txt', 'another');
      await clock.advance(minuteMs);
      disk.rename(from, '/tray/b.txt');
    },
  ],
  [
    'exchanged with a file that waits',
    async ({ disk, clock }, _, from) => {
      disk.write('/tray/b.txt', 'another');
      await clock.advance(minuteMs);
      disk.rename('/tray/b.txt', '/aside.txt');
      disk.rename(from, '/tray/b.txt');
      disk.rename('/aside.txt', from);
    },
  ],
  [
    'moved away and, after another start, into the folder again',
    async (world, run, from) => {
      world.disk.rename(from, '/away.txt');
      await world.clock.advance(minuteMs);
      await run.stop();
      await world.start();
      await world.clock.advance(minuteMs);
      world.disk.rename('/away.txt', '/tray/b.txt');
    },
  ],
  [
    'renamed while nothing runs',
    async (world, run, from) => {
      await run.stop();
      world.disk.rename(from, '/tray/b.txt');
      await world.start();
    },
  ],
];

/** Nothing looks at the old path where no folder is watched. */
const inFolder: typeof renames = [
  ...renames,
  [
    'renamed after its disk got another number',
    async ({ disk }, _, from) => {
      disk.kind({ device: 7 });
      disk.rename(from, '/tray/b.txt');
    },
  ],
];

const given = async (from: string, text = 'ours', kind = {}) => {
  const { world, run } = await begin({}, ({ disk }) => {
    disk.kind(kind);
    disk.make('/else', 'folder');
  });
  await run.call('queue.pause', { untilMs: null });
  world.disk.write(from, text);
  await world.clock.advance(minuteMs);
  const expire = { atMs: world.clock.wallMs() + hourMs };
  await run.call('files.upload', { paths: [from], expire });
  await world.clock.advance(minuteMs);
  return { world, run, expire };
};

test.each([
  ...inFolder.map(([how, act]) => ({ from: '/tray/a.txt', how, act })),
  ...renames.map(([how, act]) => ({ from: '/else/a.txt', how, act })),
])('$from, $how', async ({ from, act }) => {
  const { world, run, expire } = await given(from);
  await act(world, run, from);
  await world.clock.advance(minuteMs);
  const [now] = world.ledger.uploads.atPath('/tray', 'b.txt', 1);
  expect(now).toMatchObject({ present: true, state: { kind: 'ready' }, expireWish: expire });
  await world.clock.advance(2 * hourMs);
  await world.running().call('queue.resume', {});
  await world.clock.advance(hourMs);
  const contents = world.service.stored.map(({ bytes }) => String(bytes));
  expect(contents.filter((text) => text.startsWith('ours'))).toEqual([]);
});

test.each([
  ['a renamed file keeps it', true],
  ['another file with its inode number does not get it', false],
])('where the disk tells no times of birth, %s', async (_, isKept) => {
  const { world, expire } = await given('/tray/a.txt', 'ours', { tellsBirth: false });
  if (isKept) world.disk.rename('/tray/a.txt', '/tray/b.txt');
  else {
    world.disk.giveNumberOf('/tray/a.txt');
    world.disk.remove('/tray/a.txt');
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/b.txt', 'another');
  }
  await world.clock.advance(minuteMs);
  expect(world.row('b.txt').stamp?.inode).toBe(world.row('a.txt').stamp?.inode);
  expect(world.row('b.txt').expireWish).toEqual(isKept ? expire : null);
});

test.each([
  ['is there', true],
  ['comes meanwhile', false],
])('a file keeps it although one of another disk with its inode number %s', async (_, isThere) => {
  const { world, run } = await begin({}, ({ disk }) => disk.write('/like.txt', 'like'));
  await run.call('queue.pause', { untilMs: null });
  const writeWithNumber = async (path: string, device: number): Promise<void> => {
    world.disk.kind({ device });
    world.disk.giveNumberOf('/like.txt');
    world.disk.write(path, path);
    await world.clock.advance(minuteMs);
    world.disk.kind({ device: 1 });
  };
  if (isThere) await writeWithNumber('/tray/other.txt', 7);
  await writeWithNumber('/tray/a.txt', 1);
  const expire = { atMs: world.clock.wallMs() + hourMs };
  await run.call('files.upload', { paths: ['/tray/a.txt'], expire });
  await world.clock.advance(minuteMs);
  world.disk.rename('/tray/a.txt', '/away.txt');
  await world.clock.advance(minuteMs);
  if (!isThere) await writeWithNumber('/tray/other.txt', 7);
  world.disk.rename('/away.txt', '/tray/b.txt');
  await world.clock.advance(minuteMs);
  expect(world.row('other.txt')).toMatchObject({ present: true, expireWish: null });
  expect(world.row('b.txt')).toMatchObject({ present: true, expireWish: expire });
});
