// A cancellation belongs to the content: it holds whatever happens to the name, stamp, inode or mount.
import { describe, expect, test } from 'vitest';
import { minuteMs, started, type World } from '../../../support/fake-world.ts';

type Start = Awaited<ReturnType<typeof started>>;

const path = '/tray/a.txt';
const content = 'private words';

/** The file is cancelled while the queue is paused, and its content is known. */
const cancelled = async (): Promise<Start> => {
  const begun = await started({ settings: { recursive: true } });
  await begun.run.call('queue.pause', { untilMs: null });
  begun.world.disk.write(path, content);
  const { id } = await begun.world.until('a.txt', 'ready');
  await begun.run.call('queue.cancel', { ids: [id] });
  await begun.world.clock.advance(minuteMs);
  await begun.run.call('queue.resume', {});
  return begun;
};

/** The same while another program has the file open, so that its content is not known yet; the queue is still paused. */
const cancelledUnread = async (): Promise<Start> => {
  const begun = await started({});
  const { world, run } = begun;
  await run.call('queue.pause', { untilMs: null });
  world.disk.write(path, content);
  const { id } = await world.until('a.txt', 'ready');
  world.disk.lock(path, true);
  await run.call('queue.cancel', { ids: [id] });
  await world.clock.advance(minuteMs);
  world.disk.lock(path, false);
  return begun;
};

/** A process that does not run the engine stores the no to a file that was not read. */
const refuseElsewhere = (world: World): void => {
  const { id } = world.row('a.txt');
  world.ledger.uploads.update(id, { state: { kind: 'skipped', rule: 'cancelled' }, sha256: null }, 0);
};

/** The same, and the engine has not heard of it when the queue goes on. */
const cancelledElsewhere = async (): Promise<Start> => {
  const begun = await started({ settings: { recursive: true, lookInside: false } });
  const { world, run } = begun;
  await run.call('queue.pause', { untilMs: null });
  world.disk.write(path, content);
  await world.until('a.txt', 'ready');
  refuseElsewhere(world);
  await run.call('queue.resume', {});
  return begun;
};

/** All of these keep the content. */
const same: [what: string, act: (world: World) => void][] = [
  ['given other rights', ({ disk }) => disk.chmod(path)],
  ['given an old time', ({ disk }) => disk.age(path, 1000)],
  ['touched', ({ disk }) => disk.touch(path)],
  ['written with the same bytes', ({ disk }) => disk.write(path, content)],
  ['replaced by a copy of itself', ({ disk }) => disk.replace(path, content)],
  ['renamed', ({ disk }) => disk.rename(path, '/tray/b.txt')],
  ['copied', ({ disk }) => disk.write('/tray/b.txt', content)],
  ['linked', ({ disk }) => disk.hardLink(path, '/tray/b.txt')],
  ['copied over another file', ({ disk }) => disk.replace('/tray/other.txt', content)],
  [
    'moved into a subfolder',
    ({ disk }) => {
      disk.make('/tray/s', 'folder');
      disk.rename(path, '/tray/s/a.txt');
    },
  ],
];

describe('a cancelled file is not uploaded when it is', () => {
  const cases = same.flatMap(([what, act]) => [
    { what, act, begin: cancelled },
    { what: `${what}, and was not read before`, act, begin: cancelledElsewhere },
  ]);
  test.each(cases)('$what', async ({ act, begin }) => {
    const { world } = await begin();
    act(world);
    await world.clock.advance(10 * minuteMs);
    expect(world.service.count('upload')).toBe(0);
    expect(
      world
        .rows()
        .filter(({ present }) => present)
        .map(({ state }) => state),
    ).toSatisfy((states: { kind: string }[]) => states.every(({ kind }) => kind === 'skipped'));
  });

  test('copied, and the copy is being sent when it is cancelled', async () => {
    const { world, run } = await started({ settings: { lookInside: false } });
    await run.call('queue.pause', { untilMs: null });
    world.disk.write(path, content);
    world.disk.write('/tray/b.txt', content);
    await world.until('a.txt', 'ready');
    await world.until('b.txt', 'ready');
    let isSaid = false;
    world.disk.raceAtUse((used) => {
      if (used !== '/tray/b.txt' || world.row('b.txt').state.kind !== 'sending' || isSaid) return;
      isSaid = true;
      refuseElsewhere(world);
    });
    await run.call('queue.order', { by: 'newest' });
    await run.call('queue.resume', {});
    await world.clock.advance(10 * minuteMs);
    expect(isSaid).toBe(true);
    expect(world.service.stored).toEqual([]);
    expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  });

  test('packed by an agent, and was not read before', async () => {
    const { world, run } = await cancelledElsewhere();
    world.disk.make('/other', 'folder');
    world.disk.write('/other/b.txt', content);
    const agent = { roots: ['/other'], mayReopen: [] };
    const bundle = run.call('files.bundle', { paths: ['/other/b.txt'], agent });
    await expect(bundle).rejects.toMatchObject({ code: 'outside' });
  });

  test('given outside of the watched folders, not read before, and moved into one', async () => {
    const { world, run } = await started({});
    world.disk.make('/else', 'folder');
    await run.call('queue.pause', { untilMs: null });
    world.disk.write('/else/a.txt', content);
    await run.call('files.upload', { paths: ['/else/a.txt'] });
    const { id } = await world.until('a.txt', 'ready');
    world.disk.lock('/else/a.txt', true);
    await run.call('queue.cancel', { ids: [id] });
    await world.clock.advance(minuteMs);
    world.disk.lock('/else/a.txt', false);
    world.disk.rename('/else/a.txt', '/tray/b.txt');
    await run.call('queue.resume', {});
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toEqual([]);
    expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  });

  test('deleted and restored as another file', async () => {
    const { world } = await cancelled();
    world.disk.remove(path);
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/later.txt', content);
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toEqual([]);
  });

  test('cancelled while another program has it open, deleted and restored', async () => {
    const { world, run } = await cancelledUnread();
    await run.call('queue.resume', {});
    await world.clock.advance(10 * minuteMs);
    world.disk.remove(path);
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/later.txt', content);
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toEqual([]);
  });

  test('overwritten and then restored', async () => {
    const { world } = await cancelled();
    world.disk.write(path, 'other words!!');
    await world.until('a.txt', 'uploaded');
    world.disk.write(path, content);
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored.map(({ bytes }) => String(bytes))).toEqual(['other words!!']);
  });

  test('found again after a restart, on a disk with other numbers', async () => {
    const { world, run } = await cancelled();
    await run.stop();
    world.disk.kind({ device: 7, tellsBirth: false });
    world.disk.replace(path, content);
    world.disk.write('/tray/copy.txt', content);
    await world.start();
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toEqual([]);
  });

  test('touched before its content was read', async () => {
    const { world, run } = await cancelledUnread();
    world.disk.touch(path);
    await run.call('queue.resume', {});
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toEqual([]);
  });

  test('copied, and the copy is already waiting', async () => {
    const { world, run } = await started({});
    await run.call('queue.pause', { untilMs: null });
    world.disk.write(path, content);
    world.disk.write('/tray/b.txt', content);
    const { id } = await world.until('a.txt', 'ready');
    await world.until('b.txt', 'ready');
    await run.call('queue.cancel', { ids: [id] });
    await world.clock.advance(minuteMs);
    await run.call('queue.resume', {});
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toEqual([]);
    expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  });

  test('given by an agent under another name', async () => {
    const { world, run } = await cancelled();
    world.disk.make('/other', 'folder');
    world.disk.write('/other/b.txt', content);
    await run.call('files.upload', { paths: ['/other/b.txt'], agent: { roots: ['/other'], mayReopen: [] } });
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toEqual([]);
  });
});

describe('a cancelled file is uploaded when', () => {
  test('its content changes', async () => {
    const { world } = await cancelled();
    world.disk.write(path, 'harmless word');
    await world.until('a.txt', 'uploaded');
  });

  test('a person gives it by path', async () => {
    const { world, run } = await cancelled();
    await run.call('files.upload', { paths: [path] });
    await world.until('a.txt', 'uploaded');
  });

  test('a person undoes the cancellation', async () => {
    const { world, run } = await cancelled();
    await run.call('queue.undo', {});
    await world.until('a.txt', 'uploaded');
    world.disk.write('/tray/b.txt', content);
    await world.clock.advance(10 * minuteMs);
    expect(world.row('b.txt').state).toMatchObject({ rule: 'already-shared' });
  });

  test('a person confirms it', async () => {
    const { world, run } = await cancelled();
    await run.call('queue.confirm', { ids: [world.row('a.txt').id] });
    await world.until('a.txt', 'uploaded');
  });

  test('the agent that cancelled it gives it again', async () => {
    const { world, run } = await started({});
    world.disk.make('/other', 'folder');
    world.disk.write('/other/b.txt', content);
    await run.call('queue.pause', { untilMs: null });
    const agent = { roots: ['/other'], mayReopen: [] };
    await run.call('files.upload', { paths: ['/other/b.txt'], agent });
    const { id } = await world.until('b.txt', 'ready');
    await run.call('queue.cancel', { ids: [id] });
    await world.clock.advance(minuteMs);
    await run.call('queue.resume', {});
    await run.call('files.upload', { paths: ['/other/b.txt'], agent: { ...agent, mayReopen: [id] } });
    await world.until('b.txt', 'uploaded');
  });

  test('no agent gives it again, also if it was cancelled for the agent under another name', async () => {
    const { world, run } = await started({});
    world.disk.make('/other', 'folder');
    for (const name of ['a', 'b']) world.disk.write(`/other/${name}.txt`, content);
    await run.call('queue.pause', { untilMs: null });
    const agent = { roots: ['/other'], mayReopen: [] };
    await run.call('files.upload', { paths: ['/other/a.txt'], agent });
    const { id } = await world.until('a.txt', 'ready');
    await run.call('queue.cancel', { ids: [id] });
    await run.call('files.upload', { paths: ['/other/b.txt'] });
    await run.call('queue.cancel', { ids: [(await world.until('b.txt', 'ready')).id] });
    await world.clock.advance(minuteMs);
    await run.call('queue.resume', {});
    const again = { ...agent, mayReopen: [id] };
    await run.call('files.upload', { paths: ['/other/a.txt'], agent: again });
    await world.clock.advance(minuteMs);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    const bundle = run.call('files.bundle', { paths: ['/other/a.txt'], agent: again });
    await expect(bundle).rejects.toMatchObject({ code: 'outside' });
  });
});

describe('a question belongs to the content', () => {
  test('a copy of a file with a secret name is held under any name', async () => {
    const { world } = await started({});
    world.disk.write('/tray/id_rsa', 'key words');
    await world.until('id_rsa', 'held');
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/notes.txt', 'key words');
    expect((await world.until('notes.txt', 'held')).state).toMatchObject({ reason: 'secret-name' });
  });

  test('a copy of a file of a held burst is held with it', async () => {
    const { world } = await started({ settings: { burstFiles: 3 } });
    for (const name of ['1', '2', '3', '4', '5']) world.disk.write(`/tray/${name}.txt`, `text ${name}`);
    await world.until('5.txt', 'held');
    await world.clock.advance(5 * minuteMs);
    world.disk.write('/tray/copy.txt', 'text 3');
    await world.until('copy.txt', 'held');
    expect(world.service.stored).toEqual([]);
  });

  test('another version of a held file is held under any name', async () => {
    const { world } = await started({});
    world.disk.write('/tray/id_rsa', 'key words');
    await world.until('id_rsa', 'held');
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/id_rsa', 'other words');
    await world.clock.advance(5 * minuteMs);
    world.disk.remove('/tray/id_rsa');
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/notes.txt', 'other words');
    expect((await world.until('notes.txt', 'held')).state).toMatchObject({ reason: 'secret-name' });
  });

  test('another version of a file of a held burst is held under any name', async () => {
    const { world } = await started({ settings: { burstFiles: 3 } });
    for (const name of ['1', '2', '3', '4', '5']) world.disk.write(`/tray/${name}.txt`, `text ${name}`);
    await world.until('5.txt', 'held');
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/3.txt', 'another text');
    await world.clock.advance(5 * minuteMs);
    world.disk.remove('/tray/3.txt');
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/restored.txt', 'another text');
    await world.until('restored.txt', 'held');
    expect(world.service.stored).toEqual([]);
  });

  test('a refused burst stays refused when one of its files is restored', async () => {
    const { world, run } = await started({ settings: { burstFiles: 3 } });
    for (const name of ['1', '2', '3', '4', '5']) world.disk.write(`/tray/${name}.txt`, `text ${name}`);
    await world.until('5.txt', 'held');
    await run.call('queue.skip', { ids: world.rows().map(({ id }) => id) });
    await world.clock.advance(5 * minuteMs);
    world.disk.remove('/tray/3.txt');
    await world.clock.advance(minuteMs);
    world.disk.write('/tray/restored.txt', 'text 3');
    await world.clock.advance(10 * minuteMs);
    expect(world.row('restored.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
    expect(world.service.stored).toEqual([]);
  });

  test('a confirmation applies to the same content under another secret name', async () => {
    const { world, run } = await started({});
    world.disk.write('/tray/id_rsa', 'a public key');
    const { id } = await world.until('id_rsa', 'held');
    await world.clock.advance(minuteMs);
    await run.call('queue.pause', { untilMs: null });
    await run.call('queue.confirm', { ids: [id] });
    await world.until('id_rsa', 'ready');
    world.disk.write('/tray/server.key', 'a public key');
    await world.until('server.key', 'ready');
  });
});

test('files are read only if a decision exists about a file of the same size', async () => {
  const { world } = await cancelled();
  const before = world.disk.opened.length;
  world.disk.write('/tray/longer.txt', `${content} and more`);
  await world.until('longer.txt', 'uploaded');
  const other = world.disk.opened.length - before;
  world.disk.write('/tray/other.txt', 'other words!!');
  await world.until('other.txt', 'uploaded');
  expect(world.disk.opened.length - before - other).toBe(other + 1);
});

test('a cancellation after a request by path holds when the file is restored', async () => {
  const { world, run } = await started({});
  await run.call('queue.pause', { untilMs: null });
  world.disk.write(path, content);
  await world.until('a.txt', 'ready');
  await run.call('files.upload', { paths: [path], again: true });
  const { id } = await world.until('a.txt', 'ready');
  await run.call('queue.cancel', { ids: [id] });
  await world.clock.advance(minuteMs);
  await run.call('queue.resume', {});
  world.disk.replace(path, content);
  await world.clock.advance(10 * minuteMs);
  expect(world.service.stored).toEqual([]);
});

test.each(['queue.cancel', 'queue.skip'] as const)(
  '%s applies to the file: of the two rows that an earlier version made of one path neither is uploaded',
  async (call) => {
    const { world, run } = await started({});
    await run.call('queue.pause', { untilMs: null });
    world.disk.make('/d', 'folder');
    world.disk.write('/d/a.txt', content);
    await run.call('folders.add', { folder: { path: '/d' }, existing: 'upload' });
    const { stamp, state } = await world.until('a.txt', 'ready');
    const given = { folderId: null, dir: '/d', name: 'a.txt', stamp, state, door: 'window' as const };
    world.ledger.uploads.insert(given, world.clock.wallMs());
    await world.clock.advance(minuteMs);
    const rows = world.ledger.uploads.atPath('/d', 'a.txt', 10);
    expect(rows.map(({ state }) => state.kind)).toEqual(['ready', 'ready']);
    for (const { id } of rows.slice(0, 1)) await run.call(call, { ids: [id] });
    await run.call('queue.resume', {});
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toHaveLength(0);

    await run.call('queue.undo', {});
    await world.clock.advance(10 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
  },
);
