// Followed links: their downloads are reported once, at the first one and then each morning, by checks that cost little and
// never delay an upload. Without a followed link nothing is requested.
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { isDeep } from '../../../support/deep.ts';
import { describe, expect, test } from 'vitest';
import {
  checks,
  download,
  follow,
  following,
  stateOf,
  told,
  unfollow,
  untilMorning,
} from '../../../support/follow-world.ts';
import { begin, dayMs, hourMs, minuteMs, share, type Running } from '../../../support/fake-world.ts';

describe('without a followed link', () => {
  test('nothing is requested, also after the last one is no longer followed', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    await world.clock.advance(3 * dayMs);
    expect(checks(world)).toBe(0);
    await follow(run, fileId);
    await world.clock.advance(hourMs + minuteMs);
    const before = checks(world);
    expect(before).toBeGreaterThan(0);
    await unfollow(run, fileId);
    await world.clock.advance(3 * dayMs);
    expect(checks(world)).toBe(before);
    expect(run.engine.isStill()).toBe(true);
  });
});

describe('a followed link', () => {
  test('has its first download reported, once', async () => {
    const { world, run, ids } = await following(['a.txt']);
    await world.clock.advance(hourMs);
    expect(told(world, 'downloaded')).toEqual([]);
    download(world, 'a.txt', 2);
    await world.clock.advance(16 * minuteMs);
    const { publicLink } = world.row('a.txt');
    const first = { kind: 'downloaded', fileId: ids[0], publicLink, downloads: 2 };
    expect(told(world, 'downloaded')).toEqual([first]);
    download(world, 'a.txt');
    await world.clock.advance(isDeep ? 3 * dayMs : 6 * hourMs);
    expect(told(world, 'downloaded')).toHaveLength(1);
    expect(run.engine.status().budget.lanes.day).toMatchObject({ user: 0 });
  });

  test('counts from the downloads known when it was followed', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    download(world, 'a.txt', 5);
    await run.call('files.refresh', {});
    await follow(run, fileId);
    await world.clock.advance(hourMs);
    expect(told(world, 'downloaded')).toEqual([]);
    download(world, 'a.txt');
    await world.clock.advance(hourMs);
    expect(told(world, 'downloaded')).toMatchObject([{ downloads: 6 }]);
  });

  test('has a download reported when the user reads the list, before its next check', async () => {
    const { world, run } = await following(['a.txt'], { followEveryMinutes: 600 });
    await world.clock.advance(minuteMs);
    download(world, 'a.txt');
    await run.call('files.refresh', {});
    await world.clock.advance(1000);
    expect(told(world, 'downloaded')).toHaveLength(1);
  });

  test('does not count reads by this machine', async () => {
    const { world, run, ids } = await following(['a.txt']);
    await world.clock.advance(hourMs);
    await run.call('files.verify', { files: [{ fileId: ids[0] ?? 0 }] });
    await world.clock.advance(hourMs);
    expect(told(world, 'downloaded')).toEqual([]);
    download(world, 'a.txt');
    await world.clock.advance(hourMs);
    expect(told(world, 'downloaded')).toMatchObject([{ downloads: 1 }]);
    const story = await run.call('file.story', { uploadId: world.row('a.txt').id });
    expect(story).toMatchObject({
      follow: { price: { waits: null } },
      downloads: [{ downloads: 1, gained: 1 }],
    });
  });

  test('has a history of its downloads, oldest first', async () => {
    const { world, run } = await following(['a.txt']);
    for (let i = 0; i < 3; i += 1) {
      download(world, 'a.txt', 2);
      await world.clock.advance(hourMs);
    }
    const { downloads } = await run.call('file.story', { uploadId: world.row('a.txt').id });
    const grown = downloads.map((one) => `${String(one.gained)} to ${String(one.downloads)}`);
    expect(grown).toEqual(['2 to 2', '2 to 4', '2 to 6']);
    expect(downloads.map((one) => one.atMs)).toEqual(downloads.map((one) => one.atMs).toSorted());
  });

  test('is shown in Files and in the list of followed links until it is no longer followed', async () => {
    const { world, run, ids } = await following(['a.txt']);
    const isFollowed = async () => (await run.call('files.page', {})).rows.map((row) => row.isFollowed);
    expect(await isFollowed()).toEqual([true]);
    expect((await run.call('files.followed', {})).links).toMatchObject([
      { fileId: ids[0], path: '/tray/a.txt', downloads: null, asOfMs: null },
    ]);
    await world.clock.advance(hourMs);
    const [link] = (await run.call('files.followed', {})).links;
    expect(link).toMatchObject({ downloads: 0 });
    expect(link?.asOfMs).not.toBeNull();
    await unfollow(run, ...ids);
    expect(await isFollowed()).toEqual([false]);
    expect((await run.call('files.followed', {})).links).toEqual([]);
    expect(told(world, 'follow-set')).toMatchObject([{ isFollowed: true }, { isFollowed: false }]);
  });

  test('may be named by its path; one that does not exist, or is dead, cannot be followed', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    const { results } = await run.call('files.follow', {
      files: [{ path: '/tray/a.txt' }, { fileId }, { path: '/tray/no.txt' }, { fileId: 4 }],
    });
    expect(results.map(({ error }) => error?.code ?? null)).toEqual([null, null, 'not-found', 'not-found']);
    // Twice the same link is one.
    expect(told(world, 'follow-set')).toHaveLength(1);
    await run.call('files.recall', { files: [{ fileId }] });
    expect((await follow(run, fileId)).results).toMatchObject([{ error: { code: 'bad-use' } }]);
    const other = await share(world, 'b.txt');
    for (const file of world.service.stored) file.deleted = true;
    await world.clock.advance(hourMs);
    await run.call('files.refresh', {});
    await world.clock.advance(hourMs);
    expect((await follow(run, other)).results).toMatchObject([{ error: { code: 'not-found' }, link: null }]);
    await unfollow(run, other);
    expect(told(world, 'follow-set')).toHaveLength(1);
  });

  test('has a download reported again after it was followed again', async () => {
    const { world, run, ids } = await following(['a.txt']);
    download(world, 'a.txt');
    await world.clock.advance(hourMs);
    await unfollow(run, ...ids);
    download(world, 'a.txt');
    await follow(run, ...ids);
    await world.clock.advance(hourMs);
    expect(told(world, 'downloaded')).toMatchObject([{ downloads: 1 }, { downloads: 2 }]);
  });
});

describe('the daily line', () => {
  test.runIf(isDeep)(
    'reports at nine the new downloads of all links, the most first, and nothing twice',
    async () => {
      const { world } = await following(['a.txt', 'b.txt', 'c.txt']);
      await untilMorning(world);
      for (const name of ['a.txt', 'b.txt', 'c.txt']) download(world, name);
      await world.clock.advance(hourMs);
      expect(told(world, 'downloaded')).toHaveLength(3);
      download(world, 'a.txt', 2);
      download(world, 'b.txt', 5);
      await world.clock.advance(20 * hourMs);
      expect(told(world, 'downloads')).toEqual([]);
      await untilMorning(world);
      await world.clock.advance(minuteMs);
      const gained = (name: string, downloads: number) => {
        const { id: uploadId, fileId } = world.row(name);
        return { uploadId, fileId, path: `/tray/${name}`, downloads };
      };
      const files = [gained('b.txt', 5), gained('a.txt', 2)];
      expect(told(world, 'downloads')).toEqual([{ kind: 'downloads', links: 2, downloads: 7, files }]);
      await world.clock.advance(3 * dayMs);
      expect(told(world, 'downloads')).toHaveLength(1);
      download(world, 'c.txt');
      await world.clock.advance(dayMs + hourMs);
      expect(told(world, 'downloads')).toMatchObject([{}, { links: 1, downloads: 1 }]);
    },
  );

  test.runIf(isDeep)('names ten links and counts all of them', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `file-${String(i)}.txt`);
    const { world } = await following(names);
    for (let i = 0; i < 2; i += 1) {
      for (const name of names) download(world, name);
      await world.clock.advance(2 * dayMs);
    }
    const lines = told(world, 'downloads');
    expect(lines.reduce((sum, { downloads }) => sum + downloads, 0)).toBe(12);
    expect(lines[0]?.links).toBe(12);
    expect(lines[0]?.files).toHaveLength(10);
  });

  test('that was due while nothing ran is sent at the next start', async () => {
    const { world, run } = await following(['a.txt']);
    await untilMorning(world);
    download(world, 'a.txt');
    await world.clock.advance(hourMs);
    download(world, 'a.txt', 3);
    await world.clock.advance(hourMs);
    await run.stop();
    await world.clock.advance(2 * dayMs);
    expect(told(world, 'downloads')).toEqual([]);
    await world.start();
    await world.clock.advance(minuteMs);
    expect(told(world, 'downloads')).toMatchObject([{ downloads: 3 }]);
  });

  test.each([400 * dayMs, -400 * dayMs])(
    'is not lost when the wall clock is set by %s ms',
    async (jumpMs) => {
      const { world } = await following(['a.txt']);
      download(world, 'a.txt');
      await world.clock.advance(hourMs);
      world.clock.jumpWall(jumpMs);
      await world.clock.advance(6 * hourMs);
      world.clock.jumpWall(-jumpMs);
      download(world, 'a.txt', 2);
      await world.clock.advance(30 * hourMs);
      expect(told(world, 'downloads')).toMatchObject([{ downloads: 2 }]);
    },
  );
});

describe('the cost', () => {
  test.each([
    [1, 96] as const,
    // 40 cost a tenth of the day's requests.
    ...(isDeep
      ? ([
          [3, 288],
          [40, 500],
        ] as const)
      : []),
  ])('of %i links is %i requests a day, as announced', async (links, most) => {
    const names = Array.from({ length: links }, (_, i) => `file-${String(i)}.txt`);
    const { world, run } = await following(names);
    const { price } = await run.call('files.followed', {});
    expect(price).toMatchObject({ links, requestsPerDay: most, dayLimit: 5000 });
    expect(price.everyMs).toBeCloseTo((dayMs * links) / most, -1);
    await world.clock.advance(dayMs);
    expect(checks(world)).toBeLessThanOrEqual(most + 1);
    expect(checks(world)).toBeGreaterThan(0.95 * most);
    // Each of them is checked in turn.
    const seen = (await run.call('files.followed', {})).links.filter(({ asOfMs }) => asOfMs !== null);
    expect(seen).toHaveLength(links);
  });

  test('follows the setting, also when it changes', async () => {
    const { world, run, ids } = await following(['a.txt'], { followEveryMinutes: 60 });
    await world.clock.advance(dayMs);
    expect(checks(world)).toBeLessThanOrEqual(25);
    expect(checks(world)).toBeGreaterThan(22);
    await run.call('settings.set', { name: 'followEveryMinutes', value: 1 });
    const before = checks(world);
    await world.clock.advance(hourMs);
    expect(checks(world) - before).toBeGreaterThan(18);
    await unfollow(run, ...ids);
    expect((await run.call('files.followed', {})).price).toMatchObject({ links: 0, requestsPerDay: 0 });
  });

  test('is limited by a maximum of a thousand followed links', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    const one = await share(world, 'b.txt');
    await follow(run, one);
    world.ledger.watched.count = () => 1000;
    expect((await follow(run, fileId, one)).results).toMatchObject([
      { error: { code: 'bad-use' } },
      { error: null },
    ]);
  });

  test('is not increased by a restart', async () => {
    const { world, run } = await following(['a.txt']);
    await world.clock.advance(5 * minuteMs);
    let now = run;
    for (let i = 0; i < 8; i += 1) {
      await now.stop();
      now = await world.start();
      await world.clock.advance(minuteMs);
    }
    expect(checks(world)).toBe(1);
    await world.clock.advance(5 * minuteMs);
    expect(checks(world)).toBe(2);
  });

  test('arises only in the process that runs the engine', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    await run.stop();
    const guest = world.make('guest:2');
    await follow(guest, fileId);
    await world.clock.advance(dayMs);
    expect(checks(world)).toBe(0);
    expect(guest.engine.isStill()).toBe(true);
    expect(await stateOf(world, guest, 'a.txt')).toMatchObject({ price: { waits: null } });
    const engine = await world.start();
    await world.clock.advance(minuteMs);
    expect(checks(world)).toBe(1);
    expect(engine.engine.isStill()).toBe(true);
  });
});

describe('no check is made', () => {
  test('while an upload waits', async () => {
    const { world, run } = await following(['a.txt']);
    await world.clock.advance(10 * minuteMs);
    const before = checks(world);
    await run.call('queue.pause', { untilMs: null });
    await world.put('b.txt', 'more', 'ready');
    await world.clock.advance(5 * hourMs);
    expect(checks(world)).toBe(before);
    expect(run.engine.isStill()).toBe(true);
    expect(await stateOf(world, run, 'a.txt')).toMatchObject({ price: { waits: 'uploads' } });
    await run.call('queue.resume', {});
    await world.until('b.txt', 'uploaded');
    await world.clock.advance(2 * minuteMs);
    expect(checks(world)).toBe(before + 1);
  });

  test('once half of the requests of the day are used', async () => {
    const { world, run } = await following(['a.txt'], { requestsPerDay: 100 });
    await world.clock.advance(minuteMs);
    for (let i = 0; i < 50; i += 1) {
      await run.call('stats.get', { refresh: true });
      await world.clock.advance(5000);
    }
    const before = checks(world);
    await world.clock.advance(20 * hourMs);
    expect(checks(world)).toBe(before);
    expect(await stateOf(world, run, 'a.txt')).toMatchObject({ price: { waits: 'requests' } });
    await world.clock.advance(8 * hourMs);
    expect(checks(world)).toBeGreaterThan(before);
  });

  test('while the service has just asked to wait, although nothing else waits', async () => {
    const { world, run } = await following(['a.txt']);
    await world.clock.advance(15 * minuteMs - 5000);
    const before = checks(world);
    world.service.accepts = () => false;
    await expect(run.call('stats.get', { refresh: true })).rejects.toMatchObject({ code: 'rate' });
    world.service.accepts = () => true;
    await world.clock.advance(7000);
    expect(checks(world)).toBe(before);
    expect(run.engine.isStill()).toBe(true);
    await world.clock.advance(2 * minuteMs);
    expect(checks(world)).toBe(before + 1);
  });

  test('while the service asks to wait', async () => {
    const { world } = await following(['a.txt']);
    await world.clock.advance(minuteMs);
    world.service.accepts = () => false;
    await world.clock.advance(hourMs);
    expect(checks(world)).toBeLessThanOrEqual(6);
    world.service.accepts = () => true;
    download(world, 'a.txt');
    await world.clock.advance(hourMs);
    expect(told(world, 'downloaded')).toHaveLength(1);
  });

  test('while the gate is closed, and a failed check does not close it', async () => {
    const { world, run } = await following(['a.txt']);
    await world.clock.advance(minuteMs);
    world.service.refuse = { code: 'offline' };
    await world.clock.advance(hourMs);
    expect(run.engine.status().gate.kind).toBe('open');
    const before = checks(world);
    expect(before).toBeLessThanOrEqual(6);
    await world.put('b.txt', 'more', 'ready');
    await world.clock.advance(hourMs);
    expect(run.engine.status().gate.kind).toBe('closed');
    expect(checks(world)).toBeLessThanOrEqual(before + 1);
    expect(await stateOf(world, run, 'a.txt')).toMatchObject({ price: { waits: 'uploads' } });
    await run.call('queue.cancel', { ids: [world.row('b.txt').id] });
    expect(await stateOf(world, run, 'a.txt')).toMatchObject({ price: { waits: 'service' } });
    await run.call('queue.undo', {});
    world.service.refuse = null;
    download(world, 'a.txt');
    await world.until('b.txt', 'uploaded', hourMs);
    await world.clock.advance(hourMs);
    expect(told(world, 'downloaded')).toHaveLength(1);
  });

  test('until the gate is open again, even if no file is left to send', async () => {
    const { world, run } = await following(['a.txt']);
    world.service.refuse = { code: 'offline' };
    await world.put('b.txt', 'more', 'ready');
    await world.clock.advance(hourMs);
    expect(run.engine.status().gate.kind).toBe('closed');
    await run.call('queue.cancel', { ids: [world.row('b.txt').id] });
    world.service.refuse = null;
    download(world, 'a.txt');
    await world.clock.advance(hourMs);
    expect(run.engine.status().gate.kind).toBe('open');
    expect(told(world, 'downloaded')).toHaveLength(1);
  });

  test('for a quarter of an hour after the service refused one', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `${n}.txt`);
    const { world } = await following(names, { requestsPerDay: 5000 });
    await world.clock.advance(minuteMs);
    world.service.refuse = { code: 'key-refused', status: 401 };
    const before = checks(world);
    await world.clock.advance(hourMs);
    expect(checks(world) - before).toBeLessThanOrEqual(5);
    world.service.refuse = null;
    await world.clock.advance(hourMs);
    expect(checks(world) - before).toBeGreaterThan(15);
  });

  test('when the engine stops in the middle of one', async () => {
    const { world, run } = await following(['a.txt']);
    world.service.latencyMs = 60_000;
    await world.clock.advance(16 * minuteMs);
    await run.stop();
    expect(world.log.lines.filter(({ event }) => event.startsWith('followed'))).toEqual([]);
  });
});

describe('following ends', () => {
  test('when the service no longer has the file, which is reported once', async () => {
    const { world, run } = await following(['a.txt']);
    await world.clock.advance(minuteMs);
    for (const file of world.service.stored) file.deleted = true;
    await world.clock.advance(hourMs);
    expect(told(world, 'lost')).toHaveLength(1);
    const before = checks(world);
    expect((await run.call('files.followed', {})).links).toEqual([]);
    await run.call('files.refresh', {});
    await world.clock.advance(dayMs);
    expect(checks(world)).toBe(before);
    expect(told(world, 'lost')).toHaveLength(1);
  });

  test('when the list of the account no longer shows it', async () => {
    const { world, run } = await following(['a.txt'], { followEveryMinutes: 600 });
    await world.clock.advance(hourMs);
    for (const file of world.service.stored) file.deleted = true;
    await run.call('files.refresh', {});
    await world.clock.advance(dayMs);
    expect(told(world, 'lost')).toHaveLength(1);
    expect(world.ledger.watched.count('downloads')).toBe(0);
  });

  test.each<[string, (run: Running, fileId: FileId) => Promise<unknown>]>([
    ['taken back', (run, fileId) => run.call('files.recall', { files: [{ fileId }] })],
    ['deleted', (run, fileId) => run.call('files.delete', { fileIds: [fileId] })],
    ['over', (run, fileId) => run.call('files.expire', { files: [{ fileId }], expire: { afterMs: 1000 } })],
  ])('when its link is %s', async (_, end) => {
    const { world, run, ids } = await following(['a.txt']);
    await world.clock.advance(minuteMs);
    await end(run, ids[0] ?? 0);
    await world.clock.advance(minuteMs);
    expect(world.ledger.watched.count('downloads')).toBe(0);
    const before = checks(world);
    await world.clock.advance(dayMs);
    expect(checks(world)).toBe(before);
    expect(told(world, 'lost')).toEqual([]);
  });

  test('silently when it is unfollowed while it is checked', async () => {
    const { world, run, ids } = await following(['a.txt']);
    await world.clock.advance(minuteMs);
    world.service.latencyMs = 60_000;
    await world.clock.advance(15 * minuteMs - 30_000);
    for (const file of world.service.stored) file.deleted = true;
    await unfollow(run, ...ids);
    await world.clock.advance(10 * minuteMs);
    expect(checks(world)).toBe(2);
    expect(told(world, 'lost')).toEqual([]);
  });

  test('not when its file leaves the disk, or when another version takes its place', async () => {
    const { world } = await following(['a.txt', 'b.txt']);
    world.disk.remove('/tray/a.txt');
    world.disk.write('/tray/b.txt', 'another');
    await world.clock.advance(hourMs);
    expect(world.ledger.watched.count('downloads')).toBe(2);
  });
});

describe('a crash', () => {
  test.each(
    ['before', 'after'].flatMap((when) => [1, 2, 3, 4, 5, 6].map((commit) => [commit, when] as const)),
  )('at commit %i, %s it, repeats no report and forgets nothing', async (commit, when) => {
    const { world, run } = await following(['a.txt', 'b.txt']);
    await world.clock.advance(14 * minuteMs);
    download(world, 'a.txt');
    for (const file of world.service.stored) file.deleted ||= file.name === 'b.txt';
    run.life.killAt(commit, when === 'before' ? 'before' : 'after');
    await world.clock.advance(hourMs);
    expect(run.life.isOver()).toBe(true);
    await world.start();
    await world.clock.advance(hourMs);
    expect(told(world, 'downloaded')).toMatchObject([{ downloads: 1 }]);
    expect(told(world, 'lost')).toHaveLength(1);
  });
});
