// A folder whose drive does not answer: the calls of the port fail in time (adapters/drives/), and the folder waits.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { begin, minuteMs, type World } from '../../../support/fake-world.ts';

const seconds = 1000;

/** Returns functions that make the drive hang and answer again. */
const hanging = (world: World): { hang(): void; answer(): void; asked(): number } => {
  const { files } = world.disk;
  const { list, look, identify, open } = files;
  let hangs = false;
  let asked = 0;
  const silence = (code: 'locked' | 'folder-unavailable') => {
    asked += 1;
    return new AppError(code, 'The drive does not answer.', 'It goes on by itself.');
  };
  world.disk.kind({ mayHang: true });
  files.identify = async (folder) => {
    if (hangs) throw silence('folder-unavailable');
    return await identify(folder);
  };
  files.look = async (path) => {
    if (hangs) throw silence('locked');
    return await look(path);
  };
  files.open = async (path, root) => {
    if (hangs) throw silence('locked');
    return await open(path, root);
  };
  files.list = async (folder, isUnchanged) =>
    hangs ? { ok: false, gone: false, message: silence('locked').message } : await list(folder, isUnchanged);
  return { hang: () => void (hangs = true), answer: () => void (hangs = false), asked: () => asked };
};

const told = (run: Awaited<ReturnType<typeof begin>>['run']): string[] =>
  run.entries().flatMap(({ body: { kind } }) => (kind.startsWith('folder-') ? [kind] : []));

test('a hung drive is reported within five seconds in every process, and its folder works again soon after it answers', async () => {
  const { world, run } = await begin();
  const guest = world.make('guest:1');
  const drive = hanging(world);
  await world.put('before.txt', 'before', 'uploaded');
  drive.hang();
  world.disk.write('/tray/during.txt', 'during');
  await world.clock.advance(5 * seconds);
  for (const { engine } of [run, guest])
    expect(engine.status().folders).toMatchObject([{ folder: '/tray', available: false }]);
  expect(told(run).filter((kind) => kind === 'folder-lost')).toHaveLength(1);

  await world.clock.advance(10 * minuteMs);
  expect(world.row('before.txt')).toMatchObject({ present: true, state: { kind: 'uploaded' } });
  drive.answer();
  await world.until('during.txt', 'uploaded', minuteMs);
  for (const { engine } of [run, guest])
    expect(engine.status().folders).toMatchObject([{ folder: '/tray', available: true }]);
});

test('a delay of two seconds is not reported, and the interrupted calls are repeated', async () => {
  const { world, run } = await begin();
  const drive = hanging(world);
  drive.hang();
  world.disk.write('/tray/during.txt', 'during');
  await world.clock.advance(2 * seconds);
  expect(drive.asked()).toBeGreaterThan(0);
  drive.answer();
  await world.until('during.txt', 'uploaded', 30 * seconds);
  expect(told(run).filter((kind) => kind === 'folder-lost')).toEqual([]);
});

test('a subfolder that cannot be read because of a hang is not skipped as unreadable', async () => {
  const { world, run } = await begin({}, (one) => one.disk.make('/tray/sub', 'folder'));
  await world.put('sub/a.txt', 'content', 'uploaded');
  const drive = hanging(world);
  const { files } = world.disk;
  const { list } = files;
  files.list = async (folder, isUnchanged) => {
    if (folder === '/tray/sub') drive.hang();
    return await list(folder, isUnchanged);
  };
  await run.call('folder.scan', {});
  await world.clock.advance(minuteMs);
  expect(drive.asked()).toBeGreaterThan(0);
  expect(world.rows().filter(({ state }) => state.kind === 'skipped')).toEqual([]);
  expect(world.row('a.txt').present).toBe(true);
});

const server = { identity: '40:0:0:from=fuse.sshfs ada@host:/tray', own: '30 0:40 /tray' };

/** A folder on a server: only the server's name and the known files distinguish it from another one. */
const beginOnServer = async () => {
  const { world, run } = await begin({}, (one) => {
    one.disk.identify(server.identity);
    one.disk.mounts(server.own, server.own);
  });
  return { world, run, drive: hanging(world) };
};

test('a drive that answers again counts as the chosen one, even if each known file in it has changed', async () => {
  const { world, run, drive } = await beginOnServer();
  await world.put('only.txt', 'before', 'uploaded');
  drive.hang();
  await world.clock.advance(2 * minuteMs);
  world.disk.write('/tray/only.txt', 'changed by another machine');
  drive.answer();
  await world.clock.advance(10 * seconds);
  expect(run.engine.status().folders).toMatchObject([{ available: true }]);
  await world.until('only.txt', 'uploaded', minuteMs);
  expect(world.row('only.txt').stamp?.sizeBytes).toBe(26);
});

test('a server remounted while the folder was away counts as the chosen one only if it has a known file', async () => {
  const { world, run, drive } = await beginOnServer();
  await world.put('only.txt', 'before', 'uploaded');
  drive.hang();
  await world.clock.advance(minuteMs);
  world.disk.mounts('1 8:1 /', '1 8:1 /');
  await world.clock.advance(10 * seconds);
  world.disk.write('/tray/only.txt', 'of another server');
  // Mount and device numbers are reused.
  world.disk.mounts(server.own, server.own);
  drive.answer();
  await world.clock.advance(5 * minuteMs);
  expect(run.engine.status().folders).toMatchObject([{ available: false }]);
});

test('a file that cannot be checked waits for its folder, and is checked as soon as the drive answers', async () => {
  const { world, run } = await begin();
  const drive = hanging(world);
  world.disk.write('/tray/slow.txt', 'slow');
  await world.until('slow.txt', 'settling', 10 * seconds);
  drive.hang();
  await world.clock.advance(5 * seconds);
  expect(run.engine.status().folders).toMatchObject([{ available: false }]);
  expect(world.row('slow.txt')).toMatchObject({
    state: { kind: 'waiting', reason: 'folder' },
    attempts: 0,
  });
  await world.clock.advance(30 * minuteMs);
  drive.answer();
  await world.until('slow.txt', 'uploaded', 10 * seconds);
});
