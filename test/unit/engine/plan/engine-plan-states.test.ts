// What a plan says about files that the ledger knows already, and while the service cannot be reached.
import { describe, expect, test } from 'vitest';
import {
  begin,
  dayMs,
  hourMs,
  loseAnswer,
  minuteMs,
  share,
  type Running,
} from '../../../support/fake-world.ts';

const planned = async (run: Running, paths: string[]) => {
  const { files, end } = await run.call('files.plan', { paths });
  const told = files.map(({ path, verdict, why }) => [path.split('/').at(-1), verdict, why]);
  return { files, told, end };
};

describe('a plan reports', () => {
  test('files that are uploaded, taken back, ended, uncertain, or gone from their path', async () => {
    const { world, run } = await begin({ settings: { expireAfter: '1d' } });
    const back = await share(world, 'back.txt');
    await share(world, 'ended.txt');
    await world.clock.advance(dayMs + minuteMs);
    await share(world, 'up.txt');
    await loseAnswer(world, 'lost.txt', 'lost');
    world.disk.write('/else/back.txt', 'back.txt');
    const { told } = await planned(run, ['/tray', '/else/back.txt']);
    expect(Object.fromEntries(told.map(([name, ...rest]) => [name, rest]))).toMatchObject({
      'ended.txt': ['skipped', 'expired'],
      'up.txt': ['skipped', 'already-shared'],
      'lost.txt': ['held', 'uncertain'],
    });
    expect(back).toBeGreaterThan(0);
    const recalled = await share(world, 'recalled.txt');
    await run.call('files.recall', { files: [{ fileId: recalled }] });
    expect((await planned(run, ['/tray'])).told).toContainEqual(['recalled.txt', 'skipped', 'recalled']);
  });

  test('a renamed file as the same file', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'content');
    world.disk.hints(false);
    world.disk.rename('/tray/a.txt', '/tray/b.txt');
    await world.clock.advance(minuteMs);
    expect((await planned(run, ['/tray'])).told).toEqual([['b.txt', 'skipped', 'already-shared']]);
  });

  test('a new version of an uploaded file, and a file that changed while it was held', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'first');
    await world.put('id_rsa', 'a key', 'held');
    world.disk.hints(false);
    world.disk.write('/tray/a.txt', 'second');
    world.disk.write('/tray/id_rsa', 'another key');
    await world.clock.advance(minuteMs);
    const before = world.rows();
    expect((await planned(run, ['/tray'])).told).toEqual([
      ['a.txt', 'upload', null],
      ['id_rsa', 'held', 'secret-name'],
    ]);
    expect(world.rows()).toEqual(before);
  });

  test('a file that was given and has changed since as a file of its folder, as in the run', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    const { id } = await world.put('no.txt', 'left out', 'ready');
    await run.call('queue.cancel', { ids: [id] });
    world.disk.hints(false);
    world.disk.write('/tray/a.txt', 'given');
    await run.call('files.upload', { paths: ['/tray/a.txt'] });
    await world.until('a.txt', 'ready');
    world.disk.write('/tray/a.txt', 'left out');
    expect((await planned(run, ['/tray'])).told).toContainEqual(['a.txt', 'skipped', 'cancelled']);
    await run.call('folder.scan', {});
    await world.clock.advance(minuteMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  });

  test('a longer quiet period for a file that changed often within the hour, as in the run', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt', 'first');
    world.disk.write('/tray/a.txt', 'second');
    await world.until('a.txt', 'uploaded', minuteMs);
    world.disk.hints(false);
    world.disk.write('/tray/a.txt', 'third');
    world.disk.write('/tray/b.txt', 'new');
    const { files, end } = await planned(run, ['/tray']);
    const startMs = world.clock.wallMs();
    await run.call('folder.scan', {});
    await world.until('a.txt', 'uploaded', minuteMs);
    const tookMs = (world.row('a.txt').uploadedAtMs ?? 0) - startMs;
    expect(tookMs).toBeGreaterThan(20_000);
    const [ofA, ofB] = files.map(({ expectedAtMs }) => (expectedAtMs ?? 0) - startMs);
    expect(Math.abs((ofA ?? 0) - tookMs)).toBeLessThan(1000);
    expect(Math.abs((end?.finishesAtMs ?? 0) - startMs - tookMs)).toBeLessThan(1000);
    expect(ofB).toBeLessThan(5000);
    // Half of the time is over for a file that is settling already.
    world.disk.hints(true);
    world.disk.write('/tray/a.txt', 'fourth');
    await world.until('a.txt', 'settling');
    await world.clock.advance(20_000);
    const again = await planned(run, ['/tray/a.txt', '/tray']);
    const left = (again.files[0]?.expectedAtMs ?? 0) - world.clock.wallMs();
    expect(left).toBeGreaterThan(15_000);
    expect(left).toBeLessThan(25_000);
  });

  test('the quiet period of the settings, for a file in the folder and for one given by path', async () => {
    const { world, run } = await begin({ settings: { settleMs: 60_000, graceSeconds: 30 } });
    world.disk.hints(false);
    world.disk.write('/tray/a.txt', 'content');
    world.disk.write('/else/old.txt', 'old');
    await world.clock.advance(minuteMs);
    world.disk.write('/else/new.txt', 'new');
    const inMs = async (file: string): Promise<number> =>
      ((await planned(run, [file])).files[0]?.expectedAtMs ?? 0) - world.clock.wallMs();
    expect(Math.round((await inMs('/tray')) / 10_000)).toBe(9);
    expect(Math.round((await inMs('/else/new.txt')) / 10_000)).toBe(6);
    expect(await inMs('/else/old.txt')).toBeLessThan(5000);
  });

  test('the contents: a secret and a photo with its location are held, and an unreadable file fails', async () => {
    const { world, run } = await begin();
    world.disk.make('/else', 'folder');
    world.disk.write('/else/notes.txt', 'SECRET');
    world.disk.write('/else/photo.jpg', '\x01\x02\x03PHOTO GPS');
    world.disk.write('/else/closed.txt', 'closed');
    world.disk.lock('/else/closed.txt', true);
    world.disk.make('/else/link', 'link');
    await world.clock.advance(minuteMs);
    expect((await planned(run, ['/else'])).told).toEqual([
      ['closed.txt', 'failed', 'locked'],
      ['link', 'skipped', 'link'],
      ['notes.txt', 'held', 'secret-content'],
      ['photo.jpg', 'held', 'location'],
    ]);
  });

  test('files given by path: one with a link, one that failed, and one that is too large', async () => {
    const { world, run } = await begin({ settings: { maxFileBytes: 10 } });
    world.disk.write('/else/a.txt', 'content');
    world.disk.write('/else/large.txt', 'more than ten bytes');
    const paths = ['/else/a.txt', '/else/large.txt'];
    await run.call('files.upload', { paths });
    await world.until('large.txt', 'failed');
    await world.until('a.txt', 'uploaded');
    expect((await planned(run, paths)).told).toEqual([
      ['a.txt', 'skipped', 'already-shared'],
      ['large.txt', 'failed', 'forbidden'],
    ]);
    world.disk.write('/else/a.txt', 'new');
    await world.clock.advance(minuteMs);
    expect((await planned(run, ['/else/a.txt'])).told).toEqual([['a.txt', 'upload', null]]);
  });

  test('files that wait in the queue, with their time, and without one while the service is unreachable', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: world.clock.wallMs() + hourMs });
    await world.put('a.txt', 'content', 'ready');
    const paused = await planned(run, ['/tray']);
    expect(paused.told).toEqual([['a.txt', 'upload', null]]);
    expect(paused.files[0]?.expectedAtMs).toBeGreaterThanOrEqual(world.clock.wallMs() + hourMs - 1000);
    world.service.refuse = { code: 'offline' };
    await run.call('queue.resume', {});
    await world.clock.advance(5000);
    const offline = await planned(run, ['/tray']);
    expect(offline.told).toEqual([['a.txt', 'upload', null]]);
    expect(offline.end?.finishesAtMs).toBeNull();
  });

  test('a subfolder of the watched folder as the scan does: nothing where subfolders are off', async () => {
    const { world, run } = await begin({ settings: { recursive: false } });
    world.disk.make('/tray/sub', 'folder');
    world.disk.write('/tray/sub/a.txt', 'content');
    expect((await planned(run, ['/tray/sub'])).told).toEqual([]);
    expect((await planned(run, ['/tray/sub/a.txt'])).told).toEqual([['a.txt', 'upload', null]]);
  });

  test('a watched folder that was never scanned as one that is newly chosen', async () => {
    const { world, run } = await begin({}, (one) => one.disk.write('/tray/old.txt', 'old'), { folder: null });
    expect((await planned(run, ['/tray'])).told).toEqual([['old.txt', 'skipped', 'existing']]);
    expect(world.rows()).toEqual([]);
    world.ledger.facts.set('existing', [{ folder: '/tray', existing: 'upload' }], world.clock.wallMs());
    expect((await planned(run, ['/tray'])).told).toEqual([['old.txt', 'upload', null]]);
  });

  test('an unavailable folder, and that files given by path are not allowed', async () => {
    const { world, run } = await begin({ settings: { allowGivenFiles: false } });
    world.disk.write('/else/a.txt', 'content');
    await expect(planned(run, ['/else/a.txt'])).rejects.toMatchObject({ code: 'not-allowed' });
    world.disk.mount('another');
    await expect(planned(run, ['/tray'])).rejects.toMatchObject({ code: expect.any(String) as string });
  });

  test('the second of two new files with the same name and content as sharing the link of the first', async () => {
    const { world, run } = await begin();
    world.disk.make('/else', 'folder');
    for (const dir of ['one', 'two']) {
      world.disk.make(`/else/${dir}`, 'folder');
      world.disk.write(`/else/${dir}/a.txt`, 'content');
    }
    await world.clock.advance(minuteMs);
    expect((await planned(run, ['/else'])).told).toEqual([
      ['a.txt', 'upload', null],
      ['a.txt', 'skipped', 'already-shared'],
    ]);
  });
});
