// What was found, written down: a thing in the folder against what the ledger knows of its path. The row is written
// before anything is believed; every change of a row here leaves an entry.
import type { HoldReason, UploadState } from '../contract/model.ts';
import type { Feed } from './feed.ts';
import type { ActiveFolder } from './folder.ts';
import { rulesOfName, sightVerdict, type BurstGate } from './intake.ts';
import { joinPath, relativeTo } from './paths.ts';
import type { Found, Ports, Stamp, Upload } from './ports.ts';
import type { NameVerdict } from './rules.ts';
import type { Settle } from './settle.ts';

export type Sights = {
  /** Inside a transaction. */
  sight(active: ActiveFolder, dir: string, found: Found, known: Upload | null): void;
  /** The file of this row is not at its path any more. */
  vanish(row: Upload): void;
  /** Tells of a state that a row just got, and starts the quiet time of one that settles. */
  announce(row: Upload, path: string): void;
  judge(active: ActiveFolder | null, path: string): NameVerdict;
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

/** A folder of so many files can be renamed without one of them being taken for new. */
const mostLeft = 100_000;
/** Of these, so many survive the process. */
const mostKept = 200;

/** What a restart needs of such a row: the row itself says only that it is gone. */
type Left = { id: number; was: string };

const leftBefore = (ledger: Pick<Ports['ledger'], 'facts' | 'uploads'>): [string, Upload][] => {
  const kept = ledger.facts.get('left')?.value;
  if (!Array.isArray(kept)) return [];
  return kept.filter(isLeft).flatMap(({ id, was }): [string, Upload][] => {
    const row = ledger.uploads.byId(id);
    const state = stateNamed(was);
    if (row === null || row.present || row.stamp === null || state === null) return [];
    return [[row.stamp.inode, { ...row, state }]];
  });
};

const isLeft = (value: unknown): value is Left =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'number' &&
  'was' in value;

const stateNamed = (name: string): UploadState | null => {
  if (name === 'existing') return { kind: 'skipped', rule: name };
  const reason = unconsentedHolds.find((one) => one === name);
  return reason === undefined ? null : { kind: 'held', reason };
};
const nameOf = (state: UploadState): string =>
  state.kind === 'skipped' ? state.rule : state.kind === 'held' ? state.reason : '';

export const createSights = (options: {
  ports: Pick<Ports, 'ledger' | 'clock'>;
  feed: Feed;
  settle: Settle;
  burst: BurstGate;
}): Sights => {
  const { feed, settle, burst } = options;
  const { ledger, clock } = options.ports;
  const missing = new Set<string>();
  /**
   * Unconsented rows whose file has left its path, by inode: a later pass may find it under another name, and that
   * pass may be another process's.
   */
  const left = new Map<string, Upload>(leftBefore(ledger));
  const inBurst = new Set<number>();

  const judge = (active: ActiveFolder | null, path: string): NameVerdict => {
    if (active === null) return { kind: 'wanted' };
    return active.rules.judge(relativeTo(active.row.path, path) ?? path);
  };

  const sight = (active: ActiveFolder, dir: string, found: Found, known: Upload | null): void => {
    const path = joinPath(dir, found.name);
    const verdict = sightVerdict({
      found,
      name: judge(active, path),
      known,
      knownStampKey: known?.stamp?.key ?? null,
      existing:
        !arrivedSince(found.stamp, active.row.chosenAtMs) &&
        (active.isBaseline || isSkippedByName(known) || isBelowFlat(active, dir)),
      existingWanted: isWanted(active, path),
      olderThanLedger: isOlderThanLedger(found.stamp),
    });
    switch (verdict.kind) {
      case 'known':
        if (known?.state.kind === 'settling' && found.stamp !== null) {
          settle.observe(known.id, found.stamp, clock.monoMs());
        }
        return;
      case 'record': {
        if (known !== null) {
          const change = { state: verdict.state, stamp: found.stamp, sha256: null, attempts: 0 };
          const stored = ledger.uploads.update(known.id, change, clock.wallMs());
          if (verdict.state !== known.state) announce(stored, path);
          return;
        }
        if (wasGivenByHand(active, dir, found) || followed(active, path, dir, found)) return;
        arrive(active, insert(active, dir, found, verdict.state, null), path);
        return;
      }
      case 'new-version': {
        if (known === null) return;
        ledger.uploads.update(known.id, { present: false }, clock.wallMs());
        arrive(active, insert(active, dir, found, verdict.state, known.id), path);
      }
    }
  };

  /** Subfolders were off at the first scan: what was in them then has never been asked about. */
  const isBelowFlat = (active: ActiveFolder, dir: string): boolean =>
    dir !== active.row.path && ledger.facts.get(flatFact(active)) !== null;

  const insert = (
    active: ActiveFolder,
    dir: string,
    found: Found,
    state: UploadState,
    earlierId: number | null,
  ): Upload =>
    ledger.uploads.insert(
      { folderId: active.row.id, dir, name: found.name, stamp: found.stamp, state, sameAsId: earlierId },
      clock.wallMs(),
    );

  /** A new row. What the user chose among the files that were there before is no surprise, however much it is. */
  const arrive = (active: ActiveFolder, row: Upload, path: string): void => {
    const isNews = row.state.kind === 'settling' && row.stamp !== null && !active.isBaseline;
    if (isNews && burst.arrived(row.stamp?.sizeBytes ?? 0, clock.monoMs())) inBurst.add(row.id);
    announce(row, path);
  };

  const announce = (row: Upload, path: string): void => {
    const { state } = row;
    switch (state.kind) {
      case 'skipped': {
        const { kind: _, ...rest } = state;
        const same = row.sameAsId === null ? null : ledger.uploads.byId(row.sameAsId);
        const publicLink = same?.publicLink ?? null;
        const link = publicLink === null ? {} : { publicLink };
        feed.record(row.id, path, { kind: 'skipped', ...rest, ...link });
        return;
      }
      case 'held':
        feed.record(row.id, path, { kind: 'held', reason: state.reason });
        return;
      case 'failed': {
        const { kind: _, ...rest } = state;
        feed.record(row.id, path, { kind: 'failed', ...rest });
        return;
      }
      case 'settling':
        if (row.stamp !== null) settle.observe(row.id, row.stamp, clock.monoMs());
        feed.statusChanged();
        return;
      default:
        feed.statusChanged();
    }
  };

  /** A rename inside the folder: what nobody consented to stays unconsented under its new name. */
  const followed = (active: ActiveFolder, path: string, dir: string, found: Found): boolean => {
    if (found.stamp === null) return false;
    if (cameBack(active, path, dir, found.name, found.stamp)) return true;
    for (const row of ledger.uploads.presentByInode(found.stamp.inode)) {
      const from = joinPath(row.dir, row.name);
      if (row.folderId !== active.row.id || !missing.has(from) || !isUnconsented(row.state)) continue;
      if (row.stamp?.sizeBytes !== found.stamp.sizeBytes) continue;
      // Another time: touched as well, or a new file that got the number of the old one. The user is asked.
      const isSame = row.stamp.mtimeMs === found.stamp.mtimeMs;
      const state: UploadState = isSame ? row.state : { kind: 'held', reason: 'existing-changed' };
      const change = { state, dir, name: found.name, stamp: found.stamp };
      const stored = ledger.uploads.update(row.id, change, clock.wallMs());
      feed.record(row.id, path, { kind: 'moved', from });
      if (!isSame) announce(stored, path);
      return true;
    }
    return false;
  };

  /** The old name of a rename was seen to be gone before the new one was seen. */
  const cameBack = (active: ActiveFolder, path: string, dir: string, name: string, stamp: Stamp): boolean => {
    const before = left.get(stamp.inode);
    if (before?.folderId !== active.row.id || before.stamp?.sizeBytes !== stamp.sizeBytes) return false;
    left.delete(stamp.inode);
    keepLeft();
    const isSame = before.stamp.mtimeMs === stamp.mtimeMs;
    const isHeld = before.state.kind === 'held';
    const state: UploadState = isSame || isHeld ? before.state : { kind: 'held', reason: 'existing-changed' };
    const row = ledger.uploads.update(before.id, { present: true, dir, name, stamp, state }, clock.wallMs());
    feed.record(row.id, path, { kind: 'moved', from: joinPath(before.dir, before.name) });
    if (state !== before.state) announce(row, path);
    return true;
  };

  const remember = (row: Upload): void => {
    if (row.stamp === null || !isUnconsented(row.state)) return;
    left.set(row.stamp.inode, row);
    const [oldest] = left.keys();
    if (left.size > mostLeft && oldest !== undefined) left.delete(oldest);
    keepLeft();
  };

  /** A rename shows as two sights within seconds: the newest are all that a restart needs. */
  const keepLeft = (): void => {
    const kept: Left[] = [...left.values()]
      .slice(-mostKept)
      .map(({ id, state }) => ({ id, was: nameOf(state) }));
    ledger.facts.set('left', kept, clock.wallMs());
  };

  /** Uploaded by `outtray upload` before its folder was watched: the same file, the same link. */
  const wasGivenByHand = (active: ActiveFolder, dir: string, found: Found): boolean => {
    const row = ledger.uploads.presentAt(null, dir, found.name);
    if (row?.state.kind !== 'uploaded' || row.stamp?.key !== found.stamp?.key) return false;
    ledger.uploads.update(row.id, { folderId: active.row.id }, clock.wallMs());
    feed.statusChanged();
    return true;
  };

  const vanish = (row: Upload): void => {
    switch (row.state.kind) {
      case 'sending':
      case 'committing':
        // The worker finds out before the tail; afterwards the row is looked at again.
        return;
      case 'uploaded':
      case 'uncertain':
        ledger.uploads.update(row.id, { present: false }, clock.wallMs());
        break;
      default: {
        remember(row);
        const isOpen = row.state.kind === 'held' && row.state.reason === 'uncertain';
        const change = isOpen ? { present: false } : { present: false, state: { kind: 'gone' as const } };
        ledger.uploads.update(row.id, change, clock.wallMs());
      }
    }
    settle.forget(row.id);
    inBurst.delete(row.id);
    feed.record(row.id, joinPath(row.dir, row.name), { kind: 'gone' });
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

  return { sight, vanish, announce, judge, missing, inBurst, countAgain };
};

const isUnconsented = (state: UploadState): boolean =>
  (state.kind === 'skipped' && state.rule === 'existing') ||
  (state.kind === 'held' && unconsentedHolds.includes(state.reason));

const unconsentedHolds: readonly HoldReason[] = ['existing-changed', 'maybe-uploaded', 'burst'];

/** Set for a folder whose first scan left its subfolders out. */
export const flatFact = ({ row }: ActiveFolder): string => `flat-${row.id}`;

/** The rule may be dropped; that the file was there before stays true. */
const isSkippedByName = (known: Upload | null): boolean =>
  known?.state.kind === 'skipped' && rulesOfName.includes(known.state.rule);

/**
 * Whether a file came (or changed, or was moved here: all of them set ctime) after that time. The file system's
 * clock is coarse, so a few milliseconds count as after.
 */
const arrivedSince = (stamp: Stamp | null, sinceMs: number): boolean =>
  stamp !== null && stamp.ctimeMs >= sinceMs - clockGrainMs;
const clockGrainMs = 12;

const isWanted = (active: ActiveFolder, path: string): boolean =>
  active.existing === 'upload' || (active.existing !== 'skip' && active.existing.includes(path));
