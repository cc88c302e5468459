// Tests see a home, a language and an environment of their own, whatever the shell has.
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { surroundingsOf } from '../support/surroundings.ts';

const folders = { home: '/temporary/home', temporary: '/temporary' };

test.each([
  ['HOME', '/home/Jörg Müller'],
  ['TZ', 'Asia/Kathmandu'],
  ['LANG', 'de_DE.UTF-8'],
  ['LC_ALL', 'tr_TR.UTF-8'],
  ['LANGUAGE', 'de'],
  ['XDG_CONFIG_HOME', '/elsewhere'],
  ['XDG_RUNTIME_DIR', '/run/user/1000'],
  ['DBUS_SESSION_BUS_ADDRESS', 'unix:path=/run/user/1000/bus'],
  ['OUTTRAY_HOME', '/home/me/.outtray'],
  ['OUTTRAY_API_KEY', 'a real key'],
  ['OUTTRAY_BASE_URL', 'https://files.example'],
  ['HTTPS_PROXY', 'http://127.0.0.1:1'],
  ['http_proxy', 'http://127.0.0.1:1'],
  ['NO_PROXY', '*'],
  ['NODE_OPTIONS', '--max-old-space-size=512'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0'],
  ['SSL_CERT_FILE', '/etc/ssl/own.pem'],
  ['NO_COLOR', '1'],
  ['FORCE_COLOR', '3'],
  ['CI', 'true'],
  ['DISPLAY', ':1'],
  ['WAYLAND_DISPLAY', 'wayland-0'],
  ['GIT_DIR', '/elsewhere/.git'],
  ['SUDO_USER', 'somebody'],
])('%s of the shell reaches no test', (name, value) => {
  expect(surroundingsOf({ [name]: value }, folders)).toEqual(surroundingsOf({}, folders));
});

test.each(['PATH', 'CHROMIUM', 'OUTTRAY_DEEP', 'OUTTRAY_PATIENCE', 'SystemRoot', 'VITEST_POOL_ID'])(
  '%s is passed on',
  (name) => {
    expect(surroundingsOf({ [name]: 'given' }, folders)).toHaveProperty(name, 'given');
  },
);

test('this test has them', () => {
  const home = homedir();
  expect(path.basename(home)).toMatch(/^outtray-home-/);
  expect(path.dirname(home)).toBe(tmpdir());
  expect([process.env['TZ'], process.env['CI'], process.env['NODE_OPTIONS']]).toEqual([
    'UTC',
    undefined,
    undefined,
  ]);
});

test.skipIf(process.platform === 'win32')('its files have the usual rights', () => {
  expect(process.umask(0o022)).toBe(0o022);
});
