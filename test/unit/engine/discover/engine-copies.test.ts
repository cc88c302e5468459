// Content that is shared already: its link is offered, and another link is made only on request.
import { describe, expect, test } from 'vitest';
import { begin, minuteMs, share, type World } from '../../../support/fake-world.ts';

/** A shared file, and a copy of it that is offered its link. */
const copied = async () => {
  const { world, run } = await begin();
  const first = await world.put('a.txt', 'content', 'uploaded');
  const copy = await world.put('copy.txt', 'content', 'skipped');
  return { world, run, first, copy };
};

const texts = (world: World): string[] => world.service.stored.map((file) => file.bytes.toString());

describe('a copy of a shared file', () => {
  test('under another name is offered the existing link; uploading it again is a choice', async () => {
    const { world, run, first, copy } = await copied();
    expect(copy).toMatchObject({ state: { rule: 'already-shared' }, sameAsId: first.id });
    await world.clock.advance(200);
    const told = run.entries().find((entry) => entry.body.kind === 'skipped');
    expect(told?.body).toMatchObject({ publicLink: first.publicLink });
    expect(world.service.count('upload')).toBe(1);
    await run.call('queue.confirm', { ids: [copy.id] });
    await world.until('copy.txt', 'uploaded');
  });

  test('is uploaded again when the service has lost the file', async () => {
    const { world, run } = await begin();
    await world.put('a.txt', 'content', 'uploaded');
    for (const file of world.service.stored) file.deleted = true;
    await world.clock.advance(20 * minuteMs);
    await run.call('files.refresh', {});
    await share(world, 'copy.txt', 'content');
  });

  test('that was offered a link is uploaded when it is given by path after that link was deleted', async () => {
    const { world, run, first } = await copied();
    await run.call('files.delete', { fileIds: [first.fileId ?? 0] });
    await run.call('files.upload', { paths: ['/tray/copy.txt'] });
    await world.until('copy.txt', 'uploaded');
  });

  test('is compared again when it changes while it is read', async () => {
    const { world } = await begin();
    await share(world, 'a.txt', 'content');
    const { open } = world.disk.files;
    world.disk.files.open = async (path, root) => {
      world.disk.files.open = open;
      world.disk.write('/tray/copy.txt', 'CONTENT');
      return await open(path, root);
    };
    await share(world, 'copy.txt', 'content');
    expect(texts(world)).toEqual(['content', 'CONTENT']);
  });

  test('of a file that is locked during the comparison waits for that file', async () => {
    const { world } = await begin();
    await share(world, 'a.txt', 'content');
    world.disk.write('/tray/copy.txt', 'CONTENT');
    world.disk.lock('/tray/copy.txt', true);
    await world.clock.advance(minuteMs);
    expect(world.service.stored).toHaveLength(1);
    world.disk.lock('/tray/copy.txt', false);
    await world.until('copy.txt', 'uploaded', 11 * minuteMs);
  });

  test('under a held name is offered the link when it is confirmed, and uploaded only when confirmed again', async () => {
    const { world, run } = await begin();
    const first = await world.put('a.txt', 'content', 'uploaded');
    const copy = await world.put('id_rsa', 'content', 'held');
    await run.call('queue.confirm', { ids: [copy.id] });
    const offered = await world.until('id_rsa', 'skipped');
    expect(offered).toMatchObject({ state: { rule: 'already-shared' }, sameAsId: first.id });
    expect(world.service.count('upload')).toBe(1);
    await run.call('queue.confirm', { ids: [copy.id] });
    await world.until('id_rsa', 'uploaded');
  });

  test('that is confirmed while the file is being uploaded is not uploaded', async () => {
    const { world, run } = await begin();
    const { upload } = world.service.api;
    world.service.api.upload = async (request) => {
      await new Promise<void>((next) => world.clock.after(20_000, next));
      return await upload(request);
    };
    await world.put('a.txt', 'content', 'sending');
    const held = await world.put('id_rsa', 'content', 'held');
    await run.call('queue.confirm', { ids: [held.id] });
    await world.until('id_rsa', 'skipped');
    expect(texts(world)).toEqual(['content']);
  });

  test('that is confirmed and sent together with the file is uploaded once', async () => {
    const { world, run } = await begin();
    const { upload } = world.service.api;
    world.service.api.upload = async (request) => {
      if (request.sentName === 'id_rsa') await new Promise<void>((next) => world.clock.after(1000, next));
      return await upload(request);
    };
    const held = await world.put('id_rsa', 'content', 'held');
    await run.call('queue.confirm', { ids: [held.id] });
    world.disk.write('/tray/a.txt', 'content');
    await world.until('id_rsa', 'skipped');
    expect(world.service.namesOf()).toEqual(['a.txt']);
  });

  test.each(['queue.confirm', 'queue.retry'] as const)(
    'that somebody wants a separate link for (%s) gets it',
    async (name) => {
      const { world, run, copy } = await copied();
      await run.call(name, { ids: [copy.id] });
      await world.until('copy.txt', 'uploaded');
      expect(texts(world)).toEqual(['content', 'content']);
    },
  );

  test('given by path again is offered the link, and gets another one on request', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'content');
    world.disk.write('/elsewhere/copy.txt', 'content');
    await run.call('files.upload', { paths: ['/elsewhere/copy.txt'] });
    await world.until('copy.txt', 'skipped');
    expect(texts(world)).toEqual(['content']);
    await run.call('files.upload', { paths: ['/elsewhere/copy.txt'], again: true });
    await world.until('copy.txt', 'uploaded');
    expect(texts(world)).toEqual(['content', 'content']);
  });

  test('gets its own link on request although the first file has moved', async () => {
    const { world, run } = await begin();
    world.disk.write('/elsewhere/a.txt', 'content');
    await run.call('files.upload', { paths: ['/elsewhere/a.txt'] });
    const first = await world.until('a.txt', 'uploaded');
    world.disk.rename('/elsewhere/a.txt', '/elsewhere/b.txt');
    await run.call('files.upload', { paths: ['/elsewhere/b.txt'], again: true });
    const second = await world.until('b.txt', 'uploaded');
    expect(second.fileId).not.toBe(first.fileId);
  });
});

describe('a request for a separate link of shared content is forgotten', () => {
  /** The copy waits for another link, and the queue is paused. */
  const wanted = async () => {
    const { world, run } = await begin();
    world.disk.write('/tray/a.txt', 'content');
    await share(world, 'b.txt', 'CONTENT');
    await world.until('a.txt', 'uploaded');
    const copy = await world.put('copy.txt', 'content', 'skipped');
    await run.call('queue.pause', { untilMs: null });
    await run.call('queue.confirm', { ids: [copy.id] });
    await world.until('copy.txt', 'ready');
    return { world, run, id: copy.id };
  };

  test.each(['queue.cancel', 'queue.skip'] as const)('when the file is confirmed after %s', async (name) => {
    const { world, run, id } = await wanted();
    await run.call(name, { ids: [id] });
    await run.call('queue.resume', {});
    await run.call('queue.confirm', { ids: [id] });
    await world.clock.advance(minuteMs);
    expect(world.row('copy.txt').state).toEqual({ kind: 'skipped', rule: 'already-shared' });
    expect(world.service.stored).toHaveLength(2);
  });

  test('when the upload is cancelled', async () => {
    const { world, run, id } = await wanted();
    await run.call('queue.resume', {});
    await world.until('copy.txt', 'sending');
    await run.call('queue.cancel', { ids: [id] });
    await world.until('copy.txt', 'skipped');
    await run.call('queue.confirm', { ids: [id] });
    await world.clock.advance(minuteMs);
    expect(world.row('copy.txt').state).toEqual({ kind: 'skipped', rule: 'already-shared' });
    expect(world.service.stored).toHaveLength(2);
  });

  test('when the content changes', async () => {
    const { world, run } = await wanted();
    world.disk.write('/tray/copy.txt', 'CONTENT');
    await world.clock.advance(minuteMs);
    await run.call('queue.resume', {});
    await world.clock.advance(minuteMs);
    expect(world.row('copy.txt').state).toEqual({ kind: 'skipped', rule: 'already-shared' });
    expect(world.service.stored).toHaveLength(2);
  });

  test('when another file with the same time and size takes its place', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'content');
    world.disk.write('/tray/copy.txt', 'content');
    await share(world, 'new.txt', 'CONTENT');
    const copy = await world.until('copy.txt', 'skipped');
    await run.call('queue.pause', { untilMs: null });
    await run.call('queue.confirm', { ids: [copy.id] });
    await world.until('copy.txt', 'ready');
    world.disk.rename('/tray/new.txt', '/tray/copy.txt');
    await world.clock.advance(minuteMs);
    await run.call('queue.resume', {});
    await world.clock.advance(minuteMs);
    expect(world.service.stored).toHaveLength(2);
  });

  test('when the file does not exist at the time of the request', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'content');
    await run.call('files.upload', { paths: ['/elsewhere/copy.txt'], again: true });
    world.disk.write('/elsewhere/copy.txt', 'content');
    await run.call('files.upload', { paths: ['/elsewhere/copy.txt'] });
    await world.until('copy.txt', 'skipped');
    expect(world.service.stored).toHaveLength(1);
  });
});
