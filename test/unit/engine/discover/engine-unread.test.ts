// Parts of the folder that cannot be read, and a folder that becomes unavailable: this makes nothing there new, and
// nothing is forgotten.
import { isDeep } from '../../../support/deep.ts';
import { describe, expect, test } from 'vitest';
import { createWorld, hourMs, minuteMs, share, started, type World } from '../../../support/fake-world.ts';

const texts = (world: World): string[] => world.service.stored.map((file) => file.bytes.toString());

describe('a subfolder that could not be read when its folder was chosen', () => {
  const choose = async (hidden = '/tray/sub'): Promise<World> => {
    const world = createWorld();
    world.disk.make('/tray/sub', 'folder');
    world.disk.make('/tray/sub/deep', 'folder');
    world.disk.write('/tray/sub/a.txt', 'of before');
    world.disk.write('/tray/sub/deep/b.txt', 'of before, too');
    world.disk.hide(hidden, true);
    await world.clock.advance(minuteMs);
    await world.start();
    return world;
  };
  test.each(['/tray/sub', '/tray/sub/deep', '/tray'])(
    '%s: its files are pre-existing once it can be read',
    async (dir) => {
      const world = await choose(dir);
      await world.clock.advance(hourMs);
      world.disk.hide(dir, false);
      await world.clock.advance(3 * hourMs);
      expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
      expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
      expect(texts(world)).toEqual([]);
      await world.put('sub/deep/new.txt', 'new', 'uploaded', minuteMs);
    },
  );

  test('uploads no file that its first listing shows', async () => {
    const world = await choose();
    world.disk.append('/tray/sub/a.txt', ', edited');
    world.disk.write('/tray/sub/new.txt', 'written meanwhile');
    world.disk.hide('/tray/sub', false);
    await world.clock.advance(2 * hourMs);
    expect(texts(world)).toEqual([]);
    await world.put('sub/newer.txt', 'newer', 'uploaded', minuteMs);
  });

  test('is remembered through a restart, and until it has been read', async () => {
    const world = await choose();
    await world.running().stop();
    await world.clock.advance(minuteMs);
    await world.start();
    world.disk.kind({ tellsBirth: false });
    world.disk.write('/tray/sub/new.txt', 'perhaps new');
    world.disk.hide('/tray/sub', false);
    world.disk.hint({ folder: '/tray/sub', name: null });
    await world.clock.advance(minuteMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
    expect(world.row('new.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
    await world.put('sub/newer.txt', 'newer', 'uploaded', minuteMs);
    expect(texts(world)).toEqual(['newer']);
  });
});

describe('a folder that becomes unavailable', () => {
  test('while a file settles leaves that file confirmed', async () => {
    const { world, run } = await started();
    const { id } = await world.put('server.key', 'secret', 'held');
    await run.call('queue.confirm', { ids: [id] });
    world.disk.mount('gone');
    await world.clock.advance(10 * minuteMs);
    expect(world.row('server.key')).toMatchObject({ present: true, confirmed: true });
    world.disk.mount('here');
    const row = await world.until('server.key', 'uploaded', 2 * minuteMs);
    expect(row.id).toBe(id);
  });

  test('is not taken for empty because of a hint for one of its files', async () => {
    const { world } = await started();
    await share(world, 'a.txt', 'content');
    world.disk.mount('gone');
    world.disk.hint({ folder: '/tray', name: 'a.txt' });
    await world.clock.advance(minuteMs);
    expect(world.row('a.txt').present).toBe(true);
    expect(world.running().engine.status().folderAvailable).toBe(false);
  });

  test.runIf(isDeep)('costs few writes, however many of its files wait', async () => {
    const { world, run } = await started({ settings: { burstFiles: 1000 } });
    for (let n = 0; n < 300; n += 1) world.disk.write(`/tray/${n}.txt`, `content ${n}`);
    await world.clock.advance(100);
    world.disk.mount('gone');
    await world.clock.advance(minuteMs);
    expect(world.rows().filter(({ state }) => state.kind === 'waiting')).toHaveLength(300);
    const before = run.life.commits();
    await world.clock.advance(hourMs);
    // One check every 30 s, not one for each file.
    expect(run.life.commits() - before).toBeLessThan(500);
    world.disk.mount('here');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toHaveLength(300);
  });

  test('and comes back is watched again even if the watch fails to start at first', async () => {
    const { world, run } = await started();
    world.disk.mount('gone');
    run.engine.resumed();
    await world.clock.advance(minuteMs);
    const { start } = world.disk.watch;
    let fails = 2;
    world.disk.watch.start = async (options) => {
      fails -= 1;
      if (fails >= 0) throw new Error('the drive is not ready yet');
      return await start(options);
    };
    world.disk.mount('here');
    world.disk.hints(false);
    world.disk.write('/tray/missed.txt', 'came meanwhile');
    world.disk.hints(true);
    await world.until('missed.txt', 'uploaded', 3 * minuteMs);
    expect(run.engine.status()).toMatchObject({ folderAvailable: true, watch: 'live' });
    expect(world.disk.watches()).toBe(1);
    expect(run.entries().filter((entry) => entry.body.kind === 'folder-back')).toHaveLength(1);
  });

  test('and is replaced shares none of the files that lie there now', async () => {
    const { world } = await started();
    const { list, look } = world.disk.files;
    world.disk.mount('another');
    const inode = { inode: '9', mtimeMs: world.clock.wallMs(), ctimeMs: world.clock.wallMs() };
    const stamp = { sizeBytes: 3, key: '3:1:1:2:9', ...inode };
    const found = { name: 'other.txt', type: 'file' as const, stamp, onlineOnly: false };
    world.disk.files.list = async (folder) =>
      folder === '/tray' ? { ok: true, found: [found] } : await list(folder);
    world.disk.files.look = async (path) => (path === '/tray/other.txt' ? found : await look(path));
    world.disk.hint({ folder: '/tray', name: 'other.txt' });
    world.disk.hint({ folder: '/tray', name: null });
    await world.clock.advance(hourMs);
    expect(world.rows()).toEqual([]);
  });
});

describe('what cannot be checked is counted as skipped, with its reason', () => {
  test.each(['too-deep', 'unreadable'] as const)('an entry that is %s', async (rule) => {
    const world = createWorld();
    world.disk.make('/tray/odd', rule);
    await world.start();
    await world.put('a.txt', 'a', 'uploaded');
    expect(world.row('odd').state).toEqual({ kind: 'skipped', rule });
    world.disk.remove('/tray/odd');
    world.disk.write('/tray/odd', 'nobody was asked about it');
    await world.clock.advance(2 * hourMs);
    expect(world.row('odd').state).toEqual({ kind: 'skipped', rule: 'existing' });
  });

  test('a subfolder, until it can be read', async () => {
    const world = createWorld();
    await world.start();
    world.disk.make('/tray/sub', 'folder');
    world.disk.write('/tray/sub/a.txt', 'a');
    world.disk.hide('/tray/sub', true);
    await world.clock.advance(2 * hourMs);
    expect(world.row('sub')).toMatchObject({ present: true, state: { kind: 'skipped', rule: 'unreadable' } });
    const { id } = world.row('sub');
    await world.clock.advance(2 * hourMs);
    expect(world.row('sub').id).toBe(id);
    world.disk.hide('/tray/sub', false);
    await world.clock.advance(2 * hourMs);
    expect(world.ledger.uploads.byId(id)?.present).toBe(false);
    expect(texts(world)).toEqual(['a']);
  });

  test('a folder below 128 others; what lies above it is uploaded', async () => {
    const world = createWorld();
    await world.start();
    let dir = '/tray';
    for (let depth = 1; depth <= 200; depth += 1) {
      dir += '/d';
      world.disk.make(dir, 'folder');
      if (depth === 128 || depth === 129) world.disk.write(`${dir}/${depth}.txt`, String(depth));
    }
    await world.clock.advance(2 * hourMs);
    expect(texts(world)).toEqual(['128']);
    expect(world.ledger.uploads.presentAt(1, `/tray${'/d'.repeat(128)}`, 'd')?.state).toEqual({
      kind: 'skipped',
      rule: 'too-deep',
    });
  });
});

test('a brief read error does not change a file that has its link', async () => {
  const world = createWorld();
  await world.start();
  await world.put('a.txt', 'a', 'uploaded');
  const { id } = world.row('a.txt');
  world.disk.remove('/tray/a.txt');
  world.disk.make('/tray/a.txt', 'unreadable');
  await world.clock.advance(2 * hourMs);
  expect(world.row('a.txt')).toMatchObject({ id, present: true, state: { kind: 'uploaded' } });
});
