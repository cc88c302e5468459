// A file as the command prints it in JSON, and as agents get it. Null: not known.
import type { FileId } from '../../contract/text/file-id.ts';
import type { FileRow, UploadView } from '../../contract/model.ts';
import { isoOrNull } from '../../contract/text/formats.ts';
import { queueIdText } from '../../contract/text/named-file.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';
import { idNow } from '../shared/links.ts';
import { joinPath, nowhere, splitPath } from '../shared/paths.ts';
import { sentBytes, sentContent } from '../shared/same-content.ts';

export type FileJson = {
  file_id: FileId | null;
  /** `q5`; null: another machine uploaded it. */
  queueId: string | null;
  filename: string | null;
  path: string | null;
  public_link: string | null;
  sizeBytes: number | null;
  sha256: string | null;
  uploadedAt: string | null;
  expiresAt: string | null;
  downloads: number | null;
};

/** What is known of a file, under our own names. Size and SHA-256 are those of what its link serves, or will serve. */
export type KnownFile = Partial<{
  fileId: FileId | null;
  uploadId: number | null;
  filename: string | null;
  path: string | null;
  publicLink: string | null;
  sizeBytes: number | null;
  sha256: string | null;
  uploadedAtMs: number | null;
  expiresAtMs: number | null;
  downloads: number | null;
}>;

/** A program takes a relative path for one in its own folder. */
const pathOf = (path: string | null = null): string | null =>
  path === null || splitPath(path).dir === nowhere ? null : path;

/** Other fields of `known` are left out. */
export const fileJson = ({ uploadId = null, sha256 = null, ...known }: KnownFile): FileJson => ({
  file_id: known.fileId ?? null,
  queueId: uploadId === null ? null : queueIdText(uploadId),
  filename: known.filename ?? null,
  path: pathOf(known.path),
  public_link: known.publicLink ?? null,
  sizeBytes: known.sizeBytes ?? null,
  // Not read yet.
  sha256: sha256 === '' ? null : sha256,
  uploadedAt: isoOrNull(known.uploadedAtMs ?? null),
  expiresAt: isoOrNull(known.expiresAtMs ?? null),
  downloads: known.downloads ?? null,
});

export const ofFileRow = (row: FileRow): KnownFile => ({
  ...row,
  filename: row.name,
  // The unit of the service's sizes is not specified (service.md §2).
  sizeBytes: row.sizeIsBytes ? row.size : null,
});

type Tables = Pick<Ledger, 'accounts' | 'uploads' | 'remote'>;

export const ofUpload = (ledger: Pick<Tables, 'accounts' | 'remote'>, row: Upload): KnownFile => {
  const fileId = idNow(ledger, row);
  const remote = fileId === null ? null : ledger.remote.byId(fileId);
  return {
    fileId,
    uploadId: row.id,
    filename: row.name,
    path: joinPath(row.dir, row.name),
    publicLink: row.publicLink,
    sizeBytes: sentBytes(row),
    sha256: sentContent(row).sha256,
    uploadedAtMs: row.uploadedAtMs,
    expiresAtMs: row.ends?.atMs ?? null,
    downloads:
      remote?.download_count === undefined ? null : Math.max(0, remote.download_count - remote.readByUs),
  };
};

/**
 * What the ledger knows of the upload, or else of the service's file, merged with `told`. A value in `told` wins: a
 * link that was taken back, or a path from before the file moved.
 */
export const completed = (ledger: Tables, told: KnownFile): KnownFile => {
  const { uploadId = null, fileId = null, path = null } = told;
  const row =
    (uploadId === null ? null : ledger.uploads.byId(uploadId)) ??
    (fileId === null ? null : ledger.uploads.byFileId(fileId));
  const known = Object.entries(told).filter(([, value]) => value !== null);
  if (row !== null) return { ...ofUpload(ledger, row), ...Object.fromEntries(known) };
  const remote = fileId === null ? null : ledger.remote.byId(fileId);
  return {
    filename: remote?.filename ?? (path === null ? null : splitPath(path).name),
    publicLink: remote?.public_link ?? null,
    sizeBytes: remote?.sizeBytes ?? null,
    sha256: remote?.sha256 ?? null,
    downloads: remote?.download_count ?? null,
    ...Object.fromEntries(known),
  };
};

export const ofView = (view: UploadView): KnownFile => ({
  ...view,
  uploadId: view.id,
  filename: view.name,
});
