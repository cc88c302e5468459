import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  takeEnvironment,
  withoutAccount,
  withoutKey,
} from '../../../src-main/adapters/keychain/environment.ts';

test('the key is removed from an environment and passed on as a value', () => {
  const own: NodeJS.ProcessEnv = { PATH: '/bin', OUTTRAY_API_KEY: 'a-key', OUTTRAY_HOME: '/home' };
  const taken = takeEnvironment(own);
  expect(own).toEqual({ PATH: '/bin', OUTTRAY_HOME: '/home' });
  expect(withoutKey(taken)).toEqual({ env: own, apiKey: 'a-key' });
});

test.each(['outtray_api_key', 'Outtray_Api_Key'])(
  '%s, as Windows takes it, is not left for a child either',
  (name) => {
    const own: NodeJS.ProcessEnv = { [name]: 'a-key', PATH: '/bin' };
    takeEnvironment(own);
    expect(own).toEqual({ PATH: '/bin' });
    expect(withoutKey({ [name]: 'a-key' }).env).toEqual({});
  },
);

test.each<[NodeJS.Platform, string, boolean]>([
  ['darwin', '/usr/bin:/bin:/usr/sbin:/sbin', true],
  ['darwin', '/Users/ann/bin:/usr/bin:/bin:/usr/sbin:/sbin', false],
  ['linux', '/usr/bin:/bin:/usr/sbin:/sbin', false],
])(
  'on %s with PATH %s key commands are searched for where Homebrew puts them: %s',
  (platform, from, isAdded) => {
    const own: NodeJS.ProcessEnv = { PATH: from };
    takeEnvironment(own, platform);
    expect(own['PATH']).toBe(from + (isAdded ? ':/usr/local/bin:/opt/homebrew/bin:/opt/local/bin' : ''));
  },
);

test('another account inherits neither the key nor the address of this one', () => {
  const rest = { PATH: '/bin', OUTTRAY_HOME: '/home', HTTPS_PROXY: 'http://proxy' };
  for (const [key, address] of [
    ['OUTTRAY_API_KEY', 'OUTTRAY_BASE_URL'],
    ['outtray_api_key', 'Outtray_Base_Url'],
  ] as const)
    expect(withoutAccount({ ...rest, [key]: 'a-key', [address]: 'https://one.example/api/v1' })).toEqual(
      rest,
    );
});

test('without a key nothing changes', () => {
  const own: NodeJS.ProcessEnv = { PATH: '/bin' };
  expect(takeEnvironment(own)).toEqual({ PATH: '/bin' });
  expect(withoutKey(own)).toEqual({ env: { PATH: '/bin' }, apiKey: '' });
});

const mount = '/tmp/.mount_OuttraX1';
test.each<[string, string, string | undefined]>([
  ['PATH', `${mount}:${mount}/usr/sbin:/usr/local/bin:/usr/bin`, '/usr/local/bin:/usr/bin'],
  ['LD_LIBRARY_PATH', `${mount}/usr/lib:`, undefined],
  ['LD_LIBRARY_PATH', `${mount}/usr/lib:/opt/lib`, '/opt/lib'],
  ['XDG_DATA_DIRS', `${mount}/usr/share/:/usr/share/:/usr/local/share`, '/usr/share/:/usr/local/share'],
  ['GSETTINGS_SCHEMA_DIR', `${mount}/usr/share/glib-2.0/schemas`, undefined],
  ['PATH', `${mount}2/bin:/usr/bin:`, `${mount}2/bin:/usr/bin:`],
  ['APPDIR', mount, mount],
])('a child does not inherit folders of an AppImage: %s=%s', (name, value, left) => {
  const start = { APPIMAGE: '/home/ada/Outtray.AppImage', APPDIR: mount };
  const own: NodeJS.ProcessEnv = { ...start, [name]: value };
  expect(takeEnvironment(own)).toEqual(own);
  expect(own).toEqual({ ...start, ...(left === undefined ? {} : { [name]: left }) });
  const installed = { APPDIR: mount, [name]: value };
  takeEnvironment(installed);
  expect(installed).toEqual({ APPDIR: mount, [name]: value });
});

test('a child that inherits this process’s environment does not see it', () => {
  const program = "require('node:child_process')";
  const entry = new URL('../../../src-main/adapters/keychain/environment.ts', import.meta.url).href;
  const script = `import(${JSON.stringify(entry)}).then(({ takeEnvironment }) => {
    takeEnvironment();
    process.stdout.write(String(${program}.execFileSync('/usr/bin/env')));
  });`;
  if (process.platform === 'win32') return;
  const env = { ...process.env, OUTTRAY_API_KEY: 'a-key-of-the-environment' };
  const seen = execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
  expect(seen).toContain('PATH=');
  expect(seen).not.toContain('a-key-of-the-environment');
});
