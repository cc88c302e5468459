import { describe, expect, test } from 'vitest';
import { bucketOf, noCounts } from '../../../src-main/contract/model.ts';
import {
  checkSetting,
  defaultSettings,
  isSettingName,
  settingNames,
} from '../../../src-main/contract/settings.ts';

describe('a setting', () => {
  test('that is an address is kept without trailing slashes', () => {
    expect(checkSetting('baseUrl', 'https://files.example/api///')).toEqual({
      ok: true,
      value: 'https://files.example/api',
    });
  });

  test.each([
    ['requestShare', 0, 'must be over 0'],
    ['concurrentUploads', 1.5, 'must be a whole number'],
    ['concurrentUploads', 'four', 'must be a number'],
    ['baseUrl', 'http://files.example', 'must be an https: address (http: only for this machine itself)'],
    ['linkHosts', ['https://x.example'], 'must be a host name'],
  ] as const)('%s may not be %j', (name, value, problem) => {
    expect(checkSetting(name, value)).toEqual({ ok: false, problem });
  });

  test.each([
    ['graceSeconds', 300, true],
    ['graceSeconds', 301, false],
    ['graceSeconds', -1, false],
    ['photoLocation', 'maybe', false],
    ['proxy', 'http://me:pw@proxy.example', false],
    ['linkHosts', ['cdn.example:8443'], true],
  ] as const)('%s may be %j: %s', (name, value, ok) => {
    expect(checkSetting(name, value).ok).toBe(ok);
  });

  test('has a name from the one table, and a default', () => {
    expect(isSettingName('folder')).toBe(true);
    expect(isSettingName('valueOf')).toBe(false);
    expect(Object.keys(defaultSettings())).toEqual(settingNames);
    expect(defaultSettings()).toMatchObject({ holdSecrets: true, burstFiles: 200, onAmbiguous: 'hold' });
  });
});

describe('the five ends', () => {
  test('start at zero', () => {
    expect(Object.values(noCounts())).toEqual([0, 0, 0, 0, 0]);
  });

  test('hold back uncertain uploads, and leave out those no longer in the folder', () => {
    const uncertain = { kind: 'uncertain', attemptId: 1, looks: 0, nextLookAtMs: 1 } as const;
    expect(bucketOf(uncertain)).toBe('held');
    expect(bucketOf({ ...uncertain, isBusy: true })).toBe('waiting');
    expect(bucketOf({ kind: 'superseded', byId: 1 })).toBeNull();
    expect(bucketOf({ kind: 'gone' })).toBeNull();
  });
});
