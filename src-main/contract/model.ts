// The words that every process shares: what a file in Outtray can be, and what the window and the command show.
import type { Wording } from './text/wording.ts';
import {
  holdRows,
  skipRows,
  waitRows,
  type HoldRow,
  type SkipRow,
  type WaitRow,
} from './catalogue/reasons.ts';
import { namesWith, type NamesWith } from './catalogue/rows-with.ts';
import { stateRows, type StateRow } from './catalogue/states.ts';
import type { LinkLook, LinkState } from './files/taken-back.ts';
import type { FileId } from './text/file-id.ts';
import type { StorageFault } from './errors.ts';

/** The five ends of every file in the folder (README.md, promise 1). They add up to what the folder holds. */
export type Bucket = Exclude<StateRow['bucket'], null>;
export type Counts = Record<Bucket, number>;

type Skips = typeof skipRows;
type Holds = typeof holdRows;
type Waits = typeof waitRows;
/** Why one file, or the whole queue, waits. */
export type WaitReason = keyof Waits;
/** Why something has to wait. Grace periods, unfinished files and a busy service have facts of their own instead. */
export type DelayReason = Exclude<WaitReason, NamesWith<Waits, { hasOwnFacts: true }>>;
export type HoldReason = keyof Holds;
export type SkipRule = keyof Skips;

/** The row of a reason in the catalogue. */
export const skipRow = (rule: SkipRule): SkipRow => skipRows[rule];
export const holdRow = (reason: HoldReason): HoldRow => holdRows[reason];
export const waitRow = (reason: WaitReason): WaitRow => waitRows[reason];

const keepers = { ...skipRows, ...holdRows };
/** What kept a file back: the rule or the reason of its row. */
export const keptByNames = namesWith(keepers, { follows: true });
export type KeptBy = (typeof keptByNames)[number];
/** Reasons for which a person is asked about each version at the path. */
export const everyVersionNames = namesWith(holdRows, { everyVersion: true });
/** What keeps a content back, whatever its name, stamp or place: a person refused it, or has not decided yet. */
export const keptContentNames = namesWith(keepers, { keepsContent: true });
export type KeptContent = KeptBy | (typeof keptContentNames)[number];

/** Why a zip, or a folder that is given, leaves a file out. `paths`: the first 100,000 of them. */
export type LeftOut = { why: LeftOutReason; count: number; paths: string[] };
export type LeftOutReason = NamesWith<Skips, { leavesZip: true }>;
/** The rules that judge by the name. */
export type NameSkip = NamesWith<Skips, { byName: true }>;

/** How a file came in. A zip has a door of its own, except that of an agent. */
export const doors = ['folder', 'window', 'command', 'tray', 'clipboard', 'zip', 'agent'] as const;
export type Door = (typeof doors)[number];
/** A file that arrives in a folder, or that an agent gives, keeps to a person's rules. A person's hand lifts them. */
export const isByPerson = (door: Door): boolean => door !== 'folder' && door !== 'agent';

/** What was found in a content, never the content itself. `line` null: the search did not end in time. */
export type Finding = ({ kind: 'secret' } & FoundBy) | ({ kind: 'location' } & FoundPlace);
/** `removable`: a copy without location can be sent. `isRead` false: the photo could not be read. */
export type FoundPlace = { removable: boolean; isRead: boolean };
export type FoundBy = { rule: string; line: number | null };

/** The file in a zip that keeps the zip back. `others`: how many more would be held by themselves. */
export type FoundInZip = { name: string; others: number };

/** Time since the machine started. `id` identifies that start. `ms` only grows, also across processes. */
export type SinceBoot = { id: string; ms: number };

/** What happened to one upload; the ledger stores exactly this. */
export type UploadState =
  | { kind: 'settling' }
  | { kind: 'ready' }
  | { kind: 'sending'; attemptId: number; isUnwanted?: true }
  | { kind: 'committing'; attemptId: number; isUnwanted?: true }
  /**
   * `lost`: when Outtray stopped waiting for the answer; null where one start of the machine cannot be distinguished
   * from another. `isQuick`: a complete refusal came within seconds of the tail. `isBusy`: the service answered that it
   * is busy. `before`: the question that a person took back.
   */
  | {
      kind: 'uncertain';
      attemptId: number;
      lost?: SinceBoot | null;
      isQuick?: boolean;
      isBusy?: true;
      isUnwanted?: true;
      before?: Extract<UploadState, { kind: 'held' }>;
      looks: number;
      nextLookAtMs: number;
    }
  | { kind: 'waiting'; reason: DelayReason; untilMs: number | null }
  /**
   * `sinceMs`, `since`: when it began, by the wall clock and since the machine started; null where starts of the
   * machine cannot be distinguished.
   */
  | { kind: 'waiting'; reason: 'grace'; untilMs: number; sinceMs: number; since: SinceBoot | null }
  /** `control`: the path of the control file. */
  | { kind: 'waiting'; reason: 'unfinished'; untilMs: number; control: string }
  | { kind: 'uploaded' }
  /** `isRewritten`: the file was written again after a person was asked about it. */
  | ({ kind: 'held'; reason: HoldReason; inZip?: FoundInZip; isRewritten?: true } & Partial<FoundBy> &
      Partial<FoundPlace>)
  | { kind: 'skipped'; rule: SkipRule; pattern?: string }
  | { kind: 'failed'; code: string; message: string; remedy: Wording }
  | { kind: 'superseded'; byId: number | null }
  /**
   * A person takes its link back, or its time is over (`isExpired`). `nextAtMs`: the earliest next attempt, in steady
   * time; `tries`: how many attempts failed; `refusal`: what the service answered to the last one; `isSent`: a DELETE has
   * left since then; `before`: what it was, if not `uploaded`.
   */
  | ({ kind: 'recalling'; nextAtMs: number; tries: number; refusal?: string; isExpired?: true } & Undoable)
  /** The service does not have it. Not `dead`: the link was looked at, and is again at `nextAtMs`, in steady time. */
  | { kind: 'recalled'; dead: boolean; look?: LinkLook; nextAtMs?: number; tries?: number; isExpired?: true }
  | { kind: 'gone' };

type Undoable = { isSent?: true; before?: Extract<UploadState, { kind: 'superseded' | 'recalled' }> };
/** A person wants it to be taken back, and may want it after all. */
export const mayBeKept = (state: UploadState): boolean => state.kind === 'recalling' || isUnwanted(state);

/** The rule of a file whose link was taken back. */
export const takenBackRule = (state: UploadState): 'recalled' | 'expired' =>
  'isExpired' in state ? 'expired' : 'recalled';

export type StateKind = UploadState['kind'];

/** The row of a state in the catalogue. */
export const stateRow = (kind: StateKind): StateRow => stateRows[kind];

/** The states whose rows have these facts, in the order of the catalogue. */
export const statesWith = <const Fact extends Partial<StateRow>>(fact: Fact) => namesWith(stateRows, fact);

/** Its link is not offered any more. */
export const isTakenBack = ({ kind }: UploadState): boolean => stateRow(kind).isTakenBack === true;

/** Its answer was lost: only a look at the service shows whether the file is there. */
export const isUncertain = ({ state }: { state: UploadState }): boolean =>
  state.kind === 'uncertain' || (state.kind === 'held' && state.reason === 'uncertain');

/** Whether the service has it is not known now, or no longer. */
export const mayBeThere = (state: UploadState): boolean =>
  ['under-way', 'open'].includes(stateRow(state.kind).phase) ||
  (state.kind === 'held' && holdRow(state.reason).wasSent === true);

export const isSecret = ({ state }: { state: UploadState }): boolean =>
  state.kind === 'held' && holdRow(state.reason).secret === true;

/** The service may have it, and a person can decide. */
export const mayResolve = (row: { state: UploadState }): boolean =>
  isUncertain(row) || (row.state.kind === 'held' && holdRow(row.state.reason).mayResolve === true);

/** It waits until the control file of the program that writes it is gone. */
export const isUnfinished = (state: UploadState): state is Extract<UploadState, { reason: 'unfinished' }> =>
  state.kind === 'waiting' && state.reason === 'unfinished';

type Uncertain = Extract<UploadState, { kind: 'uncertain' }>;
type LookedFor = Uncertain & ({ isBusy: true } | { isUnwanted: true });
/** Uncertain, but no question for a person: the service is only busy. Outtray looks for the file and goes on by itself. */
export const isBusy = (state: UploadState): state is Uncertain & { isBusy: true } =>
  state.kind === 'uncertain' && state.isBusy === true;

/** A person does not want it, and it is on its way, or its answer was lost. */
export const isUnwanted = (state: UploadState): boolean => 'isUnwanted' in state;

/** Its answer was lost, and no person is asked. */
export const isLookedFor = (state: UploadState): state is LookedFor =>
  state.kind === 'uncertain' && (state.isBusy === true || state.isUnwanted === true);

type Grace = Extract<UploadState, { reason: 'grace' }>;
/** It arrived a moment ago, and a person can still take it back. */
export const isGrace = (state: UploadState): state is Grace =>
  state.kind === 'waiting' && state.reason === 'grace';

/** The bucket of a state; `null` for files that are no longer in the folder under that version. */
export const bucketOf = (state: UploadState): Bucket | null =>
  isLookedFor(state) ? 'waiting' : stateRow(state.kind).bucket;

/** The rule and the line of a secret in a held text itself; null: there is none, or it is in a file of a zip. */
export const foundInLine = (state: UploadState): { rule: string; line: number } | null => {
  if (state.kind !== 'held' || state.inZip !== undefined) return null;
  const { rule, line } = state;
  return rule === undefined || line === undefined || line === null ? null : { rule, line };
};

/** Its file may still be needed: it is to be uploaded, or will be once a person decides. */
export const mayGoUp = (kind: StateKind): boolean =>
  ['waiting', 'held', 'failed'].includes(stateRow(kind).bucket ?? '');

/** Why uploads are held, failed or skipped. Without the message: it names sizes and files. */
export const fateOf = (state: UploadState): string => {
  switch (state.kind) {
    case 'held':
      return state.reason;
    case 'skipped':
      return state.rule;
    case 'failed':
      return `${state.code}\n${typeof state.remedy === 'string' ? state.remedy : JSON.stringify(state.remedy)}`;
    default:
      return state.kind;
  }
};

/** Whether a rule or a person kept it back: a person is asked before it becomes public. Not what was on its way. */
export const isKeptBack = (kind: StateKind, fate: string): boolean =>
  kind === 'skipped' ||
  (kind === 'held' && namesWith(holdRows, { wasUnderWay: true }).every((reason) => reason !== fate));

/** Uploads that share one fate. `state` is that of one of them; none changed after `asOfMs`. */
export type AlikeUploads = { state: UploadState; files: number; bytes: number; asOfMs: number };

export const noCounts = (): Counts => ({ uploaded: 0, waiting: 0, held: 0, skipped: 0, failed: 0 });

/** Who spends a request: the user's own clicks go first, then agents, uploads, and our own business last. */
export type Lane = 'user' | 'agent' | 'upload' | 'background';

export type BudgetWindow = { limit: number; used: number };
export type Budget = { minute: BudgetWindow; day: BudgetWindow };
export type LaneUse = Record<Lane, number>;
export type BudgetView = Budget & { lanes: { minute: LaneUse; day: LaneUse } };

/** One file of the account as the service reports it; list entries may lack any field (service.md §2). */
export type RemoteFile = {
  file_id?: FileId;
  filename?: string;
  size?: number;
  upload_date?: string;
  download_count?: number;
  public_link?: string;
};

export type Pagination = { page: number; limit: number; total: number; pages: number };
export type RemotePage = { files: RemoteFile[]; pagination: Pagination };

export type ServiceStats = {
  stats: { total_files: number; total_size: number };
  limits: { max_file_size: number; daily_uploads: number };
  plan: string;
};

/** A service without a limit sends a number that no user reaches, such as 2³¹ − 1 or 2⁵³ − 1. */
const [noUploads, noSize] = [1_000_000_000, 1_000_000_000_000_000];

/** null: the service reports none, or it is not known. */
export const dailyUploadsOf = (stats: Pick<ServiceStats, 'limits'> | undefined): DailyUploads => {
  const limit = stats?.limits.daily_uploads ?? 0;
  return limit >= noUploads ? 'unlimited' : limit > 0 ? limit : null;
};
export type DailyUploads = number | 'unlimited' | null;

/** In whatever unit the service has. */
export const hasNoSizeLimit = ({ limits }: Pick<ServiceStats, 'limits'>): boolean =>
  limits.max_file_size >= noSize;

/** The answer to an upload (service.md §4). */
export type UploadReceipt = { file_id: FileId; public_link: string; size: number; filename: string };

/** Why the whole queue waits, and until when. `untilMs` null: until the user or an administrator acts. */
export type QueueGate =
  | { kind: 'open' }
  | { kind: 'closed'; reason: WaitReason; untilMs: number | null; message: string; remedy: Wording };

/** The limits of requests and uploads that the limiter keeps by itself. */
export type QueueLimit = { reason: 'budget' | 'daily-uploads' | 'rate'; untilMs: number | null };

/** One upload as the window and the command show it. Times are epoch milliseconds. */
export type UploadView = {
  id: number;
  /** Absolute path as the user knows it. */
  path: string;
  name: string;
  sizeBytes: number;
  state: UploadState;
  bucket: Bucket | null;
  sentName: string | null;
  sha256: string | null;
  fileId: FileId | null;
  publicLink: string | null;
  /** The name in the service's answer, if it differs from the one sent. */
  remoteName: string | null;
  uploadedAtMs: number | null;
  /** Bytes sent so far; only while sending. */
  sentBytes: number | null;
  /** When this file is expected to be done; null when it is not known. */
  expectedAtMs: number | null;
  /** The upload whose link this file shares, for `already-shared`. */
  sameAsId: number | null;
  /** When its link is taken back; null: never. */
  expiresAtMs: number | null;
  /** Since when it is like this: a yes to it is no yes to what comes later. */
  asOfMs: number;
};

/** A row of Files: the account's file merged with what this machine knows of it. */
export type FileRow = {
  /** Stable key of the row. */
  key: string;
  uploadId: number | null;
  fileId: FileId | null;
  name: string;
  /** Exact bytes for our own files; the service's number, unit unknown, otherwise. */
  size: number | null;
  sizeIsBytes: boolean;
  /** Our own time of upload, or the service's date once its zone is learned. */
  uploadedAtMs: number | null;
  /** The service's date as given. */
  uploadDate: string | null;
  downloads: number | null;
  /** null: it has none, or the file is gone from the service. */
  publicLink: string | null;
  sha256: string | null;
  path: string | null;
  place: 'this-machine' | 'elsewhere' | 'gone-from-disk' | 'gone-from-service' | 'other-account';
  superseded: boolean;
  /** Of a link that was taken back and is not dead. */
  linkState: LinkState | null;
  /** Its downloads are reported. */
  isFollowed: boolean;
  /** What was wrong with its link when it was last read back. */
  wrong: 'gone' | 'differs' | null;
  /** When its link is taken back; null: never, or it is not ours. */
  expiresAtMs: number | null;
};

/** The order in which files that are ready are uploaded; those put on top go first. */
export type QueueOrder = 'arrival' | 'newest' | 'smallest';

export type FolderStatus = {
  folder: string;
  available: boolean;
  counts: Counts;
  /** On a drive that other machines write to: minutes between two scans. Missing: the system reports what changes. */
  scanMinutes?: number;
};

/** ready + uploading + waiting + needYou + leftOut = total. */
export type Work = {
  /** They have a link. */
  ready: number;
  uploading: number;
  waiting: number;
  /** Held or refused: they wait for the user. */
  needYou: number;
  /** The refused ones among those that need the user. */
  failed: number;
  /** Kept private, dismissed, cancelled, or gone before they were uploaded. */
  leftOut: number;
  /** Only grows, until a file arrives while nothing uploads or waits: then a new run begins. */
  total: number;
};

export type EngineStatus = {
  /** Grows by one with every change sent to listeners. */
  seq: number;
  /** The first of `folders`. */
  folder: string | null;
  /** False when none of `folders` is there. */
  folderAvailable: boolean;
  /** Those that are to be watched. `available` is only known where the engine runs. */
  folders: FolderStatus[];
  /** A folder was chosen or a file given before: there is no first run any more. */
  wasSetUp: boolean;
  /** False until this process's engine is started, and always beside another process that has the engine. */
  running: boolean;
  paused: boolean;
  /** When the pause ends; null while paused: until resumed. */
  pausedUntilMs: number | null;
  /** The end of the pause cannot be read. */
  pauseIsUnread?: true;
  /** Of all folders together. */
  counts: Counts;
  /** What is no part of a folder and is shown beside it: files given by path, and what is left of earlier folders. */
  outside: Counts;
  budget: BudgetView;
  gate: QueueGate;
  /** While the gate is open: the limit that delays all that waits by more than a minute's pace. Null: there is none. */
  limit: QueueLimit | null;
  /** What is wrong with the disk or the data folder, beside a gate closed for `disk`; null: nothing. */
  storage: StorageFault | null;
  order: QueueOrder;
  /** When the next request may go; null when it may go now or nothing waits. */
  nextSlotAtMs: number | null;
  /** When all that is being sent or waits for its turn is expected to be done; null while nothing may be sent. */
  doneAtMs: number | null;
  /** `least`: it may be later, because the speed is not known yet. Else why it is later than it was. */
  doneNote: { why: 'least' | 'rate' | 'again' | 'slower' } | { why: 'files'; count: number } | null;
  /** Of those that wait for their turn: how many are uploaded within the next 24 h, and how many after that. */
  doneToday: number;
  doneLater: number;
  sending: number;
  work: Work;
  /** Links that were read back and are dead or serve other bytes than were sent; recalls that are not proven dead. */
  wrongLinks: number;
  openRecalls: number;
  watch: 'off' | 'live' | 'scanning' | 'degraded';
  /** Set when watch is degraded, in the process that has the engine: one sentence with the exact remedy. */
  watchMessage: Wording | null;
};

/** Why a link is not proven: dead, other bytes, not reached, or what it should serve is not known. */
export type VerifyReason = 'gone' | 'differs' | 'unreachable' | 'unknown-content';
