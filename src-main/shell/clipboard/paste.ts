// Upload from the clipboard: copied files as they are, a picture or a text as a new file in the folder `pasted/` of the
// data folder. Such a file stays until its upload has ended and is removed at the next start.
import { clipboard } from 'electron';
import type { UploadView } from '../../contract/model.ts';
import { isType, privateMarks } from '../../contract/text/private-marks.ts';
import type { KeepPasted } from '../app-context.ts';
import type { GivenInput } from '../drop/giving.ts';
import { copiedCount, countType, copiedFiles, fileTypes, isPathless } from './pasted.ts';

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
  keep: KeepPasted,
  isOurs: (text: string) => boolean,
  demandPlace: () => void,
): Promise<OnClipboard> => {
  const items = await clipboard.read();
  if (await isMarkedPrivate(items)) return { paths: [], unreadable: 0, elsewhere: 0, isPrivate: true };
  let elsewhere = items.some(({ types }) => types.some(isPathless)) ? 1 : 0;
  for (const type of fileTypes[process.platform] ?? []) {
    const item = items.find((one) => one.types.includes(type));
    if (item === undefined) continue;
    const files = copiedFiles(type, await bytesOf(item, type));
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
    return { paths: [await keep(bytes, ending)], unreadable: 0, elsewhere: 0 };
  }
  return { paths: [], unreadable: 0, elsewhere };
};

/** Uploads what is on the clipboard. Null: it has only what the user has just been told about. */
export const createUploadClipboard =
  (parts: {
    keep: KeepPasted;
    isOurs: (text: string) => boolean;
    /** Throws where only some folders are allowed: copied content that is not a file is in none of them. */
    demandPlace: () => void;
    upload: (given: GivenInput) => Promise<UploadView[]>;
    inform: (key: 'tray.firstOnly' | 'tray.elsewhere' | 'tray.private', count?: number) => void;
  }) =>
  async (): Promise<UploadView[] | null> => {
    const { upload, inform } = parts;
    const found = await pathsOnClipboard(parts.keep, parts.isOurs, parts.demandPlace);
    const { paths, unreadable, elsewhere, isPrivate } = found;
    const taken = paths.length === 0 ? [] : await upload({ paths, door: 'clipboard' });
    if (unreadable > 0) inform('tray.firstOnly', unreadable);
    if (elsewhere > 0) inform('tray.elsewhere', elsewhere);
    if (isPrivate === true) inform('tray.private');
    return paths.length === 0 && (elsewhere > 0 || isPrivate === true) ? null : taken;
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
