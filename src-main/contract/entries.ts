// What has happened, in the past tense. The ledger stores every entry; the feed, the command's JSON lines and
// the diagnostics are made from them. Progress is not history and is never stored.
import type { Wording } from './text/wording.ts';
import type { LinkLook } from './files/taken-back.ts';
import type { FileId } from './text/file-id.ts';
import type { FoundBy, FoundPlace, HoldReason, SkipRule, VerifyReason, WaitReason } from './model.ts';

/** Why a file still settles after seconds: a program has it open for writing, or it changes again and again. */
export type StillWritten = 'open' | 'changing';

export type EntryBody =
  | { kind: 'queued'; sizeBytes: number }
  | { kind: 'uploading' }
  | {
      kind: 'uploaded';
      fileId: FileId;
      publicLink: string;
      /** As the service answered. */
      size: number;
      filename: string;
      /** Of what the link serves. */
      sha256: string;
      withoutLocation?: boolean;
      /** The service had it already, from another machine or from an earlier state of this ledger. */
      wasThere?: boolean;
      /** When its link is taken back; null: never. */
      expiresAtMs: number | null;
    }
  /** A person does not want it, but it is there after all: it is taken back. */
  | { kind: 'unwanted'; fileId: FileId; publicLink: string; filename: string }
  | { kind: 'waiting'; reason: WaitReason; untilMs: number | null; written?: StillWritten }
  /** `message`, `untilMs`: what came instead of an answer, and when Outtray looks at the list. */
  | ({ kind: 'held'; reason: HoldReason; message?: string; untilMs?: number } & Partial<FoundBy> &
      Partial<FoundPlace>)
  | {
      kind: 'skipped';
      rule: SkipRule;
      pattern?: string;
      sameAsId?: number;
      publicLink?: string;
      expiresAtMs?: number | null;
    }
  /** A person released it although this reason held it. */
  | { kind: 'confirmed'; reason: HoldReason }
  | { kind: 'failed'; code: string; message: string; remedy: Wording }
  | { kind: 'moved'; from: string }
  | { kind: 'gone' }
  | { kind: 'deleted'; fileId: FileId }
  /**
   * `publicSeconds`: from its upload until its link was taken back. `downloads`: the last count, without our own reads;
   * null: no list has shown it. `look`, `againAtMs`: of a link that is not dead, and when it is looked at again. Recorded
   * again when the look finds another state of the link.
   */
  | {
      kind: 'recalled';
      fileId: FileId;
      publicLink: string;
      publicSeconds: number;
      downloads: number | null;
      dead: boolean;
      look?: LinkLook;
      againAtMs?: number;
      /** Only of an expired link: how late it was taken back. */
      lateMs?: number;
    }
  /**
   * Expired links, in one entry. `alive`: those that are not dead, of which `answers` answered; `lateMs`: how late the
   * latest was taken back.
   */
  | { kind: 'expired'; files: number; alive: number; answers?: number | undefined; lateMs: number }
  | { kind: 'expiry-set'; expiresAtMs: number | null }
  | { kind: 'follow-set'; isFollowed: boolean }
  /** The first new download of a followed link. `downloads`: all of them, without our own reads. */
  | { kind: 'downloaded'; fileId: FileId; publicLink: string; downloads: number }
  /** Once a day: the new downloads of all followed links. `files`: those with the most of them. */
  | { kind: 'downloads'; links: number; downloads: number; files: NewDownloads[] }
  /** A public link was read back. `reason` null: it serves what was sent. Recorded only when the result changes. */
  | { kind: 'verified'; fileId: FileId; publicLink: string; reason: VerifyReason | null }
  /** The service does not have the file any more, and not because of us. */
  | { kind: 'lost'; fileId: FileId }
  /** The program of the setting `afterUpload` did not end well. `message`: why. */
  | { kind: 'program-failed'; message: string }
  | { kind: 'queue-closed'; reason: WaitReason; untilMs: number | null; message: string; remedy: Wording }
  | { kind: 'queue-opened' }
  | { kind: 'folder-chosen'; folder: string }
  | { kind: 'folder-lost'; folder: string; message: Wording }
  | { kind: 'folder-back'; folder: string }
  | { kind: 'watch-degraded'; message: string };

/** `downloads`: new ones. */
export type NewDownloads = { uploadId: number; fileId: FileId; path: string; downloads: number };

export type EntryKind = EntryBody['kind'];

export type Entry = {
  /** Grows by one; the order in which things happened. */
  seq: number;
  atMs: number;
  uploadId: number | null;
  /** Absolute path of the upload at that time. */
  path: string | null;
  body: EntryBody;
};

/** Whether this entry gives the file a link: its own, or the one that its content has already. */
export const givesLink = (body: EntryBody): boolean =>
  body.kind === 'uploaded' || (body.kind === 'skipped' && body.rule === 'already-shared');

/** Transient: bytes on the wire for one upload; all of them: the service is storing the file. */
export type Progress = { uploadId: number; path: string; sentBytes: number; totalBytes: number };

/** Transient: a zip that is being packed. `id`: the number that its caller gave it. `totalFiles` 0: not counted yet. */
export type Packing = {
  id: number;
  name: string;
  files: number;
  totalFiles: number;
  bytes: number;
  totalBytes: number;
};
