// An upload as a row of the table and back.
import { sep } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { bucketOf, type StateKind, type UploadState } from '../../contract/model.ts';
import type { Stamp, Upload } from '../../engine/ports.ts';
import { number, numberOrNull, text, textOrNull, type Row, type Value } from './database.ts';

/** Goes before WHERE; `d.path` is the folder's path. */
export const selectUpload = 'SELECT u.*, d.path AS dir FROM uploads u JOIN dirs d ON d.id = u.dir_id';

/** The same where SQLite has to be told: without statistics it takes a partial index for no better than a full one. */
export const selectUploadBy = (index: string): string =>
  `SELECT u.*, d.path AS dir FROM uploads u INDEXED BY ${index} JOIN dirs d ON d.id = u.dir_id`;

/** `folder` 0: given by hand. */
export const folderNumber = (folderId: number | null): number => folderId ?? 0;

export const pathOf = (dir: string, name: string): string => (dir.endsWith(sep) ? dir : dir + sep) + name;

const isStateKind = (kind: string): kind is StateKind => Object.hasOwn(bucketOf, kind);

export const stateKind = (kind: string): StateKind => {
  if (isStateKind(kind)) return kind;
  throw new AppError('ledger', `The ledger holds a state called "${kind}".`, 'Update Outtray.');
};

const readState = (row: Row): UploadState => {
  const kind = stateKind(text(row['state']));
  const detail = textOrNull(row['detail']);
  // Written by `stateColumns` below and nobody else.
  return { kind, ...(detail === null ? {} : (JSON.parse(detail) as object)) } as UploadState;
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

const readStamp = (row: Row): Stamp | null => {
  const key = textOrNull(row['stamp_key']);
  return key === null
    ? null
    : {
        key,
        sizeBytes: number(row['size_bytes']),
        inode: text(row['inode']),
        mtimeMs: number(row['mtime_ms']),
        ctimeMs: number(row['ctime_ms']),
      };
};

export const readUpload = (row: Row): Upload => {
  const folder = number(row['folder']);
  return {
    id: number(row['id']),
    folderId: folder === 0 ? null : folder,
    dir: text(row['dir']),
    name: text(row['name']),
    stamp: readStamp(row),
    state: readState(row),
    sentName: textOrNull(row['sent_name']),
    sha256: textOrNull(row['sha256']),
    fileId: numberOrNull(row['file_id']),
    publicLink: textOrNull(row['public_link']),
    remoteSize: numberOrNull(row['remote_size']),
    remoteName: textOrNull(row['remote_name']),
    uploadedAtMs: numberOrNull(row['uploaded_at_ms']),
    createdAtMs: number(row['created_at_ms']),
    changedAtMs: number(row['changed_at_ms']),
    priority: number(row['priority']),
    attempts: number(row['attempts']),
    confirmed: number(row['confirmed']) === 1,
    sameAsId: numberOrNull(row['same_as_id']),
    present: number(row['present']) === 1,
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
