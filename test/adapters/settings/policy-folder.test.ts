// The watched folder that a policy sets: made once, below the home, by the process that watches.
import { mkdir, mkdtemp, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeFolderOfPolicy } from '../../../src-main/adapters/settings/policy-folder.ts';
import { openSettings } from '../../../src-main/adapters/settings/settings.ts';
import { posixTest } from '../../support/posix.ts';

let root: string;
let home: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'outtray-policy-folder-')));
  home = join(root, 'home');
  await mkdir(home);
  // A policy does not follow it.
  vi.stubEnv('HOME', join(root, 'elsewhere'));
});
afterEach(async () => {
  // The next file may read it before its first test.
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

const open = (folder: string, layer: 'values' | 'recommended' = 'values') =>
  openSettings({
    version: '0.1.0',
    file: join(root, 'settings.json'),
    policy: { values: {}, source: 'policy', [layer]: { folder } },
    home: () => home,
  });
const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
const known = () => true;
const unknown = () => false;

test.each(['values', 'recommended'] as const)(
  'below the home it is made, with its parents (%s)',
  async (layer) => {
    makeFolderOfPolicy(open('~/Company/Outtray', layer), unknown, () => home);
    expect(await isThere(join(home, 'Company/Outtray'))).toBe(true);
  },
);

test('one that was watched before is not made again: its drive may be away', async () => {
  makeFolderOfPolicy(open('~/Outtray'), known, () => home);
  expect(await isThere(join(home, 'Outtray'))).toBe(false);
});

test('one elsewhere is not made: it may lie on a drive that is not mounted', async () => {
  makeFolderOfPolicy(open(join(root, 'elsewhere')), unknown, () => home);
  expect(await isThere(join(root, 'elsewhere'))).toBe(false);
});

test('one that the user chose is not made', async () => {
  const settings = openSettings({
    version: '0.1.0',
    file: join(root, 'settings.json'),
    policy: { values: {}, source: '' },
  });
  await settings.set('folder', join(home, 'Mine'));
  makeFolderOfPolicy(settings, unknown, () => home);
  expect(await isThere(join(home, 'Mine'))).toBe(false);
});

posixTest('a link needs a right there')(
  'where the home is a link, the folder is known by its real path at once',
  async () => {
    const linked = join(root, 'linked');
    await symlink(home, linked);
    const target = home;
    home = linked;
    const settings = open('~/Outtray');
    makeFolderOfPolicy(settings, unknown, () => home);
    expect(settings.current().folder).toBe(join(target, 'Outtray'));
  },
);

test('a folder that cannot be made is reported by the start', () => {
  expect(() => makeFolderOfPolicy(open('~/Outtray/below\0'), unknown, () => home)).not.toThrow();
});
