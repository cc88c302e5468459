// The entry of the desktop app: wiring only.
//
// The engine runs here, in the main process, and not in a utilityProcess. What is heavy is elsewhere already: hashing
// has its thread, the keychain its process, sockets and files are asynchronous. Measured on two cores that others kept
// busy (load 8): while 4 × 256 MiB go up, the loop is 5 ms late at the median (the grain of the measure) and 50 ms at
// the 99th percentile, with 150 MiB in all. One process fewer starts sooner, and quitting, sleep and the engine lock
// are decided in one place. The price: a durable commit waits for the disk here, and on a disk that is kept busy by
// others (1,000 small files at once, far over the service's pace) menus can be late by more than that.
import { shareSwitch } from './contract/file-managers.ts';
import { toAppError } from './contract/errors.ts';
import { plainWords } from './contract/text/wording.ts';
import { statSync } from 'node:fs';
import path from 'node:path';
import { disks } from './adapters/files/disk.ts';
import { toSystemPath } from './adapters/files/paths.ts';
import { exactArguments } from './adapters/system/arguments.ts';
import { takeEnvironment } from './adapters/keychain/environment.ts';
import { dataPlace, withProfile } from './adapters/system/home.ts';
import { commandAgain, packagedProgram } from './adapters/system/own-program.ts';
import { handOver } from './shell/start/hand-over.ts';
import {
  hiddenSwitch,
  isForCommand,
  noWindow,
  takeProfile,
  windowFolderOf,
} from './shell/start/launch-mode.ts';
import { exitCodes } from './cli/exit-codes.ts';

// Before anything is started.
const { profile, others: args } = takeProfile(exactArguments(process.argv.slice(process.defaultApp ? 2 : 1)));
const env = inProfile(takeEnvironment());

// Words of the command end here, before Electron becomes ready: it waits for this file.
if (isForCommand(args, isFileOrFolder)) process.exit(await answerCommandWords());
await openApp(args.includes(hiddenSwitch) || args.includes(shareSwitch));

/** This program is only the window. An AppImage is one file, so it hands the words over to the command inside it. */
async function answerCommandWords(): Promise<number> {
  const program = packagedProgram();
  if (program !== null && env['APPIMAGE'] && env['APPDIR']) return await handOver(program, args, env);
  const { file, args: before } = program === null ? commandAgain() : { file: program, args: [] };
  process.stderr.write(
    `outtray: This program is only the window. The command is ${[file, ...before].join(' ')}\n`,
  );
  return exitCodes.wrongUse;
}

/** A name that is no name of a profile ends the program. */
function inProfile(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  try {
    return withProfile(own, profile);
  } catch (error) {
    const { message, remedy } = toAppError(error);
    process.stderr.write(`outtray: ${message} ${plainWords(remedy)}\n`);
    process.exit(exitCodes.wrongUse);
  }
}

function isFileOrFolder(file: string): boolean {
  try {
    // On a drive that may hang this process must not look: the drive process, which can be abandoned, does so later.
    if (disks.hanging(path.isAbsolute(file) ? file : path.join(process.cwd(), file)) !== null) return true;
    const found = statSync(toSystemPath(file));
    return found.isFile() || found.isDirectory();
  } catch {
    return false;
  }
}

async function openApp(hidden: boolean): Promise<void> {
  const { app } = await import('electron');
  const trouble = noWindow({
    platform: process.platform,
    env,
    hasSwitch: (name) => app.commandLine.hasSwitch(name),
  });
  if (trouble !== null) {
    process.stderr.write(`outtray: ${trouble}\n`);
    app.exit(exitCodes.wrongUse);
    return;
  }
  const { followFaults, isFirstStart, nameForWindows, wasOpenedAtLogin } =
    await import('./shell/start/lifecycle.ts');
  const { filesAmong, followGivenFiles } = await import('./shell/start/given-files.ts');
  const { claimScheme } = await import('./shell/window/scheme.ts');
  const { forbidEverything } = await import('./shell/window/window.ts');
  nameForWindows();
  const isNamed = app.commandLine.hasSwitch('user-data-dir');
  const windowFolder = windowFolderOf(process.platform, app.getPath('appData'), isNamed);
  if (windowFolder !== null) app.setPath('userData', windowFolder);
  const named = dataPlace(undefined, env).profile;
  if (named !== null) {
    // Each profile is an app of its own: one instance, window, tray and title for each.
    app.setPath('userData', path.join(app.getPath('userData'), 'profiles', named));
    app.setName(`${app.name} (${named})`);
  }
  app.enableSandbox();
  claimScheme();
  forbidEverything();
  const first = { files: filesAmong(args, process.cwd()), isShare: args.includes(shareSwitch) };
  if (!isFirstStart(first)) {
    app.exit(0);
    return;
  }
  const given = followGivenFiles(first);
  const { runApp } = await import('./shell/app.ts');
  const { placesFrom } = await import('./shell/start/places.ts');
  const { tellAndExit } = await import('./shell/start/last-words.ts');
  const faults = followFaults(tellAndExit);
  // Not awaited: Electron is not ready before this file has been read to its end.
  void app
    .whenReady()
    .then(async () => {
      const isHidden = wasOpenedAtLogin(hidden);
      const { openAppContext } = await import('./desktop/context.ts');
      const context = await openAppContext(env, isHidden);
      faults.logTo(context.log);
      await runApp({ context, places: placesFrom(import.meta.dirname), hidden: isHidden, given });
    })
    .catch(tellAndExit);
}
