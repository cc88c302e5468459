// The second table of commands (contract/window-commands.ts): what only the process that owns the window can do. Links
// and paths come from the ledger by id; the window never names one.
import { AppError } from '../../contract/errors.ts';
import type { UploadView } from '../../contract/model.ts';
import type { FileRef, WindowEnvironment, WindowHandlers } from '../../contract/window-commands.ts';
import { viewCaFile } from './ca-file.ts';
import { readChanges } from './changes.ts';
import type { Copied } from '../clipboard/clipboard.ts';
import type { Diagnostics } from '../diagnostics.ts';
import type { Dialogs } from '../dialogs.ts';
import { linkText, type NamedLink } from '../clipboard/link-text.ts';
import { openLink, showFile, showInside } from '../open.ts';
import { pathsOnClipboard } from '../clipboard/paste.ts';
import type { Updates } from '../updates/updates.ts';

/** What the ledger knows, asked by id. */
export type LedgerLook = {
  link(file: FileRef): NamedLink | null;
  /** Ours first, in drop order, then the others as given; those without a link are left out. */
  links(uploadIds: readonly number[], fileIds: readonly number[]): NamedLink[];
  path(uploadId: number): string | null;
  /** Newest first. */
  newest(count: number): { uploadId: number; name: string }[];
  isByHand(uploadId: number): boolean;
};

export const createWindowHandlers = (parts: {
  environment: () => WindowEnvironment;
  setCompactRows: (on: boolean) => void;
  look: LedgerLook;
  isSaneLink: (link: string) => boolean;
  folder: () => string | null;
  copy: (text: string) => Promise<Copied>;
  dialogs: Dialogs;
  upload: (paths: readonly string[]) => Promise<UploadView[]>;
  pastedFolder: string;
  /** `count` of the copied files could not be read from the clipboard. */
  tellUnreadable: (count: number) => void;
  caFile: { get: () => string | null; set: (file: string) => Promise<void> };
  diagnostics: Diagnostics;
  updates: Updates;
  reset: (what: 'settings' | 'everything') => Promise<void>;
  quit: () => void;
}): WindowHandlers => ({
  'window.environment': () => parts.environment(),
  'window.compactRows'({ on }) {
    parts.setCompactRows(on);
    return null;
  },
  async 'window.changes'() {
    return { text: await readChanges() };
  },

  async 'window.copyText'({ text }) {
    return { count: 1, ...(await parts.copy(text)) };
  },
  async 'window.copyLinks'({ uploadIds, fileIds, as }) {
    const links = parts.look.links(uploadIds, fileIds);
    if (links.length === 0) throw new AppError('not-found', 'There is no link to copy.');
    return { count: links.length, ...(await parts.copy(linkText(links, as))) };
  },
  'window.openLink': ({ file }) => openLink(parts.look.link(file)?.link ?? null, parts.isSaneLink),
  'window.showInFolder': ({ uploadId }) => showFile(parts.look.path(uploadId)),
  'window.openFolder': () => showInside(parts.folder()),

  async 'window.chooseFolder'() {
    return { folder: await parts.dialogs.folder(parts.folder() ?? parts.environment().proposedFolder) };
  },
  async 'window.chooseFiles'() {
    return { paths: await parts.dialogs.files() };
  },
  async 'window.uploadClipboard'() {
    const { paths, unreadable } = await pathsOnClipboard(parts.pastedFolder);
    const taken = paths.length === 0 ? [] : await parts.upload(paths);
    if (unreadable > 0) parts.tellUnreadable(unreadable);
    return taken;
  },

  async 'window.caFile'() {
    const file = parts.caFile.get();
    return file === null ? null : await viewCaFile(file);
  },
  async 'window.chooseCaFile'() {
    const file = await parts.dialogs.certificate();
    if (file === null) return null;
    // Looked at before it is set: a wrong file must not stop every request.
    const view = await viewCaFile(file);
    await parts.caFile.set(file);
    return view;
  },

  async 'window.diagnostics'() {
    return { text: await parts.diagnostics.make() };
  },
  async 'window.saveDiagnostics'() {
    return { path: await parts.diagnostics.save() };
  },

  'window.update': ({ act }) => parts.updates.act(act),
  async 'window.reset'({ what }) {
    await parts.reset(what);
    return null;
  },
  'window.quit'() {
    // After the answer has left.
    setImmediate(parts.quit);
    return null;
  },
});
