// Commands about files that have links: when lists are sparse, links stay alive, or the service is another one.
import { describe, expect, test } from 'vitest';
import type { RemotePage } from '../../../../src-main/contract/model.ts';
import { isDeep } from '../../../support/deep.ts';
import { begin, dayMs, hourMs, minuteMs, share, type World } from '../../../support/fake-world.ts';

const told = (world: World, kind: string): unknown[] =>
  world.ledger.entries.after(0, 1000).filter(({ body }) => body.kind === kind);

describe('a list', () => {
  test('whose entries have no ids is shown unchanged', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt');
    world.service.without = ['file_id'];
    expect((await run.call('files.list', {})).files).toEqual([
      expect.objectContaining({ filename: 'a.txt', expiresAtMs: null }),
    ]);
  });

  test('that lacks a link of this machine reports it as lost, but not a link that was taken back', async () => {
    const { world, run } = await begin();
    const [kept, back] = [await share(world, 'kept.txt'), await share(world, 'back.txt')];
    world.service.keepsLinks = true;
    await run.call('files.recall', { files: [{ fileId: back }] });
    for (const file of world.service.stored) file.deleted = true;
    await world.clock.advance(hourMs);
    await run.call('files.refresh', {});
    await world.clock.advance(minuteMs);
    expect(told(world, 'lost')).toMatchObject([{ body: { fileId: kept } }]);
  });

  test.each(['files.refresh', 'files.list'] as const)(
    'with an entry without an id proves no link of this machine lost (%s)',
    async (command) => {
      const { world, run } = await begin();
      await share(world, 'a.txt');
      await share(world, 'b.txt');
      await world.clock.advance(hourMs);
      world.service.withoutIdOf = ['a.txt'];
      await run.call(command, {});
      expect(told(world, 'lost')).toEqual([]);
      expect((await run.call('files.page', {})).asOfMs).not.toBeNull();
    },
  );
});

describe('a list that is read page by page', () => {
  const twoPages = async () => {
    const { world, run } = await begin();
    world.service.pageSize = 1;
    world.service.addForeign('a.txt', 'a');
    world.service.addForeign('b.txt', 'b');
    const page = (number?: number, limit?: number) =>
      run.call('files.list', {
        ...(number === undefined ? {} : { page: number }),
        ...(limit === undefined ? {} : { limit }),
      });
    const asOf = async () => {
      const { asOfMs } = await run.call('files.page', {});
      expect((await run.call('report.review', {})).asOfMs).toBe(asOfMs);
      const [own] = world.rows();
      if (typeof own?.sha256 === 'string')
        expect((await run.call('report.copies', { uploadId: own.id })).asOfMs).toBe(asOfMs);
      if (asOfMs !== null) expect((await run.call('stats.get', {})).asOfMs).toBe(asOfMs);
      return asOfMs;
    };
    return { world, run, page, asOf };
  };

  test('counts as read once its last page is read, and then reports lost links', async () => {
    const { world, run, page, asOf } = await twoPages();
    const fileId = await share(world, 'mine.txt');
    const mine = world.service.stored.find((file) => file.fileId === fileId);
    if (mine !== undefined) mine.deleted = true;
    await world.clock.advance(hourMs);
    await page();
    expect(await asOf()).toBeNull();
    expect(told(world, 'lost')).toEqual([]);
    await page(2);
    expect(await asOf()).toBe(world.clock.wallMs());
    await world.clock.advance(minuteMs);
    expect(told(world, 'lost')).toMatchObject([{ body: { fileId } }]);
    expect((await run.call('stats.get', {})).readings).toHaveLength(1);
  });

  test.each<[string, (service: World['service']) => unknown]>([
    ['tell no ids', (service) => (service.without = ['file_id'])],
    ['tell no links', (service) => (service.without = ['public_link'])],
    ['tell no dates', (service) => (service.without = ['upload_date'])],
    ['tell one id too few', (service) => (service.withoutIdOf = ['a.txt'])],
    ['are fewer than a page may have', (service) => (service.pageSize = 50)],
    ['are none', (service) => service.stored.splice(0)],
  ])('counts as read when its entries %s', async (_, change) => {
    const { world, page, asOf } = await twoPages();
    change(world.service);
    const { pagination } = await page(1);
    for (let next = 2; next <= pagination.pages; next += 1) await page(next);
    expect(await asOf()).toBe(world.clock.wallMs());
  });

  test.each<[string, (number | [number, number])[]]>([
    ['ended early', [1]],
    ['began late', [2]],
    ['lacks its beginning', [2, 2]],
    ['was read backwards', [2, 1]],
    ['has pages of two sizes', [1, [2, 1]]],
  ])('does not count as read when it %s', async (_, pages) => {
    const { page, asOf } = await twoPages();
    for (const one of pages) await (Array.isArray(one) ? page(...one) : page(one));
    expect(await asOf()).toBeNull();
  });

  test('does not count as read when it shifts meanwhile, or lacks an entry', async () => {
    const { world, page, asOf } = await twoPages();
    await page(1);
    world.service.addForeign('c.txt', 'c');
    await page(2).catch(() => undefined);
    await page(3);
    expect(await asOf()).toBeNull();
    const { list } = world.service.api;
    world.service.api.list = async (query, stop) => {
      const answer = await list(query, stop);
      return query.page === 3 ? { ...answer, files: [] } : answer;
    };
    for (const number of [1, 2, 3]) await page(number);
    expect(await asOf()).toBeNull();
  });

  test.each<[string, string, (query: { page?: number }, page: RemotePage) => RemotePage]>([
    [
      'repeats its entries',
      'Page 2 of the list repeats earlier pages.',
      ({ page = 1 }, { pagination }) => ({
        files: [{ file_id: 7 }],
        pagination: { ...pagination, page, pages: 9 },
      }),
    ],
    [
      'has an empty page before its last',
      'Page 2 of 9 of the list is empty.',
      ({ page = 1 }, { files, pagination }) => ({
        files: page === 1 ? files : [],
        pagination: { ...pagination, page, pages: 9 },
      }),
    ],
    [
      'counts its pages backwards',
      'The service answered page 1 instead of 2.',
      (_, { files, pagination }) => ({ files, pagination: { ...pagination, page: 1, pages: 9 } }),
    ],
  ])('that %s ends there with a message', async (_, message, change) => {
    const { world, page, asOf } = await twoPages();
    const { list } = world.service.api;
    world.service.api.list = async (query, stop) => change(query, await list(query, stop));
    await page(1);
    await expect(page(2)).rejects.toMatchObject({ code: 'unusable-answer', message });
    expect(await asOf()).toBeNull();
  });

  test('continues after a page that failed', async () => {
    const { world, page, asOf } = await twoPages();
    await page(1);
    world.service.refuseLists = { code: 'interrupted' };
    await expect(page(2)).rejects.toMatchObject({ code: 'interrupted' });
    expect(await asOf()).toBeNull();
    world.service.refuseLists = null;
    await page(2);
    expect(await asOf()).not.toBeNull();
  });

  test('is no longer read once the key is removed or is of another account', async () => {
    const { world, run, page, asOf } = await twoPages();
    for (const change of [
      () => run.call('account.logout', {}),
      () => {
        world.service.account = () => 'another';
        return run.call('account.decide', { is: 'another' });
      },
    ]) {
      await page(1);
      await page(2);
      expect(await asOf()).not.toBeNull();
      await change();
      expect(await asOf()).toBeNull();
      await run.call('account.login', { key: 'k-9' });
    }
  });

  test('keeps the time of the last complete reading when a refresh ends early', async () => {
    const { world, run, page, asOf } = await twoPages();
    await page(1);
    await page(2);
    const readMs = await asOf();
    const { list } = world.service.api;
    world.service.api.list = async (query, stop) => {
      const answer = await list(query, stop);
      return { ...answer, pagination: { ...answer.pagination, total: 3 } };
    };
    await world.clock.advance(hourMs);
    await run.call('files.refresh', {});
    expect(await asOf()).toBe(readMs);
  });
});

test('deleting our own file reports that it is deleted, and that its link is still alive', async () => {
  const { world, run } = await begin();
  const fileId = await share(world, 'a.txt');
  world.service.keepsLinks = true;
  expect(await run.call('files.delete', { fileIds: [fileId] })).toMatchObject([
    { fileId, deleted: true, linkState: 'answers', error: null },
  ]);
});

describe('at another address', () => {
  test('a link is taken back once the service has proved to have our files', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    await run.call('settings.set', { name: 'baseUrl', value: 'https://other.example/api/v1' });
    const [result] = await run.call('files.recall', { files: [{ fileId }] });
    expect(result?.recalled).toMatchObject({ fileId, dead: true });
  });

  test('nothing is taken back from a service that has none of our files', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    await run.call('settings.set', { name: 'baseUrl', value: 'https://other.example/api/v1' });
    for (const file of world.service.stored) file.fileId += 1000;
    expect(await run.call('files.recall', { files: [{ fileId }] })).toMatchObject([
      { recalled: null, error: { code: 'unknown-key' } },
    ]);
    await world.clock.advance(isDeep ? dayMs : hourMs);
    expect(world.service.count('remove')).toBe(0);
    // It is wanted, and done once the key is there again.
    await run.call('settings.set', { name: 'baseUrl', value: 'https://files.example/api/v1' });
    for (const file of world.service.stored) file.fileId -= 1000;
    await world.clock.advance(dayMs);
    expect(world.service.namesOf()).toEqual([]);
  });
});

test('an end requested with an upload applies to the next link, while the last one is being taken back', async () => {
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

test('a zip requested by an agent contains no file behind a link', async () => {
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
