// An upload as a row of the table and back.
import { sep } from 'node:path';
import { stateRows } from '../../contract/catalogue/states.ts';
import { linkStateOf, type LinkState } from '../../contract/files/taken-back.ts';
import { bucketOf, doors, keptByNames, type UploadState } from '../../contract/model.ts';
import { fold, searchWords } from '../../contract/search.ts';
import type { ExpireWish } from '../../contract/expiry.ts';
import type { Ends, Upload } from '../../engine/ports/uploads.ts';
import type { Stamp } from '../../engine/ports/files.ts';
import { sqlEndOf } from './ends.ts';
import {
  jsonObject,
  number,
  numberOrNull,
  text,
  textOrNull,
  word,
  type Columns,
  type Row,
  wholeOrNull,
  type Database,
  type Value,
} from './database.ts';

/** Goes before WHERE; `dir` is the folder's path. */
export const selectUpload = `SELECT u.*, d.path AS dir, ${sqlEndOf('u', 'at')} AS end_at_ms, ${sqlEndOf('u', 'proven')} AS end_proven_ms
  FROM uploads u JOIN dirs d ON d.id = u.dir_id`;

/**
 * A name as the ledger stores it for searches: folded, without NUL, at which SQL's LIKE would end (the service may send
 * one in a name), and without halves of surrogate pairs.
 */
export const searchKey = (name: string): string => asKept(fold(name));

/** For LIKE with the escape character of a backslash. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

export const searchKeys = (search: string): string[] => searchWords(search).map(asKept);

export const asKept = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** `folder` 0: given by hand. */
export const folderNumber = (folderId: number | null): number => folderId ?? 0;

/** Joined with the folder's own separator: the ledger may be read on another system. */
export const rowPathOf = (dir: string, name: string): string => {
  const own = dir.startsWith('/') ? '/' : sep;
  return (dir.endsWith(own) ? dir : dir + own) + name;
};

export const readState = (row: Row): UploadState => {
  const kind = word(stateRows, row['state']);
  // Only `detailOf` below writes it.
  return { ...(row['detail'] === null ? {} : jsonObject(row['detail'])), kind } as UploadState;
};

/** Of a link that is being taken back, or was and is not dead; null: of any other. */
export const openStateOf = (row: Row): LinkState | null => {
  const state = readState(row);
  if (state.kind === 'recalling') return 'not-proven';
  return state.kind === 'recalled' && !state.dead ? linkStateOf(state) : null;
};

const detailOf = ({ kind: _, ...detail }: UploadState): string | null =>
  Object.keys(detail).length === 0 ? null : JSON.stringify(detail);

const readStamp = (row: Row): Stamp => ({
  key: text(row['stamp_key']),
  sizeBytes: number(row['size_bytes']),
  inode: text(row['inode']),
  mtimeMs: number(row['mtime_ms']),
  ctimeMs: number(row['ctime_ms']),
});

const readEnds = (row: Row, column: 'end' | 'ends'): Ends | null => {
  const atMs = numberOrNull(row[`${column}_at_ms`]);
  return atMs === null ? null : { atMs, provenMs: number(row[`${column}_proven_ms`]) };
};

export const readUpload = (row: Row): Upload => ({
  id: number(row['id']),
  folderId: row['folder'] === 0 ? null : number(row['folder']),
  dir: text(row['dir']),
  name: text(row['name']),
  stamp: row['stamp_key'] === null ? null : readStamp(row),
  state: readState(row),
  sentName: textOrNull(row['sent_name']),
  sha256: textOrNull(row['sha256']),
  sent:
    row['sent_sha256'] === null
      ? null
      : { sha256: text(row['sent_sha256']), sizeBytes: number(row['sent_bytes']) },
  accountId: number(row['account']),
  fileId: wholeOrNull(row['file_id']),
  idTakenAtMs: numberOrNull(row['id_taken_at_ms']),
  wasServed: number(row['was_served']) === 1,
  publicLink: textOrNull(row['public_link']),
  remoteSize: numberOrNull(row['remote_size']),
  remoteName: textOrNull(row['remote_name']),
  uploadedAtMs: numberOrNull(row['uploaded_at_ms']),
  uploadedProvenMs: numberOrNull(row['uploaded_proven_ms']),
  createdAtMs: number(row['created_at_ms']),
  changedAtMs: number(row['changed_at_ms']),
  priority: number(row['priority']),
  attempts: number(row['attempts']),
  confirmed: [1, 2].includes(number(row['confirmed'])),
  wantsAnother: number(row['confirmed']) >= 2,
  graceOver: number(row['grace_over']) === 1,
  sameAsId: numberOrNull(row['same_as_id']),
  door: word(doors, row['door']),
  // Only `uploadColumns` below writes it.
  expireWish:
    row['expire_wish'] === null
      ? null
      : row['expire_wish'] === '"never"'
        ? 'never'
        : (jsonObject(row['expire_wish']) as ExpireWish),
  wantedEnds: readEnds(row, 'ends'),
  ends: readEnds(row, 'end'),
  present: number(row['present']) === 1,
  keptBy: row['kept_by'] === null ? null : word(keptByNames, row['kept_by']),
});

export const readUploads = (database: Database, where: string, ...values: Value[]): Upload[] =>
  database.all(`${selectUpload} WHERE ${where}`, ...values).map(readUpload);

/** Every column but `id` and `dir_id`. */
export const uploadColumns = (upload: Omit<Upload, 'id'>): Columns => {
  const { state, stamp, present } = upload;
  return {
    folder: folderNumber(upload.folderId),
    present: present ? 1 : 0,
    kept_by: upload.keptBy,
    state: state.kind,
    detail: detailOf(state),
    until_ms: state.kind === 'waiting' ? state.untilMs : null,
    bucket: present ? bucketOf(state) : null,
    priority: upload.priority,
    name: upload.name,
    name_key: searchKey(upload.name),
    stamp_key: stamp?.key ?? null,
    size_bytes: stamp?.sizeBytes ?? null,
    mtime_ms: stamp?.mtimeMs ?? null,
    ctime_ms: stamp?.ctimeMs ?? null,
    inode: stamp?.inode ?? null,
    attempts: upload.attempts,
    // 3: the person still wants another link, but confirmed another content.
    confirmed: (upload.wantsAnother ? 2 : 0) + (upload.wantsAnother === upload.confirmed ? 0 : 1),
    grace_over: upload.graceOver ? 1 : 0,
    same_as_id: upload.sameAsId,
    door: upload.door,
    expire_wish: upload.expireWish === null ? null : JSON.stringify(upload.expireWish),
    ends_at_ms: upload.wantedEnds?.atMs ?? null,
    ends_proven_ms: upload.wantedEnds?.provenMs ?? null,
    created_at_ms: upload.createdAtMs,
    changed_at_ms: upload.changedAtMs,
    uploaded_at_ms: upload.uploadedAtMs,
    uploaded_proven_ms: upload.uploadedProvenMs,
    account: upload.accountId,
    file_id: upload.fileId,
    id_taken_at_ms: upload.idTakenAtMs,
    was_served: upload.wasServed ? 1 : 0,
    remote_size: upload.remoteSize,
    sent_name: upload.sentName,
    remote_name: upload.remoteName,
    sha256: upload.sha256,
    sent_sha256: upload.sent?.sha256 ?? null,
    sent_bytes: upload.sent?.sizeBytes ?? null,
    public_link: upload.publicLink,
  };
};
