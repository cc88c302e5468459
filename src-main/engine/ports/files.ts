// What the engine needs of the disk. Paths are absolute strings; bytes that are not UTF-8 are written as NUL + two hex
// digits (NUL cannot occur in a path), so that every name has exactly one string.
import type { Finding, FoundBy } from '../../contract/model.ts';

/** One version of a file, as far as the system shows it without a read of the content. */
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
  /** Epoch milliseconds; absent where the file system does not provide it, and in stamps from the ledger. */
  bornMs?: number;
};

/**
 * `too-deep`: its path is longer than the system takes. `unreadable`: the system does not show what it is, because of
 * its rights or a fault of the disk.
 */
export type EntryType = 'file' | 'folder' | 'link' | 'special' | 'too-deep' | 'unreadable';

/** One thing in a folder. `stamp` only for regular files. */
export type Found = { name: string; type: EntryType; stamp: Stamp | null; onlineOnly: boolean };

export type Listing =
  | { ok: true; found: Found[] }
  /** The folder could not be read; `gone` when it is not there any more. */
  | { ok: false; gone: boolean; message: string };

/**
 * Distinguishes a folder from another one that is mounted at the same path: `device:inode:birth time:mount`. An inode
 * or birth time of 0 and an empty mount are unknown. Before version 3 the mount was missing (shared/folder.ts).
 */
export type FolderIdentity = string;

/**
 * Where something really lies. `names`: as it was written, then what else leads to it, its real path last. `folders`:
 * identities of it and of the folders above it, itself first; '' for an unknown one, empty if nothing is there.
 */
export type Place = { path: string; names: readonly string[]; folders: readonly string[] };

/** `isGuess`: nothing is there, and its disk ignores case, so a row may spell it otherwise. */
export type Spelled = { path: string; isGuess: boolean };

/** What a file system supports, and which one it is. */
export type Disk = {
  /** As the system names it: `ext4`, `fuse.sshfs`; `unknown` where the system gives no name. */
  kind: string;
  /** Other machines write to it. */
  isShared: boolean;
  /** A call may never return: a server or a program answers. */
  mayHang: boolean;
  /** It provides the birth time of a file. */
  tellsBirth: boolean;
  /** An inode number stays the same when the disk is mounted again. If not, equal numbers prove nothing. */
  keepsInodes: boolean;
  /** The system reports every change in it; false where other machines change it. */
  tellsChanges: boolean;
  /** Locks of files hold between all that use it. */
  locks: boolean;
  /** UUID of the file system, or what was mounted from where. Null: nothing distinguishes this disk from another. */
  identity: string | null;
  /** The path is that of a whole drive. */
  isDrive: boolean;
  /** Names that differ only in case, or in how their letters are composed, may be one. */
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
  /** Where the open file is now, even if its path leads elsewhere (Linux; on other systems, where its path leads). */
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

/**
 * Folders this deep below a watched or given one are still entered. Deeper ones are a program's mistake, and the cost
 * of watching them grows with the square.
 */
export const deepestFolder = 128;

/** In place of a root: no link leads to the file, so its real path is the path itself. */
export const noLinks = ':no-links:';

export type Files = {
  /** Throws `folder-unavailable`. */
  identify(folder: string): Promise<FolderIdentity>;
  /** The disk under a real path. Asks the system's table, not the disk, so that it never waits for it. */
  disk(path: string): Disk;
  /** The same for all disks in a folder. Null where the system reports nothing about its disks. */
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
  /** Where a path leads, links followed. Never throws: a path that cannot be resolved keeps its written form. */
  place(path: string): Promise<Place>;
  /**
   * Opens a regular file for reading: no link at the last component, non-blocking, and with `root` given its real
   * path lies inside root's real path (`noLinks`: is this path). Throws `gone`, `locked`, `not-a-file`, `outside`.
   */
  open(path: string, root: string | null): Promise<OpenFile>;
  /** Whether writers can be seen without touching their files. Else only files that are quiet are asked about. */
  seesWriters(): boolean;
  /** Whether a process has these files open for writing, in one pass. It lacks files of drives that give no answer. */
  openForWriting(paths: readonly string[]): Promise<ReadonlyMap<string, Writing>>;
};

/** Looks into content outside the calling thread. Bounded in time and memory, never throws. */
export type Inspect = {
  /** What is in it that a person would not want to be public by surprise; empty: nothing. */
  findIn(content: Content): Promise<readonly Finding[]>;
  /**
   * Whether a photo shows where it was taken. Null: it does not, or these first bytes are of no photo. With `cutsAll`
   * also a photo that shows no place has its cut, if it has other metadata.
   */
  photo(file: OpenFile, head: Uint8Array, cutsAll: boolean): Promise<PhotoLook | null>;
  /**
   * The line of a secret that was found, as it may be shown: the name of the value and eight dots, never more of the
   * file. Null: the line has no such name. Reads at most some hundred letters of the line, so it needs no thread.
   */
  excerpt(content: Content, found: FoundBy): Promise<string | null>;
};

/** Files of our own in the data folder, each in a folder of its own. They are uploaded and then removed. */
export type Spool = {
  /**
   * Writes a stream of unknown length to a new file of this name, and returns its path once its bytes are durable. It
   * stays until its upload is over; without an upload it is removed with this process. The rest of a failure is removed
   * at once. Throws `bad-use`, `disk`, `aborted`, and as `pieces`. A piece is not used after the next is asked for.
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

/** `unread`: its metadata could not be read to the end. `cut` null: the metadata cannot be left out. */
export type PhotoLook = { shows: 'location' | 'unread'; cut: Cut | null } | { shows: 'nothing'; cut: Cut };

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
 * `everything` set, hints were lost and only a full scan shows what happened.
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

/** `allowed`: the last pattern that matches begins with `!`. */
export type IgnoreMatch = { kind: 'ignored'; pattern: string } | { kind: 'allowed' };

/** gitignore patterns, compiled once. */
export type IgnoreRules = {
  /** Throws `bad-setting` for a pattern that cannot be read. Null: no pattern matches the path or a folder above it. */
  compile(patterns: readonly string[]): (relativePath: string, isFolder: boolean) => IgnoreMatch | null;
};
