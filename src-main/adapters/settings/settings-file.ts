// settings.json as it is on the disk: read whole, written atomically and privately, unknown names kept.
import { lstatSync, readFileSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import { givenText } from '../../contract/text/given-text.ts';
import { AppError } from '../../contract/errors.ts';
import { fromFileSystem } from '../system/storage.ts';

export type RawSettings = Record<string, unknown>;

/** A thousand ignore patterns of 500 characters fit; anything longer is not a settings file. */
const maxCharacters = 4_000_000;

/**
 * Empty when there is no file. Throws `bad-setting` when the file cannot be read or understood: its proxy, address and
 * certificates are then not known, and guessing the defaults could send the key elsewhere.
 */
export const readSettingsFile = (file: string): RawSettings => {
  let text: string;
  try {
    text = givenText(readFileSync(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new AppError('bad-setting', `The settings in ${file} cannot be read.`, 'Check its permissions.', {
      cause: error,
    });
  }
  const raw = text.trim() === '' ? {} : parse(text);
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return { ...raw };
  throw new AppError(
    'bad-setting',
    `The settings in ${file} are not a JSON object.`,
    'Correct the file, or delete it to start with the defaults.',
  );
};

const parse = (text: string): unknown => {
  if (text.length > maxCharacters) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Throws `disk`, `bad-setting` for a link in its place. */
export const writeSettingsFile = async (file: string, raw: RawSettings): Promise<void> => {
  // write-file-atomic would write through a link.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new AppError(
      'bad-setting',
      `${file} is a link, and Outtray follows none there.`,
      'Put the file itself there.',
    );
  try {
    await writeFileAtomic(file, `${JSON.stringify(raw, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    const below = fromFileSystem(error);
    const isOfDisk = below !== null && below.storage !== 'refused';
    throw new AppError(
      'disk',
      `The settings could not be written to ${file}.${isOfDisk ? ` ${below.message}` : ''}`,
      isOfDisk ? below.remedy : 'Make the data folder writable for your account.',
      { cause: error },
    );
  }
};
