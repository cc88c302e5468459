// What the user sees of the app: window, popover and dialogs, in the language of the settings.
import { app, BrowserWindow, dialog } from 'electron';
import { toAppError } from '../../contract/errors.ts';
import { problemText } from '../../contract/text/problem-text.ts';
import type { Speech } from '../../contract/text/speech.ts';
import type { CueName, FileCue } from '../../contract/window.ts';
import type { AppContext } from '../app-context.ts';
import { createDialogs } from '../dialogs.ts';
import { platform } from '../platform.ts';
import { createClosing } from '../start/closing.ts';
import type { AppFiles } from '../start/places.ts';
import { createSpeech } from '../texts.ts';
import { createPopover } from '../tray/popover.ts';
import type { TrayState } from '../tray/status-line.ts';
import { createTraySight } from '../tray/tray-host.ts';
import { trayIcon } from '../tray/tray.ts';
import { appUrl, popoverUrl } from './bundle.ts';
import { createAppWindow } from './window.ts';

export type Surface = Awaited<ReturnType<typeof createSurface>>;

export const createSurface = async (context: AppContext, places: AppFiles) => {
  const { settings } = context;
  const speech = followSpeech(settings);
  const say = () => speech().say;
  const traySight = await createTraySight(context.findProgram);
  const closing = createClosing({ say, settings, explained: context.toldOfTray });
  const page = { preload: places.preload, title: app.name };
  const window = createAppWindow({
    ...page,
    url: appUrl,
    remembered: context.windowBounds,
    onClose: async (frame) => ((await traySight.look()) ? await closing(frame) : 'minimize'),
  });
  /** Linux does not report where its icons are. */
  const popover =
    platform === 'linux'
      ? null
      : createPopover({
          ...page,
          url: popoverUrl,
          // A gap in the numbers: the page reads everything again.
          opened: () => ({ kind: 'status', seq: context.status().seq + 2, status: context.status() }),
        });

  /** Not `showErrorBox`: it holds up the engine until it is closed (Electron: `dialog`). */
  const show = (type: 'info' | 'error', message: string): void =>
    void dialog.showMessageBox({ type, title: app.name, message });
  return {
    speech,
    say,
    traySight,
    trayIcon: (state: TrayState) => trayIcon(places.tray, state),
    window,
    popover,
    dialogs: createDialogs({ frame: window.frame, say }),
    hasFocus: (): boolean => BrowserWindow.getFocusedWindow() !== null,
    show,
    /** For clicks in tray and menu: no caller awaits them, so a dialog shows what went wrong. */
    attempt(work: () => Promise<unknown>): void {
      work().catch((caught: unknown) => {
        const error = toAppError(caught);
        // The user has stopped it.
        if (error.code !== 'aborted') show('error', context.redact(problemText(speech(), error)));
      });
    },
    cue(cue: CueName): void {
      window.show();
      window.send({ kind: 'cue', cue });
    },
    showFile(uploadId: number, act: FileCue['act']): void {
      window.show();
      window.send({ kind: 'cue', cue: 'show-file', uploadId, act });
    },
  };
};

/** The speech of this moment: it changes with the settings. */
const followSpeech = (settings: AppContext['settings']): (() => Speech) => {
  const now = (): Speech => createSpeech(settings.current().language, app.getPreferredSystemLanguages());
  let speech = now();
  settings.onChange(() => {
    speech = now();
  });
  return () => speech;
};
