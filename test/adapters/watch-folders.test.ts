import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countsSubfolders, subfoldersOf } from '../../src-main/adapters/watch/folders.ts';
import { temporaryFolder } from './files-folder.ts';

test('the subfolders are named, and nothing else, from the first to the last one', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'file'), '');
  symlinkSync(root, join(root, 'link'));
  expect(await subfoldersOf(root)).toEqual([]);
  mkdirSync(join(root, 'only'));
  expect(await subfoldersOf(root)).toEqual(['only']);
  mkdirSync(join(root, 'second'));
  expect((await subfoldersOf(root)).toSorted()).toEqual(['only', 'second']);
  rmdirSync(join(root, 'only'));
  rmdirSync(join(root, 'second'));
  expect(await subfoldersOf(root)).toEqual([]);
  expect(await subfoldersOf(join(root, 'only'))).toEqual([]);
});

test.each([
  ['ext4', 0xef53, true],
  ['XFS', 0x58465342, true],
  ['F2FS', 0xf2f52010, true],
  ['tmpfs', 0x01021994, true],
  ['btrfs', 0x9123683e, false],
  ['an overlay', 0x794c7630, false],
  ['FUSE', 0x65735546, false],
  ['NFS', 0x6969, false],
  ['a share of Windows', 0xff534d42, false],
  ['macOS and Windows, which number otherwise', 26, false],
])('the links of a folder are taken for its subfolders on %s (%d): %s', (_name, type, isBelieved) => {
  expect(countsSubfolders(type)).toBe(isBelieved);
});
