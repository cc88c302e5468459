// A file as the command prints it in JSON. Null stands for what is not known.
import type { FileId } from '../../contract/text/file-id.ts';
import type { FileRow } from '../../contract/model.ts';
import { queueIdText } from '../../contract/text/named-file.ts';
import { isoOrNull } from './words.ts';

export type FileJson = {
  file_id: FileId | null;
  /** `q5`; null: another machine uploaded it. */
  queueId: string | null;
  filename: string;
  path: string | null;
  public_link: string | null;
  sizeBytes: number | null;
  sha256: string | null;
  uploadedAt: string | null;
  expiresAt: string | null;
  downloads: number | null;
};

export const fileJson = (row: FileRow): FileJson => ({
  file_id: row.fileId,
  queueId: row.uploadId === null ? null : queueIdText(row.uploadId),
  filename: row.name,
  path: row.path,
  public_link: row.publicLink,
  // The unit of the service's sizes is not specified (service.md §2).
  sizeBytes: row.sizeIsBytes ? row.size : null,
  sha256: row.sha256,
  uploadedAt: isoOrNull(row.uploadedAtMs),
  expiresAt: isoOrNull(row.expiresAtMs),
  downloads: row.downloads,
});
