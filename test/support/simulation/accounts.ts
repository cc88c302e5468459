// Two accounts of the service: the one of the first day, and one that a person uses for a while. Both give the same ids,
// and the links of each are its own.
import type { Ledger } from '../../../src-main/engine/ports/ledger.ts';
import { markOfFake } from '../fake-ports.ts';
import type { Account, Stored } from './account.ts';

/** The key of the second account. The last four show whose it is. */
export const secondKey = 'second-3333-marked';

export type Accounts = {
  /** The one that the present key reaches. */
  reached(): Account;
  /** Every file that was ever stored in one of them. */
  files(): Stored[];
  ofLink(link: string): Account;
  remove(file: Stored): void;
  /** The service never showed the present key to be of an account, and something may be in one. */
  isUnproved(): boolean;
  /** The ledger shows the second one. */
  isSecondPresent(): boolean;
};

export const createAccounts = ({
  first,
  second,
  key,
  ledger,
}: {
  first: Account;
  second: Account;
  key: () => string | null;
  ledger: () => Ledger;
}): Accounts => {
  const ofLink = (link: string): Account => (second.owns(link) ? second : first);
  const idOf = (of: string | null): number | null => ledger().accounts.ofMark(markOfFake(of ?? '', ''));
  return {
    reached: () => (key() === secondKey ? second : first),
    files: () => (second.stored.length === 0 ? first.stored : [...first.stored, ...second.stored]),
    ofLink,
    remove: (file) => ofLink(file.link).remove(file),
    isUnproved: () => key() === secondKey && idOf(secondKey) === null && ledger().accounts.hasSent(),
    isSecondPresent: () => idOf(secondKey) === ledger().accounts.present(),
  };
};
