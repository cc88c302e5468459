// Why a file is where it is, in one sentence (command `why`).
import { unreachable } from '../errors.ts';
import { en, type WordKey } from '../locales/words.ts';
import {
  isBusy,
  isUnwanted,
  type FoundBy,
  type FoundPlace,
  type HoldReason,
  type QueueGate,
  type SkipRule,
  type UploadState,
  type VerifyReason,
  type WaitReason,
} from '../model.ts';
import type { LinkLook } from '../files/taken-back.ts';
import type { FileId } from './file-id.ts';
import { formatWait } from './formats.ts';
import { call, sentences, wording, type Wording } from './wording.ts';

/** What only the engine knows. `program`: whose file has this ending, name or pattern; empty: none is known. */
export type WhyFacts = {
  program: (mark: string) => string;
  /** How many versions of this file became links within the hour, and how long the next one has to stay unchanged. */
  versions: number;
  quietMs: number;
};

/** The window's words in English, as a sentence that begins after a colon. A terminal gets straight quotes. */
export const reasonWords = (key: WordKey, values: Record<string, string | number> = {}): string => {
  const text = en[key]
    .replaceAll('’', "'")
    .replaceAll(/\{(\w+)(?:, number)?\}/g, (_, name: string) => String(values[name] ?? ''));
  return text.charAt(0).toLowerCase() + text.slice(1);
};

const whenAskedFor = 'It is uploaded again when it changes, or when you ask for it.';

/** What the command adds to the window's words. */
const moreOnSkips: Partial<Record<SkipRule, string>> = {
  existing: 'You have not asked for it since.',
  hidden: 'The file or a folder above it is hidden, and includeHidden is off.',
  partial: 'The finished file is uploaded under its final name.',
  temporary: 'Its name is that of a file that a program makes for itself.',
  system: 'A system or another program keeps this folder for itself.',
  empty: 'The setting includeEmpty is off.',
  link: 'Links are never followed.',
  special: 'It is a pipe, socket or device.',
  'too-deep': 'Move it further up: below at most 128 folders.',
  unreadable: 'Its permissions or the disk do not allow it. Outtray looks again at each scan.',
  'already-shared': 'The same content has a link under another name; that link is offered.',
  'online-only': 'Its content is only in the cloud.',
  recalled: whenAskedFor,
  expired: whenAskedFor,
};

const moreOnHolds: Partial<Record<HoldReason, Wording>> = {
  large: 'The setting burstBytes says what goes without a question.',
  uncertain: 'Outtray checks the list of files before sending it again.',
  unanswered: 'If the service needs longer to answer, raise answerTimeoutMs first.',
  'maybe-uploaded': wording`Confirm it to upload it, or say with ${call('resolve')} which file of the account it is.`,
  'existing-changed': 'Confirm it to make it public.',
};

const moreOnWaits: Partial<Record<WaitReason, string>> = {
  settling: 'Where its writer cannot be seen, it must stay unchanged for at least 10 seconds.',
  locked: 'Or its permissions forbid it.',
  service: 'Outtray tries again by itself.',
  blocked:
    'It may be a firewall: other files get through. Or ask the people who run the network or the service. Outtray tries again by itself.',
};

const skipped = (rule: SkipRule, pattern = ''): Wording =>
  sentences(`Skipped: ${reasonWords(`skip.${rule}`)}${pattern}.`, moreOnSkips[rule] ?? '');
const held = (reason: HoldReason): Wording =>
  sentences(`Held: ${reasonWords(`hold.${reason}`)}`, moreOnHolds[reason] ?? '');
const waiting = (reason: WaitReason): Wording =>
  sentences(`Waiting: ${reasonWords(`wait.${reason}`)}.`, moreOnWaits[reason] ?? '');

const untilConfirmed = 'It stays here until you confirm it';

/** What was found, and where. Null: no more is known than the reason. */
const insideSentence = ({ rule, line = null, ...place }: Partial<FoundBy & FoundPlace>): string | null => {
  const { removable, isRead } = place;
  if (removable !== undefined) {
    const what = isRead === true ? (removable ? 'removable' : 'kept') : 'unread';
    const how = removable
      ? `${untilConfirmed}, with or without its location.`
      : `${isRead === true ? '' : 'It could not be removed. '}${untilConfirmed} as it is.`;
    return `Held: ${reasonWords(`hold.location.${what}`)} ${how}`;
  }
  if (rule === undefined) return null;
  const found = rule === 'too-large' ? 'too-large' : line === null ? 'not-read' : 'at';
  const setting = rule === 'too-large' ? ' The setting requireLookInside is on.' : '';
  return `Held: ${reasonWords(`hold.secret-content.${found}`, { rule, line: line ?? 0 })}${setting} ${untilConfirmed}.`;
};

/** Of a zip: which of its files keeps it back. */
const inZipSentence = ({
  reason,
  inZip,
  rule,
  line,
}: Extract<UploadState, { kind: 'held' }>): string | null => {
  if (inZip === undefined) return null;
  const { name, others } = inZip;
  const more = others === 0 ? '' : ` ${others} more of its files would be held, too.`;
  const what =
    reason === 'location'
      ? 'shows, or may show, where a photo was taken'
      : reason === 'secret-name'
        ? 'has a name that looks like a secret'
        : rule === 'too-large'
          ? 'is too large to search to the end'
          : line === undefined || line === null
            ? 'took too long to search, so it may contain a secret'
            : `looks like a secret in line ${line} (rule ${rule})`;
  return `Held: ${name} in this zip ${what}.${more} The zip stays here until you confirm it.`;
};

const changesOften = ({ versions, quietMs }: WhyFacts): Wording => {
  const rest = formatWait('en', quietMs);
  const links = versions === 1 ? 'one version of it got a link' : `${versions} versions of it got links`;
  return wording`Waiting: it changes often, and ${links} within the hour. The next version is uploaded after ${rest} without a change; ${call('upload', '--again')} sends it now.`;
};

const unfinishedSentence = (control: string, program: string): string =>
  `Waiting: it is unfinished, because ${program} keeps its control file ${control}. It is uploaded when that is gone: finish the download, or delete the control file if the file is whole.`;

/** A pattern of the user's own names no program, also where a program has the same pattern. */
const patternText = (
  { rule, pattern }: Extract<UploadState, { kind: 'skipped' }>,
  { program: of }: WhyFacts,
): string => {
  if (pattern === undefined) return '';
  if (rule === 'ignored') return ` (pattern ${pattern})`;
  const program = of(pattern);
  return program === '' ? ` (pattern ${pattern})` : ` (pattern ${pattern}: ${program})`;
};

/** Null when the account has no copies of the file. */
export const copiesSentence = (copies: readonly FileId[]): Wording | null => {
  if (copies.length === 0) return null;
  const others = copies.length === 1 ? 'another file' : `${copies.length} other files`;
  const ids = `${copies.length === 1 ? 'id' : 'ids'} ${copies.join(', ')}`;
  return wording`The account has ${others} of this name and size (${ids}). A proxy may have sent the upload twice; delete the copy you do not need: ${call('delete', copies.join(' '))}.`;
};

const wrongSentences: Record<VerifyReason, string> = {
  gone: 'the link is dead; the service does not have the file.',
  differs: 'the link serves DIFFERENT bytes from those that were sent. Do not use them.',
  unreachable: 'the link could not be read, or leads elsewhere. Try again later.',
  'unknown-content': 'what the link should serve is not known on this machine.',
};

/** What a read of a link has found, without its name. */
export const proofSentence = (reason: VerifyReason | null): string =>
  reason === null ? 'the link serves exactly what was sent.' : wrongSentences[reason];

/** Null when the link is not read back, or nothing is wrong with it. */
export const wrongSentence = (reason: VerifyReason | null): string | null =>
  reason === null ? null : `Read back, ${wrongSentences[reason]}`;

/** The gate's own message for the disk, the audit file or the policy: it is more exact than the reason. Null: none. */
export const diskSentence = (gate: QueueGate): Wording | null =>
  toldByGate(gate, ['disk', 'audit', 'policy']);

const toldByGate = (gate: QueueGate, reasons: readonly WaitReason[]): Wording | null =>
  gate.kind === 'closed' && reasons.includes(gate.reason)
    ? wording`Waiting: ${gate.message} ${gate.remedy}`
    : null;

/** What becomes of an upload that a person does not want. Null: it is not on its way, or wanted. */
export const unwantedSentence = (state: UploadState): string | null => {
  if (!isUnwanted(state)) return null;
  return state.kind === 'uncertain'
    ? 'Being taken back: its answer was lost. Outtray looks for it, and deletes it if it is there.'
    : 'Being taken back: the upload stops before its last bytes, or its link is taken back.';
};

const queueIsPaused = 'Waiting: the queue is paused.';

export const whySentence = (
  state: UploadState,
  link: string | null,
  queue: { gate: QueueGate; paused: boolean; running: boolean },
  facts: WhyFacts,
): Wording => {
  switch (state.kind) {
    case 'settling':
      return diskSentence(queue.gate) ?? (facts.versions === 0 ? waiting('settling') : changesOften(facts));
    case 'ready':
      if (queue.paused) return queueIsPaused;
      if (queue.gate.kind === 'closed')
        return toldByGate(queue.gate, ['disk', 'audit', 'policy', 'blocked']) ?? waiting(queue.gate.reason);
      return queue.running
        ? 'Waiting: it is in the queue and is uploaded when its turn comes.'
        : 'Waiting: it is in the queue and is uploaded when Outtray runs.';
    case 'sending':
    case 'committing':
      return unwantedSentence(state) ?? 'Waiting: it is on its way now.';
    case 'uncertain':
      if (!isBusy(state) || isUnwanted(state)) return unwantedSentence(state) ?? held('uncertain');
      // The list is not asked for before the pause ends.
      if (queue.paused) return queueIsPaused;
      return diskSentence(queue.gate) ?? waiting('busy');
    case 'waiting':
      // This is the pause of its folder. The pause of the queue stops only ready files.
      if (state.reason === 'paused')
        return wording`Waiting: its folder is paused (${call('folders', 'set DIR paused false')}).`;
      return state.reason === 'unfinished'
        ? unfinishedSentence(state.control, facts.program(state.control))
        : waiting(state.reason);
    case 'uploaded':
      return link === null ? 'Uploaded.' : `Uploaded: ${link}`;
    case 'held':
      return inZipSentence(state) ?? insideSentence(state) ?? held(state.reason);
    case 'skipped':
      // The link that it shared was taken back.
      if (state.rule === 'already-shared' && link === null) return skipped('recalled');
      return skipped(state.rule, patternText(state, facts));
    case 'failed':
      return `Failed: ${state.message}`;
    case 'superseded':
      return 'Superseded: a newer version of this file was uploaded; this link still works.';
    case 'recalling':
      return 'Uploaded: its link is being taken back.';
    case 'recalled':
      if (state.dead) return state.isExpired ? 'Expired: its link is dead.' : 'Recalled: its link is dead.';
      return openSentence(state.isExpired ? 'Expired' : 'Recalled', state.look);
    case 'gone':
      return 'Gone: the file left the folder before it was uploaded.';
    default:
      return unreachable(state);
  }
};

/** Of a link that was taken back and is not dead. An earlier version did not record what its look had found. */
const openSentence = (past: string, look: LinkLook | undefined): Wording => {
  const again = wording`Outtray checks it again by itself; ${call('recall')} does so at once.`;
  if (look === undefined) return wording`${past}, but whether its link is dead is not known. ${again}`;
  if ('noAnswer' in look)
    return wording`${past}, but its link could not be checked: ${look.noAnswer} ${again}`;
  const { answer } = look;
  const what =
    answer === 'file'
      ? 'serves the file'
      : answer === 'other-bytes'
        ? 'serves something'
        : `answers (${answer})`;
  return wording`${past}, but its link still ${what}. ${again}`;
};
