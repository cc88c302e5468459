// What a start of the app is asked to do. Pure. The command is a program of its own (adapters/system/own-program.ts).
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandNames } from '../../contract/catalogue/program.ts';
import { shareSwitch } from '../../contract/file-managers.ts';

/** The switch with which the system starts the app at login: no window, only the tray. */
export const hiddenSwitch = '--hidden';

/** `--profile NAME` or `--profile=NAME` among the arguments: the name, and the others. */
export const takeProfile = (
  args: readonly string[],
): { profile: string | undefined; others: readonly string[] } => {
  const at = args.findIndex((argument) => /^--profile(?:=|$)/.test(argument));
  const [word = '', next] = args.slice(at === -1 ? args.length : at);
  if (word === '') return { profile: undefined, others: args };
  const isOne = word.includes('=');
  return {
    profile: isOne ? word.slice(word.indexOf('=') + 1) : (next ?? ''),
    others: args.toSpliced(at, isOne ? 1 : 2),
  };
};

/** Options of the command that people also give to the app. All other switches belong to Chromium or to a system. */
const commandOptions: readonly string[] = ['--version', '-V', '--help', '-h'];
const names: readonly string[] = commandNames;

/** The path of a file address, as a desktop entry with %U passes it (Desktop Entry Specification 1.5, The Exec key). */
export const argumentPathOf = (argument: string): string => {
  if (!argument.startsWith('file://')) return argument;
  try {
    return fileURLToPath(argument);
  } catch {
    return argument;
  }
};

/** `args`: after the program and, in a checkout, the app's folder. True: they are words of the command, not files. */
export const isForCommand = (args: readonly string[], isThere: (path: string) => boolean): boolean => {
  if (args.includes(shareSwitch)) return false;
  const word = args.find((argument) => !argument.startsWith('-'));
  return word === undefined
    ? args.some((argument) => commandOptions.includes(argument))
    : names.includes(word) || !isThere(argumentPathOf(word));
};

/**
 * Why no window can open, or null. Without a display Electron itself would crash with a line that means nothing to
 * users (ui/ozone/platform/x11/ozone_platform_x11.cc).
 */
export const noWindow = (system: {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  hasSwitch: (name: string) => boolean;
}): string | null => {
  const { platform, env, hasSwitch } = system;
  const hasDisplay =
    platform !== 'linux' ||
    Boolean(env['DISPLAY']) ||
    Boolean(env['WAYLAND_DISPLAY']) ||
    env['XDG_SESSION_TYPE'] === 'wayland' ||
    hasSwitch('ozone-platform') ||
    hasSwitch('headless');
  return hasDisplay
    ? null
    : 'There is no display for the window of Outtray: DISPLAY and WAYLAND_DISPLAY are not set. The command works without one, see `outtray --help`.';
};

/**
 * Whether pages run without their sandbox. The AppImage sets Chromium's switch where the system gives no user
 * namespaces (electron-builder pull request 9590); the variable does the same (shell/app/electron_main_delegate.cc).
 */
export const isUnsandboxed = (args: readonly string[], env: NodeJS.ProcessEnv): boolean =>
  args.includes('--no-sandbox') || env['ELECTRON_DISABLE_SANDBOX'] !== undefined;

/**
 * Where Electron keeps the window's own files; null: its choice is right. On macOS its choice `Outtray` is the data
 * folder `outtray`: the file system treats both names as one. `isNamed`: --user-data-dir named the folder.
 */
export const windowFolderOf = (
  platform: NodeJS.Platform,
  appData: string,
  isNamed: boolean,
): string | null =>
  platform === 'darwin' && !isNamed ? path.posix.join(appData, 'app.outtray.desktop') : null;
