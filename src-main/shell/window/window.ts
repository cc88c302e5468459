// The main window: served from our own origin, in a sandbox, without navigation elsewhere. It is made when it is first
// shown and kept afterwards; closing hides it where the user can bring it back.
import { app, BrowserWindow, screen, session, type WebContents } from 'electron';
import type { Change } from '../../contract/client.ts';
import type { WindowNews } from '../../contract/window.ts';
import { eventChannel } from './ipc.ts';
import { groundNow, keepGround, webPreferences } from './page.ts';
import type { OnClose } from '../start/closing.ts';
import { noProgress, type ProgressBar } from './progress-bar.ts';
import { boundsOn, smallest, type WindowBounds } from './window-bounds.ts';

/** What a page that is not there yet gets when it is. */
type Early = Extract<WindowNews, { kind: 'cue' | 'given' }>;
const mostEarly = 20;
/** Of each drop the newest message: it is complete. */
const withEarly = (early: readonly Early[], message: Early): Early[] => {
  const isOld = (one: Early): boolean =>
    one.kind === 'given' && message.kind === 'given' && one.group.id === message.group.id;
  return [...early.filter((one) => !isOld(one)), message].slice(-mostEarly);
};

export type AppWindow = {
  show(): void;
  send(message: Change | WindowNews): void;
  /** Null while there is no window. */
  contents(): WebContents | null;
  frame(): BrowserWindow | null;
  hasFocus(): boolean;
  /** It is on a screen: neither hidden nor minimised. */
  isSeen(): boolean;
  /** How far the uploads are, in Dock and taskbar. */
  setProgress(bar: ProgressBar): void;
  /** From now on closing closes. */
  stop(): void;
};

/** A page that dies twice within this time is not loaded again by itself. */
const deathPauseMs = 10_000;
/** Limits the size of a message. */
const mostTogether = 8;

type WindowOptions = {
  preload: string;
  url: string;
  title: string;
  /** The bounds of the window, as they were remembered. */
  remembered: { read(): WindowBounds | null; write(bounds: WindowBounds): void };
  /** What closing does: where a tray or a dock brings the app back, hide it or quit; elsewhere, minimise it. */
  onClose: (frame: BrowserWindow) => Promise<OnClose | 'minimize'>;
};

export const createAppWindow = (options: WindowOptions): AppWindow => {
  let window: BrowserWindow | null = null;
  /** The window has been drawn once: it can be shown. */
  let loaded = false;
  /** False from the death of a page until the next one is loaded. */
  let isListening = false;
  let isStopping = false;
  let diedAtMs = -Infinity;
  /** Cues and drops for a page that does not listen yet. */
  let early: readonly Early[] = [];
  /** Sent as one message at the end of this turn: between two messages a page would draw numbers of two moments. */
  let together: (Change | WindowNews)[] = [];
  let progress: ProgressBar = noProgress;

  const create = (): BrowserWindow => {
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const { maximized, ...bounds } = boundsOn(areas, options.remembered.read());
    const made = new BrowserWindow({
      ...bounds,
      minWidth: smallest.width,
      minHeight: smallest.height,
      show: false,
      title: options.title,
      backgroundColor: groundNow(),
      autoHideMenuBar: true,
      ...(process.platform === 'darwin' ? { titleBarStyle: 'hiddenInset' as const } : {}),
      webPreferences: webPreferences(options.preload),
    });
    loaded = false;
    isListening = false;
    if (progress !== noProgress) draw(made);
    remember(made, () => writeBounds(made));
    keepGround(made);
    made.once('ready-to-show', () => {
      if (maximized) made.maximize();
      made.show();
    });
    // The title names the profile; that of the page does not.
    made.on('page-title-updated', (event) => event.preventDefault());
    made.on('close', (event) => {
      if (isStopping) return;
      event.preventDefault();
      void closeWindow(made, options.onClose, () => isStopping);
    });
    made.on('closed', () => {
      if (window === made) window = null;
    });
    made.webContents.on('did-finish-load', () => {
      loaded = true;
      isListening = true;
      const cues = early;
      early = [];
      made.webContents.send(eventChannel, ...cues);
    });
    made.webContents.on('render-process-gone', (_event, { reason }) => {
      isListening = false;
      if (reason === 'clean-exit' || made.isDestroyed()) return;
      const nowMs = performance.now();
      const isFirst = nowMs - diedAtMs > deathPauseMs;
      diedAtMs = nowMs;
      if (isFirst) made.reload();
      else made.destroy();
    });
    void made.loadURL(options.url).catch(() => undefined);
    return made;
  };

  const sendTogether = (): void => {
    const messages = together;
    together = [];
    if (messages.length > 0 && window !== null && !window.isDestroyed())
      window.webContents.send(eventChannel, ...messages);
  };

  const draw = (made: BrowserWindow): void => made.setProgressBar(progress.share, { mode: progress.mode });

  const writeBounds = (made: BrowserWindow): void => {
    if (isStopping || made.isDestroyed() || made.isMinimized() || made.isFullScreen()) return;
    options.remembered.write({ ...made.getNormalBounds(), maximized: made.isMaximized() });
  };

  return {
    show() {
      if (window === null) {
        window = create();
        return;
      }
      if (window.isMinimized()) window.restore();
      if (loaded) window.show();
      window.focus();
    },
    send(message) {
      if ((message.kind === 'cue' || message.kind === 'given') && !isListening) {
        early = withEarly(early, message);
        return;
      }
      if (together.length === 0) queueMicrotask(sendTogether);
      together.push(message);
      if (together.length === mostTogether) sendTogether();
    },
    contents: () => window?.webContents ?? null,
    frame: () => window,
    hasFocus: () => window?.isFocused() ?? false,
    // Electron calls a minimised window visible on some systems.
    isSeen: () => window !== null && window.isVisible() && !window.isMinimized(),
    setProgress(bar) {
      progress = bar;
      if (window !== null && !window.isDestroyed()) draw(window);
    },
    stop() {
      // The last moment at which the bounds can be stored.
      if (window !== null) writeBounds(window);
      isStopping = true;
    },
  };
};

/** `write` stores the bounds of the window. */
const remember = (made: BrowserWindow, write: () => void): void => {
  made.on('resized', write);
  made.on('moved', write);
  made.on('maximize', write);
  made.on('unmaximize', write);
  // Linux reports no end of moving and resizing, so the last bounds are stored here.
  made.on('hide', write);
  made.on('close', write);
};

const closeWindow = async (
  made: BrowserWindow,
  onClose: WindowOptions['onClose'],
  isStopping: () => boolean,
): Promise<void> => {
  let how: OnClose | 'minimize' = 'hide';
  try {
    how = await onClose(made);
  } finally {
    // What went wrong with the settings does not keep the window open.
    if (!isStopping() && !made.isDestroyed()) {
      if (how === 'minimize') made.minimize();
      else made.hide();
      if (how === 'quit') app.quit();
    }
  }
};

/** For every page of the app, however it was made: no navigation, no other window, no device, no permission. */
export const forbidEverything = (): void => {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
  void app.whenReady().then(() => {
    session.defaultSession.setPermissionCheckHandler(() => false);
    session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
    session.defaultSession.setDevicePermissionHandler(() => false);
    session.defaultSession.setDisplayMediaRequestHandler((_request, decide) => decide({}));
  });
};
