// What this start of the program is: the app, or the command (`outtray ARGS` of an installed app). Pure.

export type Door = { kind: 'app'; hidden: boolean } | { kind: 'command'; args: string[] };

/** Given to the app when the system starts it at login: no window, only the tray. */
export const hiddenSwitch = '--hidden';

/** The command's table (README.md, The command); a test compares it with the program's own. */
export const commandNames = [
  'login',
  'logout',
  'upload',
  'watch',
  'list',
  'info',
  'delete',
  'stats',
  'status',
  'held',
  'confirm',
  'cancel',
  'retry',
  'pause',
  'resume',
  'why',
  'settings',
  'doctor',
  'demo',
] as const;

const commandOptions = /^(--json|--home|--base-url|--quiet|--no-progress|--help|-h|--version|-V)(=.*)?$/;
const names: readonly string[] = commandNames;

/** `args`: after the program and, in a checkout, the app's folder. The first that means something decides. */
export const doorOf = (args: readonly string[]): Door => {
  for (const [at, argument] of args.entries()) {
    if (names.includes(argument) || commandOptions.test(argument)) {
      return { kind: 'command', args: args.slice(at) };
    }
    // Chromium's and Electron's own switches may stand before ours (`--ozone-platform=headless`).
    if (!argument.startsWith('-')) break;
  }
  return { kind: 'app', hidden: args.includes(hiddenSwitch) };
};
