// Upload from the clipboard: copied files as they are, a picture or a text as a new file in the folder `pasted/` of the
// data folder. Such a file stays until its upload has ended and is removed at the next start.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { clipboard } from 'electron';
import { AppError } from '../../contract/errors.ts';
import { isType, privateMarks } from '../../contract/text/private-marks.ts';
import { pastedName } from '../../contract/text/formats.ts';
import { copiedCount, countType, filesIn, fileTypes, isPathless } from './pasted.ts';

/** In the order in which they are looked for, with the ending of a file of it. */
const contents = [
  ['image/png', 'png'],
  ['text/plain', 'txt'],
] as const;

/**
 * `unreadable`: how many copied files the system does not name here. `elsewhere`: how many have no path on this
 * computer, such as in a network place. `isPrivate`: the program from which it was copied marks it so.
 */
export type OnClipboard = { paths: string[]; unreadable: number; elsewhere: number; isPrivate?: true };

/**
 * Paths of what can be uploaded; empty when there is nothing, or only a text that Outtray copied itself (`isOurs`) or
 * that stands beside copied files: it names them.
 * Throws `disk` when the content cannot be stored and, for content that is not a file, what `demandPlace` throws.
 */
export const pathsOnClipboard = async (
  folder: string,
  isOurs: (text: string) => boolean,
  demandPlace: () => void,
): Promise<OnClipboard> => {
  const items = await clipboard.read();
  if (await isMarkedPrivate(items)) return { paths: [], unreadable: 0, elsewhere: 0, isPrivate: true };
  let elsewhere = items.some(({ types }) => types.some(isPathless)) ? 1 : 0;
  for (const type of fileTypes[process.platform] ?? []) {
    const item = items.find((one) => one.types.includes(type));
    if (item === undefined) continue;
    const files = filesIn(type, await bytesOf(item, type));
    if (files.paths.length === 0) {
      elsewhere = Math.max(elsewhere, files.elsewhere);
      continue;
    }
    const counted = items.find((one) => one.types.includes(countType));
    const count = counted === undefined ? 0 : copiedCount(await bytesOf(counted, countType));
    return { ...files, unreadable: Math.max(0, count - files.paths.length) };
  }
  for (const [type, ending] of contents) {
    if (ending === 'txt' && elsewhere > 0) break;
    const item = items.find((one) => one.types.includes(type));
    const bytes = item === undefined ? new Uint8Array() : await bytesOf(item, type);
    if (ending === 'txt' && isOurs(new TextDecoder().decode(bytes))) continue;
    if (bytes.length === 0) continue;
    demandPlace();
    return { paths: [await keep(folder, bytes, ending)], unreadable: 0, elsewhere: 0 };
  }
  return { paths: [], unreadable: 0, elsewhere };
};

/** For files that a paste event of the window has: their content is not read here. */
export const isClipboardPrivate = async (): Promise<boolean> => isMarkedPrivate(await clipboard.read());

/** Reads the marks only, and nothing that was copied. */
const isMarkedPrivate = async (items: readonly Electron.ClipboardItem[]): Promise<boolean> => {
  for (const item of items)
    for (const type of item.types) {
      const mark = privateMarks.find((one) => isType(one, type));
      if (mark === undefined) continue;
      if (mark.isZero !== true || (await bytesOf(item, type)).every((byte) => byte === 0)) return true;
    }
  return false;
};

const bytesOf = async (item: Electron.ClipboardItem, type: string): Promise<Uint8Array> => {
  const payload: unknown = await item.getType(type);
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  return payload instanceof Blob ? new Uint8Array(await payload.arrayBuffer()) : new Uint8Array();
};

const keep = async (folder: string, bytes: Uint8Array, ending: string): Promise<string> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let again = 0; ; again += 1) {
      const file = path.join(folder, pastedName(Date.now(), again, ending));
      try {
        await writeFile(file, bytes, { flag: 'wx', mode: 0o600 });
        return file;
      } catch (error) {
        if (!isExisting(error) || again > 100) throw error;
      }
    }
  } catch (cause) {
    throw new AppError(
      'disk',
      'What was copied cannot be kept in the data folder.',
      'Make room on the disk.',
      {
        cause,
      },
    );
  }
};

const isExisting = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Removes files that are no longer needed. If the disk refuses, a later start removes them. */
export const tidyPasted = async (folder: string, isOver: (name: string) => boolean): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  for (const name of names)
    if (isOver(name)) await rm(path.join(folder, name), { force: true }).catch(() => undefined);
};
