// Every policy key, through the real settings: it wins over the command line and the user's file, it is locked, its
// absence changes nothing, and a wrong type stops the start where it could do harm and is ignored elsewhere.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join, normalize } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPathSetting } from '../../../src-main/adapters/settings/setting-paths.ts';
import { mustBe } from '../../../src-main/adapters/settings/setting-text.ts';
import { openSettings } from '../../../src-main/adapters/settings/settings.ts';
import { defaultSettings, isGuard, settingNames } from '../../../src-main/contract/settings.ts';
import { settingValues } from '../../support/setting-values.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outtray-keys-'));
  file = join(folder, 'settings.json');
});
afterEach(() => rm(folder, { recursive: true }));

const policyOf = (given: Record<string, unknown>) => ({
  values: given,
  source: '/etc/outtray/policy.json',
});

describe.each(settingNames)('%s', (name) => {
  const [decided, other] = settingValues[name];

  test('the policy wins over command line, environment and user, and is shown as locked by its source', async () => {
    await writeFile(file, JSON.stringify({ [name]: other }));
    const settings = openSettings({
      version: '0.1.0',
      file,
      policy: policyOf({ [name]: decided }),
      overrides: { [name]: other },
      env: { OUTTRAY_BASE_URL: 'https://b.example/api' },
    });
    expect(settings.current()[name]).toEqual(decided);
    const shown = settings.view().find((view) => view.name === name);
    expect(shown).toMatchObject({
      origin: 'policy',
      lockedBy: expect.stringContaining('/etc/outtray/policy.json') as unknown,
    });
    expect(settings.isLocked(name)).toBe(true);
    await expect(settings.set(name, other)).rejects.toMatchObject({ code: 'bad-setting' });
  });

  test('without it the user decides, without the user the default', async () => {
    expect(openSettings({ version: '0.1.0', file, policy: policyOf({}) }).current()[name]).toEqual(
      defaultSettings()[name],
    );
    await writeFile(file, JSON.stringify({ [name]: other }));
    const settings = openSettings({ version: '0.1.0', file, policy: policyOf({}) });
    expect(settings.current()[name]).toEqual(other);
    expect(settings.isLocked(name)).toBe(false);
    expect(settings.view().find((view) => view.name === name)).toMatchObject({
      origin: 'user',
      lockedBy: null,
    });
  });

  test('a recommended value applies until the user sets another one, and again after that one is reset', async () => {
    const settings = openSettings({
      version: '0.1.0',
      file,
      policy: { ...policyOf({}), recommended: { [name]: decided } },
    });
    const shown = () => settings.view().find((view) => view.name === name);
    expect(shown()).toMatchObject({ value: decided, origin: 'recommended', lockedBy: null });
    await settings.set(name, other);
    expect(shown()).toMatchObject({ value: other, origin: 'user', lockedBy: null });
    await settings.set(name, null);
    expect(shown()).toMatchObject({ value: decided, origin: 'recommended' });
  });

  test('a locked value wins over a recommended one', () => {
    const policy = { ...policyOf({ [name]: decided }), recommended: { [name]: other } };
    expect(openSettings({ version: '0.1.0', file, policy }).current()[name]).toEqual(decided);
  });

  test('a wrong type in the policy is never in force', () => {
    const open = () =>
      openSettings({ version: '0.1.0', file, policy: policyOf({ [name]: { wrong: true } }) });
    if (isGuard(name)) {
      expect(open).toThrow(expect.objectContaining({ code: 'bad-setting' }));
      return;
    }
    expect(open().current()[name]).toEqual(defaultSettings()[name]);
    expect(open().warnings()).toEqual([expect.stringContaining(mustBe(name))]);
  });
});

describe.each(settingNames.filter(isPathSetting))('the path in %s', (name) => {
  const isList = ['folders', 'allowedRoots', 'forbiddenRoots', 'agentRoots'].includes(name);
  const home = userInfo().homedir;
  const env = { APPDATA: '/no-such-place/roaming', ODD: '/no-such-place/odd' };
  const open = (path: string, layer: 'values' | 'recommended' = 'values') =>
    openSettings({
      version: '0.1.0',
      file,
      env,
      policy: { ...policyOf({}), [layer]: { [name]: isList ? [path] : path } },
    });
  const read = (path: string, layer?: 'values' | 'recommended') => {
    const value = open(path, layer).current()[name];
    return Array.isArray(value) ? value[0] : value;
  };

  test.each([
    ['~', home],
    ['~/Outtray', `${home}/Outtray`],
    ['$HOME/Outtray', `${home}/Outtray`],
    ['${HOME}/Outtray', `${home}/Outtray`],
    ['%USERPROFILE%/Outtray', `${home}/Outtray`],
    ['%userprofile%\\Outtray', `${home}\\Outtray`],
    ['/no-such-place/${USER}/out', `/no-such-place/${userInfo().username}/out`],
    ['/no-such-place/%USERNAME%', `/no-such-place/${userInfo().username}`],
    ['%APPDATA%/out', '/no-such-place/roaming/out'],
    ['\\\\server\\share$\\out', '\\\\server\\share$\\out'],
    ['/no-such-place/50 %/~x', '/no-such-place/50 %/~x'],
  ])('%s is %s', (written, meant) => {
    expect(normalize(String(read(written)))).toBe(normalize(meant));
    expect(normalize(String(read(written, 'recommended')))).toBe(normalize(meant));
  });

  test.each([
    ['$ODD/out', '$ODD'],
    ['%TEMP%\\out', '%TEMP%'],
    ['/no-such-place/${}/out', '${}'],
    ['%LOCALAPPDATA%/out', '%LOCALAPPDATA%'],
    ['relative/out', 'not absolute'],
    ['~other/out', 'not absolute'],
  ])('%s stops the start', (written, says) => {
    expect(() => open(written)).toThrow(
      expect.objectContaining({
        code: 'bad-setting',
        message: expect.stringContaining(says) as unknown,
        remedy: expect.stringContaining('$HOME') as unknown,
      }),
    );
  });

  test('in a user’s path, ~ is the home, and a variable is a name like any other', async () => {
    const path = '~/$HOME';
    await writeFile(file, JSON.stringify({ [name]: isList ? [path] : path }));
    const value = openSettings({ version: '0.1.0', file, policy: policyOf({}) }).current()[name];
    expect(Array.isArray(value) ? value[0] : value).toBe(join(homedir(), '$HOME'));
  });
});
