// An upload as a row of the table and back.
import { sep } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { bucketOf, type StateKind, type UploadState } from '../../contract/model.ts';
import type { Stamp, Upload } from '../../engine/ports.ts';
import { number, numberOrNull, text, textOrNull, type Cell, type List, type Value } from './database.ts';

/** What `readUpload` reads, in its order. */
const columns = `u.id, u.folder, d.path, u.name, u.stamp_key, u.size_bytes, u.inode, u.mtime_ms, u.ctime_ms, u.state,
  u.detail, u.sent_name, u.sha256, u.file_id, u.public_link, u.remote_size, u.remote_name, u.uploaded_at_ms,
  u.created_at_ms, u.changed_at_ms, u.priority, u.attempts, u.confirmed, u.same_as_id, u.present`;

/** Goes before WHERE; `d.path` is the folder's path. */
export const selectUpload = `SELECT ${columns} FROM uploads u JOIN dirs d ON d.id = u.dir_id`;

/** The same where SQLite has to be told: without statistics it takes a partial index for no better than a full one. */
export const selectUploadBy = (index: string): string =>
  `SELECT ${columns} FROM uploads u INDEXED BY ${index} JOIN dirs d ON d.id = u.dir_id`;

/** `folder` 0: given by hand. */
export const folderNumber = (folderId: number | null): number => folderId ?? 0;

export const pathOf = (dir: string, name: string): string => (dir.endsWith(sep) ? dir : dir + sep) + name;

const isStateKind = (kind: string): kind is StateKind => Object.hasOwn(bucketOf, kind);

export const stateKind = (kind: string): StateKind => {
  if (isStateKind(kind)) return kind;
  throw new AppError('ledger', `The ledger holds a state called "${kind}".`, 'Update Outtray.');
};

const readState = (state: Cell, detail: Cell): UploadState => {
  const kind = stateKind(text(state));
  const json = textOrNull(detail);
  // Written by `stateColumns` below and nobody else.
  return { kind, ...(json === null ? {} : (JSON.parse(json) as object)) } as UploadState;
};

const stateColumns = (state: UploadState, present: boolean) => {
  const { kind, ...detail } = state;
  return {
    state: kind,
    detail: Object.keys(detail).length === 0 ? null : JSON.stringify(detail),
    until_ms: state.kind === 'waiting' ? state.untilMs : null,
    bucket: present ? bucketOf[kind] : null,
  };
};

const readStamp = (key: Cell, size: Cell, inode: Cell, mtimeMs: Cell, ctimeMs: Cell): Stamp | null =>
  key === null
    ? null
    : {
        key: text(key),
        sizeBytes: number(size),
        inode: text(inode),
        mtimeMs: number(mtimeMs),
        ctimeMs: number(ctimeMs),
      };

export const readUpload = (row: List): Upload => {
  // prettier-ignore
  const [id, folder, dir, name, stampKey, size, inode, mtimeMs, ctimeMs, state,
    detail, sentName, sha256, fileId, publicLink, remoteSize, remoteName, uploadedAtMs,
    createdAtMs, changedAtMs, priority, attempts, confirmed, sameAsId, present] = row;
  return {
    id: number(id),
    folderId: folder === 0 ? null : number(folder),
    dir: text(dir),
    name: text(name),
    stamp: readStamp(stampKey, size, inode, mtimeMs, ctimeMs),
    state: readState(state, detail),
    sentName: textOrNull(sentName),
    sha256: textOrNull(sha256),
    fileId: numberOrNull(fileId),
    publicLink: textOrNull(publicLink),
    remoteSize: numberOrNull(remoteSize),
    remoteName: textOrNull(remoteName),
    uploadedAtMs: numberOrNull(uploadedAtMs),
    createdAtMs: number(createdAtMs),
    changedAtMs: number(changedAtMs),
    priority: number(priority),
    attempts: number(attempts),
    confirmed: number(confirmed) === 1,
    sameAsId: numberOrNull(sameAsId),
    present: number(present) === 1,
  };
};

export type Columns = Record<string, Value>;

/** Every column but the id, and but `dir_id`, which the table looks up. */
export const uploadColumns = (upload: Omit<Upload, 'id'>): Columns => ({
  folder: folderNumber(upload.folderId),
  present: upload.present ? 1 : 0,
  ...stateColumns(upload.state, upload.present),
  priority: upload.priority,
  name: upload.name,
  stamp_key: upload.stamp?.key ?? null,
  size_bytes: upload.stamp?.sizeBytes ?? null,
  mtime_ms: upload.stamp?.mtimeMs ?? null,
  ctime_ms: upload.stamp?.ctimeMs ?? null,
  inode: upload.stamp?.inode ?? null,
  attempts: upload.attempts,
  confirmed: upload.confirmed ? 1 : 0,
  same_as_id: upload.sameAsId,
  created_at_ms: upload.createdAtMs,
  changed_at_ms: upload.changedAtMs,
  uploaded_at_ms: upload.uploadedAtMs,
  file_id: upload.fileId,
  remote_size: upload.remoteSize,
  sent_name: upload.sentName,
  remote_name: upload.remoteName,
  sha256: upload.sha256,
  public_link: upload.publicLink,
});
