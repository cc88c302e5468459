// The calls to the process of a drive, and its answers. The calling side chooses the numbers `file` and `watch`.
import type { WireError } from '../../contract/errors.ts';
import type {
  FolderIdentity,
  Found,
  Listing,
  Part,
  PhotoLook,
  Place,
  Sighting,
  Spelled,
  Stamp,
  WatchHealth,
  Writing,
} from '../../engine/ports/files.ts';

/** Paths with all links resolved, as the disk spells them. Both throw `locked` when the drive does not answer. */
export type RealPaths = {
  /** Null: nothing is there. */
  real(path: string): Promise<string | null>;
  /** For a path that does not exist, the nearest existing folder above it is resolved. */
  realFolder(path: string): Promise<string>;
};

/** Files that are no uploads. All calls throw `locked` when the drive does not answer. */
export type Texts = {
  /** All of a regular file; with `isPipeTaken`, also of a pipe. */
  read(path: string, mostBytes: number, isPipeTaken?: boolean): Promise<TextRead>;
  /** Throws `bad-use` if it cannot make the file, or if one exists: with `replaces` that goes once the new is whole. */
  create(path: string, replaces: boolean): Promise<NewText>;
};
export type TextRead =
  | { kind: 'read'; bytes: Uint8Array; mode: number }
  | { kind: 'missing' | 'unreadable' | 'no-file' | 'too-large' };
/** The caller calls either `finish` or `discard`. `discard` never throws. */
export type NewText = {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
};

/** The functions of `Files`, `OpenFile`, `Watch`, `Inspect`, `RealPaths` and `Texts` that a drive's process answers. */
export type Calls = {
  identify(folder: string): FolderIdentity;
  list(folder: string): Listing;
  look(path: string): Found | null;
  spell(paths: readonly string[]): Spelled[];
  real(path: string): string | null;
  realFolder(path: string): string;
  place(path: string): Place;
  openForWriting(paths: readonly string[]): ReadonlyMap<string, Writing>;
  open(file: number, path: string, root: string | null): Stamp;
  /** Makes another file of these parts of an open one. */
  cut(file: number, from: number, parts: readonly Part[]): Stamp;
  placeOfOpen(file: number): Place;
  head(file: number, maxBytes: number): Uint8Array;
  /** The next piece; null after the last one. */
  read(file: number): Uint8Array | null;
  sha256(file: number): string;
  unchanged(file: number): boolean;
  photo(file: number, head: Uint8Array, cutsAll: boolean): PhotoLook | null;
  close(file: number): void;
  readText(path: string, mostBytes: number, isPipeTaken?: boolean): TextRead;
  createText(text: number, path: string, replaces: boolean): void;
  writeText(text: number, piece: string): void;
  finishText(text: number): void;
  discardText(text: number): void;
  watch(watch: number, root: string, recursive: boolean): void;
  unwatch(watch: number): void;
};

export type DriveCall = keyof Calls;
export type DriveOrder<C extends DriveCall = DriveCall> = {
  [K in C]: { id: number; call: K; args: Parameters<Calls[K]> };
}[C];

export type DriveReply =
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'error'; id: number; error: WireError }
  | { kind: 'sighted'; watch: number; batch: Sighting[] }
  | { kind: 'health'; watch: number; health: WatchHealth };
