// What the engine needs of the ledger beside the rows of files.
import type { DownloadCount, Inside } from '../../contract/answers.ts';
import type { LinkState } from '../../contract/files/taken-back.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import type { Entry, EntryBody } from '../../contract/entries.ts';
import type {
  Door,
  Lane,
  HoldReason,
  KeptContent,
  NameSkip,
  RemoteFile,
  VerifyReason,
} from '../../contract/model.ts';
import type { WorkPart } from '../../contract/catalogue/work.ts';
import type { ExportedFile, CopyLink, ReviewedLink } from '../../contract/report.ts';
import type { Facts } from '../../contract/facts.ts';
import type { AppError } from '../../contract/errors.ts';
import type { WatchedFolder, UploadStore } from './uploads.ts';
import type { AccountTable } from './accounts.ts';
import type { UploadViews } from './views.ts';

export type AttemptOutcome =
  | 'not-created' // known not to have created anything
  | 'refused' // a definite answer that nothing was created
  | 'uncertain'
  | 'created';

export type Attempt = {
  id: number;
  uploadId: number;
  sentName: string;
  sizeBytes: number;
  permitId: number;
  startedAtMs: number;
  /** Set, durably, before the tail is sent. */
  committingAtMs: number | null;
  endedAtMs: number | null;
  outcome: AttemptOutcome | null;
  status: number | null;
  /** Code and message of what went wrong. */
  evidence: string | null;
};

export type Permit = {
  id: number;
  lane: Lane;
  /** Wall clock. */
  spentAtMs: number;
  /** Wall clock; null while outstanding. */
  answeredAtMs: number | null;
  /** Which process spent it. */
  owner: string;
};

/** The limiter's memory beside the permits: one JSON value, opaque to the ledger. */
export type StoredMemory = unknown;

/** A remote file as last seen in a list or an answer. */
export type SeenRemote = RemoteFile & {
  file_id: FileId;
  /** When it was first seen: an upload begun later cannot have created it. */
  firstSeenAtMs: number;
  seenAtMs: number;
  gone: boolean;
  /** How many of its downloads are reads of this machine. */
  readByUs: number;
} & LearnedContent;

/** What the export of another machine says about a file of the account. Null: nothing. */
export type LearnedContent = { sha256: string | null; sizeBytes: number | null };

export type Ledger = {
  /** Runs `act` in one durable transaction (nested calls join it). A throw rolls everything back. */
  atomically<T>(act: () => T): T;
  uploads: UploadStore;
  views: UploadViews;
  accounts: AccountTable;
  attempts: AttemptTable;
  permits: PermitTable;
  remote: RemoteTable;
  entries: EntryTable;
  facts: FactTable;
  folders: FolderTable;
  decisions: DecisionTable;
  bundled: BundledTable;
  run: RunTable;
  watched: WatchedTable;
  reports: ReportTable;
  /** What is wrong with the disk or the data folder, from the first failure until a probe succeeds; null: nothing. */
  trouble(): AppError | null;
  /** The listener is called when that changes, also within a transaction. Returns a function that removes it. */
  onTrouble(hear: () => void): () => void;
  /** One durable write that changes nothing. Throws what is still wrong. */
  probe(): void;
  close(): void;
};

/** What became public, in a file that a policy names. `seq`: of the entry in the ledger of the random id `ledger`. */
export type AuditLine = {
  at: string;
  event: 'public' | 'uncertain' | 'expiry' | 'recalled' | 'ended' | 'deleted' | 'gone' | 'confirmed';
  file_id: FileId | null;
  path: string | null;
  filename: string | null;
  /** Bytes of what the link serves. */
  size: number | null;
  sha256: string | null;
  public_link: string | null;
  expiresAt: string | null;
  door: Door | null;
  /** Of a hold that a person confirmed. */
  reason: HoldReason | null;
  /** Of a link that was taken back: whether it is dead, and what the last look at it found. */
  dead: boolean | null;
  linkState: LinkState | null;
  seq: number;
  ledger: string;
};

/** Each call throws `audit` when the file cannot be written. */
export type Audit = {
  /** The file is there, or is made, and has room. */
  check(file: string): void;
  /** Number of the last whole line of this ledger; null: there is none. */
  lastSeq(file: string, ledger: string): number | null;
  /** Adds these lines in this order; they are on the disk when it returns. */
  append(file: string, lines: readonly AuditLine[]): void;
};

export type FolderTable = {
  byPath(path: string): WatchedFolder | null;
  byId(id: number): WatchedFolder | null;
  /** A folder whose first scan is still to come. */
  insert(folder: Pick<WatchedFolder, 'path' | 'identity' | 'chosenAtMs'>): WatchedFolder;
  update(id: number, change: Partial<Omit<WatchedFolder, 'id' | 'path'>>): void;
};

export type AttemptTable = {
  /** Uploads to the present account that reached `committing` since then. Another account has its own day. */
  committedSince(sinceMs: number): number;
  insert(attempt: Pick<Attempt, 'uploadId' | 'sentName' | 'sizeBytes' | 'permitId' | 'startedAtMs'>): Attempt;
  committing(id: number, atMs: number): void;
  end(
    id: number,
    end: { atMs: number; outcome: AttemptOutcome; status: number | null; evidence: string | null },
  ): void;
  byId(id: number): Attempt | null;
  /** Attempts without an outcome: what a crash left behind. */
  open(): Attempt[];
  ofUpload(uploadId: number): Attempt[];
  /** When the latest attempt of an upload without a known result began, in epoch milliseconds; 0: there is none. */
  latestUnknownMs(): number;
  /** The earliest moment that the attempts with this permit or a later one know of; null: there is none. */
  earliestSince(permitId: number): number | null;
};

export type PermitTable = {
  insert(lane: Lane, spentAtMs: number, owner: string): Permit;
  answer(id: number, atMs: number): void;
  /** Ends the outstanding permits of a dead owner, as if they were answered at that time. */
  answerAllOf(owner: string, atMs: number): void;
  /** Every permit with an id over `afterId`, oldest first: what other processes spent meanwhile. */
  after(afterId: number): Permit[];
  /** Permits spent or answered since then, or still outstanding; oldest first. */
  since(sinceMs: number): Permit[];
  outstanding(): Permit[];
  /** Forgets permits answered before; returns how many. */
  prune(beforeMs: number): number;
  memory(): StoredMemory | null;
  remember(memory: StoredMemory): void;
};

export type RemoteTable = {
  /**
   * Adds or refreshes what this account showed. Nothing, if another one is present now: another process may have logged
   * in while the answer was on its way. `firstAtMs`: of those that were not known (first-seen.ts); left out: `atMs`.
   */
  saw(accountId: number, files: readonly RemoteFile[], atMs: number, firstAtMs?: number): void;
  /**
   * Ids of files that were not seen since then, and are not known to be gone. Files that are known only since
   * `knownBeforeMs` or later are left out, because a slow list may not show them yet. A time after `aheadMs` is that of a
   * clock that was wrong, and long ago.
   */
  unseen(sinceMs: number, knownBeforeMs?: number, aheadMs?: number): FileId[];
  markGone(fileId: FileId): void;
  /** This machine has read all that its public link serves. */
  readByUs(fileId: FileId): void;
  /** Downloads that were counted until now come before `atMs`, also if the clock was ahead then. */
  countedBefore(atMs: number): void;
  /** What an export says of a file that is known. */
  learn(fileId: FileId, content: LearnedContent): void;
  /** Files of no upload here whose content has this size, as an export says; the newest first. */
  learnedOf(sizeBytes: number): SeenRemote[];
  /** Removes those of these files that are gone from Files, until they are seen again. Returns how many. */
  removeGone(fileIds: readonly FileId[]): number;
  byId(fileId: FileId): SeenRemote | null;
  /** Whether its link is known to be dead. False for null, which is no file of the service. */
  isGone(fileId: FileId | null): boolean;
  /** Files of this name at the service. */
  named(filename: string, limit: number): SeenRemote[];
  /** Files that have this in their link, case ignored. */
  withLink(part: string, limit: number): SeenRemote[];
  /**
   * Ids of files, as last seen, that belong to no upload of this ledger. They have the name and size of this file, and
   * by the dates of the service they were created within `withinSeconds` of it. Smallest id first, at most ten.
   */
  copiesOf(fileId: FileId, withinSeconds: number): FileId[];
  count(): number;
};

export type EntryTable = {
  add(uploadId: number | null, path: string | null, body: EntryBody, atMs: number): Entry;
  after(seq: number, limit: number): Entry[];
  ofUpload(uploadId: number, limit: number): Entry[];
  lastSeq(): number;
  /** Keeps the newest `keep` entries, and all that are still to be written or sent elsewhere (facts `audit`, `after-upload`). */
  prune(keep: number): void;
};

/** A rule that skips a file, and that a person may set aside for its content. */
export type SetAside = NameSkip | 'empty';
/** What a person allowed for a content: it may go although it was held for this, or it goes without its location. */
export type Approval = HoldReason | 'without-location' | SetAside;

/** A person's decisions about contents. They stay when a row is forgotten. */
export type DecisionTable = {
  has(sha256: string, reason: Approval): boolean;
  add(sha256: string, reason: Approval, sizeBytes: number | null): void;
  keptBy(sha256: string): KeptContent | null;
  /** One reason for each content: a later one takes the place of an earlier one. */
  keep(sha256: string, by: KeptContent, sizeBytes: number): void;
  /** A person approves it: nothing keeps this content back any more. */
  release(sha256: string): void;
  /** Whether there is a decision, or this one, about a content of this size: only then is it worth hashing a file. */
  knowsSize(sizeBytes: number, said?: Approval): boolean;
};

/** A file in one of our zips: its name there, its path then, and what of it was packed. */
export type Bundled = { name: string; path: string; sizeBytes: number; sha256: string };

/** `whole`: the SHA-256 of the file itself, of which a photo may leave its location out. */
export type PackedFile = Bundled & { whole: string };

/** The files of the present run. `files`: 1, or how many a zip has in it. */
export type RunTable = {
  /** Adds all open files that are not in it yet. */
  takeUp(): void;
  /** Begins a new run: finished files leave it, open ones stay. */
  begin(): void;
  /** Something uploads or waits. */
  isGoing(): boolean;
  partOf(uploadId: number): WorkPart | null;
  put(uploadId: number, part: WorkPart): void;
  /** `files`: how many files are in this zip. */
  weigh(uploadId: number, files: number): void;
  counts(): Partial<Record<WorkPart, number>>;
};

export type BundledTable = {
  add(uploadId: number, files: readonly Bundled[]): void;
  /** Whether this upload is one of our zips. */
  has(uploadId: number): boolean;
  /** Ids of the uploads that have a file of this path in them, newest first. */
  uploadsWith(path: string, limit: number): number[];
  /** The paths of the files in this one, as they were packed. */
  pathsIn(uploadId: number): string[];
  /** The first files in this zip, by name. `total`: the number of all; 0 for an upload that is no zip of Outtray. */
  inside(uploadId: number, limit: number): Inside;
};

/** A link that is looked at again. */
type Watched = {
  uploadId: number;
  fileId: FileId;
  path: string;
  publicLink: string;
  /** Since when, by the wall clock. */
  sinceMs: number;
  /** When the next look is due, by the limiter's time; null: it is not looked at again. */
  nextMs: number | null;
  /** Looks in a row that did not find, or did not reach it. One such answer alone may be a proxy's. */
  tries: number;
  /** When `told` was first reported, by the wall clock; null: never. */
  toldAtMs: number | null;
};

/** A followed link. `downloads`: as last shown, without our own reads; null: never shown. `asOfMs`: wall clock. */
export type Followed = Watched & {
  downloads: number | null;
  asOfMs: number | null;
  /** All downloads up to this number were reported, or were known when the link was followed. */
  told: number;
};

/** A link that is read back. `sha256`, `sizeBytes`: of what was sent. `told`: what was wrong; null: nothing yet. */
export type Proof = Watched & {
  sha256: string | null;
  sizeBytes: number | null;
  told: VerifyReason | null;
};

/** What links are looked at for: how often they were downloaded, and what they serve. */
export type WatchedFor = { downloads: Followed; content: Proof };

/** A link that is taken back, or is gone from the service, drops out by itself. */
export type WatchedTable = {
  /** In the order of their next looks; those that are not looked at again come last. */
  all<What extends keyof WatchedFor>(what: What): WatchedFor[What][];
  /** The one whose look is due first; null: none is. */
  next<What extends keyof WatchedFor>(what: What): (WatchedFor[What] & { nextMs: number }) | null;
  byId<What extends keyof WatchedFor>(what: What, uploadId: number): WatchedFor[What] | null;
  count(what: keyof WatchedFor): number;
  /**
   * Downloads that are known now count as reported. False: it is watched for that already, or what its link should
   * serve is not known.
   */
  add(what: keyof WatchedFor, uploadId: number, at: { sinceMs: number; nextMs: number }): boolean;
  /** False: it was not watched for that. */
  remove(what: keyof WatchedFor, uploadId: number): boolean;
  update(
    what: keyof WatchedFor,
    uploadId: number,
    change: {
      nextMs?: number | null;
      tries?: number;
      told?: number | VerifyReason;
      toldAtMs?: number;
    },
  ): void;
  /** Makes every one that is due later due at this time. */
  hasten(what: keyof WatchedFor, latestMs: number): void;
  /** How many links are dead or serve other bytes, by the last reported results. */
  countWrong(): number;
  /** Each time more downloads of a link were seen, without our own reads. The newest `limit` of them, oldest first. */
  countsOf(uploadId: number, limit: number): DownloadCount[];
};

/** `links`: at most `limit` of them; `total`: how many there are. Empty: 0. `sinceMs`: since when it is so. */
export type ReviewedLinks = { total: number; links: (ReviewedLink & { sinceMs: number | null })[] };

/** What reports ask about the links of this machine, in any state. */
export type ReportTable = {
  /** Links that serve one of these contents, a copy of it without location, or a zip with it; newest first. */
  linksOf(hashes: readonly string[], limit: number): CopyLink[];
  /** Ids of uploads of one of these contents that may be public: their answer was lost, or is still to come. */
  openWith(hashes: readonly string[], limit: number): number[];
  /** SHA-256 of the last file at this path; null: it was not read. */
  lastContentAt(dir: string, name: string, path: string): string | null;
  /** Live links of files that were uploaded until then, without those that end until then, oldest first. */
  old(beforeMs: number, endsAfterMs: number, limit: number): ReviewedLinks;
  /** Those of them that the last lists showed without a download, our own reads left out. */
  neverDownloaded(beforeMs: number, endsAfterMs: number, limit: number): ReviewedLinks;
  /** Live links that end until then, the next end first. */
  expiring(untilMs: number, limit: number): ReviewedLinks;
  /** Links that were read back and are dead, or serve other bytes than were sent; the last reported one first. */
  wrong(limit: number): ReviewedLinks;
  /** Files that are on the disk, and not on the service any more. */
  goneButOnDisk(limit: number): ReviewedLinks;
  /** Links that are being taken back, or were and are not proven dead. */
  openRecalls(limit: number): ReviewedLinks;
  countOpenRecalls(): number;
  /** Live links of a content that has another: all but the one that is downloaded most. */
  duplicates(limit: number): ReviewedLinks;
  /** Live links of files of at least this size, the largest first. */
  largest(atLeastBytes: number, limit: number): ReviewedLinks;
  /** Every upload, every file in a zip, and every file of the account from elsewhere, each from its cursor on. */
  uploadsAfter(id: number, limit: number): { id: number; file: ExportedFile }[];
  membersAfter(
    uploadId: number,
    name: string,
    limit: number,
  ): { uploadId: number; name: string; file: ExportedFile }[];
  othersAfter(fileId: FileId, limit: number): { fileId: FileId; file: ExportedFile }[];
};

export type FactTable = {
  get<Name extends keyof Facts>(name: Name): { value: Facts[Name]; atMs: number } | null;
  set<Name extends keyof Facts>(name: Name, value: Facts[Name], atMs: number): void;
  remove(name: keyof Facts): void;
};
