// Drives that are mounted for a test: a folder shown by bindfs, a server by sshfs (its protocol over a pipe, no login),
// and images with a file system of their own.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { system } from './disks.ts';

/** FUSE can be mounted here. */
export const hasFuse = (): boolean => process.getuid?.() === 0 && existsSync('/dev/fuse');

const sftpServer = '/usr/lib/openssh/sftp-server';

export const mount = {
  bindfs: (from: string, at: string): void => void system('bindfs', [from, at]),
  /** `name`: the source in the mount table. `cache`: an option of sshfs. */
  sshfs(from: string, at: string, name = `ada@host:${from}`, cache = 'cache=no'): void {
    // The file system's options need no server of their own: `ssh_command` is replaced by the SFTP server itself.
    execFileSync(
      'sshfs',
      [`ada@host:${from}`, at, '-o', `fsname=${name},ssh_command=${sftpCommand(at)},${cache},idmap=none`],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
  },
  image(image: string, at: string): void {
    system('mount', ['-o', 'loop', image, at]);
  },
  exfat: (image: string, at: string): void => mountDevice('mount.exfat-fuse', image, at),
  ntfs: (image: string, at: string): void => mountDevice('ntfs-3g', image, at),
};

/** As a stick is mounted: a device. It goes when it is unmounted and its program has written all of it. */
const mountDevice = (program: string, image: string, at: string): void => {
  for (let tries = 0; system('losetup', ['-j', image]) !== ''; tries += 1) {
    if (tries === 600) throw new Error(`${image} is still in use.`);
    system('sleep', ['0.05']);
  }
  const device = system('losetup', ['-f', '--show', image]).trim();
  system(program, [device, at]);
  system('losetup', ['-d', device]);
};

let lastPidFile = '';

/** A program in place of ssh: it ignores its arguments and speaks SFTP. It lies beside the drive and goes with it. */
const sftpCommand = (at: string): string => {
  const file = `${at}.sftp`;
  lastPidFile = `${file}.pid`;
  writeFileSync(file, `#!/bin/sh\necho $$ > ${lastPidFile}\nexec ${sftpServer}\n`, { mode: 0o700 });
  return file;
};

/** The server of the last sshfs, for `freeze`. */
export const lastServer = (): number => Number(readFileSync(lastPidFile, 'utf8'));

/**
 * Stops the server of a drive; sshfs itself must go on, or each look into /proc hangs. It wakes by itself after ten
 * minutes: while a program that is being started waits for a drive, whatever reads /proc of that program waits, too, and
 * a test that was ended cannot wake it.
 */
export const freeze = (server: number): void => {
  process.kill(server, 'SIGSTOP');
  const wakes = 'for second in $(seq 600); do kill -0 "$0" || exit; sleep 1; done; kill -CONT "$0"';
  spawn('/bin/sh', ['-c', wakes, String(server)], { detached: true, stdio: 'ignore' }).unref();
};

/** Also after a mount that failed: then its error is the one to report. */
export const unmount = (at: string): void => {
  if (isMounted(at)) system('umount', ['-l', at]);
};

const isMounted = (at: string): boolean =>
  readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${at.replaceAll(' ', String.raw`\040`)} `);

export const makeImage = (image: string, kind: 'ext4' | 'xfs' | 'btrfs' | 'exfat' | 'ntfs'): void => {
  mkdirSync(path.dirname(image), { recursive: true });
  system('truncate', ['-s', kind === 'xfs' ? '320M' : kind === 'btrfs' ? '128M' : '24M', image]);
  system(kind === 'ntfs' ? 'mkntfs' : `mkfs.${kind}`, [...quiet[kind], image]);
  // Two that mkntfs makes in one second have one serial number.
  if (kind === 'ntfs') writeAt(image, 72, randomBytes(8));
};

const writeAt = (file: string, at: number, bytes: Uint8Array): void => {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
};

const quiet = { ext4: ['-q'], xfs: ['-q'], btrfs: ['-q'], exfat: [], ntfs: ['-q', '-Q', '-F'] };
