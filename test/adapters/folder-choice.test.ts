// Which folders may be watched together: none lies in another, and none is watched twice, however it is spelled. On the
// real file system; a disk that does not distinguish capitals or Unicode forms is a fake.
import { mkdir, mkdtemp, realpath, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFolderChoice } from '../../src-main/adapters/files/folder-choice.ts';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import type { Place } from '../../src-main/engine/ports/files.ts';
import { localDisk } from '../support/fake-folder.ts';
import { posixTest } from '../support/posix.ts';

let place: string;
/** Where the watched folders lie. */
let root: string;
beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'outtray-choice-')));
  root = join(place, 'shared');
  for (const folder of ['a/below/deep', 'ab', 'other']) await mkdir(join(root, folder), { recursive: true });
});
afterEach(async () => {
  await rm(place, { recursive: true });
});

const choice = (): ReturnType<typeof createFolderChoice> =>
  createFolderChoice(join(place, 'own'), [join(place, 'home')]);
/** As it is added: accepted, then compared with those that are watched. */
const add = async (given: string, ...watched: string[]): Promise<string> => {
  const { acceptFolder, assertApart } = choice();
  const folder = await acceptFolder(given);
  await assertApart(folder, watched);
  return folder;
};
const refused = (how: string): object => ({
  code: 'folder-refused',
  message: expect.stringContaining(how) as unknown,
});

test('a home folder and what is above it are not watched, wherever the data folder lies', async () => {
  await mkdir(join(place, 'homes/ada'), { recursive: true });
  const { acceptFolder } = createFolderChoice(join(place, 'own'), [join(place, 'homes/ada')]);
  await expect(acceptFolder(join(place, 'homes/ada'))).rejects.toMatchObject(
    refused('your home folder itself'),
  );
  await expect(acceptFolder(join(place, 'homes'))).rejects.toMatchObject(refused('your home folder in it'));
  expect(await acceptFolder(root)).toBe(root);
});

describe('a folder', () => {
  test.each<[string, (at: (path: string) => string) => string, string]>([
    ['itself', (at) => at('a'), 'is watched already'],
    ['itself with a slash at its end', (at) => at('a//'), 'is watched already'],
    ['itself on a way there and back', (at) => at('a/below/../../other/../a'), 'is watched already'],
    ['a folder in it', (at) => at('a/below'), 'lies in'],
    ['a folder deep in it', (at) => at('a/below/deep/.'), 'lies in'],
    ['the folder above', (at) => at('a/..'), 'has'],
  ])('is not watched beside %s', async (_, given, how) => {
    await expect(
      add(
        given((path) => `${root}/${path}`),
        join(root, 'a'),
      ),
    ).rejects.toMatchObject(refused(how));
  });

  posixTest('a link needs a right there')(
    'is not watched through a symbolic link to it, to a folder in it, or above it',
    async () => {
      const links = [
        ['a', 'is watched already'],
        ['a/below', 'lies in'],
        ['.', 'has'],
      ] as const;
      for (const [target, how] of links) {
        const link = join(root, 'other', `to ${target.replace('/', ' ')}`);
        await symlink(join(root, target), link);
        await expect(add(link, join(root, 'a'))).rejects.toMatchObject(refused(how));
      }
      await symlink(join(root, 'a'), join(root, 'other', 'link'));
      await expect(add(join(root, 'other/link/below'), join(root, 'a'))).rejects.toMatchObject(
        refused('lies in'),
      );
      // The settings name the link, as a policy may.
      for (const given of ['a', 'a/below'])
        await expect(add(join(root, given), join(root, 'other/link'))).rejects.toMatchObject(refused(''));
    },
  );

  test('is watched beside one whose name it begins with, its neighbour, and a missing one', async () => {
    const watched = ['a', 'other', 'gone/below'].map((name) => join(root, name));
    expect(await add(join(root, 'ab'), ...watched)).toBe(join(root, 'ab'));
    await expect(add(join(root, 'gone'), ...watched)).rejects.toMatchObject({ code: 'folder-unavailable' });
  });

  test('is not watched above one that is missing now', async () => {
    await expect(add(join(root, 'a'), join(root, 'a/gone/deep'))).rejects.toMatchObject(refused('has'));
  });

  test('in another Unicode form is another folder where the disk distinguishes the two', async () => {
    const [composed, apart] = ['é'.normalize('NFC'), 'é'.normalize('NFD')];
    await mkdir(join(root, composed));
    await mkdir(join(root, apart)).catch(() => undefined);
    const isOne = (await add(join(root, apart))) === (await add(join(root, composed)));
    const both = add(join(root, apart), join(root, composed));
    if (isOne) await expect(both).rejects.toMatchObject(refused('is watched already'));
    else expect(await both).toBe(join(root, apart));
  });

  posixTest('a link needs a right there')('that has moved into a watched one is found there', async () => {
    await rename(join(root, 'other'), join(root, 'a/other'));
    await symlink(join(root, 'a/other'), join(root, 'other'));
    await expect(add(join(root, 'other'), join(root, 'a'))).rejects.toMatchObject(refused('lies in'));
  });
});

test('is not a whole drive, but may be a network share', async () => {
  const files = createFiles();
  const at = (isDrive: boolean) =>
    createFolderChoice(join(place, 'own'), [], undefined, {
      ...files,
      disk: (path) => ({ ...files.disk(path), isDrive }),
    });
  await expect(at(true).acceptFolder(root)).rejects.toMatchObject(refused('a whole drive'));
  expect(await at(false).acceptFolder(root)).toBe(root);
});

describe('on a disk that does not distinguish capitals and Unicode forms', () => {
  /** Two names are one folder when they are equal in small, composed letters; `twice` is mounted at `again`, too. */
  const numbers = new Map<string, bigint>();
  const identityOf = (path: string): string => {
    const name = path
      .normalize('NFC')
      .toLowerCase()
      .replace(/^\/again/, '/disk/twice');
    numbers.set(name, numbers.get(name) ?? BigInt(numbers.size));
    return `7:${numbers.get(name)}`;
  };
  const upFrom = (path: string): string[] => (path === '/' ? [path] : [path, ...upFrom(dirname(path))]);
  const place = async (path: string): Promise<Place> => ({
    path,
    names: [path],
    folders: path.includes('gone') ? [] : upFrom(path).map(identityOf),
  });
  const { assertApart } = createFolderChoice('/own', ['/home'], undefined, {
    place,
    look: () => Promise.resolve(null),
    disk: () => localDisk,
  });

  test.each([
    ['/disk/Tray', '/disk/TRAY', 'is watched already'],
    ['/disk/tray/below', '/DISK/Tray', 'lies in'],
    ['/disk/TRAY', '/disk/tray/below', 'has'],
    ['/disk/caf\u00e9', '/disk/cafe\u0301', 'is watched already'],
    ['/disk/CAFE\u0301/below', '/disk/caf\u00e9', 'lies in'],
    ['/again', '/disk/twice', 'is watched already'],
    ['/again/below', '/disk/twice', 'lies in'],
    ['/disk/twice/below/deep', '/again/below', 'lies in'],
    ['/disk/gone', '/disk/gone', 'is watched already'],
  ])('%s is not watched beside %s', async (folder, other, how) => {
    await expect(assertApart(folder, ['/disk/other', other])).rejects.toMatchObject(refused(how));
  });

  test('others are', async () => {
    await assertApart('/disk/tray', ['/disk/trays', '/disk/gone/tray', '/tray']);
  });
});

describe("Outtray's own data", () => {
  test.each<[path: string, own: string | null]>([
    ['own', 'own'],
    ['own/spool/1', 'own/spool/1'],
    ['.', 'own'],
    ['shared', null],
    ['shared/own', null],
  ])('in %s is %s', async (path, own) => {
    for (const folder of ['own/spool/1', 'shared/own']) await mkdir(join(place, folder), { recursive: true });
    expect(await choice().ownIn(join(place, path))).toBe(own === null ? null : join(place, own));
  });

  test('in a whole drive is found', async () => {
    expect(await choice().ownIn(parse(place).root)).toBe(join(place, 'own'));
  });

  posixTest('a link needs a right there')('is found through a symbolic link above it', async () => {
    await mkdir(join(place, 'own'));
    await symlink(place, join(place, 'shared/way'));
    expect(await choice().ownIn(join(place, 'shared/way'))).toBe(join(place, 'shared/way/own'));
    expect(await choice().ownIn(join(place, 'shared/way/own'))).toBe(join(place, 'shared/way/own'));
  });
});
