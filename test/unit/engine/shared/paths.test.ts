import { describe, expect, test } from 'vitest';
import { commonFolder, joinPath, relativeTo, splitPath } from '../../../../src-main/engine/shared/paths.ts';

describe('paths as text', () => {
  test.each([
    ['/tray', 'a.txt', '/tray/a.txt'],
    ['/', 'a.txt', '/a.txt'],
    ['C:\\tray', 'a.txt', 'C:\\tray\\a.txt'],
    ['C:\\', 'a.txt', 'C:\\a.txt'],
    ['\\\\server\\share', 'a.txt', '\\\\server\\share\\a.txt'],
    ['/tray/odd\\name', 'a.txt', '/tray/odd\\name/a.txt'],
    ['/tray/odd\\', 'a.txt', '/tray/odd\\/a.txt'],
  ])('%s and %s join to %s and split again', (dir, name, path) => {
    expect(joinPath(dir, name)).toBe(path);
    expect(splitPath(path)).toEqual({ dir, name });
  });

  test.each(['/', 'C:\\', '\\\\server\\share', '\\\\server'])('nothing is above %s', (root) => {
    expect(splitPath(root)).toEqual({ dir: root, name: '' });
  });

  test('two shares of a server have no folder in common', () => {
    expect(commonFolder('\\\\server\\one\\a', '\\\\server\\two\\a')).toBeNull();
    expect(commonFolder('\\\\server\\one\\a', '\\\\server\\one\\b\\c')).toBe('\\\\server\\one');
  });

  test('a backslash is a valid character of a name where there are no drives', () => {
    expect(splitPath('/tray/a\\b.txt')).toEqual({ dir: '/tray', name: 'a\\b.txt' });
  });

  test('Windows accepts both separators', () => {
    expect(splitPath('C:/tray\\a/b.txt')).toEqual({ dir: 'C:/tray\\a', name: 'b.txt' });
  });

  test('a bare name lies in the current folder', () => {
    expect(splitPath('a.txt')).toEqual({ dir: '.', name: 'a.txt' });
  });

  test.each([
    ['/tray', '/tray/a/b.txt', 'a/b.txt'],
    ['/', '/a.txt', 'a.txt'],
    ['C:\\tray', 'C:\\tray\\a\\b.txt', 'a/b.txt'],
    ['/odd\\', '/odd\\/b.txt', 'b.txt'],
    ['/odd\\', '/odd\\b.txt', null],
    ['/tray', '/tray2/b.txt', null],
    ['/tray', '/tray', null],
    ['/tray', '/other/b.txt', null],
  ])('below %s, %s is %s', (root, path, relative) => {
    expect(relativeTo(root, path)).toBe(relative);
  });
});
