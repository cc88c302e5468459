// Nothing becomes public by surprise: a file without consent is not uploaded, whatever happens to it.
import { describe, expect, test } from 'vitest';
import type { SettingName, Settings } from '../../../../src-main/contract/settings.ts';
import { createWorld, hourMs, minuteMs, share, started, type World } from '../../../support/fake-world.ts';

const put = (world: World, count: number): void => {
  for (let n = 1; n <= count; n += 1) world.disk.write(`/tray/f${n}.txt`, 'x'.repeat(n));
};

describe('a secret', () => {
  test('that settles while its folder is not watched is held', async () => {
    const world = createWorld();
    const watch = await world.start();
    world.disk.write('/tray/id_rsa', 'private');
    const close = world.disk.holdOpen('/tray/id_rsa');
    await world.clock.advance(1000);
    expect(world.row('id_rsa').state.kind).toBe('settling');
    await watch.stop();
    close();
    const upload = await world.start({ folder: null });
    await world.clock.advance(minuteMs);
    await upload.stop();
    await world.start();
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.row('id_rsa').state).toEqual({ kind: 'held', reason: 'secret-name' });
  });

  test('in the watched folder is held when it is given by path', async () => {
    const world = createWorld();
    await (await world.start()).stop();
    const upload = await world.start({ folder: null });
    world.disk.write('/tray/id_rsa', 'private');
    await world.clock.advance(hourMs);
    await upload.call('files.upload', { paths: ['/tray/id_rsa'] });
    await world.until('id_rsa', 'held');
  });
});

describe('a held burst', () => {
  const burst = async (): Promise<World> => {
    const { world } = await started({ settings: { burstFiles: 5 } });
    put(world, 8);
    await world.clock.advance(minuteMs);
    expect(world.running().engine.status().counts).toMatchObject({ held: 8 });
    return world;
  };

  test('stays held when its files are touched', async () => {
    const world = await burst();
    for (let n = 1; n <= 8; n += 1) world.disk.touch(`/tray/f${n}.txt`);
    world.disk.write('/tray/f1.txt', 'changed');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.running().engine.status().counts).toMatchObject({ held: 8 });
    await world.running().call('queue.confirm', { ids: [world.row('f1.txt').id] });
    await world.until('f1.txt', 'uploaded');
  });

  test('stays held when its files are rewritten while a rule skips them', async () => {
    const world = await burst();
    const run = world.running();
    await run.call('settings.set', { name: 'ignore', value: ['*.txt'] });
    for (let n = 1; n <= 8; n += 1) world.disk.write(`/tray/f${n}.txt`, `changed ${n}`);
    await world.clock.advance(hourMs);
    expect(world.row('f1.txt').state).toMatchObject({ rule: 'ignored' });
    await run.call('settings.set', { name: 'ignore', value: [] });
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(run.engine.status().counts).toMatchObject({ held: 8 });
  });

  test('stays held after a crash just after it arrives', async () => {
    const { world, run } = await started({ settings: { burstFiles: 5 } });
    put(world, 8);
    await world.clock.runUntil(() => world.rows().length === 8);
    run.life.kill();
    await world.clock.advance(hourMs);
    await world.start();
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.running().engine.status().counts).toMatchObject({ held: 8 });
  });
});

describe('a pre-existing file that a rule skipped', () => {
  test.each<[string, string, Partial<Settings>, SettingName, unknown]>([
    ['hidden', '/tray/.note', {}, 'includeHidden', true],
    ['ignored', '/tray/a.psd', { ignore: ['*.psd'] }, 'ignore', []],
    ['in a subfolder', '/tray/sub/a.txt', { recursive: false }, 'recursive', true],
  ])('%s: is not uploaded when the rule is dropped', async (_, path, given, name, value) => {
    const world = createWorld({ settings: given });
    world.disk.make('/tray/sub', 'folder');
    world.disk.write(path, 'old');
    await world.clock.advance(minuteMs);
    const run = await world.start();
    await world.clock.advance(minuteMs);
    await run.call('settings.set', { name, value });
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.row(path.slice(path.lastIndexOf('/') + 1)).state).toEqual({
      kind: 'skipped',
      rule: 'existing',
    });
    world.disk.write(`${path}.new.psd`, 'new');
    await world.clock.runUntil(() => world.service.stored.length === 1, minuteMs);
  });

  test.each<[string, string, SettingName, unknown, Partial<Settings>]>([
    ['hidden', '.a.txt', 'includeHidden', true, {}],
    ['ignored', 'a.psd', 'ignore', [], { ignore: ['*.psd'] }],
  ])(
    'in a subfolder that is read later, touched since and %s: it is not uploaded when the rule is dropped',
    async (_, name, setting, value, given) => {
      const world = createWorld({ settings: { ...given, recursive: false } });
      world.disk.make('/tray/sub', 'folder');
      world.disk.write(`/tray/sub/${name}`, 'old');
      await world.clock.advance(minuteMs);
      const run = await world.start();
      await world.clock.advance(minuteMs);
      world.disk.touch(`/tray/sub/${name}`);
      await run.call('settings.set', { name: 'recursive', value: true });
      await world.clock.advance(hourMs);
      await run.call('settings.set', { name: setting, value });
      await world.clock.advance(hourMs);
      expect(world.service.stored).toEqual([]);
      expect(world.row(name).state).toEqual({ kind: 'skipped', rule: 'existing' });
    },
  );

  test('in a subfolder, and rewritten while its name is skipped: it stays skipped when its name is allowed', async () => {
    const world = createWorld({ settings: { recursive: false } });
    world.disk.make('/tray/sub', 'folder');
    world.disk.write('/tray/sub/.a.txt', 'old');
    await world.clock.advance(minuteMs);
    const run = await world.start();
    await run.call('settings.set', { name: 'recursive', value: true });
    await world.clock.advance(minuteMs);
    for (const text of ['written anew', 'and once more']) {
      world.disk.write('/tray/sub/.a.txt', text);
      await world.clock.advance(hourMs);
    }
    expect(world.row('.a.txt').state).toEqual({ kind: 'skipped', rule: 'hidden' });
    await run.call('settings.set', { name: 'includeHidden', value: true });
    await world.clock.advance(hourMs);
    expect(world.row('.a.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
    world.disk.write('/tray/sub/.b.txt', 'new');
    await world.clock.advance(hourMs);
    expect(world.service.stored.map(({ bytes }) => String(bytes))).toEqual(['new']);
  });

  test.each([
    ['as it was', false],
    ['changed, and waits for a person', true],
  ])(
    'moved to another watched folder, and rewritten under a name that is ignored there (%s): it is not uploaded',
    async (_, isAsked) => {
      const world = createWorld({ settings: { ignore: ['*.log'] } });
      world.disk.make('/later', 'folder');
      world.disk.write('/later/a.txt', 'old');
      await world.clock.advance(minuteMs);
      const run = await world.start();
      await run.call('folders.add', { folder: { path: '/later' }, existing: 'skip' });
      await world.clock.advance(minuteMs);
      if (isAsked) world.disk.write('/later/a.txt', 'changed');
      await world.clock.advance(minuteMs);
      world.disk.rename('/later/a.txt', '/tray/a.log');
      await world.clock.advance(minuteMs);
      for (const text of ['written anew', 'and once more']) {
        world.disk.write('/tray/a.log', text);
        await world.clock.advance(minuteMs);
      }
      expect(world.row('a.log').state).toMatchObject({ rule: 'ignored' });
      await run.call('settings.set', { name: 'ignore', value: [] });
      await world.clock.advance(hourMs);
      expect(world.service.stored).toEqual([]);
      const stays = isAsked
        ? { kind: 'held', reason: 'existing-changed' }
        : { kind: 'skipped', rule: 'existing' };
      expect(world.row('a.log').state).toEqual(stays);
    },
  );

  test('moved, touched under a temporary name and renamed again: it is not uploaded', async () => {
    const world = createWorld();
    world.disk.make('/later', 'folder');
    world.disk.write('/later/a.txt', 'old');
    await world.clock.advance(minuteMs);
    const run = await world.start();
    await run.call('folders.add', { folder: { path: '/later' }, existing: 'skip' });
    for (const act of [
      () => world.disk.rename('/later/a.txt', '/tray/a.tmp'),
      () => world.disk.touch('/tray/a.tmp'),
      () => world.disk.rename('/tray/a.tmp', '/tray/b.txt'),
    ]) {
      act();
      await world.clock.advance(minuteMs);
    }
    expect(world.service.stored).toEqual([]);
  });

  test.each<[string, (world: World) => Promise<unknown>]>([
    ['was uploaded', (world) => share(world, 'a.log', 'shared')],
    ['was held', (world) => world.put('a.log', 'SECRET', 'held')],
    [
      'has gone',
      async (world) => {
        await share(world, 'a.log', 'shared');
        world.disk.remove('/tray/a.log');
        await world.clock.advance(minuteMs);
      },
    ],
  ])(
    'moved to a path whose file %s, and whose name is ignored: it is not uploaded when the rule is dropped',
    async (_, before) => {
      const world = createWorld();
      world.disk.make('/later', 'folder');
      const run = await world.start();
      await world.clock.advance(minuteMs);
      world.disk.write('/later/old.txt', 'old');
      await before(world);
      await run.call('folders.add', { folder: { path: '/later' }, existing: 'skip' });
      await world.clock.advance(minuteMs);
      const already = world.service.stored.length;
      await run.call('settings.set', { name: 'ignore', value: ['*.log'] });
      await world.clock.advance(minuteMs);
      world.disk.rename('/later/old.txt', '/tray/a.log');
      await world.clock.advance(minuteMs);
      await run.call('settings.set', { name: 'ignore', value: [] });
      await world.clock.advance(hourMs);
      expect(world.service.stored).toHaveLength(already);
    },
  );

  test.each([
    ['they were off when the folder was chosen', false],
    ['they were off for a while', true],
  ])(
    'in a subfolder on a drive without birth times: it is skipped when subfolders are included (%s)',
    async (_, recursive) => {
      const world = createWorld({ settings: { recursive } });
      world.disk.kind({ tellsBirth: false, keepsInodes: false });
      world.disk.make('/tray/sub', 'folder');
      world.disk.write('/tray/sub/a.txt', 'old');
      world.disk.write('/tray/sub/untouched.txt', 'as it was');
      await world.clock.advance(minuteMs);
      const run = await world.start();
      await world.clock.advance(minuteMs);
      if (recursive) {
        world.disk.write('/tray/sub/shared.txt', 'shared');
        await world.clock.runUntil(() => world.service.stored.length === 1, minuteMs);
        await run.call('settings.set', { name: 'recursive', value: false });
        await world.clock.advance(hourMs);
      }
      world.disk.replace('/tray/sub/a.txt', 'old');
      await run.call('settings.set', { name: 'recursive', value: true });
      await world.clock.advance(hourMs);
      expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
      expect(world.row('untouched.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
      world.disk.write('/tray/sub/later.txt', 'later');
      await world.clock.advance(hourMs);
      const shared = recursive ? ['shared.txt'] : [];
      expect(world.service.stored.map(({ name }) => name)).toEqual([...shared, 'later.txt']);
    },
  );
});
