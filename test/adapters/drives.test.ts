// A drive that may hang, with a fake of its process: requests end in time, and it is back with its first answer.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { demandAnswer } from '../../src-main/adapters/drives/answers.ts';
import { createDrive, type Link } from '../../src-main/adapters/drives/drive.ts';
import { createDrives } from '../../src-main/adapters/drives/drives.ts';
import type { DriveOrder, DriveReply } from '../../src-main/adapters/drives/messages.ts';
import type { Mount } from '../../src-main/adapters/files/mount-table.ts';
import type { Files, OpenFile } from '../../src-main/engine/ports/files.ts';
import { toAppError } from '../../src-main/contract/errors.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const fakeLink = () => {
  const orders: DriveOrder[] = [];
  let ears: Parameters<Link['listen']>[0] | null = null;
  let isHeld = false;
  const link: Link = {
    send: (order) => void orders.push(order),
    listen: (hear) => (ears = hear),
    hold: (held) => (isHeld = held),
    end: () => undefined,
  };
  const reply = (said: DriveReply): void => ears?.reply(said);
  return {
    link,
    orders,
    reply,
    sign: () => ears?.sign(),
    end: () => ears?.end(),
    isHeld: () => isHeld,
    answer: (call: DriveOrder['call'], value: unknown) => {
      const order = orders.findLast((one) => one.call === call);
      reply({ kind: 'answer', id: order?.id ?? 0, value });
    },
  };
};

const begin = () => {
  const process = fakeLink();
  const drive = createDrive('/net', process.link);
  process.reply({ kind: 'ready' });
  return { process, drive };
};

/** Its code, or its value, once it has ended; null as long as it is open. */
const endOf = (asked: Promise<unknown>): { now(): unknown } => {
  let end: unknown = null;
  asked.then(
    (value) => (end = value),
    (error: unknown) => (end = toAppError(error).code),
  );
  return { now: () => end };
};

test('a request fails after a second of silence, and every other one at once until an answer arrives', async () => {
  const { process, drive } = begin();
  const [look, identify] = [endOf(drive.ask('look', '/net/a')), endOf(drive.ask('identify', '/net'))];
  await vi.advanceTimersByTimeAsync(900);
  expect([look.now(), identify.now()]).toEqual([null, null]);
  expect(process.isHeld()).toBe(true);
  await vi.advanceTimersByTimeAsync(200);
  expect([look.now(), identify.now()]).toEqual(['locked', 'folder-unavailable']);
  expect(process.isHeld()).toBe(false);

  await vi.advanceTimersByTimeAsync(60_000);
  await expect(drive.ask('look', '/net/b')).rejects.toMatchObject({ code: 'locked' });
  expect(process.orders).toHaveLength(2); // one attempt: those that hang

  process.answer('look', null);
  const again = endOf(drive.ask('look', '/net/b'));
  process.answer('look', 'found');
  await vi.advanceTimersByTimeAsync(0);
  expect(again.now()).toBe('found');
});

test('a slow call is awaited for as long as the drive answers anything', async () => {
  const { process, drive } = begin();
  const list = endOf(drive.ask('list', '/net'));
  for (let second = 0; second < 60; second += 0.5) {
    process.sign();
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(list.now()).toBe(null);
  process.answer('list', 'listing');
  await vi.advanceTimersByTimeAsync(0);
  expect(list.now()).toBe('listing');
});

test('the hash of a large file and the list of a large folder are awaited for as long as the drive answers', async () => {
  const { process, drive } = begin();
  const [hash, list] = [endOf(drive.ask('sha256', 1)), endOf(drive.ask('list', '/net'))];
  for (let second = 0; second < 3600; second += 0.5) {
    process.sign();
    await vi.advanceTimersByTimeAsync(500);
  }
  expect([hash.now(), list.now()]).toEqual([null, null]);
  process.answer('sha256', 'f00d');
  process.answer('list', 'listing');
  await vi.advanceTimersByTimeAsync(0);
  expect([hash.now(), list.now()]).toEqual(['f00d', 'listing']);
});

test('a call that hangs although the drive answers others ends, and no other request is sent until it is answered', async () => {
  const { process, drive } = begin();
  const look = endOf(drive.ask('look', '/net/a'));
  for (let at = 0; at < 21; at += 1) {
    process.sign();
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(look.now()).toBe('locked');
  process.sign();
  await expect(drive.ask('look', '/net/b')).rejects.toMatchObject({ code: 'locked' });
  process.answer('look', null);
  endOf(drive.ask('look', '/net/b'));
  expect(process.orders).toHaveLength(2);
});

test('a drive that was late is given twice as long; one that hung for long is not', async () => {
  const { process, drive } = begin();
  const afterSilence = async (ms: number): Promise<void> => {
    endOf(drive.ask('look', '/net/a'));
    await vi.advanceTimersByTimeAsync(ms);
    process.answer('look', null);
  };
  await afterSilence(60_000);
  await afterSilence(2000);
  const look = endOf(drive.ask('look', '/net/a'));
  await vi.advanceTimersByTimeAsync(3900);
  expect(look.now()).toBe(null);
  await vi.advanceTimersByTimeAsync(300);
  expect(look.now()).toBe('locked');
});

test('a drive that has answered everything is not silent, even if this process was busy for long before it noticed', async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const { process, drive } = begin();
  endOf(drive.ask('look', '/net/a'));
  vi.advanceTimersByTime(100); // the check is due after what has come meanwhile
  process.answer('look', 'found');
  vi.advanceTimersByTime(60_000);
  await new Promise((next) => setImmediate(next));
  endOf(drive.ask('look', '/net/b'));
  expect(process.orders).toHaveLength(2);
});

test('silence does not count before the process has started, and every request fails when it ends', async () => {
  const process = fakeLink();
  const drive = createDrive('/net', process.link);
  const look = endOf(drive.ask('look', '/net/a'));
  await vi.advanceTimersByTimeAsync(5000);
  expect(look.now()).toBe(null);
  process.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(look.now()).toBe('locked');
  // What it says is about the process: nothing is known about the drive.
  await expect(drive.ask('look', '/net/a')).rejects.toMatchObject({
    code: 'locked',
    message: 'The process that reads the drive at /net does not start.',
  });
  expect(drive.mayStartAgain()).toBe(false);
  await vi.advanceTimersByTimeAsync(5000);
  expect(drive.mayStartAgain()).toBe(true);
});

const mounts: Record<string, Mount> = {
  '/net': {
    id: '1',
    device: '0:1',
    root: '/',
    path: '/net',
    kind: 'nfs',
    layers: [],
    source: 'nas:/',
    options: '',
  },
};
const hanging = (path: string): Mount | null => (path.startsWith('/net') ? (mounts['/net'] ?? null) : null);
const inHere = (): never => {
  throw new Error('A call in this process.');
};

const reach = () => {
  const processes: ReturnType<typeof fakeLink>[] = [];
  const here = {
    identify: () => Promise.resolve('here'),
    openForWriting: (paths: readonly string[]) =>
      Promise.resolve(new Map(paths.map((path) => [path, 'closed']))),
    spell: (paths: readonly string[]) =>
      Promise.resolve(paths.map((path) => ({ path: path.toLowerCase(), isGuess: false }))),
    list: inHere,
    look: inHere,
    place: inHere,
    open: inHere,
    disk: inHere,
    mounts: inHere,
  } as unknown as Files;
  const drives = createDrives({
    here: {
      files: here,
      paths: { real: inHere, realFolder: inHere },
      watch: { start: inHere },
      photo: inHere,
    },
    disks: { hanging },
    start: () => {
      const process = fakeLink();
      processes.push(process);
      setTimeout(() => process.reply({ kind: 'ready' }), 0);
      return process.link;
    },
  });
  return { ...drives, processes };
};

test('a caller that waits for an abandoned drive is released, although the drive’s process does not end', async () => {
  const { files, processes, close } = reach();
  const look = endOf(files.look('/net/a'));
  await vi.advanceTimersByTimeAsync(100);
  close();
  await vi.advanceTimersByTimeAsync(0);
  expect(look.now()).toBe('locked');
  expect(processes[0]?.isHeld()).toBe(false);
});

test('a local path starts no process, and a drive has one', async () => {
  const { files, processes } = reach();
  expect(await files.identify('/home/tray')).toBe('here');
  expect(processes).toHaveLength(0);
  endOf(files.look('/net/a'));
  endOf(files.list('/net'));
  expect(processes).toHaveLength(1);
});

test('no port call that reads from a hung drive stays pending, and none is made in this process', async () => {
  const { files, paths, watch, processes } = reach();
  const opening = files.open('/net/a', '/net');
  await vi.advanceTimersByTimeAsync(10);
  const [process] = processes;
  process?.answer('open', { sizeBytes: 3, key: 'k' });
  const open: OpenFile = await opening;
  const { signal } = new AbortController();
  const ends = {
    identify: endOf(files.identify('/net')),
    list: endOf(files.list('/net')),
    look: endOf(files.look('/net/a')),
    place: endOf(files.place('/net/a')),
    spell: endOf(files.spell(['/net/a', '/home/B', '/net/b'])),
    real: endOf(paths.real('/net/a')),
    realFolder: endOf(paths.realFolder('/net/a')),
    open: endOf(files.open('/net/b', '/net')),
    writing: endOf(
      files.openForWriting(['/net/a', '/home/b']).then((map) => [...map].map((one) => one.join(' ')).join()),
    ),
    head: endOf(open.head(10)),
    read: endOf(open.pieces(signal)[Symbol.asyncIterator]().next()),
    sha256: endOf(open.sha256()),
    unchanged: endOf(open.unchanged()),
    where: endOf(open.place()),
    watch: endOf(
      watch.start({
        root: '/net',
        recursive: true,
        sighted: () => undefined,
        health: () => undefined,
        signal,
      }),
    ),
  };
  await vi.advanceTimersByTimeAsync(1200);
  const now = Object.fromEntries(Object.entries(ends).map(([call, end]) => [call, end.now()]));
  expect(now).toEqual({
    identify: 'folder-unavailable',
    list: { ok: false, gone: false, message: 'The drive at /net does not answer.' },
    look: 'locked',
    place: { path: '/net/a', names: ['/net/a'], folders: [] },
    spell: ['/net/a', '/home/b', '/net/b'].map((path) => ({ path, isGuess: false })),
    real: 'locked',
    realFolder: 'locked',
    open: 'locked',
    // No answer for the file of the drive: nothing proves that no process writes to it.
    writing: '/home/b closed',
    head: 'locked',
    read: 'locked',
    sha256: 'locked',
    unchanged: false,
    where: 'locked',
    watch: 'folder-unavailable',
  });
  await open.close();
});

test('reading a file stops when it is no longer wanted, whatever the drive does', async () => {
  const { files, processes } = reach();
  const opening = files.open('/net/a', '/net');
  await vi.advanceTimersByTimeAsync(10);
  processes[0]?.answer('open', { sizeBytes: 3, key: 'k' });
  const stop = new AbortController();
  const read = endOf((await opening).pieces(stop.signal)[Symbol.asyncIterator]().next());
  stop.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(read.now()).toBe('aborted');
});

test('a file that a hung drive opens too late is closed', async () => {
  const { files, processes } = reach();
  const opening = endOf(files.open('/net/a', '/net'));
  await vi.advanceTimersByTimeAsync(1300);
  expect(opening.now()).toBe('locked');
  expect(processes[0]?.orders.map(({ call }) => call)).toEqual(['open', 'close']);
});

test('another disk at the same place has its own process, even while the first one hangs', async () => {
  const { files, processes } = reach();
  const first = endOf(files.look('/net/a'));
  await vi.advanceTimersByTimeAsync(1300);
  expect(first.now()).toBe('locked');
  const mount = mounts['/net'];
  if (mount === undefined) throw new Error('No mount.');
  mounts['/net'] = { ...mount, id: '2' };
  const second = endOf(files.look('/net/a'));
  expect(processes).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(10);
  processes[1]?.answer('look', null);
  await vi.advanceTimersByTimeAsync(0);
  expect(second.now()).toBe(null);
});

test('a data folder is opened once its drive has answered, not because of a cache, and not on a drive that does not answer', async () => {
  const ask = (mount: Mount | null | undefined) => {
    const process = fakeLink();
    const asked = demandAnswer('/net/home', {
      disks: { hanging: () => mount ?? null },
      start: () => process.link,
    });
    return { process, end: endOf(asked.then(() => 'answers')), asked };
  };
  const elsewhere = ask(null);
  await vi.advanceTimersByTimeAsync(0);
  expect([elsewhere.end.now(), elsewhere.process.orders]).toEqual(['answers', []]);

  const lively = ask(mounts['/net']);
  lively.process.reply({ kind: 'ready' });
  lively.process.answer('real', '/net/home');
  await vi.advanceTimersByTimeAsync(4000);
  expect(lively.end.now()).toBeNull();
  lively.process.sign();
  await vi.advanceTimersByTimeAsync(0);
  expect(lively.end.now()).toBe('answers');

  const hung = ask(mounts['/net']);
  const told = expect(hung.asked).rejects.toThrow('The drive at /net with the data folder does not answer.');
  // A busy machine starts its process late.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(hung.end.now()).toBeNull();
  hung.process.reply({ kind: 'ready' });
  hung.process.sign();
  await vi.advanceTimersByTimeAsync(5000);
  expect(hung.end.now()).toBe('disk');
  await told;

  const broken = ask(mounts['/net']);
  broken.process.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(broken.end.now()).toBe('answers');
});
