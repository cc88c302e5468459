// Start at login on the three systems: the system's own list on macOS and Windows, an autostart entry on Linux.
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { app } from 'electron';
import { hiddenSwitch } from './launch-mode.ts';
import { appId } from './lifecycle.ts';

/** What is started: each profile has an entry of its own. `profile` null: the default one. */
type Entry = { program: string; profile: string | null };

const entryId = (profile: string | null): string => (profile === null ? appId : `${appId}.${profile}`);
const switchesOf = (profile: string | null): string[] => [
  hiddenSwitch,
  ...(profile === null ? [] : [`--profile=${profile}`]),
];

export const autostartFile = (env: NodeJS.ProcessEnv, home: string, profile: string | null): string =>
  path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), 'autostart', `${entryId(profile)}.desktop`);

/** A desktop entry (Desktop Entry Specification 1.5) that starts the program hidden. */
export const autostartEntry = ({ program, profile }: Entry): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    `Name=Outtray${profile === null ? '' : ` (${profile})`}`,
    // Without the program the entry is ignored, so one that is left after a removal does no harm.
    `TryExec=${program.replaceAll('\\', '\\\\')}`,
    `Exec=${[quoted(program), ...switchesOf(profile)].join(' ')}`,
    'Icon=outtray',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');

/** As the specification demands: in quotes, `"`, backtick, `$` and `\` escaped, `%` doubled; then as a string value. */
const quoted = (argument: string): string =>
  `"${argument.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`.replaceAll('\\', '\\\\');

/** Writes or removes the entry. */
export const setAutostart = async (file: string, entry: Entry, wanted: boolean): Promise<void> => {
  if (!wanted) {
    await rm(file, { force: true });
    return;
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, autostartEntry(entry));
};

/** The program has another name from now on (an updated AppImage). Synchronous: the program may end right after. */
export const moveAutostart = (file: string, entry: Entry): void => {
  if (existsSync(file)) writeFileSync(file, autostartEntry(entry));
};

/**
 * Only an installed app: a checkout would have the system start a bare Electron. macOS starts an app without arguments, so
 * only in the default profile.
 */
export const canLaunchAtLogin = (profile: string | null): boolean =>
  app.isPackaged && (process.platform !== 'darwin' || profile === null);

/**
 * Writes a changed setting into the system's list. What the user switched off there stays off: an unchanged setting only
 * lets an entry that exists follow the program.
 */
export const followLaunchAtLogin = async (
  wanted: boolean,
  written: { read(): boolean; write(wanted: boolean): void },
  profile: string | null,
): Promise<void> => {
  if (!canLaunchAtLogin(profile)) return;
  // An AppImage is mounted elsewhere at each start; its own file is what stays.
  const program = process.env['APPIMAGE'] ?? process.execPath;
  const file = autostartFile(process.env, app.getPath('home'), profile);
  if (written.read() === wanted) {
    if (process.platform === 'linux' && wanted) moveAutostart(file, { program, profile });
    return;
  }
  // At once: the setting may change again meanwhile.
  written.write(wanted);
  try {
    if (process.platform === 'linux') await setAutostart(file, { program, profile }, wanted);
    // `name` and `args` are for Windows: the name of its value in the registry, and what it starts with. macOS reports
    // a start at login in another way (lifecycle.ts).
    else app.setLoginItemSettings({ openAtLogin: wanted, name: entryId(profile), args: switchesOf(profile) });
  } catch (error) {
    // It is tried again at the next start.
    written.write(!wanted);
    throw error;
  }
};
