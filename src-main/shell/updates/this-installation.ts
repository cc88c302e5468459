// Updates of this installation: who installed it, the feed it was built with, and the updater of its system.
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { app, autoUpdater } from 'electron';
import type { AppUpdater } from 'electron-updater';
import type { AppContext } from '../app-context.ts';
import type { AppLife } from '../start/lifecycle.ts';
import { autostartFile, moveAutostart } from '../start/login-item.ts';
import { feedFolder, openFeed } from './updates-feed.ts';
import { createUpdates, type Updates } from './updates.ts';

/** `life`: how the program ends and starts again. `isPutAway`: no window is visible, and the tray brings it back. */
export const updatesHere = (context: AppContext, life: AppLife, isPutAway: () => boolean): Updates => {
  /** An installer ends the windows of the other profiles, too, in the middle of an upload. Unknown: perhaps one runs. */
  const othersRun = (): boolean => {
    try {
      return context.otherProfiles().some(({ isRunning }) => isRunning);
    } catch {
      return true;
    }
  };
  return createUpdates({
    installedBy: installedBy(context.home.profile),
    rules: context.settings.current,
    feed: {
      built: app.isPackaged ? builtFeed(path.join(process.resourcesPath, 'app-update.yml')) : null,
      open: async (address, channel, mayInstall) =>
        openFeed({
          updater: await updaterHere(context),
          folder: feedFolder(address, process.platform, process.arch),
          channel,
          mayInstall: () => mayInstall() && !life.isRestarting() && !othersRun(),
          request: context.feedRequest,
          ...(process.platform === 'darwin' && { squirrel: autoUpdater }),
        }),
    },
    transfers: {
      isSending: () => context.status().sending > 0,
      isIdle: () => !context.isGuest && context.status().sending === 0 && isPutAway() && !othersRun(),
    },
    installation: {
      triedByItself: context.quietUpdate.tried,
      noteTry: context.quietUpdate.begin,
      async prepare() {
        await life.leaveToInstall();
        // An AppImage starts its successor before it ends.
        app.releaseSingleInstanceLock();
      },
      othersRun,
      recover: () => life.restart({ hidden: false }),
    },
    clock: { nowMs: () => Date.now(), after: context.after },
    warn: (event, fields) => context.log.warn(event, fields),
  });
};

/**
 * NSIS leaves its uninstaller beside the app, MSI does not; deb and rpm leave a mark of their own. Where this user may
 * not write, an update would ask for an administrator's password at a moment that the user did not choose, and would
 * end the app without a password: the administrator updates such an installation. The profiles share one installation and
 * one folder of downloads: the default one updates it.
 */
const installedBy = (profile: string | null): 'self' | 'system' | 'default-profile' | 'none' => {
  if (!app.isPackaged) return 'none';
  if (profile !== null) return 'default-profile';
  const folder = path.dirname(process.execPath);
  switch (process.platform) {
    case 'win32':
      return existsSync(path.join(folder, `Uninstall ${app.name}.exe`)) ? ofWhoMayWrite(folder) : 'system';
    case 'darwin':
      // Outtray.app, above Contents/MacOS.
      return ofWhoMayWrite(path.resolve(folder, '../../..'));
    default:
      if (process.env['APPIMAGE']) return ofWhoMayWrite(path.dirname(process.env['APPIMAGE']));
      return existsSync(path.join(process.resourcesPath, 'package-type')) ? 'system' : 'none';
  }
};

/** On Windows it tries to write: there Node's `access` ignores access lists (nodejs.org, fs.access). */
export const ofWhoMayWrite = (folder: string): 'self' | 'system' => {
  try {
    if (process.platform !== 'win32') accessSync(folder, constants.W_OK);
    else rmdirSync(mkdtempSync(path.join(folder, '.outtray-')));
    return 'self';
  } catch {
    return 'system';
  }
};

/** The address electron-builder wrote down; one below `.invalid` says that there is none. */
export const builtFeed = (file: string): string | null => {
  if (!existsSync(file)) return null;
  const address = /^url: ['"]?([^'"\s]+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  if (!URL.canParse(address) || new URL(address).hostname.endsWith('.invalid')) return null;
  return address.replace(/\/+$/, '');
};

/** Loaded when first needed: most starts never look for updates. */
const updaterHere = async ({ otherProfiles }: AppContext): Promise<AppUpdater> => {
  const updaters = await import('electron-updater');
  switch (process.platform) {
    case 'win32':
      return new updaters.NsisUpdater();
    case 'darwin':
      // Hands the file to Squirrel through a listener on 127.0.0.1, with a random port, a random path and a password,
      // from the download to the end of the program (electron-updater, MacUpdater.updateDownloaded).
      return new updaters.MacUpdater();
    default: {
      const updater = new updaters.AppImageUpdater();
      // The version is part of its name.
      updater.on('appimage-filename-updated', (program) => {
        for (const profile of [null, ...otherProfiles().map(({ name }) => name)])
          moveAutostart(autostartFile(process.env, app.getPath('home'), profile), { program, profile });
      });
      return updater;
    }
  }
};
