// The spool keeps a file while it may be sent again, and no longer.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import {
  begin,
  createWorld,
  hourMs,
  minuteMs,
  type Running,
  type World,
} from '../../../support/fake-world.ts';

const paths = ['/spool/7/notes.txt'];
/** A file that was read from standard input, and its process has given it to the ledger. */
const given = async (world: World, run: Running, content = 'notes'): Promise<void> => {
  world.spool.kept.push({ dir: '/spool/7', name: 'notes.txt', isGuarded: false });
  world.disk.write('/spool/7/notes.txt', content);
  await run.call('files.upload', { paths });
};
const kept = (world: World): string[] => world.spool.kept.map(({ dir }) => dir);

test('a spooled file stays while its upload waits, across a restart too, and is removed when it is uploaded', async () => {
  const { world, run } = await begin();
  await run.call('queue.pause', { untilMs: null });
  await given(world, run);
  await world.until('notes.txt', 'ready');
  await run.stop();
  const next = await world.start();
  await world.clock.advance(hourMs);
  expect(kept(world)).toEqual(['/spool/7']);
  await next.call('queue.resume', {});
  await world.until('notes.txt', 'uploaded');
  await world.clock.advance(1000);
  expect(kept(world)).toEqual([]);
});

test('a spooled file stays while a person has to decide about it, and is removed when the person leaves it out', async () => {
  const { world, run } = await begin();
  await given(world, run, 'SECRET');
  const { id } = await world.until('notes.txt', 'held');
  await world.clock.advance(hourMs);
  expect(kept(world)).toEqual(['/spool/7']);
  await run.call('queue.skip', { ids: [id] });
  // Until then the person may undo it.
  await world.clock.advance(minuteMs - 1000);
  expect(kept(world)).toEqual(['/spool/7']);
  await world.clock.advance(2000);
  expect(kept(world)).toEqual([]);
});

test('a spooled file without an upload is removed at the start, unless its process still works on it', async () => {
  const { world } = await begin({}, ({ spool }) => {
    spool.kept.push(
      { dir: '/spool/1', name: 'half.txt', isGuarded: false },
      { dir: '/spool/2', name: null, isGuarded: false },
      { dir: '/spool/3', name: 'growing.txt', isGuarded: true },
      { dir: '/spool/4', name: null, isGuarded: true },
    );
  });
  expect(kept(world)).toEqual(['/spool/3', '/spool/4']);
});

test('a file that cannot be removed does not prevent the removal of others', async () => {
  const { world } = await begin({}, ({ spool }) => {
    spool.kept.push(
      { dir: '/spool/1', name: 'a.txt', isGuarded: false },
      { dir: '/spool/2', name: 'b.txt', isGuarded: false },
    );
    const { remove } = spool;
    spool.remove = async (dir) => {
      if (dir === '/spool/1') throw new AppError('disk', 'It is locked.');
      await remove.call(spool, dir);
    };
  });
  expect(kept(world)).toEqual(['/spool/1']);
  expect(world.log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'spool not tidied' }),
  );
});

test('a command that leaves out a file whose content is known, and ends, leaves nothing in the spool', async () => {
  const { world, run } = await begin();
  await given(world, run, 'SECRET');
  const { id } = await world.until('notes.txt', 'held');
  await world.clock.advance(minuteMs);
  await run.stop();
  const command = world.make('command:1');
  await command.call('queue.cancel', { ids: [id] });
  expect(kept(world)).toEqual(['/spool/7']);
  await command.stop();
  expect(kept(world)).toEqual([]);
});

test('the no of a person belongs to a content: a spooled file stays until it is read, and no agent gets it public', async () => {
  const world = createWorld();
  const command = world.make('command:1');
  await given(world, command);
  await command.call('queue.cancel', { ids: [world.row('notes.txt').id] });
  await command.stop();
  expect(kept(world)).toEqual(['/spool/7']);
  const run = await world.start();
  await world.clock.advance(2 * minuteMs);
  expect(kept(world)).toEqual([]);
  world.spool.kept.push({ dir: '/spool/8', name: 'same.txt', isGuarded: false });
  world.disk.write('/spool/8/same.txt', 'notes');
  const agent = { roots: ['/spool/8'], mayReopen: [], isText: true as const };
  await run.call('files.upload', { paths: ['/spool/8/same.txt'], agent });
  expect((await world.until('same.txt', 'skipped')).state).toEqual({ kind: 'skipped', rule: 'cancelled' });
});

test('a spooled file that a person leaves out is removed a minute after its content was read', async () => {
  const { world, run } = await begin();
  await run.call('queue.pause', { untilMs: null });
  await given(world, run);
  const { id } = await world.until('notes.txt', 'ready');
  const { files } = world.disk;
  const { open } = files;
  files.open = async (path, root) => {
    await new Promise<void>((next) => world.clock.after(2 * minuteMs, next));
    return await open(path, root);
  };
  await run.call('queue.cancel', { ids: [id] });
  await world.clock.advance(minuteMs + 1000);
  expect(kept(world)).toEqual(['/spool/7']);
  await world.clock.advance(3 * minuteMs);
  expect(kept(world)).toEqual([]);
});

test('a command ends even if its spool cannot be read', async () => {
  const world = createWorld();
  const command = world.make('command:1');
  await given(world, command);
  await command.call('queue.cancel', { ids: [world.row('notes.txt').id] });
  world.spool.list = () => Promise.reject(new AppError('disk', 'It is gone.'));
  await command.stop();
  expect(world.log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'spool not tidied' }),
  );
});
