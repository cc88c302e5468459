// Several watched folders: each has its own rules and counts, and can be unavailable by itself.
import { describe, expect, test } from 'vitest';
import { createWorld, dayMs, hourMs, minuteMs } from '../../../support/fake-world.ts';
import { several, folderOf, total } from '../../../support/several-folders.ts';

describe('files of several folders', () => {
  test('are uploaded, and the counts of the folders add up to the total', async () => {
    const { world, run } = await several({}, ({ disk }) => disk.write('/c/old.txt', 'old'));
    for (const dir of ['/tray', '/b', '/c']) world.disk.write(`${dir}/new.txt`, `new in ${dir}`);
    world.disk.write('/b/id_rsa', 'private');
    await world.clock.runUntil(() => world.service.stored.length === 3, hourMs);
    await world.until('id_rsa', 'held');
    await world.clock.advance(1000);
    expect(run.engine.status()).toMatchObject({
      folder: '/tray',
      folderAvailable: true,
      counts: { uploaded: 3, held: 1, skipped: 1 },
      folders: [
        { folder: '/tray', available: true, counts: { uploaded: 1 } },
        { folder: '/b', available: true, counts: { uploaded: 1, held: 1 } },
        { folder: '/c', available: true, counts: { uploaded: 1, skipped: 1 } },
      ],
    });
    expect(total(run)).toBe(5);
    const page = await run.call('files.page', { folder: '/b' });
    expect(page).toMatchObject({ total: 1, rows: [{ path: '/b/new.txt' }] });
    expect(await run.call('files.page', { folder: '/b', search: 'new' })).toMatchObject({ total: 1 });
    await expect(run.call('files.page', { folder: '/nowhere' })).rejects.toMatchObject({ code: 'not-found' });
    expect((await run.call('file.why', { path: '/c/new.txt' })).sentence).toContain('Uploaded');
    expect((await run.call('queue.get', {})).skipped.map(({ path }) => path)).toEqual(['/c/old.txt']);
  });

  test("in twenty folders with different rules follow their own folder's rules", async () => {
    const folders = Array.from({ length: 19 }, (_, n) => `/f${n}`);
    const { world, run } = await several({ folders }, ({ disk }) => {
      for (const folder of folders) disk.make(folder, 'folder');
    });
    for (const [n, folder] of folders.entries()) {
      if (n % 2 === 0) await run.call('folders.set', { folder, name: 'ignore', value: ['*.log'] });
      if (n % 3 === 0) await run.call('folders.set', { folder, name: 'recursive', value: false });
    }
    for (const folder of folders) {
      world.disk.write(`${folder}/a.log`, `log in ${folder}`);
      world.disk.make(`${folder}/sub`, 'folder');
      world.disk.write(`${folder}/sub/b.txt`, `below ${folder}`);
    }
    await world.clock.advance(hourMs);
    for (const [n, folder] of folders.entries()) {
      const counts = folderOf(run, folder)?.counts;
      expect(counts).toMatchObject({ skipped: n % 2 === 0 ? 1 : 0 });
      expect(counts).toMatchObject({ uploaded: (n % 2 === 0 ? 0 : 1) + (n % 3 === 0 ? 0 : 1) });
    }
    expect(Object.values(run.engine.status().counts).reduce((sum, count) => sum + count, 0)).toBe(total(run));
    // Each has one watch, and is listed as often as one alone.
    expect(world.disk.watches()).toBe(20);
  });

  test('count towards one burst', async () => {
    const { world, run } = await several({ burstFiles: 5 });
    for (let n = 0; n < 9; n += 1) world.disk.write(`/${['tray', 'b', 'c'][n % 3] ?? ''}/f${n}.txt`, `x${n}`);
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(run.engine.status().counts).toMatchObject({ held: 9 });
  });
});

describe('a file that moves from one folder to another', () => {
  test('stays skipped', async () => {
    const { world, run } = await several({}, ({ disk }) => disk.write('/b/old.txt', 'old'));
    const { id } = world.row('old.txt');
    world.disk.rename('/b/old.txt', '/c/moved.txt');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.row('moved.txt')).toMatchObject({ id, state: { kind: 'skipped', rule: 'existing' } });
    expect(folderOf(run, '/b')?.counts.skipped).toBe(0);
    expect(folderOf(run, '/c')?.counts.skipped).toBe(1);
  });

  test('stays skipped with its whole folder, which is back before its absence is noticed', async () => {
    const { world } = await several({}, ({ disk }) => disk.write('/b/old.txt', 'old'));
    world.disk.rename('/b', '/c/was b');
    await world.clock.advance(5000);
    expect(world.row('old.txt')).toMatchObject({
      dir: '/c/was b',
      state: { kind: 'skipped', rule: 'existing' },
    });
    world.disk.rename('/c/was b', '/b');
    await world.clock.advance(hourMs);
    world.disk.replace('/b/old.txt', 'old and changed');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
    expect(world.row('old.txt')).toMatchObject({ dir: '/b', state: { kind: 'held' } });
  });

  test('is held in a folder whose pre-existing files are uploaded, once it is hidden there and changed', async () => {
    const { world, run } = await several({}, ({ disk }) => {
      disk.write('/b/old.txt', 'old');
      disk.make('/d', 'folder');
      disk.write('/d/wanted.txt', 'wanted');
    });
    await run.call('folders.add', { folder: { path: '/d' }, existing: 'upload' });
    await world.until('wanted.txt', 'uploaded');
    world.disk.make('/d/.hidden', 'folder');
    world.disk.rename('/b/old.txt', '/d/.hidden/old.txt');
    await world.clock.advance(hourMs);
    world.disk.write('/d/.hidden/old.txt', 'old and changed');
    await world.clock.advance(hourMs);
    await run.call('folders.set', { folder: '/d', name: 'includeHidden', value: true });
    await world.clock.advance(hourMs);
    expect(world.service.namesOf()).toEqual(['wanted.txt']);
    expect(world.row('old.txt').state).toEqual({ kind: 'held', reason: 'existing-changed' });
  });

  test('keeps its link', async () => {
    const { world } = await several();
    world.disk.write('/b/a.txt', 'content');
    const { fileId } = await world.until('a.txt', 'uploaded');
    world.disk.rename('/b/a.txt', '/tray/a.txt');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toHaveLength(1);
    expect(world.rows().find((row) => row.fileId === fileId)).toMatchObject({ dir: '/tray', present: true });
  });

  test('with its renamed folder stays skipped, or keeps its link', async () => {
    const { world, run } = await several({}, ({ disk }) => disk.write('/b/old.txt', 'old'));
    world.disk.write('/b/new.txt', 'new');
    await world.until('new.txt', 'uploaded');
    world.disk.rename('/b', '/c/b');
    await world.clock.advance(2 * hourMs);
    expect(world.service.stored).toHaveLength(1);
    expect(world.row('old.txt')).toMatchObject({ dir: '/c/b', state: { kind: 'skipped', rule: 'existing' } });
    expect(folderOf(run, '/b')?.available).toBe(false);
    expect(total(run)).toBe(2);
  });
});

describe('a folder that is unavailable', () => {
  test('does not stop the others, and is watched again when it is back', async () => {
    const { world, run } = await several();
    world.disk.write('/b/waits.txt', 'waits');
    world.disk.rename('/b', '/away');
    await world.clock.advance(minuteMs);
    world.disk.write('/c/goes.txt', 'goes');
    await world.until('goes.txt', 'uploaded');
    expect(folderOf(run, '/b')?.available).toBe(false);
    expect(run.engine.status()).toMatchObject({ folderAvailable: true, gate: { kind: 'open' } });
    expect((await run.call('folders.list', {})).map(({ available }) => available)).toEqual([
      true,
      false,
      true,
    ]);
    world.disk.rename('/away', '/b');
    await world.until('waits.txt', 'uploaded', hourMs);
    expect(folderOf(run, '/b')?.available).toBe(true);
  });

  test('at the start is checked again later', async () => {
    const world = createWorld({ settings: { folders: ['/b'] } });
    await world.clock.advance(minuteMs);
    const run = await world.start();
    expect(folderOf(run, '/b')?.available).toBe(false);
    expect((await run.call('folders.list', {})).map(({ available }) => available)).toEqual([true, false]);
    await world.clock.advance(5 * minuteMs);
    expect(world.log.lines.filter(({ event }) => event === 'folder not opened')).toHaveLength(1);
    world.disk.make('/b', 'folder');
    await world.clock.advance(minuteMs);
    expect(folderOf(run, '/b')?.available).toBe(true);
    world.disk.write('/b/a.txt', 'a');
    await world.until('a.txt', 'uploaded');
  });

  test('together with all others is reported as the reason', async () => {
    const { world, run } = await several();
    for (const dir of ['/b', '/c']) world.disk.rename(dir, `/away${dir}`);
    world.disk.mount('gone');
    await world.clock.advance(2 * hourMs);
    expect(run.engine.status().folderAvailable).toBe(false);
  });
});

describe('the rules of a folder', () => {
  test('take precedence over the settings, but not over what a policy locks', async () => {
    const { world, run } = await several({ graceSeconds: 10 });
    await run.call('folders.set', { folder: '/b', name: 'graceSeconds', value: 60 });
    world.disk.write('/b/a.txt', 'a');
    await world.until('a.txt', 'waiting');
    await world.clock.advance(30_000);
    expect(world.row('a.txt').state.kind).toBe('waiting');
    await run.call('folders.set', { folder: '/b', name: 'graceSeconds', value: 0 });
    await world.until('a.txt', 'uploaded', 5000);
    await run.call('folders.set', { folder: '/b', name: 'graceSeconds', value: null });
    const [, b] = await run.call('folders.list', {});
    expect(b).toMatchObject({ rules: { graceSeconds: 10 }, own: [], locked: [] });
    if ('locked' in world.settings) (world.settings.locked as Set<string>).add('graceSeconds');
    await expect(
      run.call('folders.set', { folder: '/b', name: 'graceSeconds', value: 5 }),
    ).rejects.toMatchObject({ code: 'bad-setting' });
    world.ledger.folders.update(2, { own: { graceSeconds: 200, notify: false } });
    run.engine.nudge();
    expect((await run.call('folders.list', {}))[1]).toMatchObject({
      rules: { graceSeconds: 10, notify: false },
      own: ['graceSeconds', 'notify'],
      locked: ['graceSeconds'],
    });
  });

  test('that change while a file settles apply to it', async () => {
    const { world, run } = await several();
    world.disk.write('/b/a.draft', 'a');
    const done = world.disk.holdOpen('/b/a.draft');
    await world.clock.advance(1000);
    expect(world.row('a.draft').state.kind).toBe('settling');
    await run.call('folders.set', { folder: '/b', name: 'ignore', value: ['*.draft'] });
    done();
    await world.until('a.draft', 'skipped');
    await run.call('folders.set', { folder: '/b', name: 'ignore', value: null });
    await world.until('a.draft', 'uploaded');
  });

  test('determine when links end', async () => {
    const { world, run } = await several();
    await run.call('folders.set', { folder: '/b', name: 'expireAfter', value: '1d' });
    for (const dir of ['/b', '/c']) world.disk.write(`${dir}/in${dir.slice(1)}.txt`, dir);
    await world.until('inb.txt', 'uploaded');
    await world.until('inc.txt', 'uploaded');
    expect(world.row('inb.txt').ends?.atMs).toBe((world.row('inb.txt').uploadedAtMs ?? 0) + dayMs);
    expect(world.row('inc.txt').ends).toBeNull();
  });

  test('are refused when they are invalid', async () => {
    const { run } = await several();
    const set = (name: 'ignore' | 'graceSeconds' | 'paused', value: unknown, folder = '/b') =>
      run.call('folders.set', { folder, name, value });
    await expect(set('graceSeconds', 'x')).rejects.toMatchObject({ code: 'bad-setting' });
    await expect(set('ignore', ['a'.repeat(600)])).rejects.toMatchObject({ code: 'bad-setting' });
    await expect(set('paused', true, '/nowhere')).rejects.toMatchObject({ code: 'not-found' });
    await expect(set('paused', true, '/home/me')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('a folder that is inspected before it is added', () => {
  test('is refused where it could not be watched beside the others', async () => {
    const { run } = await several({}, ({ disk }) => disk.make('/b/below', 'folder'));
    for (const folder of ['/b', '/b/below']) {
      await expect(run.call('folder.inspect', { folder, beside: true })).rejects.toMatchObject({
        code: 'folder-refused',
      });
      expect(await run.call('folder.inspect', { folder })).toMatchObject({ folder });
    }
  });

  test('is found by the name of a preset, if the system has it', async () => {
    const folder = '/pictures/Screenshots';
    const find = (refused: readonly string[]) =>
      createWorld({ refused }).make().call('folders.find', { preset: 'screenshots' });
    expect(await find([])).toEqual({ folder });
    expect(await find([folder])).toEqual({ folder: null });
  });

  test('has only the named files uploaded', async () => {
    const { world, run } = await several({}, ({ disk }) => disk.make('/d', 'folder'));
    for (const name of ['a', 'b', 'c']) world.disk.write(`/d/${name}.txt`, name);
    await world.clock.advance(minuteMs);
    await run.call('folders.add', { folder: { path: '/d' }, existing: ['/d/a.txt', '/d/c.txt'] });
    await world.clock.runUntil(() => world.service.stored.length === 2, hourMs);
    expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
  });
});

test('a folder that is added again is resumed, and its pre-existing files are not uploaded even on request', async () => {
  const { world, run } = await several({}, ({ disk }) => {
    disk.make('/b/sub', 'folder');
    disk.write('/b/sub/before.txt', 'before');
    disk.write('/b/.hidden.txt', 'hidden');
  });
  await run.call('folders.remove', { folder: '/b' });
  await run.call('folders.add', {
    folder: { path: '/b' },
    existing: 'upload',
    rules: { includeHidden: true },
  });
  await world.clock.advance(hourMs);
  expect(world.service.stored).toEqual([]);
  expect(world.row('.hidden.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
});

test('pre-existing files of an added folder are not uploaded, even after a crash while it is added', async () => {
  const { world, run } = await several({}, ({ disk }) => disk.make('/d', 'folder'));
  await run.call('folders.add', { folder: { path: '/d' } });
  await run.call('folders.remove', { folder: '/d' });
  const row = world.ledger.folders.byPath('/d');
  // As if only its rules had been set, long before.
  world.ledger.folders.update(row?.id ?? 0, { baselineDone: false });
  await world.clock.advance(minuteMs);
  world.disk.write('/d/before.txt', 'before');
  await world.clock.advance(minuteMs);
  const { set } = world.settings;
  world.settings.set = async (name, value) => {
    await set(name, value);
    run.life.kill();
  };
  await run.call('folders.add', { folder: { path: '/d' } }).catch(() => undefined);
  world.settings.set = set;
  await world.start();
  await world.clock.advance(hourMs);
  expect(world.service.stored).toEqual([]);
  expect(world.row('before.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
});

describe('a folder that replaces another one', () => {
  test('is watched with its earlier rules when it is added again', async () => {
    const { world, run } = await several();
    await run.call('folders.set', { folder: '/tray', name: 'notify', value: false });
    world.disk.mount('another');
    run.engine.resumed();
    await world.clock.advance(1000);
    expect(folderOf(run, '/tray')?.available).toBe(false);
    // Its files are pre-existing now.
    expect(await run.call('folder.inspect', { folder: '/tray', beside: true })).toMatchObject({
      known: false,
    });
    const views = await run.call('folders.add', { folder: { path: '/tray' } });
    expect(views).toHaveLength(3);
    expect(views[0]).toMatchObject({ folder: '/tray', available: true, own: ['notify'] });
    expect(folderOf(run, '/tray')?.available).toBe(true);
  });
});

test('the first folder is removed where a policy has locked the others, and these remain', async () => {
  const { world, run } = await several();
  if ('locked' in world.settings) (world.settings.locked as Set<string>).add('folders');
  const views = await run.call('folders.remove', { folder: '/tray' });
  expect(views.map(({ folder }) => folder)).toEqual(['/b', '/c']);
  expect(run.engine.status().folder).toBe('/b');
});

describe('a folder that is watched alone', () => {
  test('is the only one in this run', async () => {
    const world = createWorld({ settings: { folders: ['/b'] } });
    for (const dir of ['/b', '/d', '/d/below']) world.disk.make(dir, 'folder');
    await world.clock.advance(minuteMs);
    const run = world.make();
    await world.during(run.engine.start({ folder: '/d', existing: 'skip', alone: true }));
    await world.clock.advance(minuteMs);
    for (const dir of ['/tray', '/b', '/d']) world.disk.write(`${dir}/a.txt`, dir);
    await world.settings.set('folder', '/b');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toHaveLength(1);
    expect(run.engine.status()).toMatchObject({ folder: '/d', counts: { uploaded: 1 } });
  });

  test('may not lie in a folder of the settings', async () => {
    const world = createWorld();
    world.disk.make('/tray/sub', 'folder');
    const run = world.make();
    await expect(
      world.during(run.engine.start({ folder: '/tray/sub', existing: 'skip', alone: true })),
    ).rejects.toMatchObject({ code: 'folder-refused' });
  });
});

test('a plan applies the rules of each folder', async () => {
  const { world, run } = await several();
  await run.call('folders.set', { folder: '/b', name: 'ignore', value: ['*.txt'] });
  world.disk.hints(false);
  for (const dir of ['/b', '/c']) world.disk.write(`${dir}/p.txt`, `plan ${dir}`);
  const { files } = await run.call('files.plan', { paths: ['/b', '/c'] });
  expect(files.map(({ path, verdict }) => [path, verdict])).toEqual([
    ['/b/p.txt', 'skipped'],
    ['/c/p.txt', 'upload'],
  ]);
});

test('are called live once each has been compared', async () => {
  const { world, run } = await several({}, ({ disk }) => disk.make('/new', 'folder'));
  const { files } = world.disk;
  const list = files.list;
  files.list = async (...given) => {
    await new Promise<void>((listed) => world.clock.after(1000, listed));
    return await list(...given);
  };
  const adding = run.call('folders.add', { folder: { path: '/new' }, existing: 'skip' });
  const seen = new Set<string>();
  await world.clock.runUntil(() => {
    const isDone = world.ledger.folders.byPath('/new')?.baselineDone === true;
    if (!isDone && run.engine.status().folders.length === 4) seen.add(run.engine.status().watch);
    return isDone;
  }, minuteMs);
  expect(seen).toEqual(new Set(['scanning']));
  await adding;
  expect(run.engine.status().watch).toBe('live');
});
