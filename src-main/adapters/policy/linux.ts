// /etc/outtray/policy.json counts only when nobody but root can have written it: a regular file, no link, owned by
// root, not writable by group or others, in a folder of which the same is true.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { noPolicy, type Policy } from './given.ts';

/** Every setting with its longest value fits; anything longer is not a policy. */
const maxBytes = 4_000_000;

/** Throws `bad-setting` when the file is trustworthy but unreadable or no JSON object. */
export const readLinuxPolicy = ({ file = '/etc/outtray/policy.json', ownerUid = 0 } = {}): Policy => {
  const ignored = (reason: string): Policy => ({
    ...noPolicy,
    warnings: [`The policy ${file} is ignored: ${reason}.`],
  });
  let fd: number;
  try {
    const reason = distrust(lstatSync(dirname(file)), ownerUid);
    if (reason !== null) return ignored(`its folder ${reason}`);
    // Non-blocking: a pipe in this place must not hang the start.
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return noPolicy;
    if (code === 'ELOOP') return ignored('it is a symbolic link');
    throw unusable(file, 'cannot be read', error);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return ignored('it is not a regular file');
    const reason = distrust(stats, ownerUid);
    if (reason !== null) return ignored(`it ${reason}`);
    if (stats.size > maxBytes) throw unusable(file, 'is too large');
    return { values: parse(file, readFileSync(fd, 'utf8')), source: file, warnings: [] };
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

const parse = (file: string, text: string): Record<string, unknown> => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw unusable(file, 'is not valid JSON', error);
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  throw unusable(file, 'is not a JSON object');
};

const unusable = (file: string, what: string, cause?: unknown): AppError =>
  new AppError('bad-setting', `The policy ${file} ${what}.`, 'Ask your administrator to correct it.', {
    cause,
  });
