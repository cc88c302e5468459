// What nobody consented to stays here under any name. A new name says nothing by itself, so consent follows the file:
// its number on the disk and, where the disk tells, when it was born. A file that cannot be told from one that was
// kept back is kept back, too.
import type { HoldReason, UploadState } from '../../contract/model.ts';
import type { ActiveFolder } from '../shared/folder.ts';
import { createDepartedRows, type DepartedRows } from './departed-rows.ts';
import { joinPath } from '../shared/paths.ts';
import type { Ports, Stamp, Upload, WatchedFolder } from '../ports.ts';
import { arrivedSince, isOnSameDevice, isUnwritten } from '../shared/file-version.ts';

export type Consent = {
  /**
   * The row that was kept back and is this file, as far as anybody can tell, and the state that follows from it;
   * null: the file is new. `hasLeft`: the row's own path has lost it.
   */
  origin(active: ActiveFolder, stamp: Stamp): { row: Upload; hasLeft: boolean; state: Kept } | null;
  /** The file of this row has left its path, or another one has taken its place. */
  left(row: Upload): void;
  /** Its file is back at its path: the state that kept it back, if any did. */
  returned(row: Upload, stamp: Stamp): Kept | null;
  /** Whether its file lay in the folder before that was chosen. */
  isOfBefore(row: Upload): boolean;
  /** Paths found to be gone in this pass: a rename shows as an old path and a new one. Cleared by whoever begins one. */
  missing: Set<string>;
};

/** A folder of so many files can be renamed without one of them being taken for new. */
const mostLeft = 100_000;

/** What keeps a file back. */
export type Kept = Extract<UploadState, { kind: 'skipped' | 'held' }>;
type Departed = { row: Upload; state: Kept };

export const createConsent = ({ ledger, clock }: Pick<Ports, 'ledger' | 'clock'>): Consent => {
  const missing = new Set<string>();
  const departedRows = createDepartedRows({ ledger, clock });
  let loaded: Map<string, Departed> | null = null;
  /** By inode: a later pass may find the file under another name, and that pass may be another process's. */
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

  /** The state that a row's file keeps under another name; null: its name was all that kept it back. */
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
        // It came back to its place meanwhile, and went up, perhaps: what is in doubt must not be forgotten.
        const isOutOfDate =
          now === null || now.fileId !== null || (!now.present && now.state.kind !== 'gone');
        // Where another file has its old place, the row has stayed there.
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
 * Numbers are given again. A file born after the row's one was last seen to change is another one; where nobody tells
 * when it was born, it may be the same.
 */
const mayBeSame = (row: Upload, stamp: Stamp): boolean =>
  row.stamp !== null &&
  (stamp.bornMs === undefined || stamp.bornMs <= Math.max(row.stamp.ctimeMs, row.createdAtMs));

/** Changed as well: a person is asked. A cancelled version is that version only. */
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

/** Rows up to this one were there when the folder had been read for the first time. */
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
