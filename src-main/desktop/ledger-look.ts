// What the shell looks up in the ledger by id: links, paths, rules, and where an upload is.
import path from 'node:path';
import { partOf } from '../contract/catalogue/work.ts';
import { bucketOf, isTakenBack } from '../contract/model.ts';
import type { FileId } from '../contract/text/file-id.ts';
import type { LinkedFile } from '../contract/text/link-text.ts';
import type { Ledger } from '../engine/ports/ledger.ts';
import type { SettingsPort } from '../engine/ports/ports.ts';
import type { Upload } from '../engine/ports/uploads.ts';
import { rulesOfFolder } from '../engine/shared/folder.ts';
import { idNow } from '../engine/shared/links.ts';
import { nowhere } from '../engine/shared/paths.ts';
import { linkedFile } from '../engine/shared/same-content.ts';
import type { LedgerLook } from '../shell/app-context.ts';
import type { Standing } from '../shell/drop/drop.ts';

export const createLedgerLook = (ledger: Ledger, settings: SettingsPort): LedgerLook => {
  const { uploads, views, remote } = ledger;

  /** The one that this upload became part of. */
  const heirOf = (row: Upload | null): Upload | null =>
    row?.state.kind === 'gone' ? uploads.presentAt(row.folderId, row.dir, row.name) : null;
  /** The upload whose link this one has: itself, the one with the same content, or its heir. */
  const sharedBy = (row: Upload, heir: Upload | null): Upload | null => {
    const isShared = row.state.kind === 'skipped' && row.state.rule === 'already-shared';
    const other = isShared && row.sameAsId !== null ? uploads.byId(row.sameAsId) : heir;
    const shared = row.publicLink === null ? other : row;
    return shared === null || isTakenBack(shared.state) ? null : shared;
  };
  const linkedRow = (row: Upload | null, heir = heirOf(row)) => {
    const shared = row === null ? null : sharedBy(row, heir);
    const link = shared?.publicLink ?? null;
    return row === null || shared === null || link === null ? null : { name: row.name, shared, link };
  };
  const ours = (uploadId: number): LinkedFile | null => {
    const linked = linkedRow(uploads.byId(uploadId));
    return linked === null ? null : linkedFile(linked.name, linked.shared, linked.link);
  };
  const standing = (uploadId: number): Standing => {
    const row = uploads.byId(uploadId);
    const heir = heirOf(row);
    const linked = linkedRow(row, heir);
    // One that became part of another row is where that one is.
    const now = heir ?? row;
    const isGoing = now !== null && bucketOf(now.state) === 'waiting';
    const part = now === null ? null : partOf(now.state);
    const needsYou = part === 'held' || part === 'failed';
    const isGone = now === null || now.state.kind === 'gone';
    const at = row === null ? {} : { name: row.name, path: path.join(row.dir, row.name) };
    const file = { ...at, isGone };
    if (linked === null) return { isGoing, link: null, needsYou, ...file };
    const { id, name, uploadedAtMs } = linked.shared;
    const fileId = idNow(ledger, linked.shared);
    const link = remote.isGone(fileId)
      ? null
      : { uploadId: id, fileId, name, link: linked.link, uploadedAtMs };
    return { isGoing, link, ...file };
  };
  const theirs = (fileId: FileId): LinkedFile | null => {
    const row = uploads.byFileId(fileId);
    if (row !== null) return ours(row.id);
    const seen = remote.byId(fileId);
    const link = seen?.public_link;
    if (link === undefined) return null;
    // The service's size has no unit, and its date no zone.
    const notKnown = { sizeBytes: null, sha256: null, uploadedAtMs: null };
    return { name: seen?.filename ?? String(fileId), link, ...notKnown };
  };
  const present = <Thing>(thing: Thing | null): Thing[] => (thing === null ? [] : [thing]);

  return {
    link: (file) => ('uploadId' in file ? ours(file.uploadId) : theirs(file.fileId)),
    links: (uploadIds, fileIds) => [
      ...uploadIds.toSorted((a, b) => a - b).flatMap((id) => present(ours(id))),
      ...fileIds.flatMap((id) => present(theirs(id))),
    ],
    path(uploadId) {
      const row = uploads.byId(uploadId);
      // A name alone would be that of any file in the folder of this process.
      return row === null || row.dir === nowhere ? null : path.join(row.dir, row.name);
    },
    upload: (uploadId) => uploads.byId(uploadId),
    newest: (count) =>
      views
        .newestLinks(count)
        .filter(({ state }) => !isTakenBack(state))
        .map(({ id, name, uploadedAtMs }) => ({ uploadId: id, name, uploadedAtMs: uploadedAtMs ?? 0 })),
    rules(uploadId) {
      const folderId = uploads.byId(uploadId)?.folderId ?? null;
      return folderId === null ? null : rulesOfFolder({ ledger, settings }, folderId);
    },
    isByHand: (uploadId) => uploads.byId(uploadId)?.folderId === null,
    account: () => ledger.accounts.present(),
    standing,
  };
};
