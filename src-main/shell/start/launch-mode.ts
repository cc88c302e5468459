// What this start of the program is: the app, or the command (`outtray ARGS` of an installed app). Pure.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandNames } from '../../contract/catalogue/program.ts';

export type LaunchMode = { kind: 'app'; hidden: boolean } | { kind: 'command'; args: string[] };

/** The switch with which the system starts the app at login: no window, only the tray. */
export const hiddenSwitch = '--hidden';

const names: readonly string[] = commandNames;

/**
 * Switches for the app itself, for Chromium and Electron in it (Electron's docs, Supported Command Line Switches), and
 * what systems add: `-psn_…` is the Finder's, `-Embedding` and `-ToastActivated` a click on a notification of Windows,
 * `--updated` and `--squirrel-…` an installer's.
 */
const appSwitches: readonly RegExp[] = [
  /^--(hidden|updated|squirrel-[a-z]+)$/,
  /^-(psn_\d+_\d+|Embedding|ToastActivated)$/,
  /^--no-(sandbox|zygote|proxy-server|first-run|default-browser-check)$/,
  /^--(enable|disable|force|ignore|allow|use|gtk|ozone|inspect|proxy|auth|js|xdg|trace)(-[a-z0-9-]+)?(=.*)?$/,
  /^--(remote-(debugging|allow)|host-(rules|resolver)|user-data|password|log|net-log|ssl|unsafely|single|original)-[a-z-]+(=.*)?$/,
  /^--(lang|v|vmodule|class|headless|in-process-gpu)(=.*)?$/,
];

/** The path of a file address, as a desktop entry with %U passes it (Desktop Entry Specification 1.5, The Exec key). */
export const pathOf = (argument: string): string => {
  if (!argument.startsWith('file://')) return argument;
  try {
    return fileURLToPath(argument);
  } catch {
    return argument;
  }
};

/**
 * `args`: after the program and, in a checkout, the app's folder. With nothing but switches, or with an existing file
 * or folder, it is the app; everything else goes to the command, which reports what is wrong with it.
 */
export const launchModeOf = (args: readonly string[], isThere: (path: string) => boolean): LaunchMode => {
  const at = args.findIndex((argument) => !appSwitches.some((one) => one.test(argument)));
  const first = args[at];
  return first === undefined || (!names.includes(first) && isThere(pathOf(first)))
    ? { kind: 'app', hidden: args.includes(hiddenSwitch) }
    : { kind: 'command', args: args.slice(at) };
};

/**
 * Why no window can open, or null. Electron itself would crash with a line that means nothing to users: without a
 * display (ui/ozone/platform/x11/ozone_platform_x11.cc), and for root (shell/app/electron_main_delegate.cc), where the
 * variable lets commands through (resources/package/linux/launcher.sh) but pages would run without their sandbox.
 */
export const noWindow = (system: {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  isRoot: boolean;
  hasSwitch: (name: string) => boolean;
}): string | null => {
  const { platform, env, isRoot, hasSwitch } = system;
  if (platform !== 'linux') return null;
  if (isRoot && env['ELECTRON_DISABLE_SANDBOX'] !== undefined) {
    return 'The window of Outtray does not open for root: start it as the user whose files it shares. Commands work, see `outtray --help`.';
  }
  const hasDisplay =
    Boolean(env['DISPLAY']) ||
    Boolean(env['WAYLAND_DISPLAY']) ||
    env['XDG_SESSION_TYPE'] === 'wayland' ||
    hasSwitch('ozone-platform') ||
    hasSwitch('headless');
  return hasDisplay
    ? null
    : 'There is no display for the window of Outtray: DISPLAY and WAYLAND_DISPLAY are not set. Commands work without one, see `outtray --help`.';
};

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
