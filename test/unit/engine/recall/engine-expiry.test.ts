// Links that end: at their time they are taken back, proven dead and reported once, never early because a clock was set.
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { describe, expect, test } from 'vitest';
import type { EntryBody } from '../../../../src-main/contract/entries.ts';
import type { Settings } from '../../../../src-main/contract/settings.ts';
import type { ExpireWish } from '../../../../src-main/contract/expiry.ts';
import { isDeep } from '../../../support/deep.ts';
import {
  begin,
  dayMs,
  hourMs,
  minuteMs,
  share,
  type Running,
  type World,
} from '../../../support/fake-world.ts';

const given = async (
  expire: ExpireWish | undefined,
  options: Parameters<typeof begin>[0] = {},
): Promise<{ world: World; run: Running; fileId: FileId }> => {
  const { world, run } = await begin(options);
  world.disk.write('/else/a.txt', 'content');
  await run.call('files.upload', { paths: ['/else/a.txt'], ...(expire === undefined ? {} : { expire }) });
  return { world, run, fileId: (await world.until('a.txt', 'uploaded')).fileId ?? 0 };
};
const served = (world: World): string[] => world.service.namesOf();
type Body<Kind extends EntryBody['kind']> = Extract<EntryBody, { kind: Kind }>;
const told = <Kind extends EntryBody['kind']>(world: World, kind: Kind): Body<Kind>[] =>
  world.ledger.entries.after(0, 5000).flatMap(({ body }) => (body.kind === kind ? [body as Body<Kind>] : []));
const endOf = (world: World, name = 'a.txt'): number | null => world.row(name).ends?.atMs ?? null;

describe('a link with an end', () => {
  test('is alive until its end, then dead, and reported in one entry', async () => {
    const { world, run, fileId } = await given({ afterMs: hourMs });
    const { uploadedAtMs, id } = world.row('a.txt');
    expect(endOf(world)).toBe((uploadedAtMs ?? 0) + hourMs);
    expect(told(world, 'uploaded')).toMatchObject([{ expiresAtMs: endOf(world) }]);
    expect((await run.call('files.info', { fileId })).expiresAtMs).toBe(endOf(world));
    expect((await run.call('files.list', {})).files).toMatchObject([{ expiresAtMs: endOf(world) }]);
    expect((await run.call('files.page', {})).rows).toMatchObject([{ expiresAtMs: endOf(world) }]);
    await world.clock.advance((endOf(world) ?? 0) - world.clock.wallMs() - 1000);
    expect(served(world)).toEqual(['a.txt']);
    await world.clock.advance(minuteMs);
    expect(served(world)).toEqual([]);
    expect(world.ledger.uploads.byId(id)?.state).toEqual({ kind: 'recalled', dead: true, isExpired: true });
    expect(told(world, 'recalled')).toMatchObject([{ dead: true, fileId }]);
    const [summary, ...more] = told(world, 'expired');
    expect({ summary, more }).toMatchObject({ summary: { files: 1, alive: 0 }, more: [] });
    expect(summary?.lateMs).toBeLessThan(minuteMs);
    expect(
      await run.call('files.expire', { files: [{ queueId: id }], expire: { afterMs: hourMs } }),
    ).toMatchObject([
      { error: { code: 'bad-use', message: 'The link to /else/a.txt is dead, or is being taken back.' } },
    ]);
  });

  test('from the folder gets its end from the folder, counted from its upload, and its file is not uploaded again', async () => {
    const { world, run } = await begin({ settings: { expireAfter: '1d' } });
    await share(world, 'a.txt', 'content');
    expect(endOf(world)).toBe((world.row('a.txt').uploadedAtMs ?? 0) + dayMs);
    await world.clock.advance(dayMs + minuteMs);
    expect(served(world)).toEqual([]);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'expired' });
    await run.call('folder.scan', {});
    world.disk.rename('/tray/a.txt', '/tray/b.txt');
    await world.clock.advance(hourMs);
    expect(world.service.count('upload')).toBe(1);
    expect((await run.call('file.why', { path: '/tray/b.txt' })).sentence).toContain('its link expired');
    // A person asks for another link, and its time begins again.
    await run.call('queue.confirm', { ids: [world.row('b.txt').id] });
    await world.until('b.txt', 'uploaded');
    expect(endOf(world, 'b.txt')).toBe((world.row('b.txt').uploadedAtMs ?? 0) + dayMs);
  });

  test('to a file given by path gets no end from the folder', async () => {
    const { world } = await given(undefined, { settings: { expireAfter: '1h' } });
    expect(endOf(world)).toBeNull();
  });

  test('to an earlier version ends, too', async () => {
    const { world } = await begin({ settings: { expireAfter: '1d' } });
    await share(world, 'a.txt', 'first');
    await world.clock.advance(hourMs);
    world.disk.write('/tray/a.txt', 'second');
    await world.clock.advance(hourMs);
    expect(served(world)).toHaveLength(2);
    await world.clock.advance(dayMs - hourMs - minuteMs);
    expect(served(world)).toHaveLength(1);
  });

  test('ends in the background lane, and is reported together with others in one entry', async () => {
    const { world, run } = await begin({ settings: { expireAfter: '1d' } });
    for (const name of ['a', 'b', 'c', 'd']) await share(world, name);
    world.service.keepsLinks = true;
    await world.clock.advance(dayMs + hourMs);
    expect(told(world, 'recalled')).toHaveLength(4);
    expect(told(world, 'expired')).toMatchObject([{ files: 4, alive: 4 }]);
    expect(run.engine.status().budget.lanes.day).toMatchObject({ user: 0 });
  });

  test('ends at the next start if nothing runs before, and the report says how late', async () => {
    const { world, run } = await given({ afterMs: hourMs });
    await run.stop();
    await world.clock.advance(3 * dayMs);
    expect(served(world)).toEqual(['a.txt']);
    await world.start();
    await world.clock.advance(minuteMs);
    expect(served(world)).toEqual([]);
    const [summary] = told(world, 'expired');
    const lateMs = summary?.lateMs ?? 0;
    expect(lateMs).toBeGreaterThan(3 * dayMs - hourMs - minuteMs);
    expect(lateMs).toBeLessThan(3 * dayMs);
  });

  test('ends when the service can be reached again, and is reported only then', async () => {
    const { world } = await given({ afterMs: hourMs });
    world.service.refuse = { code: 'offline' };
    await world.clock.advance(isDeep ? dayMs : 3 * hourMs);
    expect(served(world)).toEqual(['a.txt']);
    expect(told(world, 'recalled')).toEqual([]);
    world.service.refuse = null;
    await world.clock.advance(dayMs);
    expect(served(world)).toEqual([]);
    expect(told(world, 'expired')).toMatchObject([{ files: 1, alive: 0 }]);
  });
});

describe('the end of an existing link', () => {
  test('can be set, moved and removed', async () => {
    const { world, run, fileId } = await given(undefined);
    const expire = (wish: ExpireWish) => run.call('files.expire', { files: [{ fileId }], expire: wish });
    await expire({ afterMs: hourMs });
    await world.clock.advance(minuteMs);
    const [moved] = await expire({ atMs: world.clock.wallMs() + 2 * dayMs });
    expect(moved).toMatchObject({ fileId, path: '/else/a.txt', expiresAtMs: endOf(world), error: null });
    await world.clock.advance(dayMs);
    expect(served(world)).toEqual(['a.txt']);
    await expire('never');
    expect(endOf(world)).toBeNull();
    await world.clock.advance(30 * dayMs);
    expect(served(world)).toEqual(['a.txt']);
    await run.call('files.expire', { files: [{ path: '/else/a.txt' }], expire: { afterMs: minuteMs } });
    await world.clock.advance(2 * minuteMs);
    expect(served(world)).toEqual([]);
    expect((await expire('never'))[0]?.error).toMatchObject({ code: 'bad-use' });
  });

  test('is set when its file is uploaded again with an end, and that of another file stays', async () => {
    const { world, run } = await given(undefined);
    await run.call('files.upload', { paths: ['/else/a.txt'], expire: { afterMs: hourMs } });
    expect(endOf(world)).not.toBeNull();
    const before = endOf(world);
    world.disk.write('/else/copy.txt', 'content');
    await run.call('files.upload', { paths: ['/else/copy.txt'], expire: { afterMs: minuteMs } });
    await world.until('copy.txt', 'skipped');
    expect(endOf(world)).toBe(before);
  });

  test.each(['touched', 'moved'])('is set when its file is given again after it was %s', async (how) => {
    const { world, run } = await given(undefined);
    await world.clock.advance(minuteMs);
    const path = how === 'moved' ? '/else/b.txt' : '/else/a.txt';
    if (how === 'moved') world.disk.rename('/else/a.txt', path);
    else world.disk.touch(path);
    await run.call('settings.set', { name: 'maxExpireAfter', value: '2d' });
    // While it settles, what was allowed becomes too long.
    const close = world.disk.holdOpen(path);
    await run.call('files.upload', { paths: [path], expire: { afterMs: 2 * dayMs - hourMs } });
    await run.call('settings.set', { name: 'maxExpireAfter', value: '1d' });
    close();
    await world.clock.advance(minuteMs);
    const ended = world.rows().find(({ publicLink }) => publicLink !== null);
    expect(ended?.wantedEnds?.atMs).toBeLessThanOrEqual(world.clock.wallMs() + dayMs);
    await world.clock.advance(2 * dayMs);
    expect(served(world)).toEqual([]);
  });

  test.each([
    ['touched', 'a person'],
    ['moved', 'a person'],
    ['touched', 'an agent'],
  ])('comes although nothing else ends: its file was %s, and given again by %s', async (how, by) => {
    const { world, run } = await given(undefined);
    await world.clock.advance(minuteMs);
    const path = how === 'moved' ? '/else/b.txt' : '/else/a.txt';
    if (how === 'moved') world.disk.rename('/else/a.txt', path);
    else world.disk.touch(path);
    const agent = by === 'an agent' ? { agent: { roots: ['/else'], mayReopen: [] } } : {};
    await run.call('files.upload', { paths: [path], expire: { afterMs: hourMs }, ...agent });
    await world.clock.advance(2 * hourMs);
    expect(served(world)).toEqual([]);
    expect(run.engine.isStill()).toBe(true);
  });

  test('by an agent that gives a touched file becomes earlier and never later', async () => {
    const { world, run } = await given({ afterMs: dayMs });
    const before = endOf(world) ?? 0;
    for (const [afterMs, isSet] of [
      [2 * dayMs, false],
      [hourMs, true],
    ] as const) {
      await world.clock.advance(minuteMs);
      world.disk.touch('/else/a.txt');
      const agent = { roots: ['/else'], mayReopen: [] };
      await run.call('files.upload', { paths: ['/else/a.txt'], expire: { afterMs }, agent });
      await world.clock.advance(minuteMs);
      const now = world.rows().find(({ publicLink }) => publicLink !== null)?.ends?.atMs ?? 0;
      expect(now < before).toBe(isSet);
    }
  });

  test('cannot be set for a foreign file or one without a link', async () => {
    const { world, run } = await begin();
    const { fileId } = world.service.addForeign('theirs.txt', 'x');
    const files = [{ fileId }, { path: '/nowhere' }];
    const results = await run.call('files.expire', { files, expire: { afterMs: hourMs } });
    expect(results.map(({ error }) => error?.code)).toEqual(['not-found', 'not-found']);
  });

  test('is stored before the answer arrives, so that a lost answer does not lose it', async () => {
    const { world, run } = await begin();
    world.service.faults.push('answer-lost');
    world.disk.write('/else/a.txt', 'content');
    await run.call('files.upload', { paths: ['/else/a.txt'], expire: { afterMs: hourMs } });
    await world.until('a.txt', 'uploaded', hourMs);
    expect(endOf(world)).toBe((world.row('a.txt').uploadedAtMs ?? 0) + hourMs);
  });
});

describe('the maximum lifetime', () => {
  test('ends every link, including earlier ones', async () => {
    const { world, run } = await begin();
    await share(world, 'old');
    await world.clock.advance(3 * dayMs);
    await share(world, 'new');
    await run.call('settings.set', { name: 'maxExpireAfter', value: '2d' });
    await world.clock.advance(minuteMs);
    expect(served(world)).toEqual(['new']);
    await world.clock.advance(2 * dayMs);
    expect(served(world)).toEqual([]);
  });

  test('limits the setting of the folder, and a longer request of a person is refused', async () => {
    const { world, run } = await begin({ settings: { expireAfter: '31d', maxExpireAfter: '7d' } });
    const fileId = await share(world, 'a.txt');
    expect(endOf(world)).toBe((world.row('a.txt').uploadedAtMs ?? 0) + 7 * dayMs);
    world.disk.write('/else/b.txt', 'b');
    const upload = run.call('files.upload', { paths: ['/else/b.txt'], expire: { afterMs: 8 * dayMs } });
    await expect(upload).rejects.toMatchObject({
      code: 'bad-use',
      message: expect.stringContaining('7d') as string,
    });
    const [result] = await run.call('files.expire', { files: [{ fileId }], expire: 'never' });
    expect(result?.error).toMatchObject({ code: 'bad-use' });
    // The longest possible end is the rest of that.
    await world.clock.advance(dayMs);
    const ceilingMs = endOf(world);
    await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: 7 * dayMs } });
    expect(endOf(world)).toBe(ceilingMs);
  });

  /** `wishMs`: an end of its own, which stays. */
  describe.each([
    ['lifted', 'none', Infinity],
    ['lengthened', '5d', 5 * dayMs],
  ])('that is %s', (_, value, thenMs) => {
    test.each<[string, { isFirst?: true; isStopped?: true; wishMs?: number; folderMs?: number }]>([
      ['of links that are older than it', {}],
      ['of links that were uploaded under it', { isFirst: true }],
      ['while nothing runs', { isFirst: true, isStopped: true }],
      ['of a link with an earlier end of its own', { isFirst: true, wishMs: 1.5 * dayMs }],
      ['of a link with the end that it had under it', { isFirst: true, wishMs: 2 * dayMs }],
      ['of a link of a folder with a later end', { isFirst: true, folderMs: 4 * dayMs }],
    ])('ends nothing by its former length: %s', async (_, { isFirst, isStopped, wishMs, folderMs }) => {
      const under = { maxExpireAfter: '2d' };
      const { world, run } = await begin({
        settings: {
          ...(isFirst === true ? under : {}),
          ...(folderMs === undefined ? {} : { expireAfter: '4d' }),
        },
      });
      const fileId = await share(world, 'a.txt');
      const since = world.row('a.txt').uploadedAtMs ?? 0;
      if (wishMs !== undefined)
        await run.call('files.expire', { files: [{ fileId }], expire: { atMs: since + wishMs } });
      if (isFirst !== true) await run.call('settings.set', { name: 'maxExpireAfter', value: '2d' });
      await world.clock.advance(dayMs);
      let now = run;
      const shown = async () => (await now.call('files.page', {})).rows[0]?.expiresAtMs;
      const underMs = Math.min(2 * dayMs, wishMs ?? Infinity);
      expect(await shown()).toBe(since + underMs);
      if (isStopped === true) await run.stop();
      await world.settings.set('maxExpireAfter', value);
      if (isStopped === true) now = await world.start();
      await world.clock.advance(minuteMs);
      const endMs = Math.min(thenMs, wishMs ?? Infinity, folderMs ?? Infinity);
      expect(await shown()).toBe(endMs === Infinity ? null : since + endMs);
      await world.clock.advance(Math.min(endMs, 30 * dayMs) - dayMs - 2 * minuteMs);
      expect(served(world)).toEqual(['a.txt']);
      await world.clock.advance(5 * minuteMs);
      expect(served(world)).toEqual(endMs === Infinity ? ['a.txt'] : []);
    });
  });

  test('that is lifted while links are deleted ends none that waits for its turn', async () => {
    const { world, run } = await begin();
    const names = Array.from({ length: 8 }, (_, at) => `${at}.txt`);
    for (const name of names) await share(world, name);
    await world.clock.advance(3 * dayMs);
    world.service.latencyMs = 10_000;
    await run.call('settings.set', { name: 'maxExpireAfter', value: '2d' });
    await world.clock.runUntil(() => world.service.count('info') > 0, hourMs);
    await run.call('settings.set', { name: 'maxExpireAfter', value: 'none' });
    world.service.latencyMs = 20;
    await world.clock.advance(dayMs);
    expect(served(world)).toHaveLength(7);
  });

  test('does not shorten the end that a person sets while the wall clock is ahead', async () => {
    const { world, run } = await begin({ settings: { maxExpireAfter: '7d' } });
    const fileId = await share(world, 'a.txt');
    world.clock.jumpWall(400 * dayMs);
    await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: 2 * dayMs } });
    await world.clock.advance(2 * dayMs - minuteMs);
    expect(served(world)).toEqual(['a.txt']);
    await world.clock.advance(2 * minuteMs);
    expect(served(world)).toEqual([]);
  });

  test('that is set while the wall clock is ahead ends no link early', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt');
    world.clock.jumpWall(400 * dayMs);
    await world.clock.advance(minuteMs);
    await run.call('settings.set', { name: 'maxExpireAfter', value: '2d' });
    await world.clock.advance(dayMs);
    expect(served(world)).toEqual(['a.txt']);
    await world.clock.advance(dayMs + minuteMs);
    expect(served(world)).toEqual([]);
  });
});

describe('two links that expired while nothing ran', () => {
  const over = async () => {
    const { world, run } = await begin();
    const files: { fileId: FileId }[] = [];
    for (const name of ['a.txt', 'b.txt']) {
      world.disk.write(`/else/${name}`, name);
      await run.call('files.upload', { paths: [`/else/${name}`], expire: { afterMs: hourMs } });
      files.push({ fileId: (await world.until(name, 'uploaded')).fileId ?? 0 });
    }
    await run.stop();
    await world.clock.advance(2 * hourMs);
    return { world, last: files.slice(1) };
  };
  const begun = ({ service }: World) => service.count('info') > 0;

  test('end at the next start, unless their end is moved meanwhile', async () => {
    const { world, last } = await over();
    world.service.latencyMs = 30_000;
    const run = await world.start();
    await world.clock.runUntil(() => begun(world), hourMs);
    await run.call('files.expire', { files: last, expire: { afterMs: dayMs } });
    await world.clock.advance(hourMs);
    expect(served(world)).toEqual(['b.txt']);
    expect(world.row('b.txt').state.kind).toBe('uploaded');
  });

  test('cause one request while the service is unreachable', async () => {
    const { world } = await over();
    world.service.refuse = { code: 'offline' };
    await world.start();
    await world.clock.advance(minuteMs);
    expect(world.service.count('info') + world.service.count('remove')).toBe(1);
    expect(world.row('b.txt').state.kind).toBe('uploaded');
    world.service.refuse = null;
    await world.clock.advance(6 * hourMs);
    expect(served(world)).toEqual([]);
  });

  test('both end when the start after that is interrupted', async () => {
    const { world } = await over();
    world.service.latencyMs = 30_000;
    const run = await world.start();
    await world.clock.runUntil(() => begun(world), hourMs);
    await run.stop();
    world.service.latencyMs = 20;
    await world.start();
    await world.clock.advance(10 * minuteMs);
    expect(served(world)).toEqual([]);
    expect(told(world, 'recalled')).toHaveLength(2);
  });
});

test('a link that the service ended by itself is noticed and reported once', async () => {
  const { world, run, fileId } = await given({ afterMs: 30 * dayMs });
  await world.clock.advance(hourMs);
  for (const file of world.service.stored) file.deleted = true;
  await run.call('files.refresh', {});
  await run.call('files.refresh', {});
  expect(told(world, 'lost')).toEqual([{ kind: 'lost', fileId }]);
});

/** From now on everything but the tail of an upload takes ten minutes. */
const delayTails = ({ service, clock }: World): void => {
  const { upload } = service.api;
  service.api.upload = (request) =>
    upload({
      ...request,
      async beforeTail() {
        await new Promise((resolve) => clock.after(10 * minuteMs, () => resolve(undefined)));
        await request.beforeTail();
      },
    });
};

describe('an end', () => {
  test('that comes while the file is on its way lets no tail leave', async () => {
    const { world, run } = await begin();
    await share(world, 'first.txt');
    delayTails(world);
    world.disk.write('/else/a.txt', 'content');
    const expire = { atMs: world.clock.wallMs() + 5 * minuteMs };
    await run.call('files.upload', { paths: ['/else/a.txt'], expire });
    await world.clock.advance(hourMs);
    expect(served(world)).toEqual(['first.txt']);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'expired' });
  });

  test.each([1, 20])(
    'of a file that is on its way from a removed folder comes %s minutes after it was given',
    async (afterMinutes) => {
      const { world, run } = await begin();
      await share(world, 'first.txt');
      delayTails(world);
      const { id } = await world.put('id_rsa', 'content', 'held');
      await run.call('queue.pause', { untilMs: null });
      await run.call('queue.confirm', { ids: [id] });
      await world.clock.advance(minuteMs);
      await run.call('folders.remove', { folder: '/tray' });
      await run.call('queue.resume', {});
      await world.until('id_rsa', 'sending');
      const expire = { atMs: world.clock.wallMs() + afterMinutes * minuteMs };
      await run.call('files.upload', { paths: ['/tray/id_rsa'], expire });
      await world.clock.advance(15 * minuteMs);
      const isOver = afterMinutes < 10;
      expect(served(world)).toEqual(isOver ? ['first.txt'] : ['first.txt', 'id_rsa']);
      await world.clock.advance(hourMs);
      expect(served(world)).toEqual(['first.txt']);
      expect(world.service.stored).toHaveLength(isOver ? 1 : 2);
    },
  );

  const ends: [string, ExpireWish | undefined, Partial<Settings>][] = [
    ['a person wants', { afterMs: dayMs }, {}],
    ['the folder or the settings have', undefined, { expireAfter: '1d' }],
    ['a policy sets as the latest', undefined, { maxExpireAfter: '1d' }],
  ];

  test.each(ends)(
    'that %s counts from the tail, also where the answer takes long',
    async (_, wish, given) => {
      const { world, run } = await begin({ settings: given });
      const folder = wish === undefined ? '/tray' : '/else';
      world.disk.write(`${folder}/a.txt`, 'content');
      world.service.latencyMs = 5 * minuteMs;
      if (wish !== undefined) await run.call('files.upload', { paths: ['/else/a.txt'], expire: wish });
      const row = await world.until('a.txt', 'uploaded', dayMs / 2);
      const [attempt] = world.ledger.attempts.ofUpload(row.id);
      expect(world.clock.wallMs() - (attempt?.committingAtMs ?? 0)).toBeGreaterThanOrEqual(5 * minuteMs);
      expect(endOf(world)).toBe((attempt?.committingAtMs ?? 0) + dayMs);
    },
  );

  test.each(ends)(
    'that %s counts from the tail, also where the answer was found later',
    async (_, wish, given) => {
      const { world, run } = await begin({ settings: { ...given, reconcileAfterMs: 6 * hourMs } });
      world.service.faults.push('answer-lost');
      world.service.listLagMs = 5 * hourMs;
      const folder = wish === undefined ? '/tray' : '/else';
      world.disk.write(`${folder}/a.txt`, 'content');
      if (wish !== undefined) await run.call('files.upload', { paths: ['/else/a.txt'], expire: wish });
      const row = await world.until('a.txt', 'uncertain', hourMs);
      const [attempt] = world.ledger.attempts.ofUpload(row.id);
      const found = world.clock.wallMs() + 4 * hourMs;
      await world.clock.advance(4 * hourMs);
      world.service.listLagMs = 0;
      await world.until('a.txt', 'uploaded', dayMs / 2);
      expect(world.clock.wallMs()).toBeGreaterThanOrEqual(found);
      expect(endOf(world)).toBe((attempt?.committingAtMs ?? 0) + dayMs);
    },
  );
});
