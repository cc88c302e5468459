// Paths in settings. One policy serves every user of a machine, so a policy may name places of the user: `~`, and a few
// variables in the style of a shell or of Windows. Each has one fixed meaning; a name that is not in the table is an
// error, because a path with a variable left in it would be a folder of that name.
import { lstatSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, sep, win32 } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { disks } from '../files/disk.ts';
import { rowOf, settingNames, type SettingName, type Settings } from '../../contract/settings.ts';

export const isPathSetting = (name: SettingName): boolean => {
  const row = rowOf(name);
  return row.kind === 'path' || (row.kind === 'list' && row.of === 'folder');
};

/**
 * The home folder that the system lists for this account. The user can set `$HOME`, which would move what a policy
 * forbids or demands. Throws when the account has none.
 */
export const accountHome = (): string => userInfo().homedir;

/** The user's home by the environment, and the account's own: neither is watched as a whole. */
export const homesOf = (userHome: string): string[] => {
  try {
    return [userHome, accountHome()];
  } catch {
    return [userHome];
  }
};

/** In lower case, because Windows ignores case. Windows itself sets those from `appdata` on. */
const variables: Record<string, (env: NodeJS.ProcessEnv, home: () => string) => string | undefined> = {
  home: (_, home) => home(),
  userprofile: (_, home) => home(),
  user: () => userInfo().username,
  username: () => userInfo().username,
  appdata: (env) => env['APPDATA'],
  localappdata: (env) => env['LOCALAPPDATA'],
  onedrive: (env) => env['OneDrive'],
  onedrivecommercial: (env) => env['OneDriveCommercial'],
  programdata: (env) => env['ProgramData'],
  public: (env) => env['PUBLIC'],
};

const variable = /%([^%\\/]{1,100})%|\$\{([^}]{0,100})\}|\$([a-z_][a-z0-9_]{0,100})/gi;

/** `source`: the policy's own place. `home`: finds the home of the account; throws when it has none. */
export type PolicyPlace = { source: string; env: NodeJS.ProcessEnv; home?: () => string };

/**
 * A value as a policy gives it, ready to be checked. Only the settings of paths are changed. Throws `bad-setting` for
 * a variable that is not known or has no value here, and for a relative path.
 */
export const expandedPaths = (
  name: SettingName,
  value: unknown,
  { source, env, home: find = accountHome }: PolicyPlace,
): unknown => {
  const home = (): string => {
    try {
      return find();
    } catch {
      throw bad(source, `${name} names the home folder, and this account has none`);
    }
  };
  const expand = (path: unknown): unknown => {
    if (typeof path !== 'string') return path;
    const whole = atHome(path, home).replace(variable, (written, ...names: unknown[]) => {
      const asked = names.slice(0, 3).find((one) => typeof one === 'string') ?? '';
      const found = Object.hasOwn(variables, asked.toLowerCase())
        ? variables[asked.toLowerCase()]?.(env, home)
        : undefined;
      if (found !== undefined && found !== '') return found;
      throw bad(source, `${name} holds the variable ${written}, which Outtray does not know here`);
    });
    if (isAbsolute(whole) || win32.isAbsolute(whole)) return ofSystem(whole);
    throw bad(source, `${name} holds a path that is not absolute`);
  };
  if (!isPathSetting(name)) return value;
  return Array.isArray(value) ? value.map(expand) : expand(value);
};

const bad = (source: string, what: string): AppError =>
  new AppError(
    'bad-setting',
    `${source}: ${what}.`,
    'Give a whole path; ~, $HOME, ${USER}, %USERPROFILE% and %USERNAME% stand for the user’s own.',
  );

/** Replaces `~` in all settings that are paths, whatever their origin. */
export const withHome = (settings: Settings, userHome: string): Settings => {
  const home = (path: unknown): unknown => (typeof path === 'string' ? atHome(path, () => userHome) : path);
  const paths = settingNames.filter(isPathSetting).map((name) => {
    const value = settings[name];
    return [name, Array.isArray(value) ? value.map(home) : home(value)] as const;
  });
  return { ...settings, ...Object.fromEntries(paths) };
};

/** Replaces a leading `~`. `home`: by default, the home of this user. */
export const atHome = (path: string, home: () => string = homedir): string =>
  /^~(?=$|[/\\])/.test(path) ? ofSystem(home() + path.slice(1)) : path;

/** Windows accepts `/` as well; people see its own separator. */
const ofSystem = (path: string): string =>
  sep === '\\' && /^[a-z]:/i.test(path) ? win32.normalize(path) : path;

/**
 * The real path where links lead to it, because that is how the watched folder is known everywhere. The path as given
 * if it does not exist, or lies on a drive that may hang, which would hold up every command.
 */
export const realOr = (path: string): string => {
  try {
    return disks.hanging(path) === null ? realpathSync.native(path) : path;
  } catch {
    return path;
  }
};

/**
 * The same for a file that may not exist yet: then its folder is resolved. A link in its place stays a link. What
 * cannot be looked at is reported when the file is used; the settings can be read and mended before that.
 */
export const realFileOr = (path: string): string => {
  if (!isAbsolute(path) || disks.hanging(path) !== null) return path;
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? true;
    return isLink ? join(realOr(dirname(path)), basename(path)) : realOr(path);
  } catch {
    return path;
  }
};
