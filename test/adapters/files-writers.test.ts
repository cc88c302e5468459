import { execFileSync, spawn } from 'node:child_process';
import { closeSync, linkSync, openSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { createWriters } from '../../src-main/adapters/files/writers.ts';
import type { Writing } from '../../src-main/engine/ports/files.ts';
import { temporaryFolder } from './files-folder.ts';

const files = createFiles();
const openOf = (writers: ReadonlyMap<string, Writing>): string[] =>
  [...writers].flatMap(([path, writing]) => (writing === 'open' ? [path] : []));
const onLinux = test.runIf(process.platform === 'linux');

const openUntilTheEnd = (path: string, flags: string): number => {
  const fd = openSync(path, flags);
  onTestFinished(() => {
    closeSync(fd);
  });
  return fd;
};

onLinux('a file is held open by whoever can write to it, not by readers', async () => {
  const folder = temporaryFolder();
  const paths = ['append', 'update', 'read', 'idle'].map((name) => join(folder, name));
  for (const path of paths) writeFileSync(path, 'x');
  const [append = '', update = '', read = ''] = paths;
  openUntilTheEnd(append, 'a');
  openUntilTheEnd(update, 'r+');
  openUntilTheEnd(read, 'r');
  expect(openOf(await files.openForWriting(paths))).toEqual([append, update]);
});

onLinux(
  'a writer is found by any path to its file: another hard link, a linked folder, a name of any bytes',
  async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'one'), 'x');
    linkSync(join(folder, 'one'), join(folder, 'other'));
    symlinkSync(folder, `${folder}/linked`);
    openUntilTheEnd(join(folder, 'one'), 'a');
    expect(openOf(await files.openForWriting([join(folder, 'other')]))).toEqual([join(folder, 'other')]);
    const linked = join(folder, 'linked', 'one');
    expect(openOf(await files.openForWriting([linked]))).toEqual([linked]);

    const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x0a])]);
    const fd = openSync(odd, 'w');
    expect(openOf(await files.openForWriting([`${folder}/\0ff\n`]))).toEqual([`${folder}/\0ff\n`]);
    closeSync(fd);
    expect(openOf(await files.openForWriting([`${folder}/\0ff\n`]))).toEqual([]);
  },
);

onLinux(
  'a file stays held while another descriptor than the first one is open, or another file is there',
  async () => {
    const path = join(temporaryFolder(), 'file');
    const first = openSync(path, 'w');
    expect(openOf(await files.openForWriting([path]))).toEqual([path]);
    const second = openSync(path, 'a');
    closeSync(first);
    expect(openOf(await files.openForWriting([path]))).toEqual([path]);
    renameSync(path, `${path} before`);
    writeFileSync(path, 'x');
    expect(openOf(await files.openForWriting([path]))).toEqual([]);
    renameSync(`${path} before`, path);
    expect(openOf(await files.openForWriting([path]))).toEqual([path]);
    const reused = openSync('/dev/null', 'r'); // the number of the first, for something else
    closeSync(second);
    expect(openOf(await files.openForWriting([path]))).toEqual([]);
    closeSync(reused);
  },
);

onLinux('files that stay open are asked about by turns without a walk over all processes', async () => {
  let steps = 0;
  const writers = createWriters(() => {
    steps += 1;
    return Promise.resolve();
  });
  const folder = temporaryFolder();
  const paths = ['one', 'other'].map((name) => join(folder, name));
  for (const path of paths) {
    openUntilTheEnd(path, 'w');
    expect(openOf(await writers([path]))).toEqual([path]);
  }
  expect(steps).toBeGreaterThan(0);
  steps = 0;
  for (const path of paths) expect(openOf(await writers([path]))).toEqual([path]);
  expect(steps).toBe(0);
});

onLinux('another process that writes is found, until it ends', async () => {
  const path = join(temporaryFolder(), 'slow');
  const child = spawn('sh', ['-c', `exec 3>"$0"; echo started; read _`, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(openOf(await files.openForWriting([path]))).toEqual([path]);
  child.stdin.end();
  await once(child, 'close');
  expect(openOf(await files.openForWriting([path]))).toEqual([]);
});

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.runIf(process.platform === 'linux' && hasPython)(
  'a shared mapping holds its file after the descriptor is closed, even when it is made between two looks',
  async () => {
    const path = join(temporaryFolder(), 'mapped');
    writeFileSync(path, 'x'.repeat(8192));
    // By way of libc: Python's own mmap keeps a descriptor for itself.
    const script = `
import ctypes, os, sys
libc = ctypes.CDLL(None); libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
def say(word): print(word, flush=True); sys.stdin.readline()
say('ready')
fd = os.open(sys.argv[1], os.O_RDWR); at = libc.mmap(None, 8192, 3, 1, fd, 0); os.close(fd)
say('mapped')
libc.munmap(at, 8192)
say('unmapped')`;
    const child = spawn('python3', ['-c', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    const say = async (): Promise<void> => {
      child.stdin.write('\n');
      await once(child.stdout, 'data');
    };
    await once(child.stdout, 'data');
    expect(openOf(await files.openForWriting([path]))).toEqual([]);
    await say();
    expect(openOf(await files.openForWriting([path]))).toEqual([path]);
    await say();
    expect(openOf(await files.openForWriting([path]))).toEqual([]);
    child.stdin.end();
    await once(child, 'close');
  },
);

onLinux('missing files and an empty request cause no fault', async () => {
  const folder = temporaryFolder();
  expect(openOf(await files.openForWriting([]))).toEqual([]);
  expect(openOf(await files.openForWriting([join(folder, 'nothing')]))).toEqual([]);
});

test.each(['darwin', 'win32'] as const)(
  'on %s, a file on a drive of others may have a writer that cannot be seen',
  async (platform) => {
    const folder = temporaryFolder();
    const [here, there] = [join(folder, 'here'), join(folder, 'there')];
    for (const path of [here, there]) writeFileSync(path, 'x');
    const writers = createWriters(
      () => Promise.resolve(),
      platform,
      undefined,
      (path) => path === there,
    );
    const own = platform === 'win32' ? 'closed' : 'untold';
    expect(await writers([here, there])).toEqual(
      new Map([
        [here, own],
        [there, 'hidden'],
      ]),
    );
  },
);
