// The tray's pictures: one per state, light and dark, drawn for this app (resources/tray). macOS colours a template
// image itself; Windows and Linux get the one that stands out from their bar.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { nativeImage, nativeTheme, type NativeImage } from 'electron';
import type { TrayState } from './status-line.ts';

/** The file of a state. `onDark`: the bar is dark. */
export const trayIconName = (state: TrayState, platform: NodeJS.Platform, onDark: boolean): string => {
  if (platform === 'darwin') return `${state}Template.png`;
  return `${state}-${onDark ? 'dark' : 'light'}.${platform === 'win32' ? 'ico' : 'png'}`;
};

/**
 * GNOME's bar is dark in either theme, as are most panels of Linux. The taskbar of Windows has a theme of its own: "custom"
 * there means dark bars and light apps (docs/api/native-theme.md).
 */
export const areBarsDark = (): boolean =>
  process.platform === 'linux' || nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;

/** `folder`: resources/tray. Without the file an empty picture: the menu still works. */
export const trayIcon = (folder: string, state: TrayState): NativeImage => {
  const file = path.join(folder, trayIconName(state, process.platform, areBarsDark()));
  return existsSync(file) ? nativeImage.createFromPath(file) : nativeImage.createEmpty();
};
