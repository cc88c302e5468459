import { expect, test } from 'vitest';
import { createMayLook } from '../../src-main/adapters/files/descriptors.ts';

const line = (id: number, device: string, kind: string): string =>
  `${id} 1 ${device} / /m${id} rw - ${kind} x rw`;
const proc: Record<string, string> = {
  '/proc/self/mountinfo': [line(20, '8:1', 'ext4'), line(21, '0:50', 'fuse.sshfs')].join('\n'),
  '/proc/7/mountinfo': [
    line(30, '8:1', 'ext4'),
    line(31, '0:50', 'fuse.sshfs'),
    line(32, '0:60', 'nfs4'),
    `${line(33, '0:61', 'overlay')},lowerdir=/a:/m31/b`,
    `${line(34, '0:62', 'overlay')},lowerdir=/a,upperdir=/m30/b`,
  ].join('\n'),
};
/** Process 7 has mounts of its own; descriptor 3 is the one in question. */
const mayLook = (fdinfo: string | null) => {
  const files: Record<string, string | null> = { ...proc, '/proc/7/fdinfo/3': fdinfo };
  return createMayLook(
    (file) => files[file] ?? null,
    (pid) => `mnt:[${pid}]`,
  );
};
const local = { devices: new Set(['8:1']), inodes: new Set(['100']) };
const onSsh = { devices: new Set(['0:50']), inodes: new Set(['100']) };

test.each([
  ['is on a local disk', 'mnt_id:\t30\nino:\t5\n', local, true],
  ['is on an sshfs drive without candidates', 'mnt_id:\t31\nino:\t100\n', local, false],
  ['is on an NFS drive', 'mnt_id:\t32\nino:\t100\n', local, false],
  ['is on an overlay over an sshfs drive', 'mnt_id:\t33\nino:\t100\n', local, false],
  ['is on an overlay over local disks', 'mnt_id:\t34\nino:\t100\n', local, true],
  ['is on the drive that the candidate is on', 'mnt_id:\t31\nino:\t5\n', onSsh, true],
  ['was opened before the process left our namespace', 'mnt_id:\t20\nino:\t5\n', local, true],
  ['was opened on a FUSE drive before that', 'mnt_id:\t21\nino:\t100\n', local, false],
  ['is on an unmounted drive, with another inode', 'mnt_id:\t99\nino:\t5\n', local, false],
  ['is on an unmounted drive, with the inode of a candidate', 'mnt_id:\t99\nino:\t100\n', local, true],
  ['is on an unmounted drive, before Linux 5.14', 'mnt_id:\t99\n', local, true],
  ['was closed meanwhile', null, local, false],
])('decides whether to examine a descriptor that %s', (_, fdinfo, candidates, expected) => {
  expect(mayLook(fdinfo)('7', '3', candidates)).toBe(expected);
});
