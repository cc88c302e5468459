// Whether tray icons are drawn here. Windows and macOS always draw them. On Linux a program of the desktop registers
// for it on the session bus; without such a program (GNOME without its extension) no icon is drawn.
import { execFile } from 'node:child_process';
import { wholePath } from '../../contract/whole-path.ts';
import type { AppContext } from '../app-context.ts';

type FindProgram = AppContext['findProgram'];

const limitMs = 2_000;
const question = [
  '--session',
  '--print-reply',
  `--reply-timeout=${limitMs}`,
  '--dest=org.kde.StatusNotifierWatcher',
  '/StatusNotifierWatcher',
  'org.freedesktop.DBus.Properties.Get',
  'string:org.kde.StatusNotifierWatcher',
  'string:IsStatusNotifierHostRegistered',
];

/** False when it is not known: then the window stays reachable. */
export const hasTrayHost = async (findProgram: FindProgram): Promise<boolean> => {
  if (process.platform !== 'linux') return true;
  const program = findProgram('dbus-send');
  if (program === null) return false;
  return await new Promise((resolve) => {
    execFile(wholePath(program), question, { timeout: limitMs + 500 }, (error, answer) => {
      resolve(error === null && /boolean true/.test(answer));
    });
  });
};

/** A start at login can be earlier than the program that draws the icons. */
export const waitForTrayHost = async (limitMs: number, findProgram: FindProgram): Promise<boolean> => {
  const endMs = performance.now() + limitMs;
  while (!(await hasTrayHost(findProgram))) {
    if (performance.now() > endMs) return false;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return true;
};
