// Odd requests of a person, at odd moments.
import { describe, expect, test } from 'vitest';
import { begin, minuteMs, share, started, type World } from '../../../support/fake-world.ts';

describe('a person', () => {
  test('can cancel twice while nothing runs, and both count', async () => {
    const { world, run } = await begin();
    const guest = world.make('guest:1');
    world.disk.write('/tray/a.txt', 'a');
    world.disk.write('/tray/b.txt', 'bb');
    await world.until('a.txt', 'sending');
    await world.until('b.txt', 'sending');
    run.life.kill();
    await guest.client.call('queue.cancel', { ids: [world.row('a.txt').id] });
    await guest.client.call('queue.cancel', { ids: [world.row('b.txt').id] });
    await world.start();
    await world.clock.advance(minuteMs);
    expect(world.service.stored).toEqual([]);
  });

  test('can move an upload to the top that does not wait', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt');
    const [view] = await run.call('queue.toTop', { ids: [world.row('a.txt').id] });
    expect(view?.state.kind).toBe('uploaded');
  });

  test('can delete files that this machine never uploaded', async () => {
    const { world, run } = await begin();
    const { fileId } = world.service.addForeign('theirs.txt', 'x');
    expect(await run.call('files.delete', { fileIds: [fileId] })).toMatchObject([{ deleted: true }]);
  });

  test('gets the error for a limit when it cannot be distinguished from the plan', async () => {
    const { world, run } = await begin();
    world.service.refuseLists = { code: 'limit', status: 403 };
    world.service.api.stats = () => Promise.reject(new Error('broken'));
    await expect(run.call('files.list', {})).rejects.toMatchObject({ code: 'limit' });
  });

  test('can read a list that keeps shifting, and nothing counts as deleted', async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'a.txt');
    await world.clock.advance(20 * minuteMs);
    for (let n = 0; n < 30; n += 1) world.service.addForeign(`f${n}`, 'x');
    const { list } = world.service.api;
    world.service.api.list = async (query, stop) => {
      world.service.addForeign('new', 'x');
      const answer = await list(query, stop);
      return { ...answer, files: answer.files.filter((file) => file.file_id !== fileId) };
    };
    await run.call('files.refresh', {});
    expect(world.ledger.remote.byId(fileId)?.gone).not.toBe(true);
  });

  test('does not have to wait for a preview of a folder after stopping it', async () => {
    const { world, run } = await begin();
    world.disk.make('/new', 'folder');
    world.disk.write('/new/a.txt', 'x');
    const seen = await run.engine.handlers['folder.inspect'](
      { folder: '/new', beside: false },
      AbortSignal.abort(),
    );
    expect(seen.goes.totalFiles).toBe(0);
  });

  test('can confirm a file before a burst, and it is not held with the rest', async () => {
    const { world, run } = await begin({ settings: { burstFiles: 4 } });
    await run.call('queue.pause', { untilMs: null });
    const { id } = await world.put('server.key', 'secret', 'held');
    await run.call('queue.confirm', { ids: [id] });
    await world.until('server.key', 'ready');
    for (let n = 1; n <= 8; n += 1) world.disk.write(`/tray/${n}.txt`, 'x'.repeat(n));
    await world.until('8.txt', 'held');
    expect(world.row('server.key').state.kind).toBe('ready');
  });
});

describe('a path in the watched folder', () => {
  test.each<[string, (world: World) => void, string]>([
    ['where nothing is', () => undefined, 'gone'],
    ['where a folder is', (world) => world.disk.make('/tray/thing', 'folder'), 'not-a-file'],
  ])('%s is refused, and nothing is recorded', async (_, prepare, code) => {
    const { world, run } = await started();
    prepare(world);
    const [view] = await run.call('files.upload', { paths: ['/tray/thing'] });
    expect(view).toMatchObject({ path: '/tray/thing', upload: null, error: { code } });
    expect(world.rows()).toEqual([]);
    expect(run.engine.status().counts).toMatchObject({ failed: 0 });
    world.disk.remove('/tray/thing');
    await world.put('thing', 'here now', 'uploaded', 60_000);
    expect(run.engine.status().counts).toMatchObject({ failed: 0, uploaded: 1 });
  });
});
