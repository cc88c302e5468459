// Errors of disks by the numbers that the system gives: Node has no names of its own for some of them.
import { constants } from 'node:os';
import { describe, expect, test } from 'vitest';
import { fileFault, isGone } from '../../src-main/adapters/files/faults.ts';
import type { Mount } from '../../src-main/adapters/files/mount-table.ts';
import { systemCode } from '../../src-main/adapters/system-code.ts';
import { fromFileSystem } from '../../src-main/adapters/system/storage.ts';
import { posixTest } from '../support/posix.ts';

/** As Node makes it. */
const systemError = (name: string): Error => {
  const number = (constants.errno as Record<string, number>)[name];
  const isNamed = !['ESTALE', 'EDQUOT', 'ENOLINK', 'EBADMSG'].includes(name);
  const code = isNamed ? name : `Unknown system error -${number}`;
  return Object.assign(new Error(`${code}, read`), { code, errno: -(number ?? 0) });
};

const on = (kind: string) => ({
  hanging: (): Mount => ({
    id: '1',
    device: '0:50',
    root: '/',
    path: '/net',
    kind,
    layers: [],
    source: 'nas:/',
    options: '',
  }),
});
const local = { hanging: () => null };

const withNumbers = posixTest('its errors have other numbers');

withNumbers('an error that Node does not name is known by its number', () => {
  for (const name of ['ESTALE', 'EDQUOT', 'EIO', 'ENOENT']) {
    expect(systemCode(systemError(name))).toBe(name);
    expect(systemCode(Object.assign(systemError(name), { code: 'UNKNOWN' }))).toBe(name);
  }
  const unknown = Object.assign(new Error('said'), { code: 'Unknown system error -4000', errno: -4000 });
  expect(systemCode(unknown)).toBe('Unknown system error -4000');
  expect(systemCode(Object.assign(new Error('said'), { code: 'Unknown system error' }))).toBe(
    'Unknown system error',
  );
  expect(systemCode(new Error('said'))).toBe('');
});

test.runIf(process.platform === 'linux')('a file whose key is missing waits for it', () => {
  const error = Object.assign(new Error('said'), { code: 'Unknown system error -126', errno: -126 });
  expect(fileFault(error, '/home/a', local)).toMatchObject({ code: 'locked' });
});

describe('a file', () => {
  withNumbers.each([
    'ENOTCONN',
    'ECONNABORTED',
    'ETIMEDOUT',
    'EHOSTDOWN',
    'EHOSTUNREACH',
    'ENOLINK',
    'EREMOTEIO',
    'ESTALE',
  ])('for which a drive reports %s waits for the drive, and does not count as gone', (name) => {
    expect(isGone(systemError(name))).toBe(false);
    expect(fileFault(systemError(name), '/net/a', local)).toMatchObject({
      code: 'locked',
      message: 'The drive with /net/a does not answer.',
      remedy: expect.stringContaining('continues by itself') as unknown,
    });
  });

  test.each(['nfs4', 'cifs', 'fuse.sshfs', 'fuse.rclone', 'overlay'])(
    'for which %s reports EIO waits for the drive',
    (kind) => expect(fileFault(systemError('EIO'), '/net/a', on(kind))).toMatchObject({ code: 'locked' }),
  );

  test.each([
    ['EIO', 'a disk in the machine', local],
    ['EIO', 'a stick', on('fuseblk')],
    ['EBADMSG', 'a disk in the machine', local],
    ['EBADMSG', 'a network drive', on('nfs4')],
  ])('for which %s is reported on %s cannot be read', (name, _, of) => {
    expect(fileFault(systemError(name), '/net/a', of)).toMatchObject({ code: 'disk' });
  });
});

describe('the data folder', () => {
  withNumbers.each([
    ['EDQUOT', 'full'],
    ['ENOSPC', 'full'],
    ['EROFS', 'read-only'],
    ['EIO', 'failed'],
    ['ESTALE', 'failed'],
    ['ENOTCONN', 'failed'],
    ['ECONNABORTED', 'failed'],
    ['EHOSTDOWN', 'failed'],
    ['ENOLINK', 'failed'],
  ])('on a disk that reports %s is reported as %s', (name, storage) => {
    expect(fromFileSystem(systemError(name))).toMatchObject({ code: 'disk', storage });
  });
});
