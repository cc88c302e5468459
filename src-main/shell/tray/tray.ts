// The tray: its icon and its menu. The menu is replaced after every change, because Linux does not draw a changed menu
// again, but at most four times a second.
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  Menu,
  nativeImage,
  nativeTheme,
  Tray,
  type MenuItemConstructorOptions,
  type NativeImage,
} from 'electron';
import { statusLine, trayState, type TrayState } from './status-line.ts';
import type { Speech } from '../../contract/speech.ts';
import { trayTemplate, type TrayActs, type TrayShown } from './tray-menu.ts';

const coalesceMs = 250;
/** The line with the next slot grows old without any change; only while something waits. */
const refreshMs = 5_000;

const longestOpenMs = 60_000;

export type AppTray = {
  /** Something that the tray shows has changed. */
  changed(): void;
  destroy(): void;
};

/** Null when this system has no tray at all and says so; the app works without one. */
export const createTray = (options: {
  icon: (state: TrayState) => NativeImage;
  shown: () => TrayShown;
  speech: () => Speech;
  acts: TrayActs;
  dropped: (files: readonly string[]) => void;
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
  /** Until then the menu counts as open. It has a limit, because some desktops do not report that it was closed. */
  let openUntilMs = 0;

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
    tray.setToolTip(speech.say('tray.tooltip', { status: statusLine(shown.status, shown.nowMs, speech) }));
    setMenu(trayTemplate(shown, speech, options.acts));
    const nextSlotAtMs = shown.status?.nextSlotAtMs ?? null;
    if (nextSlotAtMs !== null && nextSlotAtMs > shown.nowMs) later = setTimeout(draw, refreshMs);
  };

  /** A menu that is replaced goes away while the user reads it, so an open one is kept, and an equal one is not replaced. */
  const setMenu = (template: MenuItemConstructorOptions[]): void => {
    const text = JSON.stringify(template);
    if (text === menuShown || Date.now() < openUntilMs) return;
    menuShown = text;
    const menu = Menu.buildFromTemplate(template);
    menu.on('menu-will-show', () => (openUntilMs = Date.now() + longestOpenMs));
    menu.on('menu-will-close', () => {
      openUntilMs = 0;
      changed();
    });
    tray.setContextMenu(menu);
  };

  const changed = (): void => {
    soon ??= setTimeout(draw, coalesceMs);
  };

  nativeTheme.on('updated', changed);
  // On Windows a click is the usual way to the app; macOS and most Linux desktops open the menu instead.
  if (process.platform === 'win32') tray.on('click', options.acts.openApp);
  // macOS only: files dropped on the icon in the menu bar.
  tray.on('drop-files', (_event, files) => options.dropped(files));
  draw();
  return {
    changed,
    destroy() {
      if (soon !== null) clearTimeout(soon);
      clearTimeout(later);
      nativeTheme.off('updated', changed);
      tray.destroy();
    },
  };
};

/**
 * The picture of a state (resources/tray). `onDark`: the bar is dark. macOS colours a template image itself; Windows and
 * Linux get the one that stands out from their bar.
 */
export const trayIconName = (state: TrayState, platform: NodeJS.Platform, onDark: boolean): string => {
  if (platform === 'darwin') return `${state}Template.png`;
  return `${state}-${onDark ? 'dark' : 'light'}.${platform === 'win32' ? 'ico' : 'png'}`;
};

/**
 * GNOME's bar is dark in either theme, as are most panels of Linux. The taskbar of Windows has a theme of its own: "custom"
 * there means dark bars and light apps (Electron, docs/api/native-theme.md).
 */
export const areBarsDark = (): boolean =>
  process.platform === 'linux' || nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;

/** `folder`: resources/tray. Without the file an empty picture: the menu still works. */
export const trayIcon = (folder: string, state: TrayState): NativeImage => {
  const file = path.join(folder, trayIconName(state, process.platform, areBarsDark()));
  return existsSync(file) ? nativeImage.createFromPath(file) : nativeImage.createEmpty();
};
