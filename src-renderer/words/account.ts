// Texts about the key that do not show it.
import type { KeyState } from '../../src-main/contract/commands.ts';
import { say } from './say.svelte.ts';

export const keyText = (key: KeyState): string => {
  switch (key.kind) {
    case 'stored':
      return say('settings.account.keyStored', { lastFour: key.lastFour });
    case 'environment':
      return say('settings.account.keyEnvironment', { lastFour: key.lastFour });
    case 'command':
      return say('settings.account.keyCommand', { lastFour: key.lastFour });
    case 'session':
      return say('settings.account.keySession', { lastFour: key.lastFour });
    case 'absent':
      return say('settings.account.keyAbsent');
    case 'locked':
      return say('settings.account.keyLocked');
    case 'unavailable':
      return say('settings.account.keyUnavailable');
  }
};

export type KeyFormWords = Record<
  'address' | 'addressHint' | 'key' | 'keyHint' | 'check' | 'checking',
  string
>;

export const keyFormWords = (): KeyFormWords => ({
  address: say('welcome.address'),
  addressHint: say('welcome.addressHint'),
  key: say('welcome.key'),
  keyHint: say('welcome.keyHint'),
  check: say('welcome.check'),
  checking: say('welcome.checking'),
});
