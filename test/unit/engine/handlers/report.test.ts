// Reports of a whole engine: links of one content, review, export.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { answerCall } from '../../../../src-main/contract/client.ts';
import { reviewKinds } from '../../../../src-main/contract/report.ts';
import { begin, dayMs, loseAnswer, share, type Running } from '../../../support/fake-world.ts';

const shaOf = (content: string): string => createHash('sha256').update(content).digest('hex');
const kindsOf = async (run: Running, input: { oldDays?: number } = {}) =>
  (await run.call('report.review', input)).findings.map(({ kind, remedy }) => [kind, remedy]);

describe('the links of one content', () => {
  test('finds content by hash, path, former path and upload', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt', 'content');
    const asked = world.service.count('upload');
    const found = await run.call('report.copies', { sha256: shaOf('content') });
    expect(found).toMatchObject({
      sha256: shaOf('content'),
      links: [{ fileId, path: '/tray/a.txt', inside: null, alive: true, untilMs: null, linkState: null }],
      uncertain: [],
      asOfMs: null,
    });
    expect(await run.call('report.copies', { path: '/tray/a.txt' })).toEqual(found);
    expect(await run.call('report.copies', { uploadId: world.row('a.txt').id })).toEqual(found);
    world.disk.remove('/tray/a.txt');
    expect(await run.call('report.copies', { path: '/tray/a.txt' })).toEqual(found);
    expect(world.service.count('upload')).toBe(asked);
  });

  test('reports a dead link, and one that the list no longer shows', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt', 'content');
    await run.call('files.recall', { files: [{ fileId }] });
    expect((await run.call('report.copies', { sha256: shaOf('content') })).links).toMatchObject([
      { alive: false, linkState: 'dead', untilMs: expect.any(Number) as number },
    ]);
    const other = await share(world, 'b.txt', 'other');
    world.ledger.remote.markGone(other);
    expect((await run.call('report.copies', { sha256: shaOf('other') })).links).toMatchObject([
      { alive: false, linkState: null },
    ]);
  });

  test('counts uploads whose answer was lost', async () => {
    const { world, run } = await begin();
    await loseAnswer(world, 'a.txt', 'content');
    expect(await run.call('report.copies', { path: '/tray/a.txt' })).toMatchObject({
      links: [],
      uncertain: [expect.any(Number)],
    });
  });

  test('gives no id that another file has by now, and no finding names that file', async () => {
    const { world, run } = await begin();
    const { service } = world;
    service.ids = 'again';
    const fileId = await share(world, 'old.txt', 'content');
    const queueId = world.row('old.txt').id;
    await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: dayMs } });
    for (const file of service.stored) file.deleted = true;
    service.keepsLinks = true;
    expect(await share(world, 'new.txt', 'new')).toBe(fileId);
    const { links } = await run.call('report.copies', { sha256: shaOf('content') });
    expect(links).toMatchObject([{ uploadId: queueId, fileId: null }]);
    expect(await kindsOf(run)).toEqual([]);
    await run.call('files.recall', { files: [{ queueId }] });
    expect(world.ledger.uploads.byId(queueId)?.state).toMatchObject({ kind: 'recalled', dead: false });
    expect(await kindsOf(run)).toEqual([]);
    expect(service.namesOf()).toEqual(['new.txt']);
  });

  test('reports that it knows no link', async () => {
    const { world, run } = await begin();
    world.disk.write('/other/a.txt', 'unknown');
    for (const input of [{ path: '/other/a.txt' }, { path: '/other/b.txt' }, { sha256: shaOf('x') }])
      await expect(run.call('report.copies', input)).rejects.toMatchObject({ code: 'not-found' });
    world.disk.make('/other/link', 'link');
    await expect(run.call('report.copies', { path: '/other/link' })).rejects.toMatchObject({
      code: 'bad-use',
    });
    await expect(run.call('report.copies', { sha256: 'A' })).rejects.toMatchObject({ code: 'bad-use' });
  });
});

describe('the links of the content of an existing file', () => {
  const photo = '\x01\x02\x03PHOTO of GPS a house';

  test('finds the link of its copy without location, by the path of the photo and by the content of either', async () => {
    const { world, run } = await begin({ settings: { photoLocation: 'remove' } });
    await world.put('a.jpg', photo, 'uploaded');
    const fileId = world.row('a.jpg').fileId;
    const inputs = [
      { path: '/tray/a.jpg' },
      { sha256: shaOf(photo.replace('GPS', '')) },
      { sha256: shaOf(photo) },
    ];
    for (const input of inputs)
      expect((await run.call('report.copies', input)).links).toMatchObject([{ fileId, alive: true }]);
  });

  test('is not reported for a file that changes while it is read, or after the request is stopped', async () => {
    const { world, run } = await begin();
    world.disk.write('/other/a.txt', 'content');
    const { open } = world.disk.files;
    const stop = new AbortController();
    let act = (): void => world.disk.write('/other/a.txt', 'other');
    world.disk.files.open = async (path, root) => {
      const file = await open(path, root);
      const { pieces } = file;
      return {
        ...file,
        async *pieces(signal) {
          act();
          yield* pieces(signal);
        },
      };
    };
    await expect(run.call('report.copies', { path: '/other/a.txt' })).rejects.toMatchObject({
      code: 'changed',
    });
    act = () => stop.abort();
    const input = { path: '/other/a.txt' };
    const stopped = await answerCall(run.engine.handlers, 'report.copies', input, stop.signal);
    expect(stopped).toMatchObject({ ok: false, error: { code: 'aborted' } });
  });
});

describe('review', () => {
  test('shows two links to the same content, to be compared', async () => {
    const { world, run } = await begin();
    const first = await share(world, 'a.txt', 'content');
    world.disk.write('/else/a.txt', 'content');
    await run.call('files.upload', { paths: ['/else/a.txt'], again: true });
    await world.clock.runUntil(() => world.service.stored.length === 2);
    await world.clock.advance(1000);
    const { findings } = await run.call('report.review', {});
    expect(findings).toMatchObject([
      {
        kind: 'duplicate',
        link: { fileId: first },
        remedy: { do: 'compare', fileId: first },
      },
    ]);
  });

  test('names the largest links to delete while the service refuses all uploads for a limit', async () => {
    const { world, run } = await begin();
    const small = await share(world, 'small.txt', 'x');
    const large = await share(world, 'large.txt', 'x'.repeat(1000));
    world.service.faults.push({ code: 'limit', status: 403 });
    world.disk.write('/tray/next.txt', 'next');
    await world.clock.advance(30_000);
    expect(await kindsOf(run)).toEqual([
      ['total-size', { do: 'recall', fileId: large }],
      ['total-size', { do: 'recall', fileId: small }],
    ]);
  });

  test('finds nothing in new links, and finds old ones by their age', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    expect(await run.call('report.review', {})).toEqual({
      findings: [],
      counts: Object.fromEntries(reviewKinds.map((kind) => [kind, 0])),
      asOfMs: null,
    });
    expect(await kindsOf(run, { oldDays: 0 })).toEqual([['old', { do: 'recall', fileId }]]);
    await world.clock.advance(91 * dayMs);
    await run.call('files.refresh', {});
    expect((await kindsOf(run)).map(([kind]) => kind)).toEqual(['never-downloaded', 'old']);
  });

  test('extends a link that ends soon, or uploads the file again where the policy allows no extension', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: 3 * dayMs } });
    expect(await kindsOf(run)).toEqual([['expiring', { do: 'expire', fileId }]]);
    await world.settings.set('maxExpireAfter', '3d');
    expect(await kindsOf(run)).toEqual([['expiring', { do: 'again', path: '/tray/a.txt' }]]);
  });

  test('reports files that are gone from the service and still on the disk', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    world.ledger.remote.markGone(fileId);
    expect(await kindsOf(run)).toEqual([['dead', { do: 'remove', fileId }]]);
    await run.call('files.remove', { fileIds: [fileId] });
    expect(await kindsOf(run)).toEqual([]);
  });

  test('reports limits that are nearly reached', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'x'.repeat(900));
    world.service.stats.limits.daily_uploads = 1;
    world.service.stats.limits.max_file_size = 1000;
    await run.call('stats.get', { refresh: true });
    expect(await kindsOf(run)).toEqual([
      ['daily-uploads', { do: 'pause' }],
      ['largest-file', { do: 'zip', path: '/tray/a.txt' }],
    ]);
  });
});

describe('export', () => {
  test('returns uploads, then files of zips, then files from elsewhere, each once', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt');
    await share(world, 'b.txt');
    world.ledger.bundled.add(world.row('b.txt').id, [
      { name: 'in:side\n.txt', path: '/x', sizeBytes: 1, sha256: shaOf('x') },
      { name: 'last.txt', path: '/y', sizeBytes: 1, sha256: shaOf('y') },
    ]);
    world.service.addForeign('theirs.txt', 'theirs');
    await run.call('files.refresh', {});
    const names: string[] = [];
    for (let after: string | null = null; ;) {
      const page: { files: { filename: string }[]; next: string | null } = await run.call('report.export', {
        after,
        limit: 1,
      });
      names.push(...page.files.map(({ filename }) => filename));
      if (page.next === null) break;
      after = page.next;
    }
    expect(names).toEqual(['a.txt', 'b.txt', 'in:side\n.txt', 'last.txt', 'theirs.txt']);
    for (const after of ['x', 'others:1', 'uploads:99999999999999999:'])
      await expect(run.call('report.export', { after })).rejects.toMatchObject({ code: 'bad-use' });
  });
});
