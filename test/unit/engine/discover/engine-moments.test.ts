// Concurrency: a slow disk, a stop, a person or a second name, while something else is under way.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { Settings } from '../../../../src-main/contract/settings.ts';
import {
  begin,
  createWorld,
  hourMs,
  loseAnswer,
  minuteMs,
  type Running,
  share,
  type World,
} from '../../../support/fake-world.ts';

/** Every call of this part of the disk takes `ms`. */
const slow = (world: World, part: 'open' | 'look', ms: number): void => {
  const wait = (): Promise<void> => new Promise((resolve) => world.clock.after(ms, resolve));
  if (part === 'open') {
    const { open } = world.disk.files;
    world.disk.files.open = async (path, root) => {
      await wait();
      return await open(path, root);
    };
  } else {
    const { look } = world.disk.files;
    world.disk.files.look = async (path) => {
      await wait();
      return await look(path);
    };
  }
};

describe('a slow disk', () => {
  test('causes no faster requests than a fast one', async () => {
    const { world } = await begin({ settings: { requestsPerMinute: 2 } });
    slow(world, 'open', 50);
    for (let n = 1; n <= 4; n += 1) world.disk.write(`/tray/${n}.txt`, 'x'.repeat(n));
    await world.clock.runUntil(() => world.service.stored.length === 4, 10 * minuteMs);
    const times = world.service.requests.map((request) => request.atMs);
    for (const [index, atMs] of times.entries())
      expect(atMs - (times[index - 2] ?? -9e9)).toBeGreaterThan(59_000);
  });

  test('leaves a file that is being opened at a stop to the next start', async () => {
    const { world, run } = await begin();
    await share(world, 'first.txt');
    slow(world, 'open', 1000);
    await world.put('a.txt', 'content', 'ready');
    await world.clock.advance(10);
    await run.stop();
    expect(world.row('a.txt').state.kind).toBe('ready');
    expect(world.service.stored).toHaveLength(1);
  });

  test('does not revive a file that is found to be gone just when opening it fails', async () => {
    const { world } = await begin();
    await share(world, 'a.txt');
    const { open } = world.disk.files;
    let turns = 0;
    const vanish = async (name: string): Promise<void> => {
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const { id } = world.row(name);
      world.ledger.uploads.update(id, { present: false, state: { kind: 'gone' } }, world.clock.wallMs());
    };
    world.disk.files.open = async (path, root) => {
      const name = path.slice('/tray/'.length);
      if (!name.startsWith('b')) return await open(path, root);
      world.disk.remove(path);
      void vanish(name);
      throw new AppError('outside', 'A link lies in its way.');
    };
    for (turns = 0; turns < 12; turns += 1) {
      world.disk.write(`/tray/b${turns}.txt`, `the content ${turns}`);
      await world.clock.advance(10_000);
    }
    expect(world.ledger.uploads.countInState('settling')).toBe(0);
    expect(world.ledger.uploads.countInState('gone')).toBe(12);
  });

  test('does not revive a file that is cancelled while it is compared', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'content');
    slow(world, 'open', 1000);
    await world.put('b.txt', 'CONTENT', 'settling');
    await world.clock.advance(500);
    await run.client.call('queue.cancel', { ids: [world.row('b.txt').id] });
    await world.clock.advance(minuteMs);
    expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(world.service.stored).toHaveLength(1);
  });

  test('that fails while a file is compared is logged, and the comparison is repeated', async () => {
    const { world } = await begin({ settings: { lookInside: false } });
    await share(world, 'a.txt', 'content');
    const { open } = world.disk.files;
    world.disk.files.open = async () => {
      world.disk.files.open = open;
      throw new TypeError('the disk fails');
    };
    await world.put('b.txt', 'CONTENT', 'uploaded', minuteMs);
    expect(world.log.lines.some((line) => line.event === 'turn failed')).toBe(true);
  });

  test('stops reading at a stop', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'content');
    slow(world, 'open', 1000);
    world.disk.write('/tray/b.txt', 'CONTENT');
    await world.clock.advance(600);
    await run.stop();
    expect(world.row('b.txt').state.kind).toBe('settling');
  });
});

describe('while a large file is compared, for hours', () => {
  const bytes = 20 * 1024 * 1024;
  const content = (mark: number): Uint8Array => new Uint8Array(bytes).fill(mark);
  const slowly = (world: World): void => {
    const { open } = world.disk.files;
    world.disk.files.open = async (path, root) => {
      const file = await open(path, root);
      return path.includes('large') ? { ...file, pieces: (stop) => late(world, file.pieces(stop)) } : file;
    };
  };
  async function* late<Piece>(world: World, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    await new Promise<void>((next) => world.clock.after(2 * hourMs, next));
    yield* pieces;
  }

  test.each<[string, Partial<Settings>, (world: World, run: Running) => unknown]>([
    ['was touched', {}, ({ disk }) => disk.touch('/tray/large.bin')],
    ['was touched, and is not searched', { lookInside: false }, ({ disk }) => disk.touch('/tray/large.bin')],
    ['was written with as many bytes', {}, ({ disk }) => disk.write('/tray/large.bin', content(2))],
    ['is a copy', {}, ({ disk }) => disk.write('/tray/large copy.bin', content(1))],
    [
      'is copied five times',
      {},
      ({ disk }) => {
        for (let n = 1; n <= 5; n += 1) disk.write(`/tray/large ${n}.bin`, content(1));
      },
    ],
    ['has moved', {}, ({ disk }) => disk.rename('/tray/large.bin', '/tray/large moved.bin')],
    [
      'is given by path',
      {},
      ({ disk }, run) => {
        disk.write('/other/large.bin', content(1));
        return run.call('files.upload', { paths: ['/other/large.bin'] });
      },
    ],
    [
      'has the size of one that a person refused',
      {},
      ({ disk, ledger }) => {
        ledger.decisions.keep('a'.repeat(64), 'cancelled', bytes + 1);
        disk.write('/tray/large new.bin', new Uint8Array(bytes + 1));
      },
    ],
  ])(
    'because it %s, other files go, and it goes or keeps its link afterwards',
    async (_, settings, change) => {
      const { world, run } = await begin({ settings: { burstBytes: 1e12, ...settings } });
      world.disk.write('/tray/large.bin', content(1));
      await world.until('large.bin', 'uploaded');
      slowly(world);
      await change(world, run);
      await world.clock.advance(minuteMs);
      await world.put('small.txt', 'small', 'uploaded', minuteMs);
      await world.clock.advance(20 * hourMs);
      const waiting = world.rows().filter(({ state, present }) => present && state.kind === 'settling');
      expect(waiting).toEqual([]);
    },
  );
});

describe('a lookup', () => {
  const lost = async (): Promise<{ world: World; run: Running; id: number }> => {
    const { world, run } = await begin();
    const { id } = await loseAnswer(world, 'a.txt', 'content');
    return { world, run, id };
  };

  test('under way at a stop changes nothing', async () => {
    const { world, run } = await lost();
    world.service.latencyMs = 2000;
    await world.clock.runUntil(() => world.service.count('list') === 1, minuteMs);
    await run.stop();
    expect(world.row('a.txt').state).toMatchObject({ kind: 'uncertain', looks: 0 });
    expect(world.log.lines.some((line) => line.event === 'look failed')).toBe(false);
  });

  test('does not overrule a decision that a person makes meanwhile', async () => {
    const { world, run, id } = await lost();
    world.service.latencyMs = 2000;
    await world.clock.runUntil(() => world.service.count('list') === 1, minuteMs);
    await run.client.call('queue.resolve', { id, choice: 'leave' });
    await world.clock.advance(10 * minuteMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'recalled' });
    expect(world.service.stored.every(({ deleted }) => deleted)).toBe(true);
  });

  test('costs one request in a large account whose list is in order', async () => {
    const { world } = await begin();
    for (let n = 0; n < 60; n += 1) world.service.addForeign(`old${n}`, 'x');
    for (const name of ['b', 'c']) await share(world, name);
    const before = world.service.count('list');
    world.service.faults.push('answer-lost');
    await share(world, 'g');
    expect(world.service.count('list') - before).toBe(1);
  });

  test('shows candidates for an upload whose attempt is unknown', async () => {
    const { world, run } = await begin();
    const draft = { folderId: null, dir: '/x', name: 'a.txt', stamp: null };
    const state = { kind: 'held' as const, reason: 'uncertain' as const };
    const { id } = world.ledger.uploads.insert({ ...draft, state }, world.clock.wallMs());
    world.service.addForeign('a.txt', '');
    expect(await run.call('queue.candidates', { id })).toMatchObject([{ sameSize: false }]);
  });
});

describe('the folder', () => {
  test('is listed with new subfolders, and without removed ones, after a hint without a name', async () => {
    const { world } = await begin();
    world.disk.hints(false);
    world.disk.make('/tray/sub', 'folder');
    world.disk.write('/tray/sub/a.txt', 'a');
    world.disk.hints(true);
    world.disk.hint({ folder: '/tray', name: null });
    await world.until('a.txt', 'uploaded');
    world.disk.hints(false);
    world.disk.remove('/tray/sub');
    world.disk.hints(true);
    world.disk.hint({ folder: '/tray/sub', name: null });
    await world.clock.advance(1000);
    expect(world.row('a.txt').present).toBe(false);
  });

  test('records skipped links and pipes once, through any number of scans', async () => {
    const { world, run } = await begin();
    world.disk.make('/tray/link', 'link');
    world.disk.make('/tray/pipe', 'special');
    await world.clock.advance(5 * 60 * minuteMs);
    expect(run.entries().filter((entry) => entry.body.kind === 'skipped')).toHaveLength(2);
    await world.put('a.txt', 'x', 'settling');
    world.disk.hints(false);
    world.disk.make('/tray/a.txt', 'special');
    expect((await world.until('a.txt', 'skipped')).state).toEqual({ kind: 'skipped', rule: 'special' });
  });

  test('lost during its first scan does not block the start, and the scan continues when it is back', async () => {
    const world = createWorld();
    world.disk.write('/tray/old.txt', 'old');
    await world.clock.advance(minuteMs);
    const run = world.make();
    const { list } = world.disk.files;
    world.disk.files.list = async (folder) => {
      world.disk.mount('gone');
      return await list(folder);
    };
    await world.during(run.engine.start({ folder: '/tray', existing: 'upload' }));
    expect(run.engine.status().folderAvailable).toBe(false);
    run.engine.resumed();
    world.disk.files.list = list;
    world.disk.mount('here');
    await world.until('old.txt', 'uploaded', 2 * minuteMs);
  });

  test.each(['identify', 'watch'] as const)(
    'stopped amid its start (%s) no longer uses the ledger once the stop is over',
    async (step) => {
      const world = createWorld();
      world.disk.write('/tray/old.txt', 'old');
      const run = world.make();
      const { files, watch } = world.disk;
      const { identify } = files;
      const { start } = watch;
      const pass = Promise.withResolvers<undefined>();
      const reached = Promise.withResolvers<undefined>();
      const at = async (one: string): Promise<void> => {
        if (one !== step) return;
        reached.resolve(undefined);
        await pass.promise;
      };
      files.identify = (folder) => at('identify').then(() => identify(folder));
      watch.start = (given) => at('watch').then(() => start(given));
      const told: string[] = [];
      const starting = run.engine.start({ folder: '/tray', existing: 'upload' });
      void starting.catch(() => undefined).then(() => told.push('started'));
      await world.during(reached.promise);
      const stopping = run.engine.stop().then(() => told.push('stopped'));
      await world.clock.advance(100);
      pass.resolve(undefined);
      await world.during(stopping);
      expect(told).toEqual(['started', 'stopped']);
    },
  );

  test('is not idle while a file is being uploaded', async () => {
    const { world, run } = await begin();
    expect(run.engine.isStill()).toBe(true);
    expect(run.engine.wait()).toBeNull();
    await world.put('a.txt', 'content', 'sending');
    expect(run.engine.isStill()).toBe(false);
    await world.until('a.txt', 'uploaded');
    await world.clock.advance(1000);
    expect(run.engine.isStill()).toBe(true);
  });
});

test('a pause during the wait for a permit for the statistics makes them wait, too', async () => {
  const { world, run } = await begin({ settings: { requestsPerMinute: 2 } });
  await world.put('a.txt', 'content', 'uploaded', 2 * minuteMs);
  await world.clock.advance(25 * 60 * minuteMs);
  await run.call('files.refresh', {});
  await run.call('files.refresh', {});
  const before = world.service.requests.length;
  await world.put('b.txt', 'more', 'ready');
  await world.clock.advance(1000);
  await run.call('queue.pause', { untilMs: null });
  await world.clock.advance(60 * minuteMs);
  expect(world.service.requests).toHaveLength(before);
  await run.call('queue.resume', {});
  await world.until('b.txt', 'uploaded', 5 * minuteMs);
});
