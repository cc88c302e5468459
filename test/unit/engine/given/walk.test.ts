// Folders that are given: `upload --recursive`, a zip and a plan leave out the same files.
import { expect, test } from 'vitest';
import { begin, createWorld, type Running, type World } from '../../../support/fake-world.ts';

const names = {
  goes: ['a.txt', 'My.Projects/b.txt', 'cafe.deadbeef/deep/c.txt', 'tray/d.txt', 'server.pem'],
  stays: [
    ...['draft.psd', 'My.Projects/draft.psd', 'cafe.deadbeef/deep/draft.psd', 'build/x.txt', '.profile'],
    ...[
      'My.Projects/.git/config',
      'My.Projects/a.tmp',
      'x.part',
      'My.Projects/lost+found/x',
      'iso',
      'iso.aria2',
    ],
    ...['unfinished/a.bin', 'unfinished.aria2', '.outtray/ledger.db', '.outtray/spool/1/secret.txt'],
    // By the rules of the watched folder below.
    ...['tray/own.raw', 'tray/sub.folder/own.raw'],
  ],
};

const doors: Record<string, (run: Running, world: World) => Promise<string[]>> = {
  async each(run) {
    return (await run.call('files.walk', { paths: ['/home/me'] })).paths;
  },
  async zip(run, world) {
    await run.call('files.bundle', { paths: ['/home/me'], name: 'z' });
    return world.ledger.bundled.pathsIn(world.row('z.zip').id);
  },
  async plan(run) {
    const { files } = await run.call('files.plan', { paths: ['/home/me'] });
    return files.filter(({ verdict }) => verdict !== 'skipped').map(({ path }) => path);
  },
};

test.each(Object.keys(doors))('a given folder has the same files in it: %s', async (door) => {
  const { world, run } = await begin(
    { settings: { folder: '/home/me/tray', ignore: ['*.psd', 'build/'], recursive: true } },
    ({ disk }) => {
      const all = [...names.goes, ...names.stays].map((name) => `/home/me/${name}`);
      const above = all.flatMap((path) =>
        [...path.matchAll(/(?<=.)\//g)].map(({ index }) => path.slice(0, index)),
      );
      for (const folder of new Set(above)) disk.make(folder, 'folder');
      for (const path of all) disk.write(path, path);
    },
    { folder: '/home/me/tray' },
  );
  await run.call('folders.set', { folder: '/home/me/tray', name: 'ignore', value: ['*.raw'] });
  await run.call('queue.pause', { untilMs: null });
  const found = await doors[door]?.(run, world);
  expect(found?.toSorted()).toEqual(names.goes.map((name) => `/home/me/${name}`).sort());
});

test.each(Object.keys(doors))(
  'our own data in a given folder stay out, hidden files included: %s',
  async (door) => {
    const { world, run } = await begin(
      { settings: { folder: '/home/me/tray', includeHidden: true, recursive: true } },
      ({ disk }) => {
        for (const at of ['', '/.outtray', '/.outtray/spool', '/other', '/tray'])
          disk.make(`/home/me${at}`, 'folder');
        for (const name of ['.outtray/ledger.db', '.outtray/spool/secret.txt', 'other/.profile'])
          disk.write(`/home/me/${name}`, name);
      },
      { folder: '/home/me/tray' },
    );
    await run.call('queue.pause', { untilMs: null });
    expect(await doors[door]?.(run, world)).toEqual(['/home/me/other/.profile']);
  },
);

test('our own folder in a given one is named as ours, and stays out of a zip as ours', async () => {
  const { run } = await begin({}, ({ disk }) => {
    for (const at of ['', '/.outtray']) disk.make(`/home/me${at}`, 'folder');
    for (const name of ['a.txt', '.outtray/ledger.db']) disk.write(`/home/me/${name}`, name);
  });
  const leftOut = [{ why: 'own', count: 1, paths: ['/home/me/.outtray'] }];
  expect(await run.call('files.walk', { paths: ['/home/me'] })).toMatchObject({ leftOut });
  expect(await run.call('files.bundle', { paths: ['/home/me'] })).toMatchObject({ leftOut });
});

test('of a given folder each file is named that is left out or cannot be read, and the others beside them are not lost', async () => {
  const { run } = await begin({ settings: { ignore: ['*.psd'] } }, ({ disk }) => {
    for (const at of ['', '/b', '/locked']) disk.make(`/docs${at}`, 'folder');
    for (const name of ['a.txt', '.hidden', 'b/c.psd', 'b/d.txt', 'e.part', 'locked/f.txt'])
      disk.write(`/docs/${name}`, name);
    disk.make('/docs/latest', 'link');
    disk.hide('/docs/locked', true);
  });
  const named = (why: string, path: string) => ({ why, count: 1, paths: [path] });
  expect(await run.call('files.walk', { paths: ['/docs', '/docs/latest', '/docs/gone'] })).toEqual({
    paths: ['/docs/a.txt', '/docs/b/d.txt', '/docs/latest', '/docs/gone'],
    leftOut: [
      named('hidden', '/docs/.hidden'),
      named('ignored', '/docs/b/c.psd'),
      named('partial', '/docs/e.part'),
      named('link', '/docs/latest'),
    ],
    unreadable: [{ path: '/docs/locked', message: 'no permission' }],
  });
});

test.each<[string, (run: Running) => Promise<unknown>]>([
  ['is given', (run) => run.call('files.walk', { paths: ['/many'] })],
  ['may be chosen', (run) => run.call('folder.inspect', { folder: '/many' })],
])('a folder of many files that %s does not hold up other work', async (_, look) => {
  const world = createWorld();
  world.disk.make('/many', 'folder');
  for (let n = 0; n < 500; n += 1) world.disk.write(`/many/${n}.txt`, String(n));
  const { monoMs, after } = world.clock;
  let [spentMs, pauses] = [0, 0];
  world.clock.monoMs = () => monoMs() + (spentMs += 4);
  world.clock.after = (delayMs, act) => {
    if (delayMs === 0) pauses += 1;
    return after(delayMs, act);
  };
  await look(world.make());
  expect(pauses).toBeGreaterThan(8);
});
