// The tray: its icon, its menu, and on Windows and macOS the popover that a click opens. The menu is replaced after
// every change, because Linux does not redraw a changed menu, but at most four times a second.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Menu, nativeImage, nativeTheme, Tray, type NativeImage } from 'electron';
import { isCountdown, liveLine } from '../../contract/live.ts';
import { statusLine, trayState, type TrayState } from './status-line.ts';
import type { Speech } from '../../contract/text/speech.ts';
import { platform } from '../platform.ts';
import type { Popover } from './popover.ts';
import { trayItems, trayTemplate, type TrayActs, type TrayItem, type TrayShown } from './tray-menu.ts';

const coalesceMs = 250;
/** A line that counts seconds must be refreshed without any change. */
const refreshMs = 5_000;

/** How long a menu counts as open at most: some desktops do not report that it was closed. */
const longestOpenMs = 60_000;
/** How long the tray shows that a link was copied. */
const confirmMs = 4_000;
/** "5 min ago" must be refreshed without any change; after an hour it is a time of day. */
const agesMs = 60_000;
const hourMs = 60 * agesMs;

export type AppTray = {
  /** Something that the tray shows has changed. */
  changed(): void;
  /** What was confirmed holds no longer. */
  forget(): void;
  stop(): void;
};

/** Null when this system reports that it has no tray; the app works without one. */
export const createTray = (options: {
  /** The app's, with its profile. */
  name: string;
  icon: (state: TrayState) => NativeImage;
  shown: () => TrayShown;
  speech: () => Speech;
  /** `confirm` shows a text for a moment: beside the icon on macOS, in the tooltip and the menu elsewhere. */
  acts: (confirm: (text: string) => void) => TrayActs;
  dropped: (files: readonly string[]) => void;
  /** Null on Linux, where a click opens the menu and the position of the icon is unknown. */
  popover: Pick<Popover, 'toggle' | 'show' | 'hide'> | null;
}): AppTray | null => {
  let tray: Tray;
  try {
    tray = new Tray(options.icon('idle'));
  } catch {
    return null;
  }
  let soon: NodeJS.Timeout | null = null;
  let later: NodeJS.Timeout | undefined;
  let iconShown: string | null = null;
  let menuShown: string | null = null;
  /** Runs while the menu counts as open; a timer instead of a time, because the clock may be set back meanwhile. */
  let open: NodeJS.Timeout | null = null;
  let macMenu: ReturnType<typeof Menu.buildFromTemplate> | null = null;
  let confirmed: string | null = null;
  let confirming: NodeJS.Timeout | undefined;

  const draw = (): void => {
    clearTimeout(later);
    soon = null;
    if (tray.isDestroyed()) return;
    const shown = options.shown();
    const speech = options.speech();
    const state = trayState(shown.status);
    const icon = `${state} ${areBarsDark() ? 'dark' : 'light'}`;
    if (icon !== iconShown) {
      tray.setImage(options.icon(state));
      iconShown = icon;
    }
    const line = confirmed ?? statusLine(shown.status, shown.nowMs, speech);
    tray.setToolTip(speech.say('tray.tooltip', { name: options.name, status: line }));
    if (platform === 'darwin') tray.setTitle(confirmed ?? '');
    setMenu(trayItems({ ...shown, line }, speech, platform));
    const nextMs = refreshIn(shown);
    if (nextMs !== null) later = setTimeout(draw, nextMs);
  };

  /** Replacing an open menu would close it in front of the user, so it waits; an equal menu is not replaced. */
  const setMenu = (items: TrayItem[]): void => {
    const text = JSON.stringify(items);
    if (text === menuShown || open !== null) return;
    menuShown = text;
    const menu = Menu.buildFromTemplate(trayTemplate(items, acts));
    menu.on('menu-will-show', () => {
      if (open !== null) clearTimeout(open);
      open = setTimeout(closed, longestOpenMs).unref();
    });
    menu.on('menu-will-close', closed);
    // On macOS a menu of the tray would open with every click, in the popover's place.
    if (platform === 'darwin') macMenu = menu;
    else tray.setContextMenu(menu);
  };

  /** What changed while it was open is drawn now. */
  const closed = (): void => {
    if (open !== null) clearTimeout(open);
    open = null;
    changed();
  };

  const changed = (): void => {
    soon ??= setTimeout(draw, coalesceMs);
  };

  const confirm = (text: string): void => {
    clearTimeout(confirming);
    confirmed = text;
    draw();
    confirming = setTimeout(() => {
      confirmed = null;
      draw();
    }, confirmMs);
  };
  const acts = options.acts(confirm);

  nativeTheme.on('updated', changed);
  // A right click opens the menu: by itself on Windows, here on macOS. Linux opens it with either.
  const { popover } = options;
  if (popover !== null) tray.on('click', () => popover.toggle(tray.getBounds()));
  if (platform === 'win32') tray.on('double-click', acts.openApp);
  if (platform === 'darwin') {
    tray.on('right-click', () => {
      popover?.hide();
      if (macMenu !== null) tray.popUpContextMenu(macMenu);
    });
    if (popover !== null) tray.on('drag-enter', () => popover.show(tray.getBounds()));
  }
  // macOS only: files are dropped on the icon in the menu bar, or dragged further into the popover.
  tray.on('drop-files', (_event, files) => options.dropped(files));
  draw();
  return {
    changed,
    forget() {
      if (confirmed === null) return;
      clearTimeout(confirming);
      confirmed = null;
      draw();
    },
    stop() {
      if (soon !== null) clearTimeout(soon);
      if (open !== null) clearTimeout(open);
      clearTimeout(later);
      clearTimeout(confirming);
      nativeTheme.off('updated', changed);
      tray.destroy();
    },
  };
};

/** When the display becomes out of date without a change; null: never. */
const refreshIn = ({ status, links: [newest], nowMs }: TrayShown): number | null => {
  if (status !== null && isCountdown(liveLine(status, nowMs, true))) return refreshMs;
  if (newest === undefined) return null;
  return nowMs - newest.uploadedAtMs < hourMs ? agesMs : hourMs;
};

/**
 * The picture of a state (resources/tray). `onDark`: the bar is dark. macOS colours a template image itself; Windows
 * and Linux get the one that contrasts with their bar.
 */
export const trayIconName = (state: TrayState, platform: NodeJS.Platform, onDark: boolean): string => {
  if (platform === 'darwin') return `${state}Template.png`;
  return `${state}-${onDark ? 'dark' : 'light'}.${platform === 'win32' ? 'ico' : 'png'}`;
};

/**
 * GNOME's bar is dark in either theme, as are most panels of Linux. The taskbar of Windows has a theme of its own:
 * "custom" there means dark bars and light apps (Electron: `nativeTheme`).
 */
export const areBarsDark = (): boolean =>
  process.platform === 'linux' || nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;

/** `folder`: resources/tray. Without the file an empty picture: the menu still works. */
export const trayIcon = (folder: string, state: TrayState): NativeImage => {
  const file = path.join(folder, trayIconName(state, process.platform, areBarsDark()));
  return existsSync(file) ? nativeImage.createFromPath(file) : nativeImage.createEmpty();
};
