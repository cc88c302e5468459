// Lists and numbers about uploads: what the queue asks before each turn and what the window shows. Each is an index
// read or a row of the tally, whatever the size of the ledger.
import { unreachable } from '../../contract/errors.ts';
import { bucketOf, noCounts, type Bucket, type StateKind } from '../../contract/model.ts';
import type { Upload, UploadTable } from '../../engine/ports.ts';
import { number, numberOrNull, text, type Database } from './database.ts';
import { slotOf, type Listed } from './listed.ts';
import { folderNumber, readUpload, selectUpload, selectUploadBy, stateKind } from './upload-row.ts';

type Lists = Pick<
  UploadTable,
  | 'knowsSize'
  | 'inState'
  | 'countInState'
  | 'backlog'
  | 'dueWaiting'
  | 'nextWaitingAtMs'
  | 'counts'
  | 'inBucket'
  | 'newestLinks'
  | 'committedSince'
  | 'perDay'
>;

// Asked at every turn of the queue. Built once: building a long text for each call costs more than the statement.
const selectInState = `${selectUpload} WHERE u.state = ? ORDER BY u.priority DESC, u.id LIMIT ?`;
const selectDue = `${selectUploadBy('uploads_until')}
  WHERE u.state = 'waiting' AND u.until_ms IS NOT NULL AND u.until_ms <= ? ORDER BY u.until_ms, u.id LIMIT ?`;

export const createUploadLists = (database: Database, listed: Listed, nowMs: () => number): Lists => ({
  knowsSize: (sizeBytes) =>
    database.get(
      // The second line repeats the index's condition word for word, or SQLite does not use it.
      `SELECT 1 FROM uploads u WHERE size_bytes = ?
         AND state IN ('committing', 'uncertain', 'uploaded', 'held')
         AND (state <> 'held' OR EXISTS (
           SELECT 1 FROM attempts WHERE upload_id = u.id AND outcome = 'uncertain')) LIMIT 1`,
      sizeBytes,
    ) !== undefined,

  inState: (kind, limit, order = 'arrival') => {
    switch (order) {
      case 'arrival':
        return database.lists(selectInState, kind, limit).map(readUpload);
      case 'newest':
        return newestInState(database, kind, limit);
      case 'smallest':
        return smallestInState(database, kind, limit);
      default:
        return unreachable(order);
    }
  },

  countInState: (kind) => {
    if (kind === 'sending' || kind === 'committing') return added(database, selectOnTheWay, kind, kind).files;
    return kind === 'ready' ? ready(database).files : added(database, selectTallied, kind).files;
  },

  backlog: () => ready(database),

  dueWaiting: (nowMs, limit) => database.lists(selectDue, nowMs, limit).map(readUpload),

  nextWaitingAtMs: () => {
    const row = database.get(
      `SELECT until_ms FROM uploads INDEXED BY uploads_until
       WHERE state = 'waiting' AND until_ms IS NOT NULL ORDER BY until_ms LIMIT 1`,
    );
    return row === undefined ? null : numberOrNull(row['until_ms']);
  },

  counts: (folderId) => {
    const counts = noCounts();
    const rows = database.all(
      'SELECT state, files FROM tally WHERE folder = ? AND present = 1',
      folderNumber(folderId),
    );
    for (const row of rows) {
      const bucket = bucketOf[stateKind(text(row['state']))];
      if (bucket !== null) counts[bucket] += number(row['files']);
    }
    return counts;
  },

  inBucket: (bucket: Bucket, folderId, limit) =>
    database
      .lists(
        `${selectUpload} WHERE u.folder = ? AND u.bucket = ? ORDER BY u.id DESC LIMIT ?`,
        folderNumber(folderId),
        bucket,
        limit,
      )
      .map(readUpload),

  newestLinks: (limit) => {
    listed.catchUp();
    return database
      .lists(
        `${selectUpload} JOIN listed l ON l.upload_id = u.id
         WHERE l.id IN (
           SELECT id FROM (SELECT id FROM listed WHERE place = 0 ORDER BY id DESC LIMIT ?1)
           UNION ALL
           SELECT id FROM (SELECT id FROM listed WHERE place = 2 ORDER BY id DESC LIMIT ?1))
           AND l.link IS NOT NULL
         ORDER BY l.id DESC LIMIT ?1`,
        limit,
      )
      .map(readUpload);
  },

  committedSince: (sinceMs) =>
    number(database.get('SELECT count(*) AS n FROM attempts WHERE committing_at_ms >= ?', sinceMs)?.['n']),

  perDay: (sinceMs) => {
    listed.catchUpIfCan();
    return days(sinceMs, nowMs()).map(({ day, fromMs, toMs }) => {
      const row = database.get(
        `SELECT count(*) AS uploads, coalesce(sum(max(size, 0)), 0) AS bytes
         FROM listed WHERE id >= ? AND id < ? AND upload_id IS NOT NULL`,
        slotOf(fromMs),
        slotOf(toMs),
      );
      return { day, uploads: number(row?.['uploads']), bytes: number(row?.['bytes']) };
    });
  },
});

type Sum = { files: number; bytes: number };

const selectTallied = 'SELECT coalesce(sum(files), 0), coalesce(sum(bytes), 0) FROM tally WHERE state = ?';
/** By the index of states: as many as go at once. */
const selectOnTheWay =
  'SELECT count(*), coalesce(sum(coalesce(size_bytes, 0)), 0) FROM uploads WHERE state IN (?, ?)';

const added = (database: Database, sql: string, ...kinds: StateKind[]): Sum => {
  const [files, bytes] = database.list(sql, ...kinds) ?? [];
  return { files: number(files), bytes: number(bytes) };
};

/** Those on their way are tallied with them (schema.ts). */
const ready = (database: Database): Sum => {
  const all = added(database, selectTallied, 'ready');
  const onTheWay = added(database, selectOnTheWay, 'sending', 'committing');
  return { files: all.files - onTheWay.files, bytes: all.bytes - onTheWay.bytes };
};

/** Priority by priority: within one the index is read backwards, and a queue has few of them. */
const newestInState = (database: Database, kind: StateKind, limit: number): Upload[] => {
  const found: Upload[] = [];
  let below = Number.MAX_SAFE_INTEGER;
  while (found.length < limit) {
    const row = database.get(
      'SELECT max(priority) AS priority FROM uploads WHERE state = ? AND priority < ?',
      kind,
      below,
    );
    const priority = numberOrNull(row?.['priority'] ?? null);
    if (priority === null) break;
    const rows = database.lists(
      `${selectUpload} WHERE u.state = ? AND u.priority = ? ORDER BY u.id DESC LIMIT ?`,
      kind,
      priority,
      limit - found.length,
    );
    found.push(...rows.map(readUpload));
    below = priority;
  }
  return found;
};

/** Only of the ready ones there may be very many to choose from. */
const smallestInState = (database: Database, kind: StateKind, limit: number): Upload[] => {
  const order = 'ORDER BY u.priority DESC, u.size_bytes, u.id LIMIT ?';
  const rows =
    kind === 'ready'
      ? database.lists(
          `${selectUploadBy('uploads_waiting_smallest')} WHERE u.bucket = 'waiting' AND u.state = 'ready' ${order}`,
          limit,
        )
      : database.lists(`${selectUpload} WHERE u.state = ? ${order}`, kind, limit);
  return rows.map(readUpload);
};

/** As many as a chart can show, and then some. */
const MAX_DAYS = 400;
const DAY_MS = 86_400_000;

/** Local calendar days up to now, oldest first; they are 23 to 25 hours long, the first may be cut. */
const days = (sinceMs: number, nowMs: number): { day: string; fromMs: number; toMs: number }[] => {
  const found = [];
  let startMs = Math.max(sinceMs, nowMs - MAX_DAYS * DAY_MS);
  while (startMs <= nowMs) {
    const start = new Date(startMs);
    const next = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1).getTime();
    const two = (value: number) => String(value).padStart(2, '0');
    const day = `${start.getFullYear()}-${two(start.getMonth() + 1)}-${two(start.getDate())}`;
    found.push({ day, fromMs: startMs, toMs: next });
    startMs = next;
  }
  return found;
};
