// What was found, written down: a thing in the folder against what the ledger knows of its path. The row is written
// before anything is believed; every change of a row here leaves an entry.
import type { ActiveFolder } from '../shared/folder.ts';
import { rulesOfName, foundVerdict, type BurstGate, type FoundState, type Sight } from './intake-rules.ts';
import { joinPath, relativeTo } from '../shared/paths.ts';
import type { Found, Ports, Stamp, Upload } from '../ports.ts';
import { createConsent, type Kept } from './consent.ts';
import type { NameVerdict } from '../shared/name-rules.ts';
import type { QuietPeriods } from './quiet-period.ts';
import { arrivedSince, goesOnWanting } from '../shared/file-version.ts';
import type { Rows } from '../state/rows.ts';
import type { Unread } from './unreadable-folders.ts';

export type FileRecorder = {
  /** Inside a transaction. */
  sight(active: ActiveFolder, dir: string, found: Found, known: Upload | null): void;
  /** The file of this row is not at its path any more. */
  vanish(row: Upload): void;
  /** Starts the quiet period of a row that settles. */
  begin(row: Upload | 'stale'): void;
  judge(active: ActiveFolder | null, path: string): NameVerdict;
  /** Another file lies in the place of this row's one, and it is kept back: then the row says so. */
  staysBack(active: ActiveFolder | null, row: Upload, stamp: Stamp): boolean;
  /**
   * Paths found to be gone in this pass, noted before new ones are recorded: a rename shows as both. Cleared by
   * whoever begins a pass.
   */
  missing: Set<string>;
  /** Rows that came in a burst over the limit. */
  inBurst: Set<number>;
  /** After a start: which of them came in a burst nobody knows any more, so all that still settle count as one. */
  countAgain(rows: readonly Upload[]): void;
};

export const createFileRecorder = (options: {
  ports: Pick<Ports, 'ledger' | 'clock'>;
  rows: Rows;
  quiet: QuietPeriods;
  burst: BurstGate;
  unread: Pick<Unread, 'wasThere'>;
}): FileRecorder => {
  const { rows, quiet, burst } = options;
  const { ledger, clock } = options.ports;
  const consent = createConsent(options.ports);
  const inBurst = new Set<number>();

  const judge = (active: ActiveFolder | null, path: string): NameVerdict => {
    if (active === null) return { kind: 'wanted' };
    return active.rules.judge(relativeTo(active.row.path, path) ?? path);
  };

  const sight = (active: ActiveFolder, dir: string, found: Found, known: Upload | null): void => {
    const path = joinPath(dir, found.name);
    const verdict = foundVerdict({
      found,
      name: judge(active, path),
      known,
      knownStampKey: known?.stamp?.key ?? null,
      existing: wasThere(active, dir, found, known),
      existingWanted: isWanted(active, path),
      olderThanLedger: isOlderThanLedger(found.stamp),
    });
    switch (verdict.kind) {
      case 'known':
        if (known?.state.kind === 'settling' && found.stamp !== null) {
          quiet.observe(known.id, found.stamp, clock.monoMs());
        }
        return;
      case 'record': {
        if (known !== null) {
          // Another file at its path: the one that was here may turn up under another name.
          if (known.stamp !== null && known.stamp.inode !== found.stamp?.inode) consent.left(known);
          // Something else lay at its path for a while, a link perhaps: what kept it back still does.
          const kept =
            verdict.state.kind === 'settling' && found.stamp !== null
              ? (consent.returned(known, found.stamp) ?? keptBack(active, known, found.stamp))
              : null;
          const state = kept ?? verdict.state;
          const { stamp } = found;
          const wantsAnother = goesOnWanting(known, stamp);
          begin(
            state === known.state
              ? rows.apply(known.id, { kind: 'version-kept-back', stamp, wantsAnother })
              : rows.apply(known.id, { kind: 'version-found', state, stamp, wantsAnother }),
          );
          return;
        }
        if (wasGivenByHand(active, dir, found) || followed(active, dir, found)) return;
        arrive(active, insert(active, dir, found, verdict.state, null));
        return;
      }
      case 'new-version': {
        if (known === null) return;
        const kept = verdict.state.kind === 'settling' ? keptBack(active, known, found.stamp) : null;
        if (rows.apply(known.id, { kind: 'replaced' }) === 'stale') return;
        if (kept === null) arrive(active, insert(active, dir, found, verdict.state, known.id));
        else insert(active, dir, found, kept, null);
      }
    }
  };

  /** It lay there before the folder was chosen. */
  const wasThere = (
    active: ActiveFolder,
    dir: string,
    { stamp }: Found,
    known: Upload | null,
  ): Sight['existing'] => {
    // The rule that skipped it may be dropped; that it was there stays true, whatever became of it since.
    if (known !== null && isSkippedByName(known) && consent.isOfBefore(known)) return true;
    const isOlder = !arrivedSince(stamp, active.row.chosenAtMs);
    // A link lay in its place when the process that knew it ended.
    if (isOlder && known !== null && isSkippedByType(known) && consent.isOfBefore(known)) return true;
    if (isOlder && (active.isBaseline || isBelowFlat(active, dir))) return true;
    return known === null && options.unread.wasThere(active, dir, stamp);
  };

  /** Subfolders were off at the first scan: what was in them then has never been asked about. */
  const isBelowFlat = (active: ActiveFolder, dir: string): boolean =>
    dir !== active.row.path && ledger.facts.get(flatFact(active)) !== null;

  const insert = (
    active: ActiveFolder,
    dir: string,
    found: Found,
    state: FoundState,
    earlierId: number | null,
  ): Upload =>
    rows.insert({
      folderId: active.row.id,
      dir,
      name: found.name,
      stamp: found.stamp,
      state,
      sameAsId: earlierId,
    });

  /** A new row. What the user chose among the files that were there before is no surprise, however much it is. */
  const arrive = (active: ActiveFolder, row: Upload): void => {
    const isNews = row.state.kind === 'settling' && row.stamp !== null && !active.isBaseline;
    if (isNews && burst.arrived(row.stamp?.sizeBytes ?? 0, clock.monoMs())) inBurst.add(row.id);
    begin(row);
  };

  const begin = (row: Upload | 'stale'): void => {
    if (row === 'stale' || row.state.kind !== 'settling' || row.stamp === null) return;
    quiet.observe(row.id, row.stamp, clock.monoMs());
  };

  /** A rename inside the folder: what nobody consented to stays unconsented under its new name. */
  const followed = (active: ActiveFolder, dir: string, found: Found): boolean => {
    const { name, stamp } = found;
    const origin = stamp === null ? null : consent.origin(active, stamp);
    if (stamp === null || origin === null) return false;
    const { row: before, state } = origin;
    if (!origin.hasLeft) {
      insert(active, dir, found, state, null);
      return true;
    }
    const isNews = state !== before.state;
    return rows.apply(before.id, { kind: 'followed', dir, name, stamp, state, isNews }) !== 'stale';
  };

  /** What keeps a file back that has taken the place of this row's one: nobody consented to it under its own name. */
  const keptBack = (active: ActiveFolder | null, row: Upload, stamp: Stamp | null): Kept | null => {
    if (active === null || row.folderId !== active.row.id || stamp === null) return null;
    return row.stamp?.inode === stamp.inode ? null : (consent.origin(active, stamp)?.state ?? null);
  };

  const staysBack: FileRecorder['staysBack'] = (active, row, stamp) => {
    // Nearly every file: nothing is recorded, and no other process is kept from writing.
    if (row.stamp?.inode === stamp.inode) return false;
    return ledger.atomically(() => {
      const state = keptBack(active, row, stamp);
      if (state === null) return false;
      if (rows.apply(row.id, { kind: 'kept-back', state, stamp }) !== 'stale') quiet.forget(row.id);
      return true;
    });
  };

  /** Uploaded by `outtray upload` before its folder was watched: the same file, the same link. */
  const wasGivenByHand = (active: ActiveFolder, dir: string, found: Found): boolean => {
    const row = ledger.uploads.presentAt(null, dir, found.name);
    if (row?.state.kind !== 'uploaded' || row.stamp?.key !== found.stamp?.key) return false;
    return rows.apply(row.id, { kind: 'folder-watched', folderId: active.row.id }) !== 'stale';
  };

  const vanish = (row: Upload): void => {
    // The worker itself finds out that the file of an upload under way has gone.
    const now = rows.apply(row.id, { kind: 'vanished' });
    if (now === 'stale') return;
    if (now.state.kind === 'gone') consent.left(row);
    quiet.forget(row.id);
    inBurst.delete(row.id);
  };

  const countAgain = (rows: readonly Upload[]): void => {
    for (const { id, folderId, stamp, confirmed } of rows) {
      const folder = folderId === null ? null : ledger.folders.byId(folderId);
      // What was there before its folder was chosen settles only because it was asked for.
      if (folder === null || stamp === null || confirmed || !arrivedSince(stamp, folder.chosenAtMs)) continue;
      if (burst.arrived(stamp.sizeBytes, clock.monoMs())) inBurst.add(id);
    }
  };

  const isOlderThanLedger = (stamp: Stamp | null): boolean => {
    const rebuilt = ledger.facts.get('rebuilt');
    return rebuilt !== null && stamp !== null && !arrivedSince(stamp, rebuilt.atMs);
  };

  return { sight, vanish, begin, judge, staysBack, missing: consent.missing, inBurst, countAgain };
};

/** Set for a folder whose first scan left its subfolders out. */
export const flatFact = ({ row }: ActiveFolder): string => `flat-${row.id}`;

const isSkippedByName = ({ state }: Upload): boolean =>
  state.kind === 'skipped' && rulesOfName.includes(state.rule);

/** What is there is no regular file. */
export const isSkippedByType = ({ state }: Upload): boolean =>
  state.kind === 'skipped' && (state.rule === 'link' || state.rule === 'special');

const isWanted = (active: ActiveFolder, path: string): boolean =>
  active.existing === 'upload' || (active.existing !== 'skip' && active.existing.includes(path));
