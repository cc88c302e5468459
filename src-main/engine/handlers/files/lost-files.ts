// Own files that a whole reading of the list lacks. A list alone proves nothing about a file whose id is known: it may
// show files late, or not all of them. So the ids are asked before a file counts as gone.
import type { FileId } from '../../../contract/text/file-id.ts';
import { isAboutOneFile, toAppError } from '../../../contract/errors.ts';
import { isTakenBack, type RemoteFile } from '../../../contract/model.ts';
import { seenAtMs } from '../../account/copies/first-seen.ts';
import { joinPath } from '../../shared/paths.ts';
import type { Kit } from '../kit.ts';

/** With more files, three of them show whether the account was emptied. */
const mostAsked = 20;

/** `info`: asks for an id in this account. */
export const createLostFiles = (
  { ports: { ledger, clock, settings }, service: { limiter }, feed }: Kit,
  info: (fileId: FileId, accountId: number, signal: AbortSignal) => Promise<RemoteFile>,
) => {
  const { remote, uploads, accounts } = ledger;

  /** The start of the first upload within the last `ms`, in the wall time of that moment. A clock jump adds no age. */
  const earliestWithin = (ms: number): number | null => {
    const first = limiter.firstWithin(ms);
    return first === null ? null : ledger.attempts.earliestSince(first);
  };

  /** Whether the service has it after all. True while that is not known. */
  const isThere = async (fileId: FileId, accountId: number, signal: AbortSignal): Promise<boolean> => {
    try {
      const file = await info(fileId, accountId, signal);
      remote.saw(accountId, [{ ...file, file_id: fileId }], seenAtMs({ ledger, clock }));
      return true;
    } catch (caught) {
      const { code } = toAppError(caught);
      if (code === 'not-found') return false;
      if (isAboutOneFile(code)) return true;
      throw caught;
    }
  };

  /** Those of our own that are there after all, or may be. */
  const stillThere = async (
    own: readonly FileId[],
    accountId: number,
    signal: AbortSignal,
  ): Promise<ReadonlySet<FileId>> => {
    const isMany = own.length > mostAsked;
    const asked = isMany ? [own[0], own[Math.floor(own.length / 2)], own.at(-1)] : own;
    const there = new Set<FileId>();
    try {
      for (const fileId of asked)
        if (fileId !== undefined && (await isThere(fileId, accountId, signal))) there.add(fileId);
    } catch (caught) {
      // What is wrong with the key or the network is wrong for all of them: nothing is known of any.
      if (signal.aborted) throw caught;
      return new Set(own);
    }
    return isMany && there.size > 0 ? new Set(own) : there;
  };

  /**
   * `accountId`: whose list was read. `sinceMs`: no entry of the reading was recorded before this wall time. Records which
   * of our links have ended, and hides other files.
   */
  return async (accountId: number, sinceMs: number, signal: AbortSignal): Promise<void> => {
    if (accounts.present() !== accountId) return;
    // A very new file may be missing only because the list is slow (upload-protocol.md, Looking).
    const slowestMs = settings.current().reconcileAfterMs;
    const knownBeforeMs = Math.min(sinceMs - slowestMs, earliestWithin(slowestMs) ?? Infinity);
    const unseen = remote.unseen(sinceMs, knownBeforeMs);
    const there = await stillThere(
      unseen.filter((fileId) => uploads.byFileId(fileId) !== null),
      accountId,
      signal,
    );
    ledger.atomically(() => {
      if (accounts.present() !== accountId) return;
      for (const fileId of remote.unseen(sinceMs, knownBeforeMs)) {
        if (there.has(fileId)) continue;
        remote.markGone(fileId);
        const row = uploads.byFileId(fileId);
        if (row !== null && !isTakenBack(row.state))
          feed.record(row.id, joinPath(row.dir, row.name), { kind: 'lost', fileId });
      }
    });
  };
};
