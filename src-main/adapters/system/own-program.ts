// The one place that knows how Outtray starts itself: its child processes, itself in the background, and what the
// entries of file managers run. The packages have a program of their own for the command, with all code inside
// (one-program.ts); npm's package and a checkout run files with Node. The app's own executable is the window only.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { shareSwitch } from '../../contract/file-managers.ts';
import { isOneProgram } from './one-program.ts';
import { findProgram } from './programs.ts';

export type Command = { file: string; args: string[] };

export type Running = Pick<NodeJS.Process, 'execPath' | 'versions' | 'argv' | 'env' | 'platform'> & {
  /** True: an Electron that was given the folder of the app. */
  defaultApp?: boolean;
  resourcesPath?: string;
};

/** resources/build/program/boot.cjs has the same switches. */
const switches = { keychain: '--keychain-child', drive: '--drive-child' } as const;

/** Below the folder with the app's resources. Not beside the app: Windows and macOS take `Outtray` for `outtray`. */
const places: Partial<Record<NodeJS.Platform, string>> = {
  win32: '../bin/outtray.exe',
  darwin: '../Helpers/outtray',
};

/** The program of the packages; null: Node runs files. */
export const packagedProgram = (running: Running = process, isInside = isOneProgram()): string | null => {
  if (isInside) return running.execPath;
  const { resourcesPath } = running;
  if (!isElectron(running) || running.defaultApp === true || resourcesPath === undefined) return null;
  return pathsOf(running).join(resourcesPath, places[running.platform] ?? '../program/outtray');
};

/** Starts a child process. `file`: what Node runs where there is no program of the packages. */
export const childCommand = (
  name: keyof typeof switches,
  file: URL,
  running: Running = process,
  isInside = isOneProgram(),
): Command => {
  const program = packagedProgram(running, isInside);
  return program === null
    ? { file: nodeOf(running), args: [fileURLToPath(file)] }
    : { file: program, args: [switches[name]] };
};

/** Starts the command again, with other arguments. */
export const commandAgain = (running: Running = process, isInside = isOneProgram()): Command => {
  const program = appImageOf(running) ?? packagedProgram(running, isInside);
  return program === null
    ? { file: nodeOf(running), args: [path.resolve(running.argv[1] ?? '')] }
    : { file: program, args: [] };
};

export const uploadWords = ['upload', '--copy', '--'] as const;

/** The words with which another program shares files; the paths follow. */
export const sharingWords = (running: Running = process, isInside = isOneProgram()): string[] => {
  const app = running.platform === 'win32' ? windowsApp(running, isInside) : null;
  if (app !== null) return [app, shareSwitch];
  const { file, args } = commandAgain(running, isInside);
  return [file, ...args, ...uploadWords];
};

/** On Windows the command opens a console for a moment; the app, if it is installed too, does not. */
const windowsApp = (running: Running, isInside: boolean): string | null => {
  const program = packagedProgram(running, isInside);
  const app = program === null ? null : pathsOf(running).join(program, '../../Outtray.exe');
  return app !== null && (!isInside || existsSync(app)) ? app : null;
};

const isElectron = ({ versions }: Running): boolean => 'electron' in versions;

const pathsOf = ({ platform }: Running) => (platform === 'win32' ? path.win32 : path.posix);

const nodeOf = (running: Running): string =>
  isElectron(running)
    ? (findProgram('node', running.env, running.platform) ?? running.execPath)
    : running.execPath;

/** An AppImage is mounted at another path at each start, and its mount ends with it; its own file stays. */
const appImageOf = ({ env, execPath }: Running): string | null => {
  const { APPIMAGE: file, APPDIR: mount } = env;
  return file && mount && execPath.startsWith(`${mount}/`) ? file : null;
};
