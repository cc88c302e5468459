// What the engine needs of the world. Adapters implement it, tests fake it, nothing else is asked for.
// Every function that can fail throws AppError and nothing else. Paths are absolute strings; bytes that are not
// UTF-8 are written as NUL + two hex digits (NUL cannot occur in a path), so that every name has exactly one string.
import type { DownloadCounts } from '../contract/commands.ts';
import type { FileId } from '../contract/text/file-id.ts';
import type { Entry, EntryBody } from '../contract/entries.ts';
import type {
  AlikeUploads,
  Bucket,
  Counts,
  Door,
  FileRow,
  Finding,
  Lane,
  Pagination,
  HoldReason,
  KeptBy,
  KeptContent,
  RemoteFile,
  ServiceStats,
  SinceBoot,
  StateKind,
  UploadReceipt,
  UploadState,
  VerifyReason,
} from '../contract/model.ts';
import type { ExpireWish } from '../contract/expiry.ts';
import type { WorkPart } from '../contract/catalogue/work.ts';
import type { ExportedFile, ExposedLink, ReviewedLink } from '../contract/report.ts';
import type { Facts } from '../contract/facts.ts';
import type {
  Alike,
  Check,
  DownloadCount,
  FileGroup,
  fileSorts,
  Inside,
  KeyState,
} from '../contract/commands.ts';
import type { AppError } from '../contract/errors.ts';
import type { OwnRules, SettingName, Settings, SettingView } from '../contract/settings.ts';

export type Ports = {
  clock: Clock;
  /** Uniform in [0, 1). */
  chance: () => number;
  log: Log;
  files: Files;
  inspect: Inspect;
  spool: Spool;
  watch: Watch;
  ignore: IgnoreRules;
  api: Api;
  ledger: Ledger;
  audit: Audit;
  /** The current settings; a listener is told after each change. */
  settings: SettingsPort;
  keys: Keys;
  places: Places;
  /** The checks of `doctor`: keychain, folder, watcher, disk, network, key, clock. */
  checks: (signal: AbortSignal) => Promise<Check[]>;
};

// ---------------------------------------------------------------- time, chance, log

export type Clock = {
  /** Epoch milliseconds; may jump. */
  wallMs(): number;
  /** Milliseconds that only grow and never stop; unrelated to the wall clock. */
  monoMs(): number;
  /** Time since the machine was started, sleep included; null where its starts cannot be told apart. */
  sinceBoot(): SinceBoot | null;
  /** Calls `act` once after `delayMs`; returns its undo. Re-armed by the adapter after sleep. */
  after(delayMs: number, act: () => void): () => void;
};

export type Log = {
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
};

export type SettingsPort = {
  current(): Settings;
  view(): SettingView[];
  /** A policy has set it. */
  isLocked(name: SettingName): boolean;
  /** Why the policy lets nothing go; null: it does. Listeners are told when it changes. */
  barred(): AppError | null;
  /** Throws `bad-setting`: wrong, or locked by policy. */
  set(name: SettingName, value: unknown): Promise<void>;
  onChange(hear: (settings: Settings) => void): () => void;
};

/** The API key: it goes in and never comes out (security.md, Secrets). */
export type Keys = {
  state(): Promise<KeyState>;
  /** Throws `not-configured`, `key-missing`, `keychain-locked`, `keychain-unavailable`: no request could be made. */
  require(): Promise<void>;
  /** An Api with this key and address, to check them before anything is stored. Throws `bad-use`. */
  tryOut(key: string, baseUrl: string | null): Api;
  /** Stores it in the keychain, or keeps it for this session where there is none. */
  store(key: string): Promise<KeyState>;
  remove(): Promise<KeyState>;
};

export type Places = {
  /**
   * The real path of a folder that may be watched. Throws `folder-unavailable`, or `folder-refused` for the home
   * folder itself, a drive root, Outtray's own data and what policy forbids.
   */
  acceptFolder(path: string): Promise<string>;
  /** Throws `folder-refused` when the folder is one of the others, lies in one of them, or has one of them in it. */
  assertApart(folder: string, others: readonly string[]): Promise<void>;
  /** Where the system puts screenshots. The folder may not be there yet. */
  screenshots(): Promise<string>;
};

// ---------------------------------------------------------------- files

/** One version of a file, as far as the system can tell without reading it. */
export type Stamp = {
  sizeBytes: number;
  /** Size, mtimeNs, ctimeNs, device and inode in one string: equal means unchanged. */
  key: string;
  /**
   * The inode number, without the device, whose number may change with a reboot. An equal number may mean the same file
   * under another name. It is no proof, because the file system reuses inode numbers.
   */
  inode: string;
  /** Epoch milliseconds. */
  mtimeMs: number;
  ctimeMs: number;
  /** Epoch milliseconds; absent where the file system does not tell, and in stamps from the ledger. */
  bornMs?: number;
};

/**
 * `too-deep`: its path is longer than the system takes. `unreadable`: the system does not tell what it is, because of its
 * rights or a fault of the disk.
 */
export type EntryType = 'file' | 'folder' | 'link' | 'special' | 'too-deep' | 'unreadable';

/** One thing in a folder. `stamp` only for regular files. */
export type Found = { name: string; type: EntryType; stamp: Stamp | null; onlineOnly: boolean };

export type Listing =
  | { ok: true; found: Found[] }
  /** The folder could not be read; `gone` when it is not there any more. */
  | { ok: false; gone: boolean; message: string };

/**
 * Tells one folder from another that is mounted at the same path: `device:inode:birth time:mount`. An inode or birth time
 * of 0 and an empty mount tell nothing. Before version 3 the mount was missing (shared/folder.ts).
 */
export type FolderIdentity = string;

/**
 * Where something really lies. `names`: as it was written, then what else leads to it, its real path last. `folders`:
 * identities of it and of the folders above it, itself first; '' for one that cannot be told, empty if nothing is there.
 */
export type Place = { path: string; names: readonly string[]; folders: readonly string[] };

/** `isGuess`: nothing is there, and its disk does not tell capitals apart, so a row may spell it otherwise. */
export type Spelled = { path: string; isGuess: boolean };

/** What a file system can tell, and which one it is. */
export type Disk = {
  /** As the system names it: `ext4`, `fuse.sshfs`; `unknown` where the system does not tell. */
  kind: string;
  /** Other machines write to it. */
  isShared: boolean;
  /** A call may never return: a server or a program answers. */
  mayHang: boolean;
  /** It tells when a file was born. */
  tellsBirth: boolean;
  /** An inode number stays the same when the disk is mounted again. If not, equal numbers prove nothing. */
  keepsInodes: boolean;
  /** The system reports every change in it; false where other machines change it. */
  tellsChanges: boolean;
  /** Locks of files hold between all that use it. */
  locks: boolean;
  /** UUID of the file system, or what was mounted from where. Null: nothing tells this disk from the next one. */
  identity: string | null;
  /** The path is that of a whole drive. */
  isDrive: boolean;
  /** Names that differ in capitals only, or in how their letters are composed, may be one. */
  foldsNames: boolean;
};

/** The disk that a folder lies on, with those mounted below it. */
export type Mounts = {
  /** Another one after a disk was mounted or unmounted there. */
  key: string;
  /** The same for the disk that the folder itself lies on. */
  own: string;
  /** Other machines write to one of them. */
  isShared: boolean;
};

export type OpenFile = {
  stamp: Stamp;
  /** Where the open file lies now, wherever its path leads by now (Linux; elsewhere where its path leads). */
  place(): Promise<Place>;
  /**
   * The content once, from the first byte. The pieces share a few buffers: one piece is valid only until the
   * next is asked for. Throws `changed` when the file turns out shorter or longer than its stamp.
   */
  pieces(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** The first bytes, at most this many; independent of `pieces`. Throws as `pieces` does. */
  head(maxBytes: number): Promise<Uint8Array>;
  /** Of the system, for another thread of this process; valid until `close`. */
  descriptor: number;
  /** The same open file, of which only these parts are content: `stamp` has their size. Instead of `pieces` here. */
  cut(parts: readonly Part[]): OpenFile;
  /** True while the open file and its path are still what was opened: five fields, same inode, inside the root. */
  unchanged(): Promise<boolean>;
  /** SHA-256 of all pieces, lower-case hex; after the last piece. */
  sha256(): Promise<string>;
  close(): Promise<void>;
};

/** Folders below a watched or given one that are gone into. Deeper ones are a program's mistake, and watching costs their square. */
export const deepestFolder = 128;

/** In the place of a root: no link leads to the file, its real path is the path itself. */
export const noLinks = ':no-links:';

export type Files = {
  /** Throws `folder-unavailable`. */
  identify(folder: string): Promise<FolderIdentity>;
  /** The disk under a real path. Asks the system's table, not the disk, so that it never waits for it. */
  disk(path: string): Disk;
  /** The same for all disks in a folder. Null where the system tells nothing about its disks. */
  mounts(folder: string): Mounts | null;
  /**
   * One folder, not its subfolders. Never throws for a folder that cannot be read. Regular files that are unchanged are
   * left out: `isUnchanged` is asked once for each of them.
   */
  list(folder: string, isUnchanged?: (name: string, stampKey: string) => boolean): Promise<Listing>;
  /** One path, links not followed; null when there is nothing. Throws `locked`. */
  look(path: string): Promise<Found | null>;
  /** The one spelling of each path, in their order: as the disk has it, links above the last name resolved. */
  spell(paths: readonly string[]): Promise<Spelled[]>;
  /** Where a path leads, links followed. Never throws: what cannot be asked is known by its written path. */
  place(path: string): Promise<Place>;
  /**
   * Opens a regular file for reading: no link at the last component, non-blocking, and with `root` given its real
   * path lies inside root's real path (`noLinks`: is this path). Throws `gone`, `locked`, `not-a-file`, `outside`.
   */
  open(path: string, root: string | null): Promise<OpenFile>;
  /** Whether a process has these files open for writing: an answer for each. One pass for all of them. */
  openForWriting(paths: readonly string[]): Promise<ReadonlyMap<string, Writing>>;
};

/** Looks into content beside the thread that calls. Bounded in time and memory, never throws. */
export type Inspect = {
  /** What is in it that a person would not want to be public by surprise; empty: nothing. */
  findIn(content: Content): Promise<readonly Finding[]>;
  /** Whether a photo tells where it was taken. Null: it does not, or these first bytes are of no photo. */
  photo(file: OpenFile, head: Uint8Array): Promise<PhotoLook | null>;
};

/** Files of our own in the data folder, each in a folder of its own. They go up and are removed then. */
export type Spool = {
  /**
   * Writes a stream of unknown length to a new file of this name, and returns its path once its bytes are durable. It
   * stays until its upload is over; without an upload it goes with this process. What a failure leaves is removed at
   * once. Throws `bad-use`, `disk`, `aborted`, and what `pieces` throws. A piece is not used after the next is asked for.
   */
  keep(name: string, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string>;
  /** The same for a zip of these files, whose names have `/` between folders. The same files give the same bytes. */
  pack(name: string, files: AsyncIterable<Packed>, signal: AbortSignal): Promise<string>;
  /** Whether this is the folder of such a file. */
  holds(dir: string): boolean;
  /** Removes such a folder with its file. */
  remove(dir: string): Promise<void>;
  /** `name` null: the folder is empty. `isGuarded`: the process that made it runs. */
  list(): Promise<{ dir: string; name: string | null; isGuarded: boolean }[]>;
};

/** One file of a zip. Its pieces are asked for before the next file is. */
export type Packed = { name: string; sizeBytes: number; pieces: AsyncIterable<Uint8Array> };

/** Bytes of a file, or bytes that are put between them. */
export type Part = { from: number; to: number } | Uint8Array;
/** The parts of a photo that make it a photo without metadata, their size together and their SHA-256. */
export type Cut = { parts: readonly Part[]; sizeBytes: number; sha256: string };
/** `isRead` false: what it tells could not be read. `cut` null: the location cannot be left out. */
export type PhotoLook = { isRead: boolean; cut: Cut | null };

/** What is read of a file to look into it. */
export type Content = { kind: 'text'; bytes: Uint8Array };

export type Writing =
  | 'open'
  | 'closed'
  /** A process may have it open that this one cannot see: another user's, in a container, on another machine. */
  | 'hidden'
  /** This platform gives no information about open files. */
  | 'untold';

/**
 * A hint, never a truth: something happened at this name, or somewhere in this folder when name is null. With
 * `everything` set, hints were lost and only a full scan can tell.
 */
export type Sighting = { folder: string; name: string | null; everything?: true };

export type WatchHealth =
  | { kind: 'live' }
  /** The system's watches do not suffice; everything is found by scanning. `message` has the exact remedy. */
  | { kind: 'degraded'; message: string };

export type Watch = {
  /**
   * Watches `root` and, when recursive, its subfolders. Sightings come in small batches. Resolves once the first walk
   * is done; `stop` resolves when every handle is closed.
   */
  start(options: {
    root: string;
    recursive: boolean;
    sighted: (batch: Sighting[]) => void;
    health: (health: WatchHealth) => void;
    signal: AbortSignal;
  }): Promise<{ stop(): Promise<void> }>;
};

/** gitignore patterns, compiled once. */
export type IgnoreRules = {
  /** Throws `bad-setting` for a pattern that cannot be read. */
  compile(patterns: readonly string[]): (relativePath: string, isFolder: boolean) => string | null;
};

// ---------------------------------------------------------------- the service

export type UploadRequest = {
  sentName: string;
  sizeBytes: number;
  pieces: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /**
   * Called once, when everything but the tail (the last bytes of the file and the closing boundary) is on the
   * wire. When it throws, the connection is destroyed and the service cannot have created the file.
   */
  beforeTail: () => Promise<void>;
  /** How long to wait for the answer after the last byte; the adapter's own limit when left out. */
  answerWaitMs?: number | undefined;
  /** Bytes of the file handed to the connection so far; all of them: the service is storing the file. */
  progress: (sentBytes: number) => void;
  signal: AbortSignal;
};

/** Each call is exactly one request; permits are the caller's business. Errors carry `status` when one came. */
export type Api = {
  upload(request: UploadRequest): Promise<UploadReceipt>;
  list(
    query: { page?: number; limit?: number },
    signal: AbortSignal,
  ): Promise<{ files: RemoteFile[]; pagination: Pagination }>;
  info(fileId: FileId, signal: AbortSignal): Promise<RemoteFile>;
  remove(fileId: FileId, signal: AbortSignal): Promise<{ message: string }>;
  stats(signal: AbortSignal): Promise<ServiceStats>;
  /**
   * SHA-256 of what a public link serves, without the key: allow-listed hosts only, no redirect to another host,
   * stops at `sizeBytes` + 1 bytes (then the answer is null: it is another file).
   */
  digestOfLink(link: string, sizeBytes: number, signal: AbortSignal): Promise<string | null>;
  /** Whether a link may be opened, copied by itself, or fetched (security.md, Opening things). */
  isSaneLink(link: string): boolean;
  /** Names of header lines about a rate limit that answers have had so far, in lower case. */
  rateHeaders?(): readonly string[];
};

// ---------------------------------------------------------------- the ledger

export type WatchedFolder = {
  id: number;
  path: string;
  identity: FolderIdentity;
  chosenAtMs: number;
  /** Set once the first full scan has recorded what was there before. */
  baselineDone: boolean;
  /** The highest row id at that time: rows up to it are pre-existing files. */
  baselineLastId: number;
  /** The first scan left out the subfolders, so the user was never asked about the files in them. */
  leftOutSubfolders: boolean;
  /** Subfolders that could not be read when the folder was chosen, and not since. */
  unreadable: readonly string[];
  /** Digest of the rules by which a complete scan has judged every name; null: names are judged again. */
  judgedBy: string | null;
  /** Rules that it has of its own. */
  own: OwnRules;
};

/** A photo without its location. */
export type SentCopy = { sha256: string; sizeBytes: number };

/** When a link ends, by two clocks: the wall clock, which is shown, and the limiter's time (account/expiry.ts). */
export type Ends = { atMs: number; provenMs: number };

/** A row of the ledger: one upload, one id for life. */
export type Upload = {
  id: number;
  /** null: given by hand, not found in the watched folder. */
  folderId: number | null;
  /** Absolute folder and name; together the path. */
  dir: string;
  name: string;
  stamp: Stamp | null;
  state: UploadState;
  sentName: string | null;
  /** Of the file. Contents on the disk are compared by it. */
  sha256: string | null;
  /** What goes, or went, instead of the file: its copy without location. The service's content is compared by it. */
  sent: SentCopy | null;
  fileId: FileId | null;
  publicLink: string | null;
  remoteSize: number | null;
  remoteName: string | null;
  uploadedAtMs: number | null;
  createdAtMs: number;
  changedAtMs: number;
  /** Higher goes first; equal: lower id first. */
  priority: number;
  /** Failures in a row, for the back-off of this file. A rate limit does not count. */
  attempts: number;
  /** The user confirmed it at this stamp: name, burst and baseline do not hold it again. Another stamp ends this. */
  confirmed: boolean;
  /** This version has waited its time of grace, or a person asked for it: it does not wait again. */
  graceOver: boolean;
  /** A link of its own is wanted although the content is shared, or may be. */
  wantsAnother: boolean;
  sameAsId: number | null;
  /** By which it came, or was last asked for. `agent`: no link may lead to its file. */
  door: Door;
  /** What a person wants for its link; null: what the folder says. */
  expireWish: ExpireWish | null;
  /** When its link is taken back; null: never, or it has none yet. */
  ends: Ends | null;
  /** False once the file left the folder, or this version was superseded. */
  present: boolean;
  /** What kept the file back when it left its path; null: nothing, or it has not left. */
  keptBy: KeptBy | null;
};

export type UploadDraft = Pick<Upload, 'folderId' | 'dir' | 'name' | 'stamp' | 'state'> &
  Partial<
    Pick<
      Upload,
      'sha256' | 'sameAsId' | 'priority' | 'confirmed' | 'wantsAnother' | 'graceOver' | 'expireWish' | 'door'
    >
  >;

export type UploadChange = Partial<Omit<Upload, 'id' | 'createdAtMs' | 'changedAtMs'>>;

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
export type LimiterMemory = unknown;

/** A remote file as last seen in a list or an answer. */
export type SeenRemote = RemoteFile & {
  file_id: FileId;
  /** When it was first seen: an upload begun later cannot have created it. */
  firstSeenAtMs: number;
  seenAtMs: number;
  gone: boolean;
  /** How many of its downloads are reads of this machine. */
  readByUs: number;
};

export type Ledger = {
  /** Runs `act` in one durable transaction (nested calls join it). A throw rolls everything back. */
  atomically<T>(act: () => T): T;
  uploads: UploadTable;
  attempts: AttemptTable;
  permits: PermitTable;
  remote: RemoteTable;
  entries: EntryTable;
  facts: FactTable;
  folders: FolderTable;
  letGo: LetGoTable;
  bundled: BundledTable;
  run: RunTable;
  followed: FollowedTable;
  proofs: ProofTable;
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
  /** Of a hold that a person let go. */
  reason: HoldReason | null;
  /** Of a link that was taken back: whether it is dead. */
  dead: boolean | null;
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

export type UploadTable = {
  insert(draft: UploadDraft, nowMs: number): Upload;
  /** Throws `internal` when a file id is given to a second upload, or an outcome would change. */
  update(id: number, change: UploadChange, nowMs: number): Upload;
  byId(id: number): Upload | null;
  /** The present row at a path of a folder (or by hand, folderId null). */
  presentAt(folderId: number | null, dir: string, name: string): Upload | null;
  /** Rows that are at a path in any folder, or were there and went up; the newest upload first. */
  atPath(dir: string, name: string, limit: number): Upload[];
  /**
   * The first of these paths that an upload, or a file of a zip, has or had. `fold`: else one that is equal when both
   * are folded. Null: none.
   */
  knownAs(
    places: readonly { dir: string; name: string }[],
    fold: ((path: string) => string) | null,
  ): string | null;
  /** Rows that have this name, here or at the service, and are there or went up; the newest first. */
  named(name: string, limit: number): Upload[];
  /** Rows that have this in their link, capitals or not; the newest first. */
  withLink(part: string, limit: number): Upload[];
  /** Uploads with a link that are or were at the path of this one, newest first. */
  versionsOf(id: number, limit: number): Upload[];
  /** Ids of all present rows directly in one directory. */
  presentIn(folderId: number, dir: string): number[];
  /**
   * Names and stamp keys of all present rows directly in one directory, for a scan. Key null: no regular file. Key '':
   * the file is to be judged again, because it settles or, with `again`, because it is not uploaded.
   */
  stampsIn(folderId: number, dir: string, again: boolean): Map<string, string | null>;
  /** Directories that have present rows, in no order. */
  presentDirs(folderId: number): string[];
  presentByInode(inode: string): Upload[];
  /** Rows whose file left its path and was kept back (`keptBy`), newest first. */
  departedByInode(inode: string): Upload[];
  /** The highest id; 0: there is no row. */
  lastId(): number;
  /**
   * Earlier versions at the path of this row that were uploaded since then; none for a row that the user confirmed or
   * gave by hand.
   */
  versionsBefore(id: number, sinceMs: number): number;
  byFileId(fileId: FileId): Upload | null;
  /** Uploaded rows with this content, newest first. */
  uploadedBySha(sha256: string): Upload[];
  /** The newest upload with this content whose link is or was taken back; null: there is none. */
  recalledBySha(sha256: string): Upload | null;
  /** Links whose time is over by both clocks, those that ended first first. */
  ended(now: Ends, limit: number): Upload[];
  /** In how many milliseconds a link may end at the earliest; null: none ends. */
  nextEndMs(now: Ends): number | null;
  /** Links that have no end, or one later than `mostMs` after their upload. */
  livesLonger(mostMs: number, limit: number): Upload[];
  /** Held rows with this content, newest first. */
  heldBySha(sha256: string): Upload[];
  /** True when an uploaded row (or one with an uncertain attempt) has this size: only then is hashing worth it. */
  knowsSize(sizeBytes: number): boolean;
  /** True when the service calls the file of another upload so. */
  isNamed(filename: string, exceptId: number): boolean;
  /** Rows in a state, in queue order (priority descending, then by `order`), at most `limit`. */
  inState(kind: StateKind, limit: number, order?: 'arrival' | 'newest' | 'smallest'): Upload[];
  countInState(kind: StateKind): number;
  /** Uncertain rows for which `isBusy` holds: they count as waiting. */
  countBusy(): number;
  /** Sum of sizes and number of rows in state `ready`. */
  backlog(): { files: number; bytes: number };
  /** Waiting rows whose time has come. */
  dueWaiting(nowMs: number, limit: number): Upload[];
  nextWaitingAtMs(): number | null;
  /** Present rows of the folder by bucket; with null those given by hand. */
  counts(folderId: number | null): Counts;
  /** How many rows of this state share each fate (`fateOf`), most first; with folders, of those only (null: given by hand). */
  alike(kind: Alike['kind'], folderIds?: readonly (number | null)[]): AlikeUploads[];
  /** The ids of rows that share a fate and have not changed since then, oldest first. */
  idsAlike(of: Alike, folderIds?: readonly (number | null)[]): number[];
  /** Of the files that are held as a burst: which changed last, and the folders that they lie in. Null: there are none. */
  burst(): { newestId: number; dirs: string[] } | null;
  /** Rows in a bucket, newest first. */
  inBucket(bucket: Bucket, folderId: number | null, limit: number): Upload[];
  /** Newest links of this machine. */
  newestLinks(limit: number): Upload[];
  /** Uploads that reached `committing` since then. */
  committedSince(sinceMs: number): number;
  /** `downloads`: counted on that day, between two readings of the list. */
  perDay(sinceMs: number): { day: string; uploads: number; bytes: number; downloads: number }[];
  /**
   * Rows of Files, searched and sorted: behind the cursor `after`, or from the row number `offset` on. `total` of a search
   * is counted up to 1,000, which then means "at least". `counts`: the whole groups; null for a search. `matches`: those
   * that a search found; null when there are more than are counted.
   */
  page(query: {
    search: string;
    place: FileGroup;
    /** Only those of this watched folder; left out: all. */
    folderId?: number | undefined;
    sort: (typeof fileSorts)[number];
    descending: boolean;
    after: string | null;
    offset?: number | undefined;
    limit: number;
  }): {
    rows: FileRow[];
    next: string | null;
    total: number;
    counts: Record<FileGroup, number> | null;
    matches: Record<FileGroup, number> | null;
  };
};

export type AttemptTable = {
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
  memory(): LimiterMemory | null;
  remember(memory: LimiterMemory): void;
};

export type RemoteTable = {
  /** Adds or refreshes what a page showed. */
  saw(files: readonly RemoteFile[], atMs: number): void;
  /**
   * Called after a complete pass: files not seen since then are gone from the service. Files that are known only since
   * `knownBeforeMs` or later stay, because a slow list may not show them yet. Returns their ids.
   */
  markUnseenGone(sinceMs: number, knownBeforeMs?: number): FileId[];
  markGone(fileId: FileId): void;
  /** This machine has read all that its public link serves. */
  readByUs(fileId: FileId): void;
  /** Those of these files that are gone leave Files, until they are seen again. Returns how many. */
  removeGone(fileIds: readonly FileId[]): number;
  byId(fileId: FileId): SeenRemote | null;
  /** Files of this name at the service. */
  named(filename: string, limit: number): SeenRemote[];
  /** Files that have this in their link, capitals or not. */
  withLink(part: string, limit: number): SeenRemote[];
  /**
   * Ids of files, as last seen, that belong to no upload of this ledger. They have the name and size of this file, and
   * by the dates of the service they were created within `withinSeconds` of it. Smallest id first, at most ten.
   */
  copiesOf(fileId: FileId, withinSeconds: number): FileId[];
  count(): number;
  /** Files by downloads counted since `weekMs`, then by all of them. `days`: what was counted on each day since `sinceMs`. */
  mostDownloaded(
    limit: number,
    weekMs: number,
    sinceMs: number,
  ): { row: FileRow; week: number; days: number[] }[];
  /** Files whose first download was counted last, the newest first. */
  firstDownloads(limit: number): { row: FileRow; atMs: number }[];
  /** What is known to be shared, and works. `bytes`: of our own files; `others`: sizes of the others, in the service's unit. */
  shared(): { files: number; bytes: number; others: number } & DownloadCounts;
};

export type EntryTable = {
  add(uploadId: number | null, path: string | null, body: EntryBody, atMs: number): Entry;
  after(seq: number, limit: number): Entry[];
  ofUpload(uploadId: number, limit: number): Entry[];
  lastSeq(): number;
  /** Keeps the newest `keep` entries, and all that the audit file still has to tell (fact `audit`). */
  prune(keep: number): void;
};

/** What a person said of a content: it may go although this held it, or it goes without its location. */
export type LetGo = HoldReason | 'without-location';
/** What a person said of contents. Nothing here is forgotten with a row. */
export type LetGoTable = {
  has(sha256: string, reason: LetGo): boolean;
  add(sha256: string, reason: LetGo, sizeBytes: number | null): void;
  keptBy(sha256: string): KeptContent | null;
  /** One reason for each content: a later one takes the place of an earlier one. */
  keep(sha256: string, by: KeptContent, sizeBytes: number): void;
  /** A person lets it go: nothing keeps this content back any more. */
  release(sha256: string): void;
  /** Whether anything was said of a content of this size: only then is it worth hashing a file. */
  knowsSize(sizeBytes: number): boolean;
};

/** A file in one of our zips: its name there, its path then, and what of it was packed. */
export type Bundled = { name: string; path: string; sizeBytes: number; sha256: string };
/** `whole`: the SHA-256 of the file itself, of which a photo may leave its location out. */
export type PackedFile = Bundled & { whole: string };
/** The files of the present run. `files`: 1, or how many a zip has in it. */
export type RunTable = {
  /** What is open and not in it yet comes into it. */
  takeUp(): void;
  /** A new run begins: what is over leaves it, what is open stays. */
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
  /** The first files in this one by name; `total`: all of them, 0 for an upload that is no zip of ours. */
  inside(uploadId: number, limit: number): Inside;
};

/** A link whose downloads are told. `downloads`: as last shown, without our own reads; null: never shown. */
export type Followed = {
  uploadId: number;
  fileId: FileId;
  path: string;
  publicLink: string;
  sinceMs: number;
  /** When its check began last, by the limiter's time; null: it was not checked. */
  checkedMs: number | null;
  /** Wall clock; null: never shown. */
  asOfMs: number | null;
  downloads: number | null;
  /** All downloads up to this number are told, or were known when it was followed. */
  told: number;
  isFirstTold: boolean;
  /** Its last check did not find it. One such answer alone may be a proxy's. */
  isDoubted: boolean;
};
/** A link that is taken back, or is gone from the service, leaves by itself. */
export type FollowedTable = {
  /** Oldest first. */
  all(): Followed[];
  count(): number;
  byId(uploadId: number): Followed | null;
  /** Of any link: each time more downloads were seen, without our own reads, oldest first; the newest `limit` of them. */
  countsOf(uploadId: number, limit: number): DownloadCount[];
  /** The downloads that are known now count as told. False: it is followed already. */
  add(uploadId: number, sinceMs: number): boolean;
  /** False: it was not followed. */
  remove(uploadId: number): boolean;
  update(
    uploadId: number,
    change: Partial<Pick<Followed, 'checkedMs' | 'told' | 'isFirstTold' | 'isDoubted'>>,
  ): void;
};

/** What was told last of a link that is read back. */
export type ProofTold = 'right' | VerifyReason;
/** A public link that is read back: once after its upload, or again and again (`isWatched`). */
export type Proof = {
  uploadId: number;
  fileId: FileId;
  path: string;
  publicLink: string;
  /** Of what was sent. */
  sha256: string | null;
  sizeBytes: number | null;
  isWatched: boolean;
  /** When its next read is due, by the limiter's time; null: it is read no more. */
  nextMs: number | null;
  /** Reads in a row that did not reach it. */
  tries: number;
  told: ProofTold | null;
  /** Since when that is so, by the wall clock. */
  toldAtMs: number | null;
};
/** A link that is taken back, or is gone from the service, leaves by itself. */
export type ProofTable = {
  /** The one whose read is due first; null: none is. */
  next(): (Proof & { nextMs: number }) | null;
  byId(uploadId: number): Proof | null;
  /** Those that are read again and again, in the order of their uploads. */
  watched(): Proof[];
  countWatched(): number;
  /** Read again and again from now on. False: it is already, or what its link should serve is not known. */
  watch(uploadId: number, nextMs: number): boolean;
  /** False: it was not watched. What was told of it is forgotten. */
  unwatch(uploadId: number): boolean;
  /** None of the watched ones is due later. */
  hasten(latestMs: number): void;
  /** How many are dead or serve other bytes, as was told. */
  countWrong(): number;
  /** False: it is there already, or what its link should serve is not known. */
  add(uploadId: number, nextMs: number): boolean;
  remove(uploadId: number): void;
  update(uploadId: number, change: Partial<Pick<Proof, 'nextMs' | 'tries' | 'told' | 'toldAtMs'>>): void;
};

/** `links`: at most `limit` of them; `total`: how many there are. Empty: 0. `sinceMs`: since when it is so. */
export type ReviewedLinks = { total: number; links: (ReviewedLink & { sinceMs: number | null })[] };

/** What reports ask: of links of this machine, whatever became of them. */
export type ReportTable = {
  /** Links that serve one of these contents, a copy of it without location, or a zip with it; newest first. */
  linksOf(hashes: readonly string[], limit: number): ExposedLink[];
  /** Uploads of one of these contents that may be public: their answer was lost, or is still to come. */
  openWith(hashes: readonly string[]): number;
  /** SHA-256 of what lay last at this path, as far as it was read; null: it was not. */
  lastContentAt(dir: string, name: string, path: string): string | null;
  /** Live links of files that were uploaded until then, without those that end until then, oldest first. */
  old(beforeMs: number, endsAfterMs: number, limit: number): ReviewedLinks;
  /** Those of them that the last lists showed without a download, our own reads left out. */
  neverDownloaded(beforeMs: number, endsAfterMs: number, limit: number): ReviewedLinks;
  /** Live links that end until then, the next end first. */
  expiring(untilMs: number, limit: number): ReviewedLinks;
  /** Links that were read back and are dead, or serve other bytes than were sent; the last one told first. */
  wrong(limit: number): ReviewedLinks;
  /** Files that are on the disk, and not on the service any more. */
  goneButOnDisk(limit: number): ReviewedLinks;
  /** Links that were taken back and not proven dead. */
  recalledNotDead(limit: number): ReviewedLinks;
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
