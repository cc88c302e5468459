// The calls that only the process that owns the window can answer. Links and files come from the ledger by id; of
// folders only watched ones are opened. Of files that a call uploads the links are copied.
import type { FileId } from '../../contract/text/file-id.ts';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { app } from 'electron';
import { inUtf8 } from '../../contract/text/given-text.ts';
import { AppError } from '../../contract/errors.ts';
import type { CommandAnswer, CommandArguments, WindowCommandName } from '../../contract/commands.ts';
import type { CaFileView, ShortcutState, WindowEnvironment } from '../../contract/window.ts';
import type { AppContext } from '../app-context.ts';
import { createCardOf } from '../clipboard/card-text.ts';
import type { Links } from '../clipboard/links.ts';
import { isClipboardPrivate } from '../clipboard/paste.ts';
import { createDiagnostics } from '../diagnostics.ts';
import type { Uploads } from '../drop/uploads.ts';
import { dragFile, openLink, showFile, showInside, watchedFolder } from '../open.ts';
import { platform } from '../platform.ts';
import { resetSettings } from '../reset-settings.ts';
import type { AppLife } from '../start/lifecycle.ts';
import { canLaunchAtLogin } from '../start/login-item.ts';
import { proposedFolder } from '../start/proposed-folder.ts';
import type { Updates } from '../updates/updates.ts';
import type { Surface } from './surface.ts';
import { createThumbnails } from './thumbnails.ts';

/** Also the engine's calls whose uploads the app follows. */
export type ShellHandlers = {
  [Name in WindowCommandName | 'files.upload' | 'queue.zip']: (
    input: CommandArguments<Name>,
  ) => CommandAnswer<Name> | Promise<CommandAnswer<Name>>;
};

/** What the calls act on. */
export type Rooms = { context: AppContext; surface: Surface; links: Links; uploads: Uploads; life: AppLife };

/** What copies links, and what became of the copies. */
const linkHandlers = ({ client, look }: AppContext, links: Links) => {
  const { board, copy } = links;
  const cardOf = createCardOf(client, links.demandTrust);
  return {
    async 'window.copySha256'({ uploadId }) {
      const text = look.upload(uploadId)?.sha256 ?? null;
      if (text === null) throw new AppError('not-found', 'The SHA-256 of this file is not known.');
      return { count: 1, ...(await copy({ text })) };
    },
    'window.copyLinks': (wanted) => links.pressed(wanted),
    async 'window.copyCard'({ fileIds, as }) {
      return { count: fileIds.length, ...(await copy(await cardOf(fileIds, as))) };
    },
    'window.newestLinks': ({ limit }) => look.newest(limit),
    'window.askToRecall'({ fileIds }) {
      const { copy, text } = board.last();
      const isCopied = (fileId: FileId): boolean => {
        const link = look.link({ fileId })?.link;
        return link !== undefined && hasLink(text, link);
      };
      return { copied: fileIds.filter(isCopied), copy };
    },
    async 'window.clipboard'({ copy, act }) {
      if (act !== 'lost') return { holds: await board.holds(copy, act) };
      board.lost();
      return { holds: false };
    },
  } satisfies Partial<ShellHandlers>;
};

export const createWindowHandlers = (
  { context, surface, links, uploads, life }: Rooms,
  { shortcut, updates }: { shortcut: () => ShortcutState; updates: Updates },
): ShellHandlers => {
  const { settings, look, files, texts } = context;
  const { window, popover, dialogs } = surface;
  const thumbnails = createThumbnails(files, look.path);
  const diagnostics = createDiagnostics({ diagnose: context.diagnose, choosePlace: dialogs.saveText, texts });
  const folders = (): string[] => context.status().folders.map(({ folder }) => folder);
  return {
    'window.environment': () => environmentOf(context),
    'window.compactRows'({ on }) {
      context.rows.setCompact(on);
      return null;
    },
    async 'window.changes'() {
      return { text: await readChanges() };
    },

    ...linkHandlers(context, links),
    'window.openLink': ({ file }) =>
      openLink(look.link(file)?.link ?? null, (link) => context.linkFault(link) === null),
    async 'window.thumbnail'({ uploadId, use }) {
      return { picture: await thumbnails.of(uploadId, use) };
    },
    'window.showInFolder': ({ uploadId }) => showFile(look.path(uploadId)),
    'window.startDrag': ({ uploadId }) =>
      dragFile(files, window.contents(), look.path(uploadId), () => surface.trayIcon('idle')),
    'window.openFolder': ({ folder }) => showInside(files, watchedFolder(folders(), folder)),

    async 'window.chooseFolder'() {
      return {
        folder: await dialogs.folder(folders()[0] ?? environmentOf(context).proposedFolder),
      };
    },
    async 'window.chooseFiles'({ near }) {
      return { paths: await dialogs.files(near === undefined ? undefined : path.dirname(near)) };
    },
    'window.uploadClipboard': () => uploads.uploadClipboard(),

    async 'files.upload'({ paths, door, again, expire }) {
      const taken = await uploads.upload({
        paths,
        door,
        again,
        ...(expire === undefined ? {} : { expire }),
      });
      return taken.map((upload) => ({ path: upload.path, upload, error: null }));
    },
    'queue.zip': (input) => uploads.zip(input),

    // The guard has already asked (page-guard.ts).
    'window.askToPublish': () => null,
    'window.fileManagers': () => context.fileManagers.list(),
    'window.setFileManager': ({ name, on }) => context.fileManagers.set(name, on),
    async 'window.isClipboardPrivate'() {
      const isPrivate = await isClipboardPrivate();
      if (isPrivate) surface.show('info', surface.say()('tray.private'));
      return isPrivate;
    },
    'window.pasteShortcut': () => ({ state: shortcut() }),
    async 'window.caFile'() {
      const file = settings.current().caFile;
      return file === null ? null : await viewCaFile(texts, file);
    },
    async 'window.chooseCaFile'() {
      const file = await dialogs.certificate();
      if (file === null) return null;
      // Checked before it is set: a wrong file would make every request fail.
      const view = await viewCaFile(texts, file);
      await settings.set('caFile', file);
      return view;
    },

    async 'window.diagnostics'() {
      return { text: await diagnostics.make() };
    },
    async 'window.saveDiagnostics'() {
      return { path: await diagnostics.save() };
    },

    'window.update': ({ act }) => updates.act(act),
    async 'window.reset'({ what }) {
      if (what === 'settings') await resetSettings(context);
      else {
        await context.forgetEverything();
        life.restart({ hidden: false });
      }
      return null;
    },
    async 'window.openAccount'({ name }) {
      await context.openProfile(name);
      return null;
    },
    'window.quit'() {
      // After the answer has left.
      setImmediate(() => app.quit());
      return null;
    },

    'window.show'({ cue }) {
      if (cue === undefined) window.show();
      else surface.cue(cue);
      return null;
    },
    'window.fitPopover'({ heightPx }) {
      popover?.fit(heightPx);
      return null;
    },
    'window.closePopover'() {
      popover?.hide();
      return null;
    },
  };
};

/** What the window needs to know about its environment. */
const environmentOf = (context: AppContext): WindowEnvironment => ({
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
