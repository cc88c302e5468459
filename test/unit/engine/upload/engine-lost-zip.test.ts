// What Outtray made for an upload (a zip, standard input) is removed or written to by another program before it is sent.
import { expect, test } from 'vitest';
import { begin, minuteMs, type World } from '../../../support/fake-world.ts';

/** The spool has a folder that no other process touches. `after`: what happens to the packed zip. */
const spooling = (world: World, after: (path: string) => void = () => undefined): void => {
  const pack = world.spool.pack.bind(world.spool);
  world.spool.pack = async (...given) => {
    const path = await pack(...given);
    const at = path.lastIndexOf('/');
    world.spool.kept.push({ dir: path.slice(0, at), name: path.slice(at + 1), isGuarded: true });
    after(path);
    return path;
  };
};
const write = (world: World, content: string): void => {
  world.disk.make('/docs', 'folder');
  world.disk.write('/docs/a.txt', content);
};
const pathOf = (world: World): string => `${world.row('docs.zip').dir}/docs.zip`;
/** The file is gone, its folder is still there. */
const empty = (world: World, path: string): void => {
  world.disk.remove(path);
  world.spool.kept = world.spool.kept.map((one) => ({ ...one, name: null }));
};

test.each(['plain', 'SECRET', '\x01\x02\x03PHOTO GPS'])(
  'a zip that is removed as soon as it is packed is reported with a remedy, and leaves nothing: %j',
  async (content) => {
    const { world, run } = await begin();
    spooling(world, (path) => empty(world, path));
    write(world, content);
    const packed = run.call('files.bundle', { paths: ['/docs'] });
    await expect(packed).rejects.toThrow(
      /^docs\.zip was removed from \/spool\/\d+ before it could be sent\.$/,
    );
    await expect(packed).rejects.toMatchObject({ code: 'gone' });
    expect(world.spool.kept).toEqual([]);
    expect(world.rows()).toEqual([]);
  },
);

test('a zip whose files cannot be read completely leaves no folder', async () => {
  const { world, run } = await begin();
  spooling(world);
  write(world, 'plain');
  world.disk.files.openForWriting = () => Promise.reject(new Error('no'));
  await expect(run.call('files.bundle', { paths: ['/docs'] })).rejects.toThrow();
  expect(world.spool.kept).toEqual([]);
});

test.each([
  ['while it waits', true],
  ['after it was held', false],
])('a zip that is removed %s is gone, and so is its folder', async (_when, isPaused) => {
  const { world, run } = await begin();
  spooling(world);
  write(world, isPaused ? 'plain' : 'SECRET');
  if (isPaused) await run.call('queue.pause', { untilMs: null });
  const { upload } = await run.call('files.bundle', { paths: ['/docs'] });
  await world.until('docs.zip', isPaused ? 'ready' : 'held');
  empty(world, pathOf(world));
  if (isPaused) await run.call('queue.resume', {});
  else
    await run
      .call('queue.confirm', { ids: [upload.id] })
      .catch(() => run.call('queue.skip', { ids: [upload.id] }));
  await world.clock.advance(5 * minuteMs);
  expect(world.service.stored).toEqual([]);
  expect(world.spool.kept).toEqual([]);
});

test.each([
  [
    'written to',
    (world: World, path: string) => world.disk.write(path, 'SECRET words that nobody looked into'),
  ],
  [
    'replaced',
    (world: World, path: string) => world.disk.replace(path, 'SECRET words that nobody looked into'),
  ],
])('a zip that is %s in the spool is not sent, and why reports it', async (_what, act) => {
  const { world, run } = await begin();
  spooling(world);
  write(world, 'plain');
  await run.call('queue.pause', { untilMs: null });
  const { upload } = await run.call('files.bundle', { paths: ['/docs'] });
  await world.until('docs.zip', 'ready');
  act(world, pathOf(world));
  await run.call('queue.resume', {});
  const { state } = await world.until('docs.zip', 'failed');
  expect(state).toMatchObject({ code: 'changed', remedy: 'It is not sent. Upload the files again.' });
  await run.call('queue.retry', { ids: [upload.id] }).catch(() => undefined);
  await world.clock.advance(5 * minuteMs);
  expect(world.service.stored).toEqual([]);
});

test('a zip that is only touched in the spool is sent', async () => {
  const { world, run } = await begin();
  spooling(world);
  write(world, 'plain');
  await run.call('queue.pause', { untilMs: null });
  await run.call('files.bundle', { paths: ['/docs'] });
  await world.until('docs.zip', 'ready');
  world.disk.chmod(pathOf(world));
  await run.call('queue.resume', {});
  await world.until('docs.zip', 'uploaded');
});
