// Another drive at the path of the chosen folder. Device and inode numbers are reused, so they prove nothing:
// the mount does, or the files that are known.
import { describe, expect, test } from 'vitest';
import { isDeep } from '../../../support/deep.ts';
import { begin, createWorld, hourMs, minuteMs, share, type World } from '../../../support/fake-world.ts';

type Run = ReturnType<World['make']>;

const started = async (world: World, identity: string) => {
  world.disk.identify(identity);
  const run = await world.start();
  return run;
};

const swapped = (world: World, identity: string): void => {
  world.disk.identify(identity);
  world.disk.remove('/tray/shared.txt');
  world.disk.write('/tray/private.txt', 'of another drive');
};

/** Outtray shared one file and stopped; then another drive took the place of its folder. `meanwhile`: what else it did. */
const exchangedWhileStopped = async (
  identity = '50:0:0:',
  then = identity,
  meanwhile: (world: World) => Promise<unknown> = () => Promise.resolve(),
): Promise<World> => {
  const world = createWorld();
  const run = await started(world, identity);
  await share(world, 'shared.txt');
  await meanwhile(world);
  await run.stop();
  swapped(world, then);
  return world;
};

/** `folder` null: for files that are given by path. It may be refused. */
const startedAgain = async (world: World, folder: string | null): Promise<Run> => {
  const run = world.make();
  await world.during(run.engine.start({ folder, existing: 'skip' }).catch(() => undefined));
  return run;
};

/** The place of the folder is looked at every few seconds. */
const longMs = isDeep ? hourMs : 10 * minuteMs;

/** Later another process begins to watch, and works as long. */
const watchedLater = async (world: World, run: Run): Promise<Run> => {
  await world.clock.advance(longMs);
  await world.during(run.engine.stop());
  const last = await startedAgain(world, '/tray');
  await world.clock.advance(longMs);
  return last;
};

const a = 'from=fuse.sshfs ada@host:/srv/a';
const b = 'from=fuse.sshfs ada@host:/srv/b';

describe.each([
  ['another server', `50:0:0:${a}`, `50:0:0:${b}`],
  ['another server that is mounted under a name of no meaning', '50:0:0:', '50:0:0:'],
  ['the same name of a server with none of the known files', `50:0:0:${a}`, `50:0:0:${a}`],
  ['another stick with the same numbers', '70:2:1000:uuid=ab', '70:2:1000:uuid=cd'],
  ['another image that was made in the same second', '70:2:1000000000:', '70:2:1000000000:'],
  ['an older row, and a drive with its device and inode', '50:1:0', `50:0:0:${b}`],
])('%s', (_, identity, then) => {
  test('waits for a person after a start, and none of its files is uploaded', async () => {
    const world = await exchangedWhileStopped(identity, then);
    const again = world.make();
    await expect(
      world.during(again.engine.start({ folder: '/tray', existing: 'skip' })),
    ).rejects.toMatchObject({ code: 'folder-unavailable', message: /not look like the folder/ });
    await world.clock.advance(hourMs);
    expect(world.service.namesOf()).toEqual(['shared.txt']);
    expect(world.row('shared.txt').present).toBe(true);
  });

  test.each([
    ['a start', '/tray'],
    ['a start for files given by path', null],
  ])('a file that settled before a stop waits after %s, whatever lies at its path', async (_, folder) => {
    const world = await exchangedWhileStopped(identity, then, (first) =>
      first.put('a.txt', 'of the first drive', 'settling'),
    );
    world.disk.write('/tray/a.txt', 'private, of another drive');
    // The file of the other drive does not count as a known file of this folder.
    const last = await watchedLater(world, await startedAgain(world, folder));
    expect(world.service.namesOf()).toEqual(['shared.txt']);
    expect(last.engine.status()).toMatchObject({ folderAvailable: false });
  });
});

test('confirming a file of another drive while nothing watches does not make that drive the known one', async () => {
  const world = await exchangedWhileStopped('50:0:0:', '50:0:0:', (first) =>
    first.put('id_rsa', 'of the first drive', 'held'),
  );
  world.disk.write('/tray/id_rsa', 'private, of another drive');
  const here = await startedAgain(world, null);
  await here.call('queue.confirm', { ids: [world.row('id_rsa').id] });
  await watchedLater(world, here);
  expect(world.service.namesOf()).toEqual(['shared.txt']);
});

test.each(['a.txt', 'shared.txt'])(
  '%s of another drive, given by path, does not make that drive the known one',
  async (name) => {
    const world = await exchangedWhileStopped();
    world.disk.write(`/tray/${name}`, 'of another drive, given');
    const here = await startedAgain(world, null);
    await here.call('files.upload', { paths: [`/tray/${name}`] });
    await watchedLater(world, here);
    expect(world.service.namesOf()).toEqual(['shared.txt', name]);
  },
);

describe.each([
  ['watches', '/tray'],
  ['does not watch', null],
])('where a process %s', (_, folder) => {
  test.each(['else.txt', 'shared.txt'])(
    'a file of another drive with known content, given by path as %s, does not make that drive the known one',
    async (name) => {
      const world = await exchangedWhileStopped();
      await world.clock.advance(minuteMs);
      world.disk.write(`/tray/${name}`, 'shared.txt');
      const here = await startedAgain(world, folder);
      await here.call('files.upload', { paths: [`/tray/${name}`] });
      await world.clock.advance(hourMs);
      // The link is offered, no other is made.
      expect(world.row(name).state).toEqual({ kind: 'skipped', rule: 'already-shared' });
      const last = await watchedLater(world, here);
      expect(world.service.namesOf()).toEqual(['shared.txt']);
      expect(last.engine.status()).toMatchObject({ folderAvailable: false });
    },
  );

  test('many settled files wait for the first drive in few transactions, and are uploaded when it is back', async () => {
    const world = createWorld({ settings: { burstFiles: 10_000 } });
    const run = await started(world, '50:0:0:');
    await share(world, 'shared.txt');
    await run.call('queue.pause', { untilMs: null });
    const names = Array.from({ length: isDeep ? 300 : 100 }, (_one, at) => `f${String(at)}.txt`);
    const last = names.at(-1) ?? '';
    for (const name of names) world.disk.write(`/tray/${name}`, name);
    await world.until(last, 'settling');
    await run.stop();
    for (const name of [...names, 'shared.txt']) world.disk.rename(`/tray/${name}`, `/first/${name}`);
    world.disk.write('/tray/private.txt', 'of another drive');
    let transactions = 0;
    const { atomically } = world.ledger;
    world.ledger.atomically = (work) => {
      transactions += 1;
      return atomically(work);
    };
    await startedAgain(world, folder);
    await world.until(last, 'waiting');
    expect(transactions).toBeLessThan(names.length + 50);
    await world.clock.advance(minuteMs);
    world.disk.rename('/tray/private.txt', '/other/private.txt');
    for (const name of [...names, 'shared.txt']) world.disk.rename(`/first/${name}`, `/tray/${name}`);
    await world.clock.advance(minuteMs);
    expect(world.rows().filter(({ state }) => state.kind === 'ready')).toHaveLength(names.length);
  });
});

test("a plan, the list of folders and a preview report another drive in the folder's place, as the start does", async () => {
  const world = await exchangedWhileStopped();
  const here = await startedAgain(world, '/tray');
  await expect(here.call('files.plan', { paths: ['/tray'] })).rejects.toMatchObject({
    code: 'folder-unavailable',
  });
  expect(await here.call('folders.list', {})).toMatchObject([{ folder: '/tray', available: false }]);
  expect(await here.call('folder.inspect', { folder: '/tray' })).toMatchObject({ known: false });
});

test('a folder whose only known file was just edited is available to a process beside the one that watches it', async () => {
  const world = createWorld();
  await started(world, `50:0:0:${a}`);
  await share(world, 'shared.txt');
  world.disk.write('/tray/shared.txt', 'edited on another machine');
  const beside = world.make('guest:1');
  expect(await beside.call('folders.list', {})).toMatchObject([{ folder: '/tray', available: true }]);
  expect(await beside.call('files.plan', { paths: ['/tray'] })).toMatchObject({
    files: [{ verdict: 'upload' }],
  });
});

test('another drive that replaces the watched one makes the folder lost until a person chooses it', async () => {
  const world = createWorld();
  const run = await started(world, `50:0:0:${a}`);
  await share(world, 'shared.txt');
  swapped(world, `50:0:0:${b}`);
  await world.clock.advance(hourMs);
  expect(run.engine.status()).toMatchObject({ folderAvailable: false });
  await world.during(run.call('settings.set', { name: 'folder', value: '/tray' }));
  await world.clock.advance(hourMs);
  expect(run.engine.status()).toMatchObject({ folderAvailable: true });
  expect(world.row('private.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
  await world.put('later.txt', 'later', 'uploaded', minuteMs);
});

test('no file behind a link that replaces the folder is sent, and the waiting file is uploaded when the link is gone', async () => {
  const { world, run } = await begin();
  await run.call('queue.pause', { untilMs: null });
  await world.put('a.txt', 'ours', 'ready');
  world.disk.write('/else/a.txt', 'private');
  const undo = world.disk.swap('/tray', '/else');
  await run.call('queue.resume', {});
  await world.clock.advance(hourMs);
  expect(world.service.stored).toEqual([]);
  expect(run.engine.status()).toMatchObject({ folderAvailable: false });
  undo();
  await world.until('a.txt', 'uploaded', hourMs);
  expect(world.service.stored).toHaveLength(1);
  expect(world.service.stored[0]?.sha256).toBe(world.row('a.txt').sha256);
});

describe('another drive that replaces a watched drive without a hint', () => {
  const watched = async () => {
    const world = createWorld();
    world.disk.mounts('one', 'one');
    const run = await started(world, '50:0:0:');
    await share(world, 'shared.txt');
    return { world, run };
  };
  const exchanged = (world: World): void => {
    world.disk.mounts('two', 'two');
    swapped(world, '50:0:0:');
  };

  test('makes the files wait for a person', async () => {
    const { world, run } = await watched();
    exchanged(world);
    await world.clock.advance(hourMs);
    expect(world.service.namesOf()).toEqual(['shared.txt']);
    expect(run.engine.status()).toMatchObject({ folderAvailable: false });
    expect(world.row('shared.txt').present).toBe(true);
  });

  test('makes a file that settles just then wait', async () => {
    const { world } = await watched();
    world.disk.write('/tray/private.txt', 'of the first drive');
    await world.clock.advance(100);
    exchanged(world);
    await world.clock.advance(hourMs);
    expect(world.service.namesOf()).toEqual(['shared.txt']);
  });

  test('counts as the folder if it has the known files', async () => {
    const { world, run } = await watched();
    world.disk.mounts('two', 'two');
    await world.clock.advance(minuteMs);
    expect(run.engine.status()).toMatchObject({ folderAvailable: true });
    await world.put('next.txt', 'next', 'uploaded', minuteMs);
  });
});

test('a file of another drive with the same name, size, times and numbers as a file that may be sent is not sent', async () => {
  const world = createWorld();
  const run = await started(world, '70:2:1000:uuid=ab');
  await run.call('queue.pause', { untilMs: null });
  await world.put('a.txt', 'of the first drive', 'ready');
  // No event reports it.
  world.disk.identify('70:2:1000:uuid=cd');
  await run.call('queue.resume', {});
  await world.clock.advance(hourMs);
  expect(world.service.namesOf()).toEqual([]);
  expect(world.row('a.txt').state).toMatchObject({ kind: 'waiting', reason: 'folder' });
});

describe.each([
  ['a server, mounted again', `50:0:0:${a}`, `57:0:0:${a}`],
  ['a drive of which nothing tells, with its known files', '50:0:0:', '57:0:0:'],
  ['a stick that was plugged in again', '70:0:0:uuid=ab', '71:0:0:uuid=ab'],
  ['a folder that an older version has chosen', '50:99:1001', '51:99:1001:uuid=ab'],
  ['a server that an older version has chosen', '50:1:0', `51:0:0:${a}`],
])('%s', (_, identity, then) => {
  test('is watched without a question, and the new identity is recorded', async () => {
    const world = createWorld();
    const run = await started(world, identity);
    await share(world, 'shared.txt');
    await run.stop();
    world.disk.identify(then);
    const again = await world.start();
    expect(again.engine.status()).toMatchObject({ folderAvailable: true });
    expect(world.ledger.folders.byPath('/tray')?.identity).toBe(then);
    await world.put('next.txt', 'next', 'uploaded', minuteMs);
    expect(world.service.namesOf()).toEqual(['shared.txt', 'next.txt']);
  });
});
