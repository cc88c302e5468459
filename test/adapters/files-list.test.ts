import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { toSystemPath } from '../../src-main/adapters/files/paths.ts';
import type { Found, Listing } from '../../src-main/engine/ports/files.ts';
import { withoutCapabilities } from '../support/unprivileged.ts';
import { temporaryFolder } from './files-folder.ts';
import { tellsBirth } from '../../src-main/adapters/system/birth.ts';
import { posixTest } from '../support/posix.ts';

const files = createFiles();

const listed = async (folder: string): Promise<Found[]> => {
  const listing = await files.list(folder);
  if (!listing.ok) throw new Error(listing.message);
  return listing.found;
};

posixTest('it has no pipes among files')(
  'a folder lists every entry with its type, and only files have a stamp',
  async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'abc');
    mkdirSync(join(folder, 'folder'));
    symlinkSync('/etc', join(folder, 'link'));
    symlinkSync(folder, join(folder, 'loop'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const server = createServer().listen(join(folder, 'socket'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));

    const found = await listed(folder);
    expect(Object.fromEntries(found.map(({ name, type }) => [name, type]))).toEqual({
      file: 'file',
      folder: 'folder',
      link: 'link',
      loop: 'link',
      pipe: 'special',
      socket: 'special',
    });
    expect(found.filter(({ stamp }) => stamp !== null).map(({ name }) => name)).toEqual(['file']);
  },
);

test('a stamp is size, mtime and ctime in nanoseconds, device and inode', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'file');
  writeFileSync(path, 'abc');
  const stats = statSync(path, { bigint: true });
  const { size, mtimeNs, ctimeNs, dev, ino, mtimeMs } = stats;
  const [found] = await listed(folder);
  expect(found?.stamp).toMatchObject({
    sizeBytes: 3,
    key: `${size}:${mtimeNs}:${ctimeNs}:${dev}:${ino}`,
    inode: String(ino),
    mtimeMs: Number(mtimeMs),
    ...(tellsBirth(stats) ? { bornMs: Number(stats.birthtimeMs) } : {}),
  });
});

/** Three files, a folder and a link; and the keys of the files. */
const mixedFolder = async () => {
  const folder = temporaryFolder();
  for (const name of ['known', 'changed', 'caf\u00e9']) writeFileSync(join(folder, name), name);
  mkdirSync(join(folder, 'folder'));
  symlinkSync('known', join(folder, 'link'));
  return { folder, keys: new Map((await listed(folder)).map(({ name, stamp }) => [name, stamp?.key])) };
};

const namesIn = (listing: Listing): string[] =>
  listing.ok ? listing.found.map(({ name }) => name).sort() : [];

posixTest('a link needs a right there')(
  'a listing asks once for each regular file whether it is unchanged, and leaves out unchanged ones',
  async () => {
    const { folder, keys } = await mixedFolder();
    const asked: string[] = [];
    const listing = await files.list(folder, (name, stampKey) => {
      asked.push(name);
      expect(stampKey).toBe(keys.get(name));
      return name !== 'changed';
    });
    expect(asked.sort()).toEqual(['caf\u00e9', 'changed', 'known']);
    expect(namesIn(listing)).toEqual(['changed', 'folder', 'link']);
  },
);

test('content restored with its old size and mtime still has another stamp', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'abc');
  utimesSync(path, 1, 1);
  const before = await files.look(path);
  await new Promise((resolve) => setTimeout(resolve, 10)); // more than a tick of the kernel's clock
  writeFileSync(path, 'xyz');
  utimesSync(path, 1, 1);
  const after = await files.look(path);
  expect(after?.stamp?.mtimeMs).toBe(before?.stamp?.mtimeMs);
  expect(after?.stamp?.key).not.toBe(before?.stamp?.key);
});

test('a renamed file and a hard link keep their inode', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a'), 'x');
  const before = await files.look(join(folder, 'a'));
  renameSync(join(folder, 'a'), join(folder, 'b'));
  linkSync(join(folder, 'b'), join(folder, 'c'));
  const inodes = (await listed(folder)).map(({ stamp }) => stamp?.inode);
  expect(inodes).toEqual([before?.stamp?.inode, before?.stamp?.inode]);
});

const nastyNames = [
  Buffer.from('😀 party.png'),
  Buffer.from('\u00e9.txt'),
  Buffer.from('e\u0301.txt'),
  Buffer.from('line\nbreak'),
  Buffer.from('\u202egnp.exe'),
  Buffer.from('x'.repeat(255)),
  Buffer.from([0x62, 0x61, 0x64, 0xff, 0xfe]),
  Buffer.from([0xc3]),
  Buffer.from('back\\slash'),
];

posixTest('fewer names are allowed')(
  'every name the system allows is listed once, can be looked up, opened and read',
  async () => {
    const folder = temporaryFolder();
    for (const name of nastyNames) writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), name);
    const found = await listed(folder);
    expect(found.map(({ name }) => Buffer.from(toSystemPath(name)).toString('hex')).sort()).toEqual(
      nastyNames.map((name) => name.toString('hex')).sort(),
    );
    for (const { name, stamp } of found) {
      const path = `${folder}/${name}`;
      expect(await files.look(path)).toMatchObject({ name, stamp });
      const file = await files.open(path, folder);
      const content: Buffer[] = [];
      for await (const piece of file.pieces(new AbortController().signal)) content.push(Buffer.from(piece));
      expect(Buffer.concat(content)).toEqual(Buffer.from(toSystemPath(name)));
      await file.close();
    }
  },
);

posixTest('names are no bytes')('a folder whose own name is not UTF-8 is listed like any other', async () => {
  const folder = Buffer.concat([Buffer.from(`${temporaryFolder()}/`), Buffer.from([0xe9])]);
  mkdirSync(folder);
  writeFileSync(Buffer.concat([folder, Buffer.from('/file')]), '');
  const [inside] = await listed(`${folder.subarray(0, -2).toString()}/\0e9`);
  expect(inside?.name).toBe('file');
});

test('a folder that is gone, or is a file, is distinguished from one that cannot be read', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  expect(await files.list(join(folder, 'nothing'))).toMatchObject({ ok: false, gone: true });
  expect(await files.list(join(folder, 'file'))).toMatchObject({ ok: false, gone: true });
});

test('a listing of 10,000 files does not block the event loop', async () => {
  const folder = temporaryFolder();
  for (let index = 0; index < 10_000; index += 1) writeFileSync(join(folder, `file ${index}`), '');
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const found = await listed(folder);
  clearInterval(counting);
  expect(found).toHaveLength(10_000);
  expect(turns).toBeGreaterThan(2);
});

test('looking up a missing path returns null, also below a file and for an impossible name', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  for (const path of ['nothing', 'file/below', 'x'.repeat(300)]) {
    expect(await files.look(join(folder, path))).toBeNull();
  }
});

posixTest('it has no modes')(
  'without permission a folder or its content is unreadable, and looking up or opening a file is "locked"',
  () => {
    const outside = temporaryFolder();
    onTestFinished(() => {
      for (const name of ['closed', 'listable']) chmodSync(join(outside, name), 0o700);
    });
    for (const [name, mode] of [
      ['closed', 0o000],
      ['listable', 0o400],
    ] as const) {
      mkdirSync(join(outside, name));
      writeFileSync(join(outside, name, 'file'), '');
      chmodSync(join(outside, name), mode);
    }
    writeFileSync(join(outside, 'secret'), 'x', { mode: 0o000 });
    const script = `
    const { createFiles } = await import(${JSON.stringify(new URL('../../src-main/adapters/files/files.ts', import.meta.url))});
    const files = createFiles();
    const code = (asked) => asked.then(() => 'ok', (error) => error.code);
    const unreadable = async (folder) => { const { ok, gone } = await files.list(folder); return !ok && !gone; };
    const listed = async (folder) => (await files.list(folder)).found?.map(({ name, type }) => name + ' ' + type);
    console.log(JSON.stringify([
      await unreadable('closed'),
      await listed('listable'),
      await code(files.look('closed/file')),
      await code(files.open('secret', null)),
    ]));`;
    const [program, ...args] = [
      ...withoutCapabilities,
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ];
    const answer = execFileSync(program, args, { cwd: outside });
    expect(JSON.parse(answer.toString())).toEqual([true, ['file unreadable'], 'locked', 'locked']);
  },
);

test('a folder keeps its identity when renamed, and another one at its path has another', async () => {
  const folder = temporaryFolder();
  const tray = join(folder, 'tray');
  mkdirSync(tray);
  const identity = await files.identify(tray);
  renameSync(tray, join(folder, 'moved'));
  expect(await files.identify(join(folder, 'moved'))).toBe(identity);
  mkdirSync(tray);
  expect(await files.identify(tray)).not.toBe(identity);
  rmSync(tray, { recursive: true });
  writeFileSync(tray, '');
  await expect(files.identify(tray)).rejects.toMatchObject({ code: 'folder-unavailable' });
  await expect(files.identify(join(folder, 'nothing'))).rejects.toMatchObject({
    code: 'folder-unavailable',
    message: expect.stringContaining(basename(folder)) as string,
    remedy: expect.stringMatching(/\.$/) as string,
  });
});

posixTest('its limit is another')(
  'a file whose path is too long for the system is listed as too deep, and all else is listed',
  async () => {
    const folder = temporaryFolder();
    const name = 'n'.repeat(250);
    const deep = `${folder}${`/${name}`.repeat(Math.floor((4090 - folder.length) / 251))}`;
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, 'a'), '');
    // Only a path that begins elsewhere reaches the place.
    execFileSync(process.execPath, [
      '-e',
      `process.chdir(${JSON.stringify(deep)});require('fs').writeFileSync('b'.repeat(250), '')`,
    ]);
    const found = await listed(deep);
    expect(found.map(({ type }) => type).sort()).toEqual(['file', 'too-deep']);
    const tooLong = join(deep, 'b'.repeat(250));
    expect(await files.look(tooLong)).toMatchObject({ type: 'too-deep' });
    await expect(files.open(tooLong, null)).rejects.toMatchObject({
      code: 'disk',
      message: expect.stringContaining('too long for this system') as string,
    });
    expect((await files.spell([tooLong])).map(({ path }) => path)).toEqual([tooLong]);
    expect((await files.place(tooLong)).names).toContain(tooLong);
    expect([...(await files.openForWriting([tooLong])).values()]).toEqual(['closed']);
  },
);
