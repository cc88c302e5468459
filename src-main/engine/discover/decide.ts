// Decides what a stable file becomes, for the real run and for a plan.
import type { AppError } from '../../contract/errors.ts';
import { toAppError, unreachable } from '../../contract/errors.ts';
import { judgeByHand, type NameVerdict } from '../shared/names/name-rules.ts';
import { allowanceOf, ofZip } from '../candidate/allowance.ts';
import { candidateOf, placeFor } from '../candidate/candidate.ts';
import { refusalInside } from '../candidate/recheck.ts';
import { approvalsOf, decisionOn, decisionOnSkips } from '../candidate/content-decisions.ts';
import type { NoteContent } from '../candidate/unread.ts';
import { unfinishedBy } from '../candidate/unfinished.ts';
import {
  cutsAllPhotos,
  holdingOf,
  isReadBeside,
  reasonOf,
  type Look,
  type Stable,
} from '../inspect/inspection.ts';
import type { Approval } from '../ports/ledger.ts';
import type { Ports } from '../ports/ports.ts';
import type { SentCopy, Upload } from '../ports/uploads.ts';
import { isUnread } from '../shared/same-content.ts';
import { namedFile } from '../shared/sent-name.ts';
import { compareContent } from '../candidate/dedupe.ts';
import { judgeSettled, skipsOf, type SettledState } from './intake-rules.ts';

/** What a stable file becomes. */
export type SettledOutcome =
  /** It is looked into first. */
  | { kind: 'look' }
  /** It changed meanwhile. */
  | { kind: 'changed' }
  /** It is there, and cannot be read. */
  | { kind: 'unread'; fault: AppError }
  | { kind: 'same-file'; twin: Upload; isMoved: boolean }
  /** It waits until this control file is gone. */
  | { kind: 'unfinished'; control: string }
  | { kind: 'is'; state: SettledState; sha256?: string | null; sent?: SentCopy | null; sameAsId?: number }
  /** No link has its content. */
  | {
      kind: 'new';
      state: SettledState;
      sha256: string | null;
      sent: SentCopy | null;
      supersedesId: number | null;
    };

/**
 * Decides about a stable file, for the real run and for a plan. Writes nothing itself. `one.row` has the stamp of `one`.
 * `inside`: what the look into it found.
 */
export const decideSettled = (...given: Parameters<typeof decide>): Promise<SettledOutcome> =>
  decide(...given).catch((error: unknown) => {
    if (!isUnread(error)) throw error;
    return { kind: 'unread', fault: toAppError(error) };
  });

const decide = async (
  ports: Pick<Ports, 'files' | 'ledger' | 'settings'>,
  settling: {
    one: Stable;
    name: NameVerdict;
    maxFileSizeBytes: number | null;
    burst: 'burst' | 'large' | null;
    isToLookInto: (one: Stable) => boolean;
    note?: NoteContent;
  },
  signal: AbortSignal,
  inside?: Look,
): Promise<SettledOutcome> => {
  const { one, name, maxFileSizeBytes, burst } = settling;
  const { row, path, stamp } = one;
  const settings = ports.settings.current();
  const { includeEmpty } = settings;
  const { confirmed } = row;
  const asFound = { stamp, name, confirmed, includeEmpty, maxFileSizeBytes, burst };
  const skips = skipsOf(asFound);
  const skipped = await decisionOnSkips(ports, one, skips, inside?.sha256 ?? null, signal);
  if (skipped === 'changed') return { kind: 'changed' };
  const settled = skipped.isApproved
    ? { ...asFound, name: judgeByHand(settings, namedFile(path)), includeEmpty: true }
    : asFound;
  const allowance = await allowanceOf(ports.files, settings);
  const isZip = ports.ledger.bundled.has(row.id);
  const rules = isZip ? ofZip(allowance) : allowance;
  const candidate = candidateOf(await placeFor(ports.files, rules, path), stamp.sizeBytes, row.name);
  const inZip = isZip ? await refusalInside(ports, row, allowance) : null;
  const judged = inZip ?? judgeSettled(candidate, settled, rules);
  if (judged.kind !== 'ready' && judged.kind !== 'held') return { kind: 'is', state: judged };
  // Checked before the file is read: the content of an unfinished file decides nothing.
  const control = isZip ? null : await unfinishedBy(ports, row, stamp.sizeBytes);
  if (control === path) return { kind: 'is', state: controlItself(path) };
  if (control !== null) return { kind: 'unfinished', control };
  // If the file is to be looked into, its content is compared with earlier decisions only once, after the look.
  const isToLookInto = inside === undefined && settling.isToLookInto(one);
  if (judged.kind === 'ready' && isToLookInto) return { kind: 'look' };
  const isToCompare = inside === undefined && skipped.sha256 === null;
  if (isToCompare && isReadBeside(ports, one, judged.kind === 'held')) return { kind: 'look' };
  const read = { sha256: skipped.sha256, unread: inside?.unread };
  const answer = await decisionOn(ports, { row, stamp }, judged, read, signal, settling.note);
  if (answer === 'changed') return { kind: 'changed' };
  const { state, kept } = answer;
  if (state.kind !== 'ready') return { kind: 'is', state, sha256: answer.sha256 };
  if (kept === null && isToLookInto) return { kind: 'look' };
  const look = inside === undefined ? { held: null, sent: null } : decideInside(ports, inside);
  const { sent } = look;
  const held = kept ?? look.held;
  const known = { ...row, sha256: inside?.sha256 ?? answer.sha256 ?? row.sha256, sent };
  const compared = await compareContent(ports, known, signal);
  // A content that has a link already is not held: it is no surprise, and no new link is made.
  const isNew = compared.kind === 'new' || compared.kind === 'another';
  if (isNew && held !== null) return { kind: 'is', state: held, sha256: known.sha256 };
  switch (compared.kind) {
    case 'changed':
    case 'same-file':
      return compared;
    case 'shared':
    case 'recalled': {
      const { sha256, sameAsId } = compared;
      const rule = compared.kind === 'shared' ? 'already-shared' : compared.rule;
      return { kind: 'is', state: { kind: 'skipped', rule }, sha256, sameAsId };
    }
    case 'another':
      return { kind: 'is', state, sha256: compared.sha256, sent };
    case 'new': {
      const isNeeded = sent !== null || approvalsOf(row, skips, settings).length > 0;
      const sha256 = compared.sha256 ?? (isNeeded ? known.sha256 : null);
      return { kind: 'new', state, sha256, sent, supersedesId: compared.supersedesId };
    }
    default:
      return unreachable(compared);
  }
};

/** A file that cannot be read, until a person tries again or it changes. */
export const failedBy = ({ code, message, remedy }: AppError) => ({
  kind: 'failed' as const,
  code,
  message,
  remedy,
});

/** A control file is no file to share; names with a mark of their own were skipped before. */
const controlItself = (path: string): SettledState => ({
  kind: 'skipped',
  rule: 'partial',
  pattern: `*${path.slice(path.lastIndexOf('.'))}`,
});

/** What a look decides: the file is held, or goes as a copy; both null: it goes as it is. */
type Decided = { held: SettledState | null; sent: SentCopy | null };

/** What was found holds the file, unless a person has approved this content, or it goes without its location. */
const decideInside = (
  { ledger, settings }: Pick<Ports, 'ledger' | 'settings'>,
  { findings, sha256, copy }: Look,
): Decided => {
  const goes: Decided = { held: null, sent: null };
  if (sha256 === null) return goes;
  const isApproved = (reason: Approval): boolean => ledger.decisions.has(sha256, reason);
  const wantsCut = cutsAllPhotos(settings.current()) || isApproved('without-location');
  const { holding, goesAsCopy } = holdingOf(findings, isApproved, wantsCut && copy !== null);
  if (holding === null) return goesAsCopy ? { held: null, sent: copy } : goes;
  const { kind, ...where } = holding;
  return { held: { kind: 'held', reason: reasonOf[kind], ...where }, sent: null };
};
