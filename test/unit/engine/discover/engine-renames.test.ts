// A file without consent is not uploaded under any name: consent follows the file, not its name.
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../../src-main/contract/settings.ts';
import { createWorld, hourMs, minuteMs, share, type World } from '../../../support/fake-world.ts';

/** A pre-existing file: it was in the folder before the user chose the folder. */
const furnish = async (path = '/tray/old.txt', settings: Partial<Settings> = {}): Promise<World> => {
  const world = createWorld({ settings });
  world.disk.write(path, 'of before');
  await world.clock.advance(minuteMs);
  return world;
};
/** Does it while no engine runs, or while the engine runs and sees it. */
const meanwhile = async (world: World, when: 'nothing runs' | 'it runs', act: () => void): Promise<void> => {
  if (!world.rows().some((row) => row.present)) await world.start();
  await world.clock.advance(minuteMs);
  if (when === 'nothing runs') await world.running().stop();
  await world.clock.advance(minuteMs);
  act();
  await world.clock.advance(minuteMs);
  if (when === 'nothing runs') await world.start();
  await world.clock.advance(2 * hourMs);
};
const texts = (world: World): string[] => world.service.stored.map((file) => file.bytes.toString());
const existing = { kind: 'skipped', rule: 'existing' };
const changed = { kind: 'held', reason: 'existing-changed' };

test.each([
  ['settling', true],
  ['settling', false],
  ['sending', true],
  ['sending', false],
] as const)(
  'a pre-existing file that takes the place of one that is %s is not uploaded, with hints: %s',
  async (kind, isTold) => {
    const world = await furnish();
    await world.start();
    world.service.latencyMs = 5000;
    world.disk.write('/tray/new.txt', 'another');
    await world.until('new.txt', kind);
    world.disk.hints(isTold);
    world.disk.rename('/tray/old.txt', '/tray/new.txt');
    await world.clock.advance(2 * hourMs);
    expect(world.row('new.txt').state).toEqual(existing);
    expect(texts(world)).toEqual([]);
  },
);

describe.each(['nothing runs', 'it runs'] as const)('a pre-existing file that, while %s,', (when) => {
  test('is renamed stays pre-existing', async () => {
    const world = await furnish();
    await meanwhile(world, when, () => world.disk.rename('/tray/old.txt', '/tray/new.txt'));
    expect(world.row('new.txt').state).toEqual(existing);
    expect(texts(world)).toEqual([]);
  });

  test('is edited and renamed is held', async () => {
    const world = await furnish();
    await meanwhile(world, when, () => {
      world.disk.hints(false);
      world.disk.append('/tray/old.txt', ', longer now');
      world.disk.hints(true);
      world.disk.rename('/tray/old.txt', '/tray/new.txt');
    });
    expect(world.row('new.txt').state).toEqual(changed);
    expect(texts(world)).toEqual([]);
  });

  test.each(['the old one first', 'the new one first'])(
    'gives its name to another file is not uploaded, seen %s',
    async (order) => {
      const world = await furnish();
      const { list } = world.disk.files;
      world.disk.files.list = async (folder) => {
        const listing = await list(folder);
        if (!listing.ok) return listing;
        const found = listing.found.toSorted((a, b) => a.name.localeCompare(b.name));
        return { ok: true, found: order === 'the old one first' ? found.toReversed() : found };
      };
      await meanwhile(world, when, () => {
        world.disk.rename('/tray/old.txt', '/tray/new.txt');
        world.disk.write('/tray/old.txt', 'another');
      });
      expect(world.row('new.txt').state).toEqual(existing);
      expect(texts(world)).not.toContain('of before');
    },
  );

  test('takes the place of an uploaded file is not uploaded, under any further name either', async () => {
    const world = await furnish();
    await world.start();
    await share(world, 'new.txt', 'another');
    await meanwhile(world, when, () => world.disk.rename('/tray/old.txt', '/tray/new.txt'));
    expect(world.row('new.txt').state).toEqual(existing);
    await meanwhile(world, when, () => world.disk.rename('/tray/new.txt', '/tray/newer.txt'));
    expect(world.row('newer.txt').state).toEqual(existing);
    expect(texts(world)).toEqual(['another']);
  });

  test('gets a second name is not uploaded under either', async () => {
    const world = await furnish();
    await meanwhile(world, when, () => world.disk.hardLink('/tray/old.txt', '/tray/new.txt'));
    expect(world.row('new.txt').state).toEqual(existing);
    expect(texts(world)).toEqual([]);
  });

  test.each([
    ['hidden', '/tray/.old.txt', {}],
    ['ignored', '/tray/old.psd', { ignore: ['*.psd'] }],
  ] as const)('was %s is not uploaded under an allowed name', async (_, path, settings) => {
    const world = await furnish(path, {
      ...settings,
      ignore: [...('ignore' in settings ? settings.ignore : [])],
    });
    await meanwhile(world, when, () => world.disk.rename(path, '/tray/new.txt'));
    expect(world.row('new.txt').state).toEqual(existing);
    expect(texts(world)).toEqual([]);
  });

  test('was hidden, and is edited, is not uploaded under an allowed name', async () => {
    const world = await furnish('/tray/.old.txt');
    await world.start();
    world.disk.write('/tray/.old.txt', 'edited');
    await meanwhile(world, when, () => world.disk.rename('/tray/.old.txt', '/tray/new.txt'));
    expect(world.row('new.txt').state).toEqual(existing);
    expect(texts(world)).toEqual([]);
  });

  test('was an unfinished download is uploaded when it is complete', async () => {
    const world = await furnish('/tray/film.mkv.part');
    await meanwhile(world, when, () => {
      world.disk.append('/tray/film.mkv.part', ' and after');
      world.disk.rename('/tray/film.mkv.part', '/tray/film.mkv');
    });
    expect(texts(world)).toEqual(['of before and after']);
  });

  test('leaves its inode to a new file does not keep that file from being uploaded', async () => {
    const world = await furnish();
    await meanwhile(world, when, () => {
      world.disk.giveNumberOf('/tray/old.txt');
      world.disk.remove('/tray/old.txt');
      world.disk.write('/tray/new.txt', 'new here!');
    });
    expect(texts(world)).toEqual(['new here!']);
  });

  test('leaves its inode to a new file causes that file to be held where the disk has no birth times', async () => {
    const world = await furnish();
    world.disk.kind({ tellsBirth: false });
    await meanwhile(world, when, () => {
      world.disk.giveNumberOf('/tray/old.txt');
      world.disk.remove('/tray/old.txt');
      world.disk.write('/tray/new.txt', 'new here, perhaps');
    });
    expect(world.row('new.txt').state).toEqual(changed);
    expect(texts(world)).toEqual([]);
  });

  test('was cancelled since is not uploaded under another name', async () => {
    const world = await furnish();
    const run = await world.start();
    await run.call('queue.pause', { untilMs: null });
    const { id } = await world.put('new.txt', 'cancelled', 'ready');
    await run.call('queue.cancel', { ids: [id] });
    await run.call('queue.resume', {});
    await meanwhile(world, when, () => world.disk.rename('/tray/new.txt', '/tray/again.txt'));
    expect(world.row('again.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(texts(world)).toEqual([]);
  });
});

test('a pre-existing file, renamed before a reboot that renumbers the disk, is recognised', async () => {
  const world = await furnish();
  await meanwhile(world, 'nothing runs', () => {
    world.disk.kind({ device: 7 });
    world.disk.rename('/tray/old.txt', '/tray/new.txt');
  });
  expect(world.row('new.txt').state).toEqual(existing);
  expect(texts(world)).toEqual([]);
});

test('a pre-existing file is not uploaded under a new name after another file briefly took its place', async () => {
  const world = await furnish();
  await world.start();
  await world.clock.advance(minuteMs);
  world.disk.rename('/tray/old.txt', '/elsewhere/old.txt');
  world.disk.write('/tray/old.txt', 'another');
  await world.clock.advance(minuteMs);
  world.disk.remove('/tray/old.txt');
  await world.clock.advance(minuteMs);
  world.disk.rename('/elsewhere/old.txt', '/tray/new.txt');
  await world.clock.advance(2 * hourMs);
  expect(world.row('new.txt').state).toEqual(existing);
  expect(texts(world)).toEqual([]);
});

test('a file that an editor writes under a hidden name and renames is uploaded', async () => {
  const world = await furnish();
  await world.start();
  world.disk.write('/tray/.note.txt.tmp', 'a note');
  await world.clock.advance(minuteMs);
  world.disk.rename('/tray/.note.txt.tmp', '/tray/note.txt');
  await world.until('note.txt', 'uploaded', minuteMs);
});

test('a new version of a cancelled file is uploaded under its new name', async () => {
  const world = await furnish();
  const run = await world.start();
  await run.call('queue.pause', { untilMs: null });
  const { id } = await world.put('a.txt', 'cancelled', 'ready');
  await run.call('queue.cancel', { ids: [id] });
  await run.call('queue.resume', {});
  world.disk.hints(false);
  world.disk.write('/tray/a.txt', 'a new version');
  world.disk.hints(true);
  world.disk.rename('/tray/a.txt', '/tray/b.txt');
  await world.until('b.txt', 'uploaded', minuteMs);
});

test('a held file that is edited and renamed is not taken for its earlier version when its content is compared', async () => {
  const world = createWorld({ settings: { burstFiles: 2 } });
  await world.clock.advance(minuteMs);
  const run = await world.start();
  for (const content of ['zz', 'yyy']) {
    world.disk.write(`/tray/${content}`, content);
    await world.until(content, 'uploaded');
    await world.clock.advance(minuteMs);
  }
  await run.call('queue.pause', { untilMs: null });
  await world.put('one.txt', 'bb', 'ready');
  for (const name of ['two', 'three', 'four']) world.disk.write(`/tray/${name}`, `${name} of a burst`);
  const { id, sha256 } = await world.until('one.txt', 'held');
  expect(sha256).not.toBeNull();
  world.disk.hints(false);
  world.disk.append('/tray/one.txt', 'c');
  world.disk.hints(true);
  world.disk.rename('/tray/one.txt', '/tray/other.txt');
  await world.until('other.txt', 'held');
  await world.clock.advance(minuteMs);
  await run.call('queue.resume', {});
  // Content that was held is held under any name, so a person gives the file by path.
  world.disk.write('/tray/twin.txt', 'bb');
  await run.call('files.upload', { paths: ['/tray/twin.txt'] });
  await world.until('twin.txt', 'uploaded');
  await run.call('queue.confirm', { ids: [id] });
  await world.until('other.txt', 'uploaded');
  expect(texts(world)).toEqual(['zz', 'yyy', 'bb', 'bbc']);
});

test('an uncertain upload is not taken for the pre-existing file that it replaced, and is sent once', async () => {
  const world = await furnish();
  const run = await world.start();
  await world.clock.advance(minuteMs);
  world.disk.write('/elsewhere/new.txt', 'another');
  world.disk.rename('/elsewhere/new.txt', '/tray/old.txt');
  const { id } = await world.until('old.txt', 'held');
  world.service.faults.push('answer-lost');
  world.service.linksBroken = true;
  await run.call('queue.confirm', { ids: [id] });
  await world.until('old.txt', 'held', hourMs);
  expect(world.row('old.txt').state).toEqual({ kind: 'held', reason: 'uncertain' });
  world.disk.rename('/tray/old.txt', '/elsewhere/x');
  await world.clock.advance(minuteMs);
  await run.stop();
  await world.start();
  await world.clock.advance(minuteMs);
  world.disk.rename('/elsewhere/x', '/tray/back.txt');
  await world.clock.advance(minuteMs);
  world.disk.touch('/tray/back.txt');
  await world.clock.advance(hourMs);
  expect(texts(world)).toEqual(['another']);
  const there = world.rows().filter((row) => row.present);
  expect(there).toMatchObject([{ id, name: 'back.txt', state: { kind: 'held', reason: 'uncertain' } }]);
});

test.each([
  ['sending', 'b.txt'],
  ['committing', 'a.txt'],
] as const)('a file that is renamed while it is %s is uploaded once, as %s', async (kind, sentName) => {
  const world = createWorld();
  await world.start();
  world.service.latencyMs = 5000;
  world.disk.write('/tray/a.txt', 'one');
  await world.until('a.txt', kind);
  world.disk.rename('/tray/a.txt', '/tray/b.txt');
  await world.clock.advance(hourMs);
  expect(world.service.stored.map(({ name }) => name)).toEqual([sentName]);
  const uploaded = world.rows().filter(({ state }) => state.kind === 'uploaded');
  expect(uploaded.map(({ name, present }) => ({ name, present }))).toEqual([
    { name: 'b.txt', present: true },
  ]);
});
