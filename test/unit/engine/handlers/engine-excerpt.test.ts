// The line of a secret for the person who decides: read at that moment, from the version that is held, and from nothing else.
import { expect, test } from 'vitest';
import type { OpenFile } from '../../../../src-main/engine/ports/files.ts';
import { begin, type Running, type World } from '../../../support/fake-world.ts';

const secret = 'first line\nthe SECRET line';
const shown = { excerpt: 'the ••••••••' };
const none = { excerpt: null };

const held = async (): Promise<{
  world: World;
  run: Running;
  id: number;
  excerpt(of?: number): Promise<unknown>;
}> => {
  const { world, run } = await begin();
  const { id } = await world.put('notes.txt', secret, 'held');
  return { world, run, id, excerpt: (of = id) => run.call('queue.excerpt', { id: of }) };
};

/** Each file that is opened, and whether it was closed. */
const openings = (world: World, change: (file: OpenFile) => Partial<OpenFile> = () => ({})) => {
  const { files } = world.disk;
  const { open } = files;
  const seen = { opened: [] as string[], closed: 0 };
  files.open = async (path, root) => {
    seen.opened.push(path);
    const file = await open(path, root);
    const close = async (): Promise<void> => {
      seen.closed += 1;
      await file.close();
    };
    return { ...file, ...change(file), close };
  };
  return seen;
};

test('an excerpt shows the held version, and is stored nowhere', async () => {
  const { world, run, excerpt } = await held();
  const seen = openings(world);
  const before = { entries: run.entries().length, log: world.log.lines.length, row: world.row('notes.txt') };
  expect(await excerpt()).toEqual(shown);
  expect(await excerpt()).toEqual(shown);
  expect(seen).toEqual({ opened: ['/tray/notes.txt', '/tray/notes.txt'], closed: 2 });
  expect({ entries: run.entries().length, log: world.log.lines.length, row: world.row('notes.txt') }).toEqual(
    before,
  );
});

test('there is none for a file that is held for its name, has no line, is in a zip, is uploaded or unknown', async () => {
  const { world, run, excerpt } = await held();
  const named = await world.put('id_rsa', 'SECRET', 'held');
  const unread = await world.put('odd.txt', 'ENDLESS', 'held');
  const plain = await world.put('plain.txt', 'plain', 'uploaded');
  world.disk.make('/docs', 'folder');
  world.disk.write('/docs/b.txt', secret);
  await world.clock.advance(60_000);
  const { upload: zip } = await run.call('files.bundle', { paths: ['/docs'] });
  expect(zip.state).toMatchObject({ kind: 'held', reason: 'secret-content', inZip: { name: 'docs/b.txt' } });
  const seen = openings(world);
  for (const id of [named.id, unread.id, plain.id, zip.id, 9_999]) expect(await excerpt(id)).toEqual(none);
  expect(seen.opened).toEqual([]);
});

test('there is none for a file that has been replaced, changes while it is read, or is gone', async () => {
  const { world, excerpt } = await held();
  let change: (file: OpenFile) => Partial<OpenFile> = () => ({ unchanged: async () => false });
  const seen = openings(world, (file) => change(file));
  expect(await excerpt()).toEqual(none);
  change = (file) => ({ stamp: { ...file.stamp, key: 'another' } });
  expect(await excerpt()).toEqual(none);
  change = () => ({
    head: async () => {
      throw new Error('no');
    },
  });
  expect(await excerpt()).toEqual(none);
  expect(seen.closed).toBe(3);
  world.disk.lock('/tray/notes.txt', true);
  expect(await excerpt()).toEqual(none);
  world.disk.lock('/tray/notes.txt', false);
  change = () => ({});
  expect(await excerpt()).toEqual(shown);
  world.disk.remove('/tray/notes.txt');
  expect(await excerpt()).toEqual(none);
});

test('only the part that is searched for secrets is read', async () => {
  const { world, excerpt } = await held();
  const most: number[] = [];
  openings(world, (file) => ({
    head: async (bytes) => {
      most.push(bytes);
      return await file.head(bytes);
    },
  }));
  await excerpt();
  expect(most).toEqual([1024 * 1024]);
});

test('excerpts are read one after another, and a hung drive delays each for at most three seconds', async () => {
  const { world, run, id, excerpt } = await held();
  const other = await world.put('other.txt', secret, 'held');
  const answer = Promise.withResolvers<undefined>();
  let hangs = true;
  const seen = openings(world, (file) => ({
    head: async (bytes) => {
      if (hangs) await answer.promise;
      return await file.head(bytes);
    },
  }));
  const fromMs = world.clock.monoMs();
  expect(await Promise.all([excerpt(), excerpt(other.id)])).toEqual([none, none]);
  expect(world.clock.monoMs() - fromMs).toBe(3_000);
  expect(seen.opened).toEqual(['/tray/notes.txt']);
  hangs = false;
  answer.resolve(undefined);
  expect(await excerpt(other.id)).toEqual(shown);
  // A request that was given up meanwhile reads nothing.
  expect(seen.opened).toEqual(['/tray/notes.txt', '/tray/other.txt']);
  const asked = run.engine.handlers['queue.excerpt']({ id }, AbortSignal.abort());
  expect(await asked).toEqual(none);
  expect(seen.opened).toHaveLength(2);
});
