// A file counts only when nobody but root can have written it: a regular file, no link, owned by root, not writable by
// group or others, in a folder of which the same is true.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../contract/errors.ts';

export type TrustedFile =
  { kind: 'absent' } | { kind: 'ignored'; warning: string } | { kind: 'read'; content: Buffer };

/** Every setting with its longest value fits; anything longer is not a policy. */
const maxBytes = 4_000_000;

/** Throws `bad-setting` when the file is there and cannot be read, which no user could have brought about. */
export const readTrustedFile = (file: string, ownerUid: number): TrustedFile => {
  const ignored = (reason: string): TrustedFile => ({
    kind: 'ignored',
    warning: `The policy ${file} is ignored: ${reason}.`,
  });
  let fd: number;
  try {
    const reason = distrust(lstatSync(dirname(file)), ownerUid);
    if (reason !== null) return ignored(`its folder ${reason}`);
    // Non-blocking: a pipe in this place must not hang the start.
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
    if (code === 'ELOOP') return ignored('it is a symbolic link');
    throw unusable(file, 'cannot be read', error);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return ignored('it is not a regular file');
    const reason = distrust(stats, ownerUid);
    if (reason !== null) return ignored(`it ${reason}`);
    if (stats.size > maxBytes) throw unusable(file, 'is too large');
    return { kind: 'read', content: readFileSync(fd) };
  } finally {
    closeSync(fd);
  }
};

const distrust = (stats: Stats, ownerUid: number): string | null => {
  if (stats.isSymbolicLink()) return 'is a symbolic link';
  if (stats.uid !== ownerUid) return 'does not belong to root';
  if ((stats.mode & 0o022) !== 0) return 'can be written by others than root';
  return null;
};

/** The object a policy is. Throws `bad-setting` when the text is none. */
export const parseObject = (place: string, text: string): Record<string, unknown> => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw unusable(place, 'is not valid JSON', error);
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  throw unusable(place, 'is not a JSON object');
};

export const unusable = (place: string, what: string, cause?: unknown): AppError =>
  new AppError('bad-setting', `The policy ${place} ${what}.`, 'Ask your administrator to correct it.', {
    cause,
  });
