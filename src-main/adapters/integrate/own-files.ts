// An entry that is a file, or a folder of files, of our own. The folders above that had to be made for it are counted in
// it, so that removing it removes exactly those again, if nothing else lies in them.
import { lstat, mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { AppError } from '../../contract/errors.ts';

/** Stands in each entry; a file without it is the user's own and stays. */
export const markOf = (foldersMade: number): string => `app.outtray.entry folders-made=${foldersMade}`;
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
  return entry.files.every(({ text }, at) => texts[at] === text(markOf(foldersMade)));
};

/**
 * `madeEarlier`: the folders that another entry, which this one replaces, counts. Throws `bad-use` when a file that is not
 * ours is in its place, `disk` when it cannot be written.
 */
export const writeEntry = async (entry: OwnEntry, madeEarlier: number): Promise<void> => {
  const found = await findEntry(entry);
  if (found.kind === 'foreign')
    throw new AppError(
      'bad-use',
      `${entry.place} is there already, and Outtray did not make it.`,
      'Move it away or give it another name, then try again.',
    );
  await writing(entry.place, async () => {
    const made = await makeFolder(path.dirname(entry.place));
    const foldersMade = found.kind === 'ours' ? found.foldersMade : Math.max(made, madeEarlier);
    for (const { name, text } of entry.files) {
      const file = fileOf(entry, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFileAtomic(file, text(markOf(foldersMade)), { mode: entry.mode });
    }
  });
};

/** True when it was ours and is gone. Throws `disk`. */
export const removeEntry = async (entry: OwnEntry): Promise<boolean> => {
  const found = await findEntry(entry);
  if (found.kind !== 'ours') return false;
  await writing(entry.place, () => rm(entry.place, { recursive: true }));
  await removeEmpty(path.dirname(entry.place), found.foldersMade);
  return true;
};

/** How many folders were missing and are there now. */
export const makeFolder = async (folder: string): Promise<number> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o755 });
  return first === undefined ? 0 : path.relative(path.dirname(first), folder).split(path.sep).length;
};

/** Removes `folder` and those above it, `levels` in all, up to the first that has something in it. */
export const removeEmpty = async (folder: string, levels: number): Promise<void> => {
  for (let at = folder, left = levels; left > 0; at = path.dirname(at), left -= 1) {
    const isGone = await rmdir(at).then(
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
