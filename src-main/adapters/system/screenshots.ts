// Where the system puts screenshots: the XDG pictures folder on Linux, the location set for `screencapture` on macOS,
// the known folder on Windows. Nothing is created: a system that has taken none yet has no such folder.
import { readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { prints } from '../programs/prints.ts';
import { registryQueries } from './programs.ts';

export type System = {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
  /** Text of a file; null when it cannot be read. */
  read?: (file: string) => string | null;
  /** What a program prints; null when it fails. */
  ask?: (program: string, args: readonly string[]) => string | null;
};

export const screenshotsFolder = ({
  platform,
  env,
  home,
  read = readText,
  ask = askProgram,
}: System): string => {
  switch (platform) {
    case 'darwin': {
      const told = ask('/usr/bin/defaults', ['read', 'com.apple.screencapture', 'location'])?.trim() ?? '';
      const folder = told.replace(/^~(?=$|\/)/, () => home);
      return folder.startsWith('/') ? folder : posix.join(home, 'Desktop');
    }
    case 'win32':
      return windowsFolder(env, home, ask);
    default: {
      const config = env['XDG_CONFIG_HOME'] ?? '';
      const dirs = read(posix.join(config === '' ? posix.join(home, '.config') : config, 'user-dirs.dirs'));
      return posix.join(picturesIn(dirs ?? '', home) ?? posix.join(home, 'Pictures'), 'Screenshots');
    }
  }
};

/** user-dirs.dirs(5): `XDG_PICTURES_DIR="$HOME/Pictures"`, or an absolute path. */
const picturesIn = (dirs: string, home: string): string | null => {
  const [, told] = /^\s*XDG_PICTURES_DIR="(.*)"\s*$/m.exec(dirs) ?? [];
  const folder = told?.replaceAll(/\\(.)/g, '$1').replace(/^\$HOME(?=$|\/)/, () => home);
  return folder?.startsWith('/') === true ? folder : null;
};

const shellFolders = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders`;
/** FOLDERID_Screenshots (learn.microsoft.com, KNOWNFOLDERID); its parent, where only that was moved. */
const knownFolders = [
  ['{B7BEDE81-DF94-4682-A7D8-57A52620B86F}', ''],
  ['My Pictures', 'Screenshots'],
] as const;

const windowsFolder = (env: NodeJS.ProcessEnv, home: string, ask: NonNullable<System['ask']>): string => {
  for (const [name, below] of knownFolders) {
    const { program, args } = registryQueries(env, [`"${shellFolders}" /v "${name}"`]);
    const printed = ask(program, args) ?? '';
    const [, told] = /\sREG_(?:EXPAND_)?SZ\s+(.+?)\s*$/m.exec(printed) ?? [];
    const folder = told?.replaceAll(/%([^%]+)%/g, (written, variable: string) =>
      variable.toLowerCase() === 'userprofile' ? home : (env[variable] ?? written),
    );
    if (folder !== undefined && win32.isAbsolute(folder)) return win32.join(folder, below);
  }
  return win32.join(home, 'Pictures', 'Screenshots');
};

const readText = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

const askProgram = (program: string, args: readonly string[]): string | null => {
  try {
    return prints(program, args);
  } catch {
    return null;
  }
};
