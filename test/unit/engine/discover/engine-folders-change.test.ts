import { typedText } from '../../../../src-main/cli/output/typed.ts';
// Several watched folders while they change: paused, added and removed.
import { describe, expect, test } from 'vitest';
import {
  createWorld,
  dayMs,
  hourMs,
  minuteMs,
  type Running,
  type World,
} from '../../../support/fake-world.ts';
import { several, folderOf } from '../../../support/several-folders.ts';

describe('a paused folder', () => {
  test('keeps its files waiting, while files of other folders are uploaded', async () => {
    const { world, run } = await several({ requestsPerMinute: 2 });
    for (let n = 0; n < 6; n += 1) world.disk.write(`/b/r${n}.txt`, `ready ${n}`);
    await world.until('r5.txt', 'ready');
    await run.call('folders.set', { folder: '/b', name: 'paused', value: true });
    await world.clock.advance(10_000);
    const sent = world.service.stored.length;
    world.disk.write('/c/goes.txt', 'goes');
    world.disk.write('/b/named.txt', 'named');
    await world.until('goes.txt', 'uploaded', hourMs);
    await world.clock.advance(hourMs);
    expect(world.row('named.txt').state).toEqual({ kind: 'waiting', reason: 'paused', untilMs: null });
    expect(world.service.stored.length).toBeLessThanOrEqual(sent + 2);
    const { sentence } = await run.call('file.why', { path: '/b/named.txt' });
    expect(typedText(sentence)).toContain('folder is paused');
    expect(folderOf(run, '/b')?.counts.waiting).toBeGreaterThan(0);
    await run.call('files.upload', { paths: ['/b/named.txt'] });
    await world.until('named.txt', 'uploaded', hourMs);
    await run.call('folders.set', { folder: '/b', name: 'paused', value: false });
    await world.clock.runUntil(() => folderOf(run, '/b')?.counts.uploaded === 7, 2 * hourMs);
  });

  test('keeps its ready files, even if another process paused it without notice', async () => {
    const { world } = await several();
    world.service.refuse = { code: 'offline' };
    world.disk.write('/b/a.txt', 'a');
    await world.until('a.txt', 'ready');
    await world.clock.advance(minuteMs);
    const folder = world.ledger.folders.byPath('/b');
    world.ledger.folders.update(folder?.id ?? 0, { own: { paused: true } });
    world.service.refuse = null;
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.row('a.txt').state).toEqual({ kind: 'waiting', reason: 'paused', untilMs: null });
  });

  test('is not allowed where a policy forbids it', async () => {
    const { world, run } = await several();
    await run.call('folders.set', { folder: '/b', name: 'paused', value: true });
    world.disk.write('/b/a.txt', 'a');
    await world.until('a.txt', 'waiting');
    await world.settings.set('allowPause', false);
    run.engine.nudge();
    await world.until('a.txt', 'uploaded', hourMs);
    await expect(
      run.call('folders.set', { folder: '/b', name: 'paused', value: true }),
    ).rejects.toMatchObject({ code: 'not-allowed' });
  });
});

describe('an upload that begins when its folder is paused or removed', () => {
  test.each([
    [
      'paused',
      'waiting',
      (run: Running) => run.call('folders.set', { folder: '/b', name: 'paused', value: true }),
    ],
    ['removed', 'gone', (run: Running) => run.call('folders.remove', { folder: '/b' })],
  ] as const)('is not retried after a failure when the folder is %s', async (_, state, act) => {
    const { world, run } = await several();
    world.service.latencyMs = 5000;
    world.service.faults.push({ code: 'key-refused', status: 401 });
    world.disk.write('/b/a.txt', 'a');
    await world.until('a.txt', 'sending');
    await act(run);
    await world.clock.advance(minuteMs);
    await run.call('account.login', { key: 'key-9999-marked' });
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.rows().find(({ name }) => name === 'a.txt')?.state.kind).toBe(state);
  });
});

describe('folders that are added and removed', () => {
  test('are watched at once, and their pre-existing files treated as requested', async () => {
    const world = createWorld({ settings: { folder: null } });
    for (const dir of ['/b', '/c', '/pictures/Screenshots']) world.disk.make(dir, 'folder');
    world.disk.write('/b/old.txt', 'old in b');
    world.disk.write('/c/old-c.txt', 'old in c');
    await world.clock.advance(minuteMs);
    const run = await world.start({ folder: null });
    expect((await run.call('folders.list', {})).length).toBe(0);
    await run.call('folders.add', { folder: { path: '/b' } });
    expect(world.settings.current()).toMatchObject({ folder: '/b', folders: [] });
    await run.call('folders.add', { folder: { path: '/c' }, existing: 'upload', rules: { notify: false } });
    const views = await run.call('folders.add', { folder: { preset: 'screenshots' } });
    expect(views.map(({ folder, own }) => [folder, own])).toEqual([
      ['/b', []],
      ['/c', ['notify']],
      ['/pictures/Screenshots', ['copyLink']],
    ]);
    await world.until('old-c.txt', 'uploaded');
    expect(world.row('old.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
    for (const path of ['/b', '/b/below', '/pictures'])
      await expect(run.call('folders.add', { folder: { path } })).rejects.toMatchObject({
        code: 'folder-refused',
      });
    await expect(run.call('folder.choose', { folder: '/c', existing: 'skip' })).rejects.toMatchObject({
      code: 'folder-refused',
    });
    await run.call('folders.remove', { folder: '/b' });
    expect(world.settings.current()).toMatchObject({ folder: '/c', folders: ['/pictures/Screenshots'] });
    await run.call('folders.remove', { folder: '/pictures/Screenshots' });
    world.disk.write('/b/later.txt', 'later');
    world.disk.write('/pictures/Screenshots/later.txt', 'later shot');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toHaveLength(1);
    await run.call('folders.remove', { folder: '/c' });
    expect(run.engine.status()).toMatchObject({ folder: null, folders: [] });
    await expect(run.call('folders.remove', { folder: '/c' })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('upload no waiting files once removed, and find them again when added', async () => {
    const { world, run } = await several();
    world.service.refuse = { code: 'offline' };
    for (const name of ['ready', 'settles', 'waits']) world.disk.write(`/b/${name}.txt`, name);
    world.disk.write('/c/goes.txt', 'goes');
    await run.call('folders.set', { folder: '/c', name: 'graceSeconds', value: 300 });
    world.disk.write('/c/later.txt', 'later');
    world.disk.write('/c/paused.txt', 'paused');
    await world.until('ready.txt', 'ready');
    await world.until('later.txt', 'waiting');
    const done = world.disk.holdOpen('/b/settles.txt');
    world.disk.append('/b/settles.txt', ' on');
    await world.clock.advance(1000);
    await run.call('folders.set', { folder: '/c', name: 'paused', value: true });
    await world.clock.advance(10 * minuteMs);
    for (const folder of ['/b', '/c']) await run.call('folders.remove', { folder });
    done();
    world.service.refuse = null;
    await run.call('account.login', { key: 'key-9999-marked' });
    await world.clock.advance(dayMs);
    expect(world.service.stored).toEqual([]);
    expect(run.engine.status().outside).toMatchObject({ waiting: 0, held: 0, failed: 0 });
    await run.call('folders.add', { folder: { path: '/b' } });
    await world.clock.runUntil(() => world.service.stored.length === 3, hourMs);
  });

  test.each<[string, (world: World, run: Running) => unknown, stored: number, state: string]>([
    ['while it is away', () => undefined, 0, 'waiting'],
    ['and forget them once it is there', ({ disk }) => disk.make('/never', 'folder'), 0, 'gone'],
    [
      'unless the removed one is added again',
      (_, run) => run.call('folders.add', { folder: { path: '/b' } }),
      3,
      'uploaded',
    ],
  ])(
    'upload no waiting files once removed if another chosen folder was never there, %s',
    async (_, act, stored, state) => {
      const { world, run } = await several();
      await world.settings.set('folders', ['/b', '/c', '/never']);
      await world.clock.advance(minuteMs);
      world.service.refuse = { code: 'offline' };
      world.disk.write('/b/ready.txt', 'ready');
      await world.until('ready.txt', 'ready');
      await run.call('folders.set', { folder: '/b', name: 'graceSeconds', value: 300 });
      world.disk.write('/b/grace.txt', 'grace');
      await world.until('grace.txt', 'waiting');
      world.disk.write('/b/settles.txt', 'settles');
      await world.until('settles.txt', 'settling');
      await run.call('folders.remove', { folder: '/b' });
      world.service.refuse = null;
      await world.clock.advance(hourMs);
      expect(world.service.stored).toEqual([]);
      await act(world, run);
      await world.clock.advance(hourMs);
      expect(world.service.stored).toHaveLength(stored);
      for (const name of ['ready.txt', 'grace.txt', 'settles.txt'])
        expect([name, world.row(name).state.kind]).toEqual([name, state]);
    },
  );

  test('upload once removed what a person confirms there, at whatever moment, beside files that wait', async () => {
    const { world, run } = await several();
    await world.settings.set('folders', ['/b', '/c', '/never']);
    await world.clock.advance(minuteMs);
    const names = Array.from({ length: 40 }, (_, at) => `${at}.pem`);
    for (const name of names) world.disk.write(`/b/${name}`, `key ${name}`);
    for (const name of names) await world.until(name, 'held');
    world.disk.write('/b/settles.txt', 'settles');
    await world.until('settles.txt', 'settling');
    await run.call('folders.remove', { folder: '/b' });
    for (const name of names) {
      await run.call('queue.confirm', { ids: [world.row(name).id] });
      await world.clock.advance(1000);
    }
    await world.clock.advance(hourMs);
    expect(world.service.stored).toHaveLength(names.length);
  });

  test('are found by another name at the next start, too, and what settled then goes on at once', async () => {
    const { world, run } = await several({ folders: ['/b/', '/c'] });
    world.disk.write('/b/settles.txt', 'settles');
    await world.until('settles.txt', 'settling');
    await run.stop();
    await world.start();
    await world.until('settles.txt', 'uploaded', 5000);
  });

  test('allow an upload from a removed folder when the path is given', async () => {
    const { world, run } = await several();
    await run.call('folders.remove', { folder: '/b' });
    world.disk.write('/b/named.txt', 'named');
    await run.call('files.upload', { paths: ['/b/named.txt'] });
    await world.until('named.txt', 'uploaded', hourMs);
  });

  test.each([
    ['nothing tells it from the one that it was', '2:0:0:', 'gone'],
    ['it is another one', '2:7:0:', 'waiting'],
  ] as const)(
    'forget a confirmed file that is gone from a removed folder, unless the folder may be unavailable (%s)',
    async (_, identity, state) => {
      const world = createWorld();
      world.disk.identify(state === 'gone' ? '1:0:0:' : '1:5:0:');
      const run = await world.start();
      world.disk.write('/tray/id_rsa', 'secret');
      const { id } = await world.until('id_rsa', 'held');
      await run.call('queue.pause', { untilMs: null });
      await run.call('queue.confirm', { ids: [id] });
      await run.call('folders.remove', { folder: '/tray' });
      world.disk.identify(identity);
      world.disk.remove('/tray/id_rsa');
      await run.call('queue.resume', {});
      await world.clock.advance(hourMs);
      expect(world.row('id_rsa').state.kind).toBe(state);
    },
  );

  test('have pre-existing files, even if their rules were set long before', async () => {
    const world = createWorld();
    world.disk.make('/d', 'folder');
    await world.settings.set('folders', ['/d']);
    await world.make('guest:1').call('folders.set', { folder: '/d', name: 'notify', value: false });
    await world.settings.set('folders', []);
    await world.clock.advance(hourMs);
    world.disk.write('/d/between.txt', 'between');
    await world.clock.advance(hourMs);
    const run = await world.start();
    await run.call('folders.add', { folder: { path: '/d' } });
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.row('between.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
  });

  test('follow a change of the setting, even from another process', async () => {
    const { world, run } = await several();
    world.disk.make('/d', 'folder');
    await run.call('settings.set', { name: 'folders', value: ['/c', '/d'] });
    await world.clock.advance(minuteMs);
    world.disk.write('/b/a.txt', 'a');
    world.disk.write('/d/d.txt', 'd');
    await world.until('d.txt', 'uploaded');
    expect(world.service.stored).toHaveLength(1);
    await expect(
      run.call('settings.set', { name: 'folders', value: ['/c', '/c/below'] }),
    ).rejects.toMatchObject({ code: 'folder-refused' });
    await world.settings.set('folder', '/b');
    await world.until('a.txt', 'uploaded', hourMs).catch(() => undefined);
    expect(run.engine.status().folders.map(({ folder }) => folder)).toEqual(['/b', '/c', '/d']);
  });

  test('follow rules set by another process', async () => {
    const { world, run } = await several();
    const guest = world.make('guest:1');
    await guest.call('folders.set', { folder: '/c', name: 'includeHidden', value: true });
    world.disk.write('/c/.hidden', 'hidden');
    world.disk.write('/b/.hidden-b', 'hidden');
    await world.until('.hidden', 'uploaded');
    expect(world.row('.hidden-b').state).toEqual({ kind: 'skipped', rule: 'hidden' });
    expect(folderOf(guest, '/c')?.available).toBe(true);
    expect(run.engine.isStill()).toBe(true);
  });

  test('store their rules in the ledger before the engine first runs', async () => {
    const world = createWorld();
    const guest = world.make('guest:1');
    await guest.call('folders.set', { folder: '/tray', name: 'recursive', value: false });
    expect(world.ledger.folders.byPath('/tray')?.own).toEqual({ recursive: false });
  });
});
