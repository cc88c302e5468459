// Folders of the built app.
import path from 'node:path';
import { app } from 'electron';

export type AppFiles = { window: string; preload: string; tray: string };

/** `mainFolder`: out/main. */
export const placesFrom = (mainFolder: string): AppFiles => ({
  window: path.join(mainFolder, '../window'),
  preload: path.join(mainFolder, '../preload/preload.cjs'),
  tray: path.join(app.getAppPath(), 'resources/tray'),
});
