// What a plan says about files that are on their way, wait, or change while it is made: what the run then does.
import { describe, expect, test } from 'vitest';
import { answerCall } from '../../../../src-main/contract/client.ts';
import {
  begin,
  dayMs,
  hourMs,
  minuteMs,
  share,
  type Running,
  type World,
} from '../../../support/fake-world.ts';

const planned = async (run: Running, paths: string[]) =>
  (await run.call('files.plan', { paths })).files.map(({ path, verdict, why }) => [
    path.split('/').at(-1),
    verdict,
    why,
  ]);
/** Files without a hint, old enough to be uploaded. */
const unseen = async (world: World, files: Record<string, string>): Promise<void> => {
  world.disk.hints(false);
  for (const [name, content] of Object.entries(files)) world.disk.write(`/tray/${name}`, content);
  await world.clock.advance(20_000);
};

test('queued files of the same minute are held with a burst, except a confirmed one', async () => {
  const { world, run } = await begin({ settings: { burstFiles: 2 } });
  await run.call('queue.pause', { untilMs: null });
  await world.put('early.txt', 'early', 'ready');
  await world.clock.advance(2 * minuteMs);
  const { id } = await world.put('id_rsa', 'a key', 'held');
  await run.call('queue.confirm', { ids: [id] });
  await world.put('late.txt', 'late', 'ready');
  await unseen(world, { one: '1', two: '22', three: '333' });
  const told = await planned(run, ['/tray']);
  expect(told).toEqual([
    ['early.txt', 'upload', null],
    ['id_rsa', 'upload', null],
    ['late.txt', 'held', 'burst'],
    ['one', 'held', 'burst'],
    ['three', 'held', 'burst'],
    ['two', 'held', 'burst'],
  ]);
  await run.call('folder.scan', {});
  await world.clock.advance(10_000);
  const states = world.rows().map(({ name, state }) => [name, state.kind]);
  expect(Object.fromEntries(states)).toEqual({
    'early.txt': 'ready',
    id_rsa: 'ready',
    'late.txt': 'held',
    one: 'held',
    two: 'held',
    three: 'held',
  });
});

test('a queued file that was given by path is not held with a burst of the folder', async () => {
  const { world, run } = await begin({ settings: { burstFiles: 2 } });
  await run.call('queue.pause', { untilMs: null });
  world.disk.write('/else/given.txt', 'given');
  await world.clock.advance(minuteMs);
  await run.call('files.upload', { paths: ['/else/given.txt'] });
  await world.until('given.txt', 'ready');
  await unseen(world, { one: '1', two: '22', three: '333' });
  const told = await planned(run, ['/tray', '/else/given.txt']);
  expect(told).toContainEqual(['given.txt', 'upload', null]);
  expect(told).toContainEqual(['one', 'held', 'burst']);
});

describe('a file whose link is being taken back', () => {
  test('is not uploaded again by itself', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    world.service.refuse = { code: 'offline' };
    await run.call('files.recall', { files: [{ fileId }] });
    expect(await planned(run, ['/tray'])).toEqual([['a.txt', 'skipped', 'recalled']]);
  });

  test('because it has expired is reported as expired', async () => {
    const { world, run } = await begin({ settings: { expireAfter: '1d' } });
    await share(world, 'a.txt');
    await world.clock.advance(dayMs - minuteMs);
    world.service.refuse = { code: 'offline' };
    await world.clock.advance(hourMs);
    expect(world.row('a.txt').state.kind).toBe('recalling');
    expect(await planned(run, ['/tray'])).toEqual([['a.txt', 'skipped', 'expired']]);
  });
});

test('an upload under way, or in its grace period, is reported as an upload', async () => {
  const { world, run } = await begin({ settings: { graceSeconds: 60 } });
  await world.put('a.txt', 'content', 'waiting');
  expect(await planned(run, ['/tray'])).toEqual([['a.txt', 'upload', null]]);
  await world.until('a.txt', 'sending', 2 * minuteMs);
  expect(await planned(run, ['/tray'])).toEqual([['a.txt', 'upload', null]]);
});

describe('a waiting file', () => {
  test('that was locked, or has just been written, is uploaded when nothing prevents it any more', async () => {
    const { world, run } = await begin();
    world.disk.write('/tray/locked.txt', 'content');
    world.disk.lock('/tray/locked.txt', true);
    await world.until('locked.txt', 'waiting');
    expect(await planned(run, ['/tray'])).toEqual([['locked.txt', 'failed', 'locked']]);
    world.disk.lock('/tray/locked.txt', false);
    expect(await planned(run, ['/tray'])).toEqual([['locked.txt', 'upload', null]]);
    world.disk.write('/tray/new.txt', 'new');
    await world.until('new.txt', 'settling');
    expect(await planned(run, ['/tray'])).toContainEqual(['new.txt', 'upload', null]);
  });

  test('is planned in its current version', async () => {
    const { world, run } = await begin();
    world.disk.write('/else/a.txt', 'content');
    const close = world.disk.holdOpen('/else/a.txt');
    await run.call('files.upload', { paths: ['/else/a.txt'] });
    await world.until('a.txt', 'settling');
    world.disk.write('/else/a.txt', '');
    close();
    expect(await planned(run, ['/else/a.txt'])).toEqual([['a.txt', 'skipped', 'empty']]);
    await world.until('a.txt', 'skipped');
  });
});

test('a renamed file is held under its new name while it is unknown whether it is public', async () => {
  const { world, run } = await begin();
  world.service.linksBroken = true;
  world.service.faults.push('answer-lost');
  await world.put('a.txt', 'content', 'held', hourMs);
  world.disk.hints(false);
  world.disk.rename('/tray/a.txt', '/tray/b.txt');
  await world.clock.advance(minuteMs);
  expect(await planned(run, ['/tray'])).toEqual([['b.txt', 'held', 'uncertain']]);
  await run.call('folder.scan', {});
  await world.clock.advance(minuteMs);
  expect(world.rows().filter(({ present }) => present)).toMatchObject([
    { name: 'b.txt', state: { kind: 'held', reason: 'uncertain' } },
  ]);
});

describe('while a plan is made', () => {
  test('a file that disappears is reported as failed', async () => {
    const { world, run } = await begin();
    world.disk.write('/else/a.txt', 'content');
    const { look } = world.disk.files;
    let looks = 0;
    world.disk.files.look = async (path) => ((looks += 1) === 1 ? await look(path) : null);
    expect(await planned(run, ['/else/a.txt'])).toEqual([['a.txt', 'failed', 'gone']]);
  });

  test('a file that changes while it is inspected, or compared, is reported as failed', async () => {
    const { world, run } = await begin();
    await share(world, 'shared.bin', '0123456789');
    await unseen(world, { 'notes.txt': 'notes', 'same.bin': 'abcdefghij' });
    world.disk.raceAtOpen((path) => {
      world.disk.append(path, '.');
      return null;
    });
    expect(await planned(run, ['/tray'])).toEqual([
      ['notes.txt', 'failed', 'changed'],
      ['same.bin', 'failed', 'changed'],
      ['shared.bin', 'skipped', 'already-shared'],
    ]);
  });

  test('a person who stops it gets no plan, in a folder as in the middle of a file', async () => {
    const { world, run } = await begin();
    await unseen(world, { 'notes.txt': 'notes' });
    for (const hook of ['raceAtList', 'raceAtOpen'] as const) {
      const stop = new AbortController();
      world.disk[hook](() => {
        stop.abort();
        return null;
      });
      const reply = await answerCall(run.engine.handlers, 'files.plan', { paths: ['/tray'] }, stop.signal);
      expect(reply).toMatchObject({ ok: false, error: { code: 'aborted' } });
      world.disk.raceAtList(() => undefined);
    }
  });

  test('another folder in the place of the watched one is not planned', async () => {
    const { world, run } = await begin();
    world.disk.files.identify = async () => 'another';
    await expect(run.call('files.plan', { paths: ['/tray'] })).rejects.toMatchObject({
      code: 'folder-unavailable',
    });
  });
});
