// The answers that a person can give to a held burst: the cost of each, and that each does only what it says.
import { describe, expect, test } from 'vitest';
import type { BurstPlan } from '../../../../src-main/contract/answers.ts';
import { defaultSettings, type Settings } from '../../../../src-main/contract/settings.ts';
import { burstPlans, zipNameIn } from '../../../../src-main/engine/plan/burst.ts';
import { commonFolder } from '../../../../src-main/engine/shared/paths.ts';
import { begin, dayMs, hourMs, minuteMs, type Running, type World } from '../../../support/fake-world.ts';

/** Files of one burst, each newer than the one before. The last is the oldest again. */
const burst = async (settings: Partial<Settings> = {}) => {
  const { world, run } = await begin({ settings: { burstFiles: 4, ...settings } });
  world.disk.make('/tray/scans', 'folder');
  const names = ['scans/a.tif', 'scans/b.tif', 'c.tif', 'd.tif', 'scans/e.tif', 'f.tif'];
  for (const [at, name] of names.entries()) world.disk.write(`/tray/${name}`, 'x'.repeat(at + 1));
  await world.clock.advance(10_000);
  return { world, run };
};
const plansOf = async (run: Running): Promise<BurstPlan[]> => (await run.call('queue.get', {})).burst;
const asOf = async (run: Running): Promise<number> =>
  (await run.call('queue.get', {})).alike.find(({ state }) => state.kind === 'held')?.asOfMs ?? 0;
const states = (world: World) =>
  Object.fromEntries(
    world.rows().map(({ name, state }) => [name, 'rule' in state ? state.rule : state.kind]),
  );
const cancelled = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`${name}.tif`, 'cancelled'] as const);

describe('a held burst', () => {
  test('can be uploaded file by file, as one zip, or only as its newest file, each with its figures', async () => {
    const { world, run } = await burst();
    const plans = await plansOf(run);
    expect(plans.map(({ plan, uploads, bytes, name, today }) => [plan, uploads, bytes, name, today])).toEqual(
      [
        ['all', 6, 21, null, 6],
        ['zip', 1, 21, 'tray.zip', 1],
        ['newest', 1, 6, 'f.tif', 1],
      ],
    );
    const [all = 0, zip = 0, newest = 0] = plans.map(({ finishesAtMs }) => finishesAtMs ?? 0);
    expect(zip).toBeLessThan(all);
    expect(newest).toBeGreaterThan(world.clock.wallMs());
  });

  test('shows how many files leave today if the day has no room for all, and no time while the queue is paused', async () => {
    const { world, run } = await burst({ requestsPerDay: 5, requestsPerMinute: 5 });
    const [all] = await plansOf(run);
    expect(all?.today).toBeGreaterThan(0);
    expect(all?.today).toBeLessThan(6);
    expect((all?.finishesAtMs ?? 0) - world.clock.wallMs()).toBeGreaterThan(dayMs / 2);
    await run.call('queue.pause', { untilMs: null });
    for (const plan of await plansOf(run)) expect(plan).toMatchObject({ finishesAtMs: null, today: 0 });
  });

  test('in a plan has the same answers', async () => {
    const { world, run } = await begin({ settings: { burstFiles: 1 } });
    world.disk.hints(false);
    world.disk.write('/tray/old.tif', 'xx');
    await world.clock.advance(5000);
    world.disk.write('/tray/new.tif', 'x');
    const { end } = await run.call('files.plan', { paths: ['/tray'] });
    const told = end?.burst.map(({ plan, uploads, bytes, name }) => [plan, uploads, bytes, name]);
    expect(told).toEqual([
      ['all', 2, 3, null],
      ['zip', 1, 3, 'tray.zip'],
      ['newest', 1, 1, 'new.tif'],
    ]);
    expect(end?.burst[0]?.finishesAtMs).toBeGreaterThan(world.clock.wallMs());
    await run.call('queue.pause', { untilMs: null });
    const paused = (await run.call('files.plan', { paths: ['/tray'] })).end;
    expect(paused?.burst[0]?.finishesAtMs).toBeNull();
  });

  test('has no answers when there is none', async () => {
    const { run } = await begin();
    expect(await plansOf(run)).toEqual([]);
    for (const name of ['queue.newest', 'queue.zip'] as const)
      await expect(run.call(name, { asOfMs: 9e15 })).rejects.toMatchObject({ code: 'bad-use' });
  });

  test('of one file has one answer, and a zip is offered only where it is allowed', () => {
    const of = (files: number, more: Partial<Settings> = {}, mostBytes: number | null = null) =>
      burstPlans(
        { files, bytes: 9, newest: { name: 'a', sizeBytes: 9 }, dirs: ['/tray'] },
        { settings: { ...defaultSettings(), ...more }, mostBytes, ahead: null },
      ).map(({ plan }) => plan);
    expect(of(1)).toEqual(['all']);
    expect(of(2)).toEqual(['all', 'zip', 'newest']);
    expect(of(2, { allowGivenFiles: false })).toEqual(['all', 'newest']);
    expect(of(2, { forbiddenTypes: ['zip'] })).toEqual(['all', 'newest']);
    expect(of(2, { allowedRoots: ['/tray'] })).toEqual(['all', 'zip', 'newest']);
    expect(of(2, {}, 8)).toEqual(['all', 'newest']);
  });

  test('in several folders names its zip after the deepest common folder', () => {
    expect(zipNameIn(['/a/b c/d', '/a/b c', '/a/b c/e'])).toBe('b c.zip');
    expect(zipNameIn(['/a/b', '/a b'])).toBe('files.zip');
    expect(zipNameIn(['C:\\a\\b', 'C:\\a\\c'])).toBe('a.zip');
    expect(zipNameIn(['C:\\a', 'D:\\a'])).toBe('files.zip');
    expect(zipNameIn(['C:\\a', 'D:\\a', 'C:\\a'])).toBe('files.zip');
    expect(zipNameIn([])).toBe('files.zip');
    expect(commonFolder('/a/b', '/a/b/c')).toBe('/a/b');
  });
});

describe('the answer “only the newest”', () => {
  test('uploads it and skips the others, and an undo holds them again', async () => {
    const { world, run } = await burst();
    await run.call('queue.newest', { asOfMs: await asOf(run) });
    await world.until('f.tif', 'uploaded');
    expect(states(world)).toEqual({ ...Object.fromEntries(cancelled), 'f.tif': 'uploaded' });
    expect(await run.call('queue.undo', {})).toHaveLength(5);
    await world.clock.advance(hourMs);
    expect(world.service.stored).toHaveLength(1);
    expect(world.row('a.tif').state).toEqual({ kind: 'held', reason: 'burst' });
  });

  test('is refused when a newer one has arrived since, and nothing changes', async () => {
    const { world, run } = await burst();
    const asOfMs = await asOf(run);
    await world.put('g.tif', 'newer', 'held');
    await expect(run.call('queue.newest', { asOfMs })).rejects.toMatchObject({ code: 'bad-use' });
    expect(new Set(Object.values(states(world)))).toEqual(new Set(['held']));
  });
});

describe('the answer “one zip”', () => {
  test('packs all files by their path in the folder into one link, and skips them for good', async () => {
    const { world, run } = await burst();
    const upload = await run.call('queue.zip', { asOfMs: await asOf(run) });
    const row = world.ledger.uploads.byId(upload.id);
    const text = world.disk.text(`${row?.dir ?? ''}/${row?.name ?? ''}`);
    expect(text?.split('\n').map((line) => line.split(':')[0])).toEqual([
      'c.tif',
      'd.tif',
      'f.tif',
      'scans/a.tif',
      'scans/b.tif',
      'scans/e.tif',
    ]);
    await world.until('tray.zip', 'uploaded');
    expect(states(world)).toEqual({ ...Object.fromEntries(cancelled), 'tray.zip': 'uploaded' });
    await run.call('folder.scan', {});
    await world.clock.advance(hourMs);
    expect(world.service.stored).toHaveLength(1);
    expect((await run.call('file.why', { path: '/tray/c.tif' })).sentence).toContain('packed into tray.zip');
  });

  test('is refused when one of its files was decided while it was packed', async () => {
    const { world, run } = await burst();
    const { findIn } = world.inspect;
    world.inspect.findIn = async (content) => {
      await new Promise<void>((resolve) => void world.clock.after(500, resolve));
      return await findIn(content);
    };
    const asOfMs = await asOf(run);
    const packed = run.call('queue.zip', { asOfMs });
    await run.call('queue.skip', { ids: [world.row('a.tif').id] });
    await expect(packed).rejects.toMatchObject({ code: 'changed' });
    await world.clock.advance(hourMs);
    expect(states(world)).toMatchObject({ 'a.tif': 'cancelled', 'b.tif': 'held' });
    expect(world.rows().map(({ name }) => name)).not.toContain('tray.zip');
    expect(await world.spool.list()).toEqual([]);
    expect(world.service.stored).toEqual([]);
  });

  test('is refused when a file has another version than was asked about', async () => {
    const { world, run } = await burst();
    const asOfMs = await asOf(run);
    world.disk.hints(false);
    world.disk.write('/tray/c.tif', 'another version');
    await expect(run.call('queue.zip', { asOfMs })).rejects.toMatchObject({ code: 'changed' });
    expect(world.row('d.tif').state.kind).toBe('held');
  });

  test('makes a link that ends no later than the folder of its files requires', async () => {
    const { world, run } = await burst();
    await run.call('folders.set', { folder: '/tray', name: 'expireAfter', value: '1d' });
    const upload = await run.call('queue.zip', { asOfMs: await asOf(run) });
    await world.until('tray.zip', 'uploaded');
    const row = world.ledger.uploads.byId(upload.id);
    const livesMs = (row?.ends?.atMs ?? 0) - (row?.uploadedAtMs ?? 0);
    expect(livesMs).toBeGreaterThan(dayMs - minuteMs);
    expect(livesMs).toBeLessThanOrEqual(dayMs);
  });

  test('makes a zip that is held for its contents, and its files count as answered', async () => {
    const { world, run } = await burst({ allowedTypes: [] });
    world.inspect.findIn = async () => [{ kind: 'secret', rule: 'key', line: 1 }];
    const upload = await run.call('queue.zip', { asOfMs: await asOf(run) });
    expect(upload.state).toMatchObject({ kind: 'held', reason: 'secret-content', inZip: { others: 5 } });
    expect(world.row('c.tif').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(world.service.stored).toEqual([]);
  });
});
