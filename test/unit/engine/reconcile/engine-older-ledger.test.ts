// The ledger is an older copy: the data folder was restored as a whole, and lacks the last hour. What
// it lacks appears as unknown files in the account.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { FakeService } from '../../../support/fake-service.ts';
import { createWorld, loseAnswer, share, type Running, type World } from '../../../support/fake-world.ts';
import { beforeMs, forgotten, minuteMs, settledWithin, stopped } from '../../../support/older-ledger.ts';

describe('a file that was uploaded since', () => {
  test('is found by its content and keeps its link, and other files are uploaded', async () => {
    const world = await stopped();
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    forgotten(world, 'b.txt', 'this one, too');
    world.disk.write('/tray/new.txt', 'never uploaded');
    await settledWithin(world, minuteMs);
    expect(world.row('a.txt')).toMatchObject({
      state: { kind: 'uploaded' },
      publicLink: world.service.stored.find(({ name }) => name === 'a.txt')?.link,
    });
    expect(world.row('b.txt').state.kind).toBe('uploaded');
    expect(world.row('new.txt').state.kind).toBe('uploaded');
    expect(world.service.count('upload')).toBe(2);
    expect(world.service.count('list')).toBe(1);
  });

  test('is not sent again when the list has an entry of its size without an id', async () => {
    const world = await stopped();
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    forgotten(world, 'b.txt', 'this one, too');
    world.service.withoutIdOf = ['a.txt'];
    await settledWithin(world, 15 * minuteMs);
    expect(world.row('a.txt').state).toMatchObject({ kind: 'held', reason: 'maybe-uploaded' });
    expect(world.row('b.txt').state.kind).toBe('uploaded');
    expect(world.service.count('upload')).toBe(1);
  });

  test('is not found in the account of the key before', async () => {
    const world = await stopped();
    const { service, keys } = world;
    service.account = () => (keys.stored?.startsWith('b') === true ? 'b' : 'a');
    forgotten(world, 'one.txt', 'one');
    forgotten(world, 'two.txt', 'two');
    await world.clock.advance(beforeMs);
    const run = await world.start();
    await run.call('queue.pause', { untilMs: null });
    await world.clock.advance(minuteMs);
    run.engine.restrictTo(new Set([world.row('one.txt').id]));
    await run.call('queue.resume', {});
    await world.until('one.txt', 'uploaded');
    keys.stored = 'b-1';
    run.engine.restrictTo(null);
    run.engine.nudge();
    await world.clock.advance(minuteMs);
    await run.call('account.decide', { is: 'another' });
    const { publicLink } = await world.until('two.txt', 'uploaded', 60 * minuteMs);
    expect(service.stored.find(({ link }) => link === publicLink)).toMatchObject({ account: 'b' });
  });

  test('is found even if the file is renamed after the start, before its turn comes', async () => {
    const world = await stopped();
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    await world.clock.advance(beforeMs);
    const run = await world.start();
    await run.call('queue.pause', { untilMs: null });
    await world.clock.advance(minuteMs);
    world.disk.rename('/tray/a.txt', '/tray/renamed.txt');
    await world.clock.advance(minuteMs);
    await run.call('queue.resume', {});
    await world.until('renamed.txt', 'uploaded');
    expect(world.service.count('upload')).toBe(1);
    expect(world.service.stored.filter(({ name }) => name === 'renamed.txt')).toEqual([]);
  });

  test.each([true, false])(
    'is found even if the file is touched after the start (the disk has birth times: %s)',
    async (tellsBirth) => {
      const world = await stopped();
      world.disk.kind({ tellsBirth });
      forgotten(world, 'a.txt', 'uploaded in the lost hour');
      await world.clock.advance(beforeMs);
      const run = await world.start();
      await run.call('queue.pause', { untilMs: null });
      await world.clock.advance(minuteMs);
      world.disk.touch('/tray/a.txt');
      await world.clock.advance(minuteMs);
      await run.call('queue.resume', {});
      await world.until('a.txt', 'uploaded');
      expect(world.service.count('upload')).toBe(1);
    },
  );

  test('is found even if the copy was made before the first upload', async () => {
    const world = createWorld();
    const running = await world.start();
    await running.stop();
    await world.clock.advance(60 * minuteMs);
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    await settledWithin(world, minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.service.count('upload')).toBe(0);
  });

  test.each<[string, string, Partial<FakeService>]>([
    ['under the name that the service made of it', '77-A.TXT', {}],
    ['under an earlier name', 'before.bin', {}],
    ['in a list without links', 'a.txt', { without: ['public_link'] }],
    ['in a list without sizes', 'a.txt', { without: ['size'] }],
    ['under an earlier name in a list without sizes', 'before.bin', { without: ['size'] }],
    [
      'under an earlier name in a list of ids only',
      'before.bin',
      { without: ['size', 'filename', 'public_link'] },
    ],
    ['in a list without names', 'a.txt', { without: ['filename'] }],
    ['in a list in no order, page by page', 'a.txt', { order: 'shuffled', pageSize: 2 }],
  ])('is found %s', async (_, storedAs, knobs) => {
    const world = await stopped();
    Object.assign(world.service, knobs);
    for (let i = 0; i < 5; i += 1) world.service.addForeign(`other-${i}`, `of another device ${i}`);
    forgotten(world, 'a.txt', 'uploaded in the lost hour', storedAs);
    await settledWithin(world, minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.service.count('upload')).toBe(1);
  });

  test('is found even if Outtray ends right after it read the list, and if the list was read before', async () => {
    const world = await stopped();
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    world.service.linksBroken = true;
    await world.clock.advance(beforeMs);
    const running = await world.start();
    await running.call('files.refresh', {});
    await world.clock.advance(2000);
    expect(world.row('a.txt').state.kind).not.toBe('uploaded');
    running.life.kill();
    world.service.linksBroken = false;
    await settledWithin(world, minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.service.count('upload')).toBe(1);
  });

  test('that cannot be compared is tried three times, then held; a person can send it or adopt the link', async () => {
    const world = await stopped();
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    forgotten(world, 'b.txt', 'uploaded there, too');
    world.service.linksBroken = true;
    await world.clock.advance(beforeMs);
    const running = await world.start();
    await world.clock.advance(30 * minuteMs);
    for (const name of ['a.txt', 'b.txt'])
      expect(world.row(name).state).toEqual({ kind: 'held', reason: 'maybe-uploaded' });
    expect(world.service.count('upload')).toBe(1);
    const { id } = world.row('a.txt');
    const candidates = await running.call('queue.candidates', { id });
    const [same] = candidates.filter(({ sameName, sameSize }) => sameName && sameSize);
    await running.call('queue.resolve', { id, choice: 'this-is-it', fileId: same?.file.file_id });
    expect(world.row('a.txt')).toMatchObject({ state: { kind: 'uploaded' }, fileId: same?.file.file_id });
    await running.call('queue.confirm', { ids: [world.row('b.txt').id] });
    await world.until('b.txt', 'uploaded');
    expect(world.service.count('upload')).toBe(2);
  });
});

describe('a file that cannot be compared', () => {
  test('is held although its name was confirmed before: the confirmation was only about the name', async () => {
    const world = createWorld();
    const running = await world.start();
    await world.put('site.pem', 'a certificate', 'held');
    await running.call('queue.pause', { untilMs: null });
    await running.call('queue.confirm', { ids: [world.row('site.pem').id] });
    await running.stop();
    await world.clock.advance(60 * minuteMs);
    world.service.addForeign('site.pem', 'a certificate');
    world.service.linksBroken = true;
    const again = await world.start();
    await again.call('queue.resume', {});
    await world.clock.advance(30 * minuteMs);
    expect(world.row('site.pem').state).toEqual({ kind: 'held', reason: 'maybe-uploaded' });
    expect(world.service.count('upload')).toBe(0);
  });

  test('is held even if the entry of its size has another name: the file may have been renamed since', async () => {
    const world = await stopped();
    forgotten(world, 'a.txt', 'uploaded in the lost hour', 'earlier name.bin');
    world.service.linksBroken = true;
    await settledWithin(world, 30 * minuteMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'held', reason: 'maybe-uploaded' });
    expect(world.service.count('upload')).toBe(1);
  });
});

describe('a file that is being compared', () => {
  /** A file with the size of an entry in the account list, whose link takes a minute to answer. */
  const comparing = async (): Promise<World> => {
    const world = await stopped();
    forgotten(world, 'a.txt', 'uploaded in the lost hour', 'before.bin');
    const { digestOfLink } = world.service.api;
    world.service.api.digestOfLink = async (link, sizeBytes, signal) => {
      await new Promise<void>((next) => world.clock.after(minuteMs, next));
      return await digestOfLink(link, sizeBytes, signal);
    };
    await settledWithin(world, 30_000);
    expect(world.row('a.txt').state.kind).toBe('ready');
    return world;
  };

  test('stays cancelled when the user cancels it meanwhile', async () => {
    const world = await comparing();
    await world.running().call('queue.cancel', { ids: [world.row('a.txt').id] });
    await world.clock.advance(5 * minuteMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  });

  test('is compared again at the next start when Outtray ends meanwhile', async () => {
    const world = await comparing();
    await world.running().stop();
    expect(world.row('a.txt').state.kind).toBe('ready');
    await world.start();
    await world.until('a.txt', 'uploaded', 5 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
  });

  test('is new, and uploaded, when it changes meanwhile', async () => {
    const world = await comparing();
    await world.put('a.txt', 'written since the start!!', 'uploaded', 5 * minuteMs);
    expect(world.service.count('upload')).toBe(2);
  });

  test('is read again when it changes or another program locks it', async () => {
    const world = await stopped();
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    forgotten(world, 'b.txt', 'uploaded in that hour, too');
    const { open } = world.disk.files;
    const faults = new Map<string, 'changed' | 'locked'>([
      ['/tray/a.txt', 'changed'],
      ['/tray/b.txt', 'locked'],
    ]);
    world.disk.files.open = async (path, root) => {
      const fault = faults.get(path);
      faults.delete(path);
      if (fault !== undefined) throw new AppError(fault, 'Not now.');
      return await open(path, root);
    };
    await settledWithin(world, minuteMs);
    expect(faults.size).toBe(0);
    for (const name of ['a.txt', 'b.txt']) expect(world.row(name).state.kind).toBe('uploaded');
    expect(world.service.count('upload')).toBe(1);
  });

  test('is opened rarely while another program locks it', async () => {
    const world = await stopped();
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    const { open } = world.disk.files;
    let opened = 0;
    world.disk.files.open = async () => {
      opened += 1;
      throw new AppError('locked', 'Not now.');
    };
    await settledWithin(world, 5 * minuteMs);
    expect(opened).toBeLessThan(10);
    world.disk.files.open = open;
    await world.until('a.txt', 'uploaded', 15 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
  });

  test('is uploaded after a broken attempt without reading the link again', async () => {
    const world = await stopped();
    world.disk.write('/tray/a.txt', 'content');
    world.service.addForeign('a.txt', 'CONTENT');
    let read = 0;
    const { digestOfLink } = world.service.api;
    world.service.api.digestOfLink = (link, sizeBytes, signal) => {
      read += 1;
      return digestOfLink(link, sizeBytes, signal);
    };
    world.service.faults.push('cut-before-tail');
    await settledWithin(world, 5 * minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(read).toBe(1);
  });

  test('may be given by path, without a watched folder', async () => {
    const world = await stopped();
    world.disk.write('/elsewhere/a.txt', 'uploaded in the lost hour');
    const { fileId } = world.service.addForeign('a.txt', 'uploaded in the lost hour');
    await world.clock.advance(minuteMs);
    const running = await world.start({ folder: null });
    await running.call('files.upload', { paths: ['/elsewhere/a.txt'] });
    expect((await world.until('a.txt', 'uploaded')).fileId).toBe(fileId);
  });
});

describe('a file of another device', () => {
  test('with the same name and size and other content delays nothing', async () => {
    const world = await stopped();
    world.disk.write('/tray/a.txt', 'content');
    const foreign = world.service.addForeign('a.txt', 'CONTENT');
    await settledWithin(world, minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.row('a.txt').fileId).not.toBe(foreign.fileId);
  });

  test('with the same content counts as this file: two machines on one folder make one link', async () => {
    const world = await stopped();
    world.disk.write('/tray/a.txt', 'content');
    const foreign = world.service.addForeign('a.txt', 'content');
    await settledWithin(world, minuteMs);
    expect(world.row('a.txt').fileId).toBe(foreign.fileId);
  });
});

describe('no list is requested', () => {
  test('for files that arrived after the start', async () => {
    const world = await stopped();
    await settledWithin(world, 1000);
    await share(world, 'new.txt', 'new');
    expect(world.service.count('list')).toBe(0);
  });

  test('by a ledger whose last request is recent, or that never shared anything', async () => {
    const world = createWorld();
    const running = await world.start();
    await share(world, 'first.txt', 'the first file');
    await running.stop();
    world.disk.write('/tray/next.txt', 'the next file');
    await settledWithin(world, minuteMs);
    expect(world.row('next.txt').state.kind).toBe('uploaded');
    expect(world.service.count('list')).toBe(0);

    const fresh = createWorld();
    fresh.disk.write('/tray/a.txt', 'content');
    await fresh.start({ existing: 'upload' });
    await fresh.until('a.txt', 'uploaded');
    expect(fresh.service.count('list')).toBe(0);
  });
});

test('a list that waits for its turn is not read further once another lookup is refused', async () => {
  const world = await stopped({ settings: { requestsPerMinute: 4 } });
  const running = await world.start();
  await loseAnswer(world, 'lost.txt', 'its answer was lost');
  await running.stop();
  await world.clock.advance(60 * minuteMs);
  Object.assign(world.service, { order: 'shuffled', pageSize: 1 });
  for (let i = 0; i < 20; i += 1) world.service.addForeign(`other-${i}`, `of another device ${i}`);
  forgotten(world, 'a.txt', 'uploaded in the lost hour');
  world.service.refuseLists = { code: 'wrong-address', status: 404 };
  await settledWithin(world, minuteMs);
  world.service.refuseLists = null;
  const { list } = world.service.api;
  const refusedAtMs: number[] = [];
  const before = world.service.count('list');
  world.service.api.list = async (page, signal) => {
    world.service.refuseLists =
      refusedAtMs.length === 0 && world.service.count('list') > before + 5
        ? { code: 'wrong-address', status: 404 }
        : null;
    if (world.service.refuseLists !== null) refusedAtMs.push(world.clock.monoMs());
    return await list(page, signal);
  };
  await world.running().call('queue.resume', {});
  await world.clock.runUntil(() => refusedAtMs.length > 0, 60 * minuteMs);
  const atMs = refusedAtMs[0] ?? 0;
  await world.clock.advance(14 * minuteMs);
  expect(world.service.requests.filter((one) => one.atMs > atMs + 1000)).toEqual([]);
});

test.each(['shifts', 'shifts once'])(
  'a file that a list lacks which %s while it is read is not sent twice',
  async (how) => {
    const world = await stopped();
    world.service.pageSize = 1;
    world.service.addForeign('other.txt', 'of another device');
    forgotten(world, 'a.txt', 'uploaded in the lost hour');
    const { list } = world.service.api;
    let pages = 0;
    world.service.api.list = async (page, signal) => {
      const { files, pagination } = await list(page, signal);
      pages += 1;
      if (how === 'shifts once' && pages > 12) return { files, pagination };
      const total = pagination.total + pages;
      return {
        files: files.filter(({ filename }) => filename !== 'a.txt'),
        pagination: { ...pagination, total },
      };
    };
    await settledWithin(world, 20 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
    expect(world.row('a.txt').state).toMatchObject(
      how === 'shifts' ? { kind: 'held', reason: 'maybe-uploaded' } : { kind: 'uploaded' },
    );
  },
);

test('a list without unknown entries ends the check: a start soon after requests none', async () => {
  const world = await stopped();
  world.disk.write('/tray/a.txt', 'never uploaded');
  world.disk.write('/tray/b.txt', 'nor this one');
  world.disk.lock('/tray/b.txt', true);
  await settledWithin(world, minuteMs);
  expect(world.row('a.txt').state.kind).toBe('uploaded');
  expect(world.service.count('list')).toBe(1);
  await world.running().stop();
  world.disk.lock('/tray/b.txt', false);
  await settledWithin(world, minuteMs);
  await world.until('b.txt', 'uploaded', 15 * minuteMs);
  expect(world.service.count('list')).toBe(1);
});

test('an interrupted request makes the ledger as recent as an answered one', async () => {
  const world = await stopped();
  const running = await world.start();
  world.service.latencyMs = 10_000;
  await world.put('a.txt', 'content', 'sending');
  running.life.kill();
  world.service.latencyMs = 20;
  await settledWithin(world, minuteMs);
  expect(world.row('a.txt').state.kind).toBe('uploaded');
  expect(world.service.count('list')).toBe(0);
});

test('a second start reads past the results of the first one: older entries may still be unknown', async () => {
  const world = createWorld();
  world.service.pageSize = 4;
  const running = await world.start();
  for (let i = 0; i < 6; i += 1) {
    world.disk.write(`/tray/first-${i}.txt`, `shared before, ${i}`);
    await world.until(`first-${i}.txt`, 'uploaded');
    await world.clock.advance(minuteMs);
  }
  await running.stop();
  await world.clock.advance(60 * minuteMs);
  for (let i = 0; i < 6; i += 1) {
    await world.clock.advance(minuteMs);
    forgotten(world, `lost-${i}.txt`, `uploaded in the lost hour, ${i}`);
    if (i < 5) world.disk.lock(`/tray/lost-${i}.txt`, true);
  }
  await settledWithin(world, minuteMs);
  expect(world.row('lost-5.txt').state.kind).toBe('uploaded');
  await world.running().stop();
  await world.clock.advance(60 * minuteMs);
  for (let i = 0; i < 5; i += 1) world.disk.lock(`/tray/lost-${i}.txt`, false);
  await settledWithin(world, 30 * minuteMs);
  for (let i = 0; i < 5; i += 1) expect(world.row(`lost-${i}.txt`).state.kind).toBe('uploaded');
  expect(world.service.count('upload')).toBe(6);
});

test('nothing is sent while the list cannot be read, and the queue says so', async () => {
  const world = await stopped();
  forgotten(world, 'a.txt', 'uploaded in the lost hour');
  world.service.refuseLists = { code: 'unusable-answer', status: 200 };
  await settledWithin(world, 10 * minuteMs);
  expect(world.service.count('upload')).toBe(1);
  expect(world.running().engine.status().gate).toMatchObject({ kind: 'closed' });
  world.service.refuseLists = null;
  await world.until('a.txt', 'uploaded', 60 * minuteMs);
  expect(world.service.count('upload')).toBe(1);
});

describe('a file whose turn comes while the account is listed before the first upload', () => {
  test.each<[string, (run: Running, id: number) => Promise<unknown>]>([
    ['when its folder is removed', (run) => run.call('folders.remove', { folder: '/tray' })],
    [
      'when its folder is paused',
      (run) => run.call('folders.set', { folder: '/tray', name: 'paused', value: true }),
    ],
    ['when it is cancelled', (run, id) => run.call('queue.cancel', { ids: [id] })],
    ['when all is paused', (run) => run.call('queue.pause', { untilMs: null })],
  ])('is not sent %s', async (_, act) => {
    const world = await stopped();
    world.disk.write('/tray/new.txt', 'never uploaded');
    await world.clock.advance(beforeMs);
    const run = await world.start();
    world.service.latencyMs = 5 * minuteMs;
    await world.clock.advance(6 * minuteMs);
    expect(world.service.requests.at(-1)?.kind).toBe('list');
    await world.during(act(run, world.row('new.txt').id));
    world.service.latencyMs = 0;
    await world.clock.advance(60 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
  });
});
