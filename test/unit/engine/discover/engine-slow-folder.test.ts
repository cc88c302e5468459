// A folder that is slow to list, or does not answer at all, delays its own files only.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { createWorld, hourMs, minuteMs, type Running, type World } from '../../../support/fake-world.ts';
import { folderOf, several } from '../../../support/several-folders.ts';

const seconds = 1000;
type Part = 'list' | 'look' | 'identify';

type Drive = { answer(): void; answerOnce(): void; asked(): number };

/** From now on this call of the disk waits for all paths of `folder`. Returns what lets it answer. */
const stall = (world: World, folder: string, part: Part = 'list'): Drive => {
  const files = world.disk.files;
  let isAnswering = false;
  const waiting: (() => void)[] = [];
  let asked = 0;
  const wait = async (path: string): Promise<void> => {
    if (isAnswering || (path !== folder && !path.startsWith(`${folder}/`))) return;
    asked += 1;
    await new Promise<void>((answered) => void waiting.push(answered));
  };
  const { list, look, identify } = files;
  if (part === 'list')
    files.list = async (dir, isUnchanged) => {
      await wait(dir);
      return await list(dir, isUnchanged);
    };
  if (part === 'look')
    files.look = async (path) => {
      await wait(path);
      return await look(path);
    };
  if (part === 'identify')
    files.identify = async (dir) => {
      await wait(dir);
      return await identify(dir);
    };
  return {
    answer() {
      isAnswering = true;
      for (const answered of waiting) answered();
    },
    answerOnce: () => waiting.shift()?.(),
    asked: () => asked,
  };
};

/** Each listing in `folder` takes this long. */
const slowList = (world: World, folder: string, ms: number): void => {
  const { list } = world.disk.files;
  world.disk.files.list = async (dir, isUnchanged) => {
    if (dir === folder || dir.startsWith(`${folder}/`))
      await new Promise<void>((listed) => void world.clock.after(ms, listed));
    return await list(dir, isUnchanged);
  };
};

const uploaded = (world: World): string[] => world.service.namesOf();

/** Uploads a file of another folder, and one that is given by path. Both take as long as beside quick folders. */
const expectOthersGo = async (world: World, run: Running): Promise<void> => {
  world.disk.write('/tray/beside.txt', 'beside');
  world.disk.write('/elsewhere/given.txt', 'given');
  const before = uploaded(world).length;
  void run.client.call('files.upload', { paths: ['/elsewhere/given.txt'] });
  await world.clock.advance(2 * seconds);
  expect(uploaded(world).slice(before).toSorted()).toEqual(['beside.txt', 'given.txt']);
};

describe('while a folder does not answer', () => {
  test.each<[string, (world: World, run: Running) => Drive[]]>([
    [
      'at a scan',
      (world, run) => {
        const drive = stall(world, '/b');
        void run.client.call('folder.scan', {});
        return [drive];
      },
    ],
    [
      'below its first level',
      (world, run) => {
        const drive = stall(world, '/b/sub');
        void run.client.call('folder.scan', {});
        return [drive];
      },
    ],
    [
      'at a hint of a new file',
      (world) => {
        const drive = stall(world, '/b', 'look');
        world.disk.write('/b/new.txt', 'new');
        return [drive];
      },
    ],
    [
      'at the question whether it is there',
      (world) => {
        const drive = stall(world, '/b', 'identify');
        world.disk.write('/b/new.txt', 'new');
        return [drive];
      },
    ],
    [
      'together with another one',
      (world, run) => {
        const drives = [stall(world, '/b'), stall(world, '/c')];
        void run.client.call('folder.scan', {});
        return drives;
      },
    ],
    [
      'when it is added',
      (world, run) => {
        world.disk.make('/d', 'folder');
        const drive = stall(world, '/d');
        void run.client.call('folders.add', { folder: { path: '/d' }, existing: 'skip' });
        return [drive];
      },
    ],
    [
      'after its rules have changed',
      (world, run) => {
        const drive = stall(world, '/b');
        void run.client.call('folders.set', { folder: '/b', name: 'ignore', value: ['*.log'] });
        return [drive];
      },
    ],
  ])('%s, files elsewhere are uploaded in their usual time', async (_, act) => {
    const { world, run } = await several({}, ({ disk }) => disk.make('/b/sub', 'folder'));
    const drives = act(world, run);
    await world.clock.advance(seconds);
    for (const drive of drives) expect(drive.asked()).toBeGreaterThan(0);
    await expectOthersGo(world, run);
    for (const drive of drives) drive.answer();
  });

  test('at the start, files elsewhere are uploaded in their usual time', async () => {
    const world = createWorld({ settings: { folders: ['/b'] } });
    world.disk.make('/b', 'folder');
    const drive = stall(world, '/b');
    await world.clock.advance(minuteMs);
    const run = world.make();
    void run.engine.start({ folder: '/tray', existing: 'skip' });
    await world.clock.advance(seconds);
    expect(drive.asked()).toBeGreaterThan(0);
    expect(run.engine.status().watch).toBe('scanning');
    await expectOthersGo(world, run);
    drive.answer();
    await world.clock.advance(seconds);
    expect(folderOf(run, '/b')?.available).toBe(true);
    world.disk.write('/b/after.txt', 'after');
    await world.until('after.txt', 'uploaded');
  });

  test('as a share that is scanned each minute, files elsewhere are uploaded in their usual time', async () => {
    const { world, run } = await several({}, ({ disk }) => disk.kind({ isShared: true }));
    const drive = stall(world, '/b');
    await world.clock.advance(5 * minuteMs);
    expect(drive.asked()).toBe(1);
    await expectOthersGo(world, run);
  });

  test('its own files are uploaded as soon as it answers', async () => {
    const { world, run } = await several();
    const drive = stall(world, '/b');
    void run.client.call('folder.scan', {});
    await world.clock.advance(seconds);
    world.disk.write('/b/own.txt', 'own');
    await world.clock.advance(10 * minuteMs);
    expect(uploaded(world)).toEqual([]);
    drive.answer();
    await world.until('own.txt', 'uploaded', 2 * seconds);
  });

  test('a file in it that is given by path is uploaded in its usual time', async () => {
    const { world, run } = await several();
    world.disk.hints(false);
    world.disk.write('/b/given.txt', 'given');
    const drive = stall(world, '/b');
    void run.client.call('folder.scan', {});
    await world.clock.advance(seconds);
    void run.client.call('files.upload', { paths: ['/b/given.txt'] });
    await world.clock.advance(2 * seconds);
    expect(uploaded(world)).toEqual(['given.txt']);
    drive.answer();
    await world.clock.advance(minuteMs);
    expect(uploaded(world)).toEqual(['given.txt']);
    expect(world.rows()).toHaveLength(1);
  });

  test.each<[string, string, number, (world: World) => void]>([
    ['settled before', '/b', 100, () => undefined],
    ['was found by that listing', '/b/sub', 0, ({ disk }) => disk.hints(false)],
    [
      'was looked into meanwhile',
      '/b',
      seconds,
      ({ clock, inspect }) => {
        const { findIn } = inspect;
        inspect.findIn = async (text) => {
          await new Promise<void>((next) => void clock.after(2 * seconds, next));
          return await findIn(text);
        };
      },
    ],
  ])('a file that %s and is then given by path is uploaded soon', async (_, slow, afterMs, act) => {
    const { world, run } = await several({}, ({ disk }) => disk.make('/b/sub', 'folder'));
    act(world);
    world.disk.write('/b/own.txt', 'own');
    await world.clock.advance(afterMs);
    stall(world, slow);
    void run.client.call('folder.scan', {});
    await world.clock.advance(5 * seconds);
    expect(world.row('own.txt').state.kind).toBe('settling');
    void run.client.call('files.upload', { paths: ['/b/own.txt'] });
    await world.clock.advance(3 * seconds);
    expect(uploaded(world)).toEqual(['own.txt']);
  });

  test('a pre-existing file that was away for a while and is renamed and written anew elsewhere is asked about', async () => {
    const { world, run } = await several({}, ({ disk }) => disk.write('/tray/old.txt', 'old'));
    stall(world, '/b');
    void run.client.call('folder.scan', {});
    await world.clock.advance(seconds);
    world.disk.rename('/tray/old.txt', '/away.txt');
    await world.until('old.txt', 'gone');
    world.disk.rename('/away.txt', '/tray/old.txt');
    await world.until('old.txt', 'skipped');
    // As an editor does that keeps a backup.
    world.disk.hints(false);
    world.disk.rename('/tray/old.txt', '/tray/backup.txt');
    world.disk.write('/tray/old.txt', 'old and changed');
    void run.client.call('folder.scan', {});
    await world.clock.advance(minuteMs);
    expect(uploaded(world)).toEqual([]);
    expect(world.row('old.txt').state).toEqual({ kind: 'held', reason: 'existing-changed' });
    expect(world.row('backup.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
  });

  test.each<[string, (world: World, run: Running) => unknown, 'gone' | 'waiting']>([
    ['removed', (_, run) => run.call('folders.remove', { folder: '/b' }), 'gone'],
    ['lost', ({ disk }) => disk.takeAway('/b', true), 'waiting'],
  ])('and is %s, its files do not settle for ever', async (_, act, kind) => {
    const { world, run } = await several();
    stall(world, '/b');
    world.disk.write('/b/own.txt', 'own');
    await world.until('own.txt', 'settling', seconds);
    void run.client.call('folder.scan', {});
    await world.clock.advance(seconds);
    expect(world.row('own.txt').state.kind).toBe('settling');
    await act(world, run);
    run.engine.resumed();
    await world.until('own.txt', kind, minuteMs);
  });

  test('it is listed once at a time, however often that is requested', async () => {
    const { world, run } = await several();
    const drive = stall(world, '/b');
    for (let n = 0; n < 5; n += 1) {
      void run.client.call('folder.scan', {});
      world.disk.write(`/b/${n}.txt`, `${n}`);
      await world.clock.advance(seconds);
    }
    expect(drive.asked()).toBe(1);
    drive.answer();
    await world.clock.runUntil(() => uploaded(world).length === 5, minuteMs);
  });

  test('the engine takes no turn after turn', async () => {
    const { world, run } = await several();
    await world.put('b.txt', 'content', 'uploaded');
    world.disk.write('/b/settles.txt', 'settles');
    await world.clock.advance(100);
    stall(world, '/b');
    void run.client.call('folder.scan', {});
    await world.clock.advance(seconds);
    const { byId } = world.ledger.uploads;
    let read = 0;
    world.ledger.uploads.byId = (id) => {
      read += 1;
      return byId(id);
    };
    await world.clock.advance(10 * seconds);
    expect(read).toBeLessThan(20);
    expect(world.row('settles.txt').state.kind).toBe('settling');
  });
});

describe('a listing that is answered late', () => {
  const insertedIn = (world: World, dir: string): string[] => {
    const states: string[] = [];
    const { insert } = world.ledger.uploads;
    world.ledger.uploads.insert = (draft, nowMs) => {
      if (draft.dir.startsWith(dir)) states.push(draft.state.kind);
      return insert(draft, nowMs);
    };
    return states;
  };
  /** A file has come and one has gone since the last scan of `/b`, and its listing waits. */
  const beginLate = async () => {
    const { world, run } = await several({}, ({ disk }) => disk.write('/b/old.txt', 'old'));
    world.disk.hints(false);
    world.disk.write('/b/new.txt', 'new');
    world.disk.remove('/b/old.txt');
    const drive = stall(world, '/b');
    void run.client.call('folder.scan', {});
    await world.clock.advance(seconds);
    expect(drive.asked()).toBe(1);
    return { world, run, drive, states: insertedIn(world, '/b') };
  };

  test('writes nothing for a folder that was removed meanwhile', async () => {
    const { world, run, drive, states } = await beginLate();
    await run.call('folders.remove', { folder: '/b' });
    drive.answer();
    await world.clock.advance(hourMs);
    expect(states).toEqual([]);
    expect(world.row('old.txt').present).toBe(true);
  });

  test('writes nothing for a folder that was removed and added again meanwhile, and the next one does', async () => {
    const { world, run, drive, states } = await beginLate();
    await run.call('folders.remove', { folder: '/b' });
    void run.client.call('folders.add', { folder: { path: '/b' }, existing: 'skip' });
    await world.clock.advance(minuteMs);
    expect(states).toEqual([]);
    drive.answer();
    await world.until('new.txt', 'uploaded', 10 * seconds);
    expect(states).toEqual(['settling']);
    expect(world.row('old.txt').present).toBe(false);
  });

  test('writes nothing by earlier rules', async () => {
    const { world, run, drive, states } = await beginLate();
    void run.client.call('folders.set', { folder: '/b', name: 'ignore', value: ['new.*'] });
    await world.clock.advance(seconds);
    drive.answerOnce();
    await world.clock.advance(minuteMs);
    expect(drive.asked()).toBe(2);
    expect(states).toEqual([]);
    drive.answer();
    await world.clock.advance(minuteMs);
    expect(states).toEqual(['skipped']);
    expect(uploaded(world)).toEqual([]);
  });

  test('of a folder that was paused meanwhile uploads nothing', async () => {
    const { world, run, drive } = await beginLate();
    void run.client.call('folders.set', { folder: '/b', name: 'paused', value: true });
    await world.clock.advance(seconds);
    drive.answer();
    await world.until('new.txt', 'waiting', minuteMs);
    await world.clock.advance(hourMs);
    expect(uploaded(world)).toEqual([]);
  });

  test('is not waited for by a stop, and writes nothing after it', async () => {
    const { world, run, drive, states } = await beginLate();
    const before = world.clock.monoMs();
    // The process does not end yet.
    await world.during(run.engine.stop());
    expect(world.clock.monoMs() - before).toBeLessThan(seconds);
    drive.answer();
    await world.clock.advance(minuteMs);
    expect(states).toEqual([]);
    expect(world.row('old.txt').present).toBe(true);
  });
});

describe('a folder that is listed slowly', () => {
  /** `/b` has a burst, and its listing has begun. */
  const beginBurst = async (): Promise<{ world: World; run: Running }> => {
    const { world, run } = await several({ burstFiles: 20, lookInside: false, photoLocation: 'keep' });
    world.disk.hints(false);
    for (let sub = 0; sub < 6; sub += 1) {
      world.disk.make(`/b/${sub}`, 'folder');
      for (let n = 0; n < 5; n += 1) world.disk.write(`/b/${sub}/${n}.txt`, `${sub} ${n}`);
    }
    world.disk.hints(true);
    slowList(world, '/b', 2 * seconds);
    void run.client.call('folder.scan', {});
    return { world, run };
  };

  test('has its burst held as a whole, and none of it uploaded before', async () => {
    const { world, run } = await beginBurst();
    // Fewer than the limit are found by then.
    await world.clock.advance(seconds);
    await expectOthersGo(world, run);
    await world.clock.advance(5 * minuteMs);
    expect(uploaded(world).toSorted()).toEqual(['beside.txt', 'given.txt']);
    expect(folderOf(run, '/b')?.counts).toMatchObject({ held: 30 });
  });

  test.each<[string, (world: World, run: Running) => unknown]>([
    [
      'its rules change',
      (_, run) => void run.client.call('folders.set', { folder: '/b', name: 'ignore', value: ['*.log'] }),
    ],
    ['a setting changes', ({ settings }) => settings.set('burstBytes', 10_000_000)],
    [
      'the ledger fails',
      ({ ledger }) => {
        const { presentAt } = ledger.uploads;
        ledger.uploads.presentAt = () => {
          ledger.uploads.presentAt = presentAt;
          throw new AppError('ledger', 'The ledger failed.', '');
        };
      },
    ],
  ])('has its burst held as a whole, also if %s while it is listed', async (_, act) => {
    const { world, run } = await beginBurst();
    await world.clock.advance(7 * seconds);
    expect(world.rows()).toHaveLength(20);
    await act(world, run);
    await world.clock.advance(5 * minuteMs);
    expect(uploaded(world)).toEqual([]);
    expect(folderOf(run, '/b')?.counts).toMatchObject({ held: 30 });
  });

  test('delays no others if each listing fails', async () => {
    const { world, run } = await several({}, ({ disk }) => disk.make('/b/sub', 'folder'));
    slowList(world, '/b', seconds);
    const { stampsIn } = world.ledger.uploads;
    world.ledger.uploads.stampsIn = (folderId, dir, isAll) => {
      if (dir === '/b/sub') throw new AppError('ledger', 'The ledger failed.', '');
      return stampsIn(folderId, dir, isAll);
    };
    void run.client.call('folder.scan', {});
    await world.clock.advance(10 * seconds);
    for (let n = 0; n < 20; n += 1) {
      world.disk.write(`/c/${n}.txt`, `beside ${n}`);
      await world.until(`${n}.txt`, 'uploaded', 6 * seconds);
      await world.clock.advance(700);
    }
  });

  test('has its files uploaded although something changes in it all the time', async () => {
    const { world } = await several();
    slowList(world, '/b', 700);
    const { look } = world.disk.files;
    world.disk.files.look = async (path) => {
      if (path.startsWith('/b/')) await new Promise<void>((next) => void world.clock.after(100, next));
      return await look(path);
    };
    world.disk.write('/b/rests.txt', 'rests');
    const log = (): void => {
      world.disk.write('/b/log.txt', String(world.clock.monoMs()));
      world.clock.after(60, log);
    };
    log();
    await world.clock.advance(20 * seconds);
    expect(uploaded(world)).toEqual(['rests.txt']);
  });

  test('is compared whole although settings change while it is listed', async () => {
    const { world, run } = await several();
    world.disk.hints(false);
    world.disk.write('/b/new.txt', 'new');
    slowList(world, '/b', 2 * seconds);
    void run.client.call('folder.scan', {});
    for (let n = 0; n < 3; n += 1) {
      await world.clock.advance(seconds);
      await world.settings.set('notify', n % 2 === 0 ? 'never' : 'always').catch(() => undefined);
    }
    await world.until('new.txt', 'uploaded', 20 * seconds);
  });
});

describe('while a pre-existing file is read for a comparison', () => {
  test.each<[string, number]>([
    ['small', 100],
    ['large', 20 * 1024 * 1024],
  ])('that takes hours, other files are uploaded in their usual time: %s', async (_, bytes) => {
    const content = new Uint8Array(bytes).fill(1);
    const { world, run } = await several({}, ({ disk }) => disk.write('/b/existing.bin', content));
    const { open } = world.disk.files;
    let isSlow = true;
    world.disk.files.open = async (path, root) => {
      if (isSlow && path === '/b/existing.bin')
        await new Promise<void>((opened) => void world.clock.after(2 * hourMs, opened));
      return await open(path, root);
    };
    world.disk.write('/b/copy.bin', content);
    await world.clock.advance(2 * seconds);
    await expectOthersGo(world, run);
    expect(world.row('copy.bin').state.kind).toBe('settling');
    await world.clock.advance(3 * hourMs);
    isSlow = false;
    await world.until('copy.bin', 'skipped', hourMs);
    expect(world.row('copy.bin').state).toEqual({ kind: 'skipped', rule: 'existing' });
  });
});
