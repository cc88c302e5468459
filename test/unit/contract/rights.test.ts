// What an administrator may forbid, and the message for it.
import { expect, test } from 'vitest';
import { requireNoRoots, requireRight } from '../../../src-main/contract/rights.ts';
import { defaultSettings, settingNames, type SettingView } from '../../../src-main/contract/settings.ts';

const settings = (allowPause: boolean, lockedBy: string | null) => {
  const current = { ...defaultSettings(), allowPause };
  return {
    current: () => current,
    view: () =>
      settingNames.map(
        // Name and value belong together, which a mapped union cannot express.
        (name) => ({ name, value: current[name], origin: 'user', lockedBy }) as SettingView,
      ),
  };
};

test('an allowed call runs without an error', () => {
  expect(() => requireRight(settings(true, 'A policy locks it.'), 'allowPause')).not.toThrow();
});

test.each([
  [null, 'Set allowPause to true.', /: the setting allowPause is false\.$/],
  ['A policy locks it.', 'Ask your administrator.', /is false\. A policy locks it\.$/],
])('a forbidden call, locked by %s, reports who can change it', (lockedBy, remedy, message) => {
  const ask = () => requireRight(settings(false, lockedBy), 'allowPause');
  expect(ask).toThrow(message);
  expect(ask).toThrow(expect.objectContaining({ code: 'not-allowed', remedy }) as Error);
});

test('content outside every folder is shared where every folder is allowed, and only there', () => {
  const rules = { ...defaultSettings(), forbiddenRoots: ['/srv/secret'] };
  expect(() => requireNoRoots(rules)).not.toThrow();
  const ask = () => requireNoRoots({ ...rules, allowedRoots: ['/srv/a', '/srv/b'] });
  expect(ask).toThrow('Only what is below /srv/a, /srv/b is shared');
  expect(ask).toThrow(expect.objectContaining({ code: 'not-allowed' }) as Error);
});
