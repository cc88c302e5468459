// The calls that only the process that owns the window can answer. Links and files come from the ledger by id; of
// folders only watched ones are opened. Of files that a call uploads the links are copied.
import type { FileId } from '../../contract/text/file-id.ts';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { app } from 'electron';
import { inUtf8 } from '../../contract/text/given-text.ts';
import { AppError } from '../../contract/errors.ts';
import type { CardForm } from '../../contract/text/card.ts';
import type { LinkText } from '../../contract/text/link-text.ts';
import type { UploadView } from '../../contract/model.ts';
import type { GivenInput } from '../drop/giving.ts';
import type { CommandAnswer, CommandArguments, WindowCommandName } from '../../contract/commands.ts';
import type {
  CaFileView,
  CueName,
  PictureUse,
  ShortcutState,
  WindowEnvironment,
} from '../../contract/window.ts';
import type { Copied } from '../clipboard/clipboard.ts';
import type { CopyLinks } from '../clipboard/copy-links.ts';
import type { Diagnostics } from '../diagnostics.ts';
import type { Dialogs } from '../dialogs.ts';
import { openLink, showFile, watchedFolder } from '../open.ts';
import { isClipboardPrivate } from '../clipboard/paste.ts';
import type { Popover } from '../tray/popover.ts';
import type { Updates } from '../updates/updates.ts';
import { platform } from '../platform.ts';
import type { AppContext, LedgerLook } from '../app-context.ts';
import { proposedFolder } from '../start/proposed-folder.ts';
import { canLaunchAtLogin } from '../start/login-item.ts';

/** Also the engine's calls whose uploads the app follows. */
export type ShellHandlers = {
  [Name in WindowCommandName | 'files.upload' | 'queue.zip']: (
    input: CommandArguments<Name>,
  ) => CommandAnswer<Name> | Promise<CommandAnswer<Name>>;
};

export const createWindowHandlers = (parts: {
  page: {
    environment: () => WindowEnvironment;
    setCompactRows: (on: boolean) => void;
    show: (cue?: CueName) => void;
    /** Continues a drag that began in the window, with this file on the disk. */
    dragFile: (file: string | null) => Promise<null>;
    showInside: (folder: string | null) => Promise<null>;
  };
  /** Null where the tray has none. */
  popover: Pick<Popover, 'fit' | 'hide'> | null;
  links: {
    look: LedgerLook;
    isSane: (link: string) => boolean;
    copy: (text: LinkText) => Promise<Copied>;
    copyLinks: CopyLinks['pressed'];
    cardOf: (fileIds: readonly FileId[], as: CardForm) => Promise<LinkText>;
  };
  files: {
    dialogs: Dialogs;
    /** The watched folders, the first one first. */
    folders: () => readonly string[];
    upload: (given: GivenInput) => Promise<UploadView[]>;
    /** A held burst as one zip. */
    zip: (input: CommandArguments<'queue.zip'>) => Promise<UploadView>;
    /** A picture of an upload's file, as a data URL. */
    thumbnail: (uploadId: number, use: PictureUse) => Promise<string | null>;
    uploadClipboard: () => Promise<UploadView[] | null>;
    board: {
      last: () => { copy: number; text: string };
      holds: (copy: number, act: 'look' | 'clear') => Promise<boolean>;
      /** The page itself has copied something. */
      lost: () => void;
    };
    /** The copied content is marked as private. */
    tellPrivate: () => void;
  };
  caFile: {
    get: () => string | null;
    set: (file: string) => Promise<void>;
    texts: Pick<AppContext['texts'], 'read'>;
  };
  diagnostics: Diagnostics;
  program: {
    fileManagers: AppContext['fileManagers'];
    shortcut: () => ShortcutState;
    updates: Updates;
    reset: (what: 'settings' | 'everything') => Promise<void>;
    openAccount: AppContext['openProfile'];
    quit: () => void;
  };
}): ShellHandlers => ({
  'window.environment': () => parts.page.environment(),
  'window.compactRows'({ on }) {
    parts.page.setCompactRows(on);
    return null;
  },
  async 'window.changes'() {
    return { text: await readChanges() };
  },

  async 'window.copySha256'({ uploadId }) {
    const text = parts.links.look.upload(uploadId)?.sha256 ?? null;
    if (text === null) throw new AppError('not-found', 'The SHA-256 of this file is not known.');
    return { count: 1, ...(await parts.links.copy({ text })) };
  },
  'window.copyLinks': (wanted) => parts.links.copyLinks(wanted),
  async 'window.copyCard'({ fileIds, as }) {
    return { count: fileIds.length, ...(await parts.links.copy(await parts.links.cardOf(fileIds, as))) };
  },
  'window.newestLinks': ({ limit }) => parts.links.look.newest(limit),
  'window.openLink': ({ file }) => openLink(parts.links.look.link(file)?.link ?? null, parts.links.isSane),
  async 'window.thumbnail'({ uploadId, use }) {
    return { picture: await parts.files.thumbnail(uploadId, use) };
  },
  'window.showInFolder': ({ uploadId }) => showFile(parts.links.look.path(uploadId)),
  'window.startDrag': ({ uploadId }) => parts.page.dragFile(parts.links.look.path(uploadId)),
  'window.openFolder': ({ folder }) => parts.page.showInside(watchedFolder(parts.files.folders(), folder)),

  async 'window.chooseFolder'() {
    return {
      folder: await parts.files.dialogs.folder(
        parts.files.folders()[0] ?? parts.page.environment().proposedFolder,
      ),
    };
  },
  async 'window.chooseFiles'() {
    return { paths: await parts.files.dialogs.files() };
  },
  'window.uploadClipboard': () => parts.files.uploadClipboard(),

  async 'files.upload'({ paths, door, again, expire }) {
    const taken = await parts.files.upload({
      paths,
      door,
      again,
      ...(expire === undefined ? {} : { expire }),
    });
    return taken.map((upload) => ({ path: upload.path, upload, error: null }));
  },
  'queue.zip': (input) => parts.files.zip(input),

  // The guard has already asked (page-guard.ts).
  'window.askToPublish': () => null,
  'window.askToRecall'({ fileIds }) {
    const { copy, text } = parts.files.board.last();
    const isCopied = (fileId: FileId): boolean => {
      const link = parts.links.look.link({ fileId })?.link;
      return link !== undefined && hasLink(text, link);
    };
    return { copied: fileIds.filter(isCopied), copy };
  },
  async 'window.clipboard'({ copy, act }) {
    if (act !== 'lost') return { holds: await parts.files.board.holds(copy, act) };
    parts.files.board.lost();
    return { holds: false };
  },
  'window.fileManagers': () => parts.program.fileManagers.list(),
  'window.setFileManager': ({ name, on }) => parts.program.fileManagers.set(name, on),
  async 'window.isClipboardPrivate'() {
    const isPrivate = await isClipboardPrivate();
    if (isPrivate) parts.files.tellPrivate();
    return isPrivate;
  },
  'window.pasteShortcut': () => ({ state: parts.program.shortcut() }),
  async 'window.caFile'() {
    const file = parts.caFile.get();
    return file === null ? null : await viewCaFile(parts.caFile.texts, file);
  },
  async 'window.chooseCaFile'() {
    const file = await parts.files.dialogs.certificate();
    if (file === null) return null;
    // Checked before it is set: a wrong file would make every request fail.
    const view = await viewCaFile(parts.caFile.texts, file);
    await parts.caFile.set(file);
    return view;
  },

  async 'window.diagnostics'() {
    return { text: await parts.diagnostics.make() };
  },
  async 'window.saveDiagnostics'() {
    return { path: await parts.diagnostics.save() };
  },

  'window.update': ({ act }) => parts.program.updates.act(act),
  async 'window.reset'({ what }) {
    await parts.program.reset(what);
    return null;
  },
  async 'window.openAccount'({ name }) {
    await parts.program.openAccount(name);
    return null;
  },
  'window.quit'() {
    // After the answer has left.
    setImmediate(parts.program.quit);
    return null;
  },

  'window.show'({ cue }) {
    parts.page.show(cue);
    return null;
  },
  'window.fitPopover'({ heightPx }) {
    parts.popover?.fit(heightPx);
    return null;
  },
  'window.closePopover'() {
    parts.popover?.hide();
    return null;
  },
});

/** What the window needs to know about its environment. */
export const environmentOf = (context: AppContext): WindowEnvironment => ({
  platform,
  version: context.version,
  languages: app.getPreferredSystemLanguages(),
  dataFolder: context.home.folder,
  proposedFolder: proposedFolder(),
  userHome: platform === 'win32' ? '' : app.getPath('home'),
  canLaunchAtLogin: canLaunchAtLogin(context.home.profile),
  compactRows: context.rows.areCompact(),
  ignoredSettings: [...context.settings.warnings(), ...context.settings.former(), ...context.former],
  isGuest: context.isGuest,
});

/** Whether the text has this link, and not just as the beginning of a longer one. */
const hasLink = (text: string, link: string): boolean =>
  text
    .split(link)
    .slice(1)
    .some((after) => !/^[\w-]/.test(after));

/** A larger file is no certificate. */
const mostCaBytes = 16 * 1024 * 1024;

/**
 * What the window shows of the extra certificate authority, the first certificate of a PEM file. Throws `bad-setting`
 * when there is none that can be read.
 */
const viewCaFile = async (texts: Pick<AppContext['texts'], 'read'>, file: string): Promise<CaFileView> => {
  const found = await texts.read(file, mostCaBytes);
  try {
    const certificate = new X509Certificate(inUtf8('bytes' in found ? found.bytes : new Uint8Array()));
    return {
      path: file,
      sha256: certificate.fingerprint256,
      subject: certificate.subject.replaceAll('\n', ', '),
      validUntilMs: Date.parse(certificate.validTo),
    };
  } catch (cause) {
    throw new AppError(
      'bad-setting',
      `${file} holds no certificate that can be read.`,
      'Choose a PEM file.',
      {
        cause,
      },
    );
  }
};

/** The changes of this and earlier versions, in English Markdown. Throws `not-found` if the file is missing. */
const readChanges = async (): Promise<string> => {
  const file = app.isPackaged
    ? path.join(process.resourcesPath, 'docs/changelog.md')
    : path.join(app.getAppPath(), 'resources/CHANGELOG.md');
  return await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError(
      'not-found',
      'The list of changes is missing from this installation.',
      'Install Outtray again.',
      { cause },
    );
  });
};
