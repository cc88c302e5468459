// Undoing the decisions of a person, and commands that apply to many files at once.
import { describe, expect, test } from 'vitest';
import { fateOf } from '../../../../src-main/contract/model.ts';
import { begin, hourMs, minuteMs, type Running, type World } from '../../../support/fake-world.ts';

const idOf = (world: World, name: string): number => world.row(name).id;

/** More files at once than the setting allows. */
const burst = async (files: number): Promise<{ world: World; run: Running }> => {
  const both = await begin({ settings: { burstFiles: 5 } });
  for (let at = 1; at <= files; at += 1) both.world.disk.write(`/tray/scan${at}.tif`, 'x'.repeat(at));
  await both.world.until(`scan${files}.tif`, 'held');
  return both;
};

const alikeOf = async (run: Running, kind: 'held' | 'failed' | 'skipped') => {
  const { alike } = await run.call('queue.get', {});
  const found = alike.find(({ state }) => state.kind === kind);
  if (found === undefined) throw new Error(`None is ${kind}.`);
  return { ...found, alike: { kind, fate: fateOf(found.state), asOfMs: found.asOfMs } };
};

describe('undo', () => {
  test('a skipped burst is held again, and none of its files is uploaded', async () => {
    const { world, run } = await burst(8);
    const { alike } = await alikeOf(run, 'held');
    await run.call('queue.skip', { alike });
    expect(run.engine.status().counts).toMatchObject({ held: 0, skipped: 8 });
    expect(await run.call('queue.undo', {})).toHaveLength(8);
    await world.clock.advance(hourMs);
    expect(world.row('scan3.tif').state).toEqual({ kind: 'held', reason: 'burst' });
    expect(run.engine.status().counts).toMatchObject({ held: 8, skipped: 0 });
    expect(world.service.stored).toEqual([]);
  });

  test('a cancelled file is uploaded after all', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    const { id } = await world.put('a.txt', 'content', 'ready');
    await run.call('queue.cancel', { ids: [id] });
    expect(world.row('a.txt').state.kind).toBe('skipped');
    await run.call('queue.undo', {});
    await world.until('a.txt', 'ready');
    expect(world.row('a.txt').confirmed).toBe(false);
    await run.call('queue.resume', {});
    await world.until('a.txt', 'uploaded');
  });

  test('a file that was cancelled while it was sent is uploaded after all', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('a.txt', 'content', 'sending');
    await run.call('queue.cancel', { ids: [id] });
    await world.until('a.txt', 'skipped');
    await run.call('queue.undo', {});
    await world.until('a.txt', 'uploaded');
    expect(world.service.stored).toHaveLength(1);
  });

  test('a dismissed failure has failed again, with its message', async () => {
    const { world, run } = await begin();
    world.service.faults.push({ code: 'refused', status: 415 });
    const failed = await world.put('a.txt', 'content', 'failed');
    await run.call('queue.skip', { ids: [failed.id] });
    await run.call('queue.undo', {});
    await world.clock.advance(hourMs);
    expect(world.row('a.txt')).toMatchObject({ state: failed.state, attempts: failed.attempts });
  });

  test.each([
    ['.env', 'held', 'queue.skip'],
    ['refused.txt', 'failed', 'queue.skip'],
    ['later.txt', 'ready', 'queue.cancel'],
  ] as const)(
    '%s, which was %s, is exactly that again a minute after it was left out',
    async (name, kind, act) => {
      const { world, run } = await begin();
      if (kind === 'failed') world.service.faults.push({ code: 'refused', status: 415 });
      if (kind === 'ready') await run.call('queue.pause', { untilMs: null });
      const { id, state, attempts } = await world.put(name, 'content', kind);
      await run.call(act, { ids: [id] });
      await world.clock.advance(minuteMs);
      expect(world.row(name).state).toEqual({ kind: 'skipped', rule: 'cancelled' });
      expect(await run.call('queue.undo', { ids: [id] })).toHaveLength(1);
      await world.until(name, kind);
      expect(world.row(name)).toMatchObject({ state, attempts });
    },
  );

  test.each([
    ['old.txt', 'existing'],
    ['a.log', 'ignored'],
    ['empty.txt', 'empty'],
    ['copy.txt', 'already-shared'],
    ['taken.txt', 'recalled'],
  ])('%s, which was skipped (%s) before a person left it out, is that again', async (name, rule) => {
    const { world, run } = await begin({ settings: { ignore: ['*.log'] } }, ({ disk }) =>
      disk.write('/tray/old.txt', 'was here'),
    );
    await world.put('a.log', 'log', 'skipped');
    await world.put('empty.txt', '', 'skipped');
    const { fileId } = await world.put('taken.txt', 'taken back', 'uploaded');
    await run.call('files.recall', { files: [{ fileId: fileId ?? 0 }] });
    await world.put('first.txt', 'shared', 'uploaded');
    await world.put('copy.txt', 'shared', 'skipped');
    const { id, state } = world.row(name);
    expect(state).toMatchObject({ kind: 'skipped', rule });
    await run.call('queue.skip', { ids: [id] });
    expect(world.row(name).state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    await world.clock.advance(minuteMs);
    expect(await run.call('queue.undo', {})).toMatchObject([{ id, state }]);
    world.disk.rename(`/tray/${name}`, `/tray/again-${name}`);
    await world.clock.advance(hourMs);
    expect(world.row(`again-${name}`).state).toEqual(state);
    expect(world.service.namesOf()).toEqual(['first.txt']);
  });

  test('a file that changed meanwhile, or is gone, keeps its new state', async () => {
    const { world, run } = await begin();
    world.service.faults.push({ code: 'refused', status: 415 }, { code: 'refused', status: 415 });
    await world.put('a.txt', 'content', 'failed');
    await world.put('b.txt', 'other', 'failed');
    const { alike } = await alikeOf(run, 'failed');
    await run.call('queue.skip', { alike });
    world.disk.write('/tray/a.txt', 'another content');
    world.disk.remove('/tray/b.txt');
    await world.clock.advance(minuteMs);
    await run.call('queue.undo', {});
    await world.clock.advance(minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.row('b.txt').state.kind).toBe('gone');
  });

  test('applies only to the last action, and only once', async () => {
    const { world, run } = await begin();
    const first = await world.put('server.key', 'secret', 'held');
    const second = await world.put('client.key', 'secret too', 'held');
    await run.call('queue.skip', { ids: [first.id] });
    await run.call('queue.skip', { ids: [second.id] });
    expect(await run.call('queue.undo', {})).toHaveLength(1);
    expect(await run.call('queue.undo', {})).toEqual([]);
    expect(world.row('server.key').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(world.row('client.key').state).toEqual({ kind: 'held', reason: 'secret-name' });
  });
});

test('an undo of given uploads brings back these, whatever was left out since', async () => {
  const { world, run } = await begin();
  const names = ['a.key', 'b.key', 'c.key', 'd.key'];
  const ids: number[] = [];
  for (const name of names) ids.push((await world.put(name, `secret of ${name}`, 'held')).id);
  const [a = 0, b = 0, c = 0, d = 0] = ids;
  const held = () => names.filter((name) => world.row(name).state.kind === 'held');
  await run.call('queue.skip', { ids: [a, b] });
  await run.call('queue.skip', { ids: [c] });
  await run.call('queue.skip', { ids: [d] });
  expect(await run.call('queue.undo', { ids: [a, d] })).toHaveLength(2);
  expect(held()).toEqual(['a.key', 'd.key']);
  expect(await run.call('queue.undo', { ids: [a, d] })).toEqual([]);
  // The rest of the action that left out the first, and another one.
  const back = await run.call('queue.undo', { actionsOf: [a, c] });
  expect(back.map(({ id }) => id)).toEqual([b, c]);
  expect(held()).toEqual(names);
});

test('of several files the one that has changed since the question waits for another answer, and the others go', async () => {
  const { world, run } = await begin();
  await world.put('server.key', 'secret', 'held');
  await world.put('client.key', 'secret too', 'held');
  const { held, alike } = await run.call('queue.get', {});
  const answer = { ids: held.map(({ id }) => id), asOfMs: alike[0]?.asOfMs ?? 0 };
  world.disk.write('/tray/client.key', 'another secret');
  await world.clock.advance(minuteMs);
  expect(world.row('client.key').state.kind).toBe('held');
  expect(await run.call('queue.confirm', answer)).toMatchObject([{ name: 'server.key' }]);
  await world.clock.advance(hourMs);
  expect(world.service.namesOf()).toEqual(['server.key']);
  const client = { ...answer, ids: [world.row('client.key').id] };
  await expect(run.call('queue.confirm', client)).rejects.toMatchObject({ code: 'bad-use' });
  const now = (await run.call('queue.get', {})).alike[0]?.asOfMs ?? 0;
  await run.call('queue.confirm', { ...client, asOfMs: now });
  await world.until('client.key', 'uploaded');
});

describe('many at once', () => {
  test('all files of a burst are uploaded, more than a list shows', async () => {
    const { world, run } = await burst(30);
    expect((await run.call('queue.get', { limit: 10 })).held).toHaveLength(10);
    const { alike, files, bytes } = await alikeOf(run, 'held');
    expect([files, bytes]).toEqual([30, (30 * 31) / 2]);
    const { burst: plans } = await run.call('queue.get', {});
    const takesMs = (plans[0]?.finishesAtMs ?? 0) - world.clock.wallMs();
    expect(takesMs).toBeGreaterThan(10_000);
    expect(takesMs).toBeLessThan(2 * minuteMs);
    await run.call('queue.confirm', { alike });
    await world.clock.runUntil(() => world.service.stored.length === 30, hourMs);
  });

  test('files that came after the user looked are not confirmed', async () => {
    const { world, run } = await burst(8);
    const { alike } = await alikeOf(run, 'held');
    await world.clock.advance(1000);
    world.disk.write('/tray/late.tif', 'late');
    await world.until('late.tif', 'held');
    await run.call('queue.confirm', { alike });
    await world.clock.advance(hourMs);
    expect(world.row('late.tif').state).toEqual({ kind: 'held', reason: 'burst' });
    expect(world.service.stored).toHaveLength(8);
  });

  test('files that failed alike are retried, and no others', async () => {
    const { world, run } = await begin();
    world.service.faults.push({ code: 'refused', status: 415 }, { code: 'refused', status: 415 });
    await world.put('a.txt', 'a', 'failed');
    await world.put('b.txt', 'bb', 'failed');
    world.service.faults.push({ code: 'too-large', status: 413 });
    await world.put('c.txt', 'ccc', 'failed');
    const { alike, files } = await alikeOf(run, 'failed');
    expect(files).toBe(2);
    await run.call('queue.retry', { alike });
    await world.until('a.txt', 'uploaded');
    await world.until('b.txt', 'uploaded');
    expect(world.row('c.txt').state.kind).toBe('failed');
  });

  test('skipped files are listed with their rules, and uploaded on request', async () => {
    const { world, run } = await begin();
    await world.put('empty.txt', '', 'skipped');
    await world.put('~$draft.docx', 'lock', 'skipped');
    const { skipped, alike } = await run.call('queue.get', {});
    expect(skipped.map(({ name }) => name)).toEqual(['~$draft.docx', 'empty.txt']);
    expect(alike.map(({ state, files }) => [fateOf(state), files]).sort()).toEqual([
      ['empty', 1],
      ['temporary', 1],
    ]);
    const empty = alike.find(({ state }) => fateOf(state) === 'empty');
    await run.call('queue.confirm', {
      alike: { kind: 'skipped', fate: 'empty', asOfMs: empty?.asOfMs ?? 0 },
    });
    await world.until('empty.txt', 'uploaded');
    expect(world.row('~$draft.docx').state.kind).toBe('skipped');
    expect(idOf(world, 'empty.txt')).toBeGreaterThan(0);
  });
});

describe('a zip', () => {
  /** The zip is held for its contents. Its spool works like the real one: a removed zip is gone from the disk. */
  const heldZip = async (): Promise<{ world: World; run: Running; id: number }> => {
    const { world, run } = await begin();
    const remove = world.spool.remove.bind(world.spool);
    world.spool.remove = async (dir) => {
      world.disk.remove(`${dir}/docs.zip`);
      await remove(dir);
    };
    world.disk.make('/docs', 'folder');
    world.disk.write('/docs/a.txt', 'SECRET');
    const { upload } = await run.call('files.bundle', { paths: ['/docs'] });
    const { dir, name } = world.row('docs.zip');
    world.spool.kept.push({ dir, name, isGuarded: false });
    return { world, run, id: upload.id };
  };
  const counted = ({ engine }: Running): number => {
    const { held, skipped, failed, waiting, uploaded } = engine.status().outside;
    return held + skipped + failed + waiting + uploaded;
  };

  test('that was held and left out is held again after an undo, and uploaded when a person confirms it', async () => {
    const { world, run, id } = await heldZip();
    const before = world.row('docs.zip').state;
    await run.call('queue.skip', { ids: [id] });
    await world.clock.advance(12_000);
    expect(await run.call('queue.undo', {})).toMatchObject([{ id, state: before }]);
    await world.clock.advance(hourMs);
    expect(counted(run)).toBe(1);
    await run.call('queue.confirm', { ids: [id] });
    await world.until('docs.zip', 'uploaded');
    expect(counted(run)).toBe(1);
  });

  test.each<
    [when: string, (world: World, run: Running) => unknown, 'queue.skip' | 'queue.cancel', end: string]
  >([
    ['waits', (_, run) => run.call('queue.pause', { untilMs: null }), 'queue.cancel', 'uploaded'],
    [
      'waits for the network',
      ({ service }) => (service.refuse = { code: 'offline' }),
      'queue.cancel',
      'uploaded',
    ],
    ['is sent', ({ service }) => (service.latencyMs = minuteMs), 'queue.cancel', 'uploaded'],
    [
      'has failed',
      ({ service }) => service.faults.push({ code: 'refused', status: 415 }),
      'queue.skip',
      'failed',
    ],
  ])('that %s is counted once, whether it is left out, put back or retried', async (...given) => {
    const [, before, act, end] = given;
    const { world, run, id } = await heldZip();
    await before(world, run);
    await run.call('queue.confirm', { ids: [id] });
    await world.clock.advance(15_000);
    await run.call(act, { ids: [id] });
    world.service.latencyMs = 20;
    await world.until('docs.zip', 'skipped', 2 * minuteMs);
    expect(counted(run)).toBe(1);
    expect(await run.call('queue.undo', {})).toHaveLength(1);
    expect(counted(run)).toBe(1);
    world.service.refuse = null;
    await run.call('queue.resume', {});
    await run.call('queue.retry', { ids: [id] }).catch(() => undefined);
    await world.until('docs.zip', end as 'uploaded', hourMs);
    expect(counted(run)).toBe(1);
  });

  test('that was held and left out stays left out when its file is removed meanwhile, and no command loses it', async () => {
    const { world, run, id } = await heldZip();
    await run.call('queue.skip', { ids: [id] });
    await world.clock.advance(2 * minuteMs);
    expect(world.spool.kept).toEqual([]);
    expect(await run.call('queue.undo', {})).toEqual([]);
    await expect(run.call('queue.confirm', { ids: [id] })).rejects.toMatchObject({ code: 'bad-use' });
    await expect(run.call('queue.retry', { ids: [id] })).rejects.toMatchObject({ code: 'bad-use' });
    await world.clock.advance(hourMs);
    expect(world.row('docs.zip').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(counted(run)).toBe(1);
  });
});
