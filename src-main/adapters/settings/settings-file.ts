// settings.json as it is on the disk: read whole, written atomically and privately, unknown names kept.
import { existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import { givenText } from '../../contract/text/given-text.ts';
import { AppError } from '../../contract/errors.ts';
import { fromFileSystem, fromHandles } from '../system/storage.ts';

export type RawSettings = Record<string, unknown>;

/** Eight thousand ignore patterns of 500 characters fit; anything longer is not a settings file. */
const maxCharacters = 4_000_000;

/** Beside the settings: as they were when they were last read without a fault. */
export const goodCopyOf = (file: string): string => file.replace(/\.json$/, '.good.json');

/**
 * Empty when there is no file. Throws `bad-setting` when the file is empty, or cannot be read or understood: its proxy,
 * address, certificates and guards are then not known, and the defaults could send the key elsewhere or share more.
 */
export const readSettingsFile = (file: string): RawSettings => {
  let text: string;
  try {
    text = givenText(readFileSync(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw (
      fromHandles(error) ??
      new AppError('bad-setting', `The settings in ${file} cannot be read.`, 'Check its permissions.', {
        cause: error,
      })
    );
  }
  const raw = parse(text);
  if (raw !== null) return raw;
  const isEmpty = /^[\s\0]*$/.test(text);
  const copy = goodCopyOf(file);
  const hasCopy = isGood(copy);
  throw new AppError(
    'bad-setting',
    isEmpty
      ? `The file of the settings, ${file}, is empty.`
      : `The settings in ${file} are not a JSON object.`,
    hasCopy
      ? `The last good copy is ${copy}: put it in place of the file. Or delete the file to start with the defaults.`
      : 'Correct the file, or delete it to start with the defaults.',
  );
};

/** A copy that cannot be read is none. */
const isGood = (copy: string): boolean => {
  try {
    return parse(readFileSync(copy, 'utf8')) !== null;
  } catch {
    return false;
  }
};

/** Null: no JSON object. */
const parse = (text: string): RawSettings | null => {
  if (text.length > maxCharacters) return null;
  try {
    const raw: unknown = JSON.parse(text);
    return typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? { ...raw } : null;
  } catch {
    return null;
  }
};

/** Keeps these settings, which were read without a fault. A folder that cannot be written keeps none. */
export const keepGoodCopy = (file: string, raw: RawSettings): void => {
  const copy = goodCopyOf(file);
  const text = textOf(raw);
  try {
    if (!existsSync(file) || (existsSync(copy) && readFileSync(copy, 'utf8') === text)) return;
    const draft = `${copy}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, copy);
  } catch {
    // The settings themselves are in force.
  }
};

const textOf = (raw: RawSettings): string => `${JSON.stringify(raw, null, 2)}\n`;

/** Throws `disk`, `bad-setting` for a link in its place and for settings that are too long. */
export const writeSettingsFile = async (file: string, raw: RawSettings): Promise<void> => {
  // write-file-atomic would write through a link.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new AppError(
      'bad-setting',
      `${file} is a link, and Outtray follows none there.`,
      'Put the file itself there.',
    );
  const text = textOf(raw);
  // Ignore patterns of twenty folders may be longer: what cannot be read again is not written.
  if (text.length > maxCharacters)
    throw new AppError(
      'bad-setting',
      `The settings would be too long: ${file} can have ${maxCharacters} characters.`,
      'Use fewer ignore patterns.',
    );
  try {
    await writeFileAtomic(file, text, { mode: 0o600 });
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
