// When very many files come at once, all of them are held until the user confirms them.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { isDeep } from '../../../support/deep.ts';
import { begin, hourMs, minuteMs, type World } from '../../../support/fake-world.ts';

describe('very many files at once', () => {
  test('are held together until somebody confirms them, including those that were ready first', async () => {
    const { world, run } = await begin({ settings: { burstFiles: 20, concurrentUploads: 1 } });
    await run.call('queue.pause', { untilMs: null });
    for (let n = 0; n < 10; n += 1) world.disk.write(`/tray/${n}.txt`, 'x'.repeat(n + 1));
    await world.clock.advance(1000);
    for (let n = 10; n < 30; n += 1) world.disk.write(`/tray/${n}.txt`, 'x'.repeat(n + 1));
    await world.clock.advance(5000);
    expect(world.rows().map((row) => row.state)).toEqual(
      Array.from({ length: 30 }, () => ({ kind: 'held', reason: 'burst' })),
    );
    await run.call('queue.resume', {});
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    await run.call('queue.confirm', { ids: world.rows().map((row) => row.id) });
    await world.clock.runUntil(() => world.service.stored.length === 30, 5 * minuteMs);
  });

  test('are held together even if the disk stays full for longer than the burst', async () => {
    const { world } = await begin({ settings: { burstFiles: 20 } });
    const { update } = world.ledger.uploads;
    const disk = { isFull: true };
    world.ledger.uploads.update = (id, change, nowMs) => {
      if (disk.isFull && change.state?.kind === 'held') throw new AppError('disk', 'The disk is full.');
      return update(id, change, nowMs);
    };
    for (let n = 0; n < 30; n += 1) world.disk.write(`/tray/${n}.txt`, 'x'.repeat(n + 1));
    await world.clock.advance(minuteMs);
    disk.isFull = false;
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.rows().map((row) => row.state.kind)).toEqual(Array.from({ length: 30 }, () => 'held'));
  });

  test('are no burst when they arrive one after the other', async () => {
    const { world } = await begin({ settings: { burstFiles: 5 } });
    for (let n = 0; n < 12; n += 1) {
      world.disk.write(`/tray/${n}.txt`, 'x'.repeat(n + 1));
      await world.clock.advance(13_000);
    }
    expect(world.service.stored).toHaveLength(12);
  });

  test('are a burst by their total size, too', async () => {
    const { world } = await begin({ settings: { burstBytes: 100 } });
    for (const name of ['a.bin', 'b.bin', 'c.bin']) world.disk.write(`/tray/${name}`, name.repeat(8));
    await world.until('c.bin', 'held');
    expect(world.rows().map(({ state }) => state)).toEqual(
      ['a', 'b', 'c'].map(() => ({ kind: 'held', reason: 'burst' })),
    );
  });

  test('are asked about at once, before one of them is read or looked at again', async () => {
    const { world } = await begin({ settings: { burstFiles: 20 } });
    const files = isDeep ? 500 : 100;
    for (let n = 0; n < files; n += 1) world.disk.write(`/tray/${n}.txt`, 'x'.repeat((n % 9) + 1));
    const tooEarly: string[] = [];
    world.disk.raceAtOpen((path) => {
      if (world.row(path.slice('/tray/'.length)).state.kind !== 'held') tooEarly.push(path);
      return null;
    });
    await world.clock.advance(1000);
    expect(world.rows().filter(({ state }) => state.kind === 'held')).toHaveLength(files);
    expect(tooEarly).toEqual([]);
  });

  test('are asked about while the rest of the folder is still compared', async () => {
    const { world } = await begin({ settings: { burstFiles: 20 } });
    const files = isDeep ? 500 : 200;
    for (let n = 0; n < files; n += 1) world.disk.write(`/tray/${n}.txt`, 'x'.repeat((n % 9) + 1));
    const { insert } = world.ledger.uploads;
    const heldBefore: number[] = [];
    world.ledger.uploads.insert = (draft, nowMs) => {
      heldBefore.push(world.rows().filter(({ state }) => state.kind === 'held').length);
      return insert(draft, nowMs);
    };
    await world.clock.advance(1000);
    expect(heldBefore).toHaveLength(files);
    // The rest of the first transaction, which has 64 files, is recorded as held. Those before are held after it.
    expect(heldBefore[22]).toBe(1);
    expect(heldBefore.slice(64)).toEqual(Array.from({ length: files - 64 }, (_, n) => 64 + n));
  });

  test('are not asked about where a rule refuses them anyway, and a plan says the same', async () => {
    const { world, run } = await begin({
      settings: { burstFiles: 20, maxFileBytes: 100, forbiddenTypes: ['exe'] },
    });
    await run.call('queue.pause', { untilMs: null });
    const contents = { 'large.bin': 'x'.repeat(200), 'run.exe': 'program', 'app.db-journal': 'journal' };
    const all = [
      ...Array.from({ length: 30 }, (_, n) => [`${n}.txt`, 'x'.repeat(n + 1)] as const),
      ...Object.entries({ ...contents, 'app.db': 'database' }),
    ];
    for (const [name, content] of all) world.disk.write(`/tray/${name}`, content);
    const { files } = await run.call('files.plan', { paths: ['/tray'] });
    const planned = new Map(files.map(({ path, verdict, why }) => [path, `${verdict} ${String(why)}`]));
    await world.clock.advance(minuteMs);
    const really = world.rows().map(({ dir, name, state }) => {
      const why = 'reason' in state ? state.reason : 'code' in state ? state.code : null;
      const told = state.kind === 'skipped' ? state.rule : why;
      return [`${dir}/${name}`, `${state.kind} ${told}`] as const;
    });
    expect(planned).toEqual(new Map(really));
    expect(planned.get('/tray/0.txt')).toBe('held burst');
    for (const name of ['large.bin', 'run.exe'])
      expect(planned.get(`/tray/${name}`)).toBe('failed forbidden');
  });
});

test('the first files of a burst are held with the rest, behind a long queue of older files, too', async () => {
  const { world, run } = await begin({ settings: { burstFiles: 20 } });
  await run.call('queue.pause', { untilMs: null });
  for (let n = 0; n < 40; n += 1) world.disk.write(`/tray/older${n}.txt`, `older ${n}`);
  await world.clock.advance(minuteMs);
  await run.call('queue.confirm', { ids: world.rows().map(({ id }) => id) });
  await world.clock.advance(hourMs);
  const counted = () => Map.groupBy(world.rows(), ({ state }) => state.kind);
  expect(counted().get('ready')).toHaveLength(40);
  // They settle and are ready before the burst is known to be one.
  for (let n = 0; n < 20; n += 1) world.disk.write(`/tray/first${n}.txt`, `first ${n}`);
  await world.clock.advance(20_000);
  world.disk.write('/tray/last.txt', 'last');
  await world.clock.advance(minuteMs);
  expect(counted().get('held')).toHaveLength(21);
  expect(counted().get('ready')).toHaveLength(40);
});

test('the first files of a burst are held with the rest when another question is open about the one that goes over the limit', async () => {
  const { world, run } = await begin({ settings: { burstFiles: 20 } });
  await run.call('queue.pause', { untilMs: null });
  for (let n = 0; n < 20; n += 1) world.disk.write(`/tray/first${n}.txt`, `first ${n}`);
  await world.clock.advance(20_000);
  world.disk.write('/tray/id_rsa', 'key');
  await world.clock.advance(1000);
  expect(world.rows().filter(({ state }) => state.kind === 'ready')).toHaveLength(20);
  world.disk.write('/tray/last.txt', 'last');
  await world.clock.advance(minuteMs);
  const reasons = Map.groupBy(world.rows(), ({ state }) =>
    state.kind === 'held' ? state.reason : state.kind,
  );
  expect([...reasons].map(([reason, rows]) => [reason, rows.length])).toEqual([
    ['burst', 21],
    ['secret-name', 1],
  ]);
});

describe('one file over the limit', () => {
  test.each<[string, (world: World) => Promise<void> | void]>([
    [
      'takes the place of an empty one',
      async (world) => {
        await world.put('film.bin', '', 'skipped');
        world.disk.replace('/tray/film.bin', 'x'.repeat(101));
      },
    ],
    [
      'waited for the file beside it that says it is unfinished',
      async (world) => {
        world.disk.write('/tray/film.bin.aria2', 'control');
        await world.put('film.bin', 'x'.repeat(101), 'waiting');
        world.disk.remove('/tray/film.bin.aria2');
      },
    ],
    [
      'was small while it waited in the queue',
      async (world) => {
        await world.running().call('queue.pause', { untilMs: null });
        await world.put('film.bin', 'x', 'ready');
        world.disk.write('/tray/film.bin', 'x'.repeat(101));
        await world.clock.advance(minuteMs);
        await world.running().call('queue.resume', {});
      },
    ],
    [
      'waited while the program started again',
      async (world) => {
        world.disk.write('/tray/film.bin.aria2', 'control');
        await world.put('film.bin', 'x'.repeat(101), 'waiting');
        await world.running().stop();
        world.disk.remove('/tray/film.bin.aria2');
        await world.start();
      },
    ],
  ])('is asked about however it came to be large: it %s', async (_, grow) => {
    const { world } = await begin({ settings: { burstBytes: 100 } });
    await grow(world);
    await world.clock.advance(hourMs);
    expect(world.row('film.bin').state).toEqual({ kind: 'held', reason: 'large' });
    expect(world.service.stored).toEqual([]);
  });

  test('is a question of its own, and is not read before the answer; others go on', async () => {
    const { world, run } = await begin({ settings: { burstBytes: 100 } });
    const opened: string[] = [];
    world.disk.raceAtOpen((path) => (opened.push(path), null));
    const large = await world.put('a.bin', 'x'.repeat(101), 'held');
    expect(large.state).toEqual({ kind: 'held', reason: 'large' });
    expect((await run.call('file.why', { path: '/tray/a.bin' })).sentence).toContain('very large');
    await world.put('b.txt', 'small', 'uploaded');
    await world.clock.advance(24 * hourMs);
    expect(opened.filter((path) => path === '/tray/a.bin')).toEqual([]);
    // Another version and a copy are asked about, too.
    world.disk.write('/tray/a.bin', 'y'.repeat(102));
    expect((await world.put('copy.bin', 'x'.repeat(101), 'held')).state).toEqual(large.state);
    await world.clock.advance(hourMs);
    expect(world.row('a.bin').state).toEqual({ ...large.state, isRewritten: true });
    await run.call('queue.confirm', { ids: [world.row('a.bin').id] });
    await world.until('a.bin', 'uploaded');
    expect(world.service.namesOf().toSorted()).toEqual(['a.bin', 'b.txt']);
  });

  test('is not read before the answer either if an upload has its size', async () => {
    const bytes = 17 * 1024 * 1024;
    const { world, run } = await begin({ settings: { burstBytes: bytes - 1 } });
    const { id } = await world.put('a.bin', 'x'.repeat(bytes), 'held');
    await run.call('queue.confirm', { ids: [id] });
    await world.until('a.bin', 'uploaded');
    const opened: string[] = [];
    world.disk.raceAtOpen((path) => (opened.push(path), null));
    world.disk.write('/tray/a.bin', 'y'.repeat(bytes));
    await world.clock.advance(hourMs);
    expect(world.row('a.bin').state).toEqual({ kind: 'held', reason: 'large' });
    expect(opened).toEqual([]);
  });

  test('are no longer held once they are found to be gone', async () => {
    const { world, run } = await begin({ settings: { burstFiles: 3 } });
    for (let n = 0; n < 6; n += 1) world.disk.write(`/tray/${n}.txt`, 'x'.repeat(n + 1));
    await world.clock.advance(20);
    for (let n = 0; n < 6; n += 1) world.disk.remove(`/tray/${n}.txt`);
    await world.clock.advance(5000);
    expect(run.engine.status().counts).toMatchObject({ held: 0, waiting: 0 });
  });
});

describe('a burst that a person refused', () => {
  const names = Array.from({ length: 6 }, (_, n) => `${n}.txt`);
  const refused = async () => {
    const begun = await begin({ settings: { burstFiles: 3 } });
    const { world, run } = begun;
    for (const name of names) world.disk.write(`/tray/${name}`, `first ${name}`);
    await world.until('5.txt', 'held');
    await run.call('queue.skip', { ids: world.rows().map(({ id }) => id) });
    await world.clock.advance(2 * minuteMs);
    return begun;
  };

  test('is not uploaded when the same contents are written again', async () => {
    const { world } = await refused();
    for (const name of names) world.disk.write(`/tray/${name}`, `first ${name}`);
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.rows().map(({ state }) => state)).toEqual(
      names.map(() => ({ kind: 'skipped', rule: 'cancelled' })),
    );
  });

  test('is held again when other contents are written over all of it', async () => {
    const { world } = await refused();
    for (const name of names) world.disk.write(`/tray/${name}`, `another ${name}`);
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.rows().map(({ state }) => state)).toEqual(
      names.map(() => ({ kind: 'held', reason: 'burst' })),
    );
  });

  test('releases one of its files when only that file gets other content', async () => {
    const { world } = await refused();
    world.disk.write('/tray/2.txt', 'another');
    await world.clock.advance(hourMs);
    expect(world.service.stored.map(({ bytes }) => bytes.toString())).toEqual(['another']);
  });
});

test('files whose links were taken back are held when other contents are written over very many of them', async () => {
  const { world, run } = await begin({ settings: { burstFiles: 6 } });
  const names = Array.from({ length: 6 }, (_, n) => `${n}.txt`);
  for (const name of names) world.disk.write(`/tray/${name}`, `first ${name}`);
  await world.clock.runUntil(
    () => world.rows().every(({ state }) => state.kind === 'uploaded') && world.rows().length === 6,
    hourMs,
  );
  const files = world.rows().flatMap(({ fileId }) => (fileId === null ? [] : [{ fileId }]));
  await run.call('files.recall', { files });
  await world.clock.advance(hourMs);
  await world.settings.set('burstFiles', 3);
  for (const name of names) world.disk.write(`/tray/${name}`, `another ${name}`);
  await world.clock.advance(hourMs);
  expect(
    world
      .rows()
      .filter(({ present }) => present)
      .map(({ state }) => state),
  ).toEqual(names.map(() => ({ kind: 'held', reason: 'burst' })));
});

test.each([
  ['', {}],
  [' where rules about places are in force', { forbiddenRoots: ['/private'] }],
])('a burst stays held when Outtray ends while its files are recorded%s', async (_, rules) => {
  for (const nth of [70, 100, 130, 140]) {
    const { world } = await begin({ settings: { burstFiles: 50, ...rules } });
    for (let n = 0; n < 150; n += 1) world.disk.write(`/tray/${n}.txt`, 'x'.repeat(n + 1));
    const { insert } = world.ledger.uploads;
    let inserted = 0;
    let stopped: Promise<unknown> = Promise.resolve();
    world.ledger.uploads.insert = (draft, nowMs) => {
      inserted += 1;
      if (inserted === nth) stopped = world.running().stop();
      return insert(draft, nowMs);
    };
    await world.clock.advance(1000);
    await stopped;
    world.ledger.uploads.insert = insert;
    await world.start();
    await world.clock.advance(hourMs);
    expect({ nth, links: world.service.stored.length }).toEqual({ nth, links: 0 });
  }
});
