// Release cards, and whether public links serve what was sent, in a whole engine.
import { isDeep } from '../../../support/deep.ts';
import { describe, expect, test } from 'vitest';
import { answerCall } from '../../../../src-main/contract/client.ts';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { begin, minuteMs, share } from '../../../support/fake-world.ts';

const reasonsOf = (results: { ok: boolean | null; reason: string | null }[]) =>
  results.map(({ ok, reason }) => [ok, reason]);

describe('a card', () => {
  test('contains what was sent, by id and by path, without a request', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'setup-1.2.exe', 'content');
    const asked = world.service.requests.length;
    const [byId, byPath] = await run.call('files.card', {
      files: [{ fileId }, { path: '/tray/setup-1.2.exe' }],
    });
    expect(byId).toMatchObject({
      fileId,
      path: '/tray/setup-1.2.exe',
      card: { fileId, filename: 'setup-1.2.exe', sizeBytes: 7, sha256: world.service.stored[0]?.sha256 },
      error: null,
    });
    expect(byPath).toEqual(byId);
    expect(world.service.requests).toHaveLength(asked);
  });

  test('states when the link ends', async () => {
    const { world, run } = await begin({ settings: { expireAfter: '1d' } });
    const fileId = await share(world, 'a.txt');
    const [told] = await run.call('files.card', { files: [{ fileId }] });
    expect(told?.card?.expiresAtMs).toBe(world.row('a.txt').ends?.atMs);
  });

  test('is refused for an unknown file, and for one that is taken back or gone from the service', async () => {
    const { world, run } = await begin();
    const [back, gone] = [await share(world, 'back.txt'), await share(world, 'gone.txt')];
    await run.call('files.recall', { files: [{ fileId: back }] });
    world.ledger.remote.markGone(gone);
    const files = [{ fileId: 1 }, { path: '/tray/none.txt' }, { fileId: back }, { fileId: gone }];
    const results = await run.call('files.card', { files });
    expect(results.map(({ card, error }) => [card, error?.code])).toEqual([
      [null, 'not-found'],
      [null, 'not-found'],
      [null, 'bad-use'],
      [null, 'not-found'],
    ]);
    for (const { error } of results) expect(error?.remedy).not.toBe('');
    expect(results[0]?.error?.remedy).toContain('do this on the machine that uploaded it');
  });
});

describe('a link', () => {
  test('that serves the sent bytes is right, costs no request of the budget, and our read is not a download', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    const asked = world.service.requests.length;
    const [told] = await run.call('files.verify', { files: [{ fileId }] });
    expect(told).toMatchObject({ fileId, path: '/tray/a.txt', ok: true, reason: null, error: null });
    expect(world.service.requests).toHaveLength(asked);
    await run.call('files.refresh', {});
    expect(world.ledger.remote.byId(fileId)).toMatchObject({ download_count: 1, readByUs: 1 });
  });

  test('that serves other or fewer bytes, is gone, or is unreachable is reported with that reason', async () => {
    const { world, run } = await begin();
    const names = ['other.txt', 'short.txt', 'gone.txt'];
    const files = [];
    for (const name of names) files.push({ fileId: await share(world, name) });
    const [other, short, gone] = world.service.stored;
    if (other !== undefined) other.sha256 = 'f'.repeat(64);
    if (short !== undefined) short.bytes = short.bytes.subarray(1);
    if (gone !== undefined) gone.deleted = true;
    expect(reasonsOf(await run.call('files.verify', { files }))).toEqual([
      [false, 'differs'],
      [false, 'differs'],
      [false, 'gone'],
    ]);
    world.service.linksBroken = true;
    expect(reasonsOf(await run.call('files.verify', { files }))).toEqual(
      names.map(() => [false, 'unreachable']),
    );
  });

  test('that does not exist here or was taken back is an error, and the others are read', async () => {
    const { world, run } = await begin();
    const [back, fine] = [await share(world, 'back.txt'), await share(world, 'fine.txt')];
    await run.call('files.recall', { files: [{ fileId: back }] });
    const files = [{ fileId: 1 }, { path: '/none' }, { fileId: back }, { fileId: fine }];
    const results = await run.call('files.verify', { files });
    expect(results.map(({ ok, error }) => [ok, error?.code ?? null])).toEqual([
      [null, 'not-found'],
      [null, 'not-found'],
      [null, 'bad-use'],
      [true, null],
    ]);
    expect(await run.call('files.linked', {})).toEqual([fine]);
  });

  test.runIf(isDeep)('is listed once, even from more than one page of links', async () => {
    const { world, run } = await begin({ settings: { requestsPerMinute: 5000, burstFiles: 2000 } });
    const paths = Array.from({ length: 502 }, (_, n) => `/else/${n}`);
    for (const path of paths) world.disk.write(path, path);
    await run.call('files.upload', { paths });
    await world.clock.runUntil(() => world.ledger.uploads.countInState('uploaded') === 502, 60 * minuteMs);
    const links = await run.call('files.linked', {});
    expect(links).toHaveLength(502);
    expect(new Set(links)).toEqual(new Set(world.service.stored.map(({ fileId }) => fileId)));
  });
});

test('a link that was taken back and is still alive is not among the links to verify', async () => {
  const { world, run } = await begin();
  const fileId = await share(world, 'a.txt');
  world.service.keepsLinks = true;
  await run.call('files.recall', { files: [{ fileId }] });
  expect(await run.call('files.linked', {})).toEqual([]);
});

test('a person who stops the verification gets no findings, and no link counts as unreachable', async () => {
  const { world, run } = await begin();
  const fileId = await share(world, 'a.txt');
  const stop = new AbortController();
  world.service.api.digestOfLink = async () => {
    stop.abort();
    throw new AppError('interrupted', 'The connection broke.');
  };
  const reply = await answerCall(run.engine.handlers, 'files.verify', { files: [{ fileId }] }, stop.signal);
  expect(reply).toMatchObject({ ok: false, error: { code: 'interrupted' } });
});

test('a card of another machine is compared by its own data, and unknown content is reported', async () => {
  const { world, run } = await begin();
  const fileId = await share(world, 'a.txt', 'content');
  const { sha256 = '', link = '' } = world.service.stored[0] ?? {};
  const foreign = world.service.addForeign('b.txt', 'foreign');
  const of = (one: Partial<{ sha256: string; sizeBytes: number | null; publicLink: string | null }>) => ({
    fileId: null,
    sha256,
    sizeBytes: null,
    publicLink: null,
    ...one,
  });
  const card = [
    of({}),
    of({ publicLink: link, sizeBytes: 7 }),
    of({ publicLink: foreign.link, sha256: foreign.sha256, sizeBytes: 7 }),
    of({ publicLink: foreign.link, sha256: foreign.sha256 }),
    of({ sha256: '0'.repeat(64) }),
    of({ publicLink: link, sha256: '0'.repeat(64), sizeBytes: 7 }),
  ];
  const results = await run.call('files.verify', { card });
  expect(reasonsOf(results)).toEqual([
    [true, null],
    [true, null],
    [true, null],
    [false, 'unknown-content'],
    [false, 'unknown-content'],
    [false, 'differs'],
  ]);
  expect(results[0]?.fileId).toBe(fileId);
});
