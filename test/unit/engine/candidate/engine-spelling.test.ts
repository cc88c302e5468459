// A given path may be spelled differently from the path in the file's row. Every command that takes paths still finds the
// file, and makes no second row or link.
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { describe, expect, test } from 'vitest';
import { namesWith } from '../../../../src-main/contract/catalogue/rows-with.ts';
import { commands } from '../../../../src-main/contract/commands.ts';
import { withSpelling } from '../../../../src-main/engine/candidate/spelling.ts';
import { begin, minuteMs, share, type Running, type World } from '../../../support/fake-world.ts';

const folding = async (): Promise<{ world: World; run: Running; fileId: FileId }> => {
  const both = await begin();
  both.world.disk.kind({ foldsNames: true });
  return { ...both, fileId: await share(both.world, 'File.txt', 'content') };
};
const other = '/TRAY/fILE.TXT';
const path = '/tray/File.txt';

describe('a path with different case, on a disk that ignores case,', () => {
  test('makes no second row for an uploaded file, inside or outside the folder', async () => {
    const { world, run } = await folding();
    world.disk.write('/else/Given.txt', 'given');
    for (const one of ['/else/Given.txt', '/ELSE/given.txt', other])
      await run.call('files.upload', { paths: [one] });
    await world.until('Given.txt', 'uploaded');
    expect(world.rows().map(({ dir, name }) => `${dir}/${name}`)).toEqual([path, '/else/Given.txt']);
    expect(world.service.count('upload')).toBe(2);
  });

  test.each<[string, (run: Running) => Promise<unknown>]>([
    ['file.why', (run) => run.call('file.why', { path: other })],
    ['report.copies', (run) => run.call('report.copies', { path: other }).then(({ links }) => links[0])],
    [
      'files.expire',
      (run) => run.call('files.expire', { files: [{ path: other }], expire: 'never' }).then(([one]) => one),
    ],
    [
      'files.follow',
      (run) => run.call('files.follow', { files: [{ path: other }] }).then(({ results }) => results[0]),
    ],
    ['files.plan', (run) => run.call('files.plan', { paths: [other] }).then(({ files }) => files[0])],
    ['files.recall', (run) => run.call('files.recall', { files: [{ path: other }] }).then(([one]) => one)],
  ])('is recognised by %s', async (_name, ask) => {
    const { run } = await folding();
    const answer = await ask(run);
    expect(answer).toMatchObject({ path });
    expect(JSON.stringify(answer)).not.toMatch(/"error":\{|does not know/);
  });

  test.each<[string, (world: World) => Promise<unknown> | void]>([
    ['before a scan sees that', () => undefined],
    ['and its row is no longer at the path', ({ clock }) => clock.advance(3_600_000)],
  ])('takes back the link of a deleted file, %s', async (_when, wait) => {
    const { world, run, fileId } = await folding();
    world.disk.remove(path);
    await wait(world);
    const [result] = await run.call('files.recall', { files: [{ path: other }] });
    expect(result).toMatchObject({ fileId, path, error: null, recalled: { dead: true } });
  });

  test('finds a deleted file that was only in a zip', async () => {
    const { world, run } = await folding();
    world.disk.write('/else/Packed.txt', 'packed');
    await run.call('files.bundle', { paths: ['/else/Packed.txt'] });
    world.disk.remove('/else/Packed.txt');
    const { sentence } = await run.call('file.why', { path: '/ELSE/packed.TXT' });
    expect(sentence).toContain('It was packed into');
  });

  test('pauses and removes a watched folder that is away', async () => {
    const { world, run } = await folding();
    world.disk.mount('gone');
    await run.call('folders.set', { folder: '/TRAY', name: 'paused', value: true });
    expect(await run.call('folders.remove', { folder: '/TRAY' })).toEqual([]);
  });
});

test('where the disk distinguishes case, a path with different case is another, unknown file', async () => {
  const { world, run } = await begin();
  await share(world, 'File.txt', 'content');
  const [result] = await run.call('files.recall', { files: [{ path: '/tray/FILE.TXT' }] });
  expect(result?.error?.code).toBe('not-found');
});

test('a file given through a link to its folder keeps its row from that folder', async () => {
  const { world, run } = await begin();
  const fileId = await share(world, 'a.txt', 'content');
  world.disk.swap('/link', '/tray');
  await run.call('files.upload', { paths: ['/link/a.txt'] });
  expect(world.rows()).toHaveLength(1);
  const [result] = await run.call('files.recall', { files: [{ path: '/link/a.txt' }] });
  expect(result).toMatchObject({ fileId, path: '/tray/a.txt', error: null });
});

test('a row recorded with a link in its path is still found by that path', async () => {
  const { world, run } = await begin();
  world.disk.write('/link/old.txt', 'old');
  await run.call('files.upload', { paths: ['/link/old.txt'] });
  const { fileId } = await world.until('old.txt', 'uploaded');
  world.disk.hardLink('/link/old.txt', '/real/old.txt');
  world.disk.swap('/link', '/real');
  const [result] = await run.call('files.recall', { files: [{ path: '/link/old.txt' }] });
  expect(result).toMatchObject({ fileId, error: null });
});

test('a file given again after its folder is moved and linked keeps its link, or gets a new one if it has changed', async () => {
  const { world, run } = await begin();
  world.disk.write('/home/old.txt', 'old');
  await run.call('files.upload', { paths: ['/home/old.txt'] });
  await world.until('old.txt', 'uploaded');
  world.disk.hardLink('/home/old.txt', '/moved/old.txt');
  world.disk.swap('/home', '/moved');
  await run.call('files.upload', { paths: ['/home/old.txt'] });
  await world.clock.advance(minuteMs);
  expect(world.service.count('upload')).toBe(1);
  world.disk.write('/moved/old.txt', 'changed');
  await run.call('files.upload', { paths: ['/home/old.txt'] });
  await world.clock.advance(minuteMs);
  expect(world.rows().map(({ dir, state }) => [dir, state.kind])).toContainEqual(['/moved', 'uploaded']);
  expect(world.service.count('upload')).toBe(2);
});

describe('when a folder above a file given by path is replaced by a link, nothing behind the link is uploaded', () => {
  const given = async (): Promise<{ world: World; run: Running }> => {
    const both = await begin();
    both.world.disk.write('/home/docs/a.txt', 'ours');
    both.world.disk.write('/secret/docs/a.txt', 'not ours');
    both.world.disk.write('/secret/a.txt', 'not ours');
    return both;
  };

  test.each([
    ['/home/docs', '/secret/docs'],
    ['/home', '/secret'],
  ])('%s by %s, while the file waits', async (from, to) => {
    const { world, run } = await given();
    await run.call('queue.pause', { untilMs: null });
    await run.call('files.upload', { paths: ['/home/docs/a.txt'] });
    await world.until('a.txt', 'ready');
    const undo = world.disk.swap(from, to);
    await run.call('queue.resume', {});
    const { state, id } = await world.until('a.txt', 'failed');
    expect(state).toMatchObject({
      code: 'outside',
      message: 'A folder above /home/docs/a.txt was replaced by a link.',
    });
    expect(world.service.count('upload')).toBe(0);
    undo();
    await run.call('queue.retry', { ids: [id] });
    await world.until('a.txt', 'uploaded');
  });

  test.each(['/home/docs', '/home'])('%s, when the file is opened', async (from) => {
    const { world, run } = await given();
    world.disk.raceAtOpen(() => {
      world.disk.swap(from, from === '/home' ? '/secret' : '/secret/docs');
      world.disk.raceAtOpen(() => null);
      return null;
    });
    await run.call('files.upload', { paths: ['/home/docs/a.txt'] });
    await world.until('a.txt', 'failed');
    expect(world.service.count('upload')).toBe(0);
  });

  test('when it is packed', async () => {
    const { world, run } = await given();
    world.disk.raceAtOpen(() => {
      world.disk.swap('/home/docs', '/secret/docs');
      world.disk.raceAtOpen(() => null);
      return null;
    });
    const packing = run.call('files.bundle', { paths: ['/home/docs/a.txt'] });
    await expect(packing).rejects.toMatchObject({ code: 'outside' });
    expect(world.service.count('upload')).toBe(0);
  });
});

/** The keys at which the schema of an input takes a path. */
const pathKeys = (schema: unknown, key = ''): string[] => {
  const { entries, options, item, wrapped, pipe } = Object(schema) as {
    entries?: object;
    options?: unknown[];
    item?: unknown;
    wrapped?: unknown;
    pipe?: unknown[];
  };
  const rules = (pipe ?? []) as { requirement?: unknown }[];
  if (rules.some(({ requirement }) => requirement === 32_768)) return [key];
  const inside = [...(options ?? []), item, wrapped, ...(pipe ?? [])].filter(
    (one: unknown) => one !== undefined && one !== schema && typeof one === 'object',
  );
  return [
    ...Object.entries(entries ?? {}).flatMap(([name, one]) => pathKeys(one, name)),
    ...inside.flatMap((one: unknown) => pathKeys(one, key)),
  ];
};

test('every command that takes the path of a file resolves its spelling', async () => {
  const names = namesWith(commands, { handledBy: 'engine' });
  const taking = names.filter((name) =>
    pathKeys(commands[name].schema).some((key) => !['folder', 'roots', 'existing', 'allBut'].includes(key)),
  );
  const handlers = Object.fromEntries(names.map((name) => [name, () => null])) as never;
  const spelled = withSpelling(handlers, async (paths) => [...paths]);
  expect(names.filter((name) => spelled[name] !== handlers[name])).toEqual(
    taking.filter((name) => name !== 'folders.add'),
  );
  expect(taking).toContain('files.upload');
});
