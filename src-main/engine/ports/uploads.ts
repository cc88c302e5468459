// The rows of the ledger: one for each version of a file.
import type { FileId } from '../../contract/text/file-id.ts';
import type { Door, KeptBy, StateKind, UploadState } from '../../contract/model.ts';
import type { ExpireWish } from '../../contract/expiry.ts';
import type { OwnRules } from '../../contract/settings.ts';
import type { Stamp, FolderIdentity } from './files.ts';

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

/** What is recorded of a new link. `provenMs`: its first moment in the limiter's time. `wanted`: without the ceiling. */
export type LinkLife = { provenMs: number; wanted: Ends | null; endsAtMs: number | null };

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
  /** The account that it was sent to, or is to be sent to. `fileId` means nothing in another one. */
  accountId: number;
  fileId: FileId | null;
  /** Since then the service shows another link under the id: it is another file's. The own link may still be served. */
  idTakenAtMs: number | null;
  /** The link was read once and served exactly what was sent: other bytes there mean something. */
  wasServed: boolean;
  publicLink: string | null;
  remoteSize: number | null;
  remoteName: string | null;
  uploadedAtMs: number | null;
  /** The same moment in the limiter's time; null: as `uploadedAtMs`. */
  uploadedProvenMs: number | null;
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
  /** By which it came, or was last asked for. `agent`: no symbolic link may lead to its file. */
  door: Door;
  /** What a person wants for its link; null: the rule of the folder holds. */
  expireWish: ExpireWish | null;
  /** When its link is to end, whatever the ceiling is; null: never, or it has none yet. */
  wantedEnds: Ends | null;
  /** When its link is taken back: `wantedEnds`, or the ceiling of now if that is earlier. Computed, never stored. */
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
      | 'sha256'
      | 'sameAsId'
      | 'priority'
      | 'confirmed'
      | 'wantsAnother'
      | 'graceOver'
      | 'expireWish'
      | 'door'
      | 'keptBy'
      // Of a link that another machine made.
      | 'fileId'
      | 'publicLink'
      | 'sentName'
      | 'uploadedAtMs'
      | 'uploadedProvenMs'
      | 'wantedEnds'
      | 'present'
    >
  >;

export type UploadChange = Partial<Omit<Upload, 'id' | 'createdAtMs' | 'changedAtMs' | 'ends'>>;

/** Pre-existing files that are kept back, and those that were when they left their path. None of them is empty. */
export type ExistingFiles = {
  /** Whether one of this size is there, or has left and its content is known. */
  isComparable(sizeBytes: number): boolean;
  /** Whether one whose content is not known has left this path, or any path with this size and time. */
  hasLeft(seen: Pick<Upload, 'dir' | 'name'> & { stamp: Stamp }): boolean;
  /** Whether one other than `exceptId` has this content. */
  hasContent(sha256: string, exceptId: number): boolean;
  /** Those of this size that are there and whose content is not known, with ids below `belowId`, newest first. */
  unread(sizeBytes: number, belowId: number, limit: number): Upload[];
};

/** A row as it begins. */
export const newRow = (draft: UploadDraft, nowMs: number, accountId: number): Omit<Upload, 'id'> => ({
  sentName: null,
  sha256: null,
  sent: null,
  accountId,
  fileId: null,
  idTakenAtMs: null,
  wasServed: false,
  publicLink: null,
  remoteSize: null,
  remoteName: null,
  uploadedAtMs: null,
  uploadedProvenMs: null,
  createdAtMs: nowMs,
  changedAtMs: nowMs,
  priority: 0,
  attempts: 0,
  confirmed: false,
  wantsAnother: false,
  graceOver: false,
  sameAsId: null,
  door: 'folder',
  expireWish: null,
  wantedEnds: null,
  ends: null,
  present: true,
  keptBy: null,
  ...draft,
});

/** Rows are written by `insert` and `update` (state/rows.ts), and found for what is decided about them. */
export type UploadStore = {
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
  /** Rows that have this in their link, case ignored; the newest first. */
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
  /** Present rows of a folder that settle, or whose wait for the folder is over by then. */
  settlingIn(folderId: number, nowMs: number, limit: number): Upload[];
  /** Directories that have present rows, in no order. */
  presentDirs(folderId: number): string[];
  existing: ExistingFiles;
  /**
   * Present files of this size that were refused and whose content is not known, so that it cannot be told yet which
   * content was refused. With ids below `belowId`, newest first.
   */
  unreadNoes(sizeBytes: number, belowId: number, limit: number): Upload[];
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
  /** The upload whose copy this is in the present account. */
  byFileId(fileId: FileId): Upload | null;
  /**
   * The newest upload that had this id before another file got it, or has it in another account; those of
   * the present account first.
   */
  formerOf(fileId: FileId): Upload | null;
  /** Uploaded rows with this content in the present account whose ids still lead to them, newest first. */
  uploadedBySha(sha256: string): Upload[];
  /** The newest upload with this content whose link is or was taken back; null: there is none. */
  recalledBySha(sha256: string): Upload | null;
  /**
   * Uploads of the present account whose links are taken back and not proven dead, or that are looked for, all or those
   * that a person does not want; the earliest next attempt first.
   */
  nextOf(what: 'recall' | 'look' | 'unwanted-look', limit: number): Upload[];
  /** Links of the present account whose time is over by both clocks, the earliest end first. */
  ended(now: Ends, limit: number): Upload[];
  /** In how many milliseconds a link may end at the earliest; null: none ends. */
  nextEndMs(now: Ends): number | null;
  /** Rows in a state with this content, that of the file or that of its sent copy; newest first. */
  bySha(kind: StateKind, sha256: string): Upload[];
  /** True when an uploaded row (or one with an uncertain attempt) has this size: only then is hashing worth it. */
  knowsSize(sizeBytes: number): boolean;
  /** True when the file of another upload has this name at the service. */
  isNamed(filename: string, except: { id: number; sentName: string }): boolean;
  /** Rows in a state, in queue order (priority descending, then by `order`). */
  inState(kind: StateKind, most: number | 'all', order?: 'arrival' | 'newest' | 'smallest'): Upload[];
  countInState(kind: StateKind): number;
  /** Uploads by this door that are not decided yet, or wait for their turn. */
  countUnsentOf(door: Door): number;
  /** Sum of sizes and number of rows in state `ready`. */
  backlog(): { files: number; bytes: number };
  /** Waiting rows whose time has come. */
  dueWaiting(nowMs: number, limit: number): Upload[];
  nextWaitingAtMs(): number | null;
};
