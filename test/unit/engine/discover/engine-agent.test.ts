// Files that an agent gives: only from its folders, and never against a person's decision or open question.
import { describe, expect, test } from 'vitest';
import { toAppError } from '../../../../src-main/contract/errors.ts';
import type { Settings } from '../../../../src-main/contract/settings.ts';
import {
  begin,
  createWorld,
  hourMs,
  loseAnswer,
  share,
  type Running,
  type World,
} from '../../../support/fake-world.ts';

const agent = { roots: ['/tray', '/else'], mayReopen: [] as number[] };
const give = async (run: Running, path: string, mayReopen: number[] = []) =>
  (await run.call('files.upload', { paths: [path], agent: { ...agent, mayReopen } }))[0]?.upload;

describe('an agent', () => {
  test('uploads a file from its folders, and the row records that the agent gave it', async () => {
    const { world, run } = await begin();
    world.disk.write('/else/a.txt', 'content');
    await give(run, '/else/a.txt');
    expect(await world.until('a.txt', 'uploaded')).toMatchObject({ door: 'agent' });
    await give(run, '/else/a.txt');
    expect(world.service.count('upload')).toBe(1);
  });

  test('cannot give a file outside its folders, and cannot ask for a second link', async () => {
    const { world, run } = await begin();
    world.disk.write('/home/a.txt', 'content');
    world.disk.write('/elsewhere/a.txt', 'content');
    for (const path of ['/home/a.txt', '/elsewhere/a.txt'])
      await expect(give(run, path)).rejects.toMatchObject({ code: 'outside' });
    await expect(run.call('files.bundle', { paths: ['/home/a.txt'], agent })).rejects.toMatchObject({
      code: 'outside',
    });
    world.disk.write('/else/b.txt', 'content');
    const again = { paths: ['/else/b.txt'], again: true, agent };
    await expect(run.call('files.upload', again)).rejects.toMatchObject({ code: 'bad-use' });
    expect(world.rows()).toEqual([]);
  });

  test.each(['/tray', '/else'])(
    'gets nothing out of a folder in %s that is swapped for a link while its file waits',
    async (folder) => {
      const { world, run } = await begin();
      await run.call('queue.pause', { untilMs: null });
      world.disk.write('/home/a.txt', 'secret there!');
      world.disk.write(`${folder}/sub/a.txt`, 'harmless here');
      await give(run, `${folder}/sub/a.txt`);
      world.disk.hints(false);
      world.disk.swap(`${folder}/sub`, '/home');
      await run.call('queue.resume', {});
      await world.clock.advance(hourMs);
      expect(world.service.stored).toEqual([]);
    },
  );

  test('does not release a held file by giving it again', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('id_rsa', 'a key', 'held');
    expect(await give(run, '/tray/id_rsa')).toMatchObject({ id, state: { kind: 'held' } });
    world.disk.write('/else/notes.txt', 'SECRET');
    await give(run, '/else/notes.txt');
    await world.until('notes.txt', 'held');
    expect(await give(run, '/else/notes.txt')).toMatchObject({ state: { kind: 'held' } });
    world.disk.write('/else/notes.txt', 'nothing to hide');
    await give(run, '/else/notes.txt');
    await world.until('notes.txt', 'uploaded');
    expect(world.service.namesOf()).toEqual(['notes.txt']);
  });

  test('does not release a held burst, whatever version of a file it gives', async () => {
    const { world, run } = await begin({ settings: { burstFiles: 2 } });
    for (const name of ['1', '2', '3']) world.disk.write(`/tray/${name}`, name);
    await world.until('3', 'held');
    world.disk.hints(false);
    world.disk.write('/tray/3', 'another version');
    expect(await give(run, '/tray/3')).toMatchObject({ state: { kind: 'held', reason: 'burst' } });
  });

  test.each<[string, Partial<Settings>, (world: World) => void]>([
    ['waits for its name', {}, (world) => world.disk.write('/tray/passwords.xlsx', 'content')],
    [
      'is part of a burst',
      { burstFiles: 2 },
      (world) => ['1', '2', '3'].forEach((n) => world.disk.write(`/tray/${n}`, n === '1' ? 'content' : n)),
    ],
    ['was there when its folder was chosen', {}, () => undefined],
  ])('packs no copy of a content that %s', async (what, settings, keep) => {
    const { world, run } = await begin({ settings }, ({ disk }) => {
      if (what.startsWith('was there')) disk.write('/tray/old.txt', 'content');
    });
    keep(world);
    await world.clock.advance(hourMs);
    world.disk.write('/else/copy', 'content');
    await expect(run.call('files.bundle', { paths: ['/else/copy'], name: 'z', agent })).rejects.toMatchObject(
      { code: 'outside' },
    );
    await give(run, '/else/copy');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
  });

  test("is given none of Outtray's own files, one by one or packed", async () => {
    const { world, run } = await begin();
    const own = '/home/me/.outtray/ledger-copy.bin';
    world.disk.write(own, 'every link');
    const asked = { ...agent, roots: [own] };
    const [answer] = await run.call('files.upload', { paths: [own], agent: asked });
    expect(answer?.error).toMatchObject({ code: 'own-data' });
    await expect(run.call('files.bundle', { paths: [own], name: 'z', agent: asked })).rejects.toMatchObject({
      code: 'own-data',
    });
    expect(world.rows()).toEqual([]);
  });

  test('does not upload files that were there before the folder was chosen', async () => {
    const { run } = await begin({}, (world) => world.disk.write('/tray/old.txt', 'old'));
    expect(await give(run, '/tray/old.txt')).toMatchObject({ state: { kind: 'skipped', rule: 'existing' } });
  });

  test('uploads a cancelled file again only if the same agent cancelled it', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    world.disk.write('/else/a.txt', 'content');
    await give(run, '/else/a.txt');
    const { id } = await world.until('a.txt', 'ready');
    await run.call('queue.cancel', { ids: [id] });
    await run.call('queue.resume', {});
    expect(await give(run, '/else/a.txt')).toMatchObject({ state: { kind: 'skipped', rule: 'cancelled' } });
    await give(run, '/else/a.txt', [id]);
    expect((await world.until('a.txt', 'uploaded')).id).toBe(id);
  });

  test('makes no new link for a file that a person took back or deleted', async () => {
    const { world, run } = await begin();
    const [back, gone] = [await share(world, 'back.txt'), await share(world, 'gone.txt')];
    await run.call('files.recall', { files: [{ fileId: back }] });
    world.ledger.remote.markGone(gone);
    expect((await give(run, '/tray/back.txt'))?.state.kind).not.toBe('settling');
    expect((await give(run, '/tray/gone.txt'))?.state.kind).toBe('uploaded');
    await world.clock.advance(60_000);
    expect(world.service.count('upload')).toBe(2);
  });

  test('does not resolve an uncertain upload', async () => {
    const { world, run } = await begin();
    const { id } = await loseAnswer(world, 'a.txt', 'content');
    expect((await give(run, '/tray/a.txt'))?.id).toBe(id);
    expect(world.service.count('upload')).toBe(1);
  });

  test('can make a link end sooner, never later', async () => {
    const { world, run } = await begin();
    world.disk.write('/else/a.txt', 'content');
    const expire = (wish: 'never' | { afterMs: number }, by = {}) =>
      run.call('files.upload', { paths: ['/else/a.txt'], expire: wish, ...by });
    const endMs = () => world.row('a.txt').ends?.atMs ?? null;
    await run.call('queue.pause', { untilMs: null });
    await expire({ afterMs: 2 * hourMs });
    await expire('never', { agent });
    await run.call('queue.resume', {});
    const asked = (await world.until('a.txt', 'uploaded')).ends?.atMs ?? null;
    expect(asked).not.toBeNull();
    await expire('never', { agent });
    await expire({ afterMs: 5 * hourMs }, { agent });
    expect(endMs()).toBe(asked);
    await expire({ afterMs: hourMs }, { agent });
    expect(endMs()).toBeLessThan(asked ?? 0);
    await expire('never');
    expect(endMs()).toBeNull();
    await expire({ afterMs: hourMs }, { agent });
    expect(endMs()).not.toBeNull();
  });

  test('packs a zip, and its row records that the agent gave it', async () => {
    const { world, run } = await begin();
    world.disk.write('/else/a.txt', 'content');
    await run.call('files.bundle', { paths: ['/else/a.txt'], name: 'all.zip', agent });
    expect(await world.until('all.zip', 'uploaded')).toMatchObject({ door: 'agent' });
  });

  describe('packs no file', () => {
    const cannotPack = async (run: Running, path: string) =>
      await expect(run.call('files.bundle', { paths: [path], name: 'z', agent })).rejects.toMatchObject({
        code: 'outside',
      });

    test('that a person cancelled, and no copy of it', async () => {
      const { world, run } = await begin();
      await run.call('queue.pause', { untilMs: null });
      const { id } = await world.put('a.txt', 'private words', 'ready');
      await run.call('queue.cancel', { ids: [id] });
      await world.clock.advance(hourMs);
      await run.call('queue.resume', {});
      world.disk.write('/else/copy.txt', 'private words');
      for (const path of ['/tray/a.txt', '/else/copy.txt', '/tray']) await cannotPack(run, path);
      expect(world.service.stored).toEqual([]);
      // A person does.
      await run.call('files.bundle', { paths: ['/tray/a.txt'], name: 'mine' });
      await world.until('mine.zip', 'uploaded');
    });

    test('whose link a person took back, and no copy of it', async () => {
      const { world, run } = await begin();
      const fileId = await share(world, 'a.txt', 'private words');
      await run.call('files.recall', { files: [{ fileId }] });
      world.disk.write('/else/copy.txt', 'private words');
      for (const path of ['/tray/a.txt', '/else/copy.txt']) await cannotPack(run, path);
    });

    test('that is a photo whose link a person took back, even though the zip would leave its location out', async () => {
      const { world, run } = await begin({ settings: { photoLocation: 'remove' } });
      const photo = '\x01\x02\x03PHOTO of GPS a house';
      const { fileId } = await world.put('a.jpg', photo, 'uploaded');
      await run.call('files.recall', { files: [{ fileId: fileId ?? 0 }] });
      world.disk.write('/else/copy.jpg', photo);
      for (const path of ['/tray/a.jpg', '/else/copy.jpg']) await cannotPack(run, path);
    });

    test('that was there before the folder was chosen', async () => {
      const { run } = await begin({}, (world) => world.disk.write('/tray/old.txt', 'old'));
      await cannotPack(run, '/tray/old.txt');
    });
  });
});

/** Who works when the agent gives: the engine that watches the folder, one that watches nothing, or another process. */
const situations = ['watched here', 'watched by none', 'watched elsewhere'] as const;

describe.each(situations)('with the folder %s, an agent', (situation) => {
  const rules = {
    ignore: ['*.psd', 'build/'],
    agentRoots: ['/tray', '/else'],
  };
  const prepare = async (settings: Partial<Settings> = {}) => {
    const world = createWorld({ settings: { recursive: true, ...rules, ...settings } });
    await world.clock.advance(1000);
    const first = await world.start();
    await world.clock.advance(1000);
    if (situation === 'watched here') return { world, run: first };
    if (situation === 'watched elsewhere') return { world, run: world.make('guest:1') };
    await first.stop();
    return { world, run: await world.start({ folder: null }) };
  };
  const isPublic = async (world: World, name: string): Promise<boolean> => {
    await world.clock.advance(3_600_000);
    return world.service.stored.some((one) => one.name === name || one.name === 'z.zip');
  };

  test.each([
    ...['/tray/draft.psd', '/tray/My.Projects/draft.psd', '/tray/build/a.txt', '/tray/.profile'],
    ...['/tray/.git/config', '/tray/film.part', '/tray/a.tmp', '/tray/$RECYCLE.BIN/a.txt', '/else/draft.psd'],
    ...['/else/.hidden/a.txt', '/else/build/b/a.txt', '/else/lost+found/a.txt', '/else/film.crdownload'],
  ])('publishes nothing that a rule keeps out: %s', async (path) => {
    const { world, run } = await prepare();
    world.disk.hints(false);
    world.disk.write(path, 'content');
    const [given] = await run.call('files.upload', { paths: [path], agent });
    expect(given).toMatchObject({ upload: null, error: { code: 'forbidden' } });
    const folder = path.slice(0, path.lastIndexOf('/'));
    for (const paths of [[path], [folder]])
      await run
        .call('files.bundle', { paths, name: 'z', agent })
        .catch((error: unknown) => toAppError(error));
    expect(await isPublic(world, path.slice(folder.length + 1))).toBe(false);
    // A person's own upload is one verdict, whichever process watches.
    world.disk.write(path, 'content');
    await run.call('files.upload', { paths: [path] });
    const { state } = world.row(path.slice(folder.length + 1));
    expect(state.kind === 'skipped' ? state : null).toBeNull();
  });

  test('publishes nothing of a subfolder that is left out', async () => {
    const { world, run } = await prepare({ recursive: false });
    world.disk.write('/tray/sub/a.txt', 'content');
    const [given] = await run.call('files.upload', { paths: ['/tray/sub/a.txt'], agent });
    expect(given).toMatchObject({ error: { code: 'forbidden' } });
    for (const path of ['/tray', '/tray/sub', '/tray/sub/a.txt'])
      await expect(run.call('files.bundle', { paths: [path], name: 'z', agent })).rejects.toThrow();
    expect(await isPublic(world, 'a.txt')).toBe(false);
  });

  test.each(['folder', 'agent'])(
    'publishes nothing of a subfolder that is left out since, by the %s',
    async (door) => {
      const { world, run } = await prepare();
      await run.call('queue.pause', { untilMs: null });
      const path = '/tray/sub/a.txt';
      world.disk.make('/tray/sub', 'folder');
      world.disk.write(path, 'content');
      if (door === 'agent') await run.call('files.upload', { paths: [path], agent });
      await world.clock.advance(60_000);
      await run.call('folders.set', { folder: '/tray', name: 'recursive', value: false });
      await run.call('queue.resume', {});
      expect(await isPublic(world, 'a.txt')).toBe(false);
      const kinds = world.rows().map(({ state }) => state.kind);
      expect(kinds.every((kind) => kind === 'gone' || kind === 'skipped')).toBe(true);
      // A person's own upload goes from there.
      await run.call('files.upload', { paths: [path] });
      expect(await isPublic(world, 'a.txt')).toBe(true);
    },
  );

  test('waits for the pause of a folder, with files and zips', async () => {
    const { world, run } = await prepare();
    await run.call('folders.set', { folder: '/tray', name: 'paused', value: true });
    world.disk.hints(false);
    world.disk.write('/tray/a.txt', 'content');
    await run.call('files.upload', { paths: ['/tray/a.txt'], agent });
    await run.call('files.bundle', { paths: ['/tray/a.txt'], name: 'z', agent });
    expect(await isPublic(world, 'a.txt')).toBe(false);
    await run.call('folders.set', { folder: '/tray', name: 'paused', value: false });
    expect(await isPublic(world, 'a.txt')).toBe(true);
  });

  test('waits for the time of grace, which giving the file again neither ends nor restarts', async () => {
    const { world, run } = await prepare({ graceSeconds: 120 });
    world.disk.hints(false);
    world.disk.write('/tray/a.txt', 'content');
    await world.clock.advance(5000);
    const giveAll = async () => {
      await run.call('files.upload', { paths: ['/tray/a.txt'], agent });
      await run.call('files.bundle', { paths: ['/tray/a.txt'], name: 'z', agent });
    };
    await giveAll();
    await world.clock.advance(60_000);
    await run.call('files.upload', { paths: ['/tray/a.txt'], agent });
    await world.clock.advance(45_000);
    expect(world.service.stored).toEqual([]);
    await world.clock.advance(60_000);
    expect(world.service.namesOf()).toContain('a.txt');
  });

  test('lets no link live longer than its folder allows', async () => {
    const { world, run } = await prepare();
    await run.call('folders.set', { folder: '/tray', name: 'expireAfter', value: '1h' });
    world.disk.hints(false);
    for (const name of ['a.txt', 'b.txt', 'c.txt']) world.disk.write(`/tray/${name}`, name);
    await run.call('files.upload', { paths: ['/tray/a.txt'], expire: 'never', agent });
    await run.call('files.upload', { paths: ['/tray/b.txt'], expire: { afterMs: 9 * hourMs }, agent });
    await run.call('files.bundle', { paths: ['/tray/c.txt'], name: 'z', expire: 'never', agent });
    for (const name of ['a.txt', 'b.txt', 'z.zip']) {
      const { ends, uploadedAtMs } = await world.until(name, 'uploaded');
      expect([name, (ends?.atMs ?? Infinity) - (uploadedAtMs ?? 0)]).toEqual([name, hourMs]);
    }
  });
});
