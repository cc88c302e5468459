// Checking and storing a key: one request. The key passes through here once and is kept nowhere in the window.
import { isAllowedAddress, withScheme } from '../../src-main/contract/text/address.ts';
import { toAppError } from '../../src-main/contract/errors.ts';
import { say } from '../words/say.svelte.ts';
import { problem } from '../words/show.ts';
import type { Session } from './session.svelte.ts';

/** The list of a larger account is read only on request: it would use up the requests of the first minutes. */
const mostRequests = 10;
const filesPerRequest = 100;

/** Empty when the service accepted the key; else the sentence to show. `address` may lack its `https://`. */
export const login = async (session: Session, address: string, key: string): Promise<string> => {
  const baseUrl = withScheme(address.trim(), 'https');
  const trimmed = key.trim();
  if (!isAllowedAddress(baseUrl)) return say('welcome.addressBad');
  if (!/^[\x21-\x7e]{1,512}$/.test(trimmed)) return say('welcome.keyBad');
  try {
    session.account = await session.client.call('account.login', { baseUrl, key: trimmed });
  } catch (error) {
    return problem(toAppError(error));
  }
  session.signedIn();
  return '';
};

export const requestsFor = (files: number): number => Math.ceil(files / filesPerRequest);

/** How many requests reading the list after the sign-in takes; 0: it is not read then. */
export const listRequests = (files: number | null): number => {
  const requests = requestsFor(files ?? 0);
  return requests <= mostRequests ? requests : 0;
};
