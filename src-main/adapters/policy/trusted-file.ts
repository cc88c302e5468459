// A file counts only when root alone can have written it: a regular file, no link, owned by root, not writable by
// group or others, in a folder of which the same is true. Any other file in its place stops the program: it may be the
// administrator's with wrong permissions, and to ignore it would lift every lock.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../contract/errors.ts';

/** Every setting with its longest value fits; anything longer is not a policy. */
const maxBytes = 4_000_000;

/** Null when there is no file. Throws `bad-setting` when there is one that cannot be trusted or read. */
export const readTrustedFile = (file: string, ownerUid: number): Buffer | null => {
  let fd: number;
  try {
    const folder = dirname(file);
    demandTrust(folder, 'folder', lstatSync(folder), ownerUid);
    // Non-blocking: a pipe in this place must not hang the start.
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT') return null;
    if (code === 'ELOOP') throw untrusted(file, 'is a symbolic link', putItself);
    throw badPolicy(file, 'cannot be read', 'Make it readable for every user.', error);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw untrusted(file, 'is not a regular file', putItself);
    demandTrust(file, 'file', stats, ownerUid);
    if (stats.size > maxBytes) throw badPolicy(file, 'is too large');
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
};

/** The names in a folder that root alone can write; none when there is no folder. Throws like `readTrustedFile`. */
export const listTrustedFolder = (folder: string, ownerUid: number): string[] => {
  try {
    demandTrust(folder, 'folder', lstatSync(folder), ownerUid);
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw badPolicy(`folder ${folder}`, 'cannot be read', 'Make it readable for every user.', error);
  }
};

const putItself = 'Put the policy itself there, as a file of root.';

const demandTrust = (path: string, what: 'file' | 'folder', stats: Stats, ownerUid: number): void => {
  const place = what === 'folder' ? `folder ${path}` : path;
  const asRoot = (command: string): string =>
    `Check what ${what === 'folder' ? 'lies in it' : 'it says'}, then run as root: ${command} "${path}".`;
  if (stats.isSymbolicLink()) throw untrusted(place, 'is a symbolic link', 'Put a folder of root there.');
  if (stats.uid !== ownerUid) throw untrusted(place, 'does not belong to root', asRoot('chown root'));
  if ((stats.mode & 0o022) !== 0)
    throw untrusted(place, 'can be written by others than root', asRoot('chmod go-w'));
};

const untrusted = (place: string, why: string, remedy: string): AppError =>
  badPolicy(place, `cannot be trusted: it ${why}. Nothing is uploaded until it can`, remedy);

/** Parses a policy. Throws `bad-setting` when the text is not a JSON object. */
export const parseObject = (place: string, text: string): Record<string, unknown> => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw badPolicy(place, 'is not valid JSON', undefined, error);
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  throw badPolicy(place, 'is not a JSON object');
};

export const badPolicy = (
  place: string,
  what: string,
  remedy = 'Ask your administrator to correct it.',
  cause?: unknown,
): AppError => new AppError('bad-setting', `The policy ${place} ${what}.`, remedy, { cause });
