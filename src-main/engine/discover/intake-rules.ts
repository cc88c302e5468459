// Intake: decides what happens with a file that is found and with a settled file, by what the ledger knows. The
// discovery loop carries the decisions out. `createBursts` counts files that arrive together.
import {
  everyVersionNames,
  holdRow,
  isByPerson,
  mayBeThere,
  skipRow,
  stateRow,
  type HoldReason,
  type KeptBy,
  type UploadState,
} from '../../contract/model.ts';
import { skippedBy, specialRule } from '../given/walk.ts';
import { refusal, type Allowance } from '../candidate/allowance.ts';
import type { IntakeCandidate } from '../candidate/candidate.ts';
import type { Found, Stamp } from '../ports/files.ts';
import type { SetAside } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';
import type { NameVerdict } from '../shared/names/name-rules.ts';
import { isSameVersion, isUnwritten } from '../shared/file-version.ts';

/** What a sighting of one path means. */
export type FoundVerdict =
  /** Nothing new. */
  | { kind: 'known' }
  /** A new row, or a new version in the same row, in this state. */
  | { kind: 'record'; state: FoundState }
  /** The path no longer holds the file that was uploaded or is uncertain. A new row is added beside the old one. */
  | { kind: 'new-version'; state: FoundState };

/** What a file is when it is found. */
export type FoundState = Extract<UploadState, { kind: 'settling' | 'skipped' | 'held' }>;

export type Sight = {
  found: Found;
  name: NameVerdict;
  /** The present row at this path, if any. */
  known: Pick<Upload, 'state' | 'confirmed' | 'sha256' | 'keptBy' | 'door'> | null;
  knownStamp: Stamp | null;
  /** A pre-existing file. */
  existing: boolean;
  /** `--existing upload` */
  existingWanted: boolean;
  /** The ledger was rebuilt and this file is older than it. */
  olderThanLedger: boolean;
  /** A person approved a file of this size in spite of the rule that skips this one. */
  mayBeApproved: boolean;
  /** A person approved the content that was read at this stamp in spite of the rule. */
  isApproved: boolean;
};

export const foundVerdict = (sight: Sight): FoundVerdict => {
  const { found, known } = sight;
  const stamp = found.type === 'file' ? found.stamp : null;
  const sameStamp = isSameVersion(sight.knownStamp?.key ?? null, stamp === null ? null : stamp.key);
  // With the same stamp its content was compared when it was skipped.
  const isCompared = known !== null && sameStamp && isSkippedByName(known.state);
  const wanted = stateWhenFound(isCompared ? { ...sight, mayBeApproved: false } : sight);
  if (known === null) return { kind: 'record', state: wanted };
  // A path that cannot be examined now does not change what was found before.
  if (found.type === 'unreadable' || found.type === 'too-deep') return { kind: 'known' };
  if (sameStamp && !isReconsidered(sight, known, wanted)) return { kind: 'known' };
  const isSameSize = stamp !== null && sight.knownStamp?.sizeBytes === stamp.sizeBytes;
  // Other rights, attributes or numbers of the disk: nothing happened to a file that is kept back.
  const isUntouched = stamp !== null && sight.knownStamp !== null && isUnwritten(sight.knownStamp, stamp);
  if (isUntouched && wanted.kind === 'settling' && !isReconsidered(sight, known, wanted)) {
    const { state } = known;
    if (staysBack(state) || (state.kind === 'held' && holdRow(state.reason).mayResolve !== true))
      return { kind: 'record', state };
  }
  /** Nothing at its path keeps it back any more, and no person asked for it. */
  const isFreed = wanted.kind === 'settling' && !known.confirmed;
  switch (known.state.kind) {
    case 'uploaded':
    case 'recalling':
    case 'uncertain':
      return { kind: 'new-version', state: wanted };
    case 'sending':
    case 'committing':
      // The upload itself finds out that the file changed, before its tail and after it. Then this version counts as a new
      // one. A version that is to stay private is recorded at once.
      return known.state.kind === 'committing' && wanted.kind === 'skipped' && wanted.rule === 'existing'
        ? { kind: 'new-version', state: wanted }
        : { kind: 'known' };
    case 'skipped':
      // The user did not consent to it when its folder was chosen. A change is no consent, and neither is a yes to the
      // existing files of the folder into which it was moved.
      // Its content was not read. With the same size it counts as the same: a copy of it was restored, or it was touched.
      if ((known.state.rule === 'existing' || known.keptBy === 'existing') && isFreed) {
        if (isSameSize && known.state.rule === 'existing') return { kind: 'record', state: known.state };
        return { kind: 'record', state: { kind: 'held', reason: 'existing-changed' } };
      }
      // Only its name kept it back for a while. The question is still open.
      if (isForEveryVersion(known.keptBy) && isFreed) {
        return { kind: 'record', state: { kind: 'held', reason: known.keptBy } };
      }
      // A no is for the content. If that was not read, a file of the same size may still have it. Otherwise the content
      // is compared when the file has settled.
      if (
        known.state.rule === 'cancelled' &&
        wanted.kind === 'settling' &&
        known.sha256 === null &&
        isSameSize
      )
        return { kind: 'record', state: known.state };
      return { kind: 'record', state: wanted };
    case 'held':
      if (known.state.reason === 'maybe-uploaded' && stamp !== null && wanted.kind === 'settling') {
        // It has the same size, so only its time may have changed. It may still be the file that was uploaded.
        return isSameSize ? { kind: 'record', state: known.state } : { kind: 'new-version', state: wanted };
      }
      if (holdRow(known.state.reason).mayResolve === true) {
        return { kind: 'new-version', state: wanted };
      }
      // A touch is no consent. The row gets the new stamp, because a rename is recognised by the stamp. With an old
      // stamp a renamed file would look new.
      if (holdRow(known.state.reason).everyVersion === true && wanted.kind === 'settling') {
        return { kind: 'record', state: known.state };
      }
      return { kind: 'record', state: wanted };
    case 'settling':
    case 'ready':
    case 'waiting':
    case 'failed':
    case 'superseded':
    case 'recalled':
    case 'gone':
      return { kind: 'record', state: wanted };
  }
};

/**
 * A person gave it, and it goes as soon as it may, as it is then: the choice of its folder is no answer about it. Where
 * its row is of the folder already, that may lie on another drive now, and another file is not the one that was given.
 */
export const goesOn = (
  { door, state, folderId, stamp }: Pick<Upload, 'door' | 'state' | 'folderId' | 'stamp'>,
  now: Stamp | null,
): boolean =>
  isByPerson(door) &&
  stateRow(state.kind).bucket === 'waiting' &&
  !mayBeThere(state) &&
  (folderId === null || stamp?.inode === now?.inode);

/**
 * The rules may have changed: a skipped file is judged again, and a file that waits may now be skipped, unless a person
 * asked for it in spite of its name.
 */
const isReconsidered = (
  { mayBeApproved, isApproved }: Sight,
  { state: before, confirmed, door }: Pick<Upload, 'state' | 'confirmed' | 'door'>,
  wanted: UploadState,
): boolean => {
  if (isSkippedByName(before))
    return wanted.kind !== 'skipped' || before.kind !== 'skipped' || wanted.rule !== before.rule;
  if (confirmed || isByPerson(door)) return false;
  const isJudged = before.kind === 'ready' || before.kind === 'waiting';
  // Only its content decides. It is read when the file settles.
  if (isJudged && mayBeApproved) return !isApproved;
  return (isJudged || before.kind === 'settling') && isSkippedByName(wanted);
};

export const isForEveryVersion = (by: KeptBy | null): by is (typeof everyVersionNames)[number] =>
  everyVersionNames.some((name) => name === by);

/** It was there before, or a person left it out. Another reason is about the content, which is compared again. */
const staysBack = (state: UploadState): state is Extract<FoundState, { kind: 'skipped' }> => {
  if (state.kind !== 'skipped') return false;
  const { follows, refused } = skipRow(state.rule);
  return follows === true || refused === true;
};

export const isSkippedByName = (state: UploadState): boolean =>
  state.kind === 'skipped' && skipRow(state.rule).byName === true;

/** What a file becomes when it is found, if nothing is known of its path. */
export const stateWhenFound = (sight: Omit<Sight, 'known' | 'knownStamp'>): FoundState => {
  const { found, name } = sight;
  const special = specialRule(found.type);
  if (special !== null) return { kind: 'skipped', rule: special };
  const state = unlessSkipped(sight);
  // Only its content shows whether a person approved it. A file that stays back for another reason is not read.
  const settlesFirst = sight.mayBeApproved && state.kind === 'settling';
  return name.kind === 'skip' && !settlesFirst ? skippedBy(name) : state;
};

const unlessSkipped = (sight: Omit<Sight, 'known' | 'knownStamp' | 'name'>): FoundState => {
  if (sight.existing && !sight.existingWanted) return { kind: 'skipped', rule: 'existing' };
  if (sight.found.onlineOnly) return { kind: 'skipped', rule: 'online-only' };
  if (sight.olderThanLedger) return { kind: 'held', reason: 'maybe-uploaded' };
  return { kind: 'settling' };
};

export type Settled = {
  stamp: Stamp;
  name: NameVerdict;
  confirmed: boolean;
  includeEmpty: boolean;
  /** The service refused a file of more bytes; null: none was refused for its size. */
  maxFileSizeBytes: number | null;
  /** Part of a burst, or too large to go unasked. */
  burst: 'burst' | 'large' | null;
};

/** The rules that skip it by its name or size, until a person approves its content. */
export const skipsOf = ({
  name,
  stamp,
  includeEmpty,
}: Pick<Settled, 'name' | 'stamp' | 'includeEmpty'>): SetAside[] => [
  ...(name.kind === 'skip' ? [name.rule] : []),
  ...(stamp.sizeBytes === 0 && !includeEmpty ? (['empty'] as const) : []),
];

/** What a stable file becomes. */
export type SettledState = Extract<UploadState, { kind: 'ready' | 'skipped' | 'held' | 'failed' }>;

/** The state of a settled file, before its content is compared with files that are already shared. */
export const settledVerdict = (settled: Settled): SettledState => {
  const { stamp, name, confirmed } = settled;
  if (name.kind === 'skip' && !confirmed) return skippedBy(name);
  if (stamp.sizeBytes === 0 && !settled.includeEmpty && !confirmed) return { kind: 'skipped', rule: 'empty' };
  if (settled.maxFileSizeBytes !== null && stamp.sizeBytes > settled.maxFileSizeBytes) {
    return {
      kind: 'failed',
      code: 'too-large',
      message: `The file has ${stamp.sizeBytes} bytes; the service refused one of ${settled.maxFileSizeBytes + 1}.`,
      remedy: 'Split the file, or ask the service for a larger plan.',
    };
  }
  const hold = holdReason(settled, confirmed);
  return hold === null ? { kind: 'ready' } : { kind: 'held', reason: hold };
};

/** The same with the administrator's rules. A skipped file is not sent, so it needs no check for refusal. */
export const judgeSettled = (
  candidate: IntakeCandidate,
  settled: Settled,
  rules: Allowance,
): SettledState => {
  const judged = settledVerdict(settled);
  return judged.kind === 'skipped' ? judged : (refusal(candidate, rules) ?? judged);
};

const holdReason = (settled: Settled, confirmed: boolean): HoldReason | null => {
  if (confirmed) return null;
  if (settled.name.kind === 'secret') return 'secret-name';
  return settled.burst;
};
