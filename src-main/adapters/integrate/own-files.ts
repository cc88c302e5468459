// An entry that is our own file, or folder of files. It stores how many folders above it entries made, so that removing
// the last entry removes exactly those, if they are empty.
import { lstat, mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { AppError } from '../../contract/errors.ts';

/** Each entry contains it; a file without it is the user's own and stays. */
export const entryMarkOf = (foldersMade: number): string => `app.outtray.entry folders-made=${foldersMade}`;
const mark = /app\.outtray\.entry folders-made=(\d+)/;

export type OwnEntry = {
  /** The file, or the folder with the files. */
  place: string;
  /** Relative to `place`; '' is itself. The first one carries the mark. */
  files: readonly { name: string; text: (mark: string) => string }[];
  mode: number;
};

type Found = { kind: 'absent' } | { kind: 'foreign' } | { kind: 'ours'; foldersMade: number };

const fileOf = (entry: OwnEntry, name: string): string =>
  name === '' ? entry.place : path.join(entry.place, name);

export const findEntry = async (entry: OwnEntry): Promise<Found> => {
  const there = await lstat(entry.place).catch(() => null);
  if (there === null) return { kind: 'absent' };
  const text = await readFile(fileOf(entry, entry.files[0]?.name ?? ''), 'utf8').catch(() => '');
  const count = mark.exec(text)?.[1];
  return count === undefined ? { kind: 'foreign' } : { kind: 'ours', foldersMade: Number(count) };
};

/** Whether it is what would be written now. */
export const isCurrent = async (entry: OwnEntry, foldersMade: number): Promise<boolean> => {
  const texts = await Promise.all(
    entry.files.map(({ name }) => readFile(fileOf(entry, name), 'utf8').catch(() => null)),
  );
  return entry.files.every(({ text }, at) => texts[at] === text(entryMarkOf(foldersMade)));
};

/**
 * `madeByUs`: folders that other entries made. Throws `bad-use` when a file that is not ours is in its place, `disk`
 * when it cannot be written.
 */
export const writeEntry = async (entry: OwnEntry, madeByUs: ReadonlySet<string>): Promise<void> => {
  const found = await findEntry(entry);
  if (found.kind === 'foreign')
    throw new AppError(
      'bad-use',
      `${entry.place} is there already, and Outtray did not make it.`,
      'Move it away or give it another name, then try again.',
    );
  await writing(entry.place, async () => {
    const made = await makeFolder(path.dirname(entry.place), madeByUs);
    const foldersMade = found.kind === 'ours' ? found.foldersMade : made;
    for (const { name, text } of entry.files) {
      const file = fileOf(entry, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFileAtomic(file, text(entryMarkOf(foldersMade)), { mode: entry.mode });
    }
  });
};

/** True when it was ours and is gone. Throws `disk`. */
export const removeEntry = async (entry: OwnEntry): Promise<boolean> => {
  const found = await findEntry(entry);
  if (found.kind !== 'ours') return false;
  await writing(entry.place, () => rm(entry.place, { recursive: true }));
  await removeEmpty(foldersAbove(entry.place, found.foldersMade));
  return true;
};

/** Makes `folder`. Returns how many folders, from it upwards, we made: now, or for another entry. */
export const makeFolder = async (folder: string, madeByUs: ReadonlySet<string>): Promise<number> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o755 });
  let at = first === undefined ? folder : path.dirname(first);
  while (madeByUs.has(at)) at = path.dirname(at);
  return at === folder ? 0 : path.relative(at, folder).split(path.sep).length;
};

/** The nearest folders above `place`, at most `count`, which comes from a file that any program may have changed. */
export const foldersAbove = (place: string, count: number): string[] => {
  const folders: string[] = [];
  for (let at = path.dirname(place); folders.length < count && at !== path.dirname(at); at = path.dirname(at))
    folders.push(at);
  return folders;
};

/** Removes `folders`, the innermost first, up to the first that has something in it. */
export const removeEmpty = async (folders: readonly string[]): Promise<void> => {
  for (const folder of folders) {
    const isGone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
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
