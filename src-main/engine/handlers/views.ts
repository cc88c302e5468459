// Rows of the ledger as the window and the command show them.
import { bucketOf, type UploadView } from '../../contract/model.ts';
import { joinPath } from '../shared/paths.ts';
import { sentContent } from '../shared/same-content.ts';
import type { Upload } from '../ports.ts';

export const uploadView = (
  row: Upload,
  now: { sentBytes: number | null; expectedAtMs: number | null },
): UploadView => ({
  id: row.id,
  path: joinPath(row.dir, row.name),
  name: row.name,
  sizeBytes: row.stamp?.sizeBytes ?? 0,
  state: row.state,
  bucket: bucketOf[row.state.kind],
  sentName: row.sentName,
  sha256: sentContent(row).sha256,
  fileId: row.fileId,
  publicLink: row.publicLink,
  remoteName: row.remoteName,
  uploadedAtMs: row.uploadedAtMs,
  sentBytes: now.sentBytes,
  expectedAtMs: now.expectedAtMs,
  sameAsId: row.sameAsId,
  expiresAtMs: row.ends?.atMs ?? null,
});
