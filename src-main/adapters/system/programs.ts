// Where the programs are that Outtray starts. Those of the system are named by their whole paths. All others are
// searched for only in the absolute entries of PATH: what lies in the current folder is never run.
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Below System32. */
const ofWindows = {
  'chcp.com': 'chcp.com',
  'cmd.exe': 'cmd.exe',
  'net.exe': 'net.exe',
  'powershell.exe': String.raw`WindowsPowerShell\v1.0\powershell.exe`,
  'reg.exe': 'reg.exe',
  'rundll32.exe': 'rundll32.exe',
  'taskkill.exe': 'taskkill.exe',
} as const;

const ofMac = ['defaults', 'open', 'osascript', 'pbcopy', 'plutil'];

/** On Windows the case of a variable's name does not count, but in a copy of the environment it does. */
const variable = (env: NodeJS.ProcessEnv, name: string): string =>
  Object.entries(env).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1] ?? '';

/**
 * SystemRoot is believed only when it is a folder on a local drive. The one who sets our environment starts us, and
 * could start another program as well; a relative or a network folder is a mistake or a trap.
 */
const system32 = (env: NodeJS.ProcessEnv): string => {
  const root = variable(env, 'SystemRoot');
  const isLocal = /^[a-z]:\\[^"%&|<>^]+$/i.test(root) && !root.split('\\').includes('..');
  return path.win32.join(isLocal ? root : String.raw`C:\Windows`, 'System32');
};

/** The whole path of a program of Windows, whether it is there or not. */
export const windowsProgram = (name: keyof typeof ofWindows, env: NodeJS.ProcessEnv): string =>
  path.win32.join(system32(env), ofWindows[name]);

/**
 * Starts `reg.exe query` with each of these arguments, which are constants. Through cmd.exe, because reg.exe writes in the
 * code page of its console: 65001 is UTF-8, so that folders in any script arrive as they are. It needs Node's option
 * `windowsVerbatimArguments`.
 */
export const registryQueries = (
  env: NodeJS.ProcessEnv,
  queries: readonly string[],
): { program: string; args: string[] } => {
  const [chcp, reg] = [windowsProgram('chcp.com', env), windowsProgram('reg.exe', env)];
  const line = [`"${chcp}" 65001 >nul`, ...queries.map((query) => `"${reg}" query ${query}`)].join(' & ');
  return { program: windowsProgram('cmd.exe', env), args: ['/d', '/s', '/c', `"${line}"`] };
};

/** Starts PowerShell with this script, in which no text of others may be. */
export const powershellRuns = (
  env: NodeJS.ProcessEnv,
  script: string,
): { program: string; args: string[] } => ({
  program: windowsProgram('powershell.exe', env),
  args: [
    '-NoProfile',
    '-NonInteractive',
    '-EncodedCommand',
    Buffer.from(script, 'utf16le').toString('base64'),
  ],
});

const isOfWindows = (name: string): name is keyof typeof ofWindows => Object.hasOwn(ofWindows, name);

/** The whole path of the program that a bare name or a whole path means; null where there is none. */
export const findProgram = (
  name: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  isProgram: (file: string) => boolean = canRun,
): string | null => {
  const { isAbsolute, join, delimiter } = platform === 'win32' ? path.win32 : path.posix;
  const isWhole = (one: string): boolean =>
    isAbsolute(one) && (platform !== 'win32' || /^([a-z]:|[\\/]{2})/i.test(one));
  if (isWhole(name)) return name;
  if ((platform === 'win32' ? /[\\/:]/ : /\//).test(name) || name === '') return null;
  const written = name.toLowerCase();
  if (platform === 'win32' && isOfWindows(written)) return windowsProgram(written, env);
  if (platform === 'darwin' && ofMac.includes(name)) return `/usr/bin/${name}`;
  // As CreateProcess: scripts need a shell, so of the endings in PATHEXT only these two count.
  const endings = platform !== 'win32' || path.win32.extname(name) !== '' ? [''] : ['.com', '.exe'];
  const folders =
    platform === 'win32' ? variable(env, 'PATH').replaceAll('"', '') : (env['PATH'] ?? '/usr/bin:/bin');
  return (
    folders
      .split(delimiter)
      .filter(isWhole)
      .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
      .find(isProgram) ?? null
  );
};

const canRun = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};
