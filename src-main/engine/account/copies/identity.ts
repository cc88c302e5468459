// Whose key it is. The service names no account, but a link is a secret token: if an id shows our link to a key, that key
// reaches the very copy. So another key is shown to be of the same account by one of our files, and otherwise a person is
// asked. Until then nothing is sent, deleted, looked for or read as ours (design/decisions.md, Accounts).
import { AppError, toAppError, unknownKey } from '../../../contract/errors.ts';
import type { Lane, RemoteFile } from '../../../contract/model.ts';
import { call, wording } from '../../../contract/text/wording.ts';
import { isLinkToSame } from '../../../contract/text/named-file.ts';
import { isRecent } from '../../shared/time.ts';
import { isAwaited, type AskWith, type KnownKey } from '../../limiter/ask.ts';

import type { Witness } from '../../ports/accounts.ts';
import type { Ports } from '../../ports/ports.ts';

/** Files that are asked about for each account. A few of them may have been deleted at the service. */
const mostWitnesses = 3;
const askAgainMs = 3_600_000;

type IdentityActs = {
  /** For requests with a key whose account is not known yet. */
  ask: AskWith<void>;
  /** Another account is present: what was learned of the last one does not count. In the transaction. */
  forget: () => void;
  /** After the commit. */
  changed: () => void;
};

/** Finds the account that a key shows files of. */
const createShownTo = ({ ledger: { accounts }, api }: Pick<Ports, 'ledger' | 'api'>, ask: AskWith<void>) => {
  /** Null: the service has no such file for this key. */
  const infoOf = async ({ fileId }: Witness, lane: Lane, signal: AbortSignal): Promise<RemoteFile | null> => {
    try {
      return await ask(lane, signal, (stop) => api.info(fileId, stop));
    } catch (caught) {
      if (toAppError(caught).code === 'not-found') return null;
      throw caught;
    }
  };

  /** The account that the present key shows files of; null: none. */
  const shownTo = async (lane: Lane, signal: AbortSignal): Promise<number | null> => {
    /** Answers without a link that agree, by account. */
    const alike = new Map<number, number>();
    for (const witness of accounts.witnesses(mostWitnesses)) {
      const { accountId, publicLink } = witness;
      const file = await infoOf(witness, lane, signal);
      if (file === null) continue;
      if (file.public_link !== undefined && publicLink !== null) {
        if (isLinkToSame(file.public_link, publicLink)) return accountId;
      } else if (isAlike(witness, file)) {
        const found = (alike.get(accountId) ?? 0) + 1;
        if (found >= 2) return accountId;
        alike.set(accountId, found);
      }
    }
    return null;
  };
  return shownTo;
};

export const createIdentity = (
  { ledger, api, clock, keys }: Pick<Ports, 'ledger' | 'api' | 'clock' | 'keys'>,
  { ask, forget, changed }: IdentityActs,
) => {
  const { accounts, facts } = ledger;

  const take = (choose: () => number, mark: string): KnownKey => {
    const { accountId, isOther } = ledger.atomically(() => {
      const accountId = choose();
      if (accounts.ofMark(mark) !== accountId) accounts.addMark(accountId, mark);
      if (asked() !== null) facts.remove('unknown-key');
      const isOther = accounts.present() !== accountId;
      if (isOther) {
        accounts.become(accountId);
        forget();
      }
      return { accountId, isOther };
    });
    if (isOther) changed();
    return { accountId, mark };
  };

  const shownTo = createShownTo({ ledger, api }, ask);
  /** The last mark that was compared here. */
  let compared: string | null = null;
  const asked = (): { mark: string; atMs: number } | null => {
    const fact = facts.get('unknown-key');
    return fact === null ? null : { mark: fact.value.mark, atMs: fact.atMs };
  };
  const compare = async (): Promise<{ mark: string; known: KnownKey | null }> => {
    const mark = await keys.mark();
    compared = mark;
    const accountId = accounts.ofMark(mark);
    if (accountId === null) return { mark, known: null };
    const isSettled = accountId === accounts.present() && asked() === null;
    return { mark, known: isSettled ? { accountId, mark } : take(() => accountId, mark) };
  };
  /** The key may have been changed, also by another process. */
  const compareAgain = async (): Promise<void> => {
    try {
      await compare();
    } catch {
      // Without a key nothing is asked.
    }
  };
  /** The proof of a key that is under way, so that several requests at once make one. */
  let proving: { mark: string; done: Promise<KnownKey> } | null = null;

  const proveNew = async (mark: string, lane: Lane, signal: AbortSignal): Promise<KnownKey> => {
    // Nothing can be confused.
    if (!accounts.hasSent()) return take(accounts.present, mark);
    const before = asked();
    // A person may have put the files back. Only a person who waits justifies asking again so soon.
    const isAsked = before?.mark === mark && isRecent(clock, before.atMs, askAgainMs);
    if (!isAwaited(lane) && isAsked) throw unknownKey();
    const accountId = await shownTo(lane, signal);
    // Another process may have changed the key meanwhile.
    if ((await keys.mark()) !== mark) throw unknownKey();
    if (accountId !== null) return take(() => accountId, mark);
    facts.set('unknown-key', { mark }, clock.wallMs());
    throw unknownKey();
  };

  return {
    /** False while a person has to say whose key it is. No request. */
    holds(): boolean {
      // Another process may have met another key.
      const isKnown = compared === null || asked()?.mark !== compared;
      if (!isKnown) void compareAgain();
      return isKnown;
    },
    /** The key may be another one now, of another known account, or one that a person is asked about. No request. */
    async look(): Promise<void> {
      if (accounts.count() > 1 || asked() !== null) await compareAgain();
    },
    /**
     * Whose the present key is, compared at every call. A known key costs no request, another one up to three for each
     * account. Throws `unknown-key`, and what `ask` and `keys.require` throw.
     */
    async prove(lane: Lane, signal: AbortSignal): Promise<KnownKey> {
      const { mark, known } = await compare();
      if (known !== null) return known;
      if (proving?.mark === mark) return await proving.done;
      const done = proveNew(mark, lane, signal).finally(() => {
        proving = null;
      });
      proving = { mark, done };
      return await done;
    },
    /**
     * A person says whose the present key is: of the account whose files are shown, or of another one. Throws `bad-use` if
     * the service shows this key those files. Their links could not be taken back under another account.
     */
    async decide(is: 'same' | 'another', signal: AbortSignal): Promise<void> {
      const { mark } = await compare();
      const isAskedAbout = asked()?.mark === mark;
      const shown = is === 'same' || isAskedAbout ? null : await shownTo('user', signal);
      if (shown === accounts.present()) throw isOfThisAccount();
      if ((await keys.mark()) !== mark) throw unknownKey();
      take(is === 'same' ? accounts.present : shown === null ? accounts.add : () => shown, mark);
    },
  };
};

export type AccountIdentity = ReturnType<typeof createIdentity>;

const isOfThisAccount = (): AppError =>
  new AppError(
    'bad-use',
    'The key is of the account whose files are shown: the service shows them to it.',
    wording`${call('login')} takes the key of another account.`,
  );

const isAlike = (witness: Witness, file: RemoteFile): boolean =>
  witness.filename !== null &&
  file.filename === witness.filename &&
  file.size === (witness.size ?? undefined) &&
  file.upload_date !== undefined &&
  file.upload_date === witness.uploadDate;
