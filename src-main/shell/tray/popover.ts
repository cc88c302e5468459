// The popover of the tray, on Windows and macOS: a small page of its own, made when it is first opened and hidden
// afterwards. It appears once the page has reported its height, and hides when another window takes the focus.
import { BrowserWindow, screen, type Rectangle, type WebContents } from 'electron';
import type { Change } from '../../contract/client.ts';
import type { WindowNews } from '../../contract/window.ts';
import { eventChannel } from '../window/ipc.ts';
import { groundNow, keepGround, webPreferences } from '../window/page.ts';
import { placeBeside } from './popover-place.ts';

const widthPx = 360;
/** A click on the icon takes the focus from an open popover: the click is meant to close it, not to open it again. */
const sameClickMs = 300;

export type Popover = {
  /** `icon`: where the tray's icon is. */
  toggle(icon: Rectangle): void;
  show(icon: Rectangle): void;
  hide(): void;
  /** The page's height; it is shown from then on when it is wanted. */
  fit(heightPx: number): void;
  /** The page gets changes only while it is shown. When it opens, it reads everything again. */
  send(change: Change | WindowNews): void;
  contents(): WebContents | null;
  stop(): void;
};

/** `opened`: the change that the page gets when it is opened again. */
export const createPopover = (options: {
  preload: string;
  url: string;
  title: string;
  opened: () => Change;
}): Popover => {
  let window: BrowserWindow | null = null;
  let heightPx: number | null = null;
  /** Beside which icon it is to be shown; null: nowhere. */
  let wantedAt: Rectangle | null = null;
  let hiddenAtMs = -Infinity;

  const create = (): BrowserWindow => {
    const made = new BrowserWindow({
      width: widthPx,
      height: 400,
      show: false,
      frame: false,
      resizable: false,
      movable: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      title: options.title,
      backgroundColor: groundNow(),
      // It takes the keyboard without bringing the app's other windows to the front.
      ...(process.platform === 'darwin' ? { type: 'panel' } : {}),
      webPreferences: webPreferences(options.preload),
    });
    keepGround(made);
    made.on('blur', hide);
    made.on('close', (event) => {
      event.preventDefault();
      hide();
    });
    made.on('closed', () => {
      if (window === made) window = null;
      heightPx = null;
    });
    // The next click on the icon makes a new one.
    made.webContents.on('render-process-gone', () => made.destroy());
    void made.loadURL(options.url).catch(() => undefined);
    return made;
  };

  const put = (made: BrowserWindow, icon: Rectangle, height: number): void => {
    const { workArea } = screen.getDisplayMatching(icon);
    made.setBounds(placeBeside(icon, workArea, { width: widthPx, height }));
  };

  const show = (icon: Rectangle): void => {
    wantedAt = icon;
    window ??= create();
    if (heightPx === null) return;
    put(window, icon, heightPx);
    if (!window.isVisible()) window.webContents.send(eventChannel, options.opened());
    window.show();
  };

  const hide = (): void => {
    wantedAt = null;
    if (window?.isVisible() !== true) return;
    hiddenAtMs = performance.now();
    window.hide();
  };

  return {
    show,
    hide,
    toggle(icon) {
      if (window?.isVisible() === true) hide();
      else if (performance.now() - hiddenAtMs > sameClickMs) show(icon);
    },
    fit(height) {
      heightPx = height;
      if (window === null || wantedAt === null) return;
      if (window.isVisible()) put(window, wantedAt, height);
      else show(wantedAt);
    },
    send(change) {
      if (window?.isVisible() === true) window.webContents.send(eventChannel, change);
    },
    contents: () => window?.webContents ?? null,
    stop: () => window?.destroy(),
  };
};
