// Why a file is where it is, in one sentence (command `why`).
import { unreachable } from '../errors.ts';
import {
  isBusy,
  type FoundBy,
  type FoundPlace,
  type HoldReason,
  type QueueGate,
  type SkipRule,
  type UploadState,
  type VerifyReason,
  type WaitReason,
} from '../model.ts';
import type { FileId } from './file-id.ts';
import { formatWait } from './formats.ts';
import { call, wording, type Wording } from './wording.ts';

/** What only the engine knows. `program`: whose file has this ending, name or pattern; empty: none is known. */
export type WhyFacts = {
  program: (mark: string) => string;
  /** How many versions of this file became links within the hour, and how long the next one has to stay unchanged. */
  versions: number;
  quietMs: number;
};

const skipSentences: Record<SkipRule, string> = {
  existing:
    'Skipped: it was in the folder before the folder was chosen, and you have not asked for it since.',
  hidden: 'Skipped: it is hidden, or lies in a hidden folder, and includeHidden is off.',
  ignored: 'Skipped: it matches an ignore pattern.',
  partial:
    'Skipped: its name is that of an unfinished download; the finished file is uploaded under its final name.',
  temporary: "Skipped: its name is that of a program's temporary file.",
  system: 'Skipped: it lies in a folder that a system or another program keeps for itself.',
  empty: 'Skipped: it is empty, and includeEmpty is off.',
  link: 'Skipped: it is a symbolic link, and links are never followed.',
  special: 'Skipped: it is a pipe, socket or device, not a regular file.',
  'too-deep':
    'Skipped: it lies below more than 128 folders, or its path is too long for this system. Move it further up.',
  unreadable:
    'Skipped: it cannot be read now, because of its permissions or a disk fault. Outtray looks again at each scan.',
  'already-shared': 'Skipped: the same content is already shared under another name; that link is offered.',
  'online-only': 'Skipped: its content is in the cloud only, not on this disk.',
  cancelled: 'Skipped: it was cancelled.',
  recalled: 'Skipped: you took its link back. It is uploaded again when it changes, or when you ask for it.',
  expired: 'Skipped: its link has expired. It is uploaded again when it changes, or when you ask for it.',
};

const holdSentences: Record<HoldReason, Wording> = {
  'secret-name': 'Held: the name looks like a secret. It stays here until you confirm it.',
  'secret-content': 'Held: the text looks like a secret. It stays here until you confirm it.',
  location:
    'Held: the photo shows where it was taken. It stays here until you confirm it, with or without its location.',
  large:
    'Held: it is larger than what goes without a question (setting burstBytes). It stays here until you confirm it.',
  burst: 'Held: a great many files arrived at once. They stay here until you confirm them.',
  uncertain:
    'Held: it was sent, but no usable answer came, so the service may have it. Outtray checks the list of files before sending it again.',
  unanswered:
    'Held: it was sent four times in a day without a usable answer, and the service does not list it. Ask the service, or raise answerTimeoutMs, then confirm it.',
  'maybe-uploaded': wording`Held: the data folder is an older copy or had to be rebuilt, and this file may have been uploaded before. Confirm it to upload it, or say with ${call('resolve')} which file of the account it is.`,
  'existing-changed':
    'Held: it was in the folder before the folder was chosen, and has changed since. Confirm it to make it public.',
};

/** What was found, and where. Null: no more is known than the reason. */
const insideSentence = ({ rule, line = null, ...place }: Partial<FoundBy & FoundPlace>): string | null => {
  const { removable, isRead } = place;
  if (removable !== undefined && !(removable && isRead === true)) {
    const what =
      isRead === true
        ? 'shows where it was taken'
        : 'may show where it was taken: it could not be read to the end';
    const how = removable
      ? 'It stays here until you confirm it, with or without its location.'
      : 'That cannot be removed from this file. It stays here until you confirm it as it is.';
    return `Held: the photo ${what}. ${how}`;
  }
  if (rule === undefined) return null;
  if (rule === 'too-large')
    return 'Held: its text is too large to search to the end, and requireLookInside is on. It stays here until you confirm it.';
  return line === null
    ? 'Held: its text took too long to search, so it may contain a secret. It stays here until you confirm it.'
    : `Held: line ${line} looks like a secret (rule ${rule}). It stays here until you confirm it.`;
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

const waitSentences: Record<WaitReason, string> = {
  settling:
    'Waiting: it is still changing, a program has it open for writing, or its writer cannot be seen from here: then it must stay unchanged for at least 10 seconds.',
  locked: 'Waiting: it cannot be opened now (permission or a lock).',
  network: 'Waiting: the service cannot be reached.',
  service: 'Waiting: the service has problems; Outtray tries again by itself.',
  budget: 'Waiting: the request budget is used up.',
  'daily-uploads': "Waiting: the account's uploads for the day are used up.",
  key: 'Waiting: the service does not accept the API key.',
  plan: 'Waiting: the plan of the account does not include the API.',
  limit: 'Waiting: a limit of the account is exceeded.',
  blocked:
    'Waiting: something on the way to the service, for example a firewall, blocks this file or cuts it short, while other files get through. Rename it, or ask the people who run the network or the service; Outtray tries again by itself.',
  rate: 'Waiting: the service asked Outtray to slow down.',
  moved: 'Waiting: the base address does not lead to the service.',
  paused: 'Waiting: the queue is paused.',
  folder: 'Waiting: the watched folder is not available.',
  disk: 'Waiting: the disk with the data folder cannot be written.',
  audit: 'Waiting: the audit file cannot be written.',
  policy: 'Waiting: the policy of this computer allows no uploads.',
  'same-name': 'Waiting: another file with the same name and size is on its way.',
  unfinished: 'Waiting: a program has not finished writing it.',
  busy: 'Waiting: the service was busy when all of it had been sent, so it may have taken it. Outtray checks the list of files and continues by itself.',
  grace: 'Waiting: it arrived a moment ago and is not public yet.',
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
export const wrongSentence = (told: VerifyReason | null): string | null =>
  told === null ? null : `Read back, ${wrongSentences[told]}`;

/** The gate's own message for the disk, the audit file or the policy: it is more exact than the reason. Null: none. */
export const diskSentence = (gate: QueueGate): Wording | null =>
  toldByGate(gate, ['disk', 'audit', 'policy']);

const toldByGate = (gate: QueueGate, reasons: readonly WaitReason[]): Wording | null =>
  gate.kind === 'closed' && reasons.includes(gate.reason)
    ? wording`Waiting: ${gate.message} ${gate.remedy}`
    : null;

export const whySentence = (
  state: UploadState,
  link: string | null,
  queue: { gate: QueueGate; paused: boolean; running: boolean },
  facts: WhyFacts,
): Wording => {
  switch (state.kind) {
    case 'settling':
      return (
        diskSentence(queue.gate) ?? (facts.versions === 0 ? waitSentences.settling : changesOften(facts))
      );
    case 'ready':
      if (queue.paused) return waitSentences.paused;
      if (queue.gate.kind === 'closed')
        return (
          toldByGate(queue.gate, ['disk', 'audit', 'policy', 'blocked']) ?? waitSentences[queue.gate.reason]
        );
      return queue.running
        ? 'Waiting: it is in the queue and is uploaded when its turn comes.'
        : 'Waiting: it is in the queue and is uploaded when Outtray runs.';
    case 'sending':
    case 'committing':
      return 'Waiting: it is on its way now.';
    case 'uncertain':
      if (!isBusy(state)) return holdSentences.uncertain;
      // The list is not asked for before the pause ends.
      if (queue.paused) return waitSentences.paused;
      return diskSentence(queue.gate) ?? waitSentences.busy;
    case 'waiting':
      // This is the pause of its folder. The pause of the queue stops only ready files.
      if (state.reason === 'paused')
        return wording`Waiting: its folder is paused (${call('folders', 'set DIR paused false')}).`;
      return state.reason === 'unfinished'
        ? unfinishedSentence(state.control, facts.program(state.control))
        : waitSentences[state.reason];
    case 'uploaded':
      return link === null ? 'Uploaded.' : `Uploaded: ${link}`;
    case 'held':
      return inZipSentence(state) ?? insideSentence(state) ?? holdSentences[state.reason];
    case 'skipped':
      // The link that it shared was taken back.
      if (state.rule === 'already-shared' && link === null) return skipSentences.recalled;
      return skipSentences[state.rule].slice(0, -1) + patternText(state, facts) + '.';
    case 'failed':
      return `Failed: ${state.message}`;
    case 'superseded':
      return 'Superseded: a newer version of this file was uploaded; this link still works.';
    case 'recalling':
      return 'Uploaded: its link is being taken back.';
    case 'recalled':
      if (state.dead) return state.isExpired ? 'Expired: its link is dead.' : 'Recalled: its link is dead.';
      return state.isExpired
        ? wording`Expired, but its link still answered, or could not be asked; ${call('recall')} tries again.`
        : wording`Recalled, but its link still answered, or could not be asked; ${call('recall')} tries again.`;
    case 'gone':
      return 'Gone: the file left the folder before it was uploaded.';
    default:
      return unreachable(state);
  }
};
