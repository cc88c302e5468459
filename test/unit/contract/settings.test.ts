import { describe, expect, test } from 'vitest';
import { bucketOf, noCounts } from '../../../src-main/contract/model.ts';
import {
  checkSetting,
  defaultSettings,
  isAllowedAddress,
  isLoopbackHost,
  isSettingName,
  settingNames,
  withScheme,
} from '../../../src-main/contract/settings.ts';

describe('the address of the service', () => {
  test.each([
    ['https://files.example/api/v1', true],
    ['http://localhost:8080', true],
    ['http://127.0.0.1:8080', true],
    ['http://127.9.9.9', true],
    ['http://[::1]:8080/v1', true],
    ['http://files.example', false],
    ['http://127.0.0.1.example', false],
    ['http://localhost.example', false],
    ['ftp://files.example', false],
    ['https://me@files.example', false],
    ['https://:pw@files.example', false],
    ['https://files.example/?key=1', false],
    ['https://files.example/#a', false],
    ['files.example', false],
  ])('%s is allowed: %s', (address, allowed) => {
    expect(isAllowedAddress(address)).toBe(allowed);
  });

  test.each([
    ['files.example.com', 'https://files.example.com'],
    ['files.example.com:8443/api', 'https://files.example.com:8443/api'],
    ['https://files.example.com', 'https://files.example.com'],
    ['http://files.example.com', 'http://files.example.com'],
    ['', ''],
  ])('typed as “%s” it means “%s”', (typed, address) => {
    expect(withScheme(typed, 'https')).toBe(address);
  });

  test('is kept without slashes at its end', () => {
    expect(checkSetting('baseUrl', 'https://files.example/api///')).toEqual({
      ok: true,
      value: 'https://files.example/api',
    });
  });

  test('a machine of the same name elsewhere is no loopback', () => {
    expect(isLoopbackHost('localhost')).toBe(true);
    expect(isLoopbackHost('localhost.localdomain')).toBe(false);
  });
});

describe('a setting', () => {
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
    ['proxy', 'http://proxy.example:3128', true],
    ['proxy', 'http://me:pw@proxy.example', false],
    ['linkHosts', ['cdn.example:8443'], true],
    ['reconcileAfterMs', 999, false],
    ['onAmbiguous', 'guess', false],
  ] as const)('%s may be %j: %s', (name, value, ok) => {
    expect(checkSetting(name, value).ok).toBe(ok);
  });

  test('has a name out of the one table, and a default', () => {
    expect(isSettingName('folder')).toBe(true);
    expect(isSettingName('valueOf')).toBe(false);
    expect(Object.keys(defaultSettings())).toEqual(settingNames);
    expect(defaultSettings()).toMatchObject({ holdSecrets: true, burstFiles: 200, onAmbiguous: 'hold' });
  });
});

describe('the five ends', () => {
  test('begin at nothing', () => {
    expect(Object.values(noCounts())).toEqual([0, 0, 0, 0, 0]);
  });

  test('hold back what is uncertain, and leave out what is no longer in the folder', () => {
    const uncertain = { kind: 'uncertain', attemptId: 1, looks: 0, absences: 0, nextLookAtMs: 1 } as const;
    expect(bucketOf(uncertain)).toBe('held');
    expect(bucketOf({ ...uncertain, isBusy: true })).toBe('waiting');
    expect(bucketOf({ kind: 'superseded', byId: 1 })).toBeNull();
    expect(bucketOf({ kind: 'gone' })).toBeNull();
  });
});
