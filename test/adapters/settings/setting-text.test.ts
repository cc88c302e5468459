import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { mustBe, parseSettingText } from '../../../src-main/adapters/settings/setting-text.ts';

test.each([
  ['ignore', '*.log, build/', ['*.log', 'build/']],
  ['ignore', '["a,b","c"]', ['a,b', 'c']],
  ['ignore', '[ab]*.log', ['[ab]*.log']],
  ['ignore', '[]', []],
  ['ignore', '', []],
  ['linkHosts', 'files.example.com', ['files.example.com']],
  ['concurrentUploads', ' 8 ', 8],
  ['requestShare', '0.25', 0.25],
  ['notify', 'off', false],
  ['notify', 'Yes', true],
  ['baseUrl', 'https://files.example.com/api/v1/', 'https://files.example.com/api/v1'],
  ['folder', 'Outtray', resolve('/home/me/Outtray')],
  ['folder', '~/Outtray', join(homedir(), 'Outtray')],
  ['auditFile', '~', homedir()],
  ['caFile', '~ca.pem', resolve('/home/me/~ca.pem')],
  ['caFile', '/etc/ca.pem', resolve('/etc/ca.pem')],
  ['language', 'zh', 'zh'],
  ['expireAfter', '2 weeks', '14d'],
  ['expireAfter', 'never', 'none'],
  ['notify', 'default', null],
  ['requestsPerMinute', 'default', null],
])('%s %j is read as %j', (name, text, value) => {
  expect(parseSettingText(name, text, '/home/me')).toEqual(value);
});

test.each([
  ['concurrentUploads', '1e3'],
  ['concurrentUploads', ''],
  ['concurrentUploads', '0x10'],
  ['concurrentUploads', '2.5'],
  ['notify', 'maybe'],
  ['notify', 'constructor'],
  ['notify', ''],
  ['ignore', '["a"'],
  ['linkHosts', '["https://files.example.com"]'],
  ['folder', ''],
  ['baseUrl', 'http://files.example.com'],
  ['copyLink', 'sometimes'],
  ['colour', 'red'],
  ['__proto__', 'red'],
])('%s %j is refused as a wrong setting', (name, text) => {
  expect(() => parseSettingText(name, text, '/home/me')).toThrow(
    expect.objectContaining({ code: 'bad-setting' }),
  );
});

test.each([
  ['graceSeconds', 'must be a whole number of seconds from 0 to 300'],
  ['photoLocation', 'must be ask, keep or remove'],
] as const)('%s %s', (name, words) => {
  expect(mustBe(name)).toBe(words);
});
