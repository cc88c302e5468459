// A file without consent is not sent, whatever its name is. A new name is no consent, so consent follows the file: its
// inode number and, where the disk gives it, its birth time. If a file may be one that was kept back, it is kept back
// too.
import { fateOf, keptByNames, type KeptBy, type UploadState } from '../../contract/model.ts';
import { stateOfKept } from '../candidate/content-decisions.ts';
import { isOfFirstScan } from '../shared/folder.ts';
import { joinPath } from '../shared/paths.ts';
import type { Ports } from '../ports/ports.ts';
import type { Stamp } from '../ports/files.ts';
import type { Upload } from '../ports/uploads.ts';
import { arrivedSince, isOnSameDevice, isUnwritten, mayBeSame } from '../shared/file-version.ts';

/** Replaced files that are remembered, the newest ones. */
const maxReplaced = 10_000;

/** What keeps a file back. */
export type Kept = Extract<UploadState, { kind: 'skipped' | 'held' }>;

/** A file keeps its consent, or the lack of it, on its way from one watched folder into another. */
export const createConsent = (
  { ledger }: Pick<Ports, 'ledger'>,
  isWatched: (folderId: number) => boolean,
) => {
  const missing = new Set<string>();
  /** Kept-back rows as they were when another file took their place, by inode. */
  const replacedRows = new Map<string, Upload>();

  const isPreExisting = (row: Upload): boolean => {
    const folder = row.folderId === null ? null : ledger.folders.byId(row.folderId);
    if (folder === null) return false;
    if (row.keptBy === 'existing') return true;
    // The first scan of an earlier version left newer files out, and judged files in subfolders by their times.
    return isOfFirstScan(folder, row.id) || !arrivedSince(row.stamp, folder.chosenAtMs);
  };

  const keptBy = ({ state, ...row }: Upload): KeptBy | null => {
    if (state.kind !== 'held' && state.kind !== 'skipped') return null;
    const by = fateOf(state);
    const follows = keptByNames.find((name) => name === by);
    if (follows !== undefined) return follows;
    if (state.kind === 'held') return null;
    if (row.keptBy !== null) return row.keptBy;
    return isNamed(state) && isPreExisting({ state, ...row }) ? 'existing' : null;
  };

  /** The state that a file gets from this row if it is probably the row's file, else null. */
  const keptStateFrom = (row: Upload, by: KeptBy | null, stamp: Stamp): Kept | null =>
    by !== null && mayBeSame(row, stamp) ? stateForVersion(stateOfKept(by), row.stamp, stamp) : null;

  const takeReplaced = (inode: string, isIt: (row: Upload) => boolean): Upload | null => {
    const row = replacedRows.get(inode);
    if (row === undefined || !isIt(row)) return null;
    replacedRows.delete(inode);
    return row;
  };

  return {
    /** Paths found to be gone in this pass: a rename is an old and a new path. The code that begins a pass clears it. */
    missing,
    /** Whether the file of this row is a pre-existing file. */
    isPreExisting,
    /** What keeps the file of this row back, also under another name. Null: nothing, or only its name. */
    keptBy,
    /**
     * The kept-back row that is probably this file, and the state that the file gets from it. Null: the file is new.
     * `hasLeft`: the file is no longer at the row's own path.
     */
    origin(stamp: Stamp): { row: Upload; hasLeft: boolean; state: Kept } | null {
      const isHere = (row: Upload): boolean =>
        row.folderId !== null && isWatched(row.folderId) && mayBeSame(row, stamp);
      const replaced = takeReplaced(stamp.inode, isHere);
      if (replaced !== null) {
        const state = keptStateFrom(replaced, keptBy(replaced), stamp);
        const now = ledger.uploads.byId(replaced.id);
        // The file may have returned to its path meanwhile and may be uploaded. Then the stored row is out of date.
        const isCurrent = now?.fileId === null && (now.present || now.state.kind === 'gone');
        if (state !== null && isCurrent) return { row: replaced, hasLeft: !now.present, state };
      }
      for (const row of ledger.uploads.departedByInode(stamp.inode)) {
        const state = isHere(row) ? keptStateFrom(row, row.keptBy, stamp) : null;
        if (state !== null) return { row, hasLeft: true, state };
      }
      for (const row of ledger.uploads.presentByInode(stamp.inode)) {
        const state = isHere(row) ? keptStateFrom(row, keptBy(row), stamp) : null;
        if (state === null) continue;
        const hasLeft = missing.has(joinPath(row.dir, row.name));
        if (hasLeft || isOnSameDevice(row.stamp?.key ?? null, stamp.key)) return { row, hasLeft, state };
      }
      return null;
    },
    /** The file of this row is back at its path. Returns the state that kept it back, or null. */
    returned(row: Upload, stamp: Stamp): Kept | null {
      const before = takeReplaced(stamp.inode, (one) => one.id === row.id && mayBeSame(one, stamp));
      return before === null ? null : keptStateFrom(before, keptBy(before), stamp);
    },
    /** Another file has taken the place of this row's file. */
    replaced(row: Upload): void {
      if (row.stamp === null || keptBy(row) === null) return;
      replacedRows.set(row.stamp.inode, row);
      const [oldest] = replacedRows.keys();
      if (replacedRows.size > maxReplaced && oldest !== undefined) replacedRows.delete(oldest);
    },
  };
};

export type Consent = ReturnType<typeof createConsent>;

/** An unfinished file that was there before is a new one when it is finished. */
export const isNamed = (state: UploadState): boolean =>
  state.kind === 'skipped' && (state.rule === 'hidden' || state.rule === 'ignored');

/** If the content changed as well, the file is held for a person. A cancellation is for that one version only. */
const stateForVersion = (kept: Kept, before: Stamp | null, now: Stamp): Kept | null => {
  if (isUnwritten(before, now)) return kept;
  if (kept.kind === 'held') return kept;
  return kept.rule === 'cancelled' ? null : { kind: 'held', reason: 'existing-changed' };
};
