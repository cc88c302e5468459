// Every policy key, through the real settings: it wins over the command line and the user's file, it is locked, its
// absence changes nothing, and a wrong type stops the start where it could do harm and is ignored elsewhere.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isSecuritySetting, settingWords } from '../../../src-main/adapters/settings/setting-text.ts';
import { openSettings } from '../../../src-main/adapters/settings/settings.ts';
import { defaultSettings, settingNames, type SettingName } from '../../../src-main/contract/settings.ts';

/** Two values of each key that are neither equal nor the default: the policy's, and somebody else's. */
const values: Record<SettingName, [policy: unknown, other: unknown]> = {
  baseUrl: ['https://a.example/api', 'https://b.example/api'],
  folder: ['/srv/a', '/srv/b'],
  recursive: [false, true],
  ignore: [['*.a'], ['*.b']],
  includeHidden: [true, false],
  includeEmpty: [true, false],
  settleMs: [1000, 2000],
  holdSecrets: [false, true],
  burstFiles: [10, 20],
  burstBytes: [10, 20],
  concurrentUploads: [1, 2],
  requestsPerMinute: [10, 20],
  requestsPerDay: [10, 20],
  requestShare: [0.05, 0.5],
  reconcileAfterMs: [60_000, 70_000],
  onAmbiguous: ['reupload', 'adopt-verified'],
  bandwidthBytesPerSecond: [1000, 2000],
  copyLink: ['never', 'always'],
  notify: [false, true],
  proxy: ['none', 'http://b.example:3128'],
  caFile: ['/a.pem', '/b.pem'],
  linkHosts: [['a.example'], ['b.example']],
  allowedRoots: [['/srv/a'], ['/srv/b']],
  forbiddenRoots: [['/srv/a'], ['/srv/b']],
  maxFileBytes: [10, 20],
  allowedTypes: [['pdf'], ['png']],
  forbiddenTypes: [['exe'], ['msi']],
  launchAtLogin: [true, false],
  updateMode: ['off', 'auto'],
  updateFeed: ['https://a.example/feed', 'https://b.example/feed'],
  updateChannel: ['beta', 'alpha'],
  language: ['de', 'es'],
};

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
  warnings: [],
});

describe.each(settingNames)('%s', (name) => {
  const [decided, other] = values[name];

  test('the policy wins over command line and user, and is shown as locked by whom', async () => {
    await writeFile(file, JSON.stringify({ [name]: other }));
    const settings = openSettings({
      file,
      policy: policyOf({ [name]: decided }),
      overrides: { [name]: other },
    });
    expect(settings.current()[name]).toEqual(decided);
    const shown = settings.view().find((view) => view.name === name);
    expect(shown).toMatchObject({
      origin: 'policy',
      lockedBy: expect.stringContaining('/etc/outtray/policy.json') as unknown,
    });
    await expect(settings.set(name, other)).rejects.toMatchObject({ code: 'bad-setting' });
  });

  test('without it the user decides, without the user the default', async () => {
    expect(openSettings({ file, policy: policyOf({}) }).current()[name]).toEqual(defaultSettings()[name]);
    await writeFile(file, JSON.stringify({ [name]: other }));
    const settings = openSettings({ file, policy: policyOf({}) });
    expect(settings.current()[name]).toEqual(other);
    expect(settings.view().find((view) => view.name === name)).toMatchObject({
      origin: 'user',
      lockedBy: null,
    });
  });

  test('a wrong type in the policy is never in force', () => {
    const open = () => openSettings({ file, policy: policyOf({ [name]: { wrong: true } }) });
    if (isSecuritySetting(name)) {
      expect(open).toThrow(expect.objectContaining({ code: 'bad-setting' }));
      return;
    }
    expect(open().current()[name]).toEqual(defaultSettings()[name]);
    expect(open().warnings()).toEqual([expect.stringContaining(settingWords[name].must)]);
  });
});

test('a root in the user’s home is that of whoever runs the program', () => {
  const settings = openSettings({ file, policy: policyOf({ allowedRoots: ['~/Outtray', '/srv/~x'] }) });
  expect(settings.current().allowedRoots).toEqual([join(process.env['HOME'] ?? '', 'Outtray'), '/srv/~x']);
});
