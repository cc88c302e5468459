// What only the process that owns the window gives to it: answers of the calls whose names begin with `window.`, cues,
// and files that were given together. Links and files are named by id and looked up in the ledger there: the window
// never sends an address to be opened, and a path only of a watched folder (security.md, "Opening things").
import type { WireError } from './errors.ts';
import type { LeftOutReason } from './model.ts';
import type { FileId } from './text/file-id.ts';
import type { Platform } from './text/speech.ts';

/** What the shell may ask of the window; a page beside it asks for the same by name. */
export const cueNames = [
  'show-files',
  'show-queue',
  'show-statistics',
  'show-settings',
  'find',
  'upload-files',
  'shortcuts',
] as const;

export const pictureUses = ['row', 'details'] as const;

/** Where a picture of a file is shown: as a small square in a row, or as it is in the details. */
export type PictureUse = (typeof pictureUses)[number];
/** A file by our upload, or by the service's id when it came from elsewhere. */
export type FileRef = { uploadId: number } | { fileId: FileId };

export type WindowEnvironment = {
  platform: Platform;
  version: string;
  /** BCP 47, as the system prefers them; the `language` setting wins over it. */
  languages: string[];
  /** Where the ledger, settings and logs are; shown, never sent back. */
  dataFolder: string;
  /** The folder proposed at first run; the user still has to agree. */
  proposedFolder: string;
  /** The user's home folder: a path in it begins with `~`. Empty on Windows, which does not use `~`. */
  userHome: string;
  canLaunchAtLogin: boolean;
  /** The rows of Files are low. */
  compactRows: boolean;
  /** Settings of the file or the policy that are ignored, as sentences. */
  ignoredSettings: string[];
  /** Another process has the engine (`outtray watch`); this window shows what it does. */
  isGuest: boolean;
};

/** `sure` false: the system took the text but cannot confirm that it arrived (Wayland without focus). */
export type CopyResult = { count: number; sure: boolean };

/** The result of opening a link; `refused` when the address is not one Outtray opens. */
export type OpenResult = { kind: 'opened' } | { kind: 'refused'; reason: string };

export type NewestLink = { uploadId: number; name: string; uploadedAtMs: number };

/** How many of the newest links are offered to be copied together, if that many exist. */
export const newestTogether = (links: number): number[] => [
  ...new Set([3, 5, 10].map((count) => Math.min(count, links))),
];

/** Of the setting pasteShortcut. `taken`: another program has these keys; `wayland`: no program can take any there. */
export type ShortcutState = 'off' | 'set' | 'taken' | 'wayland';

export type CaFileView = { path: string; sha256: string; subject: string; validUntilMs: number };

export type UpdateState =
  | { kind: 'off' }
  /** The system's own tool updates this installation. */
  | { kind: 'managed' }
  /** The Outtray of the default profile updates it. */
  | { kind: 'elsewhere' }
  | { kind: 'current'; checkedAtMs: number | null }
  /** `notes`: what changed, as plain text; may be empty. */
  | { kind: 'available'; version: string; notes: string }
  | { kind: 'loading'; version: string; share: number }
  | { kind: 'ready'; version: string; notes: string }
  | { kind: 'failed'; error: WireError };

export type CueName = (typeof cueNames)[number];

/** One file, and what to do with it: show its details with the QR code, or delete it from the service. */
export type FileCue = { cue: 'show-file'; uploadId: number; act: 'details' | 'recall' };

/** A request of the shell to the window, from a menu, the tray or a notification. Unnumbered: a loss is harmless. */
export type Cue = { kind: 'cue' } & ({ cue: CueName } | FileCue);

/**
 * A link of files that were given together; `uploadId`: its row of Files. `isNew`: these files created it; else it was
 * public before, since `sharedAtMs`.
 */
export type GivenRow = {
  uploadId: number;
  fileId: FileId;
  name: string;
  link: string;
  isNew: boolean;
  sharedAtMs: number | null;
};

/**
 * Why a link does not go to the clipboard by itself. `unusable`: no program can open it. `new-host`: the
 * user has not trusted its host yet. `not-encrypted`: an `http:` link on a trusted host.
 */
export type LinkFault = 'unusable' | 'new-host' | 'not-encrypted';

/**
 * Why a given file has no row. `renamed`: while it was on its way. `late`: it was given long before the app started.
 * `unrecorded`: while the records cannot be written; it is given again by itself.
 */
export type LostWhy = LeftOutReason | 'gone' | 'renamed' | 'late' | 'unrecorded';
/** `to`: what a symbolic link leads to, or the new name. */
export type LostFile = { name: string; path: string; to: string | null };
/**
 * `count`: of all; `files`: the first 100. `token`: how a page names those `uploads` of all that can be uploaded all the
 * same, or in whose place another can be (files.upload); null: there are none.
 */
export type LostFiles = {
  why: LostWhy;
  count: number;
  files: LostFile[];
  token: string | null;
  uploads: number;
};

/** How far files that were given together are, and their links. Not numbered: each message is complete. */
export type GivenGroup = {
  id: number;
  /** In which account its files were given: it is shown in no other. */
  accountId: number;
  total: number;
  /** Still on their way up, in drop order: all of them can be cancelled. */
  going: number;
  goingIds: number[];
  /** The first three, to show their pictures. */
  faces: { uploadId: number; name: string }[];
  /** Those with a link; `uploadIds`: the first 5,000 of them, in drop order. */
  linked: number;
  uploadIds: number[];
  /** Each link once, at most 5,000; empty while files of a large group are on their way up. */
  rows: GivenRow[];
  /** `uploadId`: the row of Files; `isOther`: it is another file, which has the same content. */
  first: { uploadId: number; name: string; link: string; isOther: boolean } | null;
  /**
   * Whether the links are on the clipboard. `off`: they are not, or no longer; `unsure`: the system cannot confirm that
   * they arrived; `refused`: it does not take them; `forbidden`: a policy or a setting forbids it. With a fault of
   * `address` nothing is copied before the user says so.
   */
  copy: 'off' | 'later' | 'done' | 'unsure' | 'refused' | 'forbidden' | { fault: LinkFault; address: string };
  /** The files that have no row. A folder that became one zip may lack them, too. */
  lost: LostFiles[];
  /** Ids of those that were held or refused and wait for the user, at most 5,000. */
  needYou: number[];
  /** Those of the others that a rule or the user left out, at most 5,000. */
  without: number[];
};

/** What the shell sends to the window beside the engine's changes. */
/** `clipboard`: it gets another text, so nothing that was copied before is on it. */
export type WindowNews = Cue | { kind: 'given'; group: GivenGroup } | { kind: 'clipboard' };

const rowPrefix = 'row-';
/** How a page names the file of a row where a command takes paths. It names other files by their tokens. */
export const rowName = (uploadId: number): string => `${rowPrefix}${uploadId}`;
/** The id of the upload in such a name; null: it is none. */
export const readRowName = (name: string): number | null =>
  /^row-[1-9]\d{0,14}$/.test(name) ? Number(name.slice(rowPrefix.length)) : null;
