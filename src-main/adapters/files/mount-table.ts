// The tables of mounts. That of Linux (proc_pid_mountinfo(5)) has all, and reading it asks no file system, so it never
// hangs. macOS and Windows have none that can be read: a program of the system prints the drives on which a call may hang,
// because no disk of this machine holds them. Both programs print what the system knows already, and ask no server:
// mount(8) without arguments, and `net use`.
import { win32 } from 'node:path';
import { prints, printsLater } from '../programs/prints.ts';
import { windowsProgram } from '../system/programs.ts';
import { attempt, readSystemText } from './mappings.ts';
import { fromLatin1Name, isWithin } from './paths.ts';

/** One line of the table. */
export type Mount = {
  /** Differs for each mount, and is reused after an unmount. */
  id: string;
  /** `major:minor`. */
  device: string;
  /** The folder of the file system that is mounted: `/`, or a subvolume, or what a bind mount shows. */
  root: string;
  path: string;
  /** As the system names it, `fuse.sshfs` for example. */
  kind: string;
  /** The folders that an overlay shows as one. */
  layers: readonly string[];
  /** What was mounted: a device, a server's folder, or any text. */
  source: string;
  options: string;
};

/** A line: `36 35 98:0 /root /path rw,noatime master:1 - ext3 /dev/root rw,errors=continue`. */
export const parseMounts = (table: string): Mount[] =>
  table.split('\n').flatMap((line) => {
    const [left = '', right] = line.split(' - ');
    if (right === undefined) return [];
    const [id = '', , device = '', root = '', path = '', options = ''] = left.split(' ');
    const [kind = '', source = '', superOptions = ''] = right.split(' ');
    return [
      {
        id,
        device,
        root: unescaped(root),
        path: unescaped(path),
        kind,
        layers: kind === 'overlay' ? layersIn(superOptions) : [],
        source: unescaped(source),
        options: `${options},${superOptions}`,
      },
    ];
  });

/** `lowerdir=/a:/b,upperdir=/c`, or `lowerdir+=/a` for each. A colon in a path has a backslash before it. */
const layersIn = (options: string): string[] =>
  options
    .split(',')
    .map(unescaped)
    .flatMap(
      (option) => /^(?:lowerdir\+?|datadir\+|upperdir)=(.*)$/s.exec(option)?.[1]?.split(/(?<!\\):+/) ?? [],
    )
    .map((folder) => folder.replace(/\\(.)/gs, '$1'));

/** The kernel writes blank, tab, newline, `#` and backslash as a backslash and three octal digits. */
const unescaped = (text: string): string =>
  fromLatin1Name(
    text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
  );

/** The mount that a real path lies on. If several are mounted at one place, the last one is visible. */
export const mountOf = (mounts: readonly Mount[], path: string): Mount | null =>
  mounts.reduce<Mount | null>(
    (best, mount) =>
      isWithin(mount.path, path) && mount.path.length >= (best?.path.length ?? 0) ? mount : best,
    null,
  );

/** Null where there is no such table. */
export const readMountTable = (file = '/proc/self/mountinfo'): string | null => {
  try {
    return readSystemText(file);
  } catch {
    return null;
  }
};

/** Linux packs the two numbers of a device into one (makedev(3)). */
export const deviceNumber = (dev: bigint): string => {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  return `${major}:${minor}`;
};

type Command = readonly [program: string, ...args: string[]];
export type RunPrinter = {
  now(command: Command): string;
  /** Null: it failed. */
  later(command: Command): Promise<string | null>;
};

/**
 * Returns what the system's program printed last. The first call waits for it, and each later one starts it for the next:
 * it takes some ten milliseconds, which the window must not wait for again and again.
 */
export const createDriveTable = (
  platform: 'darwin' | 'win32',
  env: NodeJS.ProcessEnv = process.env,
  run: RunPrinter = { now: runNow, later: runLater },
): (() => string) => {
  const command: Command = platform === 'darwin' ? ['/sbin/mount'] : [windowsProgram('net.exe', env), 'use'];
  let last: string | null = null;
  let isRunning = false;
  return () => {
    if (last === null) return (last = attempt(() => run.now(command)) ?? '');
    if (!isRunning) {
      isRunning = true;
      void run
        .later(command)
        .catch(() => null)
        .then((printed) => {
          last = printed ?? last;
          isRunning = false;
        });
    }
    return last;
  };
};

/** The drives in what the system's program printed, except those of this machine. */
export const farDrivesIn = (platform: 'darwin' | 'win32', text: string): Mount[] =>
  text.split(/\r?\n/).flatMap((line) => (platform === 'darwin' ? mountIn(line) : letterIn(line)));

/** `//ada@nas/share on /Volumes/share (smbfs, nodev, nosuid)`. A disk of the machine has the flag `local`. */
const mountIn = (line: string): Mount[] => {
  const [, source = '', path = '', flags = ''] = /^(.*?) on (\/.*) \((.*)\)$/.exec(line) ?? [];
  const [kind = '', ...others] = flags.split(', ');
  return kind === '' || others.includes('local') ? [] : [farDrive(path, kind, source)];
};

/** `OK           Z:        \\nas\share               Microsoft Windows Network`; the words are in the system's language. */
const letterIn = (line: string): Mount[] => {
  const [, letter, server = ''] = /(?:^|\s)([a-z]:)\s+(\\\\\S.*?)(?:\s{2}|$)/i.exec(line) ?? [];
  return letter === undefined ? [] : [farDrive(`${letter.toUpperCase()}\\`, shareKind, server)];
};

const shareKind = 'network share';

const farDrive = (path: string, kind: string, source: string): Mount => ({
  id: '',
  // Another drive that is mounted at the same path is another device.
  device: source,
  root: '/',
  path,
  kind,
  layers: [],
  source,
  options: '',
});

/** As Windows writes it: `\\?\UNC\nas\share\a` is `\\nas\share\a`, and `/` is `\`. */
export const plainWindowsPath = (path: string): string =>
  win32
    .normalize(path)
    .replace(/^\\\\[?.]\\(?:UNC\\|(?=[a-z]:))/i, (mark) => (/UNC/i.test(mark) ? '\\\\' : ''));

/** The share that a root such as `\\nas\share\` names. Null: it is no name of a server. */
export const shareAt = (root: string): Mount | null => {
  const share = root.replace(/\\?$/, '\\');
  return /^\\\\[^\\?.][^\\]*\\[^\\]+\\$/.test(share) ? farDrive(share, shareKind, share) : null;
};

/** The system answers at once, or something is wrong. */
const limit = { timeout: 2_000 };

const runNow: RunPrinter['now'] = ([program, ...args]) => prints(program, args, limit);

const runLater: RunPrinter['later'] = async ([program, ...args]) => {
  const { printed, isDone } = await printsLater(program, args, limit);
  return isDone ? printed : null;
};
