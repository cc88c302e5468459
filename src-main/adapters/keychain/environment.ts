// The key from the environment. Programs that we start inherit our environment but must not get the key, so each
// process takes it out of `process.env` once, at its start, and passes it on as a value.

const keyVariable = 'OUTTRAY_API_KEY';

/** On Windows a variable may be written in other capitals. */
const isKey = (name: string): boolean => name.toUpperCase() === keyVariable;

/** A copy of this process's environment with the key. Removes the key from `own`, so that no child inherits it. */
export const takeEnvironment = (own: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => {
  const { env } = withoutKey(own);
  const key = own[keyVariable];
  for (const name of Object.keys(own)) if (isKey(name)) Reflect.deleteProperty(own, name);
  return key === undefined ? env : { ...env, [keyVariable]: key };
};

/** The environment that other programs may see, and the key; '' when there is none. */
export const withoutKey = (env: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; apiKey: string } => ({
  env: Object.fromEntries(Object.entries(env).filter(([name]) => !isKey(name))),
  apiKey: env[keyVariable] ?? '',
});

/** For a start of Outtray itself, which replaces this process. */
export const withKey = (env: NodeJS.ProcessEnv, apiKey: string): NodeJS.ProcessEnv =>
  apiKey === '' ? env : { ...env, [keyVariable]: apiKey };
