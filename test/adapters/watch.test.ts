import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openHandle } from '../../src-main/adapters/watch/watch.ts';
import type { Sighting } from '../../src-main/engine/ports/files.ts';
import { temporaryFolder } from './files-folder.ts';
import { block, sees, watchCount, watching } from './watch-folder.ts';
import { posixTest } from '../support/posix.ts';
import { isDeep } from '../support/deep.ts';

const onLinux = test.runIf(process.platform === 'linux');

test('a file that comes, changes or goes is sighted by its folder and name', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'sub', 'deep'), { recursive: true });
  const watch = await watching(root);
  expect(watch.health).toEqual([{ kind: 'live' }]);
  for (const folder of [root, join(root, 'sub'), join(root, 'sub', 'deep')]) {
    const path = join(folder, 'file');
    const acts = [
      (): void => writeFileSync(path, ''),
      (): void => appendFileSync(path, 'x'),
      (): void => rmSync(path),
    ];
    for (const act of acts) {
      watch.forget();
      act();
      await sees(watch, { folder, name: 'file' });
    }
  }
});

posixTest('a tree has one watch')('a subfolder with the name of the watched one is watched', async () => {
  const root = temporaryFolder();
  const watch = await watching(root);
  const same = join(root, basename(root));
  mkdirSync(same);
  await sees(watch, { folder: same, name: null });
  writeFileSync(join(same, 'later'), '');
  await sees(watch, { folder: same, name: 'later' });
});

posixTest('a tree has one watch')(
  'a new subfolder is watched at once, and its existing content is announced',
  async () => {
    const root = temporaryFolder();
    const elsewhere = temporaryFolder();
    mkdirSync(join(elsewhere, 'moved', 'inner'), { recursive: true });
    writeFileSync(join(elsewhere, 'moved', 'inner', 'file'), '');
    const watch = await watching(root);

    mkdirSync(join(root, 'new', 'inner'), { recursive: true });
    await sees(watch, { folder: join(root, 'new', 'inner'), name: null });
    renameSync(join(elsewhere, 'moved'), join(root, 'moved'));
    await sees(watch, { folder: join(root, 'moved'), name: null });
    await sees(watch, { folder: join(root, 'moved', 'inner'), name: null });
    for (const folder of ['new', 'new/inner', 'moved', 'moved/inner']) {
      writeFileSync(join(root, folder, 'later'), '');
      await sees(watch, { folder: join(root, folder), name: 'later' });
    }
  },
);

onLinux('each folder has one watch, which ends with its folder, and all end with stop', async () => {
  const root = temporaryFolder();
  const before = watchCount();
  for (let index = 0; index < 100; index += 1) mkdirSync(join(root, 'many', `${index}`), { recursive: true });
  const watch = await watching(root);
  expect(watchCount() - before).toBe(102);
  rmSync(join(root, 'many', '7'), { recursive: true });
  await vi.waitFor(() => expect(watchCount() - before).toBe(101));
  await sees(watch, { folder: join(root, 'many', '7'), name: null });
  rmSync(join(root, 'many'), { recursive: true });
  await vi.waitFor(() => expect(watchCount() - before).toBe(1));
  mkdirSync(join(root, 'again'));
  await vi.waitFor(() => expect(watchCount() - before).toBe(2));
  await watch.stop();
  expect(watchCount() - before).toBe(0);
});

posixTest('a tree has one watch')(
  'a renamed subfolder is watched under its new name, with all below it',
  async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'old', 'inner'), { recursive: true });
    const watch = await watching(root);
    renameSync(join(root, 'old'), join(root, 'new'));
    await sees(watch, { folder: join(root, 'old', 'inner'), name: null });
    await sees(watch, { folder: join(root, 'new', 'inner'), name: null });
    watch.forget();
    writeFileSync(join(root, 'new', 'inner', 'file'), '');
    await sees(watch, { folder: join(root, 'new', 'inner'), name: 'file' });
    expect(watch.sightings.some(({ folder }) => folder.startsWith(join(root, 'old')))).toBe(false);
  },
);

test('a subfolder that is deleted and made again before a scan stays watched', async () => {
  const root = temporaryFolder();
  const sub = join(root, 'sub');
  mkdirSync(sub);
  const watch = await watching(root);
  for (let round = 0; round < 5; round += 1) {
    rmdirSync(sub);
    mkdirSync(sub);
    writeFileSync(join(sub, 'first'), '');
    // The engine scans everything in a folder that was named.
    await sees(watch, { folder: root, name: 'sub' });
    watch.forget();
    const second = { folder: sub, name: 'second' };
    await vi.waitFor(
      () => {
        writeFileSync(join(sub, 'second'), '');
        expect(watch.sightings).toContainEqual(second);
      },
      { timeout: 10_000, interval: 50 },
    );
    watch.forget();
    rmSync(join(sub, 'first'));
    rmSync(join(sub, 'second'));
    // By its name, or with the folder when the folder is announced only now.
    const leadsToFirst = ({ folder, name }: Sighting): boolean =>
      folder === sub && (name === 'first' || name === null);
    await vi.waitFor(() => expect(watch.sightings.some(leadsToFirst)).toBe(true), { timeout: 10_000 });
    watch.forget();
  }
});

onLinux('symbolic links are not followed', async () => {
  const root = temporaryFolder();
  const elsewhere = temporaryFolder();
  const before = watchCount();
  symlinkSync(elsewhere, join(root, 'link'));
  symlinkSync(root, join(root, 'loop'));
  const watch = await watching(root);
  expect(watchCount() - before).toBe(1);
  symlinkSync(elsewhere, join(root, 'later'));
  await sees(watch, { folder: root, name: 'later' });
  expect(watchCount() - before).toBe(1);
});

onLinux('without subfolders only the folder itself is watched', async () => {
  const root = temporaryFolder();
  const before = watchCount();
  mkdirSync(join(root, 'sub'));
  const watch = await watching(root, { recursive: false });
  mkdirSync(join(root, 'new'));
  await sees(watch, { folder: root, name: 'new' });
  expect(watchCount() - before).toBe(1);
});

posixTest('a link needs a right there')(
  'a root that is reached through a symbolic link is watched and named as the user named it',
  async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'tray', 'sub'), { recursive: true });
    symlinkSync(join(folder, 'tray'), join(folder, 'link'));
    const watch = await watching(join(folder, 'link'));
    writeFileSync(join(folder, 'tray', 'sub', 'file'), '');
    await sees(watch, { folder: join(folder, 'link', 'sub'), name: 'file' });
  },
);

onLinux('every name identifies its file: by name, or by its folder when it is not UTF-8', async () => {
  const root = temporaryFolder();
  const watch = await watching(root);
  for (const name of ['😀.png', '\u00e9', 'e\u0301', 'line\nbreak', 'x'.repeat(255), 'back\\slash']) {
    writeFileSync(join(root, name), '');
    await sees(watch, { folder: root, name });
  }
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), '');
  await sees(watch, { folder: root, name: null });
});

onLinux('folders with names that chokidar cannot take are watched, too', async () => {
  const root = temporaryFolder();
  const odd = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]);
  mkdirSync(odd);
  mkdirSync(join(root, 'back\\slash'));
  const watch = await watching(root);
  writeFileSync(Buffer.concat([odd, Buffer.from('/file')]), '');
  await sees(watch, { folder: `${root}/\0ff`, name: 'file' });
  writeFileSync(join(root, 'back\\slash', 'file'), '');
  await sees(watch, { folder: join(root, 'back\\slash'), name: 'file' });
});

test.runIf(isDeep && process.platform === 'linux')(
  'many files that disappear do not each cost a scan of the whole folder',
  async () => {
    const root = temporaryFolder();
    for (let index = 0; index < 2000; index += 1) writeFileSync(join(root, `${index}`), '');
    const watch = await watching(root);
    const before = process.cpuUsage();
    for (let index = 0; index < 1000; index += 1) rmSync(join(root, `${index}`));
    await sees(watch, { folder: root, name: null });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1000); // 0.1 s; 6 s with a scan of the whole folder each
  },
);

test('all of 5,000 files that arrive while the loop is blocked are found by listing the sighted folders', async () => {
  const root = temporaryFolder();
  const sub = join(root, 'sub');
  mkdirSync(sub);
  const watch = await watching(root);
  for (let index = 0; index < 2500; index += 1) {
    writeFileSync(join(root, `file ${index}`), '');
    writeFileSync(join(sub, `file ${index}`), '');
  }
  block(100);
  await vi.waitFor(() => {
    const found = new Set(
      watch.sightings.flatMap(({ folder, name, everything }) => {
        if (name !== null) return [join(folder, name)];
        const folders = everything === true ? [root, sub] : [folder];
        return folders.flatMap((each) => readdirSync(each).map((inner) => join(each, inner)));
      }),
    );
    found.delete(sub);
    expect(found.size).toBe(5000);
  });
  expect(watch.sightings.length).toBeLessThan(200);
});

onLinux('so many events that the system may have dropped some request a full scan', async () => {
  const root = temporaryFolder();
  const watch = await watching(root);
  writeFileSync(join(root, 'a'), '');
  for (let index = 0; index < 4500; index += 1) {
    renameSync(join(root, index % 2 === 0 ? 'a' : 'b'), join(root, index % 2 === 0 ? 'b' : 'a')); // two events
  }
  await sees(watch, { folder: root, name: null, everything: true });
  watch.forget();
  // New folders may have been missed, so everything is watched again.
  await sees(watch, { folder: root, name: null, everything: true });
  mkdirSync(join(root, 'still'));
  await sees(watch, { folder: join(root, 'still'), name: null });
});

onLinux('events that one folder made the system drop are also those of another folder', async () => {
  const [busy, quiet] = [temporaryFolder(), temporaryFolder()];
  await watching(busy);
  const watch = await watching(quiet);
  writeFileSync(join(busy, 'a'), '');
  for (let index = 0; index < 9000; index += 1) {
    renameSync(join(busy, index % 2 === 0 ? 'a' : 'b'), join(busy, index % 2 === 0 ? 'b' : 'a')); // two events
  }
  mkdirSync(join(quiet, 'sub'));
  await sees(watch, { folder: quiet, name: null, everything: true });
  watch.forget();
  await sees(watch, { folder: quiet, name: null, everything: true });
  // An event that is late, on a busy machine, is about everything.
  await vi.waitFor(
    () => {
      appendFileSync(join(quiet, 'sub', 'file'), 'x');
      expect(watch.sightings).toContainEqual({ folder: join(quiet, 'sub'), name: 'file' });
    },
    { timeout: 20_000, interval: 100 },
  );
});

test('a watch that cannot be begun at all is one that the folder does without', async () => {
  const root = temporaryFolder();
  const fault = Object.assign(new Error('no handle'), { code: 'EMFILE' });
  const { health } = await watching(root, {}, { open: () => Promise.reject(fault) });
  expect(health).toMatchObject([{ kind: 'degraded' }]);
});

posixTest('only there a name may have a backslash')(
  'an event without a name is about anything in the folder',
  async () => {
    const folder = join(temporaryFolder(), 'a\\b');
    mkdirSync(folder);
    const heard: unknown[] = [];
    const handle = await openHandle(folder, {
      recursive: false,
      heard: (...event) => heard.push(event),
      failed: () => undefined,
    });
    if ('fault' in handle || !(handle instanceof EventEmitter)) throw new Error('no watch');
    onTestFinished(() => handle.close());
    handle.emit('change', 'rename', null);
    handle.emit('change', 'rename', 'null');
    expect(heard).toEqual([
      [folder, 'rename', null],
      [folder, 'rename', 'null'],
    ]);
  },
);

posixTest('it does not count watches')(
  'a root that disappears is sighted, and the watch goes quiet',
  async () => {
    const folder = temporaryFolder();
    const root = join(folder, 'tray');
    mkdirSync(join(root, 'sub'), { recursive: true });
    const before = watchCount();
    const watch = await watching(root);
    renameSync(root, join(folder, 'away'));
    await sees(watch, { folder: root, name: null });
    await vi.waitFor(() => expect(watchCount()).toBe(before));
    watch.forget();
    writeFileSync(join(folder, 'away', 'file'), '');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(watch.sightings).toEqual([]);
  },
);

test('a missing root is "folder-unavailable"', async () => {
  await expect(watching(join(temporaryFolder(), 'nothing'))).rejects.toMatchObject({
    code: 'folder-unavailable',
  });
});

test('the signal ends a watch, even in the middle of its first walk', async () => {
  const root = temporaryFolder();
  for (let index = 0; index < 200; index += 1) mkdirSync(join(root, `${index}`));
  const before = watchCount();
  const stop = new AbortController();
  const starting = watching(root, { signal: stop.signal });
  setImmediate(() => {
    stop.abort();
  });
  await expect(starting).rejects.toMatchObject({ code: 'aborted' });
  expect(watchCount()).toBe(before);

  const later = new AbortController();
  await watching(root, { signal: later.signal });
  later.abort();
  await vi.waitFor(() => expect(watchCount()).toBe(before));
});

test('with one handle for the whole tree, as on Windows and macOS, the sightings are the same', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'sub', 'deep'), { recursive: true });
  const watch = await watching(root, {}, { oneHandle: true });
  writeFileSync(join(root, 'sub', 'deep', 'file'), '');
  await sees(watch, { folder: join(root, 'sub', 'deep'), name: 'file' });
  mkdirSync(join(root, 'new', 'inner'), { recursive: true });
  await sees(watch, { folder: root, name: 'new' });
  rmSync(join(root, 'sub'), { recursive: true });
  await sees(watch, { folder: root, name: 'sub' });
});
