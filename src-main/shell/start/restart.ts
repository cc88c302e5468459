// Starts the program again when this process ends. The engine is closed before, so the new process can take it.
import { spawn } from 'node:child_process';
import { app } from 'electron';
import { hiddenSwitch } from './launch-mode.ts';

export const startAgain = (hidden: boolean): void => {
  const args = argumentsAgain(process.argv, process.defaultApp, hidden);
  const appImage = process.env['APPIMAGE'];
  if (!app.isPackaged || appImage === undefined) {
    app.relaunch({ args });
    return;
  }
  // Electron's own way starts a helper from the mounted image, and the mount ends with this process
  // (github.com/electron-userland/electron-builder/issues/1727). The file itself can be started now.
  app.releaseSingleInstanceLock();
  spawn(appImage, args, { detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref();
};

/** The switches of this start, without the files it was given: those are taken already. */
export const argumentsAgain = (argv: readonly string[], isCheckout: boolean, hidden: boolean): string[] => {
  // In a checkout the app's folder is the first argument.
  const given = argv.slice(1);
  const kept = given.filter(
    (argument, at) => (isCheckout && at === 0) || (argument.startsWith('-') && argument !== hiddenSwitch),
  );
  return hidden ? [...kept, hiddenSwitch] : kept;
};
