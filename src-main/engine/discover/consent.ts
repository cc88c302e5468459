// A file without consent is not sent, whatever its name is. A new name is no consent, so consent follows the file: its
// inode number and, where the disk gives it, its birth time. If a file may be one that was kept back, it is kept back
// too.
import type { HoldReason, UploadState } from '../../contract/model.ts';
import type { ActiveFolder } from '../shared/folder.ts';
import { createDepartedRows, type DepartedRows } from './departed-rows.ts';
import { joinPath } from '../shared/paths.ts';
import type { Ports, Stamp, Upload, WatchedFolder } from '../ports.ts';
import { arrivedSince, isOnSameDevice, isUnwritten } from '../shared/file-version.ts';

export type Consent = {
  /**
   * The kept-back row that is probably this file, and the state that the file gets from it. Null: the file is new.
   * `hasLeft`: the file is no longer at the row's own path.
   */
  origin(active: ActiveFolder, stamp: Stamp): { row: Upload; hasLeft: boolean; state: Kept } | null;
  /** The file of this row has left its path, or another one has taken its place. */
  left(row: Upload): void;
  /** The file of this row is back at its path. Returns the state that kept it back, or null. */
  returned(row: Upload, stamp: Stamp): Kept | null;
  /** Whether the file of this row is a pre-existing file. */
  isOfBefore(row: Upload): boolean;
  /** Paths found to be gone in this pass: a rename is an old and a new path. The code that begins a pass clears it. */
  missing: Set<string>;
};

/** A folder with at most this many files can be renamed, and none of them is treated as new. */
const mostLeft = 100_000;

/** What keeps a file back. */
export type Kept = Extract<UploadState, { kind: 'skipped' | 'held' }>;
type Departed = { row: Upload; state: Kept };

export const createConsent = ({ ledger, clock }: Pick<Ports, 'ledger' | 'clock'>): Consent => {
  const missing = new Set<string>();
  const departedRows = createDepartedRows({ ledger, clock });
  let loaded: Map<string, Departed> | null = null;
  /** By inode. A later pass, in this or another process, may find the file under another name. */
  const departed = (): Map<string, Departed> => (loaded ??= new Map(departedBefore(ledger, departedRows)));
  const forget = (inode: string, { row }: Departed): void => {
    departed().delete(inode);
    departedRows.remove(row.id);
  };

  const isOfBefore = (row: Upload): boolean => {
    const folder = row.folderId === null ? null : ledger.folders.byId(row.folderId);
    if (folder === null) return false;
    return row.id <= lastOfBaseline(ledger, folder) || !arrivedSince(row.stamp, folder.chosenAtMs);
  };

  /** The state that a row's file keeps under another name. Null: only its name kept it back. */
  const keptState = (row: Upload): Kept | null => {
    const { state } = row;
    if (state.kind === 'held') return unconsentedHolds.includes(state.reason) ? state : null;
    if (state.kind !== 'skipped') return null;
    if (state.rule === 'existing' || state.rule === 'cancelled') return state;
    const isByName = state.rule === 'hidden' || state.rule === 'ignored';
    return isByName && isOfBefore(row) ? { kind: 'skipped', rule: 'existing' } : null;
  };

  return {
    missing,
    isOfBefore,
    origin(active, stamp) {
      const before = departed().get(stamp.inode);
      if (before?.row.folderId === active.row.id && mayBeSame(before.row, stamp)) {
        forget(stamp.inode, before);
        const state = stateUnder(before.state, before.row.stamp, stamp);
        const now = ledger.uploads.byId(before.row.id);
        // The file may have returned to its path meanwhile and may be uploaded. Then the stored row is out of date.
        const isOutOfDate =
          now === null || now.fileId !== null || (!now.present && now.state.kind !== 'gone');
        // If another file took its old path, the row has stayed at that path.
        if (state !== null && !isOutOfDate) return { row: before.row, hasLeft: !now.present, state };
      }
      for (const row of ledger.uploads.presentByInode(stamp.inode)) {
        const kept = row.folderId === active.row.id && mayBeSame(row, stamp) ? keptState(row) : null;
        const state = kept === null ? null : stateUnder(kept, row.stamp, stamp);
        if (state === null) continue;
        const hasLeft = missing.has(joinPath(row.dir, row.name));
        if (hasLeft || isOnSameDevice(row.stamp?.key ?? null, stamp.key)) return { row, hasLeft, state };
      }
      return null;
    },
    returned(row, stamp) {
      const before = departed().get(stamp.inode);
      if (before?.row.id !== row.id || !mayBeSame(before.row, stamp)) return null;
      forget(stamp.inode, before);
      return stateUnder(before.state, before.row.stamp, stamp);
    },
    left(row) {
      const state = keptState(row);
      if (row.stamp === null || state === null) return;
      departed().set(row.stamp.inode, { row, state });
      departedRows.add({ id: row.id, was: state.kind === 'skipped' ? state.rule : state.reason });
      const [oldest] = departed();
      if (departed().size > mostLeft && oldest !== undefined) forget(...oldest);
    },
  };
};

/**
 * A file system reuses inode numbers. A file that was born after the last known change of the row's file is another
 * file. If the birth time is not known, it may be the same file.
 */
const mayBeSame = (row: Upload, stamp: Stamp): boolean =>
  row.stamp !== null &&
  (stamp.bornMs === undefined || stamp.bornMs <= Math.max(row.stamp.ctimeMs, row.createdAtMs));

/** If the content changed as well, the file is held for a person. A cancellation is for that one version only. */
const stateUnder = (kept: Kept, before: Stamp | null, now: Stamp): Kept | null => {
  if (isUnwritten(before, now)) return kept;
  if (kept.kind === 'held') return kept;
  return kept.rule === 'cancelled' ? null : { kind: 'held', reason: 'existing-changed' };
};

const unconsentedHolds: readonly HoldReason[] = ['existing-changed', 'maybe-uploaded', 'burst'];

const baselineFact = (folderId: number): string => `baseline-${folderId}`;

const lastOfBaseline = (ledger: Pick<Ports['ledger'], 'facts'>, folder: WatchedFolder): number => {
  const last = ledger.facts.get(baselineFact(folder.id))?.value;
  return typeof last === 'number' ? last : 0;
};

/** Stores the highest row id of the baseline. Rows up to this id are pre-existing files. */
export const noteBaseline = (
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
  active: ActiveFolder,
): void => {
  const { uploads } = ledger;
  let last = 0;
  for (const dir of uploads.presentDirs(active.row.id)) {
    for (const id of uploads.presentIn(active.row.id, dir)) last = Math.max(last, id);
  }
  ledger.facts.set(baselineFact(active.row.id), last, clock.wallMs());
};

const departedBefore = (
  ledger: Pick<Ports['ledger'], 'uploads'>,
  departedRows: DepartedRows,
): [string, Departed][] =>
  departedRows.all().flatMap(({ id, was }): [string, Departed][] => {
    const row = ledger.uploads.byId(id);
    const state = stateNamed(was);
    if (row === null || row.present || row.stamp === null || state === null) return [];
    return [[row.stamp.inode, { row: { ...row, state }, state }]];
  });

const stateNamed = (name: string): Kept | null => {
  if (name === 'existing' || name === 'cancelled') return { kind: 'skipped', rule: name };
  const reason = unconsentedHolds.find((one) => one === name);
  return reason === undefined ? null : { kind: 'held', reason };
};
