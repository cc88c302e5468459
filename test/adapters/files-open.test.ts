import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  truncateSync,
  ftruncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Client } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { createPieces } from '../../src-main/adapters/files/pieces.ts';
import type { OpenFile } from '../../src-main/engine/ports/files.ts';
import { temporaryFolder } from './files-folder.ts';
import { posixTest } from '../support/posix.ts';
import { isDeep } from '../support/deep.ts';

const files = createFiles();
const MiB = 1024 * 1024;
const never = new AbortController().signal;

const opened = async (path: string, root: string | null = null): Promise<OpenFile> => {
  const file = await files.open(path, root);
  onTestFinished(() => file.close());
  return file;
};

const written = (sizeBytes: number): { path: string; folder: string; content: Buffer } => {
  const folder = temporaryFolder();
  const content = randomBytes(sizeBytes);
  writeFileSync(join(folder, 'file'), content);
  return { folder, path: join(folder, 'file'), content };
};

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

test.each([0, 1, 65_537, MiB - 1, MiB, MiB + 1, 3 * MiB, 7 * MiB + 5, 8 * MiB, 11 * MiB + 3])(
  'a file of %i bytes is read whole, once, with its SHA-256',
  async (sizeBytes) => {
    const { path, folder, content } = written(sizeBytes);
    const file = await opened(path, folder);
    const copy = createHash('sha256');
    let total = 0;
    for await (const piece of file.pieces(never)) {
      await new Promise((resolve) => setImmediate(resolve)); // reading ahead must not touch what we hold
      copy.update(piece);
      total += piece.length;
    }
    expect(total).toBe(sizeBytes);
    expect(file.stamp.sizeBytes).toBe(sizeBytes);
    expect(copy.digest('hex')).toBe(sha256(content));
    expect(await file.sha256()).toBe(sha256(content));
    expect(await file.unchanged()).toBe(true);
  },
);

test('no buffer is reused before the hash has read it, however quick the consumer is', async () => {
  const { path, content } = written(64 * MiB);
  const file = await opened(path);
  for await (const piece of file.pieces(never)) void piece;
  expect(await file.sha256()).toBe(sha256(content));
});

test('a piece stays unchanged while it is held, and the hash covers the pieces that were handed out', async () => {
  const { path, content } = written(12 * MiB + 1);
  const file = await opened(path);
  const handedOut = createHash('sha256');
  let atBytes = 0;
  for await (const piece of file.pieces(never)) {
    // Long enough for everything ahead to be filled.
    await new Promise((resolve) => setTimeout(resolve, 15));
    expect(Buffer.compare(piece, content.subarray(atBytes, atBytes + piece.length))).toBe(0);
    handedOut.update(piece);
    atBytes += piece.length;
  }
  expect(atBytes).toBe(content.length);
  expect(await file.sha256()).toBe(handedOut.digest('hex'));
});

test.each([0, MiB])(
  'a system error while reading is passed on as its fault, with a worker from %i bytes on',
  async (workerFrom) => {
    const fd = openSync(temporaryFolder(), 'r');
    const reader = createPieces({ workerFrom })({ fd, path: 'folder', sizeBytes: 100 });
    await expect(reader.pieces(never).next()).rejects.toMatchObject({ code: 'not-a-file' });
    await expect(reader.sha256()).rejects.toMatchObject({ code: 'internal' });
    await reader.end();
    closeSync(fd);
  },
);

test.each([100, 9 * MiB])('a file of %i bytes that was closed is not read any more', async (bytes) => {
  const file = await opened(written(bytes).path);
  await file.close();
  const reading = file.pieces(never)[Symbol.asyncIterator]().next();
  await expect(reading).rejects.toMatchObject({ code: 'aborted' });
});

test('several large files at once each get their own hash', async () => {
  const all = [9, 10, 12].map((size) => written(size * MiB));
  const hashes = all.map(async ({ path }) => {
    const file = await opened(path);
    for await (const piece of file.pieces(never)) void piece;
    return file.sha256();
  });
  expect(await Promise.all(hashes)).toEqual(all.map(({ content }) => sha256(content)));
});

test('large files beside a large one are read in smaller pieces, and one that starts after them is not', async () => {
  const { path } = written(9 * MiB);
  const read = async (file: OpenFile): Promise<number> => {
    let longest = 0;
    for await (const piece of file.pieces(never)) longest = Math.max(longest, piece.length);
    return longest;
  };
  const three = [await opened(path), await opened(path), await opened(path)];
  expect(await Promise.all(three.map(read))).toEqual([MiB, MiB / 4, MiB / 4]);
  await Promise.all(three.map((file) => file.close()));
  expect(await read(await opened(path))).toBe(MiB);
});

test('a receiver that pauses gets the exact file over the network', async () => {
  const { path, content } = written(20 * MiB + 1);
  const arrived = createHash('sha256');
  const receive = async (request: IncomingMessage): Promise<void> => {
    let pieces = 0;
    for await (const piece of request) {
      arrived.update(piece as Buffer);
      if ((pieces += 1) % 64 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const server = createServer((request, response) => void receive(request).then(() => response.end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { pipelining: 0 });
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  const file = await opened(path);
  const answer = await client.request({
    path: '/',
    method: 'POST',
    headers: { 'content-length': String(content.length) },
    // undici accepts an async iterable as it is; only its types do not.
    body: file.pieces(never) as unknown as Readable,
  });
  await answer.body.dump();
  expect(arrived.digest('hex')).toBe(sha256(content));
  expect(await file.sha256()).toBe(sha256(content));
});

test('a file of 2 GiB is read with little memory', async () => {
  const read = (isDeep ? 512 : 192) * MiB;
  const path = join(temporaryFolder(), 'sparse');
  const fd = openSync(path, 'w');
  ftruncateSync(fd, 2048 * MiB);
  closeSync(fd);
  const file = await opened(path);
  const before = process.memoryUsage.rss();
  let total = 0;
  for await (const piece of file.pieces(never)) {
    total += piece.length;
    if (total === read) break; // enough to see it grow, and a fraction of the time
  }
  expect(total).toBe(read);
  expect((process.memoryUsage.rss() - before) / MiB).toBeLessThan(60);
});

test.each([
  ['truncated', (path: string): void => truncateSync(path, 5 * MiB)],
  ['appended to', (path: string): void => appendFileSync(path, 'more')],
])('a file %s while it is read ends in "changed", before its last piece', async (_what, change) => {
  const { path, folder } = written(9 * MiB);
  const file = await opened(path, folder);
  let total = 0;
  const reading = (async () => {
    for await (const piece of file.pieces(never)) {
      total += piece.length;
      if (total === MiB) change(path);
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'changed' });
  expect(total).toBeLessThan(9 * MiB);
  expect(await file.unchanged()).toBe(false);
  await expect(file.sha256()).rejects.toMatchObject({ code: 'internal' });
});

test.runIf(process.platform === 'linux').each([
  ['fewer bytes than its size', '/sys/kernel/uevent_seqnum', 4096, MiB],
  ['fewer bytes than its size, when a worker reads it', '/sys/kernel/uevent_seqnum', 4096, 1],
  ['more bytes than its size', '/proc/self/status', 0, MiB],
])('a file that has %s has not changed, and is reported so', async (_what, path, sizeBytes, workerFrom) => {
  const fd = openSync(path, 'r');
  const reader = createPieces({ workerFrom })({ fd, path, sizeBytes });
  const read = async (): Promise<void> => {
    for await (const _piece of reader.pieces(never));
  };
  await expect(read()).rejects.toMatchObject({
    code: 'disk',
    message: `${path} has another size than its disk reports.`,
  });
  await reader.end();
  closeSync(fd);
});

const isSeen = async (_what: string, change: (path: string) => void): Promise<void> => {
  const { path, folder } = written(3);
  const file = await opened(path, folder);
  expect(await file.unchanged()).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 10)); // more than a tick of the kernel's clock
  change(path);
  expect(await file.unchanged()).toBe(false);
};

test.each<Parameters<typeof isSeen>>([
  ['overwritten in place', (path) => writeFileSync(path, 'xyz')],
  ['moved away', (path) => renameSync(path, `${path}.old`)],
])('a file that is %s counts as changed', isSeen);

posixTest('an open file keeps its name').each<Parameters<typeof isSeen>>([
  [
    'replaced by a rename',
    (path) => {
      writeFileSync(`${path}.new`, 'abc');
      renameSync(`${path}.new`, path);
    },
  ],
  [
    'swapped for a link to itself',
    (path) => {
      renameSync(path, `${path}.old`);
      symlinkSync(`${path}.old`, path);
    },
  ],
])('a file that is %s counts as changed', isSeen);

posixTest('a link needs a right there')(
  'a parent folder swapped for a symbolic link lets nothing out: before the open, and after it',
  async () => {
    const folder = temporaryFolder();
    const [root, elsewhere] = [join(folder, 'tray'), join(folder, 'elsewhere')];
    for (const each of [join(root, 'sub'), elsewhere]) mkdirSync(each, { recursive: true });
    writeFileSync(join(root, 'sub', 'file'), 'ours');
    writeFileSync(join(elsewhere, 'file'), 'private');

    const file = await opened(join(root, 'sub', 'file'), root);
    renameSync(join(root, 'sub'), join(folder, 'moved out'));
    symlinkSync(join(folder, 'moved out'), join(root, 'sub'));
    expect(await file.unchanged()).toBe(false); // the same inode at the same path, but no longer inside

    await expect(files.open(join(root, 'sub', 'file'), root)).rejects.toMatchObject({ code: 'outside' });
    await expect(files.open(join(root, 'sub', '..', '..', 'elsewhere', 'file'), root)).rejects.toMatchObject({
      code: 'outside',
    });
  },
);

posixTest('a link needs a right there')(
  'the watched folder itself may be reached through a symbolic link',
  async () => {
    const { folder, path } = written(3);
    mkdirSync(join(folder, 'tray'));
    renameSync(path, join(folder, 'tray', 'file'));
    symlinkSync(join(folder, 'tray'), join(folder, 'link'));
    const file = await opened(join(folder, 'link', 'file'), join(folder, 'link'));
    expect(await file.unchanged()).toBe(true);
  },
);

posixTest('it has no pipes among files')(
  'links, folders, pipes and devices are "not-a-file", and a pipe does not block the open',
  async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'file'), join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const path of [join(folder, 'link'), join(folder, 'pipe'), folder, '/dev/null']) {
      await expect(files.open(path, null)).rejects.toMatchObject({ code: 'not-a-file' });
    }
  },
);

test('a missing file is "gone"', async () => {
  await expect(files.open(join(temporaryFolder(), 'nothing'), null)).rejects.toMatchObject({ code: 'gone' });
});

test('reading stops at the signal, and closing during a read closes the file', async () => {
  const { path } = written(12 * MiB);
  const stop = new AbortController();
  const file = await files.open(path, null);
  const reading = (async () => {
    for await (const piece of file.pieces(stop.signal)) if (piece.length > 0) stop.abort();
  })();
  await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  await file.close();
  await file.close();
  expect(openDescriptors()).not.toContain(path);

  const other = await files.open(path, null);
  const pieces = other.pieces(never)[Symbol.asyncIterator]();
  await pieces.next();
  await other.close();
  await expect(pieces.next()).rejects.toMatchObject({ code: 'aborted' });
  expect(await other.unchanged()).toBe(false);
  expect(openDescriptors()).not.toContain(path);
});

const openDescriptors = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
