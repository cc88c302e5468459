// Which program a name resolves to: never one in the current folder.
import { describe, expect, test } from 'vitest';
import { findProgram, windowsProgram } from '../../src-main/adapters/system/programs.ts';
import { wholePath } from '../../src-main/contract/files/whole-path.ts';

/** Every file exists: the first candidate is taken. */
const all = (): boolean => true;

describe('on Windows', () => {
  test.each([
    ['powershell.exe', 'WindowsPowerShell\\v1.0\\powershell.exe'],
    ['rundll32.exe', 'rundll32.exe'],
    ['REG.EXE', 'reg.exe'],
  ])('%s is the one of the system, whatever PATH contains', (name, below) => {
    const env = { SystemRoot: 'D:\\Win', PATH: 'C:\\traps' };
    expect(findProgram(name, env, 'win32', all)).toBe(`D:\\Win\\System32\\${below}`);
  });

  test.each([
    ['D:\\Win', 'D:\\Win'],
    ['d:\\win', 'd:\\win'],
    ['.', 'C:\\Windows'],
    ['', 'C:\\Windows'],
    ['Windows', 'C:\\Windows'],
    ['\\Windows', 'C:\\Windows'],
    ['C:Windows', 'C:\\Windows'],
    ['C:\\Windows\\..\\traps', 'C:\\Windows'],
    ['\\\\server\\share', 'C:\\Windows'],
    ['\\\\?\\UNC\\server\\share', 'C:\\Windows'],
    ['C:\\a" & calc & "', 'C:\\Windows'],
    ['C:\\%TEMP%', 'C:\\Windows'],
  ])('with SystemRoot %j the system is %s', (SystemRoot, root) => {
    expect(windowsProgram('reg.exe', { SystemRoot })).toBe(`${root}\\System32\\reg.exe`);
    // In a copy of the environment the name keeps the capitals it was given.
    expect(windowsProgram('reg.exe', { SYSTEMROOT: SystemRoot })).toBe(`${root}\\System32\\reg.exe`);
  });

  test('another name is looked up in the absolute entries of PATH, with the extensions that need no shell', () => {
    const looked: string[] = [];
    const Path = '.;;bin;C:rel;\\drive;"C:\\Program Files\\pass";\\\\server\\tools';
    const env = { Path, PATHEXT: '.BAT;.JS' };
    expect(findProgram('op', env, 'win32', (file) => looked.push(file) === 0)).toBeNull();
    expect(looked).toEqual([
      'C:\\Program Files\\pass\\op.com',
      'C:\\Program Files\\pass\\op.exe',
      '\\\\server\\tools\\op.com',
      '\\\\server\\tools\\op.exe',
    ]);
    expect(findProgram('op.exe', { Path: 'C:\\a' }, 'win32', all)).toBe('C:\\a\\op.exe');
  });

  test.each(['.\\op.exe', 'bin/op.exe', 'C:op.exe', '\\op.exe', '/op.exe', ''])(
    '%j is no program',
    (name) => {
      expect(findProgram(name, { PATH: 'C:\\a' }, 'win32', all)).toBeNull();
    },
  );
});

describe('elsewhere', () => {
  test.each(['', '.', ':/a', '/a:', '.:/a', 'bin:/a', './bin:../bin:/a', ' /x:/a', '~/bin:/a'])(
    'PATH %j leads into absolute folders only',
    (PATH) => {
      const expected = PATH.includes('/a') ? '/a/xclip' : null;
      expect(findProgram('xclip', { PATH }, 'linux', all)).toBe(expected);
    },
  );

  test('without PATH the folders of the system are searched', () => {
    expect(findProgram('xclip', {}, 'linux', (file) => file === '/bin/xclip')).toBe('/bin/xclip');
  });

  test('a path is accepted only when it is absolute', () => {
    expect(findProgram('/opt/pass', {}, 'linux', all)).toBe('/opt/pass');
    expect(findProgram('./pass', { PATH: '/a' }, 'linux', all)).toBeNull();
    expect(findProgram('bin/pass', { PATH: '/a' }, 'linux', all)).toBeNull();
  });

  test('a program of macOS is taken from the system’s own folder', () => {
    expect(findProgram('pbcopy', { PATH: '/traps' }, 'darwin', all)).toBe('/usr/bin/pbcopy');
  });
});

test.each(['/a', 'C:\\a', 'c:/a', '\\\\server\\a'])('%s is an absolute path', (file) => {
  expect(wholePath(file)).toBe(file);
});
test.each(['a', './a', 'a/b', 'C:a', '\\a', ''])('%j is not one and is not started', (file) => {
  expect(() => wholePath(file)).toThrow(expect.objectContaining({ code: 'internal' }));
});
