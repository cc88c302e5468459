// Which real parts this machine has. A test that lacks one is skipped, and the run says which part is missing.
import { execFileSync } from 'node:child_process';

/** Debian's package of each program that the tests start. */
const packages = {
  nginx: 'nginx-light',
  haproxy: 'haproxy',
  squid: 'squid',
  openssl: 'openssl',
  ip: 'iproute2',
  iptables: 'iptables',
  'mkfs.xfs': 'xfsprogs',
  xfs_io: 'xfsprogs',
  'mkfs.btrfs': 'btrfs-progs',
  'mkfs.exfat': 'exfatprogs',
  'mount.exfat-fuse': 'exfat-fuse',
  mkntfs: 'ntfs-3g',
  'ntfs-3g': 'ntfs-3g',
  bindfs: 'bindfs',
  sshfs: 'sshfs',
  rclone: 'rclone',
  'sftp-server': 'openssh-sftp-server',
  unshare: 'util-linux',
  journalctl: 'systemd',
  setpriv: 'util-linux',
  'update-ca-certificates': 'ca-certificates',
  aria2c: 'aria2',
  axel: 'axel',
  lftp: 'lftp',
  wget: 'wget',
  curl: 'curl',
  cc: 'gcc',
  unzip: 'unzip',
  bsdtar: 'libarchive-tools',
  wine: 'wine',
  makensis: 'nsis',
  Xvfb: 'xvfb',
  'dbus-run-session': 'dbus',
  ksnip: 'ksnip',
  flameshot: 'flameshot',
} as const;

export type Part = keyof typeof packages | 'root';

const known = new Map<Part, boolean>();

/** Whether this machine has the part. */
export const has = (part: Part): boolean => {
  const before = known.get(part);
  if (before !== undefined) return before;
  const found =
    part === 'root'
      ? process.getuid?.() === 0
      : isInstalled(part === 'sftp-server' ? '/usr/lib/openssh/sftp-server' : part);
  known.set(part, found);
  return found;
};

/** The parts of `needed` that are missing, for `describe.skipIf(lacks(…))`; prints one sentence if there are any. */
export const lacks = (...needed: readonly Part[]): boolean => {
  const missing = needed.filter((part) => !has(part));
  if (missing.length > 0) {
    const remedies = missing.map((part) =>
      part === 'root' ? 'run as root' : `apt-get install ${packages[part]}`,
    );
    console.log(`Skipped: no ${missing.join(', no ')} here (${[...new Set(remedies)].join(', ')}).`);
  }
  return missing.length > 0;
};

const isInstalled = (program: string): boolean => {
  try {
    execFileSync('/bin/sh', ['-c', 'command -v "$0"', program], {
      stdio: 'ignore',
      env: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    });
    return true;
  } catch {
    return false;
  }
};
