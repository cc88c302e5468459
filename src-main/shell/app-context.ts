// What the shell needs of the rest of the program: main.ts makes it from the composed engine.
import type { Client, Transport } from '../contract/client.ts';
import type { AppError } from '../contract/errors.ts';
import type { FileManagerName, FileManagerView } from '../contract/file-managers.ts';
import type { EngineStatus, UploadState } from '../contract/model.ts';
import type { FolderRules, SettingName, Settings, SettingView } from '../contract/settings.ts';
import type { FeedRequest } from './updates/updates-feed.ts';
import type { WindowBounds } from './window/window-bounds.ts';
import type { FileId } from '../contract/text/file-id.ts';
import type { LinkedFile } from '../contract/text/link-text.ts';
import type { FileRef, LinkFault, NewestLink } from '../contract/window.ts';
import type { Standing } from './drop/drop.ts';

/** Files of the user. A drive that hangs holds up none of these: they throw. */
export type UserFiles = {
  /** What is at this path, without following links; null: nothing. */
  look(path: string): Promise<{
    type: string;
    stamp: { sizeBytes: number } | null;
    onlineOnly: boolean;
  } | null>;
  /** Never throws. */
  list(
    folder: string,
  ): Promise<{ ok: true; found: { name: string; stamp: UserStamp | null }[] } | { ok: false }>;
  /** Where a path leads, links followed, last. Never throws. */
  place(path: string): Promise<{ names: readonly string[] }>;
  open(path: string, root: null): Promise<OpenUserFile>;
};

/** What a file keeps when it is renamed. */
export type UserStamp = { inode: string; sizeBytes: number; mtimeMs: number };

/** Other files: certificates that are read, a text that is saved. The same holds for them. */
export type UserTexts = {
  read(path: string, mostBytes: number): Promise<{ kind: 'read'; bytes: Uint8Array } | { kind: string }>;
  create(
    path: string,
    replaces: boolean,
  ): Promise<{ write(text: string): Promise<void>; finish(): Promise<void>; discard(): Promise<void> }>;
};

/** A piece is valid until the next one is asked for. */
export type OpenUserFile = {
  stamp: { sizeBytes: number };
  head(maxBytes: number): Promise<Uint8Array>;
  pieces(signal: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
};

/** Looks up in the ledger by id. */
export type LedgerLook = {
  link(file: FileRef): LinkedFile | null;
  /** Ours first, in drop order, then the others as given; those without a link are left out. */
  links(uploadIds: readonly number[], fileIds: readonly FileId[]): LinkedFile[];
  path(uploadId: number): string | null;
  /** What an upload is; null: there is none. */
  upload(uploadId: number): {
    name: string;
    state: UploadState;
    changedAtMs: number;
    sha256: string | null;
    stamp: UserStamp | null;
  } | null;
  /** Newest first. */
  newest(count: number): NewestLink[];
  /** The rules in the folder of an upload; null: it belongs to none. */
  rules(uploadId: number): FolderRules | null;
  isByHand(uploadId: number): boolean;
  /** The account of the present key. */
  account(): number;
  /** Where an upload is now, and its link. */
  standing(uploadId: number): Standing;
};

/** Stores the content as a new file of the data folder; returns its path. Throws `disk`. */
export type KeepPasted = (bytes: Uint8Array, ending: string) => Promise<string>;

export type AppContext = {
  /** Of this start, with the key: for a restart of this app and nothing else. */
  environment: NodeJS.ProcessEnv;
  client: Client;
  transport: Transport;
  status: () => EngineStatus;
  /** Why the app must end: the data folder is gone, or its disk failed. Listeners are notified by a status. */
  fatal: () => AppError | null;
  /** Another process has the engine, or the data folder can only be read, until `whenAlone`. */
  isGuest: boolean;
  /** Watches and uploads from now on, unless another process does. Never throws: problems show in the status. */
  start: () => Promise<void>;
  /** Calls `act` once when a start would get the engine; never when it is ours from the start. Returns the undo. */
  whenAlone: (act: () => void) => () => void;
  /** The machine woke up. */
  resumed: () => void;
  settings: {
    current(): Settings;
    view(): SettingView[];
    set(name: SettingName, value: unknown): Promise<void>;
    onChange(hear: (settings: Settings) => void): () => void;
    warnings(): readonly string[];
    former(): readonly string[];
  };
  /** What this data folder had and has no longer; the window shows it until the app ends. */
  former: readonly string[];
  look: LedgerLook;
  files: UserFiles;
  texts: UserTexts;
  /** The bundle of diagnostics, without secrets. */
  diagnose: () => Promise<string>;
  /** Why a link is neither opened nor copied without a question; null: nothing speaks against it. */
  linkFault: (link: string) => LinkFault | null;
  /** Timers that outlive sleep; returns the undo. */
  after: (delayMs: number, act: () => void) => () => void;
  redact: (text: string) => string;
  windowBounds: { read(): WindowBounds | null; write(bounds: WindowBounds): void };
  /** The whole path of a program on PATH; null where there is none. */
  findProgram: (name: string) => string | null;
  /** How requests to the feed of updates are made. */
  feedRequest: FeedRequest;
  /** An update that was installed while the app was idle: remembered from one start to the next. */
  quietUpdate: {
    /** `version` is about to be installed automatically; the start that follows opens no window. */
    begin(version: string): void;
    /** The version whose automatic installation was last tried: it is not tried twice. */
    tried(): string | null;
    /** True once, at the first start after `begin`. */
    takeStart(): boolean;
  };
  /** Whether the user was told that closing the window leaves the app in the tray. */
  toldOfTray: { read(): boolean; write(): void };
  /** What was last written into the system's list of programs that start at login. */
  loginItem: { read(): boolean; write(wanted: boolean): void };
  /** The entry "Upload and copy link" in the file managers of this computer. */
  fileManagers: {
    list(): Promise<FileManagerView[]>;
    set(name: FileManagerName, on: boolean): Promise<FileManagerView[]>;
  };
  /** How the window shows the rows of Files. */
  rows: { areCompact(): boolean; setCompact(on: boolean): void };
  /** Data folder and the files in it that the shell uses. */
  home: { folder: string; log: string; profile: string | null };
  /** All profiles but the default one. Throws when their folder cannot be read. */
  otherProfiles: () => readonly { name: string; isRunning: boolean }[];
  /** Starts the app with this profile, beside this process. Throws `bad-use` for what is no name of a profile. */
  openProfile: (name: string) => Promise<void>;
  /** Files of what was pasted. `tidy` removes those that are no longer needed. */
  pasted: { keep: KeepPasted; tidy(): Promise<void> };
  version: string;
  log: { warn(event: string, fields?: Record<string, unknown>): void };
  /** Ends with everything recorded. Idempotent. */
  close: () => Promise<void>;
  /** Removes the key; `close`, or else the next start, removes the settings and all records. Throws `engine-taken`, `disk`. */
  forgetEverything: () => Promise<void>;
};
