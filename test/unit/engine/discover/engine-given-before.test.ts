// A file that is given by its path, and its folder is chosen later: the path keeps its one row, and what was asked for
// with it.
import { describe, expect, test } from 'vitest';
import { begin, hourMs, minuteMs, type Running, type World } from '../../../support/fake-world.ts';
import type { Upload } from '../../../../src-main/engine/ports/uploads.ts';

type Begun = { world: World; run: Running };
const path = '/later/a.txt';

const rowsAt = ({ ledger }: World, at = path): Upload[] => {
  const cut = at.lastIndexOf('/');
  return ledger.uploads.atPath(at.slice(0, cut), at.slice(cut + 1), 10).filter(({ present }) => present);
};

const beginApart = async (settings = {}): Promise<Begun> => {
  const begun = await begin({ settings: { recursive: true, ...settings } }, ({ disk }) =>
    disk.make('/later', 'folder'),
  );
  await begun.run.call('queue.pause', { untilMs: null });
  return begun;
};

const endsInMs = 10 * hourMs;
const give = async ({ world, run }: Begun, at = path, text = 'ours'): Promise<void> => {
  world.disk.write(at, text);
  await world.clock.advance(minuteMs);
  const expire = { atMs: world.clock.wallMs() + endsInMs };
  await run.call('files.upload', { paths: [at], expire });
};

/** Each ends with the file in this state, given by hand with an end. */
const states: [state: string, act: (begun: Begun) => Promise<unknown>, settings?: object][] = [
  [
    'settling',
    async (begun) => {
      begun.world.disk.write(path, 'ours');
      begun.world.disk.holdOpen(path);
      await give(begun);
    },
  ],
  [
    'waiting',
    async (begun) => {
      begun.world.disk.write(path, 'ours');
      begun.world.disk.lock(path, true);
      await give(begun);
    },
  ],
  ['ready', give],
  ['held', (begun) => give(begun, path, 'SECRET')],
  [
    'failed',
    async (begun) => {
      begun.world.disk.write(path, 'ours');
      begun.world.disk.overstate(path, 10);
      await give(begun);
    },
  ],
  [
    'skipped',
    async (begun) => {
      await give(begun);
      await begun.world.clock.advance(minuteMs);
      await begun.run.call('queue.cancel', { ids: [begun.world.row('a.txt').id] });
    },
  ],
  [
    'uncertain',
    async (begun) => {
      await begun.run.call('queue.resume', {});
      begun.world.service.faults.push('answer-lost');
      await give(begun);
      await begun.world.until('a.txt', 'uncertain');
    },
  ],
  [
    'uploaded',
    async (begun) => {
      await begun.run.call('queue.resume', {});
      await give(begun);
    },
  ],
];

const choices: { existing: 'skip' | 'upload' | string[] }[] = [
  { existing: 'skip' },
  { existing: 'upload' },
  { existing: ['/later/other.txt'] },
];

describe.each(choices)('when its folder is chosen ($existing)', ({ existing }) => {
  test.each(states)('a given file that is %s keeps its row and its end', async (state, act) => {
    const begun = await beginApart();
    const { world, run } = begun;
    await act(begun);
    if (state !== 'uncertain') await world.clock.advance(minuteMs);
    const [before] = rowsAt(world);
    expect(before?.state.kind).toBe(state);
    await run.call('folders.add', { folder: { path: '/later' }, existing });
    await world.clock.advance(minuteMs);
    expect(rowsAt(world)).toMatchObject([
      {
        id: before?.id,
        state: { kind: state === 'uncertain' ? 'uploaded' : state },
        expireWish: before?.expireWish,
        door: 'window',
      },
    ]);
  });

  test.each(states.filter(([state]) => state !== 'uploaded' && state !== 'uncertain'))(
    'a given file that was %s and has changed since is not uploaded after its end',
    async (_, act) => {
      const begun = await beginApart();
      const { world, run } = begun;
      await act(begun);
      await world.clock.advance(minuteMs);
      world.disk.lock(path, false);
      world.disk.write(path, 'another content');
      await run.call('folders.add', { folder: { path: '/later' }, existing });
      await world.clock.advance(minuteMs);
      expect(rowsAt(world)).toHaveLength(1);
      await world.clock.advance(endsInMs);
      await run.call('queue.resume', {});
      await world.clock.advance(hourMs);
      expect(world.service.stored).toEqual([]);
    },
  );

  test.each(['.hidden', 'draft.psd'])('a given file goes whose name its rules skip: %s', async (name) => {
    const begun = await beginApart({ ignore: ['*.psd'] });
    await give(begun, `/later/${name}`);
    await begun.world.until(name, 'ready');
    await begun.run.call('folders.add', { folder: { path: '/later' }, existing });
    await begun.world.clock.advance(minuteMs);
    await begun.run.call('queue.resume', {});
    await begun.world.clock.advance(hourMs);
    expect(rowsAt(begun.world, `/later/${name}`)).toMatchObject([{ state: { kind: 'uploaded' } }]);
  });
});

/** The folder is removed after its file came into this state, and the file is given with an end. */
const left: [state: string, act: (begun: Begun) => Promise<unknown>][] = [
  [
    'waiting',
    async ({ world, run }) => {
      await run.call('folders.set', { folder: '/later', name: 'paused', value: true });
      world.disk.write(path, 'ours');
    },
  ],
  [
    'ready',
    async ({ world }) => {
      world.disk.write(path, 'ours');
    },
  ],
  [
    'held',
    async ({ world }) => {
      world.disk.write(path, 'SECRET');
    },
  ],
  [
    'failed',
    async ({ world }) => {
      world.disk.write(path, 'ours');
      world.disk.overstate(path, 10);
    },
  ],
  [
    'skipped',
    async ({ world, run }) => {
      world.disk.write(path, 'ours');
      const { id } = await world.until('a.txt', 'ready');
      await run.call('queue.cancel', { ids: [id] });
    },
  ],
];

describe.each(choices)('when its folder is removed and chosen again ($existing)', ({ existing }) => {
  test.each(left)('a file that was %s there and is given meanwhile has one row', async (state, act) => {
    const begun = await beginApart();
    const { world, run } = begun;
    await run.call('folders.add', { folder: { path: '/later' }, existing: 'skip' });
    await world.clock.advance(minuteMs);
    await act(begun);
    await world.clock.advance(minuteMs);
    expect(world.row('a.txt').state.kind).toBe(state);
    await run.call('folders.remove', { folder: '/later' });
    await world.clock.advance(minuteMs);
    const expire = { atMs: world.clock.wallMs() + endsInMs };
    await run.call('files.upload', { paths: [path], expire });
    await world.clock.advance(minuteMs);
    expect(rowsAt(world)).toHaveLength(1);
    await run.call('folders.add', { folder: { path: '/later' }, existing });
    await world.clock.advance(minuteMs);
    expect(rowsAt(world)).toMatchObject([{ door: 'window', expireWish: expire }]);
    await world.clock.advance(endsInMs);
    await run.call('queue.resume', {});
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
  });
});

test.each(['window', 'command', 'tray', 'agent'] as const)(
  'a file that came by the door %s keeps its row',
  async (door) => {
    const begun = await beginApart({ agentRoots: ['/later'] });
    const { world, run } = begun;
    world.disk.write(path, 'ours');
    await world.clock.advance(minuteMs);
    const expire = { atMs: world.clock.wallMs() + endsInMs };
    const by = door === 'agent' ? { agent: { roots: ['/later'], mayReopen: [] } } : { door };
    await run.call('files.upload', { paths: [path], expire, ...by });
    const { id } = await world.until('a.txt', 'ready');
    await run.call('folders.add', { folder: { path: '/later' }, existing: 'skip' });
    await world.clock.advance(minuteMs);
    expect(rowsAt(world)).toMatchObject([{ id, door, state: { kind: 'ready' }, expireWish: expire }]);
  },
);

test.each<
  [how: string, by: { agent?: { roots: string[]; mayReopen: number[] } }, state: 'ready' | 'committing']
>([
  ['an agent gave it', { agent: { roots: ['/later'], mayReopen: [] } }, 'ready'],
  ['its earlier content is on its way', {}, 'committing'],
])('no content goes that no person has given: %s', async (_, by, state) => {
  const { world, run } = await beginApart({ agentRoots: ['/later'] });
  if (state === 'committing') await run.call('queue.resume', {});
  world.disk.write(path, 'ours');
  await world.clock.advance(minuteMs);
  await run.call('files.upload', { paths: [path], ...by });
  await world.until('a.txt', state);
  world.disk.write(path, 'another content');
  await run.call('folders.add', { folder: { path: '/later' }, existing: 'skip' });
  await world.clock.advance(minuteMs);
  await run.call('queue.resume', {});
  await world.clock.advance(hourMs);
  expect(world.service.stored.map(({ bytes }) => String(bytes))).toEqual(state === 'ready' ? [] : ['ours']);
  expect(rowsAt(world)).toMatchObject([{ state: { kind: 'skipped', rule: 'existing' } }]);
});

test('where another folder has taken the place of the chosen one, its files are not those that were given', async () => {
  const { world, run } = await beginApart();
  world.disk.hints(false);
  world.disk.write('/tray/a.txt', 'ours');
  await run.call('files.upload', { paths: ['/tray/a.txt'] });
  await world.until('a.txt', 'ready');
  world.disk.identify('another');
  world.disk.remove('/tray/a.txt');
  world.disk.write('/tray/a.txt', 'of another drive');
  await run.call('folder.choose', { folder: '/tray', existing: 'skip' });
  await world.clock.advance(minuteMs);
  await run.call('queue.resume', {});
  await world.clock.advance(hourMs);
  expect(world.service.stored).toEqual([]);
});
