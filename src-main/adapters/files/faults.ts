// The system's error codes, translated once. Everything below the port throws what Node throws; everything that
// leaves it is an AppError.
import { AppError, type ErrorCode } from '../../contract/errors.ts';
import { systemCode } from '../system-code.ts';
import { disks, type Disks } from './disk.ts';

const codes: Record<string, ErrorCode> = {
  ENOENT: 'gone',
  ENOTDIR: 'gone',
  EACCES: 'locked',
  EPERM: 'locked',
  EBUSY: 'locked',
  ETXTBSY: 'locked',
  EAGAIN: 'locked',
  EMFILE: 'locked', // passes when other files are closed
  ENFILE: 'locked',
  ENOKEY: 'locked', // of an encrypted folder, until its user unlocks it
  ELOOP: 'not-a-file', // O_NOFOLLOW met a link
  EISDIR: 'not-a-file',
  ENXIO: 'not-a-file', // a socket, or a device that is not there
  ENODEV: 'not-a-file',
};

/** The server of a network drive, or the program that answers for it, is away, and comes back (nfs(5), fuse(4)). */
const away: ReadonlySet<string> = new Set(
  'ENOTCONN ECONNABORTED ECONNREFUSED ECONNRESET ESHUTDOWN ETIMEDOUT EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ENONET ENOLINK EREMOTEIO ESTALE'.split(
    ' ',
  ),
);

const words: Partial<Record<ErrorCode, [message: string, remedy: string]>> = {
  gone: ['is no longer there', ''],
  locked: [
    'cannot be opened now',
    'Outtray tries again; check its permissions and which program has it open.',
  ],
  'not-a-file': ['is not a regular file', 'Links, pipes, sockets and devices are never uploaded.'],
  outside: [
    'is reached over a link, or lies outside the folder',
    'Name the file by its real path, in the folder.',
  ],
  disk: ['cannot be read', 'Check the disk or the network drive it is on.'],
};

/** True when there is no longer an entry at the path. */
export const isGone = (error: unknown): boolean => codes[systemCode(error)] === 'gone';

/** True when the system takes no path of this length; something may be there all the same. */
export const isTooLong = (error: unknown): boolean => systemCode(error) === 'ENAMETOOLONG';

/** A remote drive returns EIO for any trouble on the way to it, a drive in the machine for a bad sector, for good. */
const isAway = (error: unknown, path: string, of: Pick<Disks, 'hanging'>): boolean => {
  const code = systemCode(error);
  if (code !== 'EIO') return away.has(code);
  const mount = of.hanging(path);
  return mount !== null && mount.kind !== 'fuseblk';
};

/** Makes the AppError for a fault of the file at `path`; an AppError stays as it is. */
export const fileFault = (error: unknown, path: string, of: Pick<Disks, 'hanging'> = disks): AppError => {
  if (error instanceof AppError) return error;
  if (isAway(error, path, of))
    return new AppError(
      'locked',
      `The drive with ${path} does not answer.`,
      'Outtray waits for it and continues by itself; check the network or the server.',
      { cause: error },
    );
  if (isTooLong(error))
    return new AppError(
      'disk',
      `${path} has a path that is too long for this system.`,
      'Move it to a folder further up.',
      { cause: error },
    );
  return fault(codes[systemCode(error)] ?? 'disk', path, error);
};

export const fault = (code: ErrorCode, path: string, cause?: unknown): AppError => {
  const [message, remedy] = words[code] ?? ['cannot be used', ''];
  return new AppError(code, `${path} ${message}.`, remedy, cause === undefined ? {} : { cause });
};

/** Some file systems report sizes that they invent. */
export const wrongSize = (path: string): AppError =>
  new AppError(
    'disk',
    `${path} has another size than its disk reports.`,
    'Copy it to another disk, and share the copy.',
  );

export const changed = (path: string): AppError =>
  new AppError(
    'changed',
    `${path} changed while it was being read.`,
    'It is uploaded again once it stops changing.',
  );
