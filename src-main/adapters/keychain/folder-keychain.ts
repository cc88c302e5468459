// The keychain as one data folder sees it: an entry of its own for each address.
import type { AccountTable } from '../../engine/ports/accounts.ts';
import type { FactTable } from '../../engine/ports/ledger.ts';
import type { Secret } from '../secret.ts';
import { folderId } from './folder-id.ts';
import type { Keychain, KeychainAnswer } from './keychain.ts';

export type FolderKeychain = {
  /** Tells this data folder apart; '' where it cannot keep an id. */
  id(): string;
  get(baseUrl: string): Promise<KeychainAnswer>;
  /** Throws `keychain-locked` or `keychain-unavailable`. */
  set(baseUrl: string, secret: Secret): Promise<void>;
  /** Throws `keychain-locked` or `keychain-unavailable`. */
  remove(baseUrl: string): Promise<void>;
};

/**
 * `folderId`: the file of the id. The first versions had one entry for each address, shared by all data folders: the
 * default one takes its key over, and removes it when it logs out. So does a data folder that has files of an account
 * whose key is not known yet; its first request shows whether this key is of that account.
 */
export const createFolderKeychain = (
  keychain: Keychain,
  home: { folder: string; folderId: string; isDefault: boolean },
  {
    accounts,
    facts,
    nowMs,
  }: { accounts: Pick<AccountTable, 'isUnproved'>; facts: FactTable; nowMs: () => number },
): FolderKeychain => {
  const takesOver = (): boolean =>
    home.isDefault || (accounts.isUnproved() && facts.get('logged-out') === null);

  let known: string | null = null;
  const id = (): string => (known ??= folderId(home.folderId, home.folder)) ?? '';

  const entriesOf = (baseUrl: string): { own: string; shared: string } => {
    const shared = new URL(baseUrl).origin;
    return { own: id() === '' ? shared : `${shared}#${id()}`, shared };
  };

  return {
    id,
    async get(baseUrl) {
      const { own, shared } = entriesOf(baseUrl);
      const found: KeychainAnswer = own === shared ? { kind: 'absent' } : await keychain.get(own);
      if (found.kind !== 'absent') return found;
      if (own !== shared && !takesOver()) return { kind: 'absent' };
      const before = await keychain.get(shared);
      if (before.kind !== 'present') return before;
      // A keychain that cannot store it now is asked again at the next start.
      await keychain.set(own, before.secret).catch(() => undefined);
      return before;
    },
    set: (baseUrl, secret) => keychain.set(entriesOf(baseUrl).own, secret),
    async remove(baseUrl) {
      const { own, shared } = entriesOf(baseUrl);
      await keychain.remove(own);
      if (home.isDefault && own !== shared) await keychain.remove(shared);
      else if (takesOver()) facts.set('logged-out', true, nowMs());
    },
  };
};
