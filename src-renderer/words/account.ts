// Texts about the key that do not show it.
import type { AccountView, KeyState } from '../../src-main/contract/answers.ts';
import { say } from './say.svelte.ts';
import * as show from './show.ts';

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

/** The result of the check of the key: "Pro · 300 files · up to 10 GB each". */
export const accountText = ({ plan, files, maxFileBytes }: AccountView): string =>
  [
    plan ?? say('unknown'),
    ...(files === null ? [] : [say('files.results', { count: files })]),
    ...(maxFileBytes === null ? [] : [say('welcome.upTo', { size: show.size(maxFileBytes) })]),
  ].join(' · ');

export const isConnected = ({ baseUrl, key }: AccountView): boolean =>
  baseUrl !== null && key.kind !== 'absent' && key.kind !== 'unavailable';

/** The placeholder in the empty field for the stored key. */
export const keyDots = (key: KeyState): string => ('lastFour' in key ? `••••••••••••${key.lastFour}` : '');

/** Whether the system's keychain keeps a key. */
export const keepsKey = ({ key }: AccountView): boolean =>
  key.kind !== 'unavailable' && key.kind !== 'session';

export const keyFormWords = (account: AccountView | null) => ({
  address: say('welcome.address'),
  httpsAdded: say('welcome.httpsAdded'),
  key: say('welcome.key'),
  where: say('welcome.where'),
  whereText: say('welcome.whereText'),
  check: say('welcome.check'),
  checking: say('welcome.checking'),
  cost:
    account !== null && keepsKey(account)
      ? `${say('welcome.cost')} ${say('welcome.kept')}`
      : say('welcome.cost'),
});
