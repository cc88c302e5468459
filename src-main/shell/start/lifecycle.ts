// Start and end: one instance, the window on every further start, sleep and wake, and a quit that waits until
// everything is recorded, but not forever.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { app, autoUpdater, powerMonitor } from 'electron';
import { AppError } from '../../contract/errors.ts';
import { shareSwitch } from '../../contract/file-managers.ts';
import { wholePath } from '../../contract/files/whole-path.ts';
import type { AppContext } from '../app-context.ts';
import { givenOf, keepForNextStart, type FilesAtStart } from './given-files.ts';
import { hiddenSwitch, takeProfile } from './launch-mode.ts';

/** A pending answer takes seconds; at shutdown the system gives a program hardly more. */
const longestGoodbyeMs = 10_000;
/** If the installer has not ended the program by then, it has failed: the program starts again. */
const longestInstallMs = 30_000;

/** As in electron-builder.yml, which writes it into the shortcuts. */
export const appId = 'app.outtray.desktop';

/**
 * Call it before anything is shown. Windows groups windows, toasts and the entry for the start at login by this id;
 * Electron's default would differ from the id of the shortcut (Electron: `app.setAppUserModelId`).
 */
export const nameForWindows = (): void => {
  if (process.platform === 'win32') app.setAppUserModelId(appId);
};

/**
 * Whether the system started the app at login: by our switch on Windows and Linux; macOS passes none and reports it
 * once the app is ready. A start by "Reopen windows" of macOS does not count: it is like a start by hand.
 */
export const wasOpenedAtLogin = (hiddenAsked: boolean): boolean =>
  hiddenAsked || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);

/**
 * False: another instance has the data. It gets what this one was given and this one ends.
 */
export const isFirstStart = (given: FilesAtStart): boolean => app.requestSingleInstanceLock(given);

/**
 * What no caller has caught, from timers, listeners and promises alike. A fault of the surroundings (a full disk, no free
 * file handle, locked settings) goes to the log, and the app goes on. After any other fault the process's state is
 * unknown and the ledger complete: `tell` reports it and exits.
 */
export const followFaults = (tell: (fault: unknown) => void): { logTo(log: AppContext['log']): void } => {
  let log: AppContext['log'] | null = null;
  const take = (fault: unknown): void => {
    if (log !== null && isOfSurroundings(fault)) log.warn('not done', { error: fault });
    else tell(fault);
  };
  process.on('uncaughtException', take);
  process.on('unhandledRejection', take);
  return { logTo: (to) => void (log = to) };
};

/** Explained to the user elsewhere, or an error of a system call. */
const isOfSurroundings = (fault: unknown): boolean =>
  fault instanceof AppError ? fault.code !== 'internal' : fault instanceof Error && 'syscall' in fault;

export type AppLife = {
  /** Closes what is shown and ends the engine. From then on windows close, and quitting takes no time. */
  leave(): Promise<void>;
  isLeaving(): boolean;
  /** Leaves for an installer, which starts the next process: no other start does. */
  leaveToInstall(): Promise<void>;
  /** While it leaves: the next start gets what another start was given, and comes at once. */
  passOn(given: FilesAtStart): void;
  /** Leaves and starts the program again. */
  restart(how: { hidden: boolean }): void;
  /** The program that ends now starts again. An installer that ran meanwhile would end the new one. */
  isRestarting(): boolean;
};

export const followLife = (options: {
  show: () => void;
  resumed: () => void;
  /** Closes what is shown, before the rest ends. */
  leaving: () => void;
  /** Ends the engine with everything recorded. */
  close: () => Promise<void>;
  /** Of this start; the next one gets the same. */
  environment: NodeJS.ProcessEnv;
}): AppLife => {
  let left: Promise<void> | null = null;
  let isClosed = false;
  let isRestarting = false;
  let isInstalling = false;

  const leave = (): Promise<void> => {
    if (left !== null) return left;
    const end = async (): Promise<void> => {
      try {
        options.leaving();
      } finally {
        await options.close();
      }
    };
    left = withinTime(longestGoodbyeMs, end()).then(() => void (isClosed = true));
    return left;
  };
  const restart = ({ hidden }: { hidden: boolean }): void => {
    if (isRestarting) return;
    isRestarting = true;
    void leave()
      .then(() => startAgain(hidden, options.environment))
      // Without its engine it must not stay.
      .catch(() => undefined)
      .then(() => app.quit());
  };

  const passOn = (given: FilesAtStart): void => {
    try {
      keepForNextStart(given);
    } finally {
      // The installer starts the next process; if it fails, `restart` does.
      if (!isInstalling) restart({ hidden: false });
    }
  };
  const leaveToInstall = (): Promise<void> => {
    isInstalling = true;
    return leave();
  };

  app.on('second-instance', (_event, _argv, _folder, handed) => {
    const given = givenOf(handed);
    if (left === null && !given.isShare) options.show();
    if (left !== null && given.files.length === 0) passOn(given);
  });
  app.on('activate', options.show);
  // The tray, the dock or another start bring the window back.
  app.on('window-all-closed', () => undefined);

  app.on('before-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    void leave().then(() => {
      if (!isRestarting) app.quit();
    });
  });

  // macOS closes the windows first and asks with `before-quit` only when all are closed, so a window that hides instead
  // of closing would stop it half way (Electron: `autoUpdater`, event 'before-quit-for-update'). electron-updater emits
  // it on the other systems, too.
  autoUpdater.on('before-quit-for-update', () => {
    void leaveToInstall();
    const again = (): void => restart({ hidden: false });
    autoUpdater.once('error', again);
    setTimeout(again, longestInstallMs);
  });

  powerMonitor.on('resume', options.resumed);
  powerMonitor.on('unlock-screen', options.resumed);
  // Linux and macOS ask before they shut down, and wait only for an app that prevents it (Electron: `powerMonitor`,
  // event 'shutdown'); Windows ends the session through the window's own events.
  // Its type lacks the event that the document names.
  (powerMonitor as NodeJS.EventEmitter).on('shutdown', (event: { preventDefault(): void }) => {
    event.preventDefault();
    app.quit();
  });
  return {
    leave,
    isLeaving: () => left !== null,
    leaveToInstall,
    passOn,
    restart,
    isRestarting: () => isRestarting,
  };
};

/** Ends at the limit as well, and never throws. */
export const withinTime = async (limitMs: number, work: Promise<void>): Promise<void> => {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, limitMs);
  await Promise.race([work.catch(() => undefined), limit.promise]);
  clearTimeout(timer);
};

/** Starts the program again when this process ends. The engine is closed before, so the new process can take it. */
const startAgain = (hidden: boolean, env: NodeJS.ProcessEnv): void => {
  const args = argumentsAgain(process.argv, process.defaultApp, hidden);
  const appImage = process.env['APPIMAGE'];
  if (!app.isPackaged || appImage === undefined) {
    // Electron starts it with the environment of this process at its end; nothing else is started before that.
    Object.assign(process.env, env);
    app.relaunch({ args });
    return;
  }
  // Electron's own way starts a helper from the mounted image, and the mount ends with this process
  // (github.com/electron-userland/electron-builder/issues/1727). The file itself can be started now.
  app.releaseSingleInstanceLock();
  startBeside(appImage, args, env)
    .on('error', () => undefined)
    .unref();
};

const startBeside = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(wholePath(program), args, { env, detached: true, stdio: 'ignore' });

/** Starts the program beside this process with another profile; `name` is one of a profile. Throws if it cannot start. */
export const startProfile = async (name: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const args = [...argumentsAgain(process.argv, process.defaultApp, false), `--profile=${name}`];
  const program = (app.isPackaged ? process.env['APPIMAGE'] : undefined) ?? app.getPath('exe');
  const child = startBeside(program, args, env);
  await once(child, 'spawn');
  child.unref();
};

/** The switches of this start, without the files it was given: those are taken already. */
export const argumentsAgain = (argv: readonly string[], isCheckout: boolean, hidden: boolean): string[] => {
  // In a checkout the app's folder is the first argument. The profile stands in the environment.
  const given = takeProfile(argv.slice(1)).others;
  const kept = given.filter(
    (argument, at) =>
      (isCheckout && at === 0) ||
      (argument.startsWith('-') && argument !== hiddenSwitch && argument !== shareSwitch),
  );
  return hidden ? [...kept, hiddenSwitch] : kept;
};
