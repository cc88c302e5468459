// The mount table of Linux (proc_pid_mountinfo(5)). Reading it asks no file system, so it never hangs.
import { readSystemText } from './mappings.ts';
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
