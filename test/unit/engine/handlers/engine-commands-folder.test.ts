// Commands to a whole engine through the client: files given by path, folder, overview, guests.
import { typedText } from '../../../../src-main/cli/output/typed.ts';
import { describe, expect, test } from 'vitest';
import { begin, createWorld, hourMs, minuteMs, share } from '../../../support/fake-world.ts';
import { several } from '../../../support/several-folders.ts';

describe('files given by path', () => {
  test('are uploaded at once when they are old enough, wherever they are', async () => {
    const { world, run } = await begin();
    world.disk.write('/elsewhere/a.txt', 'content');
    await world.clock.advance(minuteMs);
    const [view] = await run.call('files.upload', { paths: ['/elsewhere/a.txt'] });
    expect(view?.upload).toMatchObject({ path: '/elsewhere/a.txt', bucket: 'waiting' });
    const fromMs = world.clock.monoMs();
    await world.until('a.txt', 'uploaded');
    expect(world.clock.monoMs() - fromMs).toBeLessThan(200);
  });

  test('are refused one by one if they are no regular files, and are not recorded', async () => {
    const { world, run } = await begin();
    world.disk.make('/elsewhere/link', 'link');
    world.disk.make('/elsewhere/pipe', 'special');
    world.disk.make('/elsewhere/sub', 'folder');
    world.disk.write('/elsewhere/locked', 'x');
    world.disk.hide('/elsewhere/locked', true);
    const paths = ['link', 'pipe', 'sub', 'locked', 'nothing'].map((name) => `/elsewhere/${name}`);
    const taken = await run.call('files.upload', { paths });
    expect(taken.map(({ path, error }) => [path, error?.code])).toEqual(
      paths.map((path, at) => [path, ['not-a-file', 'not-a-file', 'not-a-file', undefined, 'gone'][at]]),
    );
    expect(taken.map(({ upload }) => upload?.state.kind)).toEqual([
      undefined,
      undefined,
      undefined,
      'failed',
      undefined,
    ]);
    expect(world.rows().map(({ name }) => name)).toEqual(['locked']);
    world.disk.hide('/elsewhere/locked', false);
    await run.call('files.upload', { paths: ['/elsewhere/locked'] });
    await world.until('locked', 'uploaded');
  });

  test('get their existing link or continue their upload, and are uploaded again on request', async () => {
    const { world, run } = await begin();
    world.disk.write('/elsewhere/a.txt', 'content');
    await run.call('files.upload', { paths: ['/elsewhere/a.txt'] });
    const [twice] = await run.call('files.upload', { paths: ['/elsewhere/a.txt'] });
    const row = await world.until('a.txt', 'uploaded');
    expect(twice?.upload?.id).toBe(row.id);
    const [same] = await run.call('files.upload', { paths: ['/elsewhere/a.txt'] });
    expect(same?.upload).toMatchObject({ id: row.id, publicLink: row.publicLink });
    await run.call('files.upload', { paths: ['/elsewhere/a.txt'], again: true });
    await world.clock.runUntil(() => world.service.stored.length === 2, minuteMs);
    expect(world.row('a.txt').id).not.toBe(row.id);
  });

  test('continue an upload under way, even when another link is requested', async () => {
    const { world, run } = await begin();
    world.disk.write('/elsewhere/a.txt', 'content');
    await run.call('files.upload', { paths: ['/elsewhere/a.txt'] });
    const row = await world.until('a.txt', 'sending');
    const [view] = await run.client.call('files.upload', { paths: ['/elsewhere/a.txt'], again: true });
    expect(view?.upload?.id).toBe(row.id);
    await world.until('a.txt', 'uploaded');
  });

  test('in the watched folder continue their upload from there, and are no longer held for a burst', async () => {
    const { world, run } = await begin({ settings: { burstBytes: 5 } });
    const row = await world.put('a.txt', 'content', 'held');
    const [view] = await run.call('files.upload', { paths: ['/tray/a.txt'] });
    expect(view?.upload?.id).toBe(row.id);
  });

  test('are held when they look like secrets, until they are confirmed', async () => {
    const { world, run } = await begin();
    world.disk.write('/elsewhere/.env', 'X=1');
    await run.call('files.upload', { paths: ['/elsewhere/.env'] });
    const row = await world.until('.env', 'held');
    await run.call('queue.confirm', { ids: [row.id] });
    await world.until('.env', 'uploaded');
  });

  test('keep their link when their folder is watched later', async () => {
    const { world, run } = await begin({ settings: { folder: null } });
    world.disk.make('/elsewhere', 'folder');
    world.disk.write('/elsewhere/a.txt', 'content');
    await run.call('files.upload', { paths: ['/elsewhere/a.txt'] });
    const row = await world.until('a.txt', 'uploaded');
    await run.call('folder.choose', { folder: '/elsewhere', existing: 'upload' });
    await world.clock.advance(minuteMs);
    expect(world.rows()).toHaveLength(1);
    expect(world.row('a.txt')).toMatchObject({ id: row.id, fileId: row.fileId, state: { kind: 'uploaded' } });
    expect(world.row('a.txt').folderId).not.toBeNull();
  });
});

describe('folder', () => {
  test('is previewed before it is chosen: largest files first, with totals', async () => {
    const { world, run } = await begin({ settings: { folder: null } });
    world.disk.make('/new', 'folder');
    world.disk.make('/new/sub', 'folder');
    world.disk.make('/new/locked', 'folder');
    world.disk.make('/new/link', 'link');
    world.disk.hide('/new/locked', true);
    world.disk.write('/new/small.txt', 'x');
    world.disk.write('/new/sub/large.txt', 'xxxxx');
    const seen = await run.call('folder.inspect', { folder: '/new/' });
    expect(seen).toMatchObject({ folder: '/new', goes: { totalFiles: 2, totalBytes: 6 }, known: false });
    expect(seen.goes.files.map((file) => file.relative)).toEqual(['sub/large.txt', 'small.txt']);
  });

  test('has a preview that agrees with the run about uploaded, held and skipped files', async () => {
    const { world, run } = await begin({ settings: { folder: null, forbiddenTypes: ['exe'] } });
    world.service.stats.limits.max_file_size = 100;
    world.ledger.facts.set('size-unit', 1, 0);
    await run.call('stats.get', { refresh: true });
    world.ledger.facts.set(
      'size-limit',
      {
        told: 100,
        plan: 'Pro',
        acceptedBytes: 0,
        refused: { bytes: 101, atMs: world.clock.wallMs() },
        isLifted: false,
      },
      0,
    );
    world.disk.make('/new', 'folder');
    world.disk.make('/new/keys', 'folder');
    world.disk.write('/new/report.pdf', 'report');
    world.disk.write('/new/keys/id_rsa.bak', 'secret');
    world.disk.write('/new/.env', 'secret too');
    world.disk.write('/new/keys/~$plan.docx', 'temporary');
    world.disk.write('/new/empty.txt', '');
    world.disk.write('/new/.hidden', 'hidden');
    world.disk.write('/new/setup.exe', 'program');
    world.disk.write('/new/film.mov', 'x'.repeat(101));
    const seen = await run.call('folder.inspect', { folder: '/new' });
    const files = (['goes', 'held', 'skipped'] as const).map((group) =>
      Object.fromEntries(seen[group].files.map(({ relative, why }) => [relative, why])),
    );
    expect(files).toEqual([
      { 'report.pdf': null },
      { 'keys/id_rsa.bak': 'secret-name', '.env': 'secret-name' },
      {
        'keys/~$plan.docx': 'temporary',
        'empty.txt': 'empty',
        '.hidden': 'hidden',
        'setup.exe': 'not-allowed',
        'film.mov': 'too-large',
      },
    ]);
    await run.call('folder.choose', { folder: '/new', existing: 'upload' });
    await world.clock.advance(minuteMs);
    // A file that is too large, or of a forbidden type, is reported as failed.
    expect(run.engine.status().counts).toEqual({ uploaded: 1, held: 2, skipped: 3, failed: 2, waiting: 0 });
  });

  test('is chosen, watched, and chosen again after another folder takes its place', async () => {
    const { world, run } = await begin();
    world.disk.mount('another');
    run.engine.resumed();
    await world.clock.advance(1000);
    expect(run.engine.status().folderAvailable).toBe(false);
    await run.call('folder.choose', { folder: '/tray', existing: 'skip' });
    expect(run.engine.status().folderAvailable).toBe(true);
    await expect(run.call('folder.choose', { folder: '/home/me', existing: 'skip' })).rejects.toMatchObject({
      code: 'folder-refused',
    });
  });

  test('changes to another one, whose pre-existing files are not uploaded', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt');
    world.disk.make('/new', 'folder');
    world.disk.write('/new/b.txt', 'b');
    await world.clock.advance(minuteMs);
    await run.call('settings.set', { name: 'folder', value: '/new' });
    expect(run.engine.status()).toMatchObject({ folder: '/new', counts: { skipped: 1, uploaded: 0 } });
  });

  test('why explains any file, known or not', async () => {
    const { world, run } = await begin();
    const why = async (path: string): Promise<string> =>
      typedText((await run.call('file.why', { path })).sentence);
    await share(world, 'a.txt');
    expect(await why('/tray/a.txt')).toBe(`Uploaded: ${world.service.stored[0]?.link ?? ''}`);
    await world.put('copy.txt', 'a.txt', 'skipped');
    expect(await why('/tray/copy.txt')).toContain('already shared');
    world.disk.write('/elsewhere/b.txt', 'b');
    expect(await why('/elsewhere/b.txt')).toContain('outside the watched folder');
    await expect(why('/elsewhere/none.txt')).rejects.toMatchObject({ code: 'not-found' });
  });

  test('why reports that no folder is chosen', async () => {
    const world = createWorld({ settings: { folder: null } });
    const run = await world.start({ folder: null });
    world.disk.write('/elsewhere/b.txt', 'b');
    expect((await run.call('file.why', { path: '/elsewhere/b.txt' })).sentence).toContain(
      'no folder is chosen',
    );
    run.engine.resumed();
    await world.clock.advance(minuteMs);
    expect(run.engine.status()).toMatchObject({ folder: null, watch: 'off' });
  });
});

describe('overview', () => {
  test('statistics report the service’s numbers and the budget', async () => {
    const { world, run } = await begin();
    expect(await run.call('stats.get', {})).toMatchObject({ service: null, asOfMs: null });
    await share(world, 'a.txt');
    world.service.stats.limits.daily_uploads = 100;
    const stats = await run.call('stats.get', { refresh: true });
    expect(stats).toMatchObject({ service: { plan: 'Pro' }, dailyUploads: { used: 1, limit: 100 } });
    expect(stats.budget.minute.used).toBeGreaterThan(1);
    expect(stats.days.reduce((sum, day) => sum + day.uploads, 0)).toBe(1);
    world.service.refuse = { code: 'limit', status: 403 };
    await expect(run.call('stats.get', { refresh: true })).rejects.toMatchObject({ code: 'plan' });
  });

  test('settings are read and changed, and wrong ones are refused before they are stored', async () => {
    const { world, run } = await begin();
    const set = (name: 'ignore' | 'concurrentUploads', value: unknown): Promise<unknown> =>
      run.call('settings.set', { name, value });
    await set('concurrentUploads', 2);
    expect(world.settings.current().concurrentUploads).toBe(2);
    await expect(set('concurrentUploads', 0)).rejects.toMatchObject({ code: 'bad-setting' });
    await expect(set('ignore', ['*.log', '', '[open'])).rejects.toMatchObject({
      code: 'bad-setting',
      message: expect.stringContaining('[open') as string,
    });
    expect((await run.call('settings.get', {})).find((one) => one.name === 'ignore')?.value).toEqual([]);
    expect(run.changes.some((change) => change.kind === 'settings')).toBe(true);
  });

  test('patterns take effect at once, on waiting and skipped files', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    await world.put('a.log', 'log', 'ready');
    await run.call('settings.set', { name: 'ignore', value: ['*.log'] });
    const row = await world.until('a.log', 'skipped');
    expect(row.state).toEqual({ kind: 'skipped', rule: 'ignored', pattern: '*.log' });
    await run.call('settings.set', { name: 'ignore', value: [] });
    await world.until('a.log', 'ready');
  });

  test('the number of ignored files is reported by folder, and for all folders without their own patterns', async () => {
    const { world, run } = await several();
    const ignored = (folder: string | null) => run.call('folders.ignored', { folder });
    expect(await ignored(null)).toEqual({ ignored: 0, files: 0 });
    for (const path of ['/tray/1.log', '/tray/1.txt', '/b/2.log', '/c/3.log', '/c/.hidden'])
      world.disk.write(path, path);
    await world.until('1.txt', 'uploaded', hourMs);
    await world.until('3.log', 'uploaded', hourMs);
    await run.call('settings.set', { name: 'ignore', value: ['*.log', '*.bak'] });
    await run.call('folders.set', { folder: '/c', name: 'ignore', value: ['*.bak'] });
    for (const path of ['/tray/4.log', '/tray/5.bak', '/b/6.log', '/c/7.log', '/c/8.bak'])
      world.disk.write(path, path);
    await world.until('7.log', 'uploaded', hourMs);
    await world.until('8.bak', 'skipped', hourMs);
    // A file that has its link keeps it, whatever the patterns say now.
    expect(await ignored('/tray')).toEqual({ ignored: 2, files: 4 });
    expect(await ignored('/b')).toEqual({ ignored: 1, files: 2 });
    expect(await ignored('/c')).toEqual({ ignored: 1, files: 4 });
    expect(await ignored(null)).toEqual({ ignored: 3, files: 6 });
    expect(await ignored('/elsewhere')).toEqual({ ignored: null });
    // With fewer patterns, the skipped file is uploaded and no longer counted.
    await run.call('folders.set', { folder: '/c', name: 'ignore', value: [] });
    await world.until('8.bak', 'uploaded', hourMs);
    expect(await ignored('/c')).toEqual({ ignored: 0, files: 4 });
    world.disk.takeAway('/b', true);
    world.disk.hint({ folder: '/b', name: '6.log' });
    await world.clock.advance(minuteMs);
    expect(await ignored('/b')).toEqual({ ignored: null });
  });

  test('invalid rules leave the old ones in force', async () => {
    const { world, run } = await begin();
    await world.settings.set('ignore', ['[open']);
    await world.clock.advance(1000);
    expect(world.log.lines.some((line) => line.event === 'rules not taken over')).toBe(true);
    await share(world, 'a.txt');
    expect(run.engine.status().watch).toBe('live');
  });

  test('status and doctor answer', async () => {
    const { run } = await begin();
    expect(await run.call('app.status', {})).toMatchObject({
      running: true,
      gate: { kind: 'open' },
      sending: 0,
    });
    expect(await run.call('app.doctor', {})).toEqual([
      { name: 'disk', ok: true, message: 'There is room.', remedy: '' },
    ]);
  });

  test('another process changes what the running engine does', async () => {
    const { world, run } = await begin();
    const guest = world.make('guest:1');
    await guest.call('queue.pause', { untilMs: null });
    expect(run.engine.status().paused).toBe(true);
    world.disk.write('/elsewhere/a.txt', 'content');
    await guest.call('files.upload', { paths: ['/elsewhere/a.txt'] });
    await world.clock.advance(minuteMs);
    expect(world.row('a.txt').state.kind).toBe('ready');
    const why = await guest.call('file.why', { path: '/elsewhere/a.txt' });
    expect(why.sentence).toContain('paused');
    await guest.call('queue.resume', {});
    await world.until('a.txt', 'uploaded');
    expect(guest.engine.status().running).toBe(false);
  });
});
