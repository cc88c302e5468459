// A row that is due for a check may have changed before its turn comes: a command, the queue or another
// process was faster.
import { expect, test } from 'vitest';
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import {
  begin,
  loseAnswer,
  minuteMs,
  share,
  started,
  type Running,
  type World,
} from '../../support/fake-world.ts';

/** Makes calls for such a path take this long. Returns its undo. */
const slow = (world: World, call: 'look' | 'open', isSlow: (path: string) => boolean, ms: number) => {
  const { files } = world.disk;
  const { look, open } = files;
  const wait = async (path: string): Promise<void> => {
    if (isSlow(path)) await new Promise<void>((next) => world.clock.after(ms, next));
  };
  if (call === 'look')
    files.look = async (path) => {
      await wait(path);
      return await look(path);
    };
  else
    files.open = async (path, root) => {
      await wait(path);
      return await open(path, root);
    };
  return () => Object.assign(files, { look, open });
};

test('an upload that becomes uncertain while a larger file is compared is not sent a second time', async () => {
  const { world, run } = await started();
  await share(world, 'first.txt', 'same size');

  // Their size is known, so their content is read: that takes long, and keeps the discovery busy.
  const { open } = world.disk.files;
  world.disk.files.open = async (path, root) => {
    if (path.includes('slow')) await new Promise<void>((next) => world.clock.after(5000, next));
    return await open(path, root);
  };
  world.service.faults.push('answer-lost');
  world.disk.write('/tray/slow1.txt', 'size same');
  world.disk.write('/tray/a.txt', 'the content');
  world.disk.write('/tray/slow2.txt', 'zise same');
  await world.clock.advance(1000);
  // A command wakes everybody while all of them settle.
  run.engine.nudge();
  await world.until('a.txt', 'uncertain');
  await world.clock.advance(20_000);
  expect(world.row('a.txt').state.kind).toBe('uncertain');
  await world.until('a.txt', 'uploaded', 2 * minuteMs);
  expect(world.service.namesOf().filter((name) => name === 'a.txt')).toHaveLength(1);
});

test('a file that is cancelled while others are being checked is not uploaded', async () => {
  const { world, run } = await started();
  const { look } = world.disk.files;
  world.disk.hideWriters('untold');
  world.disk.write('/tray/a.txt', 'one');
  await world.put('b.txt', 'another', 'settling');
  world.disk.files.look = async (path) => {
    await new Promise<void>((next) => world.clock.after(50, next));
    return await look(path);
  };
  run.engine.nudge();
  await world.clock.advance(60);
  await run.call('queue.cancel', { ids: [world.row('b.txt').id] });
  await world.clock.advance(minuteMs);
  expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  expect(world.service.namesOf()).toEqual(['a.txt']);
});

test('a decision about an uncertain upload stands when the lookup under way fails', async () => {
  const { world, run } = await started();
  const { id } = await loseAnswer(world, 'a.txt', 'the content');
  world.service.refuseLists = { code: 'unusable-answer', status: 502 };
  world.service.latencyMs = 5000;
  await world.clock.advance(31_000);
  await run.call('queue.resolve', { id, choice: 'leave' });
  await world.clock.advance(5 * minuteMs);
  expect(world.row('a.txt').state).toMatchObject({ kind: 'uncertain', isUnwanted: true });
  world.service.refuseLists = null;
  await world.clock.advance(20 * minuteMs);
  expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'recalled' });
});

test('a version that is given while the decision about the one before waits is looked into, too', async () => {
  const { world, run } = await started();
  // Decisions are written together: that about a.txt waits for that about b.txt.
  const isSlow = (path: string) => path.includes('b.txt.') && world.disk.opened.includes('/tray/b.txt');
  slow(world, 'look', isSlow, 5000);
  world.disk.write('/tray/a.txt', 'harmless');
  world.disk.write('/tray/b.txt', 'another one');
  await world.clock.advance(2000);
  world.disk.write('/tray/a.txt', 'now SECRET');
  await run.call('files.upload', { paths: ['/tray/a.txt'] });
  await world.until('a.txt', 'held', 2 * minuteMs);
  expect(world.row('a.txt').state).toMatchObject({ reason: 'secret-content' });
  await world.until('b.txt', 'uploaded', minuteMs);
  expect(world.service.namesOf()).toEqual(['b.txt']);
});

test('a wish for another link counts while the content is compared', async () => {
  const { world, run } = await begin();
  await share(world, 'first.txt', 'content');
  slow(world, 'open', (path) => path.includes('copy'), 5000);
  world.disk.write('/else/copy.txt', 'content');
  await run.call('files.upload', { paths: ['/else/copy.txt'] });
  await world.clock.advance(7000);
  expect(world.row('copy.txt').state.kind).toBe('settling');
  await run.call('files.upload', { paths: ['/else/copy.txt'], again: true });
  await world.until('copy.txt', 'uploaded');
});

test('a no stands that comes while the disk is asked about all that failed', async () => {
  const { world, run } = await begin();
  const refused = { code: 'refused', status: 415 } as const;
  world.service.faults.push(refused, refused);
  const { id } = await world.put('a.txt', 'one', 'failed');
  await world.put('b.txt', 'two', 'failed');
  const undo = slow(world, 'look', () => true, 500);
  const retry = run.client.call('queue.retry', {});
  await world.clock.advance(600);
  undo();
  await run.call('queue.cancel', { ids: [id] });
  await world.during(retry);
  await world.until('b.txt', 'uploaded');
  await world.clock.advance(minuteMs);
  expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  expect(world.service.namesOf()).toEqual(['b.txt']);
});

test.each<[string, (run: Running, fileIds: FileId[]) => Promise<unknown>]>([
  ['is taken back', (run, [own]) => run.client.call('files.recall', { files: [{ fileId: own ?? 0 }] })],
  ['is deleted', (run, [, other]) => run.client.call('files.delete', { fileIds: [other ?? 0] })],
])(
  'a file of another account stays shown that has the id of one that %s when the key changes',
  async (_, end) => {
    const { world, run } = await begin();
    const { service, keys } = world;
    service.account = () => (keys.stored?.startsWith('b') === true ? 'b' : 'a');
    service.ids = 'account';
    const use = async (key: string): Promise<void> => {
      keys.stored = key;
      run.engine.nudge();
      await world.clock.advance(1000);
    };
    const fileIds = [await share(world, 'ours.txt'), service.addForeign('other.txt', 'other').fileId];
    await run.call('files.refresh', {});
    await use('b-1');
    while (service.addForeign('theirs.txt', 'theirs').fileId < Number(fileIds[1]));
    await run.call('account.decide', { is: 'another' });
    await run.call('files.refresh', {});
    await use('key-1234');
    // The other key comes while the answer to the DELETE, or the bytes of the link, are on their way.
    [service.linkMs, service.latencyMs] = [5000, 1000];
    service.onRemove = () => {
      keys.stored = 'b-1';
      run.engine.nudge();
    };
    await world.during(end(run, fileIds));
    expect(world.ledger.accounts.present()).toBe(2);
    for (const fileId of fileIds) expect(world.ledger.remote.byId(fileId)).toMatchObject({ gone: false });
  },
);

test('statistics that were asked for with the key before are not kept for another account', async () => {
  const { world, run } = await begin();
  const { service, keys } = world;
  service.account = () => (keys.stored?.startsWith('b') === true ? 'b' : 'a');
  await share(world, 'a.txt');
  const { stats } = service.api;
  service.api.stats = async (signal) => {
    const plan = service.account();
    const answer = await stats(signal);
    await new Promise<void>((next) => world.clock.after(3000, next));
    return { ...answer, plan };
  };
  const asked = run.client.call('stats.get', { refresh: true });
  await world.clock.advance(1000);
  keys.stored = 'b-1';
  await run.call('account.decide', { is: 'another' });
  await world.during(asked);
  expect((await run.call('account.get', {})).plan).not.toBe('a');
});
