// What the calls answer (commands.ts), also that which several of them share.
import type { Wording } from './text/wording.ts';
import type { LinkState } from './files/taken-back.ts';
import type { FileId } from './text/file-id.ts';
import type {
  AlikeUploads,
  BudgetView,
  DailyUploads,
  EngineStatus,
  FileRow,
  FolderStatus,
  LeftOut,
  RemoteFile,
  ServiceStats,
  SkipRule,
  UploadView,
  VerifyReason,
} from './model.ts';
import type { FolderRule, FolderRules } from './settings.ts';
import type { Entry, EntryBody } from './entries.ts';
import type { ErrorCode, WireError } from './errors.ts';
import type { CardFile } from './text/card.ts';

export type KeyState =
  | { kind: 'stored'; lastFour: string }
  | { kind: 'environment'; lastFour: string }
  /** The setting keyCommand gives it. */
  | { kind: 'command'; lastFour: string }
  /** Kept for this session only, because there is no keychain. */
  | { kind: 'session'; lastFour: string; remedy: Wording }
  | { kind: 'absent' }
  | { kind: 'locked'; remedy: Wording }
  | { kind: 'unavailable'; remedy: Wording; message?: string };

export type AccountView = {
  baseUrl: string | null;
  key: KeyState;
  /** The key does not show the files of this data folder, and a person has to say whose it is. */
  isUnknown: boolean;
  plan: string | null;
  planAsOfMs: number | null;
  /** Files of the account at the last look at its statistics. */
  files: number | null;
  /** The largest file that the account probably allows. Only shown: no file fails because of it. Null: not known. */
  maxFileBytes: number | null;
};

/** `relative`: the path below the folder, with `/`. `why`: what keeps it back; null when it can be uploaded. */
export type FoundFile = {
  path: string;
  relative: string;
  sizeBytes: number;
  why: SkipRule | 'secret-name' | 'too-large' | 'not-allowed' | null;
};
/** `files`: at most 1,000 of them, largest first. */
export type FoundGroup = { files: FoundFile[]; totalFiles: number; totalBytes: number };
/** The files of a folder that the user may choose, by what happens with each if the user asks for all of them. */
export type FolderInspection = {
  folder: string;
  goes: FoundGroup;
  held: FoundGroup;
  skipped: FoundGroup;
  /** True when the ledger already knows this folder: then nothing in it counts as existing. */
  known: boolean;
};

/** Which files that are in a folder already a user wants to upload: none, all, these paths, or all but these. */
export type Existing = 'skip' | 'upload' | readonly string[] | { readonly allBut: readonly string[] };
export const wantsExisting = (existing: Existing, path: string): boolean => {
  if (typeof existing === 'string') return existing === 'upload';
  return 'allBut' in existing ? !existing.allBut.includes(path) : existing.includes(path);
};

/** `message` is the service's own; null when it was not deleted. */
export type DeleteResult = {
  fileId: FileId;
  deleted: boolean;
  message: string | null;
  error: WireError | null;
  /**
   * For our own file; null: the link was not requested. A link may be dead although the service had no such file: then
   * `deleted` is true, and `error` reports that.
   */
  linkState: LinkState | null;
  /** When a link that is not dead is looked at again. */
  againAtMs?: number;
  /** Our own file could not be deleted yet; the request is recorded. */
  goesOn: boolean;
  /** A person undid it before the DELETE left. */
  kept?: true;
};

/** A link that was taken back, with the facts of its entry; null with the reason why not, or not yet. */
export type RecallResult = {
  fileId: FileId | null;
  path: string | null;
  recalled: Omit<Extract<EntryBody, { kind: 'recalled' }>, 'kind'> | null;
  error: WireError | null;
};

/** A link with the time at which it ends; null with the reason why it has none. */
export type ExpireResult = {
  fileId: FileId | null;
  path: string | null;
  publicLink: string | null;
  expiresAtMs: number | null;
  error: WireError | null;
};

/** A link whose downloads are reported. `downloads`: without our own reads; null: not known yet. */
export type FollowedLink = {
  fileId: FileId;
  path: string;
  publicLink: string;
  downloads: number | null;
  /** When the service was asked last; null: never. */
  asOfMs: number | null;
  sinceMs: number;
};
/** `link` null: it is not followed now. */
export type FollowResult = {
  fileId: FileId | null;
  path: string | null;
  publicLink: string | null;
  link: FollowedLink | null;
  error: WireError | null;
};
/** Why a check that is due is not made: the budget is short, uploads wait, or the service cannot be asked. */
export type FollowWait = 'requests' | 'uploads' | 'service';
/** What all followed links cost. `everyMs`: how often each of them is checked at most. `waits` null: nothing waits. */
export type FollowPrice = {
  links: number;
  requestsPerDay: number;
  dayLimit: number;
  everyMs: number;
  waits: FollowWait | null;
};
/** For one followed link. `nextCheckMs`: wall clock, at the earliest. */
export type FollowState = { nextCheckMs: number; price: FollowPrice };

/** The facts on a link's release card; null with the reason why there is no card. */
export type CardResult = {
  fileId: FileId | null;
  path: string | null;
  card: CardFile | null;
  error: WireError | null;
};

/**
 * What a public link serves, read without the key. `ok` null with the error of a file that has no link. `unreachable`
 * and `unknown-content` prove nothing: the link could not be read, or what it should serve is not known.
 */
export type VerifyResult = {
  fileId: FileId | null;
  path: string | null;
  publicLink: string | null;
  ok: boolean | null;
  reason: VerifyReason | null;
  error: WireError | null;
};

/**
 * A file as the service reports it, with what this machine knows of its own: the end of its link (null: never) and how
 * many bytes were sent. Null: it is not ours.
 */
export type ListedFile = RemoteFile & { expiresAtMs: number | null; sentBytes: number | null };

export type DayCount = { day: string; uploads: number; bytes: number };
/** `gained`: its downloads since the last reading of the list on an earlier day. */
export type TopFile = { row: FileRow; gained: number };
/**
 * By the last list of the account, without our own reads: the links of each kind, and all downloads so far, including
 * those of gone links. `reported`: how many the service still reports. `gone`: downloaded files whose links no longer work.
 */
export type DownloadCounts = {
  neverDownloaded: number;
  downloaded: number;
  downloads: number;
  reported: number;
  gone: number;
};

export type StatsView = {
  service: ServiceStats | null;
  asOfMs: number | null;
  budget: BudgetView;
  dailyUploads: { used: number; limit: number | null };
  /** The last 30 days, oldest first, in local time. */
  days: DayCount[];
  /**
   * The last reading of the list on each day, oldest first, with the downloads so far by then: they never fall. Downloads
   * are counted from one to the next.
   */
  readings: { atMs: number; downloads: number }[];
  top: TopFile[];
  /** The files whose first download was counted last. */
  firstDownloads: { row: FileRow; atMs: number }[];
  /** `isAtLeast`: counted in the ledger, which knows more than the service last reported. `bytes` null: not known. */
  shared: { files: number; bytes: number | null; isAtLeast: boolean } & DownloadCounts;
  /** As in AccountView. */
  maxFileBytes: number | null;
};

/** What would happen with a file. `why`: the rule, the reason or the code of an error; null for what is uploaded. */
export type PlannedFile = {
  path: string;
  verdict: 'upload' | 'held' | 'skipped' | 'failed';
  why: string | null;
  /** null: it cannot be read. */
  sizeBytes: number | null;
  expectedAtMs: number | null;
};
/** `requests`: uploads and what they need. `finishesAtMs` null: nothing is uploaded, or the time is not known. */
export type PlanEnd = {
  requests: number;
  finishesAtMs: number | null;
  dailyUploadsLeft: DailyUploads;
  /** What a person could do with the files that would be held as a burst; empty: there are none. */
  burst: BurstPlan[];
};

/** `all`: each file is uploaded. `zip`: all as one. `newest`: the one that changed last; the others are skipped. */
export type BurstPlan = {
  plan: 'all' | 'zip' | 'newest';
  /** Each is one link. */
  uploads: number;
  bytes: number;
  /** Of the zip, or of the newest file; null for `all`. */
  name: string | null;
  /** When the last of them is uploaded; null: the time is not known, or nothing may be uploaded. */
  finishesAtMs: number | null;
  /** How many of them are uploaded within 24 hours. */
  today: number;
};

export type QueueView = {
  status: EngineStatus;
  sending: UploadView[];
  waiting: UploadView[];
  waitingTotal: number;
  held: UploadView[];
  heldTotal: number;
  failed: UploadView[];
  failedTotal: number;
  /** Newest first. */
  skipped: UploadView[];
  /** Complete counts of what is held, failed and skipped, by fate. */
  alike: AlikeUploads[];
  /** What a person can do with a held burst, beside skipping it; empty: there is none. */
  burst: BurstPlan[];
};

/** Uploads that share one fate. `uploads`: the first 100 of `ids`; none of all changed after `asOfMs`. */
export type FilesAlike = { asOfMs: number; ids: number[]; uploads: UploadView[] };

/** A file of the service that could be an uncertain upload (upload-protocol.md, Looking). */
export type Candidate = { file: RemoteFile; sameName: boolean; sameSize: boolean };

/** `code`: set when an error made the check fail; the window uses it to choose the words in other languages. */
export type Check = {
  name: string;
  ok: boolean | null;
  message: string;
  remedy: Wording;
  code?: ErrorCode;
};

export type FilesPage = {
  rows: FileRow[];
  /** Pass it back for the next page; null at the end. */
  next: string | null;
  total: number;
  /** How many files each group has; null for a search, which does not count them. */
  counts: Record<FileGroup, number> | null;
  /** How many of each group a search found; null without one, and when there are more than are counted. */
  matches: Record<FileGroup, number> | null;
  asOfMs: number | null;
  /** Whose files these are. */
  accountId: number;
};

/** `rules`: those in force. `own`: those set for this folder. `locked`: those that a policy decides. */
export type FolderView = FolderStatus & { rules: FolderRules; own: FolderRule[]; locked: FolderRule[] };

/**
 * The history of one upload, and the links that files at its path have had, newest first. `downloads`: of its own link,
 * one item each time that more were seen, oldest first; without our own reads.
 */
export type FileStory = {
  versions: FileVersion[];
  history: Entry[];
  follow: FollowState | null;
  downloads: DownloadCount[];
  /** What is in it; null: it is not a zip that Outtray made. */
  inside: Inside | null;
};
/** `gained`: of `downloads`, those that were not seen before. */
export type DownloadCount = { atMs: number; downloads: number; gained: number };
/** What is in a zip: the first files by name, and how many there are in all. */
export type Inside = { files: { name: string; sizeBytes: number }[]; total: number };
export type FileVersion = {
  uploadId: number;
  publicLink: string;
  uploadedAtMs: number | null;
  downloads: number | null;
  isGone: boolean;
};

/** `ours`: uploaded by this machine; `gone`: those of them that left the service. `all` is `ours` and `elsewhere`. */
export const fileGroups = ['all', 'ours', 'elsewhere', 'gone'] as const;
export type FileGroup = (typeof fileGroups)[number];
/** In the order of the paths. `upload` null: no regular file is there, and nothing is recorded. */
export type GivenPath =
  { path: string; upload: UploadView; error: null } | { path: string; upload: null; error: WireError };

/** `leftOut`: by a rule of names, or because it is no regular file. `unreadable`: a part of a folder. */
export type FilesIn = {
  paths: string[];
  leftOut: LeftOut[];
  unreadable: { path: string; message: string }[];
};

/** `path` alone: what is or was there. `fileId` alone: another machine uploaded it. */
export type NamedFile = {
  uploadId: number | null;
  fileId: FileId | null;
  path: string | null;
  error: WireError | null;
};
