// Links that are taken back: the request is recorded first, the file is deleted, the link is proven dead and reported once.
import { call } from '../../../../src-main/contract/text/wording.ts';
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { describe, expect, test } from 'vitest';
import { answerCall } from '../../../../src-main/contract/client.ts';
import { AppError } from '../../../../src-main/contract/errors.ts';
import {
  begin,
  dayMs,
  hourMs,
  minuteMs,
  share,
  type Running,
  type World,
} from '../../../support/fake-world.ts';
import { recall, served, shared, toldOf } from '../../../support/recalls.ts';

describe('a recall', () => {
  test('deletes the file, reads its link until it is dead, and reports for how long it was public', async () => {
    const { world, run, fileId } = await shared();
    const { id, publicLink } = world.row('a.txt');
    await world.clock.advance(hourMs);
    for (const file of world.service.stored) file.downloads = 4;
    const [result] = await recall(run, fileId);
    expect(result).toMatchObject({ fileId, path: '/tray/a.txt', error: null });
    expect(result?.recalled).toMatchObject({ fileId, publicLink, downloads: 4, dead: true });
    expect(result?.recalled?.publicSeconds).toBeGreaterThanOrEqual(3600);
    expect(result?.recalled?.publicSeconds).toBeLessThan(3700);
    expect(served(world)).toEqual([]);
    expect(world.ledger.uploads.byId(id)).toMatchObject({ state: { kind: 'recalled', dead: true }, fileId });
    expect(toldOf(world)).toHaveLength(1);
    expect((await run.call('files.page', {})).rows).toEqual([]);
  });

  test('leaves the file on the disk as skipped, and it is not uploaded again by itself', async () => {
    const { world, run, fileId } = await shared();
    await recall(run, fileId);
    expect(world.row('a.txt')).toMatchObject({ state: { kind: 'skipped', rule: 'recalled' }, present: true });
    expect(run.engine.status().counts).toMatchObject({ uploaded: 0, skipped: 1 });
    await run.call('folder.scan', {});
    await world.clock.advance(hourMs);
    expect(world.service.count('upload')).toBe(1);
    expect((await run.call('file.why', { path: '/tray/a.txt' })).sentence).toContain(
      'its link was taken back',
    );
  });

  test.each<[string, (world: World) => void]>([
    ['touched', ({ disk }) => disk.touch('/tray/a.txt')],
    ['renamed', ({ disk }) => disk.rename('/tray/a.txt', '/tray/b.txt')],
    ['copied', ({ disk }) => disk.write('/tray/copy.txt', 'content')],
  ])('applies to the content when the file is %s', async (_, change) => {
    const { world, run, fileId } = await shared();
    await recall(run, fileId);
    await world.clock.advance(minuteMs);
    change(world);
    await world.clock.advance(hourMs);
    expect(world.service.count('upload')).toBe(1);
    for (const row of world.rows().filter(({ present }) => present))
      expect(row.state).toEqual({ kind: 'skipped', rule: 'recalled' });
  });

  test.each<[string, (world: World, run: Running) => unknown]>([
    ['it changes', ({ disk }) => disk.write('/tray/a.txt', 'other content')],
    ['it is confirmed', ({ row }, run) => run.call('queue.confirm', { ids: [row('a.txt').id] })],
    ['it is tried again', ({ row }, run) => run.call('queue.retry', { ids: [row('a.txt').id] })],
    ['it is given by path', (_, run) => run.call('files.upload', { paths: ['/tray/a.txt'] })],
  ])('no longer applies when %s', async (_, ask) => {
    const { world, run, fileId } = await shared();
    await recall(run, fileId);
    await ask(world, run);
    const row = await world.until('a.txt', 'uploaded');
    expect(row.fileId).not.toBe(fileId);
    expect(served(world)).toEqual(['a.txt']);
  });

  test('by path finds the link of a file, of its copy, and of a file that has left the disk', async () => {
    const { world, run } = await shared();
    await world.put('copy.txt', 'content', 'skipped');
    await share(world, 'b.txt', 'another');
    world.disk.remove('/tray/b.txt');
    await world.clock.advance(minuteMs);
    world.disk.write('/else/c.txt', 'a third');
    await run.call('files.upload', { paths: ['/else/c.txt'] });
    await world.until('c.txt', 'uploaded');
    const files = ['/tray/copy.txt', '/tray/b.txt', '/else/c.txt'].map((path) => ({ path }));
    const results = await run.call('files.recall', { files });
    expect(results.map(({ recalled }) => recalled?.dead)).toEqual([true, true, true]);
    expect(served(world)).toEqual([]);
    // A file outside the folder is uploaded again when it is given again.
    await run.call('files.upload', { paths: ['/else/c.txt'] });
    await world.until('c.txt', 'uploaded');
  });

  test('of a file without a link, or of another machine, is refused with an alternative', async () => {
    const { world, run } = await begin();
    const { fileId } = world.service.addForeign('theirs.txt', 'x');
    await world.put('id_rsa', 'secret', 'held');
    const results = await run.call('files.recall', {
      files: [{ fileId }, { path: '/tray/id_rsa' }, { path: '/nowhere' }],
    });
    expect(results.map(({ error }) => error?.code)).toEqual(['not-found', 'not-found', 'not-found']);
    expect(results[0]?.error?.remedy).toContainEqual(call('delete', String(fileId)));
    expect(served(world)).toEqual(['theirs.txt']);
  });

  test('counts a file that the service no longer has as deleted', async () => {
    const { world, run, fileId } = await shared();
    for (const file of world.service.stored) file.deleted = true;
    expect((await recall(run, fileId))[0]?.recalled).toMatchObject({ dead: true });
  });

  test('of a link that still serves the file reports that, and can be repeated', async () => {
    const { world, run, fileId } = await shared();
    world.service.keepsLinks = true;
    expect((await recall(run, fileId))[0]?.recalled).toMatchObject({ dead: false });
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'recalled' });
    expect((await run.call('files.page', {})).rows).toMatchObject([{ fileId, place: 'this-machine' }]);
    world.service.keepsLinks = false;
    const [again] = await run.call('files.recall', { files: [{ path: '/tray/a.txt' }] });
    expect(again?.recalled).toMatchObject({ fileId, dead: true });
    expect(world.rows().filter(({ present }) => present)).toHaveLength(1);
  });

  test('does not take a link that cannot be read for dead', async () => {
    const { world, run, fileId } = await shared();
    world.service.linksBroken = true;
    expect((await recall(run, fileId))[0]?.recalled).toMatchObject({ dead: false });
  });

  test.each([
    [true, 'takes'],
    [false, 'does not take'],
  ])('of a link that once served the file: %s; %s other bytes for its death', async (wasServed) => {
    const { world, run, fileId } = await shared();
    if (wasServed) await run.call('files.verify', { files: [{ fileId }] });
    world.service.api.digestOfLink = () => Promise.resolve(null);
    expect((await recall(run, fileId))[0]?.recalled).toMatchObject({ dead: wasServed });
    expect(served(world)).toEqual([]);
  });

  test('takes a link that is gone for good (410) for dead, and one that the service may yet serve (503) not', async () => {
    const { world, run, fileId } = await shared();
    world.service.api.digestOfLink = () =>
      Promise.reject(new AppError('refused', 'Not now.', '', { status: 503 }));
    expect((await recall(run, fileId))[0]?.recalled).toMatchObject({ dead: false });
    world.service.api.digestOfLink = () =>
      Promise.reject(new AppError('refused', 'Gone.', '', { status: 410 }));
    expect((await recall(run, fileId))[0]?.recalled).toMatchObject({ dead: true });
  });

  test('continues by itself when the person stops waiting for it', async () => {
    const { world, run, fileId } = await shared();
    world.service.keepsLinks = true;
    const stop = new AbortController();
    const reply = answerCall(run.engine.handlers, 'files.recall', { files: [{ fileId }] }, stop.signal);
    await world.clock.advance(1000);
    stop.abort();
    const answered = await world.during(reply);
    expect(answered).toMatchObject({ answer: [{ recalled: null, error: { code: 'aborted' } }] });
    expect(JSON.stringify(answered)).toContain('continues by itself');
    world.service.keepsLinks = false;
    await world.clock.advance(hourMs);
    expect(toldOf(world).map(({ body }) => body)).toMatchObject([{ fileId, dead: true }]);
  });

  test('does not count our own reads of the link as downloads', async () => {
    const { world, run } = await begin();
    world.service.faults.push('answer-lost');
    const { fileId } = await world
      .put('a.txt', 'content', 'uncertain')
      .then(() => world.until('a.txt', 'uploaded'));
    expect(world.service.stored[0]?.downloads).toBe(1);
    for (const file of world.service.stored) file.downloads += 2;
    expect((await recall(run, fileId ?? 0))[0]?.recalled).toMatchObject({ downloads: 2 });
  });

  test('does not subtract reads that the last count does not include', async () => {
    const { world, run, fileId } = await shared();
    for (const file of world.service.stored) file.downloads = 4;
    world.service.keepsLinks = true;
    // The link stays alive and is read three times after the count was reported.
    expect((await recall(run, fileId))[0]?.recalled).toMatchObject({ downloads: 4, dead: false });
    expect(world.service.stored[0]?.downloads).toBe(7);
    for (const file of world.service.stored) file.deleted = false;
    expect((await recall(run, fileId))[0]?.recalled).toMatchObject({ downloads: 4, dead: false });
  });

  test('of a link that is already dead does not extend the time in which it was public', async () => {
    const { world, run, fileId } = await shared();
    await world.clock.advance(hourMs);
    const [first] = await recall(run, fileId);
    await world.clock.advance(dayMs);
    const [again] = await recall(run, fileId);
    expect(again?.recalled).toMatchObject({ dead: true });
    expect(again?.recalled?.publicSeconds).toBe(first?.recalled?.publicSeconds);
  });

  test('withdraws the offer of the dead link from every copy', async () => {
    const { world, run, fileId } = await shared();
    await world.put('copy.txt', 'content', 'skipped');
    world.disk.write('/else/other.txt', 'content');
    await run.call('files.upload', { paths: ['/else/other.txt'] });
    await world.until('other.txt', 'skipped');
    world.service.keepsLinks = true;
    await recall(run, fileId);
    const { sentence } = await run.call('file.why', { path: '/tray/copy.txt' });
    expect(sentence).toContain('its link was taken back');
    // A person asks for the copy.
    await run.call('files.upload', { paths: ['/else/other.txt'] });
    await world.until('other.txt', 'uploaded');
  });
});

describe('a recall that cannot be completed at once', () => {
  test('is recorded, reported as pending, and continued when the service can be reached again', async () => {
    const { world, run, fileId } = await shared();
    world.service.refuse = { code: 'offline' };
    const [result] = await recall(run, fileId);
    expect(result).toMatchObject({ recalled: null, error: { code: 'offline' } });
    expect(result?.error?.remedy).toContain('recorded');
    await world.clock.advance(10 * minuteMs);
    expect(toldOf(world)).toEqual([]);
    world.service.refuse = null;
    await world.clock.advance(hourMs);
    expect(served(world)).toEqual([]);
    expect(toldOf(world).map(({ body }) => body)).toMatchObject([{ fileId, dead: true }]);
  });

  test('is one request, however often it is repeated', async () => {
    const { world, run, fileId } = await shared();
    world.service.refuse = { code: 'offline' };
    for (let time = 0; time < 3; time += 1) await recall(run, fileId);
    world.service.refuse = null;
    await world.clock.advance(hourMs);
    expect(served(world)).toEqual([]);
    expect(toldOf(world)).toHaveLength(1);
  });

  test('is not lost when the engine ends while the link is read', async () => {
    const { world, run, fileId } = await shared();
    world.service.keepsLinks = true;
    const answer = recall(run, fileId).catch(() => null);
    await world.clock.advance(1);
    await run.stop();
    await answer;
    expect(world.row('a.txt').state.kind).toBe('recalling');
    world.service.keepsLinks = false;
    await world.start();
    await world.clock.advance(hourMs);
    expect(toldOf(world).map(({ body }) => body)).toMatchObject([{ fileId, dead: true }]);
  });

  test('does not prevent the upload of a file that a person gives by path meanwhile', async () => {
    const { world, run, fileId } = await shared();
    world.service.refuse = { code: 'offline' };
    await recall(run, fileId);
    await run.call('files.upload', { paths: ['/tray/a.txt'] });
    world.service.refuse = null;
    const row = await world.until('a.txt', 'uploaded', dayMs);
    await world.clock.advance(hourMs);
    expect(row.fileId).not.toBe(fileId);
    expect(served(world)).toEqual(['a.txt']);
    expect(toldOf(world)).toHaveLength(1);
  });

  test('reports how often the file was downloaded until it is completed', async () => {
    const { world, run, fileId } = await shared();
    await run.call('files.refresh', {});
    world.service.refuse = { code: 'offline' };
    await recall(run, fileId);
    for (const file of world.service.stored) file.downloads = 5;
    world.service.refuse = null;
    await world.clock.advance(hourMs);
    expect(toldOf(world).map(({ body }) => body)).toMatchObject([{ downloads: 5, dead: true }]);
  });

  test.each(['request-lost', 'answer-lost'] as const)('continues after a %s', async (fault) => {
    const { world, run, fileId } = await shared();
    world.service.removeFaults.push(fault);
    await recall(run, fileId);
    await world.clock.advance(10 * minuteMs);
    expect(served(world)).toEqual([]);
    expect(toldOf(world)).toHaveLength(1);
  });

  test('is not sent to another service, where the ids belong to other files', async () => {
    const { world, run, fileId } = await shared();
    world.service.refuse = { code: 'offline' };
    await recall(run, fileId);
    world.service.refuse = null;
    await world.settings.set('baseUrl', 'https://other.example/api/v1');
    await world.clock.advance(hourMs);
    expect(world.service.count('remove')).toBe(1);
  });
});

describe('recalls that continue by themselves', () => {
  const two = async () => {
    const { world, run, fileId } = await shared();
    const other = await share(world, 'b.txt', 'another');
    world.service.refuse = { code: 'offline' };
    await recall(run, fileId, other);
    return { world, run };
  };

  test('try an unreachable service once, and not once for each recall', async () => {
    const { world } = await two();
    await world.clock.advance(3 * minuteMs);
    const asked = world.service.requests.filter(({ kind }) => kind === 'info' || kind === 'remove').length;
    await world.clock.advance(hourMs);
    const later = world.service.requests.filter(({ kind }) => kind === 'info' || kind === 'remove').length;
    expect(asked).toBeLessThanOrEqual(3);
    expect(later).toBeLessThanOrEqual(asked + 1);
    world.service.refuse = null;
    await world.clock.advance(6 * hourMs);
    expect(served(world)).toEqual([]);
  });

  test('wait after an unusable answer, while uploads continue', async () => {
    const { world, run, fileId } = await shared();
    const { remove } = world.service.api;
    world.service.api.remove = () =>
      Promise.reject(new AppError('unusable-answer', '200', '', { status: 200 }));
    await recall(run, fileId);
    await world.clock.advance(3 * minuteMs);
    expect(run.engine.status().gate).toEqual({ kind: 'open' });
    expect(world.row('a.txt').state).toMatchObject({ kind: 'recalling' });
    await share(world, 'b.txt', 'another');
    world.service.api.remove = remove;
    await world.clock.advance(hourMs);
    expect(served(world)).toEqual(['b.txt']);
  });

  test.each([1, 3000])(
    'are not lost when the engine ends %i ms after the first deletion',
    async (afterMs) => {
      const { world, run } = await two();
      world.service.refuse = null;
      world.service.keepsLinks = true;
      world.service.latencyMs = 1000;
      await world.clock.runUntil(() => served(world).length < 2, hourMs);
      await world.clock.advance(afterMs);
      await run.stop();
      expect(world.log.lines.filter(({ event }) => event === 'recall failed')).toHaveLength(0);
      world.service.keepsLinks = false;
      await world.start();
      await world.clock.advance(10 * minuteMs);
      expect(served(world)).toEqual([]);
      expect(toldOf(world)).toHaveLength(2);
    },
  );
});

test('a slow recall by a command succeeds beside the engine, and is reported once', async () => {
  const { world, fileId } = await shared();
  const command = world.make('command:1');
  world.service.latencyMs = 40_000;
  const reply = command.call('files.recall', { files: [{ fileId }] });
  expect((await reply)[0]?.recalled).toMatchObject({ dead: true });
  world.service.latencyMs = 20;
  await world.clock.advance(10 * minuteMs);
  expect(served(world)).toEqual([]);
  expect(toldOf(world)).toHaveLength(1);
});

describe('a recall of a process that is killed', () => {
  test.each(Array.from({ length: 40 }, (_, at) => at + 1))(
    'at commit %i is completed by the next start, and reported once',
    async (commits) => {
      const { world, run, fileId } = await shared();
      run.life.killAt(commits, commits % 2 === 0 ? 'before' : 'after');
      const call = run.client.call('files.recall', { files: [{ fileId }] }).catch(() => null);
      await Promise.race([call, world.clock.advance(20_000)]);
      await world.clock.advance(20_000);
      run.life.kill();
      const isAsked = world.row('a.txt').state.kind !== 'uploaded';
      await world.start();
      await world.clock.advance(10 * minuteMs);
      expect(toldOf(world)).toHaveLength(isAsked ? 1 : 0);
      expect(served(world)).toEqual(isAsked ? [] : ['a.txt']);
      expect(world.service.count('upload')).toBe(1);
      expect(
        world
          .rows()
          .filter(({ present }) => present)
          .map(({ state }) => state),
      ).toEqual([isAsked ? { kind: 'skipped', rule: 'recalled' } : { kind: 'uploaded' }]);
    },
  );

  test('beside the engine is completed by the engine', async () => {
    const { world, fileId } = await shared();
    const guest = world.make('guest:1');
    world.service.latencyMs = 5000;
    const call = guest.client.call('files.recall', { files: [{ fileId }] }).catch(() => null);
    await Promise.race([call, world.clock.advance(2000)]);
    guest.life.kill();
    world.service.latencyMs = 20;
    await world.clock.advance(5 * minuteMs);
    expect(served(world)).toEqual([]);
    expect(toldOf(world)).toHaveLength(1);
  });
});

test('a file that replaces one whose link was taken back is offered its own existing link', async () => {
  const { world, run, fileId } = await shared();
  await share(world, 'other.txt', 'other content');
  await recall(run, fileId);
  world.disk.rename('/tray/other.txt', '/tray/a.txt');
  await run.call('files.upload', { paths: ['/tray/a.txt'] });
  await world.clock.advance(hourMs);
  expect(world.service.count('upload')).toBe(2);
});

test('a version under way is not sent when its content is taken back meanwhile', async () => {
  const { world, run, fileId } = await shared();
  await run.call('queue.pause', { untilMs: null });
  world.disk.write('/tray/b.txt', 'CONTENT');
  await world.until('b.txt', 'ready');
  await recall(run, fileId);
  world.disk.write('/tray/b.txt', 'content');
  await run.call('queue.resume', {});
  await world.clock.advance(hourMs);
  expect(served(world)).toEqual([]);
});

test('deleting our own file that the service does not have reports that, and is a recall', async () => {
  const { world, run, fileId } = await shared();
  for (const file of world.service.stored) file.deleted = true;
  expect(await run.call('files.delete', { fileIds: [fileId] })).toMatchObject([
    { fileId, deleted: true, error: { code: 'not-found' }, linkState: 'dead', goesOn: false },
  ]);
  expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'recalled' });
});

test('deleting our own file reports that it continues when it has to wait', async () => {
  const { world, run, fileId } = await shared();
  world.service.refuse = { code: 'offline' };
  const [result] = await run.call('files.delete', { fileIds: [fileId] });
  expect(result).toMatchObject({ deleted: false, goesOn: true, error: { code: 'offline' } });
  world.service.refuse = null;
  await world.clock.advance(hourMs);
  expect(served(world)).toEqual([]);
});

test('deleting our own file is a recall', async () => {
  const { world, run, fileId } = await shared();
  expect(await run.call('files.delete', { fileIds: [fileId] })).toEqual([
    { fileId, deleted: true, message: 'File deleted', error: null, linkState: 'dead', goesOn: false },
  ]);
  expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'recalled' });
  expect(world.service.count('info')).toBe(1);
});

test.each([2, 3, 4])(
  'several recalls at %i requests a minute are done, one after the other',
  async (perMinute) => {
    const { world, run } = await begin();
    const fileIds: FileId[] = [];
    for (const name of ['a', 'b', 'c']) fileIds.push(await share(world, name));
    await run.call('settings.set', { name: 'requestsPerMinute', value: perMinute });
    await run.call('files.recall', { files: fileIds.map((fileId) => ({ fileId })) });
    await world.clock.advance(6 * hourMs);
    expect(world.service.namesOf()).toEqual([]);
    // Nothing else is kept waiting either.
    await share(world, 'd');
  },
);

test('a DELETE waits for the gate, too, that is closed while its file is seen again', async () => {
  const { world, run, fileId } = await shared();
  const { service, clock } = world;
  const otherId = await share(world, 'b.txt', 'another');
  await run.call('settings.set', { name: 'requestsPerMinute', value: 4 });
  const files = [{ fileId }, { fileId: otherId }];
  await run.call('files.expire', { files, expire: { afterMs: minuteMs } });
  const { info } = service.api;
  let seen = 0;
  service.api.info = async (...asked) => {
    seen += 1;
    const file = await info(...asked);
    if (seen < 2) return file;
    // Another request meets another address meanwhile.
    service.api.info = info;
    service.refuse = { code: 'moved', status: 302 };
    world.disk.write('/tray/c.txt', 'a third');
    await clock.runUntil(() => run.engine.status().gate.kind === 'closed');
    service.refuse = null;
    return file;
  };
  await clock.advance(10 * minuteMs);
  expect(service.count('remove')).toBe(0);
  await clock.advance(hourMs);
  expect(served(world)).toEqual(['c.txt']);
});
