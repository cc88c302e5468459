// Commands to a whole engine through the client: account, files, resolving.
import { typedText } from '../../../../src-main/cli/output/typed.ts';
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { begin, minuteMs, type Running, share, type World } from '../../../support/fake-world.ts';

describe('account', () => {
  test('shows address, key state and plan, never the key', async () => {
    const { world, run } = await begin();
    expect(await run.call('account.get', {})).toEqual({
      baseUrl: 'https://files.example/api/v1',
      key: { kind: 'stored', lastFour: '1234' },
      isUnknown: false,
      plan: null,
      planAsOfMs: null,
      files: null,
      maxFileBytes: null,
    });
    const view = await run.call('account.login', { key: 'another-key-5678' });
    expect(view).toMatchObject({ key: { lastFour: '5678' }, plan: 'Pro' });
    expect(view.planAsOfMs).toBeGreaterThan(0);
    expect(view.files).toBe(world.service.stats.stats.total_files);
    expect(world.service.count('stats')).toBe(1);
  });

  test('checks a key before it is stored', async () => {
    const { world, run } = await begin();
    world.service.refuse = { code: 'key-refused', status: 401 };
    await expect(run.call('account.login', { key: 'wrong' })).rejects.toMatchObject({ code: 'key-refused' });
    world.service.refuse = { code: 'limit', status: 403 };
    await expect(run.call('account.login', { key: 'no-plan' })).rejects.toMatchObject({ code: 'plan' });
    expect(world.keys.stored).toBe('key-1234');
  });

  test('forgets what it learned of another service, and accepts only a clean address', async () => {
    const { world, run } = await begin();
    await share(world, 'large.bin', 'x'.repeat(5000));
    expect(world.ledger.facts.get('size-unit')?.value).toBe(1);
    await run.call('account.login', { key: 'k', baseUrl: 'https://other.example/v2/' });
    expect(world.settings.current().baseUrl).toBe('https://other.example/v2');
    expect(world.ledger.facts.get('size-unit')).toBeNull();
    const login = run.call('account.login', { key: 'k', baseUrl: 'http://other.example' });
    await expect(login).rejects.toMatchObject({ code: 'bad-use' });
  });

  test('needs an address', async () => {
    const { run } = await begin({ settings: { baseUrl: null } });
    await expect(run.call('account.login', { key: 'k' })).rejects.toMatchObject({ code: 'not-configured' });
  });

  test('is forgotten with the key', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt');
    expect(await run.call('account.logout', {})).toMatchObject({ key: { kind: 'absent' }, plan: null });
  });

  test('a request by a person fails instead of waiting for the next day', async () => {
    const { world, run } = await begin({ settings: { requestsPerDay: 1 } });
    await run.call('stats.get', { refresh: true });
    await expect(run.call('stats.get', { refresh: true })).rejects.toMatchObject({
      code: 'budget',
      message: 'The request budget is used up; the next request is possible in 25 h.',
    });
    await world.clock.advance(23 * 3_600_000);
    await expect(run.call('stats.get', { refresh: true })).rejects.toThrow('min');
    expect(world.service.count('stats')).toBe(1);
  });
});

describe('files', () => {
  test('are listed from the ledger, merged with what the account has elsewhere', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'mine.txt');
    world.service.addForeign('theirs.txt', 'theirs');
    expect((await run.call('files.page', {})).asOfMs).toBeNull();
    expect(await run.call('files.refresh', {})).toEqual({ requests: 1, total: 2 });
    const page = await run.call('files.page', { sort: 'name', descending: false });
    expect(page.rows.map((row) => [row.name, row.place])).toEqual([
      ['mine.txt', 'this-machine'],
      ['theirs.txt', 'elsewhere'],
    ]);
    expect(page.asOfMs).toBeGreaterThan(0);
    expect((await run.call('files.page', { search: 'theirs' })).rows).toHaveLength(1);
    expect(await run.call('files.info', { fileId })).toMatchObject({ filename: 'mine.txt' });
    expect((await run.call('files.list', { page: 1, limit: 1 })).pagination).toMatchObject({
      total: 2,
      pages: 2,
    });
    expect((await run.call('files.list', {})).files).toHaveLength(2);
  });

  test('are reported as changed when the list is read or a dead link leaves it, whoever requested it', async () => {
    const { world, run } = await begin();
    const fileId = world.service.addForeign('theirs.txt', 'theirs').fileId;
    const kinds: string[] = [];
    run.client.listen((change) => void kinds.push(change.kind));
    const toldOf = async (work: () => Promise<unknown>): Promise<boolean> => {
      kinds.length = 0;
      await work();
      await world.clock.advance(1000);
      return kinds.includes('entries');
    };
    expect(await toldOf(() => run.call('files.refresh', {}))).toBe(true);
    // The loss of a foreign file causes no entry.
    world.service.stored.length = 0;
    await world.clock.advance(60 * minuteMs);
    expect(await toldOf(() => run.call('files.refresh', {}))).toBe(true);
    expect((await run.call('files.page', {})).rows).toEqual([]);
    expect(await toldOf(() => run.call('files.remove', { fileIds: [fileId] }))).toBe(true);
  });

  test('stored twice by a proxy are shown by info and why until the copy is deleted', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'mine.txt');
    // The first copy is the proxy's repeat, a minute later. The others have the same name, but another size or another
    // day: they are uploads of another device.
    await world.clock.advance(minuteMs);
    const copy = world.service.addForeign('mine.txt', 'mine.txt').fileId;
    world.service.addForeign('mine.txt', 'longer than mine');
    await world.clock.advance(24 * 60 * minuteMs);
    world.service.addForeign('mine.txt', 'mine.txt');
    const why = () => run.call('file.why', { path: '/tray/mine.txt' });
    expect(await run.call('files.info', { fileId })).not.toHaveProperty('copies');
    expect(await why()).not.toHaveProperty('copies');
    await run.call('files.refresh', {});
    expect(await run.call('files.info', { fileId })).toMatchObject({ file_id: fileId, copies: [copy] });
    expect(await why()).toMatchObject({ copies: [copy] });
    expect(typedText((await why()).sentence)).toContain(
      `The account has another file of this name and size (id ${copy}). A proxy may have sent the upload twice`,
    );
    // The info about the copy does not call our own file a copy.
    expect(await run.call('files.info', { fileId: copy })).not.toHaveProperty('copies');
    await run.call('files.delete', { fileIds: [copy] });
    expect(await run.call('files.info', { fileId })).not.toHaveProperty('copies');
  });

  test('that this machine uploaded, or may have uploaded, are no copies', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'mine.txt');
    world.disk.write('/tray/sub/mine.txt', 'yours.tx');
    await world.clock.advance(minuteMs);
    await run.call('files.refresh', {});
    expect(world.service.stored).toHaveLength(2);
    expect(await run.call('files.info', { fileId })).not.toHaveProperty('copies');
    world.service.faults.push('answer-lost');
    world.service.linksBroken = true;
    await world.put('other/mine.txt', 'theirs.t', 'uncertain');
    await run.call('files.refresh', {});
    expect(world.service.stored.map(({ name }) => name)).toEqual(['mine.txt', 'mine.txt', 'mine.txt']);
    expect(await run.call('files.info', { fileId })).not.toHaveProperty('copies');
    expect(await run.call('file.why', { path: '/tray/mine.txt' })).not.toHaveProperty('copies');
  });

  test('that are missing from the account are marked only after a complete view', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'mine.txt');
    const stored = world.service.stored[0];
    if (stored !== undefined) stored.deleted = true;
    // Then the upload is so old that even a slow list would show it.
    await world.clock.advance(20 * minuteMs);
    await run.call('files.refresh', {});
    await world.clock.advance(minuteMs);
    expect(world.ledger.remote.byId(fileId)?.gone).toBe(true);
    const { rows } = await run.call('files.page', {});
    expect(rows).toMatchObject([{ place: 'gone-from-service', publicLink: null }]);
    await run.call('files.remove', { fileIds: [fileId] });
    expect((await run.call('files.page', {})).rows).toEqual([]);
  });

  test('are deleted one by one, and one that is already gone does not stop the rest', async () => {
    const { world, run } = await begin();
    const ids = [await share(world, 'a.txt'), 999, await share(world, 'b.txt')];
    const results = await run.call('files.delete', { fileIds: ids });
    expect(results.map((result) => [result.deleted, result.error?.code ?? null])).toEqual([
      [true, null],
      [false, 'not-found'],
      [true, null],
    ]);
    expect(world.service.namesOf()).toEqual([]);
    expect((await run.call('files.page', {})).rows).toEqual([]);
    await world.clock.advance(200);
    expect(run.entries().filter((entry) => entry.body.kind === 'recalled')).toHaveLength(2);
  });

  test('of another machine are not deleted any further after the key is refused', async () => {
    const { world, run } = await begin();
    const ids = ['a.txt', 'b.txt'].map((name) => world.service.addForeign(name, name).fileId);
    world.service.refuse = { code: 'key-refused', status: 401 };
    const results = await run.call('files.delete', { fileIds: ids });
    expect(results.map(({ error }) => error?.code)).toEqual(['key-refused', 'key-refused']);
    expect(world.service.count('info')).toBe(1);
  });

  test('the reason of a 403 is found before a person sees it', async () => {
    const { world, run } = await begin();
    world.service.refuseLists = { code: 'limit', status: 403 };
    await expect(run.call('files.list', {})).rejects.toMatchObject({ code: 'limit' });
    world.service.refuse = { code: 'limit', status: 403 };
    await expect(run.call('files.list', {})).rejects.toMatchObject({ code: 'plan' });
    world.service.refuse = { code: 'not-found', status: 404 };
    await expect(run.call('files.info', { fileId: 5 })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('links are listed in the order in which the files were dropped', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt');
    await share(world, 'b.txt');
    await world.put('id_rsa', 'secret', 'held');
    const ids = world.rows().map((row) => row.id);
    const links = await run.call('files.links', { uploadIds: ids.toReversed() });
    expect(links.map((link) => link.name)).toEqual(['a.txt', 'b.txt']);
    await expect(run.call('files.links', { uploadIds: [77] })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('have a history: the links of all versions, newest first, and the events', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'one');
    const first = world.row('a.txt');
    await share(world, 'a.txt', 'another');
    const { id, publicLink } = world.row('a.txt');
    await run.call('files.delete', { fileIds: [first.fileId ?? 0] });
    const { versions, history } = await run.call('file.story', { uploadId: id });
    expect(versions.map((one) => [one.publicLink, one.isGone])).toEqual([
      [publicLink, false],
      [first.publicLink, true],
    ]);
    expect(history.map(({ body }) => body.kind)).toEqual(['queued', 'uploading', 'uploaded']);
    await expect(run.call('file.story', { uploadId: 77 })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('have their downloads counted from one day to the next, and the number so far never falls', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    const { list } = world.service.api;
    let count = 0;
    world.service.api.list = async (query, stop) => {
      const page = await list(query, stop);
      return { ...page, files: page.files.map((file) => ({ ...file, download_count: count })) };
    };
    const read = async (counted: number) => {
      count = counted;
      await run.call('files.refresh', {});
      const { readings, ...stats } = await run.call('stats.get', {});
      return { ...stats, soFar: readings.map(({ downloads }) => downloads) };
    };
    expect(await read(0)).toMatchObject({ soFar: [0], firstDownloads: [] });
    await world.clock.advance(60_000);
    const first = await read(3);
    // The same day: nothing to compare with.
    expect(first).toMatchObject({ soFar: [3], top: [{ row: { fileId }, gained: 0 }] });
    expect(first.firstDownloads).toMatchObject([{ row: { fileId } }]);
    expect(first.days.at(-1)).toMatchObject({ uploads: 1 });
    await world.clock.advance(24 * 3_600_000);
    expect(await read(5)).toMatchObject({ soFar: [3, 5], top: [{ gained: 2 }] });
    // The service counts from the start again, then the link is gone.
    expect(await read(1)).toMatchObject({ soFar: [3, 5], shared: { downloads: 5, reported: 1, gone: 0 } });
    expect(await read(4)).toMatchObject({ soFar: [3, 8], top: [{ gained: 5 }] });
    await run.call('files.delete', { fileIds: [fileId] });
    expect((await run.call('stats.get', {})).shared).toMatchObject({ downloads: 8, reported: 0 });
    for (let day = 0; day < 70; day += 1) {
      await world.clock.advance(24 * 3_600_000);
      await run.call('files.refresh', {});
    }
    expect((await run.call('stats.get', {})).readings).toHaveLength(60);
  });

  test('that were uploaded since the last reading gained all their downloads since then', async () => {
    const { world, run } = await begin();
    const read = async () => {
      await run.call('files.refresh', {});
      return (await run.call('stats.get', {})).readings.map(({ downloads }) => downloads);
    };
    await share(world, 'a.txt');
    expect(await read()).toEqual([0]);
    await share(world, 'b.txt');
    await world.clock.advance(20 * 24 * 3_600_000);
    await share(world, 'c.txt');
    const downloads: Record<string, number> = { 'b.txt': 4, 'c.txt': 2 };
    for (const file of world.service.stored) file.downloads += downloads[file.name] ?? 0;
    world.service.addForeign('theirs.zip', 'theirs').downloads += 7;
    expect(await read()).toEqual([7, 13]);
    // Another reading of the day keeps them.
    await world.clock.advance(minuteMs);
    expect(await read()).toEqual([7, 13]);
  });

  test('that only this machine has read were not downloaded', async () => {
    const { world, run } = await begin();
    const files = [{ fileId: await share(world, 'a.txt') }, { fileId: await share(world, 'b.txt') }];
    const read = async () => {
      await world.clock.advance(24 * 3_600_000);
      await run.call('files.refresh', {});
      const { readings, shared } = await run.call('stats.get', {});
      return { ...shared, soFar: readings.map(({ downloads }) => downloads) };
    };
    await read();
    await run.call('files.verify', { files });
    expect(await read()).toMatchObject({ soFar: [0, 0], downloaded: 0, neverDownloaded: 2, reported: 2 });
    for (const file of world.service.stored) if (file.name === 'a.txt') file.downloads += 3;
    const counted = { soFar: [0, 0, 3], downloads: 3, downloaded: 1, neverDownloaded: 1, gone: 0 };
    expect(await read()).toMatchObject({ ...counted, reported: 5 });
    await run.call('files.delete', { fileIds: files.map(({ fileId }) => fileId) });
    const { shared } = await run.call('stats.get', {});
    expect(shared).toMatchObject({ downloads: 3, reported: 0, gone: 1, downloaded: 0, neverDownloaded: 0 });
  });

  test('the number of shared files is at least what the ledger knows, even if the service’s totals are older', async () => {
    const { world, run } = await begin();
    await run.call('stats.get', { refresh: true });
    await share(world, 'a.txt');
    await share(world, 'b.txt');
    expect((await run.call('stats.get', {})).shared).toMatchObject({ files: 2, isAtLeast: true });
    world.service.stats.stats.total_files = 300;
    await run.call('stats.get', { refresh: true });
    expect((await run.call('stats.get', {})).shared).toMatchObject({ files: 300, isAtLeast: false });
  });
});

describe('resolving an uncertain upload', () => {
  const held = async (): Promise<{ world: World; run: Running; id: number }> => {
    const { world, run } = await begin();
    world.service.linksBroken = true;
    world.service.faults.push('answer-lost');
    const { id } = await world.put('a.txt', 'content', 'held', 30 * minuteMs);
    return { world, run, id };
  };

  test('shows the candidates side by side and adopts the one that a person picks', async () => {
    const { world, run, id } = await held();
    const candidates = await run.call('queue.candidates', { id });
    expect(candidates).toMatchObject([{ sameName: true, sameSize: true }]);
    const fileId = candidates[0]?.file.file_id ?? 0;
    const view = await run.call('queue.resolve', { id, choice: 'this-is-it', fileId });
    expect(view).toMatchObject({ fileId, publicLink: world.service.stored[0]?.link, bucket: 'uploaded' });
    const again = run.call('queue.resolve', { id, choice: 'leave' });
    await expect(again).rejects.toMatchObject({ code: 'bad-use' });
  });

  test('counts once when it is requested twice at the same time: the second request is refused', async () => {
    const { run, id } = await held();
    const [found] = await run.call('queue.candidates', { id });
    const pick = (): Promise<unknown> =>
      run.call('queue.resolve', { id, choice: 'this-is-it', fileId: found?.file.file_id ?? 0 });
    const [first, second] = await Promise.allSettled([pick(), pick()]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'bad-use' } });
  });

  test('refuses a choice without a file, a file of another upload, and one that has no link', async () => {
    const { world, run, id } = await held();
    const other = await share(world, 'b.txt');
    const pick = (fileId?: FileId): Promise<unknown> =>
      run.call('queue.resolve', { id, choice: 'this-is-it', ...(fileId === undefined ? {} : { fileId }) });
    await expect(pick()).rejects.toThrow('Say which file');
    await expect(pick(other)).rejects.toThrow('another upload');
    world.service.api.info = (fileId) => Promise.resolve({ file_id: fileId });
    await expect(pick(4711)).rejects.toBeInstanceOf(AppError);
    expect(world.ledger.uploads.byId(id)?.state.kind).toBe('held');
  });

  test('sends it again, or leaves it, as the user decides', async () => {
    const first = await held();
    await first.run.call('queue.resolve', { id: first.id, choice: 'again' });
    await first.world.until('a.txt', 'uploaded');
    expect(first.world.service.stored).toHaveLength(2);
    const second = await held();
    const left = await second.run.call('queue.resolve', { id: second.id, choice: 'leave' });
    expect(left.state).toMatchObject({ kind: 'uncertain', isUnwanted: true });
    second.world.service.linksBroken = false;
    await second.world.clock.advance(60 * minuteMs);
    expect(second.world.service.stored.map(({ deleted }) => deleted)).toEqual([true]);
  });

  test('cannot send a file again that no longer exists', async () => {
    const { world, run, id } = await held();
    world.disk.remove('/tray/a.txt');
    await world.clock.advance(1000);
    const view = await run.call('queue.resolve', { id, choice: 'again' });
    expect(view.state).toEqual({ kind: 'gone' });
  });
});
