// The uploads: writing them, with the rules that must never break, finding one, and what the queue asks before each
// turn. The rows of Files are in files.ts.
import { AppError } from '../../contract/errors.ts';
import type { Bucket } from '../../contract/model.ts';
import type { Upload, UploadDraft, UploadTable } from '../../engine/ports.ts';
import { number, numberOrNull, text, textOrNull, type Database, type List, type Value } from './database.ts';
import type { FileLists } from './files.ts';
import { finalKinds } from './schema.ts';
import { folderNumber, readUpload, selectUpload, uploadColumns, uploadValues } from './upload-row.ts';

// Built once: building a long text for each call costs more than the statement.
const selectById = `${selectUpload} WHERE u.id = ?`;
const selectByFileId = `${selectUpload} WHERE u.file_id = ?`;
const selectStamps = `
  SELECT name, CASE WHEN state = 'uploaded' OR (state <> 'settling' AND NOT ?) THEN stamp_key ELSE '' END
  FROM uploads WHERE dir_id = (SELECT id FROM dirs WHERE folder = ? AND path = ?) AND present = 1`;
const selectPresentAt = `${selectUpload} WHERE d.folder = ? AND d.path = ? AND u.name = ? AND u.present = 1`;
const countVersions = `
  SELECT count(*) FROM uploads now JOIN uploads earlier ON earlier.dir_id = now.dir_id AND earlier.name = now.name
  WHERE now.id = ? AND now.folder <> 0 AND now.confirmed = 0 AND earlier.present = 0 AND earlier.uploaded_at_ms >= ?`;
const written = ['dir_id', ...uploadColumns];
const insert = `INSERT INTO uploads (${written.join(', ')}) VALUES (${written.map(() => '?').join(', ')})`;

/** Each order of the queue has its index (schema.ts). */
const orders = {
  arrival: 'u.priority DESC, u.id',
  newest: 'u.priority DESC, u.id DESC',
  smallest: 'u.priority DESC, u.size_bytes, u.id',
};

/** By the set of columns, a bit for each of `written` (at most 31): there are few that change together. */
const updates = new Map<number, string>();
const updateOf = (changed: number): string => {
  const known = updates.get(changed);
  if (known !== undefined) return known;
  const names = written.filter((_, at) => (changed & (1 << at)) !== 0);
  const made = `UPDATE uploads SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
  updates.set(changed, made);
  return made;
};

export const createUploads = (database: Database): Omit<UploadTable, keyof FileLists> => {
  const one = (row: List | undefined) => (row === undefined ? null : readUpload(row));
  const byId = (id: number) => one(database.list(selectById, id));

  const knownDir = (folder: number, dir: string): number | null => {
    const row = database.list('SELECT id FROM dirs WHERE folder = ? AND path = ?', folder, dir);
    return row === undefined ? null : number(row[0]);
  };
  const dirId = (folder: number, dir: string): number =>
    knownDir(folder, dir) ??
    database.run('INSERT INTO dirs (folder, path) VALUES (?, ?)', folder, dir).lastId;

  return {
    byId,

    insert: (draft, atMs) =>
      database.atomically(() => {
        const fresh = fromDraft(draft, atMs);
        const inDir = dirId(folderNumber(fresh.folderId), fresh.dir);
        const { lastId } = database.run(insert, inDir, ...uploadValues(fresh));
        return { id: lastId, ...fresh };
      }),

    update: (id, change, atMs) =>
      database.atomically(() => {
        const before = byId(id);
        if (before === null) throw new AppError('internal', `There is no upload ${id}.`, 'Please report it.');
        const after: Upload = { ...before, ...change, changedAtMs: atMs };
        assertFinal(before, after);
        const hasMoved = before.dir !== after.dir || before.folderId !== after.folderId;
        const { changed, values } = difference(
          [null, ...uploadValues(before)],
          [hasMoved ? dirId(folderNumber(after.folderId), after.dir) : null, ...uploadValues(after)],
        );
        // No change of anything but the time, at the same time.
        if (changed === 0) return after;
        database.run(updateOf(changed), ...values, id);
        return after;
      }),

    presentAt: (folderId, dir, name) =>
      one(database.list(selectPresentAt, folderNumber(folderId), dir, name)),

    presentIn: (folderId, dir) => {
      const inDir = knownDir(folderId, dir);
      if (inDir === null) return [];
      return database
        .lists('SELECT id FROM uploads WHERE dir_id = ? AND present = 1', inDir)
        .map(([id]) => number(id));
    },

    stampsIn: (folderId, dir, again) =>
      new Map(
        database
          .lists(selectStamps, again ? 1 : 0, folderId, dir)
          .map(([name = null, key = null]) => [text(name), textOrNull(key)]),
      ),

    presentDirs: (folderId) =>
      database
        .all(
          `SELECT path FROM dirs WHERE folder = ?
             AND EXISTS (SELECT 1 FROM uploads WHERE dir_id = dirs.id AND present = 1)`,
          folderId,
        )
        .map((row) => text(row['path'])),

    presentByInode: (inode) =>
      database
        .lists(`${selectUpload} WHERE u.inode = ? AND u.present = 1 ORDER BY u.id`, inode)
        .map(readUpload),

    departedByInode: (inode) =>
      database
        .lists(
          `${selectUpload} WHERE u.inode = ? AND u.kept_by IS NOT NULL AND u.state = 'gone' ORDER BY u.id DESC`,
          inode,
        )
        .map(readUpload),

    lastId: () => number(database.list('SELECT coalesce(max(id), 0) FROM uploads')?.[0] ?? 0),

    versionsBefore: (id, sinceMs) => number(database.list(countVersions, id, sinceMs)?.[0] ?? 0),

    byFileId: (fileId) => one(database.list(selectByFileId, fileId)),

    uploadedBySha: (sha256) =>
      database
        .lists(`${selectUpload} WHERE u.sha256 = ? AND u.state = 'uploaded' ORDER BY u.id DESC`, sha256)
        .map(readUpload),

    heldBySha: (sha256) =>
      database
        .lists(`${selectUpload} WHERE u.sha256 = ? AND u.state = 'held' ORDER BY u.id DESC`, sha256)
        .map(readUpload),

    knowsSize: (sizeBytes) =>
      database.get(
        // The second line repeats the index's condition word for word, or SQLite does not use it.
        `SELECT 1 FROM uploads u WHERE size_bytes = ?
           AND state IN ('committing', 'uncertain', 'uploaded', 'held')
           AND (state <> 'held' OR EXISTS (
             SELECT 1 FROM attempts WHERE upload_id = u.id AND outcome = 'uncertain')) LIMIT 1`,
        sizeBytes,
      ) !== undefined,

    inState: (kind, limit, order = 'arrival') =>
      database
        .lists(`${selectUpload} WHERE u.state = ? ORDER BY ${orders[order]} LIMIT ?`, kind, limit)
        .map(readUpload),

    countInState: (kind) =>
      number(database.get('SELECT count(*) AS n FROM uploads WHERE state = ?', kind)?.['n']),

    backlog: () => {
      const row = database.get(
        `SELECT count(*) AS files, coalesce(sum(size_bytes), 0) AS bytes
         FROM uploads INDEXED BY uploads_smallest WHERE state = 'ready'`,
      );
      return { files: number(row?.['files']), bytes: number(row?.['bytes']) };
    },

    dueWaiting: (nowMs, limit) =>
      database
        .lists(`${selectUpload} WHERE u.until_ms <= ? ORDER BY u.until_ms, u.id LIMIT ?`, nowMs, limit)
        .map(readUpload),

    nextWaitingAtMs: () => numberOrNull(database.get('SELECT min(until_ms) AS at FROM uploads')?.['at']),

    counts: (folderId) => {
      const folder = folderNumber(folderId);
      const of = (bucket: Bucket): number =>
        number(
          database.get('SELECT count(*) AS n FROM uploads WHERE folder = ? AND bucket = ?', folder, bucket)?.[
            'n'
          ],
        );
      return {
        uploaded: of('uploaded'),
        waiting: of('waiting'),
        held: of('held'),
        skipped: of('skipped'),
        failed: of('failed'),
      };
    },

    inBucket: (bucket, folderId, limit) =>
      database
        .lists(
          `${selectUpload} WHERE u.folder = ? AND u.bucket = ? ORDER BY u.id DESC LIMIT ?`,
          folderNumber(folderId),
          bucket,
          limit,
        )
        .map(readUpload),

    committedSince: (sinceMs) =>
      number(database.get('SELECT count(*) AS n FROM attempts WHERE committing_at_ms >= ?', sinceMs)?.['n']),
  };
};

const fromDraft = (draft: UploadDraft, nowMs: number): Omit<Upload, 'id'> => ({
  folderId: draft.folderId,
  dir: draft.dir,
  name: draft.name,
  stamp: draft.stamp,
  state: draft.state,
  sentName: null,
  sha256: draft.sha256 ?? null,
  fileId: null,
  publicLink: null,
  remoteSize: null,
  remoteName: null,
  uploadedAtMs: null,
  createdAtMs: nowMs,
  changedAtMs: nowMs,
  priority: draft.priority ?? 0,
  attempts: 0,
  confirmed: draft.confirmed ?? false,
  wantsAnother: draft.wantsAnother ?? false,
  sameAsId: draft.sameAsId ?? null,
  present: true,
  keptBy: null,
});

/** Only what changed is written: an index over unchanged columns is then not touched. */
const difference = (before: readonly Value[], after: readonly Value[]) => {
  let changed = 0;
  const values = after.filter((value, at) => {
    if (value === before[at]) return false;
    changed |= 1 << at;
    return true;
  });
  return { changed, values };
};

const assertFinal = (before: Upload, after: Upload): void => {
  if (!finalKinds.has(before.state.kind) || before.fileId === null) return;
  const kept =
    before.fileId === after.fileId &&
    before.publicLink === after.publicLink &&
    before.sha256 === after.sha256 &&
    finalKinds.has(after.state.kind);
  if (kept) return;
  throw new AppError(
    'internal',
    `The outcome of upload ${before.id} is final and would change (${before.state.kind} to ${after.state.kind}).`,
    'Please report it.',
  );
};
