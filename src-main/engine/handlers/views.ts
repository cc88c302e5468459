// Rows of the ledger as the window and the command show them.
import { bucketOf, isBusy, type UploadView } from '../../contract/model.ts';
import { joinPath } from '../shared/paths.ts';
import { sentContent } from '../shared/same-content.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import type { Upload } from '../ports/uploads.ts';

export const uploadView = (
  row: Upload,
  now: {
    /** Null: no id leads to it now. */
    fileId: FileId | null;
    sentBytes: number | null;
    expectedAtMs: number | null;
    /** When the list can be asked for at the earliest, wall clock; null: now, or not known. */
    mayAskAtMs: () => number | null;
  },
): UploadView => ({
  id: row.id,
  path: joinPath(row.dir, row.name),
  name: row.name,
  sizeBytes: row.stamp?.sizeBytes ?? 0,
  state: isBusy(row.state)
    ? { ...row.state, nextLookAtMs: Math.max(row.state.nextLookAtMs, now.mayAskAtMs() ?? 0) }
    : row.state,
  bucket: bucketOf(row.state),
  sentName: row.sentName,
  sha256: sentContent(row).sha256,
  fileId: now.fileId,
  publicLink: row.publicLink,
  remoteName: row.remoteName,
  uploadedAtMs: row.uploadedAtMs,
  sentBytes: now.sentBytes,
  expectedAtMs: now.expectedAtMs,
  sameAsId: row.sameAsId,
  expiresAtMs: row.ends?.atMs ?? null,
  asOfMs: row.changedAtMs,
});
