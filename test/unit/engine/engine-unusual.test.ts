// Rare cases: ledgers that lack something, stops in the middle, lists that
// leave things out. None of them may lose a file or make a second link.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { UploadState } from '../../../src-main/contract/model.ts';
import type { Upload } from '../../../src-main/engine/ports/uploads.ts';
import { createWorld, loseAnswer, minuteMs, share, started, type World } from '../../support/fake-world.ts';

const put = (world: World, name: string, state: UploadState, change: Partial<Upload> = {}): Upload => {
  const nowMs = world.clock.wallMs();
  const draft = { folderId: null, dir: '/elsewhere', name, stamp: null, state };
  const { id } = world.ledger.uploads.insert(draft, nowMs);
  return world.ledger.uploads.update(id, change, nowMs);
};

describe('a ledger without the attempt', () => {
  test.each(['sending', 'committing'] as const)('makes an upload that was %s uncertain', async (kind) => {
    const world = createWorld();
    put(world, 'a.txt', { kind, attemptId: 4711 });
    const run = await world.start();
    expect(world.row('a.txt').state).toMatchObject({ kind: 'uncertain', attemptId: 0 });
    await run.stop();
  });

  test('bases a lookup on the row, holds the upload without a proof, and lets a person pick a file', async () => {
    const { world, run } = await started();
    const lost: UploadState = { kind: 'uncertain', attemptId: 0, looks: 0, nextLookAtMs: 0 };
    await world.clock.advance(1000);
    const { id } = put(world, 'a.txt', lost);
    await world.clock.advance(10);
    const file = world.service.addForeign('a.txt', '');
    world.service.without = ['size'];
    run.engine.nudge();
    await world.until('a.txt', 'held', 60 * minuteMs);
    const { fileId } = file;
    world.service.api.info = async () => ({ public_link: file.link });
    const view = await run.call('queue.resolve', { id, choice: 'this-is-it', fileId });
    expect(view).toMatchObject({ fileId, publicLink: file.link, sentName: 'a.txt', bucket: 'uploaded' });
  });
});

describe('an upload that a crash interrupted', () => {
  test('is gone when its file was gone before', async () => {
    const { world, run } = await started();
    const { id } = await world.put('a.txt', 'content', 'sending');
    run.life.kill();
    world.ledger.uploads.update(id, { present: false }, world.clock.wallMs());
    await world.start();
    expect(world.ledger.uploads.byId(id)?.state).toEqual({ kind: 'gone' });
  });
});

describe('what was requested for pre-existing files', () => {
  test('of another folder is ignored', async () => {
    const world = createWorld();
    world.disk.write('/tray/old.txt', 'old');
    await world.clock.advance(minuteMs);
    world.ledger.facts.set('existing', [{ folder: '/other', existing: 'upload' }], 0);
    await world.start();
    await share(world, 'new.txt', 'new');
    expect(world.row('old.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
  });

  test('as a list of files is done for these files', async () => {
    const world = createWorld();
    world.disk.write('/tray/old.txt', 'old');
    world.disk.write('/tray/older.txt', 'older');
    await world.clock.advance(minuteMs);
    world.ledger.facts.set('existing', [{ folder: '/tray', existing: ['/tray/old.txt'] }], 0);
    await world.start();
    await world.until('old.txt', 'uploaded');
    expect(world.row('older.txt').state).toEqual({ kind: 'skipped', rule: 'existing' });
  });
});

describe('giving a file again', () => {
  test.each<[UploadState, 'same' | 'settling']>([
    [{ kind: 'held', reason: 'secret-name' }, 'same'],
    [{ kind: 'held', reason: 'burst' }, 'settling'],
    [{ kind: 'held', reason: 'existing-changed' }, 'settling'],
    [{ kind: 'skipped', rule: 'already-shared' }, 'same'],
    [{ kind: 'skipped', rule: 'empty' }, 'same'],
    [{ kind: 'skipped', rule: 'cancelled' }, 'settling'],
    [{ kind: 'waiting', reason: 'locked', untilMs: 9e15 }, 'settling'],
    [{ kind: 'failed', code: 'refused', message: '', remedy: '' }, 'settling'],
    [{ kind: 'gone' }, 'settling'],
  ])('in state %j leaves it %s', async (state, then) => {
    const { world, run } = await started();
    world.disk.write('/elsewhere/a.txt', 'content');
    const found = await world.disk.files.look('/elsewhere/a.txt');
    put(world, 'a.txt', state, { stamp: found?.stamp ?? null });
    const [view] = await run.client.call('files.upload', { paths: ['/elsewhere/a.txt'] });
    expect(view?.upload?.state).toEqual(then === 'same' ? state : { kind: 'settling' });
  });
});

describe('a stop', () => {
  test('in the middle of sending leaves the file to the next start, and no file on the service', async () => {
    const { world, run } = await started();
    await world.put('a.txt', 'content', 'sending');
    await run.stop();
    expect(world.row('a.txt').state.kind).toBe('ready');
    expect(world.service.stored).toEqual([]);
    await world.start();
    await world.until('a.txt', 'uploaded');
  });

  test('after the tail waits for the answer', async () => {
    const { world, run } = await started();
    await world.put('a.txt', 'content', 'committing');
    await run.stop();
    expect(world.row('a.txt').state.kind).toBe('uploaded');
  });

  test('after the tail waits at most five seconds; then a lookup decides', async () => {
    const { world, run } = await started();
    world.service.latencyMs = 20_000;
    await world.put('a.txt', 'content', 'committing', 2 * minuteMs);
    const fromMs = world.clock.monoMs();
    await run.stop();
    expect(world.clock.monoMs() - fromMs).toBe(5000);
    expect(world.row('a.txt').state.kind).toBe('uncertain');
    world.service.latencyMs = 20;
    await world.start();
    await world.until('a.txt', 'uploaded', 30 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
  });

  test('while a full folder is read, checked and compared takes effect at once', async () => {
    const { world, run } = await started();
    world.disk.make('/tray/sub', 'folder');
    for (let n = 0; n < 50; n += 1) world.disk.write(`/tray/sub/${n}.txt`, 'x');
    const { look } = world.disk.files;
    let looks = 0;
    world.disk.files.look = (path) => {
      looks += 1;
      return new Promise((resolve) => world.clock.after(100, () => resolve(look(path))));
    };
    await world.clock.advance(350);
    await run.stop();
    expect(looks).toBeLessThan(10);
  });
});

describe('a service with odd answers', () => {
  test('is asked again when its list lacks ids', async () => {
    const { world } = await started();
    world.service.without = ['file_id'];
    await loseAnswer(world, 'a.txt', 'content');
    await world.clock.advance(5 * minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uncertain');
    expect(world.service.count('upload')).toBe(1);
  });

  test('that refuses the key during a lookup gets nothing until the key is accepted', async () => {
    const { world } = await started();
    await loseAnswer(world, 'a.txt', 'content');
    world.service.refuse = { code: 'key-refused', status: 401 };
    await world.clock.advance(14 * minuteMs);
    world.service.refuse = null;
    await world.until('a.txt', 'uploaded', 40 * minuteMs);
  });

  test('an unknown fault before the tail fails the file, and is logged', async () => {
    const { world } = await started();
    world.service.api.upload = () => Promise.reject(new TypeError('x is no function'));
    expect((await world.put('a.txt', 'content', 'failed')).state).toMatchObject({ code: 'internal' });
    expect(world.log.lines.some((line) => line.event === 'upload fault')).toBe(true);
  });

  test('a response that is no valid answer is kept as evidence', async () => {
    const { world } = await started();
    world.service.api.upload = () =>
      Promise.reject(new AppError('refused', 'Not wanted.', '', { status: 400, evidence: '<html>' }));
    const { id } = await world.put('a.txt', 'content', 'failed');
    expect(world.ledger.attempts.ofUpload(id)).toMatchObject([
      { outcome: 'refused', status: 400, evidence: 'refused: Not wanted. (<html>)' },
    ]);
  });

  test('a file of a refused size is not even tried', async () => {
    const world = createWorld();
    world.service.stats.limits.max_file_size = 6000;
    await world.start();
    await share(world, 'first.bin', 'x'.repeat(5000));
    world.service.faults.push({ code: 'limit', status: 403 });
    await world.put('refused.bin', 'x'.repeat(6001), 'failed');
    expect((await world.put('large.bin', 'x'.repeat(6002), 'failed')).state).toMatchObject({
      code: 'too-large',
    });
    expect(world.service.count('upload')).toBe(2);
  });
});

describe('a very large folder', () => {
  test('is inspected with its thousand largest files', async () => {
    const { world, run } = await started();
    world.disk.make('/big', 'folder');
    const { list } = world.disk.files;
    const { look } = world.disk.files;
    world.disk.write('/one', 'x');
    const stamp = (await look('/one'))?.stamp;
    if (stamp === null || stamp === undefined) throw new Error('It was just written.');
    world.disk.files.list = async (folder) =>
      folder === '/big'
        ? {
            ok: true,
            found: Array.from({ length: 12_000 }, (_, n) => ({
              name: `${n}`,
              type: 'file' as const,
              stamp: { ...stamp, sizeBytes: n + 1 },
              onlineOnly: false,
            })),
          }
        : await list(folder);
    const seen = await run.call('folder.inspect', { folder: '/big' });
    expect(seen.goes).toMatchObject({ totalFiles: 12_000 });
    expect(seen.goes.files).toHaveLength(1000);
    expect(seen.goes.files[0]).toMatchObject({ sizeBytes: 12_000 });
  });
});
