// Whether tray icons are drawn here. Windows and macOS always draw them. On Linux a program of the desktop registers
// for it on the session bus; without such a program (GNOME without its extension) no icon is drawn.
import { execFile } from 'node:child_process';
import { wholePath } from '../../contract/files/whole-path.ts';
import type { AppContext } from '../app-context.ts';

type FindProgram = AppContext['findProgram'];

const limitMs = 2_000;
/** By then a desktop that has just started draws its icons. */
const traySoonMs = 15_000;
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

export type TraySight = Awaited<ReturnType<typeof createTraySight>>;

/** Whether the user sees our icon, and can bring the window back by it. */
export const createTraySight = async (findProgram: FindProgram) => {
  let isSeen = await hasTrayHost(findProgram);
  let hasIcon = true;
  return {
    /** When it was last looked at. */
    isSeen: (): boolean => isSeen,
    /** Asked again each time: desktops lose and gain their place for icons while the app runs. */
    async look(): Promise<boolean> {
      isSeen = hasIcon && (await hasTrayHost(findProgram));
      return isSeen;
    },
    /** A start at login can be earlier than the program that draws the icons. */
    async wait(): Promise<boolean> {
      isSeen = hasIcon && (isSeen || (await waitForTrayHost(findProgram)));
      return isSeen;
    },
    /** The system refused our icon. */
    hasNone(): void {
      hasIcon = false;
      isSeen = false;
    },
  };
};

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

const waitForTrayHost = async (findProgram: FindProgram): Promise<boolean> => {
  const endMs = performance.now() + traySoonMs;
  while (!(await hasTrayHost(findProgram))) {
    if (performance.now() > endMs) return false;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return true;
};
