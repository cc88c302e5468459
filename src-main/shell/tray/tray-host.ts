// Whether tray icons are drawn here. Windows and macOS always draw them. On Linux a program of the desktop registers
// for it on the session bus; without such a program (GNOME without its extension) no icon is drawn.
import { execFile } from 'node:child_process';
import { wholePath } from '../../contract/whole-path.ts';
import type { AppContext } from '../app-context.ts';

type FindProgram = AppContext['findProgram'];

const limitMs = 2_000;
const watcher = 'org.kde.StatusNotifierWatcher';
const property = 'IsStatusNotifierHostRegistered';
const get = 'org.freedesktop.DBus.Properties.Get';

/** Each distribution ships another one of these: the program and how it asks. */
const askers: readonly { name: string; args: readonly string[] }[] = [
  {
    name: 'dbus-send',
    args: [
      '--session',
      '--print-reply',
      `--reply-timeout=${limitMs}`,
      `--dest=${watcher}`,
      '/StatusNotifierWatcher',
      get,
      `string:${watcher}`,
      `string:${property}`,
    ],
  },
  {
    name: 'busctl',
    args: ['--user', 'get-property', watcher, '/StatusNotifierWatcher', watcher, property],
  },
  {
    name: 'gdbus',
    args: ['call', '-e', '-d', watcher, '-o', '/StatusNotifierWatcher', '-m', get, watcher, property],
  },
];

/** False when it is not known: then the window stays reachable. */
export const hasTrayHost = async (findProgram: FindProgram): Promise<boolean> => {
  if (process.platform !== 'linux') return true;
  for (const { name, args } of askers) {
    const program = findProgram(name);
    if (program === null) continue;
    return await new Promise((resolve) => {
      execFile(wholePath(program), args, { timeout: limitMs + 500 }, (error, answer) => {
        resolve(error === null && /\btrue\b/.test(answer));
      });
    });
  }
  return false;
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
