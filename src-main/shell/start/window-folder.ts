// Where Electron keeps the window's own files (preferences, caches). Its choice, `Outtray` in the folder of all programs'
// data, is the data folder `outtray` itself on macOS, whose file system takes both names for one.
import path from 'node:path';

/** Null: Electron's choice is right. `isNamed`: the folder was named by --user-data-dir. */
export const windowFolderOf = (
  platform: NodeJS.Platform,
  appData: string,
  isNamed: boolean,
): string | null =>
  platform === 'darwin' && !isNamed ? path.posix.join(appData, 'app.outtray.desktop') : null;
