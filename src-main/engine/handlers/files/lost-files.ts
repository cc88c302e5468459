// Files that a reading of the list lacks. A list alone proves nothing about a file whose id is known: it may show files
// late, or not all of them. So the ids of our own are asked before they count as gone, and those of others unless nothing
// can be missing from the reading.
import type { FileId } from '../../../contract/text/file-id.ts';
import { isAboutOneFile, toAppError } from '../../../contract/errors.ts';
import { isTakenBack } from '../../../contract/model.ts';
import { concernsAll } from '../../account/forbidden.ts';
import { firstSeenAtMs } from '../../account/copies/first-seen.ts';
import { askOf, askWhile } from '../../limiter/ask.ts';
import { joinPath } from '../../shared/paths.ts';
import type { Kit } from '../kit.ts';

/** With more files, three of them show whether the account was emptied. */
const mostAsked = 20;
/** No clock that is right is that far ahead of another. */
const aheadMs = 86_400_000;
/** A person who waits for the list does not wait longer for the permit of the next id. */
const patienceMs = 2000;

/**
 * `accountId`: whose list was read. `sinceMs`: no entry of the reading was recorded before this wall time. `isProof`:
 * nothing that was there all the time is missing from it.
 */
type ListReading = { accountId: number; sinceMs: number; isProof: boolean };

export const createLostFiles = ({ ports, service, feed, work }: Kit) => {
  const { ledger, clock, settings, api, log } = ports;
  const { limiter, gate } = service;
  const { remote, uploads, accounts } = ledger;

  /** Without an engine a person waits for this list: the gate does not hold it back. */
  const mayAsk = (): boolean => !work.isRunning() || gate.mayAsk();
  const ask = service.aboutOne(askWhile(mayAsk, service.ask));

  /** The start of the first upload within the last `ms`, in the wall time of that moment. A clock jump adds no age. */
  const earliestWithin = (ms: number): number | null => {
    const first = limiter.firstWithin(ms);
    return first === null ? null : ledger.attempts.earliestSince(first);
  };

  /** Whether the service has it after all. True while that is not known. */
  const isThere = async (fileId: FileId, accountId: number, signal: AbortSignal): Promise<boolean> => {
    try {
      const file = await askOf(accountId, ask)('background', signal, (stop) => api.info(fileId, stop));
      remote.saw(accountId, [{ ...file, file_id: fileId }], clock.wallMs(), firstSeenAtMs(ports));
      return true;
    } catch (caught) {
      const { code } = toAppError(caught);
      if (code === 'not-found') return false;
      if (isAboutOneFile(code)) return true;
      throw caught;
    }
  };

  /** Those that are there after all, or may be: what was not asked for may be there. */
  const stillThere = async (
    missing: readonly FileId[],
    { accountId, isProof }: ListReading,
    signal: AbortSignal,
  ): Promise<ReadonlySet<FileId>> => {
    const isMany = isProof && missing.length > mostAsked;
    const some = [0, Math.floor(missing.length / 2), missing.length - 1].flatMap((at) => missing[at] ?? []);
    const asked = isMany ? some : missing.slice(0, mostAsked);
    const there = new Set(missing);
    try {
      for (const fileId of asked) {
        const isSoon = work.isRunning() || (limiter.waitFor('background')?.waitMs ?? 0) <= patienceMs;
        if (!mayAsk() || !isSoon) break;
        if (!(await isThere(fileId, accountId, signal))) there.delete(fileId);
      }
    } catch (caught) {
      // What is wrong with the key or the network is wrong for all of them: nothing is known of any.
      if (signal.aborted) throw caught;
      const error = toAppError(caught);
      if (work.isRunning() && concernsAll(error)) gate.refused(error);
      return new Set(missing);
    }
    const isEmptied = isMany && asked.every((fileId) => !there.has(fileId));
    return isEmptied ? new Set() : there;
  };

  const record = async (reading: ListReading, signal: AbortSignal): Promise<void> => {
    const { accountId, sinceMs, isProof } = reading;
    if (accounts.present() !== accountId) return;
    // A very new file may be missing only because the list is slow (upload-protocol.md, Looking).
    const slowestMs = settings.current().reconcileAfterMs;
    const knownBeforeMs = Math.min(sinceMs - slowestMs, earliestWithin(slowestMs) ?? Infinity);
    const unseen = (): FileId[] => remote.unseen(sinceMs, knownBeforeMs, clock.wallMs() + aheadMs);
    const missing = unseen();
    const there = await stillThere(
      isProof ? missing.filter((fileId) => uploads.byFileId(fileId) !== null) : missing,
      reading,
      signal,
    );
    ledger.atomically(() => {
      if (accounts.present() !== accountId) return;
      // One that is unseen only since a question was answered was not asked for: the clock may have been set back.
      const isUnseen = new Set(unseen());
      for (const fileId of missing) {
        if (there.has(fileId) || !isUnseen.has(fileId)) continue;
        remote.markGone(fileId);
        const row = uploads.byFileId(fileId);
        if (row !== null && !isTakenBack(row.state))
          feed.record(row.id, joinPath(row.dir, row.name), { kind: 'lost', fileId });
      }
    });
    feed.filesChanged();
  };

  /** In the background of the running engine, one reading at a time. The next one shows what this one leaves out. */
  let isUnderWay = false;
  const recordLater = (reading: ListReading): void => {
    if (isUnderWay) return;
    isUnderWay = true;
    record(reading, work.signal)
      .catch((error: unknown) => log.warn('lost files not recorded', { code: toAppError(error).code }))
      .finally(() => (isUnderWay = false));
  };

  return {
    /** Records which of our links have ended, and hides other files. */
    async look(reading: ListReading, signal: AbortSignal): Promise<void> {
      if (work.isRunning()) recordLater(reading);
      else await record(reading, signal);
    },
  };
};
