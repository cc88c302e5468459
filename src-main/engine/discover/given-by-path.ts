// Files given by hand (`outtray upload`, a drop on the window). They use the same rows and the same protocol, but they
// need no watched folder.
import { call, wording } from '../../contract/text/wording.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import {
  fateOf,
  holdRow,
  isTakenBack,
  isUnwanted,
  mayBeThere,
  skipRow,
  stateRow,
  type Door,
} from '../../contract/model.ts';
import type { AgentShare } from '../limiter/agent-share.ts';
import { findUnreadNo } from '../candidate/content-decisions.ts';
import { wasThere } from '../candidate/was-there.ts';
import { isHeldUncertain } from '../shared/same-content.ts';
import { staysConfirmed } from '../shared/file-version.ts';
import { splitPath } from '../shared/paths.ts';
import type { Found, Stamp } from '../ports/files.ts';
import type { PackedFile } from '../ports/ledger.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import type { UploadEvent } from '../state/events.ts';
import type { Rows } from '../state/rows.ts';
import { failedBy } from './decide.ts';

/** At most this many rows share one flush of the disk. More rows would block other work for too long. */
const mostAtOnce = 50;

/** An agent asks. `mayReopen`: uploads that were cancelled for it, not by a person. */
export type ByAgent = { mayReopen: readonly number[] };

/** `share`: what agents may ask for. `andThen`: what else is asked for, in the same transaction. */
export type HowGiven = {
  again: boolean;
  door: Door;
  agent: ByAgent | null;
  share: AgentShare;
  andThen: (row: Upload) => Upload;
};

type Looked = { path: string; found: Found | Error | null };

/** `row` null: no regular file is at the path, so nothing is recorded. */
export type Taken = { path: string; row: Upload } | { path: string; row: null; error: AppError };

/**
 * Returns the row of each path, new or known, in the given order. A path that is no regular file is refused, as is what
 * agents have no share left for. `folderIdOf`: a file of a watched folder keeps its one row, also when it is given by
 * hand.
 */
export const addByHand = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  rows: Pick<Rows, 'apply' | 'insert'>,
  folderIdOf: (path: string) => number | null,
  paths: readonly string[],
  { again, door, agent, share, andThen }: HowGiven,
): Promise<Taken[]> => {
  const { files, ledger } = ports;
  const given: Taken[] = [];
  /** A person who said no to an upload that is on its way, or may be there, gives the same version after all. */
  const wanted = (row: Upload): Upload => {
    if (agent !== null || !isUnwanted(row.state)) return row;
    const now = rows.apply(row.id, { kind: 'kept' });
    return now === 'stale' ? row : now;
  };
  /** In a transaction. */
  const taken = (looked: Looked, left: { requests: number }): Taken => {
    const { path } = looked;
    const what = judgeGiven(ledger, folderIdOf, looked, { again, agent });
    if (what.kind === 'stays') return { path, row: andThen(wanted(what.row)) };
    if (what.kind === 'refused') return { path, row: null, error: what.error };
    if (agent !== null && left.requests < 1) return { path, row: null, error: share.refusal() };
    left.requests -= 1;
    return { path, row: andThen(rowOf(path, what)) };
  };
  const rowOf = (path: string, what: Extract<GivenFile, { kind: 'begins' }>): Upload => {
    const { known, isBeside, folderId, state, stamp, confirmed, wantsAnother } = what;
    const asked = { confirmed, wantsAnother, door };
    if (agent !== null && known !== null && known.sha256 !== null && mayReopen(ledger, known, agent))
      ledger.decisions.release(known.sha256);
    if (known !== null && !isBeside) {
      if (known.folderId !== folderId) rows.apply(known.id, { kind: 'folder-changed', folderId });
      const now = rows.apply(known.id, { kind: 'version-found', state, stamp, ...asked });
      return now === 'stale' ? known : now;
    }
    if (known !== null) rows.apply(known.id, { kind: 'replaced' });
    const sameAsId = known?.id ?? null;
    return rows.insert({
      folderId,
      ...splitPath(path),
      stamp,
      state,
      sameAsId,
      graceOver: agent === null,
      ...asked,
    });
  };
  for (let at = 0; at < paths.length; at += mostAtOnce) {
    const looked: Looked[] = [];
    for (const path of paths.slice(at, at + mostAtOnce)) {
      looked.push({ path, found: await files.look(path).catch((error: unknown) => toAppError(error)) });
    }
    given.push(
      ...ledger.atomically(() => {
        const left = { requests: agent === null ? Infinity : share.left() };
        return looked.map((one) => taken(one, left));
      }),
    );
  }
  return given;
};

/** What a given path becomes. `isBeside`: the known row keeps its outcome, and a new row stands for the file. */
export type GivenFile =
  | { kind: 'refused'; error: AppError }
  | { kind: 'stays'; row: Upload }
  | {
      kind: 'begins';
      known: Upload | null;
      isBeside: boolean;
      folderId: number | null;
      state: Given;
      stamp: Stamp | null;
      confirmed: boolean;
      wantsAnother: boolean;
    };

/** Decides what a given path becomes, for the real run and for a plan. Writes nothing. */
export const judgeGiven = (
  ledger: Pick<Ports['ledger'], 'uploads' | 'remote' | 'accounts'>,
  folderIdOf: (path: string) => number | null,
  { path, found }: Looked,
  { again, agent }: { again: boolean; agent: ByAgent | null },
): GivenFile => {
  /** The upload whose link it is, or was. */
  const linked = (row: Upload): Upload => {
    const { state, sameAsId } = row;
    const isAnothers = state.kind === 'skipped' && skipRow(state.rule).hadLink === true;
    return (isAnothers && sameAsId !== null ? ledger.uploads.byId(sameAsId) : null) ?? row;
  };
  /** Its link, or the one that it shares, is deleted, taken back, or in another account. So giving the file again asks for a new link. */
  const isDeleted = (row: Upload): boolean => {
    const { state, fileId, accountId, idTakenAtMs } = linked(row);
    if (accountId !== ledger.accounts.present() || idTakenAtMs !== null) return true;
    return isTakenBack(state) || ledger.remote.isGone(fileId);
  };
  const refused = found instanceof Error ? null : refusalOf(found);
  if (refused !== null) return { kind: 'refused', error: refused };
  const state = found instanceof Error ? failedBy(toAppError(found)) : ({ kind: 'settling' } as const);
  const stamp = found === null || found instanceof Error ? null : found.stamp;
  const folderId = folderIdOf(path);
  const known = rowAt(ledger.uploads, folderId, path);
  const begins = { kind: 'begins' as const, known, folderId, state, stamp };
  const asked = { confirmed: false, wantsAnother: again };
  if (known === null) return { ...begins, isBeside: false, ...asked };
  /** An earlier wish for another link, or a link that was taken back, may be about another file at this path. */
  const isSame = stamp !== null && known.stamp?.key === stamp.key;
  const isOfOther = known.folderId !== null && known.folderId !== folderId;
  if (isSame && !again && !isOfOther && isDealtWith(known) && !isDeleted(known))
    return { kind: 'stays', row: known };
  const wantsAgain = again || (isSame && isTakenBack(known.state));
  const beside = {
    ...begins,
    isBeside: true,
    confirmed: staysConfirmed(known, stamp),
    wantsAnother: wantsAgain,
  };
  if (agent !== null && isForPerson(known, isSame, agent)) return { kind: 'stays', row: known };
  // The old row keeps its open question. The new version gets a row of its own.
  if (isHeldUncertain(known.state)) return beside;
  switch (known.state.kind) {
    case 'sending':
    case 'committing':
      // A no, and a tail that has left, are for the content that is on its way. Before the tail its worker finds out
      // whether the file changed.
      if (!isSame && (isUnwanted(known.state) || known.state.kind === 'committing')) return beside;
      return { kind: 'stays', row: known };
    case 'uploaded':
    case 'recalling':
    case 'uncertain':
      return beside;
    default: {
      const confirmed = staysConfirmed(known, stamp);
      const wantsAnother = again || (isSame && (known.wantsAnother || isTakenBack(linked(known).state)));
      return { ...begins, isBeside: false, confirmed, wantsAnother };
    }
  }

  /** A person left it out, took its link back, or has to decide. */
  function isForPerson(row: Upload, isSameVersion: boolean, by: ByAgent): boolean {
    const { state } = row;
    if (isSameVersion && (isTakenBack(state) || isDeleted(row))) return true;
    // It waits as its folder wants it.
    if (isSameVersion && !isOfOther && (state.kind === 'settling' || state.kind === 'waiting')) return true;
    // Another version is judged again, unless it waits for a person, too.
    if (state.kind === 'held') return isSameVersion || holdRow(state.reason).everyVersion === true;
    if (state.kind !== 'skipped') return false;
    if (state.rule === 'existing') return true;
    return isSameVersion && state.rule === 'cancelled' && !mayReopen(ledger, row, by);
  }
};

/**
 * The present row of a path: in its watched folder, else the one that was given before that was watched. Where none is
 * watched: also what a folder that was watched has left undone.
 */
const rowAt = (uploads: Ports['ledger']['uploads'], folderId: number | null, path: string): Upload | null => {
  const { dir, name } = splitPath(path);
  const known = uploads.presentAt(folderId, dir, name) ?? uploads.presentAt(null, dir, name);
  if (known !== null || folderId !== null) return known;
  const left = uploads.atPath(dir, name, mostAtPath).find(({ present }) => present) ?? null;
  return left !== null && isOpen(left) ? left : null;
};

/** More than the files of one path that are there, and that have a link. */
const mostAtPath = 500;

/** It is on its way, or waits for its turn or for a person. */
const isOpen = ({ state }: Upload): boolean => {
  const { phase } = stateRow(state.kind);
  return phase === 'under-way' || (phase === 'idle' && !mayBeThere(state));
};

/** It was cancelled for this agent, and no person has left its content out, under whatever name. */
const mayReopen = (
  { uploads }: Pick<Ports['ledger'], 'uploads'>,
  { id, sha256 }: Upload,
  { mayReopen: cancelled }: ByAgent,
): boolean =>
  cancelled.includes(id) &&
  (sha256 === null ||
    uploads
      .bySha('skipped', sha256)
      .every((one) => fateOf(one.state) !== 'cancelled' || cancelled.includes(one.id)));

/** Whether its content is left out, waits for a person or was taken back, so that no agent packs it either. */
export const isKeptFromAgents = async (
  { files, ledger }: Pick<Ports, 'files' | 'ledger'>,
  folderIdOf: (path: string) => number | null,
  { path, sha256, whole }: Pick<PackedFile, 'path' | 'sha256' | 'whole'>,
  agent: ByAgent,
  signal: AbortSignal,
): Promise<boolean> => {
  const found = await files.look(path).catch((error: unknown) => toAppError(error));
  const what = judgeGiven(ledger, folderIdOf, { path, found }, { again: false, agent });
  const known = what.kind === 'refused' ? null : what.kind === 'stays' ? what.row : what.known;
  if (known !== null && mayReopen(ledger, known, agent)) return false;
  const { uploads, decisions } = ledger;
  const isLeftOut = (sha256: string): boolean =>
    decisions.keptBy(sha256) !== null ||
    (uploads.uploadedBySha(sha256).length === 0 && uploads.recalledBySha(sha256) !== null);
  if (isLeftOut(whole) || isLeftOut(sha256)) return true;
  const stamp = found === null || found instanceof AppError ? null : found.stamp;
  if (stamp !== null) {
    const asking = { door: 'agent' as const, confirmed: false, wantsAnother: false };
    const row = { id: 0, folderId: null, ...asking, ...splitPath(path) };
    const one = { row, stamp, sha256: whole };
    // Not to an agent while it is not known.
    if ((await wasThere({ files, ledger }, one, signal)) !== false) return true;
    if ((await findUnreadNo({ files, ledger }, one, signal)) !== null) return true;
  }
  if (what.kind !== 'stays') return false;
  const { state } = what.row;
  if (state.kind === 'held') return holdRow(state.reason).everyVersion === true;
  return isTakenBack(state) || (state.kind === 'skipped' && !isDealtWith(what.row));
};

/** Giving the file again changes nothing: it has a link, has a place in the queue, or waits for a person's answer. */
const isDealtWith = ({ state, graceOver }: Upload): boolean => {
  switch (state.kind) {
    case 'settling':
      // What arrived in the folder by itself would wait there: in its time of grace, or while the folder is paused.
      return graceOver;
    case 'uploaded':
    case 'uncertain':
    case 'ready':
    case 'sending':
    case 'committing':
      return true;
    case 'held':
      return holdRow(state.reason).everyVersion !== true;
    case 'skipped':
      return state.rule === 'already-shared' || state.rule === 'empty';
    case 'waiting':
    case 'failed':
    case 'superseded':
    case 'recalling':
    case 'recalled':
    case 'gone':
      return false;
  }
};

/** The first state of a file that is given by path. */
type Given = Extract<
  Extract<UploadEvent, { kind: 'version-found' }>['state'],
  { kind: 'settling' | 'failed' }
>;

/** Null for a regular file. */
const refusalOf = (found: Found | null): AppError | null => {
  if (found === null) return new AppError('gone', 'There is no such file.', 'Check the path.');
  if (found.type === 'file') return null;
  const [what, remedy] = notFiles[found.type];
  return new AppError('not-a-file', `This is ${what}.`, remedy);
};

const notFiles = {
  folder: ['a folder', wording`Name the files in it, or use ${call('upload', '--recursive')}.`],
  link: ['a symbolic link', 'Links are never followed; name the file itself.'],
  special: ['no regular file', 'Name a regular file.'],
  'too-deep': ['a path that is too long for this system', 'Move the file further up.'],
  unreadable: ['something that cannot be read', 'Check its rights and its disk.'],
} as const;
