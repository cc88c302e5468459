// What reports show about links and files: links of one content, review and export. All of it is from the ledger, as of its last
// look at the account's list.
import * as v from 'valibot';
import { AppError } from './errors.ts';
import type { LinkState } from './files/taken-back.ts';
import { fileIdSchema, type FileId } from './text/file-id.ts';
import type { RemoteFile, UploadState } from './model.ts';

/** One link that serves a content, or did. */
export type CopyLink = {
  uploadId: number;
  fileId: FileId | null;
  /** Where the content lay then; for a file in a zip, the path from which it was packed. */
  path: string;
  filename: string;
  /** Of the content: the file, or its copy without location. */
  sha256: string;
  publicLink: string;
  /** The name of the zip that the link serves; null: it serves the content itself. */
  inside: string | null;
  fromMs: number;
  /** Since when it is known to be dead; null: it is not known to be dead. */
  untilMs: number | null;
  /** At least this number, without our own reads; null: no list has shown it. */
  downloads: number | null;
  /** Null: it was taken back, and is not known to be dead. */
  alive: boolean | null;
  /** Of a link that was taken back. Null: only the list of the account shows whether it is there. */
  linkState: LinkState | null;
};

/** `links`: newest first. `uncertain`: ids of uploads of the content whose answer was lost; they may be public. */
export type Copies = {
  sha256: string;
  links: CopyLink[];
  uncertain: number[];
  /** When the account's list was read last; null: never. */
  asOfMs: number | null;
};

export const reviewKinds = [
  'wrong',
  'dead',
  'expiring',
  'duplicate',
  'never-downloaded',
  'old',
  'daily-uploads',
  'total-size',
  'largest-file',
] as const;
export type ReviewKind = (typeof reviewKinds)[number];

export const noReviewCounts: Readonly<Record<ReviewKind, number>> = {
  wrong: 0,
  dead: 0,
  expiring: 0,
  duplicate: 0,
  'never-downloaded': 0,
  old: 0,
  'daily-uploads': 0,
  'total-size': 0,
  'largest-file': 0,
};

/** The one step that settles a finding. `remove`: from the list of files; the service no longer has it. */
export type Remedy =
  | { do: 'recall' | 'expire' | 'remove' | 'compare'; fileId: FileId }
  | { do: 'again' | 'zip'; path: string }
  | { do: 'pause' };

export type ReviewedLink = {
  uploadId: number;
  fileId: FileId;
  path: string;
  name: string;
  publicLink: string | null;
  sizeBytes: number | null;
  uploadedAtMs: number;
  expiresAtMs: number | null;
  /** Of a link that was taken back, and is not known to be dead; null: of any other. */
  linkState: LinkState | null;
  /** Of what the link serves. */
  sha256: string | null;
};

/** `link` null: it is about the account. `sinceMs`: since when it holds, as far as that is known. */
export type ReviewFinding = {
  kind: ReviewKind;
  link: ReviewedLink | null;
  sinceMs: number | null;
  /** Only of `daily-uploads`. */
  used?: { uploads: number; limit: number };
  remedy: Remedy;
};

/** `counts`: how many there are of each kind, including those that are not listed. */
export type Review = {
  findings: ReviewFinding[];
  counts: Readonly<Record<ReviewKind, number>>;
  asOfMs: number | null;
};

/** A file that the ledger knows: an upload, a file in a zip (`inside`), or a file of the account from elsewhere. */
export type ExportedFile = {
  /** Of a file in a zip, the zip's; null: uploaded elsewhere. */
  uploadId: number | null;
  fileId: FileId | null;
  path: string | null;
  filename: string;
  sizeBytes: number | null;
  sha256: string | null;
  publicLink: string | null;
  uploadedAtMs: number | null;
  expiresAtMs: number | null;
  recalledAtMs: number | null;
  /** Null: uploaded elsewhere. */
  state: UploadState | null;
  isGone: boolean;
  /** Of another account than that of the present key. */
  isOther: boolean;
  downloads: number | null;
  inside: string | null;
  /** What the service reported about a file from elsewhere: its size has no known unit, its date no known zone. */
  told: Pick<RemoteFile, 'size' | 'upload_date'>;
};

const bytes = v.pipe(v.number(), v.safeInteger('is no number of bytes'), v.minValue(0, 'is negative'));
const timeMs = v.pipe(v.number('is no time'), v.safeInteger('is no time'), v.minValue(0, 'is no time'));

/** A file of an export that another machine of the account wrote. `line`: where it stands there. `size`, `uploadDate`: as the service gave them. */
export const importedFile = v.strictObject({
  line: v.pipe(v.number(), v.safeInteger()),
  fileId: fileIdSchema,
  publicLink: v.pipe(v.string(), v.maxLength(2048, 'is too long')),
  // What a name at the service never has: a folder, or what a terminal acts on.
  filename: v.pipe(
    v.string(),
    v.maxLength(1024, 'is too long'),
    v.regex(/^(?!\.{1,2}$)[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/]+$/u, 'is no name of a file'),
  ),
  sizeBytes: v.nullable(bytes),
  sha256: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'is no SHA-256'))),
  uploadedAtMs: v.nullable(timeMs),
  expiresAtMs: v.nullable(timeMs),
  size: v.nullable(bytes),
  uploadDate: v.nullable(v.pipe(v.string(), v.maxLength(100, 'is no date'))),
});
export type ImportedFile = v.InferOutput<typeof importedFile>;

/** `new`: those that were not known here in this way. `ends`: those that the other machine takes back at a time. */
export type ImportResult = { files: number; new: number; ends: number };

export const refusedLine = (line: number, why: string): AppError =>
  new AppError('bad-use', `Line ${line}: ${why}. Nothing was imported.`, 'Export the files again.');
