// The uploads: writing them, with the rules that must never break, finding one, and what the queue asks before each
// turn. The views have what people see of them.
import { AppError } from '../../contract/errors.ts';
import { stateRow, type UploadState } from '../../contract/model.ts';
import { newRow, type Upload, type UploadStore } from '../../engine/ports/uploads.ts';
import { number, numberOrNull, text, textOrNull, type Database, type Value } from './database.ts';
import { sqlEndOf, endingBy, firstAfter } from './ends.ts';
import { createPaths } from './tables/paths.ts';
import { hasLeft, isExisting, isUnreadNo } from './tables/kept-back.ts';
import { sqlIsOurs, present, states } from './schema.ts';
import { containing, folderNumber, readUploads, uploadColumns } from './upload-row.ts';

/** Each order of the queue has its index (schema.ts). */
const orders = {
  arrival: 'u.priority DESC, u.id',
  newest: 'u.priority DESC, u.id DESC',
  smallest: 'u.priority DESC, u.size_bytes, u.id',
};

/** In the text: SQLite compiles a statement again for each value that it compares with the condition of an index. */
const isIn = (kind: UploadState['kind']): string => `state = '${kind}'`;

/** The condition repeats the index's own, or SQLite does not use it. */
const existing = `uploads INDEXED BY uploads_existing WHERE ${isExisting}`;
/** Each state has its index, whose condition is repeated word for word. */
const waiting = {
  recall: {
    states: ["state = 'recalling'", "state = 'recalled' AND detail ->> 'dead' = 0"],
    time: 'nextAtMs',
  },
  look: { states: ["state = 'uncertain'"], time: 'nextLookAtMs' },
  'unwanted-look': { states: ["state = 'uncertain' AND detail ->> 'isUnwanted' = 1"], time: 'nextLookAtMs' },
};

const dirId = (database: Database, folderId: number | null, dir: string): number => {
  const folder = folderNumber(folderId);
  const known = database.value('SELECT id FROM dirs WHERE folder = ? AND path = ?', folder, dir);
  return known === undefined ? database.insert('dirs', { folder, path: dir }) : number(known);
};

const readersOf = (database: Database) => {
  const all = (where: string, ...values: Value[]): Upload[] => readUploads(database, where, ...values);
  const one = (where: string, ...values: Value[]): Upload | null => all(where, ...values)[0] ?? null;
  return { all, one };
};

const createSearch = (
  database: Database,
): Pick<UploadStore, 'named' | 'withLink' | 'versionsOf' | 'versionsBefore'> => {
  const { all } = readersOf(database);
  return {
    named: (name, limit) =>
      all(
        `u.id IN (
           SELECT id FROM uploads WHERE name = ?1 AND present = 1
           UNION ALL SELECT id FROM uploads WHERE name = ?1 AND present = 0 AND uploaded_at_ms IS NOT NULL
           UNION ALL SELECT id FROM uploads WHERE coalesce(remote_name, sent_name) = ?1 AND file_id IS NOT NULL)
         ORDER BY u.id DESC LIMIT +?2`,
        name,
        limit,
      ),

    withLink: (part, limit) =>
      all(String.raw`u.public_link LIKE ? ESCAPE '\' ORDER BY u.id DESC LIMIT +?`, containing(part), limit),

    versionsOf: (id, limit) =>
      all(
        // Each half has its index (schema.ts).
        `u.public_link IS NOT NULL AND u.id IN (
           SELECT other.id FROM uploads now JOIN uploads other ON other.dir_id = now.dir_id AND other.name = now.name
             WHERE now.id = ? AND other.present = 1
           UNION ALL
           SELECT other.id FROM uploads now JOIN uploads other ON other.dir_id = now.dir_id AND other.name = now.name
             WHERE now.id = ? AND other.present = 0 AND other.uploaded_at_ms IS NOT NULL)
         ORDER BY u.uploaded_at_ms DESC, u.id DESC LIMIT +?`,
        id,
        id,
        limit,
      ),

    versionsBefore: (id, sinceMs) =>
      number(
        database.value(
          `SELECT count(*) FROM uploads now JOIN uploads earlier ON earlier.dir_id = now.dir_id AND earlier.name = now.name
           WHERE now.id = ? AND now.folder <> 0 AND now.confirmed = 0
             AND earlier.present = 0 AND earlier.uploaded_at_ms >= ?`,
          id,
          sinceMs,
        ),
      ),
  } satisfies Partial<UploadStore>;
};

/** What discovery asks of the files in a folder. */
const createFolderRows = (database: Database) => {
  const { all } = readersOf(database);
  return {
    presentIn: (folderId, dir) =>
      database
        .all(
          `SELECT id FROM uploads WHERE dir_id = (SELECT id FROM dirs WHERE folder = ? AND path = ?) AND present = 1`,
          folderId,
          dir,
        )
        .map((row) => number(row['id'])),

    stampsIn: (folderId, dir, again) =>
      new Map(
        database
          .all(
            `SELECT name, CASE WHEN state = 'uploaded' OR (state <> 'settling' AND NOT ?) THEN stamp_key ELSE '' END AS key
             FROM uploads WHERE dir_id = (SELECT id FROM dirs WHERE folder = ? AND path = ?) AND present = 1`,
            again ? 1 : 0,
            folderId,
            dir,
          )
          .map((row) => [text(row['name']), textOrNull(row['key'])]),
      ),

    settlingIn: (folderId, nowMs, limit) =>
      all(
        `u.folder = ?1 AND u.bucket = 'waiting' AND (u.state = 'settling'
           OR (u.state = 'waiting' AND u.detail ->> 'reason' = 'folder' AND u.until_ms <= ?2))
         ORDER BY u.id LIMIT +?3`,
        folderId,
        nowMs,
        limit,
      ),

    presentDirs: (folderId) =>
      database
        .all(
          `SELECT path FROM dirs WHERE folder = ?
             AND EXISTS (SELECT 1 FROM uploads WHERE dir_id = dirs.id AND present = 1)`,
          folderId,
        )
        .map((row) => text(row['path'])),

    presentByInode: (inode) => all('u.inode = ? AND u.present = 1 ORDER BY u.id', inode),

    departedByInode: (inode) =>
      all(`u.inode = ? AND u.kept_by IS NOT NULL AND u.state = 'gone' ORDER BY u.id DESC`, inode),

    existing: {
      isComparable: (sizeBytes) =>
        database.value(
          `SELECT 1 FROM ${existing} AND size_bytes = ?1 AND present = 1 UNION ALL
           SELECT 1 FROM ${existing} AND size_bytes = ?1 AND present = 0 AND sha256 IS NOT NULL LIMIT 1`,
          sizeBytes,
        ) !== undefined,
      hasLeft: ({ dir, name, stamp }) =>
        database.value(
          `SELECT 1 FROM uploads INDEXED BY uploads_left_time WHERE ${hasLeft} AND size_bytes = ?1 AND mtime_ms = ?2
           UNION ALL
           SELECT 1 FROM uploads INDEXED BY uploads_left_path WHERE ${hasLeft} AND size_bytes = ?1 AND name = ?4
             AND dir_id IN (SELECT id FROM dirs
               WHERE folder IN (SELECT id FROM folders UNION ALL SELECT 0) AND path = ?3) LIMIT 1`,
          stamp.sizeBytes,
          stamp.mtimeMs,
          dir,
          name,
        ) !== undefined,
      hasContent: (sha256, exceptId) =>
        database.value(
          `SELECT 1 FROM uploads INDEXED BY uploads_sha256 WHERE ${isExisting} AND sha256 = ? AND id <> ? LIMIT 1`,
          sha256,
          exceptId,
        ) !== undefined,
      unread: (sizeBytes, belowId, limit) =>
        all(
          `u.id IN (SELECT id FROM ${existing} AND size_bytes = ? AND present = 1 AND sha256 IS NULL AND id < ?
             ORDER BY id DESC LIMIT +?) ORDER BY u.id DESC`,
          sizeBytes,
          belowId,
          limit,
        ),
    },
    unreadNoes: (sizeBytes, belowId, limit) =>
      all(
        `u.id IN (SELECT id FROM uploads INDEXED BY uploads_unread_no WHERE ${isUnreadNo} AND size_bytes = ? AND id < ?
           ORDER BY id DESC LIMIT +?) ORDER BY u.id DESC`,
        sizeBytes,
        belowId,
        limit,
      ),
  } satisfies Partial<UploadStore>;
};

const createEnds = (database: Database) => {
  const { all } = readersOf(database);
  return {
    ended: (now, limit) =>
      all(
        `u.id IN (${endingBy('?1', present)}) AND end_at_ms <= ?1 AND end_proven_ms <= ?2
         ORDER BY end_at_ms, u.id LIMIT +?3`,
        now.atMs,
        now.provenMs,
        limit,
      ),
    nextEndMs: ({ atMs, provenMs }) => {
      const later = numberOrNull(database.value(firstAfter('?1', present), atMs));
      // Over by the wall clock only: the clock was set forward. It is asked for each upload, so the oldest stand for all.
      const unproven = numberOrNull(
        database.value(
          `SELECT min(max(${sqlEndOf('u', 'proven')}, ?2)) FROM uploads u
             WHERE u.id IN (${endingBy('?1', present, 1000)})`,
          atMs,
          provenMs,
        ),
      );
      const waits = [
        ...(later === null ? [] : [later - atMs]),
        ...(unproven === null ? [] : [unproven - provenMs]),
      ];
      return waits.length === 0 ? null : Math.min(...waits);
    },
  } satisfies Partial<UploadStore>;
};

export const createUploadStore = (database: Database): UploadStore => {
  const { all, one } = readersOf(database);
  const byId = (id: number) => one('u.id = ?', id);

  return {
    byId,

    insert: (draft, atMs) =>
      database.atomically(() => {
        const fresh = newRow(draft, atMs, number(database.value(`SELECT ${present}`)));
        const columns = { dir_id: dirId(database, fresh.folderId, fresh.dir), ...uploadColumns(fresh) };
        return { id: database.insert('uploads', columns), ...fresh };
      }),

    update: (id, change, atMs) =>
      database.atomically(() => {
        const before = byId(id);
        if (before === null) throw new AppError('internal', `There is no upload ${id}.`, 'Please report it.');
        // Learning its content changes nothing for a person who is asked about it.
        const isRead = Object.keys(change).every((name) => name === 'sha256');
        const after: Upload = { ...before, ...change, changedAtMs: isRead ? before.changedAtMs : atMs };
        assertFinal(before, after);
        // Only what changed is written: an index over unchanged columns is then not touched.
        const was = uploadColumns(before);
        const changed = Object.entries(uploadColumns(after)).filter(([name, value]) => value !== was[name]);
        if (before.dir !== after.dir || before.folderId !== after.folderId) {
          changed.push(['dir_id', dirId(database, after.folderId, after.dir)]);
        }
        if (changed.length === 0) return after;
        database.update('uploads', id, Object.fromEntries(changed));
        const isEndMoved = change.wantedEnds !== undefined || change.uploadedAtMs !== undefined;
        return isEndMoved ? (byId(id) ?? after) : after;
      }),

    presentAt: (folderId, dir, name) =>
      one('d.folder = ? AND d.path = ? AND u.name = ? AND u.present = 1', folderNumber(folderId), dir, name),

    ...createPaths(database),
    ...createSearch(database),
    ...createFolderRows(database),
    ...createEnds(database),

    lastId: () => number(database.value('SELECT coalesce(max(id), 0) FROM uploads')),

    byFileId: (fileId) => one(`${sqlIsOurs('u')} AND u.file_id = ?`, fileId),
    formerOf: (fileId) =>
      one(
        `u.file_id = ? AND (u.account <> ${present} OR u.id_taken_at_ms IS NOT NULL)
         ORDER BY u.account = ${present} DESC, u.id DESC LIMIT 1`,
        fileId,
      ),
    uploadedBySha: (sha256) =>
      all(`u.sha256 = ? AND u.state = 'uploaded' AND ${sqlIsOurs('u')} ORDER BY u.id DESC`, sha256),
    recalledBySha: (sha256) =>
      one(`u.sha256 = ? AND u.state IN ${states({ isTakenBack: true })} ORDER BY u.id DESC LIMIT 1`, sha256),
    nextOf: (what, limit) => {
      const { states: each, time } = waiting[what];
      const some = each.map(
        (state) => `SELECT id, detail FROM uploads WHERE ${state} AND account = ${present}`,
      );
      return all(
        `u.id IN (SELECT id FROM (${some.join(' UNION ALL ')}) ORDER BY detail ->> '${time}', id LIMIT +?)
         ORDER BY u.detail ->> '${time}', u.id`,
        limit,
      );
    },
    bySha: (kind, sha256) =>
      all(
        // Each half has its index; the plus keeps SQLite from reading all rows of the state.
        `u.id IN (SELECT id FROM uploads WHERE sha256 = ?1
           UNION ALL SELECT id FROM uploads WHERE sent_sha256 = ?1)
           AND +u.${isIn(kind)} ORDER BY u.id DESC`,
        sha256,
      ),

    knowsSize: (sizeBytes) =>
      database.value(
        // The second line repeats the index's condition word for word, or SQLite does not use it.
        `SELECT 1 FROM uploads u WHERE size_bytes = ?
           AND state IN ${states({ byContent: true })}
           AND (state <> 'held' OR EXISTS (
             SELECT 1 FROM attempts WHERE upload_id = u.id AND outcome = 'uncertain')) LIMIT 1`,
        sizeBytes,
      ) !== undefined,

    isNamed: (filename, { id, sentName }) =>
      database.value(
        `SELECT 1 FROM uploads WHERE file_id IS NOT NULL AND account = ${present} AND id <> ? AND sent_name IS NOT ?
           AND coalesce(remote_name, sent_name) = ? LIMIT 1`,
        id,
        sentName,
        filename,
      ) !== undefined,

    inState: (kind, most, order = 'arrival') =>
      all(`u.${isIn(kind)} ORDER BY ${orders[order]} LIMIT +?`, most === 'all' ? -1 : most),

    countUnsentOf: (door) =>
      number(
        database.value(
          "SELECT count(*) FROM uploads WHERE state IN ('settling', 'waiting', 'ready') AND door = ?",
          door,
        ),
      ),
    countInState: (kind) => number(database.value(`SELECT count(*) FROM uploads WHERE ${isIn(kind)}`)),

    backlog: () => {
      const row = database.get(
        `SELECT count(*) AS files, coalesce(sum(size_bytes), 0) AS bytes
         FROM uploads INDEXED BY uploads_smallest WHERE state = 'ready'`,
      );
      return { files: number(row?.['files']), bytes: number(row?.['bytes']) };
    },

    dueWaiting: (nowMs, limit) => all('u.until_ms <= ? ORDER BY u.until_ms, u.id LIMIT +?', nowMs, limit),
    nextWaitingAtMs: () =>
      numberOrNull(database.value('SELECT min(until_ms) FROM uploads WHERE until_ms IS NOT NULL')),
  };
};

const assertFinal = (before: Upload, after: Upload): void => {
  if (stateRow(before.state.kind).phase !== 'final' || before.fileId === null) return;
  const kept =
    before.fileId === after.fileId &&
    before.publicLink === after.publicLink &&
    before.sha256 === after.sha256 &&
    before.sent?.sha256 === after.sent?.sha256 &&
    stateRow(after.state.kind).phase === 'final';
  if (kept) return;
  throw new AppError(
    'internal',
    `The outcome of upload ${before.id} is final and would change (${before.state.kind} to ${after.state.kind}).`,
    'Please report it.',
  );
};
