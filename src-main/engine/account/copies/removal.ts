// The only place that deletes at the service. An id may have been given to another file since it was learned, so a DELETE
// leaves only right after the id showed our link, with the same key.
import type { FileId } from '../../../contract/text/file-id.ts';
import { isLinkToSame } from '../../../contract/text/named-file.ts';
import { AppError, isAboutOneFile, toAppError } from '../../../contract/errors.ts';
import type { RemoteFile } from '../../../contract/model.ts';
import type { KnownKey } from '../../limiter/ask.ts';
import type { Ports } from '../../ports/ports.ts';
import { firstSeenAtMs } from './first-seen.ts';

/** One file of an account. `publicLink` null: only its id is known, so the link that the id shows is its link. */
export type Copy = { accountId: number; fileId: FileId; publicLink: string | null };

const made = Symbol('made by see');
/** The answer to its id, a moment ago. Only `see` makes one. */
export type Seen = KnownKey & {
  kind: 'seen';
  fileId: FileId;
  publicLink: string;
  /** Monotonic. */
  atMs: number;
  readonly [made]: true;
};

/** `gone`: the service knows no such id. `another`: the id shows another link now. */
export type RemoteSight = Seen | { kind: 'gone' } | { kind: 'another'; file: RemoteFile };
/** `refused`: the service answered, and did not delete it. `kept`: no DELETE has left. */
export type Removed =
  | { kind: 'deleted'; message: string }
  | { kind: 'gone' }
  | { kind: 'refused'; error: AppError }
  | { kind: 'kept' };

/** How a request is made: with a permit of some lane. */
export type AskOne = <Answer>(
  request: (signal: AbortSignal, key: KnownKey) => Promise<Answer>,
) => Promise<Answer>;

export type Removal = {
  /** Asks for the id. Throws `bad-use` for a copy of another account, and what the request throws. */
  see(copy: Copy, ask: AskOne): Promise<RemoteSight>;
  /**
   * `mayLeave` is asked at the last moment before the DELETE. Throws what the request throws when the service gave no
   * answer about this file.
   */
  remove(copy: Copy, seen: Seen, ask: AskOne, mayLeave?: () => boolean): Promise<Removed>;
};

/** Answers to a DELETE that are about this file: a service may forbid it while it takes uploads. */
const isRefusal = ({ code }: AppError): boolean =>
  isAboutOneFile(code) || code === 'limit' || code === 'blocked';

/** A DELETE leaves at most this long after the link was seen. */
const freshMs = 10_000;

export const ofAnotherAccount = (): AppError =>
  new AppError(
    'bad-use',
    'This file is in another account than that of the present key.',
    'Log in with a key of that account first.',
  );

const tooSlow = (): AppError =>
  new AppError('aborted', 'The service answers too slowly, or too rarely, to delete safely.');

/** `perMinute`: the requests that this machine may make. */
export const createRemoval = (
  { api, clock, ledger }: Pick<Ports, 'api' | 'clock' | 'ledger'>,
  perMinute: () => number,
): Removal => {
  const see: Removal['see'] = async (copy, ask) => {
    const { accountId, fileId, publicLink } = copy;
    try {
      return await ask(async (signal, key): Promise<RemoteSight> => {
        if (key.accountId !== accountId) throw ofAnotherAccount();
        const file = await api.info(fileId, signal);
        const atMs = clock.monoMs();
        ledger.remote.saw(
          accountId,
          [{ ...file, file_id: fileId }],
          clock.wallMs(),
          firstSeenAtMs({ ledger, clock }),
        );
        const { public_link: link } = file;
        if (link === undefined)
          // The answer is good otherwise: it is about this file, and no outage.
          throw new AppError('unusable-answer', 'The service does not show the link of this file.', '', {
            status: 200,
          });
        if (publicLink !== null && !isLinkToSame(link, publicLink)) return { kind: 'another', file };
        return { kind: 'seen', ...key, fileId, publicLink: publicLink ?? link, atMs, [made]: true };
      });
    } catch (caught) {
      if (toAppError(caught).code === 'not-found') return { kind: 'gone' };
      throw caught;
    }
  };

  /** Permits that are held during the wait for another one. If all of a minute were, none would come. */
  let held = 0;
  const seeAgain = async (copy: Copy, ask: AskOne): Promise<RemoteSight> => {
    if (held + 1 >= perMinute()) throw tooSlow();
    held += 1;
    try {
      return await see(copy, ask);
    } finally {
      held -= 1;
    }
  };

  const assertSame = ({ accountId, fileId, publicLink }: Copy, seen: Seen): void => {
    const isOurs = publicLink === null || isLinkToSame(publicLink, seen.publicLink);
    if (!isOurs || seen.fileId !== fileId || seen.accountId !== accountId)
      throw new AppError('internal', 'Another file was seen than the one to delete.', 'Please report it.');
  };

  return {
    see,
    async remove(copy, seen, ask, mayLeave = () => true) {
      assertSame(copy, seen);
      return await ask(async (signal, { mark }): Promise<Removed> => {
        const isFresh = (one: Seen): boolean => one.mark === mark && clock.monoMs() - one.atMs <= freshMs;
        // The wait for this permit may have been long. It is held while the file is seen again.
        const now = isFresh(seen) ? seen : await seeAgain(copy, ask);
        if (now.kind !== 'seen') return { kind: 'gone' };
        assertSame(copy, now);
        if (!isFresh(now)) throw tooSlow();
        if (!mayLeave()) return { kind: 'kept' };
        try {
          return { kind: 'deleted', message: (await api.remove(copy.fileId, signal, mark)).message };
        } catch (caught) {
          const error = toAppError(caught);
          if (error.code === 'not-found') return { kind: 'gone' };
          if (!isRefusal(error)) throw caught;
          return { kind: 'refused', error };
        }
      });
    },
  };
};
