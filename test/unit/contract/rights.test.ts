// What an administrator may forbid: who is told what.
import { expect, test } from 'vitest';
import type { CallFacts } from '../../../src-main/contract/catalogue/calls.ts';
import { commands, isCommandName, type Handlers } from '../../../src-main/contract/commands.ts';
import { requireNoRoots, requireRight, withRights } from '../../../src-main/contract/rights.ts';
import { defaultSettings, settingNames, type SettingView } from '../../../src-main/contract/settings.ts';

const settings = (allowPause: boolean, lockedBy: string | null) => {
  const current = { ...defaultSettings(), allowPause };
  return {
    current: () => current,
    view: () =>
      settingNames.map(
        // Name and value belong together, which a mapped union cannot see.
        (name) => ({ name, value: current[name], origin: 'user', lockedBy }) as SettingView,
      ),
  };
};

test('what is allowed is done without a word', () => {
  expect(() => requireRight(settings(true, 'A policy locks it.'), 'allowPause')).not.toThrow();
});

test.each([
  [null, 'Set allowPause to true.', /: the setting allowPause is false\.$/],
  ['A policy locks it.', 'Ask your administrator.', /is false\. A policy locks it\.$/],
])('what is not allowed, locked by %s, says who can change it', (lockedBy, remedy, message) => {
  const ask = () => requireRight(settings(false, lockedBy), 'allowPause');
  expect(ask).toThrow(message);
  expect(ask).toThrow(expect.objectContaining({ code: 'not-allowed', remedy }) as Error);
});

test('what lies in no folder is shared where every folder is allowed, and only there', () => {
  const rules = { ...defaultSettings(), forbiddenRoots: ['/srv/secret'] };
  expect(() => requireNoRoots(rules)).not.toThrow();
  const ask = () => requireNoRoots({ ...rules, allowedRoots: ['/srv/a', '/srv/b'] });
  expect(ask).toThrow('Only what lies below /srv/a, /srv/b is shared');
  expect(ask).toThrow(expect.objectContaining({ code: 'not-allowed' }) as Error);
});

test.each(Object.entries<CallFacts>(commands))(
  '%s is refused where its row names a right that is missing',
  (name, { right }) => {
    const done = Object.fromEntries(Object.keys(commands).map((one) => [one, () => one]));
    const rights = { allowPause: false, allowCopy: false, allowGivenFiles: false, allowAccountChange: false };
    const current = { ...defaultSettings(), ...rights };
    const behind = withRights(done as unknown as Handlers, { current: () => current, view: () => [] });
    const ask = (): unknown => (isCommandName(name) ? (behind[name] as () => unknown)() : null);
    if (right === undefined) expect(ask()).toBe(name);
    else expect(ask).toThrow(`the setting ${right} is false`);
  },
);
