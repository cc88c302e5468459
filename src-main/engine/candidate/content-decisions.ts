// A person's decision belongs to a content. A file that was left out, or waits for an answer, stays back under every
// name, stamp, inode and mount, until a person approves this content.
import {
  fateOf,
  isByPerson,
  keptContentNames,
  skipRow,
  type HoldReason,
  type KeptContent,
  type UploadState,
} from '../../contract/model.ts';
import { skipRows } from '../../contract/catalogue/reasons.ts';
import type { Settings } from '../../contract/settings.ts';
import { isUnwritten } from '../shared/file-version.ts';
import { rootOf } from '../shared/folder.ts';
import { looksSecret } from '../shared/names/secret-names.ts';
import { joinPath } from '../shared/paths.ts';
import { digest } from '../shared/same-content.ts';
import { namedFile } from '../shared/sent-name.ts';
import { findUnread, type NoteContent, type Placed } from './unread.ts';
import { mayHaveBeenThere, wasThere } from './was-there.ts';
import type { Ports } from '../ports/ports.ts';
import type { Stamp } from '../ports/files.ts';
import type { Approval, SetAside } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';

type Decisions = Pick<Ports['ledger'], 'decisions'>;

/** What keeps the content of this row back; null: nothing, or rules that judge each file by itself. */
export const keptContentOf = ({ state }: Pick<Upload, 'state'>): KeptContent | null => {
  if (state.kind !== 'held' && state.kind !== 'skipped') return null;
  const by = fateOf(state);
  return keptContentNames.find((name) => name === by) ?? null;
};

/** A file that is kept back. */
type Kept = Extract<UploadState, { kind: 'skipped' | 'held' }>;
/** What a file becomes by its name and its burst. */
type Judged = Extract<UploadState, { kind: 'ready' | 'held' }>;

/** The state of a file whose content is kept back. */
export const stateOfKept = (by: KeptContent): Kept =>
  by === 'existing' || by === 'cancelled' || by === 'expired'
    ? { kind: 'skipped', rule: by }
    : { kind: 'held', reason: by };

type Asking = Pick<Upload, 'door' | 'confirmed' | 'wantsAnother'>;
/**
 * A person has asked for this row: gave the file by path, confirmed it, or wants another link. A file that an agent gives
 * does not count.
 */
const isAskedFor = ({ door, confirmed, wantsAnother }: Asking): boolean =>
  confirmed || wantsAnother || isByPerson(door);

/**
 * A person has confirmed it although its name looks like a secret. Its content is no surprise, so it is not searched. With
 * another stamp the row is not confirmed any more.
 */
export const isKnownSecret = (
  { confirmed, dir, name }: Pick<Upload, 'confirmed' | 'dir' | 'name'>,
  { holdSecrets }: Pick<Settings, 'holdSecrets'>,
): boolean => confirmed && holdSecrets && looksSecret(namedFile(joinPath(dir, name)));

/**
 * What a person's yes to this row allows besides the reason for which it was held. `skips`: the rules that skip it. A
 * person who confirms a file with a secret name expects a secret in it.
 */
export const approvalsOf = (
  row: Pick<Upload, 'confirmed' | 'dir' | 'name'>,
  skips: readonly SetAside[],
  settings: Pick<Settings, 'holdSecrets'>,
): Approval[] => {
  if (!row.confirmed) return [];
  return isKnownSecret(row, settings) ? [...skips, 'secret-name', 'secret-content'] : [...skips];
};

/**
 * Whether a person approved this content in spite of these rules. The file is read only if the row is confirmed, so that
 * the approval is kept for its content, or if one of its size was approved.
 */
export const decisionOnSkips = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  { row, stamp }: { row: Upload; stamp: Stamp },
  skips: readonly SetAside[],
  knownSha256: string | null,
  signal: AbortSignal,
): Promise<'changed' | { isApproved: boolean; sha256: string | null }> => {
  const { decisions } = ports.ledger;
  const isWorthIt = row.confirmed || skips.every((rule) => decisions.knowsSize(stamp.sizeBytes, rule));
  if (skips.length === 0 || !isWorthIt) return { isApproved: false, sha256: knownSha256 };
  const sha256 = knownSha256 ?? (await contentOf(ports, { row, stamp }, signal));
  if (sha256 === null) return 'changed';
  const key = keyOfSetAside(stamp, sha256);
  return { isApproved: !row.confirmed && skips.every((rule) => decisions.has(key, rule)), sha256 };
};

/** Whether a person approved the content of this row in spite of this rule. False for a content that was not read. */
export const isSkipApproved = (
  { decisions }: Decisions,
  { stamp, sha256 }: Pick<Upload, 'stamp' | 'sha256'>,
  rule: SetAside,
): boolean => stamp !== null && sha256 !== null && decisions.has(keyOfSetAside(stamp, sha256), rule);

/** All empty files have the same content, so a yes to one of them is for that file and not for its content. */
const keyOfSetAside = ({ sizeBytes, inode, bornMs }: Stamp, sha256: string): string =>
  sizeBytes === 0 ? `empty:${inode}:${bornMs ?? ''}` : sha256;

/** Stores what a yes allows. */
export const keepApprovals = (
  { decisions }: Decisions,
  approvals: readonly Approval[],
  stamp: Stamp,
  sha256: string,
): void => {
  for (const said of approvals)
    decisions.add(said in skipRows ? keyOfSetAside(stamp, sha256) : sha256, said, stamp.sizeBytes);
};

/** The hash of the file; null: it changed meanwhile. */
const contentOf = (
  ports: Pick<Ports, 'files' | 'ledger'>,
  { row, stamp }: { row: Upload; stamp: Stamp },
  signal: AbortSignal,
): Promise<string | null> | string =>
  row.sha256 ?? digest(ports, joinPath(row.dir, row.name), rootOf(ports.ledger, row), stamp.key, signal);

/** Whether an answer may concern a content of this size, so that a file is worth reading. */
export const isAnsweredSize = (
  { decisions, uploads }: Pick<Ports['ledger'], 'decisions' | 'uploads'>,
  sizeBytes: number,
): boolean =>
  decisions.knowsSize(sizeBytes) || uploads.unreadNoes(sizeBytes, Number.MAX_SAFE_INTEGER, 1).length > 0;

/** A refused file that has this content and keeps this row back, of those whose content is not known yet. */
export const findUnreadNo = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  { row, stamp, sha256 }: { row: Placed & Asking; stamp: Stamp; sha256: string },
  signal: AbortSignal,
  note?: NoteContent,
): Promise<Upload | 'changed' | null> => {
  if (isAskedFor(row)) return null;
  const { uploads } = ports.ledger;
  const unread = (belowId: number, limit: number): Upload[] =>
    uploads.unreadNoes(stamp.sizeBytes, belowId, limit);
  // Where no folder is watched nothing looks at the old path of a file that was moved.
  const itself = uploads
    .presentByInode(stamp.inode)
    .find((one) => one.id !== row.id && isUnreadNo(one) && isUnwritten(one.stamp, stamp));
  return itself ?? findUnread(ports, { row, sha256 }, unread, signal, note);
};

/** As the ledger's `unreadNoes`. */
const isUnreadNo = ({ state, sha256 }: Upload): boolean =>
  sha256 === null && state.kind === 'skipped' && skipRow(state.rule).keepsContent === true;

/** Whether files of this size that were not read yet may keep this row back: they are read to find out. */
export const hasUnreadLike = (
  { uploads }: Pick<Ports['ledger'], 'uploads'>,
  { row, stamp }: { row: Asking; stamp: Stamp },
): boolean =>
  stamp.sizeBytes > 0 &&
  !isAskedFor(row) &&
  [uploads.existing.unread, uploads.unreadNoes].some(
    (unread) => unread(stamp.sizeBytes, Number.MAX_SAFE_INTEGER, 1).length > 0,
  );

/** What files that were not read yet say about this content, as far as the ledger does not say it. Reads them. */
export const keptByUnread = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  one: { row: Upload; stamp: Stamp; sha256: string },
  signal: AbortSignal,
  note?: NoteContent,
): Promise<KeptContent | 'changed' | null> => {
  const { row, stamp, sha256 } = one;
  const mayBeExisting = !isAskedFor(row) && mayHaveBeenThere(ports.ledger, { ...row, stamp });
  const isExisting = mayBeExisting && (await wasThere(ports, one, signal, note));
  if (isExisting === 'changed') return 'changed';
  if (isExisting) return 'existing';
  if (keptContent(ports.ledger, row, sha256) !== null) return null;
  const no = await findUnreadNo(ports, one, signal, note);
  return no === null || no === 'changed' ? no : keptContentOf(no);
};

/** What keeps this content back for this row. */
export const keptContent = ({ decisions }: Decisions, row: Upload, sha256: string): KeptContent | null =>
  isAskedFor(row) ? null : decisions.keptBy(sha256);

/** Whether a person approved this content although it was held for this reason. */
const isApproved = ({ decisions }: Decisions, sha256: string, reason: HoldReason): boolean =>
  decisions.has(sha256, reason);

/**
 * What a person decided about the content of this file. `state`: what it becomes by its name and burst; ready if a
 * person approved the content. `kept`: what keeps it back if no link has it. Reads the file only if a decision may exist.
 * `unread`: what `keptByUnread` has found; undefined: it was not asked. Meanwhile a person may have asked for the row.
 */
export const decisionOn = async (
  ports: Pick<Ports, 'files' | 'ledger' | 'settings'>,
  { row, stamp }: { row: Upload; stamp: Stamp },
  judged: Judged,
  { sha256: knownSha256, unread: found }: { sha256: string | null; unread: KeptContent | null | undefined },
  signal: AbortSignal,
  note?: NoteContent,
): Promise<'changed' | { state: Judged | Kept; kept: Kept | null; sha256: string | null }> => {
  const { ledger } = ports;
  const isHeld = judged.kind === 'held';
  const read = isAskedFor(row) ? null : found;
  const mayBeExisting = !isAskedFor(row) && mayHaveBeenThere(ledger, { ...row, stamp });
  const mayBeSaid = (isHeld || !isAskedFor(row)) && isAnsweredSize(ledger, stamp.sizeBytes);
  const isFound = read !== undefined && read !== null;
  const isWorthIt = mayBeSaid || mayBeExisting || isFound;
  // A yes that was given before the content was read is for the content at the same stamp.
  const isYes = isKnownSecret(row, ports.settings.current());
  if (!isWorthIt && !isYes) return { state: judged, kept: null, sha256: knownSha256 };
  const sha256 = knownSha256 ?? (await contentOf(ports, { row, stamp }, signal));
  if (sha256 === null) return 'changed';
  const unread = read === undefined ? await keptByUnread(ports, { row, stamp, sha256 }, signal, note) : read;
  if (unread === 'changed') return 'changed';
  const by = unread === 'existing' ? unread : (keptContent(ledger, row, sha256) ?? unread);
  const kept = by === null ? null : stateOfKept(by);
  // A refusal outranks a question, and a question outranks what keeps other files with this content back.
  if (kept?.kind === 'skipped')
    return isHeld ? { state: kept, kept, sha256 } : { state: judged, kept, sha256 };
  if (isHeld && !isApproved(ledger, sha256, judged.reason)) return { state: judged, kept: null, sha256 };
  return { state: { kind: 'ready' }, kept, sha256 };
};
