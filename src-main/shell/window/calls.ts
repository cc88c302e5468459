// The calls of the app's pages: who answers them, and what stands between a page and the answer.
import { globalShortcut } from 'electron';
import { answerCall } from '../../contract/client.ts';
import { isWayland } from '../clipboard/clipboard.ts';
import { createPasteShortcut, type PasteShortcut } from '../clipboard/paste-shortcut.ts';
import { platform } from '../platform.ts';
import { makeProposed, proposedFolder } from '../start/proposed-folder.ts';
import type { Updates } from '../updates/updates.ts';
import { appOrigin } from './bundle.ts';
import { createGivenPaths } from './given-paths.ts';
import { openCalls } from './ipc.ts';
import { createPageGuard } from './page-guard.ts';
import { createPageQuestions } from './page-questions.ts';
import { createPresses } from './presses.ts';
import { createIsOurs, createSenderCheck } from './sender-check.ts';
import { createWindowHandlers, type Rooms, type ShellHandlers } from './window-handlers.ts';

export const createCalls = (
  rooms: Rooms,
  updates: Updates,
): { handlers: ShellHandlers; shortcut: PasteShortcut } => {
  const { attempt, say } = rooms.surface;
  const { uploadClipboard, notifier } = rooms.uploads;
  const shortcut = createPasteShortcut(globalShortcut, isWayland(platform, process.env), () =>
    attempt(async () => {
      if ((await uploadClipboard())?.length !== 0) return;
      const title = say()('files.nothingToPaste');
      notifier.confirm({ title, body: '', click: { kind: 'show-queue' } });
    }),
  );
  return { handlers: createWindowHandlers(rooms, { shortcut: shortcut.state, updates }), shortcut };
};

/** Lets the pages call. Returns the function that aborts what is not answered yet. */
export const answerPages = (
  { context, surface, uploads, life }: Pick<Rooms, 'context' | 'surface' | 'uploads' | 'life'>,
  handlers: ShellHandlers,
): (() => void) => {
  const { window, popover, dialogs, say } = surface;
  const leaving = new AbortController();
  const given = { paths: createGivenPaths(), presses: createPresses(), offered: uploads.offered };
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
