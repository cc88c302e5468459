// Opening things outside the app: only what the ledger knows, by id (security.md, Opening things). A link is parsed
// again here, even though the ledger holds it; no file is ever opened by its path.
import path from 'node:path';
import { shell, type NativeImage, type WebContents } from 'electron';
import { AppError } from '../contract/errors.ts';
import { isLoopbackHost } from '../contract/text/address.ts';
import type { OpenResult } from '../contract/window.ts';
import type { UserFiles } from './app-context.ts';

/** Why this link is not opened; null when it may be. `isAllowed`: Outtray trusts its host and form. */
export const whyNotOpened = (link: string, isAllowed: (link: string) => boolean): string | null => {
  const url = URL.parse(link);
  if (url === null) return 'It is not an address.';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))) {
    return 'It is not an https: address.';
  }
  if (url.username !== '' || url.password !== '') return 'It carries a user name.';
  return isAllowed(link) ? null : 'It leads to a host that is neither the service’s nor in the settings.';
};

/** Opens it in the browser. `link` null: the file has none. */
export const openLink = async (
  link: string | null,
  isAllowed: (link: string) => boolean,
): Promise<OpenResult> => {
  if (link === null) throw new AppError('not-found', 'This file has no link.');
  const reason = whyNotOpened(link, isAllowed);
  if (reason !== null) return { kind: 'refused', reason };
  // Opens the parsed form, so that what was checked is what opens.
  await shell.openExternal(new URL(link).href);
  return { kind: 'opened' };
};

/** Shows a file of the ledger in the system's file manager. */
export const showFile = (file: string | null): null => {
  // NUL stands for bytes that are no text (engine/ports/files.ts): such a name cannot be passed to the file manager.
  if (file === null || file.includes('\0')) {
    throw new AppError('not-found', 'This file cannot be shown: it is not on this machine.');
  }
  shell.showItemInFolder(file);
  return null;
};

/** Continues a drag from the page with the file itself, if it is still on the disk. `icon`: under the pointer. */
export const dragFile = async (
  files: Pick<UserFiles, 'look'>,
  contents: WebContents | null,
  file: string | null,
  icon: () => NativeImage,
): Promise<null> => {
  const isThere = file !== null && !file.includes('\0') && (await files.look(file))?.type === 'file';
  if (!isThere || contents === null) throw new AppError('not-found', 'This file is not on this machine.');
  contents.startDrag({ file, icon: icon() });
  return null;
};

/** The requested folder, or the first; null: none is watched. Throws `not-found` for one that is not watched. */
export const watchedFolder = (watched: readonly string[], asked: string | undefined): string | null => {
  if (asked !== undefined && !watched.includes(asked))
    throw new AppError('not-found', `${asked} is not watched.`);
  return asked ?? watched[0] ?? null;
};

/** Shows the inside of the watched folder: by one of its entries, because folders are not opened by their path. */
export const showInside = async (files: Pick<UserFiles, 'list'>, folder: string | null): Promise<null> => {
  if (folder === null)
    throw new AppError('not-configured', 'No folder is chosen.', 'Choose one in the settings.');
  const listing = await files.list(folder);
  if (!listing.ok) throw new AppError('folder-unavailable', `${folder} is missing or not mounted.`);
  const first = listing.found.find(({ name }) => !name.startsWith('.') && !name.includes('\0'))?.name;
  shell.showItemInFolder(first === undefined ? folder : path.join(folder, first));
  return null;
};
