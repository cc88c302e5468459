// What a path means when several uploads had it: a file was renamed over another one, or its folder was removed.
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { describe, expect, test } from 'vitest';
import type { WireError } from '../../../../src-main/contract/errors.ts';
import { begin, hourMs, minuteMs, share, type Running, type World } from '../../../support/fake-world.ts';
import { several } from '../../../support/several-folders.ts';

const path = '/b/over.txt';

/** `first` was renamed over `over`. Then the folder was removed. */
const renamedOver = async (isThere: boolean) => {
  const { world, run } = await several();
  const put = async (name: string): Promise<FileId> => {
    world.disk.write(`/b/${name}`, `the content of ${name}`);
    return (await world.until(name, 'uploaded')).fileId ?? 0;
  };
  const first = await put('first.txt');
  const over = await put('over.txt');
  world.disk.rename('/b/first.txt', path);
  await world.clock.advance(minuteMs);
  await run.call('folders.remove', { folder: '/b' });
  if (!isThere) world.disk.remove(path);
  await world.clock.advance(minuteMs);
  return { world, run, first, over };
};

type Result = { fileId: FileId | null; error: WireError | null };
const acts: Record<string, (run: Running, of: string) => Promise<Result[]>> = {
  recall: (run, of) => run.call('files.recall', { files: [{ path: of }] }),
  expire: (run, of) => run.call('files.expire', { files: [{ path: of }], expire: { afterMs: hourMs } }),
  card: (run, of) => run.call('files.card', { files: [{ path: of }] }),
  verify: (run, of) => run.call('files.verify', { files: [{ path: of }] }),
  follow: async (run, of) => (await run.call('files.follow', { files: [{ path: of }] })).results,
  unfollow: async (run, of) => (await run.call('files.unfollow', { files: [{ path: of }] })).results,
};
const ended = (world: World): unknown[] =>
  world.ledger.entries
    .after(0, 1000)
    .filter(({ body }) => ['recalled', 'expiry-set', 'follow-set'].includes(body.kind));

describe.each(Object.entries(acts))('%s of a path with two earlier uploads', (name, act) => {
  test('applies to the file that exists there', async () => {
    const { world, run, first } = await renamedOver(true);
    expect(await act(run, path)).toMatchObject([{ fileId: first, error: null }]);
    expect(world.service.namesOf()).toEqual(name === 'recall' ? ['over.txt'] : ['first.txt', 'over.txt']);
  });

  test('does nothing if no file exists there, and names both', async () => {
    const { world, run, first, over } = await renamedOver(false);
    const refused = act(run, path);
    await expect(refused).rejects.toMatchObject({
      code: 'ambiguous',
      remedy: expect.stringContaining('id') as string,
    });
    for (const id of [first, over]) await expect(refused).rejects.toThrow(String(id));
    expect(world.service.namesOf()).toEqual(['first.txt', 'over.txt']);
    expect(ended(world)).toEqual([]);
  });
});

describe('why', () => {
  test('explains the file that exists there, even if its folder was removed', async () => {
    const { world, run, first } = await renamedOver(true);
    const { publicLink } = world.ledger.uploads.byFileId(first) ?? {};
    expect((await run.call('file.why', { path })).sentence).toContain(publicLink);
  });

  test('names both uploads if no file exists there', async () => {
    const { world, run, first, over } = await renamedOver(false);
    const { sentence, upload } = await run.call('file.why', { path });
    for (const id of [first, over]) expect(sentence).toContain(world.ledger.uploads.byFileId(id)?.publicLink);
    expect(upload).toBeNull();
  });
});

test('the earlier content of a path is not guessed if two uploads had it', async () => {
  const { run, first, over } = await renamedOver(false);
  const refused = run.call('report.copies', { path });
  await expect(refused).rejects.toMatchObject({ code: 'ambiguous' });
  for (const id of [first, over]) await expect(refused).rejects.toThrow(String(id));
});

describe('a path at which one link counts needs no file', () => {
  const recall = async (run: Running, of: string) =>
    (await run.call('files.recall', { files: [{ path: of }] }))[0];

  test('if it is the last of several versions', async () => {
    const { world, run } = await begin();
    for (const content of ['one', 'the second', 'the third one']) {
      await share(world, 'a.txt', content);
      await world.clock.advance(hourMs);
    }
    const { fileId } = world.row('a.txt');
    world.disk.remove('/tray/a.txt');
    await world.clock.advance(minuteMs);
    expect(await recall(run, '/tray/a.txt')).toMatchObject({ fileId, error: null });
    expect(world.service.stored.filter(({ deleted }) => deleted)).toHaveLength(1);
    // A dead link is not ambiguous: it is the same one again.
    expect(await recall(run, '/tray/a.txt')).toMatchObject({ fileId, error: null });
    expect(world.service.stored.filter(({ deleted }) => deleted)).toHaveLength(1);
  });

  test('if it is the newer of two, and the older link was taken back', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'one');
    await recall(run, '/tray/a.txt');
    await share(world, 'a.txt', 'the second');
    const { fileId } = world.row('a.txt');
    world.disk.remove('/tray/a.txt');
    await world.clock.advance(minuteMs);
    expect(await recall(run, '/tray/a.txt')).toMatchObject({ fileId, error: null });
  });
});

test('a file that was sent twice on request is recalled by its current link', async () => {
  const { world, run } = await begin();
  const old = await share(world, 'a.txt', 'content');
  await run.call('files.upload', { paths: ['/tray/a.txt'], again: true });
  const { fileId } = await world.until('a.txt', 'uploaded');
  expect(fileId).not.toBe(old);
  expect(await run.call('files.recall', { files: [{ path: '/tray/a.txt' }] })).toMatchObject([{ fileId }]);
});

test('a copy that replaces another upload stands for the link that it shares', async () => {
  const { world, run } = await begin();
  const old = await share(world, 'a.txt', 'content');
  const other = await share(world, 'b.txt', 'another content');
  await world.put('a.txt', 'another content', 'skipped');
  expect(await run.call('files.recall', { files: [{ path: '/tray/a.txt' }] })).toMatchObject([
    { fileId: other },
  ]);
  expect(world.ledger.uploads.byFileId(old)?.state.kind).toBe('uploaded');
});
