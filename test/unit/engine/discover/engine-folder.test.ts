import { typedText } from '../../../../src-main/cli/output/typed.ts';
// The watched folder: pre-existing files, files found without hints, very many files at once, and a folder that
// is lost and comes back.
import { describe, expect, test } from 'vitest';
import { begin, createWorld, hourMs, minuteMs, share, type World } from '../../../support/fake-world.ts';

const old = (world: World): void => {
  world.disk.write('/tray/old.txt', 'old');
  world.disk.write('/tray/older.txt', 'older still');
};

describe('what was in the folder before it was chosen', () => {
  test('is skipped, and stays skipped through restarts and scans', async () => {
    const { world, run } = await begin({}, old);
    expect(world.row('old.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
    await run.stop();
    const again = await world.start();
    await world.clock.advance(3 * hourMs);
    expect(world.service.requests).toEqual([]);
    expect(again.engine.status().counts).toMatchObject({ skipped: 2 });
  });

  test('is uploaded when all of it is requested', async () => {
    const { world } = await begin({}, old, { existing: 'upload' });
    await world.clock.runUntil(() => world.service.stored.length === 2, minuteMs);
  });

  test.each([{ existing: ['/tray/old.txt'] }, { existing: { allBut: ['/tray/older.txt'] } }])(
    'is uploaded in part when only that part is requested: %j',
    async (options) => {
      const { world } = await begin({}, old, options);
      await world.clock.advance(minuteMs);
      expect(world.service.namesOf()).toEqual(['old.txt']);
    },
  );

  test('is held when it changes later', async () => {
    const { world, run } = await begin({}, old);
    const row = await world.put('old.txt', 'changed', 'held');
    expect(row.state).toEqual({ kind: 'held', reason: 'existing-changed' });
    world.disk.write('/tray/old.txt', 'changed again');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    await run.call('queue.confirm', { ids: [row.id] });
    await world.until('old.txt', 'uploaded');
  });

  test('is uploaded as requested even if the process is killed during the first scan', async () => {
    const world = createWorld();
    old(world);
    const guest = world.make('guest:1');
    await guest.call('folder.choose', { folder: '/tray', existing: 'upload' });
    await world.clock.advance(minuteMs);
    const run = world.make();
    const { list } = world.disk.files;
    world.disk.files.list = async (folder) => {
      run.life.kill();
      world.disk.files.list = list;
      return await list(folder);
    };
    run.engine.start({ folder: '/tray', existing: 'skip' }).catch(() => undefined);
    await world.clock.advance(1000);
    expect(run.life.isOver()).toBe(true);
    await world.start();
    await world.clock.runUntil(() => world.service.stored.length === 2, minuteMs);
  });
});

describe('a file that arrives while nothing runs', () => {
  test('is new, not pre-existing', async () => {
    const { world, run } = await begin({}, old);
    await run.stop();
    await world.clock.advance(hourMs);
    world.disk.write('/tray/new.txt', 'new');
    await world.clock.advance(hourMs);
    await world.start();
    await world.clock.advance(minuteMs);
    expect(world.service.namesOf()).toEqual(['new.txt']);
  });
});

describe('a scan', () => {
  test('finds within the hour what no hint reported', async () => {
    const { world } = await begin();
    world.disk.hints(false);
    world.disk.write('/tray/a.txt', 'content');
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toEqual([]);
    await world.until('a.txt', 'uploaded', 70 * minuteMs);
  });

  test('runs every 30 s where the watches do not suffice, which is reported once', async () => {
    const { world, run } = await begin();
    world.disk.hints(false);
    const message = 'Raise fs.inotify.max_user_watches.';
    world.disk.degrade({ kind: 'degraded', message });
    world.disk.degrade({ kind: 'degraded', message });
    await world.clock.advance(1000);
    expect(run.engine.status()).toMatchObject({ watch: 'degraded', watchMessage: message });
    expect(await world.make('guest:1').call('app.status', {})).toMatchObject({ watchMessage: message });
    await world.put('a.txt', 'content', 'uploaded', 35_000);
    const before = world.disk.listed.length;
    await world.clock.advance(10 * minuteMs);
    expect(world.disk.listed.length - before).toBe(20);
    expect(run.entries().filter((entry) => entry.body.kind === 'watch-degraded')).toHaveLength(1);
    world.disk.degrade({ kind: 'live' });
    await world.clock.advance(1000);
    expect(run.engine.status().watch).toBe('live');
    expect(await world.make('guest:2').call('app.status', {})).toMatchObject({ watchMessage: null });
  });

  test('runs when the machine wakes up, when hints are lost, and on request', async () => {
    const { world, run } = await begin();
    world.disk.hints(false);
    const finds = async (name: string, act: () => void): Promise<void> => {
      world.disk.write(`/tray/${name}`, name);
      act();
      await world.until(name, 'uploaded', 10_000);
    };
    await finds('a.txt', () => run.engine.resumed());
    await finds('b.txt', () => void run.client.call('folder.scan', {}));
    world.disk.hints(true);
    await finds('c.txt', () => world.disk.hint({ folder: '/tray', name: null, everything: true }));
  });

  test('lists a folder once instead of checking very many names in it', async () => {
    const { world } = await begin({ settings: { burstFiles: 1000 } });
    world.disk.listed.length = 0;
    for (let n = 0; n < 100; n += 1) world.disk.write(`/tray/${n}.txt`, 'x'.repeat(n + 1));
    await world.clock.advance(10);
    expect(world.disk.listed).toEqual(['/tray']);
    expect(world.rows()).toHaveLength(100);
  });

  test('includes subfolders, new and moved ones, unless they are off', async () => {
    const { world, run } = await begin();
    world.disk.make('/tray/sub', 'folder');
    await world.put('sub/a.txt', 'a', 'uploaded');
    await run.call('settings.set', { name: 'recursive', value: false });
    await world.clock.advance(1000);
    expect(world.rows().every((row) => !row.present)).toBe(true);
    world.disk.make('/tray/other', 'folder');
    world.disk.write('/tray/other/b.txt', 'bb');
    world.disk.hint({ folder: '/tray/other', name: null });
    await world.clock.advance(2 * hourMs);
    expect(world.service.namesOf()).toEqual(['a.txt']);
    await run.call('settings.set', { name: 'recursive', value: true });
    await world.put('other/c.txt', 'ccc', 'uploaded', 10_000);
    expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
    expect(world.disk.watched).toEqual([true, false, true]);
  });

  test('notices that a folder replaced a file, and a file a folder', async () => {
    const { world, run } = await begin();
    await share(world, 'thing', 'file');
    world.disk.remove('/tray/thing');
    world.disk.make('/tray/thing', 'folder');
    await world.put('thing/inner.txt', 'inner', 'uploaded');
    expect(world.row('thing').present).toBe(false);
    world.disk.remove('/tray/thing');
    world.disk.write('/tray/thing', 'file again');
    await run.call('folder.scan', {});
    await world.clock.advance(minuteMs);
    expect(world.row('inner.txt').present).toBe(false);
    expect(world.row('thing')).toMatchObject({ present: true, state: { kind: 'uploaded' } });
  });

  test('never opens links, pipes or files that exist only in the cloud', async () => {
    const { world } = await begin();
    world.disk.hints(false);
    world.disk.make('/tray/link', 'link');
    world.disk.make('/tray/pipe', 'special');
    world.disk.write('/tray/cloud.txt', 'x');
    world.disk.markOnlineOnly('/tray/cloud.txt');
    await world.clock.advance(2 * hourMs);
    expect(world.rows().map((row) => row.state)).toEqual([
      { kind: 'skipped', rule: 'link' },
      { kind: 'skipped', rule: 'special' },
      { kind: 'skipped', rule: 'online-only' },
    ]);
    expect(world.disk.opened).toEqual([]);
  });
});

describe('a lost folder', () => {
  test('makes no file deleted or new, and is watched again when it is back', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'content');
    await world.put('b.txt', 'waits', 'settling');
    world.disk.mount('gone');
    await run.call('folder.scan', {});
    await world.clock.advance(hourMs);
    expect(run.engine.status()).toMatchObject({ folderAvailable: false, watch: 'off' });
    expect(world.disk.watches()).toBe(0);
    expect(world.row('a.txt').present).toBe(true);
    world.disk.mount('here');
    await world.clock.advance(minuteMs);
    expect(run.engine.status()).toMatchObject({ folderAvailable: true, watch: 'live' });
    const kinds = run.entries().map((entry) => entry.body.kind);
    expect(kinds.filter((kind) => kind.startsWith('folder-'))).toEqual(['folder-lost', 'folder-back']);
    await world.put('c.txt', 'after', 'uploaded', minuteMs);
    expect(world.disk.watches()).toBe(1);
  });

  test('is not read when another folder lies in its place', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'content');
    world.disk.mount('another');
    run.engine.resumed();
    await world.clock.advance(hourMs);
    expect(run.engine.status()).toMatchObject({ folderAvailable: false });
    expect(typedText(run.engine.status().watchMessage ?? '')).toMatch(
      /^\/tray does not look like the folder that was chosen.*uploads nothing from it\..*settings set folder "\/tray"/,
    );
    expect(world.row('a.txt').present).toBe(true);
  });

  test('is watched again when another process confirms the folder in its place', async () => {
    const { world, run } = await begin();
    const guest = world.make('guest:1');
    const choose = async (mounted: 'here' | 'another') => {
      world.disk.mount(mounted);
      run.engine.resumed();
      await world.clock.advance(minuteMs);
      expect(run.engine.status()).toMatchObject({ folderAvailable: false });
      await world.during(guest.call('settings.set', { name: 'folder', value: '/tray' }));
      await world.clock.advance(minuteMs);
      expect(run.engine.status()).toMatchObject({ folderAvailable: true, watch: 'live' });
    };
    await choose('another');
    world.disk.hints(false);
    world.disk.write('/tray/found.txt', 'lies in it when it is chosen');
    world.disk.hints(true);
    await choose('here');
    await world.put('later.txt', 'came later', 'uploaded', minuteMs);
    expect(world.row('found.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
  });

  test('cannot be watched at a start', async () => {
    const world = createWorld();
    world.disk.mount('gone');
    const run = world.make();
    const start = run.engine.start({ folder: '/tray', existing: 'skip' });
    await expect(world.during(start)).rejects.toMatchObject({ code: 'folder-unavailable' });
  });
});

describe('a ledger that was rebuilt', () => {
  test('holds files older than the ledger as possibly uploaded', async () => {
    const { world, run } = await begin({}, (one) => {
      old(one);
      const chosenAtMs = one.clock.wallMs() - hourMs;
      const { id } = one.ledger.folders.insert({ path: '/tray', identity: '/tray#1', chosenAtMs });
      one.ledger.folders.update(id, { baselineDone: true });
      one.ledger.facts.set('rebuilt', { setAside: 'ledger.old' }, one.clock.wallMs() + 30_000);
    });
    expect(world.row('old.txt').state).toEqual({ kind: 'held', reason: 'maybe-uploaded' });
    await share(world, 'new.txt', 'new');
    world.disk.write('/tray/old.txt', 'newer');
    await world.clock.advance(minuteMs);
    expect(run.engine.status().counts).toMatchObject({ held: 1, uploaded: 2 });
  });
});
