// An upload as a row of the table and back.
import { sep } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { bucketOf, type StateKind, type UploadState } from '../../contract/model.ts';
import { fold } from '../../contract/search.ts';
import type { KeptBy, Stamp, Upload } from '../../engine/ports.ts';
import { number, numberOrNull, text, textOrNull, type Cell, type List, type Value } from './database.ts';

/** What `readUpload` reads, in its order. */
const columns = `u.id, u.folder, d.path, u.name, u.stamp_key, u.size_bytes, u.inode, u.mtime_ms, u.ctime_ms, u.state,
  u.detail, u.sent_name, u.sha256, u.file_id, u.public_link, u.remote_size, u.remote_name, u.uploaded_at_ms,
  u.created_at_ms, u.changed_at_ms, u.priority, u.attempts, u.confirmed, u.same_as_id, u.present, u.kept_by`;

/** Goes before WHERE; `d.path` is the folder's path. */
export const selectUpload = `SELECT ${columns} FROM uploads u JOIN dirs d ON d.id = u.dir_id`;

/**
 * Folded, without NUL, where SQL's LIKE would end (the service may send one in a name), and without halves of
 * characters: as it is kept.
 */
export const searchKey = (name: string): string => fold(name).toWellFormed().replaceAll('\0', '\ufffd');

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
  // Only `detailOf` below writes it.
  return { kind, ...(json === null ? {} : (JSON.parse(json) as object)) } as UploadState;
};

const detailOf = ({ kind: _, ...detail }: UploadState): string | null =>
  Object.keys(detail).length === 0 ? null : JSON.stringify(detail);

const keptBy: Record<KeptBy, true> = {
  existing: true,
  cancelled: true,
  'existing-changed': true,
  'maybe-uploaded': true,
  burst: true,
};

const readKeptBy = (cell: Cell): KeptBy | null => {
  const isKeptBy = (word: string): word is KeptBy => Object.hasOwn(keptBy, word);
  const word = textOrNull(cell);
  if (word === null || isKeptBy(word)) return word;
  throw new AppError('ledger', `The ledger holds a file kept back by "${word}".`, 'Update Outtray.');
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
    createdAtMs, changedAtMs, priority, attempts, confirmed, sameAsId, present, keptBy] = row;
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
    confirmed: number(confirmed) >= 1,
    wantsAnother: number(confirmed) === 2,
    sameAsId: numberOrNull(sameAsId),
    present: number(present) === 1,
    keptBy: readKeptBy(keptBy),
  };
};

const confirmation = ({ confirmed, wantsAnother }: Pick<Upload, 'confirmed' | 'wantsAnother'>): number =>
  wantsAnother ? 2 : confirmed ? 1 : 0;

/** What an upload writes: every column but the id, and but `dir_id`, which the table looks up. */
export const uploadColumns =
  `folder present kept_by state detail until_ms bucket priority name name_key stamp_key size_bytes
  mtime_ms ctime_ms inode attempts confirmed same_as_id created_at_ms changed_at_ms uploaded_at_ms
  file_id remote_size sent_name remote_name sha256 public_link`.split(/\s+/);

/** Their values, in that order. */
export const uploadValues = (upload: Omit<Upload, 'id'>): Value[] => {
  const { state, stamp, present } = upload;
  // prettier-ignore
  return [
    folderNumber(upload.folderId), present ? 1 : 0, upload.keptBy, state.kind, detailOf(state),
    state.kind === 'waiting' ? state.untilMs : null, present ? bucketOf[state.kind] : null,
    upload.priority, upload.name, searchKey(upload.name), stamp?.key ?? null, stamp?.sizeBytes ?? null,
    stamp?.mtimeMs ?? null, stamp?.ctimeMs ?? null, stamp?.inode ?? null, upload.attempts, confirmation(upload),
    upload.sameAsId, upload.createdAtMs, upload.changedAtMs, upload.uploadedAtMs,
    upload.fileId, upload.remoteSize, upload.sentName, upload.remoteName, upload.sha256, upload.publicLink,
  ];
};
