// Programs that we start inherit our environment, but must not get the key, nor load an AppImage's own libraries. So
// each process takes both out of `process.env` once, at its start, and passes the key on as a value.

const keyVariable = 'OUTTRAY_API_KEY';
const addressVariable = 'OUTTRAY_BASE_URL';

/** On Windows a variable may be written in other capitals. */
const isKey = (name: string): boolean => name.toUpperCase() === keyVariable;

/**
 * A copy of this process's environment with the key. Removes from `own` what no child may inherit: the key, and the
 * folders of an AppImage's mount, which its start (AppRun) puts before PATH, LD_LIBRARY_PATH and others. On macOS it adds
 * the places of installed programs to launchd's PATH: a key command lies there.
 */
export const takeEnvironment = (
  own: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv => {
  withoutMount(own);
  withPlacesOfMac(own, platform);
  const { env } = withoutKey(own);
  const key = own[keyVariable];
  for (const name of Object.keys(own)) if (isKey(name)) Reflect.deleteProperty(own, name);
  return key === undefined ? env : { ...env, [keyVariable]: key };
};

/** launchd gives an app its own PATH, without the folders in which people install programs (launchd.plist(5)). */
const withPlacesOfMac = (own: NodeJS.ProcessEnv, platform: NodeJS.Platform): void => {
  if (platform === 'darwin' && own['PATH'] === pathOfLaunchd)
    own['PATH'] = `${pathOfLaunchd}:/usr/local/bin:/opt/homebrew/bin:/opt/local/bin`;
};
const pathOfLaunchd = '/usr/bin:/bin:/usr/sbin:/sbin';

const withoutMount = (own: NodeJS.ProcessEnv): void => {
  const mount = own['APPDIR'];
  if (!mount || !own['APPIMAGE']) return;
  for (const [name, value = ''] of Object.entries(own)) {
    const folders = value.split(':');
    const kept = folders.filter((folder) => folder !== mount && !folder.startsWith(`${mount}/`));
    if (name === 'APPDIR' || kept.length === folders.length) continue;
    // An empty folder in such a list is the current one.
    if (kept.every((folder) => folder === '')) Reflect.deleteProperty(own, name);
    else own[name] = kept.join(':');
  }
};

/** The environment that other programs may see, and the key; '' when there is none. */
export const withoutKey = (env: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; apiKey: string } => ({
  env: Object.fromEntries(Object.entries(env).filter(([name]) => !isKey(name))),
  apiKey: env[keyVariable] ?? '',
});

/** For a start with another profile: key and address are those of this account. */
export const withoutAccount = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !isKey(name) && name.toUpperCase() !== addressVariable),
  );
