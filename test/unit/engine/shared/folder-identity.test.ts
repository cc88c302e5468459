import { describe, expect, test } from 'vitest';
import { compareFolders } from '../../../../src-main/engine/shared/folder.ts';

const sshfs = 'from=fuse.sshfs ada@host:/srv/a';

describe('a folder and what is at its path now', () => {
  test.each([
    // The UUID of the file system decides, whatever the numbers say.
    ['7:2:1000:uuid=ab', '8:2:1000:uuid=ab', 'same'],
    ['7:2:1000:uuid=ab', '7:2:1000:uuid=cd', 'other'],
    ['7:0:0:uuid=ab', '9:0:0:uuid=ab', 'same'],
    ['7:0:0:uuid=ab', '7:0:0:uuid=cd', 'other'],
    ['7:2:1000:uuid=ab', '7:3:1000:uuid=ab', 'other'],
    ['7:2:1000:uuid=ab', '7:2:2000:uuid=ab', 'other'],
    ['7:256:1000:uuid=ab', '7:256:2000:uuid=ab', 'other'],
    // A server or a program: what was mounted from where.
    [`50:0:0:${sshfs}`, `50:0:0:${sshfs}`, 'likely'],
    [`50:0:0:${sshfs}`, `51:0:0:${sshfs}`, 'likely'],
    [`50:0:0:${sshfs}`, '50:0:0:from=fuse.sshfs ada@other:/srv/a', 'other'],
    [`50:0:0:${sshfs}`, '50:0:0:from=fuse.sshfs ada@host:/srv/b', 'other'],
    ['50:9:0:from=nfs4 nas:/a', '50:9:0:from=nfs4 nas:/b', 'other'],
    ['50:9:0:from=cifs //nas/a', '50:9:0:from=cifs //nas/b', 'other'],
    // The same server by another name shows the same inode and birth time.
    ['50:9:1001:from=cifs //nas/a', '51:9:1001:from=cifs //192.0.2.1/a', 'likely'],
    ['50:0:1001:from=cifs //nas/a', '51:0:1001:from=cifs //192.0.2.1/a', 'other'],
    // Nothing but numbers that are reused.
    ['50:0:0:', '50:0:0:', 'untold'],
    ['50:1:0:', '50:1:0:', 'untold'],
    ['50:1:0:', '51:1:0:', 'untold'],
    ['50:1:0:', '50:2:0:', 'other'],
    ['50:0:0:', `50:0:0:${sshfs}`, 'untold'],
    // Without a mount the birth time decides, unless it is a whole second.
    ['7:99:1001:', '8:99:1001:', 'same'],
    ['7:2:1700000000000000000:', '7:2:1700000000000000000:', 'likely'],
    // Chosen by an older version, which did not know the mount.
    ['7:99:1001', '7:99:1001:uuid=ab', 'same'],
    ['7:99:1001', '8:99:1001:uuid=ab', 'same'],
    ['7:98:1001', '7:99:1001:uuid=ab', 'other'],
    ['50:1:0', `50:0:0:${sshfs}`, 'likely'],
    ['50:1:0', `51:0:0:${sshfs}`, 'untold'],
    ['one', 'one', 'same'],
    ['one', 'two', 'other'],
  ])('%s and %s: %s', (known, now, sameness) => {
    expect(compareFolders(known, now)).toBe(sameness);
  });
});
