// Records what was found: compares a file in the folder with what the ledger knows about its path. It writes the row
// before any other part acts on it.
import { wantsExisting } from '../../contract/answers.ts';
import { isTakenBack, isUnfinished, skipRow, type KeptBy } from '../../contract/model.ts';
import { isSkipApproved } from '../candidate/content-decisions.ts';
import { controlled } from '../candidate/unfinished.ts';
import { createKeptEnds } from '../candidate/kept-ends.ts';
import { isBackAgain } from '../candidate/was-there.ts';
import { isInFirstScan, isOfFirstScan, type ActiveFolder } from '../shared/folder.ts';
import {
  foundVerdict,
  goesOn,
  isForEveryVersion,
  isSkippedByName,
  type FoundState,
  type Sight,
} from './intake-rules.ts';
import { joinPath, relativeTo } from '../shared/paths.ts';
import type { Found, Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import type { Bursts, BurstFile } from './bursts.ts';
import { createConsent, isNamed, type Kept } from './consent.ts';
import type { NameVerdict } from '../shared/names/name-rules.ts';
import type { QuietPeriods } from './quiet-period.ts';
import { arrivedSince, goesOnWanting } from '../shared/file-version.ts';
import type { Rows } from '../state/rows.ts';
import { isBelowUnread } from './folders/open-folder.ts';
import { namedFile } from '../shared/sent-name.ts';

/** The state that a file gets when it is found. `isNew`: it gets a row of its own, and may be part of a burst. */
export type Foreseen = { state: FoundState; isNew: boolean; wantsAnother: boolean; known: Upload | null };

type RecorderOptions = {
  ports: Pick<Ports, 'ledger' | 'clock'>;
  rows: Rows;
  quiet: QuietPeriods;
  /** `isHeldOnArrival`: the burst is over the limit, and nothing else decides about this new file of it. */
  bursts: Bursts & { isHeldOnArrival(row: BurstFile, stamp: Stamp, name: NameVerdict): boolean };
  isWatched: (folderId: number) => boolean;
  /** A file of this folder is in another one now. The whole folder may have moved, and may return unnoticed. */
  left: (folderId: number) => void;
};

type Consent = ReturnType<typeof createConsent>;

/** What a file that was found is: by its name, by what was there before, and by the row of its path. */
const createVerdicts = (ledger: Ports['ledger'], consent: Consent) => {
  /**
   * Whether it is a pre-existing file. What the first whole listing of a folder shows was there, whatever its times:
   * clocks differ, and a restore or other rights change times. Afterwards a file is recognised by size and content.
   */
  const wasThere = (active: ActiveFolder, dir: string, found: Found, known: Upload | null): boolean => {
    // The user may remove the rule that skipped it. It is still a pre-existing file, even if it changed since.
    if (known !== null && isSkippedByName(known.state))
      return consent.isPreExisting(known) || isInFirstScan(active);
    if (isInFirstScan(active)) return known === null || !goesOn(known, found.stamp);
    // What was there before may be back after a link, for example, was in its place for a while.
    if (known !== null && isSkippedByType(known))
      return known.keptBy === 'existing' || (isUnseen(known) && consent.isPreExisting(known));
    if (known !== null) return false;
    return isFirstListing(active, dir, found.name) || isBack(dir, found);
  };

  /** The folder was left out, or could not be read, when the user was asked about the files that are there. */
  const isFirstListing = (active: ActiveFolder, dir: string, name: string): boolean =>
    (dir !== active.row.path &&
      active.row.leftOutSubfolders &&
      !ledger.uploads.atPath(dir, name, 1).some(({ fileId }) => fileId !== null)) ||
    isBelowUnread(active, joinPath(dir, name));

  /** Not if the content of a link has this size: then its content is compared when it has settled. */
  const isBack = (dir: string, { name, stamp }: Found): boolean =>
    stamp !== null &&
    isBackAgain(ledger, { dir, name, stamp }) &&
    // Asked last: it reads each held row of this size.
    !ledger.uploads.knowsSize(stamp.sizeBytes);

  const isOlderThanLedger = (stamp: Stamp | null): boolean => {
    const rebuilt = ledger.facts.get('rebuilt');
    return rebuilt !== null && stamp !== null && !arrivedSince(stamp, rebuilt.atMs);
  };

  return (
    active: ActiveFolder,
    dir: string,
    found: Found,
    known: Upload | null,
  ): ReturnType<typeof foundVerdict> & Pick<Sight, 'name' | 'existing'> & { isSkippedName: boolean } => {
    const path = joinPath(dir, found.name);
    const { stamp } = found;
    const name = active.names.judge(namedFile(relativeTo(active.row.path, path) ?? path));
    const isSkippedName = name.kind === 'skip';
    const existing = wasThere(active, dir, found, known);
    const verdict = foundVerdict({
      found,
      name,
      known,
      knownStamp: known?.stamp ?? null,
      existing,
      existingWanted: wantsExisting(active.existing, path),
      olderThanLedger: isOlderThanLedger(stamp),
      mayBeApproved:
        isSkippedName && stamp !== null && ledger.decisions.knowsSize(stamp.sizeBytes, name.rule),
      isApproved: isSkippedName && known !== null && isSkipApproved(ledger, known, name.rule),
    });
    return { ...verdict, name, isSkippedName, existing };
  };
};

/** Writes new rows, and tells the quiet time and the bursts of them. */
const createArrivals = ({ rows, quiet, bursts, ports: { clock } }: RecorderOptions) => {
  const insert = (
    active: ActiveFolder,
    dir: string,
    found: Found,
    state: FoundState,
    earlierId: number | null,
    keptBy: KeptBy | null = null,
  ): Upload =>
    rows.insert({
      folderId: active.row.id,
      dir,
      name: found.name,
      stamp: found.stamp,
      state,
      sameAsId: earlierId,
      keptBy,
    });

  /**
   * A new row. Pre-existing files that the user chose do not count as a burst, whatever their number or size. Neither
   * do files that a rule skips unless a person approved their content.
   */
  const arrive = (
    active: ActiveFolder,
    dir: string,
    found: Found,
    { state, name, isSkippedName }: { state: FoundState; name: NameVerdict; isSkippedName: boolean },
    { earlierId = null, keptBy = null }: { earlierId?: number | null; keptBy?: KeptBy | null },
  ): void => {
    const { stamp } = found;
    const isNews = !isSkippedName && state.kind === 'settling' && !isInFirstScan(active);
    const place = { folderId: active.row.id, dir, name: found.name, door: 'folder' as const };
    const row = { ...place, id: 0, sha256: null, confirmed: false };
    const isHeld = isNews && stamp !== null && earlierId === null && bursts.isHeldOnArrival(row, stamp, name);
    const begins = isHeld ? ({ kind: 'held', reason: 'burst' } as const) : state;
    const inserted = insert(active, dir, found, begins, earlierId, keptBy);
    if (isHeld) bursts.arrivedHeld(inserted.id, stamp.sizeBytes, clock.monoMs());
    else if (isNews && stamp !== null) count(inserted.id, stamp);
    begin(inserted);
  };

  const count = (id: number, stamp: Stamp | null): void =>
    bursts.arrived(id, stamp?.sizeBytes ?? 0, clock.monoMs());

  const begin = (row: Upload | 'stale'): void => {
    if (row === 'stale' || row.state.kind !== 'settling' || row.stamp === null) return;
    quiet.observe(row.id, row.stamp, clock.monoMs());
  };
  return { insert, arrive, count, begin };
};

/** Files that come from another path, or that another door gave: they keep their row, or what keeps them back. */
const createOrigins = (
  { rows, quiet, left, ports: { ledger } }: Pick<RecorderOptions, 'rows' | 'quiet' | 'left' | 'ports'>,
  consent: Consent,
  insert: ReturnType<typeof createArrivals>['insert'],
) => {
  /** A rename inside the watched folders: a file without consent stays without consent under its new name. */
  const followed = (active: ActiveFolder, dir: string, found: Found): boolean => {
    const { name, stamp } = found;
    const origin = stamp === null ? null : consent.origin(stamp);
    if (stamp === null || origin === null) return false;
    const { row: before, state } = origin;
    if (!origin.hasLeft) {
      insert(active, dir, found, state, null);
      return true;
    }
    const isNews = state !== before.state;
    if (before.folderId !== null && before.folderId !== active.row.id) left(before.folderId);
    return (
      rows.apply(before.id, {
        kind: 'followed',
        folderId: active.row.id,
        dir,
        name,
        stamp,
        state,
        isNews,
      }) !== 'stale'
    );
  };

  const originAt = (
    active: ActiveFolder | null,
    row: Upload,
    stamp: Stamp | null,
  ): ReturnType<typeof consent.origin> => {
    if (active === null || row.folderId !== active.row.id || stamp === null) return null;
    return row.stamp?.inode === stamp.inode ? null : consent.origin(stamp);
  };

  /** The state that keeps back another file which is now at this row's path. It had no consent at its own path. */
  const keptBack = (active: ActiveFolder | null, row: Upload, stamp: Stamp | null): Kept | null => {
    const origin = originAt(active, row, stamp);
    if (origin?.hasLeft === true) rows.apply(origin.row.id, { kind: 'reappeared' });
    return origin?.state ?? null;
  };

  /** True when another file, which is kept back, is now at the path of this row. The row then gets that state. */
  const staysBack = (active: ActiveFolder | null, row: Upload, stamp: Stamp): boolean => {
    // True for nearly every file. No transaction begins, so other processes can write.
    if (row.stamp?.inode === stamp.inode) return false;
    return ledger.atomically(() => {
      const state = keptBack(active, row, stamp);
      if (state === null) return false;
      if (rows.apply(row.id, { kind: 'kept-back', state, stamp }) !== 'stale') quiet.forget(row.id);
      return true;
    });
  };

  /** A file that was given before its folder was watched keeps its row, and what was asked for with it. */
  const takenOver = (active: ActiveFolder, known: Upload | null): Upload | null => {
    if (known === null || known.folderId !== null) return known;
    const now = rows.apply(known.id, { kind: 'folder-changed', folderId: active.row.id });
    return now === 'stale' ? null : now;
  };
  return { followed, originAt, keptBack, staysBack, takenOver };
};

export const createFileRecorder = (options: RecorderOptions) => {
  const { rows, quiet, bursts } = options;
  const { ledger, clock } = options.ports;
  const consent = createConsent(options.ports, options.isWatched);
  const ends = createKeptEnds({ ledger, clock, rows });
  const verdictOf = createVerdicts(ledger, consent);

  /** What `sight` would make of it, for a plan. Changes no row. Returns the row itself if it would stay as it is. */
  const foresee = (
    active: ActiveFolder,
    dir: string,
    found: Found,
    ofFolder: Upload | null,
  ): Upload | Foreseen | null => {
    const { stamp } = found;
    const known = ofFolder ?? ledger.uploads.presentAt(null, dir, found.name);
    const verdict = verdictOf(active, dir, found, known);
    if (verdict.kind === 'known') return known;
    if (known !== null) {
      const mayBeKept = stamp !== null && keepsConsent(verdict);
      const returned = verdict.kind === 'record' && mayBeKept ? consent.returned(known, stamp) : null;
      const kept = returned ?? (mayBeKept ? (originAt(active, known, stamp)?.state ?? null) : null);
      const state = kept ?? verdict.state;
      const isNew = verdict.kind === 'new-version';
      return { state, isNew, wantsAnother: !isNew && goesOnWanting(known, stamp), known };
    }
    const origin = stamp === null ? null : consent.origin(stamp);
    return {
      state: origin?.state ?? verdict.state,
      isNew: origin === null && !verdict.isSkippedName,
      wantsAnother: false,
      known,
    };
  };

  /** Inside a transaction. */
  const sight = (active: ActiveFolder, dir: string, found: Found, ofFolder: Upload | null): void => {
    const before = ofFolder ?? ledger.uploads.presentAt(null, dir, found.name);
    record(active, dir, found, before);
    ends.arrives(active.row.id, dir, found, before);
  };

  const record = (active: ActiveFolder, dir: string, found: Found, before: Upload | null): void => {
    const verdict = verdictOf(active, dir, found, before);
    const known = takenOver(active, before);
    switch (verdict.kind) {
      case 'known':
        if (known?.state.kind === 'settling' && found.stamp !== null)
          quiet.observe(known.id, found.stamp, clock.monoMs());
        return;
      case 'record': {
        if (known !== null) {
          // Another file is at this path. The former file may appear under another name.
          if (known.stamp !== null && known.stamp.inode !== found.stamp?.inode) consent.replaced(known);
          ends.leaves(known, found.stamp);
          // Something else, such as a link, was at its path for a while. The reason that kept it back still holds.
          const kept =
            keepsConsent(verdict) && found.stamp !== null
              ? (consent.returned(known, found.stamp) ?? keptBack(active, known, found.stamp))
              : null;
          const state = kept ?? verdict.state;
          const { stamp } = found;
          // A person refused the earlier contents. A program may rewrite very many such files at once.
          if (state.kind === 'settling' && isRefused(known)) count(known.id, stamp);
          const wantsAnother = goesOnWanting(known, stamp);
          begin(
            state === known.state
              ? rows.apply(known.id, { kind: 'version-kept-back', stamp, wantsAnother })
              : rows.apply(known.id, {
                  kind: 'version-found',
                  state,
                  stamp,
                  wantsAnother,
                  keptBy: keptWithEveryVersion(consent, known, state, verdict.existing),
                }),
          );
          return;
        }
        if (followed(active, dir, found)) return;
        const keptBy = keptWithEveryVersion(consent, null, verdict.state, verdict.existing);
        arrive(active, dir, found, verdict, { keptBy });
        return;
      }
      case 'new-version': {
        if (known === null) return;
        const kept = keepsConsent(verdict) ? keptBack(active, known, found.stamp) : null;
        if (rows.apply(known.id, { kind: 'replaced' }) === 'stale') return;
        if (kept === null) arrive(active, dir, found, verdict, { earlierId: known.id });
        else insert(active, dir, found, kept, null);
      }
    }
  };

  const { insert, arrive, count, begin } = createArrivals(options);
  const { followed, originAt, keptBack, staysBack, takenOver } = createOrigins(options, consent, insert);
  /** The file of this row is not at its path any more. */
  const vanish = (row: Upload): void => {
    // If the upload is on its way, its worker finds out that the file has gone.
    const now = rows.apply(row.id, { kind: 'vanished', keptBy: consent.keptBy(row) });
    if (now === 'stale') return;
    ends.leaves(row);
    quiet.forget(row.id);
    bursts.forget(row.id);
    for (const waiting of waitingFor(ledger.uploads, row))
      rows.apply(waiting.id, { kind: 'replanned', untilMs: 0 });
  };

  /** After a start it is not known which rows came in one burst. So all that still settle, and those held before them, do. */
  const countAgain = (rows: readonly Upload[]): void => {
    for (const { id, folderId, stamp, confirmed, state } of rows) {
      const folder = folderId === null ? null : ledger.folders.byId(folderId);
      // A pre-existing file settles only because the user asked for it. It is no part of a burst.
      if (folder === null || stamp === null || confirmed || isOfFirstScan(folder, id)) continue;
      const arrived = state.kind === 'held' ? bursts.arrivedHeld : bursts.arrived;
      arrived(id, stamp.sizeBytes, clock.monoMs());
    }
  };

  return { sight, foresee, vanish, staysBack, missing: consent.missing, countAgain };
};

export type FileRecorder = ReturnType<typeof createFileRecorder>;

/** A person left it out, or took its link back. */
const isRefused = ({ state }: Upload): boolean =>
  isTakenBack(state) || (state.kind === 'skipped' && skipRow(state.rule).refused === true);

/** Another file may be at the path, and its consent, or the lack of it, has come with it. */
const keepsConsent = ({ state }: { state: FoundState }): boolean =>
  state.kind === 'settling' || isSkippedByName(state);

/** The path holds no regular file. */
export const isSkippedByType = ({ state }: Pick<Upload, 'state'>): boolean =>
  state.kind === 'skipped' && skipRow(state.rule).neverOpened === true;

const isUnseen = ({ state }: Pick<Upload, 'state'>): boolean =>
  state.kind === 'skipped' && skipRow(state.rule).unseen === true;

/** What keeps back every version at this path, even while its name or type alone does so. Else null. */
const keptWithEveryVersion = (
  consent: Consent,
  known: Upload | null,
  state: FoundState,
  existing: boolean,
): KeptBy | null => {
  if (!isSkippedByName(state) && !isSkippedByType({ state })) return null;
  if (known === null && existing && isNamed(state)) return 'existing';
  const by = known === null ? null : consent.keptBy(known);
  return by === 'existing' || isForEveryVersion(by) ? by : null;
};

/** If this is a control file: the files that waited for its end. */
const waitingFor = (uploads: Ports['ledger']['uploads'], { folderId, dir, name }: Upload): Upload[] => {
  const named = controlled(name).map((file) => uploads.presentAt(folderId, dir, file));
  return named.filter((one) => one !== null).filter(({ state }) => isUnfinished(state));
};
