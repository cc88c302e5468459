// The keychain as one data folder sees it: an entry of its own for each address.
import type { AccountTable } from '../../engine/ports/accounts.ts';
import type { FactTable } from '../../engine/ports/ledger.ts';
import { AppError } from '../../contract/errors.ts';
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

  /** `own` null: this folder cannot keep an id, and the shared entry is not its own either. */
  const entriesOf = (baseUrl: string): { own: string | null; shared: string } => {
    const shared = new URL(baseUrl).origin;
    if (id() !== '') return { own: `${shared}#${id()}`, shared };
    return { own: home.isDefault ? shared : null, shared };
  };

  return {
    id,
    async get(baseUrl) {
      const { own, shared } = entriesOf(baseUrl);
      const isOwn = own !== null && own !== shared;
      const found: KeychainAnswer = isOwn ? await keychain.get(own) : { kind: 'absent' };
      if (found.kind !== 'absent') return found;
      if (!takesOver()) return { kind: 'absent' };
      const before = await keychain.get(shared);
      if (before.kind !== 'present') return before;
      // A keychain that cannot store it now is asked again at the next start.
      if (isOwn) await keychain.set(own, before.secret).catch(() => undefined);
      return before;
    },
    async set(baseUrl, secret) {
      const { own } = entriesOf(baseUrl);
      if (own !== null) return keychain.set(own, secret);
      throw new AppError(
        'keychain-unavailable',
        `This data folder cannot keep which key is its own: ${home.folderId} cannot be written.`,
        'Make room on its disk, and make the folder writable for your account.',
      );
    },
    async remove(baseUrl) {
      const { own, shared } = entriesOf(baseUrl);
      if (own !== null) await keychain.remove(own);
      if (home.isDefault && own !== shared) await keychain.remove(shared);
      else if (takesOver()) facts.set('logged-out', true, nowMs());
    },
  };
};
