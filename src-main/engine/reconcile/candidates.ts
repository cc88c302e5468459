// The entries of an account list that may be uploads whose answers were lost.
import type { FileId } from '../../contract/text/file-id.ts';
import { isUnwanted, type RemoteFile } from '../../contract/model.ts';
import { firstSeenAtMs } from '../account/copies/first-seen.ts';
import { askOf } from '../limiter/ask.ts';
import { nameToSend } from '../shared/sent-name.ts';
import { sentContent } from '../shared/same-content.ts';
import type { Ports } from '../ports/ports.ts';
import type { ListPass } from './account-list.ts';
import type { Case } from './conclude.ts';
import { askIds, hasId, isSameFile, mayBeAnother, type Asking, type EntryWithId } from './ids-again.ts';
import { createLikes, isCandidate, type LostUpload } from './reconcile-rules.ts';

export const lostOf = ({ row, state, attempt }: Case): LostUpload => ({
  sentName: attempt?.sentName ?? row.sentName ?? nameToSend(row.name),
  sizeBytes: attempt?.sizeBytes ?? sentContent(row).sizeBytes,
  // A held upload may have been made before the ledger was lost, at any time.
  startedAtMs: attempt?.startedAtMs ?? (isUnwanted(state) || row.state.kind === 'held' ? 0 : row.createdAtMs),
});

export const createCandidates = (
  ports: Pick<Ports, 'ledger' | 'api' | 'clock' | 'settings'>,
  /** Time since the engine gave up the answer. */
  sinceLostMs: (one: Case) => number,
) => {
  const { ledger, clock, settings } = ports;
  /** When ids showed the links that the ledger knows for them (monotonic). */
  const sameAtMs = new Map<FileId, number>();

  /** The service may store another name than the sent one. The name only decides which candidate is compared first. */
  const candidatesOf = (one: Case, files: readonly RemoteFile[]): RemoteFile[] => {
    const known = (fileId: FileId) => ({
      isOurs: ledger.uploads.byFileId(fileId) !== null,
      firstSeenAtMs: ledger.remote.byId(fileId)?.firstSeenAtMs ?? null,
    });
    return files.filter((file) => isCandidate(lostOf(one), file, known));
  };

  /** Once `reconcileAfterMs` is over, a lost upload has its id. One that was the same file then is another. */
  const wasOther = (one: Case, fileId: FileId): boolean => {
    const agoMs = clock.monoMs() - (sameAtMs.get(fileId) ?? -Infinity);
    return sinceLostMs(one) - agoMs >= settings.current().reconcileAfterMs;
  };
  /** Only its known id rules out this entry, which is like the upload. */
  const isRuledOutById = (one: Case, file: EntryWithId): boolean =>
    candidatesOf(one, [file]).length === 0 &&
    !wasOther(one, file.file_id) &&
    mayBeAnother(ledger, lostOf(one).sentName, file);

  return {
    candidatesOf,
    candidatesIn({ accountId, files }: ListPass, cases: readonly Case[]): RemoteFile[][] {
      const likes = createLikes(files);
      return cases.map((one) =>
        one.row.accountId === accountId ? candidatesOf(one, likes(lostOf(one))) : [],
      );
    },
    isFromBefore(file: RemoteFile, beforeMs: number): boolean {
      if (file.file_id === undefined || !isSameFile(ledger, file)) return false;
      const atMs =
        ledger.uploads.byFileId(file.file_id)?.uploadedAtMs ??
        ledger.remote.byId(file.file_id)?.firstSeenAtMs;
      return atMs !== undefined && atMs < beforeMs;
    },
    /** Before candidates are chosen: an id that shows another link than before is new, and no other upload's. */
    saw({ accountId, files }: ListPass, cases: readonly Case[]): void {
      const firstAtMs = Math.max(firstSeenAtMs(ports), ...cases.map((one) => lostOf(one).startedAtMs));
      ledger.remote.saw(accountId, files, clock.wallMs(), firstAtMs);
    },
    /**
     * Asks about entries without a link, with at most `most` requests. Returns the doubtful ones, and those that are left
     * for a later look: they may be lost uploads.
     */
    async askKnownIds(
      { accountId, files }: ListPass,
      cases: readonly Case[],
      { most, ...asking }: Asking & { most: number },
    ): Promise<RemoteFile[]> {
      const withoutLink = files.filter(hasId).filter((file) => file.public_link === undefined);
      const likes = createLikes(withoutLink);
      const ruledOut = new Set(
        cases.flatMap((one) => likes(lostOf(one)).filter((file) => isRuledOutById(one, file))),
      );
      const known = withoutLink.filter((file) => ruledOut.has(file));
      const asked = await askIds(ports, known.slice(0, most), {
        ...asking,
        ask: askOf(accountId, asking.ask),
      });
      for (const fileId of asked.same) sameAtMs.set(fileId, clock.monoMs());
      return [...asked.doubtful, ...known.slice(most)];
    },
    forget: () => sameAtMs.clear(),
  };
};
