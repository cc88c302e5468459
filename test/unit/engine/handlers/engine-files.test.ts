// What a person asks of files that have links: where lists tell little, links live on, or the service is another one.
import { describe, expect, test } from 'vitest';
import { begin, dayMs, hourMs, share, type World } from '../../../support/fake-world.ts';

const told = (world: World, kind: string): unknown[] =>
  world.ledger.entries.after(0, 1000).filter(({ body }) => body.kind === kind);

describe('a list', () => {
  test('whose entries have no ids is shown as it is', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt');
    world.service.without = ['file_id'];
    expect((await run.call('files.list', {})).files).toEqual([
      expect.objectContaining({ filename: 'a.txt', expiresAtMs: null }),
    ]);
  });

  test('that lacks a link of this machine tells it as lost; one that was taken back is no loss', async () => {
    const { world, run } = await begin();
    const [kept, back] = [await share(world, 'kept.txt'), await share(world, 'back.txt')];
    world.service.keepsLinks = true;
    await run.call('files.recall', { files: [{ fileId: back }] });
    for (const file of world.service.stored) file.deleted = true;
    await world.clock.advance(hourMs);
    await run.call('files.refresh', {});
    expect(told(world, 'lost')).toMatchObject([{ body: { fileId: kept } }]);
  });
});

test('a deletion of our own file says that it is deleted, and that its link lives on', async () => {
  const { world, run } = await begin();
  const fileId = await share(world, 'a.txt');
  world.service.keepsLinks = true;
  expect(await run.call('files.delete', { fileIds: [fileId] })).toMatchObject([
    { fileId, deleted: true, dead: false, error: null },
  ]);
});

describe('at another address', () => {
  test('a link is taken back once the service has shown that it has our files', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    await run.call('settings.set', { name: 'baseUrl', value: 'https://other.example/api/v1' });
    const [result] = await run.call('files.recall', { files: [{ fileId }] });
    expect(result?.recalled).toMatchObject({ fileId, dead: true });
  });

  test('nothing is taken back of a service that has none of our files', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    await run.call('settings.set', { name: 'baseUrl', value: 'https://other.example/api/v1' });
    for (const file of world.service.stored) file.fileId += 1000;
    await expect(run.call('files.recall', { files: [{ fileId }] })).rejects.toMatchObject({
      code: expect.any(String) as string,
    });
    expect(world.service.count('remove')).toBe(0);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
  });
});

test('an end that is wished for with an upload is that of the next link, where the last one is being taken back', async () => {
  const { world, run } = await begin();
  world.disk.write('/else/a.txt', 'content');
  await run.call('files.upload', { paths: ['/else/a.txt'] });
  const first = await world.until('a.txt', 'uploaded');
  world.service.refuse = { code: 'offline' };
  await run.call('files.recall', { files: [{ fileId: first.fileId ?? 0 }] });
  await run.call('files.upload', { paths: ['/else/a.txt'], expire: { afterMs: dayMs } });
  world.service.refuse = null;
  await world.clock.advance(2 * hourMs);
  const live = world.rows().filter(({ state }) => state.kind === 'uploaded');
  expect(live.map(({ ends, uploadedAtMs }) => (ends?.atMs ?? 0) - (uploadedAtMs ?? 0))).toEqual([dayMs]);
});

test('a zip that an agent asks for holds no file that only a link leads to', async () => {
  const { world, run } = await begin();
  world.disk.write('/home/key.txt', 'private');
  world.disk.make('/else', 'folder');
  world.disk.swap('/else', '/home');
  const agent = { roots: ['/else'], mayReopen: [] };
  await expect(run.call('files.bundle', { paths: ['/else/key.txt'], agent })).rejects.toMatchObject({
    code: 'outside',
  });
  const byHand = await run.call('files.bundle', { paths: ['/else/key.txt'] });
  expect(byHand.files).toBe(1);
});
