// The calls of the app's pages: who answers them, and what stands between a page and the answer.
import { app, globalShortcut } from 'electron';
import { answerCall } from '../../contract/client.ts';
import { requireNoRoots } from '../../contract/rights.ts';
import type { AppContext } from '../app-context.ts';
import { createCardOf } from '../clipboard/card-text.ts';
import { isWayland } from '../clipboard/clipboard.ts';
import type { Links } from '../clipboard/links.ts';
import { createPasteShortcut, type PasteShortcut } from '../clipboard/paste-shortcut.ts';
import { createUploadClipboard } from '../clipboard/paste.ts';
import { createDiagnostics } from '../diagnostics.ts';
import type { Uploads } from '../drop/uploads.ts';
import { dragFile, showInside } from '../open.ts';
import { platform } from '../platform.ts';
import { resetSettings } from '../reset-settings.ts';
import type { AppLife } from '../start/lifecycle.ts';
import { makeProposed, proposedFolder } from '../start/proposed-folder.ts';
import { trayIcon } from '../tray/tray.ts';
import type { Updates } from '../updates/updates.ts';
import { appOrigin } from './bundle.ts';
import { createGivenPaths } from './given-paths.ts';
import { openCalls } from './ipc.ts';
import { createPageGuard } from './page-guard.ts';
import { createPageQuestions } from './page-questions.ts';
import { createPresses } from './presses.ts';
import { createIsOurs, createSenderCheck } from './sender-check.ts';
import type { Surface } from './surface.ts';
import { createThumbnails } from './thumbnails.ts';
import { createWindowHandlers, environmentOf, type ShellHandlers } from './window-handlers.ts';

type Rooms = { context: AppContext; surface: Surface; links: Links; uploads: Uploads; life: AppLife };

/** `trayFolder`: with the icon under a drag. */
export const createCalls = (
  { context, surface, links, uploads, life }: Rooms,
  updates: Updates,
  trayFolder: string,
): { handlers: ShellHandlers; shortcut: PasteShortcut } => {
  const { client, settings, look, files } = context;
  const { window, popover, dialogs, attempt, cue, say, show } = surface;
  const { board, copy, pressed, demandTrust } = links;
  const inform: Parameters<typeof createUploadClipboard>[0]['inform'] = (key, count = 1) =>
    show('info', say()(key, { count }));
  const uploadClipboard = createUploadClipboard({
    keep: context.pasted.keep,
    isOurs: board.isOurs,
    demandPlace: () => requireNoRoots(settings.current()),
    upload: uploads.upload,
    inform,
  });
  const shortcut = createPasteShortcut(globalShortcut, isWayland(platform, process.env), () =>
    attempt(async () => {
      if ((await uploadClipboard())?.length !== 0) return;
      const title = say()('files.nothingToPaste');
      uploads.notifier.confirm({ title, body: '', click: { kind: 'show-queue' } });
    }),
  );
  const handlers = createWindowHandlers({
    page: {
      environment: () => environmentOf(context),
      setCompactRows: context.rows.setCompact,
      show: (wanted) => (wanted === undefined ? window.show() : cue(wanted)),
      showInside: (folder) => showInside(files, folder),
      dragFile: (file) => dragFile(files, window.contents(), file, () => trayIcon(trayFolder, 'idle')),
    },
    popover,
    links: {
      look,
      isSane: (link) => context.linkFault(link) === null,
      copy,
      copyLinks: pressed,
      cardOf: createCardOf(client, demandTrust),
    },
    files: {
      dialogs,
      folders: () => context.status().folders.map(({ folder }) => folder),
      upload: uploads.upload,
      zip: uploads.zip,
      thumbnail: createThumbnails(files, look.path).of,
      uploadClipboard,
      board,
      tellPrivate: () => inform('tray.private'),
    },
    caFile: {
      get: () => settings.current().caFile,
      set: (file) => settings.set('caFile', file),
      texts: context.texts,
    },
    diagnostics: createDiagnostics({
      diagnose: context.diagnose,
      choosePlace: dialogs.saveText,
      texts: context.texts,
    }),
    program: {
      fileManagers: context.fileManagers,
      shortcut: shortcut.state,
      updates,
      async reset(what) {
        if (what === 'settings') {
          await resetSettings(context);
          return;
        }
        await context.forgetEverything();
        life.restart({ hidden: false });
      },
      openAccount: context.openProfile,
      quit: () => app.quit(),
    },
  });
  return { handlers, shortcut };
};

/** Lets the pages call. Returns the function that aborts what is not answered yet. */
export const answerPages = (
  { context, surface, life }: Pick<Rooms, 'context' | 'surface' | 'life'>,
  handlers: ShellHandlers,
): (() => void) => {
  const { window, popover, dialogs, say } = surface;
  const leaving = new AbortController();
  const given = { paths: createGivenPaths(), presses: createPresses() };
  const guard = createPageGuard({
    client: context.client,
    settings: context.settings,
    questions: createPageQuestions({ ask: dialogs.confirm, say }),
    given,
    look: context.look,
    proposed: { folder: proposedFolder(), make: makeProposed },
    answer: async (name, input) =>
      await (Object.hasOwn(handlers, name)
        ? answerCall(handlers, name, input, leaving.signal)
        : context.transport.call(name, input)),
  });
  const pages = [
    { contents: window.contents },
    { contents: () => popover?.contents() ?? null, isPopover: true },
  ];
  const check = createSenderCheck({
    origin: appOrigin,
    pages,
    redact: context.redact,
    answer: guard,
    isLeaving: life.isLeaving,
  });
  openCalls(check, createIsOurs(appOrigin, pages), given.paths, given.presses);
  return () => leaving.abort();
};
