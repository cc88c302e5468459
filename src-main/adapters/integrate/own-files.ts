// An entry that is our own file, or folder of files.
import { lstat, mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { AppError } from '../../contract/errors.ts';

/** Each entry contains it; a file without it is the user's own and stays. */
export const entryMark = 'app.outtray.entry';
/** Earlier versions counted folders behind the mark. */
const formerCount = / folders-made=\d+/;

export type OwnEntry = {
  /** The file, or the folder with the files. */
  place: string;
  /** A folder above it that stays; those between the two go with the last file in them. */
  root: string;
  /** Relative to `place`; '' is itself. The first one carries the mark. */
  files: readonly { name: string; text: string }[];
  mode: number;
};

const fileOf = (entry: OwnEntry, name: string): string =>
  name === '' ? entry.place : path.join(entry.place, name);

export const findEntry = async (entry: OwnEntry): Promise<'absent' | 'foreign' | 'ours'> => {
  const there = await lstat(entry.place).catch(() => null);
  if (there === null) return 'absent';
  const text = await readFile(fileOf(entry, entry.files[0]?.name ?? ''), 'utf8').catch(() => '');
  return text.includes(entryMark) ? 'ours' : 'foreign';
};

/** Whether it is what would be written now. */
export const isCurrent = async (entry: OwnEntry): Promise<boolean> => {
  const texts = await Promise.all(
    entry.files.map(({ name }) => readFile(fileOf(entry, name), 'utf8').catch(() => null)),
  );
  return entry.files.every(({ text }, at) => texts[at]?.replace(formerCount, '') === text);
};

/** Throws `bad-use` when a file that is not ours is in its place, `disk` when it cannot be written. */
export const writeEntry = async (entry: OwnEntry): Promise<void> => {
  if ((await findEntry(entry)) === 'foreign')
    throw new AppError(
      'bad-use',
      `${entry.place} is there already, and Outtray did not make it.`,
      'Move it away or give it another name, then try again.',
    );
  await writing(entry.place, async () => {
    for (const { name, text } of entry.files) {
      const file = fileOf(entry, name);
      await makeFolder(path.dirname(file));
      await writeFileAtomic(file, text, { mode: entry.mode });
    }
  });
};

/** True when it was ours and is gone. Throws `disk`. */
export const removeEntry = async (entry: OwnEntry): Promise<boolean> => {
  if ((await findEntry(entry)) !== 'ours') return false;
  await writing(entry.place, () => rm(entry.place, { recursive: true }));
  await removeEmpty(path.dirname(entry.place), entry.root);
  return true;
};

/** Only the user may write into it, whatever the umask is: others could add entries. */
export const makeFolder = (folder: string): Promise<unknown> =>
  mkdir(folder, { recursive: true, mode: 0o755 });

/** Removes this folder and those above it that are empty, up to `root`, which stays. */
export const removeEmpty = async (folder: string, root: string): Promise<void> => {
  try {
    for (let at = folder; at.startsWith(path.join(root, path.sep)); at = path.dirname(at)) await rmdir(at);
  } catch {
    // There is something in it.
  }
};

/** Throws `disk` with the place in it. */
export const writing = async <T>(place: string, act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const why = cause instanceof Error ? ` (${cause.message})` : '';
    throw new AppError(
      'disk',
      `${place} cannot be changed${why}.`,
      'Make it and its folder writable for your account, then try again.',
      { cause },
    );
  }
};
