// Subfolders that cannot be read, are known already, or came with a folder that is chosen again.
import { expect, test } from 'vitest';
import { minuteMs, type Running, started, type World } from '../../../support/fake-world.ts';

const deep = async (): Promise<{ world: World; run: Running }> => {
  const { world, run } = await started();
  world.disk.make('/tray/sub', 'folder');
  world.disk.make('/tray/sub/deep', 'folder');
  await world.put('sub/deep/a.txt', 'content', 'uploaded');
  return { world, run };
};

test('a scan takes nothing below an unreadable folder for deleted', async () => {
  const { world, run } = await deep();
  world.disk.hide('/tray/sub', true);
  await run.call('folder.scan', {});
  await world.clock.advance(minuteMs);
  expect(world.row('a.txt').present).toBe(true);
  world.disk.remove('/tray/sub/deep');
  world.disk.hide('/tray/sub', false);
  await run.call('folder.scan', {});
  await world.clock.advance(minuteMs);
  expect(world.row('a.txt').present).toBe(false);
});

test('a hint for a folder reads that folder, and not the known folders in it', async () => {
  const { world } = await deep();
  await world.put('sub/b.txt', 'second', 'uploaded');
  world.disk.listed.length = 0;
  world.disk.hint({ folder: '/tray/sub', name: null });
  await world.clock.advance(1000);
  expect(world.disk.listed).toEqual(['/tray/sub']);
});

test('a folder that is chosen once more keeps everything as it is', async () => {
  const { world, run } = await deep();
  await run.call('folder.choose', { folder: '/tray', existing: 'upload' });
  await world.clock.advance(minuteMs);
  expect(world.service.count('upload')).toBe(1);
  expect(run.engine.status()).toMatchObject({ folder: '/tray', counts: { uploaded: 1 } });
});

test('a start in a folder that was replaced meanwhile is refused, and nothing in it is read', async () => {
  const { world, run } = await deep();
  await run.stop();
  world.disk.mount('another');
  world.disk.listed.length = 0;
  const next = world.make();
  const start = world.during(next.engine.start({ folder: '/tray', existing: 'upload' }));
  await expect(start).rejects.toMatchObject({ code: 'folder-unavailable' });
  expect(world.disk.listed).toEqual([]);
});

test.each(['/tray/s/a.txt', '/later/s/a.txt'])(
  'a file that a person gives below a folder without its subfolders goes: %s',
  async (path) => {
    const { world, run } = await started({ settings: { recursive: false } });
    for (const folder of ['/later', '/later/s', '/tray/s']) world.disk.make(folder, 'folder');
    await run.call('queue.pause', { untilMs: null });
    world.disk.write(path, 'content');
    await world.clock.advance(minuteMs);
    await run.call('files.upload', { paths: [path] });
    await run.call('folders.add', { folder: { path: '/later' }, existing: 'skip' });
    world.disk.write(path, 'another content');
    await run.call('files.upload', { paths: [path] });
    await world.until('a.txt', 'ready');
    await run.stop();
    await world.start();
    await world.clock.advance(minuteMs);
    await world.running().call('queue.resume', {});
    expect((await world.until('a.txt', 'uploaded')).present).toBe(true);
  },
);

test('a file that a person gave below a folder without its subfolders counts for the folder until it has left', async () => {
  const { world, run } = await started({ settings: { recursive: false } });
  world.disk.make('/tray/s', 'folder');
  for (const name of ['a', 'b']) world.disk.write(`/tray/s/${name}.txt`, `SECRET ${name}`);
  await world.clock.advance(minuteMs);
  await run.call('files.upload', { paths: ['/tray/s/a.txt', '/tray/s/b.txt'] });
  await world.until('a.txt', 'held');
  await world.until('b.txt', 'held');
  world.disk.remove('/tray/s/a.txt');
  await run.call('folder.scan', {});
  await world.clock.advance(minuteMs);
  expect(world.row('a.txt').present).toBe(false);
  expect(world.row('b.txt').present).toBe(true);
  expect(run.engine.status().counts).toMatchObject({ held: 1 });
});
