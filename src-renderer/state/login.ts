// Checking and storing a key: one request. The key passes through here once and is kept nowhere in the window.
import { isAllowedAddress } from '../../src-main/contract/settings.ts';
import { toAppError } from '../../src-main/contract/errors.ts';
import { say } from '../words/say.svelte.ts';
import { problem } from '../words/show.ts';
import type { Session } from './session.svelte.ts';

/** Empty when the service took the key; else the sentence to show. */
export const login = async (session: Session, address: string, key: string): Promise<string> => {
  const baseUrl = address.trim();
  const trimmed = key.trim();
  if (!isAllowedAddress(baseUrl)) return say('welcome.addressBad');
  if (!/^[\x21-\x7e]{1,512}$/.test(trimmed)) return say('welcome.keyBad');
  try {
    session.account = await session.client.call('account.login', { baseUrl, key: trimmed });
    return '';
  } catch (error) {
    return problem(toAppError(error));
  }
};
