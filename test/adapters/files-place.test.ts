// Where a file really lies, on a real disk: by links, `..`, /proc and, where the test may mount, by a bind mount.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { parseMounts } from '../../src-main/adapters/files/mount-table.ts';
import { onVolume, placeOf } from '../../src-main/adapters/files/place.ts';
import { rootProblem } from '../../src-main/engine/candidate/allowance.ts';
import { hasJunctions, posixTest } from '../support/posix.ts';

const files = createFiles();
const onLinux = process.platform === 'linux';
let top = '';
const at = (...names: string[]): string => join(top, ...names);
const problem = async (path: string): Promise<string | null> =>
  rootProblem(await files.place(path), {
    allowedRoots: [],
    forbiddenRoots: [await files.place(at('secret'))],
  });

beforeAll(() => {
  top = realpathSync.native(mkdtempSync(join(tmpdir(), 'outtray-place-')));
  for (const folder of ['secret/deep', 'open']) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('secret', 'deep', 'a.txt'), 'a');
  writeFileSync(at('open', 'b.txt'), 'b');
  if (!hasJunctions) return;
  symlinkSync(at('secret'), at('open', 'link'), 'junction');
  symlinkSync(at('secret', 'deep'), at('deep'), 'junction');
});

describe('a file below a forbidden folder is found there', () => {
  test.each([
    ['by its path', () => at('secret', 'deep', 'a.txt')],
    ['by ..', () => `${at('open')}/../secret/deep/a.txt`],
    ['by doubled separators', () => `${top}//secret/./deep//a.txt`],
    ['though it is not there', () => at('secret', 'none.txt')],
  ])('%s', async (_how, path) => {
    expect(await problem(path())).toBe(`below ${at('secret')}`);
  });

  test.runIf(hasJunctions).each([
    ['by a link to the folder', () => at('open', 'link', 'deep', 'a.txt')],
    ['by a link to a folder in it', () => at('deep', 'a.txt')],
  ])('%s, where there are links', async (_how, path) => {
    expect(await problem(path())).toBe(`below ${at('secret')}`);
  });

  test.runIf(onLinux)('by /proc/self/cwd', async () => {
    const up = '../'.repeat(40);
    expect(await problem(`/proc/self/cwd/${up}${at('secret', 'deep', 'a.txt').slice(1)}`)).not.toBeNull();
  });

  test('and a file beside it is not', async () => {
    expect(await problem(at('open', 'b.txt'))).toBeNull();
  });

  test.runIf(hasJunctions)('also when the rule names the folder through a symbolic link', async () => {
    const forbiddenRoots = [await files.place(at('open', 'link'))];
    const file = await files.place(at('secret', 'deep', 'a.txt'));
    expect(rootProblem(file, { allowedRoots: [], forbiddenRoots })).not.toBeNull();
  });
});

test.runIf(onLinux)('an open file is located by where it is now, not by its path', async () => {
  mkdirSync(at('real'));
  writeFileSync(at('real', 'x.txt'), 'x');
  const fd = openSync(at('real', 'x.txt'), 'r');
  renameSync(at('real'), at('secret', 'moved'));
  symlinkSync(at('open'), at('real'));
  const { names } = await placeOf(at('real', 'x.txt'), fd);
  closeSync(fd);
  expect(names.at(-1)).toBe(at('secret', 'moved', 'x.txt'));
});

const mayMount = ((): boolean => {
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.runIf(mayMount)('a bind mount of a folder in the forbidden one is found', () => {
  mkdirSync(at('bound'));
  const script = `
    import { placeOf } from '${join(import.meta.dirname, '../../src-main/adapters/files/place.ts')}';
    console.log(JSON.stringify([await placeOf('${at('bound', 'a.txt')}'), await placeOf('${at('secret')}')]));`;
  const told = execFileSync(
    'unshare',
    [
      '-m',
      'sh',
      '-c',
      `mount --bind "$1" "$2" && exec "$3" --input-type=module-typescript -e "$4"`,
      'sh',
      at('secret', 'deep'),
      at('bound'),
      process.execPath,
      script,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [file, root] = JSON.parse(told) as Awaited<ReturnType<typeof placeOf>>[];
  if (file === undefined || root === undefined) throw new Error(told);
  expect(rootProblem(file, { allowedRoots: [], forbiddenRoots: [root] })).toBe(`below ${at('secret')}`);
});

posixTest('it has no mount table')(
  'the file system of a path is determined by the deepest mount, the last one at a point',
  () => {
    const mounts = parseMounts(
      [
        '22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw',
        '30 22 8:2 /@home /home rw - btrfs /dev/sda2 rw',
        '31 22 8:1 /srv/a\\040b /mnt/x rw - ext4 /dev/sda1 rw',
        '32 22 0:50 / /mnt/x/y rw - tmpfs none rw',
        '33 22 8:3 / /home rw - ext4 /dev/sda3 rw',
        'not a line',
      ].join('\n'),
    );
    expect(onVolume('/etc/hosts', mounts)).toBe('8:1:/etc/hosts');
    expect(onVolume('/home/me', mounts)).toBe('8:3:/me');
    expect(onVolume('/homes', mounts)).toBe('8:1:/homes');
    expect(onVolume('/mnt/x/f', mounts)).toBe('8:1:/srv/a b/f');
    expect(onVolume('/mnt/x/y/f', mounts)).toBe('0:50:/f');
    expect(onVolume('/mnt/x', mounts)).toBe('8:1:/srv/a b');
    expect(onVolume('/x', [])).toBeNull();
  },
);
