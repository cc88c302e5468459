// What the first whole listing shows was there, whatever its times, and nothing happens until its content changes.
import { describe, expect, test } from 'vitest';
import { createWorld, hourMs, minuteMs, type Running, type World } from '../../../support/fake-world.ts';

const existing = { kind: 'skipped', rule: 'existing' };
const changed = { kind: 'held', reason: 'existing-changed' };

/** A folder that is chosen with these files in it. */
const chosen = async (files: Record<string, string>, given: Parameters<typeof createWorld>[0] = {}) => {
  const world = createWorld(given);
  world.disk.make('/tray/sub', 'folder');
  for (const [name, text] of Object.entries(files)) world.disk.write(`/tray/${name}`, text);
  await world.clock.advance(minuteMs);
  const run = await world.start();
  await world.clock.advance(minuteMs);
  return { world, run };
};
const old = 'the old content';
/** What a restore writes: a file with another inode, and with the time of the lost one. */
const restore = (world: World, path: string, text: string, mtimeMs: number): void => {
  world.disk.replace(path, text);
  world.disk.age(path, mtimeMs);
};

test.each([
  ['the clock of this machine is two hours behind', -2 * hourMs],
  ['the clock of this machine is right', 0],
])('files that are in the folder when it is chosen are not uploaded (%s)', async (_, skewMs) => {
  const world = createWorld();
  await world.clock.advance(3 * hourMs);
  for (const name of ['a.txt', '.b.txt']) world.disk.write(`/tray/${name}`, name);
  world.disk.kind({ isShared: true });
  const setBack = world.clock.wallMs;
  world.clock.wallMs = () => setBack() + skewMs;
  const run = await world.start();
  await world.clock.advance(minuteMs);
  await run.call('settings.set', { name: 'includeHidden', value: true });
  await world.clock.advance(hourMs);
  expect(world.service.stored).toEqual([]);
  expect(['a.txt', '.b.txt'].map((name) => world.row(name).state)).toEqual([existing, existing]);
  await world.put('new.txt', 'new', 'uploaded', minuteMs);
});

describe.each(['while it runs', 'while it is stopped'] as const)('a file that was there, %s,', (when) => {
  const act = async (world: World, run: Running, change: () => void): Promise<void> => {
    if (when === 'while it is stopped') await run.stop();
    await world.clock.advance(minuteMs);
    change();
    await world.clock.advance(minuteMs);
    if (when === 'while it is stopped') await world.start();
    await world.clock.advance(hourMs);
  };

  test.each<[string, (world: World, mtimeMs: number) => void]>([
    ['gets other rights', ({ disk }) => disk.chmod('/tray/a.txt')],
    ['gets another time', ({ disk }) => disk.touch('/tray/a.txt')],
    ['gets an older time', ({ disk }, mtimeMs) => disk.age('/tray/a.txt', mtimeMs - hourMs)],
    ['is replaced by a copy of itself', ({ disk }) => disk.replace('/tray/a.txt', old)],
    ['is restored with its time', (world, mtimeMs) => restore(world, '/tray/a.txt', old, mtimeMs)],
    ['lies on a disk with other numbers', ({ disk }) => disk.renumber('/tray')],
  ])('%s: nothing happens', async (_, change) => {
    const { world, run } = await chosen({ 'a.txt': old });
    const mtimeMs = world.disk.mtimeMs('/tray/a.txt');
    const before = run.entries().length;
    await act(world, run, () => change(world, mtimeMs));
    expect(world.row('a.txt').state).toEqual(existing);
    expect(world.service.stored).toEqual([]);
    expect(world.ledger.entries.after(0, 1000).length).toBe(before);
  });

  test.each<[string, string, (world: World, mtimeMs: number) => void]>([
    ['restored with its time', 'a.txt', (world, at) => restore(world, '/tray/a.txt', old, at)],
    ['restored with a new time', 'a.txt', ({ disk }) => disk.write('/tray/a.txt', old)],
    ['restored elsewhere', 'b.txt', (world, at) => restore(world, '/tray/sub/b.txt', old, at)],
  ])('removed, and later %s: it is not uploaded', async (_, name, change) => {
    const { world, run } = await chosen({ 'a.txt': old });
    const mtimeMs = world.disk.mtimeMs('/tray/a.txt');
    world.disk.remove('/tray/a.txt');
    await world.clock.advance(hourMs);
    await act(world, run, () => change(world, mtimeMs));
    expect(world.row(name).state).toEqual(existing);
    expect(world.service.stored).toEqual([]);
  });

  test('copied under another name: the copy was there, too', async () => {
    const { world, run } = await chosen({ 'a.txt': old, 'other.txt': 'THE OLD CONTENT' });
    await act(world, run, () => world.disk.write('/tray/sub/copy.txt', old));
    expect(world.row('copy.txt').state).toEqual(existing);
    await world.put('same-size.txt', 'the new content', 'uploaded', minuteMs);
  });

  test('rewritten with another content: a person is asked', async () => {
    const { world, run } = await chosen({ 'a.txt': old });
    await act(world, run, () => world.disk.write('/tray/a.txt', 'a longer content than before'));
    expect(world.row('a.txt').state).toEqual(changed);
    expect(world.service.stored).toEqual([]);
  });
});

describe('among more than a thousand files of one size', () => {
  const nameOf = (n: number): string => `${n}.txt`.padStart(9, '0');
  const textOf = (n: number): string => `was there: ${nameOf(n)}`;
  const names = Array.from({ length: 1200 }, (_, n) => nameOf(n));

  test.each<[string, string, (world: World, mtimeMs: number) => void]>([
    ['a copy of the oldest', 'copy.txt', ({ disk }) => disk.write('/tray/sub/copy.txt', textOf(0))],
    ['a copy of the newest', 'copy.txt', ({ disk }) => disk.write('/tray/sub/copy.txt', textOf(1199))],
    [
      'the oldest, removed with the rest and restored with a new time,',
      nameOf(0),
      ({ disk }) => {
        for (const name of names) disk.remove(`/tray/${name}`);
        disk.write(`/tray/${nameOf(0)}`, textOf(0));
      },
    ],
    [
      'the oldest, removed with the rest and restored elsewhere with its time,',
      'copy.txt',
      (world, at) => {
        for (const name of names) world.disk.remove(`/tray/${name}`);
        restore(world, '/tray/sub/copy.txt', textOf(0), at);
      },
    ],
  ])('%s was there', async (_, name, change) => {
    const { world, run } = await chosen(Object.fromEntries(names.map((one, n) => [one, textOf(n)])));
    const mtimeMs = world.disk.mtimeMs(`/tray/${nameOf(0)}`);
    await run.stop();
    await world.clock.advance(minuteMs);
    change(world, mtimeMs);
    await world.start();
    await world.clock.advance(minuteMs);
    expect(world.row(name).state).toEqual(existing);
    await world.put('same-size.txt', textOf(0).toUpperCase(), 'uploaded', minuteMs);
    expect(world.service.stored).toHaveLength(1);
  });
});

test('hundreds of files that are restored together are no burst', async () => {
  const names = Array.from({ length: 300 }, (_, n) => `f${n}.txt`);
  const { world } = await chosen(Object.fromEntries(names.map((name) => [name, `was there: ${name}`])));
  for (const name of names) world.disk.remove(`/tray/${name}`);
  await world.clock.advance(hourMs);
  for (const name of names) world.disk.write(`/tray/${name}`, `was there: ${name}`);
  await world.clock.advance(hourMs);
  expect(world.running().engine.status().counts).toMatchObject({ held: 0 });
  expect(world.service.stored).toEqual([]);
});

test.each<[string, Parameters<typeof createWorld>[0]]>([
  ['cancelled', {}],
  ['held for its name', {}],
])('a file that a person %s gets other rights, and nothing happens', async (what) => {
  const { world, run } = await chosen({});
  await run.call('queue.pause', { untilMs: null });
  const name = what === 'cancelled' ? 'a.txt' : 'id_rsa';
  const { id } = await world.put(name, 'content', what === 'cancelled' ? 'ready' : 'held');
  if (what === 'cancelled') await run.call('queue.cancel', { ids: [id] });
  await run.call('queue.resume', {});
  await world.clock.advance(minuteMs);
  const { state } = world.row(name);
  const before = run.entries().length;
  world.disk.chmod(`/tray/${name}`);
  await world.clock.advance(hourMs);
  expect(world.row(name).state).toEqual(state);
  expect(run.entries()).toHaveLength(before);
  expect(world.service.stored).toEqual([]);
});

test('a copy of a file that was there stays back when the program ends while the two are compared', async () => {
  const text = `${'x'.repeat(20_000)} and the rest`;
  const { world, run } = await chosen({ 'old.bin': text });
  const { open } = world.disk.files;
  world.disk.files.open = async (file, root) => {
    const opened = await open(file, root);
    if (!file.endsWith('old.bin')) return opened;
    return {
      ...opened,
      async *pieces(signal) {
        await new Promise<void>((next) => signal.addEventListener('abort', () => next()));
        yield* opened.pieces(signal);
      },
    };
  };
  world.disk.write('/tray/copy.bin', text);
  await world.clock.advance(minuteMs);
  await run.stop();
  world.disk.files.open = open;
  await world.start();
  await world.clock.advance(hourMs);
  expect(world.row('copy.bin').state).toEqual(existing);
  expect(world.service.stored).toEqual([]);
});

test('a file that was there is read once, however many files of its size and beginning come', async () => {
  const head = 'x'.repeat(20_000);
  const { world } = await chosen({ 'a.bin': `${head}old`, 'b.bin': `${head}OLD` });
  const readings = (): number => world.disk.opened.filter((path) => /[ab]\.bin$/.test(path)).length;
  await world.put('new-1.bin', `${head}new`, 'uploaded', minuteMs);
  const first = readings();
  expect(first).toBeGreaterThan(0);
  for (const name of ['new-2.bin', 'new-3.bin'])
    await world.put(name, `${head}${name.slice(3, 6)}`, 'uploaded', minuteMs);
  expect(readings()).toBe(first);
  world.disk.write('/tray/copy.bin', `${head}OLD`);
  await world.clock.advance(minuteMs);
  expect(world.row('copy.bin').state).toEqual(existing);
  expect(readings()).toBe(first);
});
