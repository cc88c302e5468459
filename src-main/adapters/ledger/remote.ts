// The account's files as last seen in a list or an answer.
import type { RemoteFile } from '../../contract/model.ts';
import type { RemoteTable, SeenRemote } from '../../engine/ports.ts';
import { number, numberOrNull, textOrNull, type Database, type Row } from './database.ts';
import { slotOf, type Listed } from './listed.ts';
import { createMostDownloaded } from './file-rows.ts';

export const createRemote = (options: {
  database: Database;
  listed: Listed;
  nowMs: () => number;
}): RemoteTable => {
  const { database, listed, nowMs } = options;

  const see = (fileId: number, file: RemoteFile, atMs: number) => {
    // A field that is missing now may have been there before.
    database.run(
      `INSERT INTO remote_files (file_id, first_seen_at_ms, seen_at_ms, gone,
         download_count, size, upload_date, filename, public_link)
       VALUES (?1, ?2, ?2, 0, ?3, ?4, ?5, ?6, ?7)
       ON CONFLICT DO UPDATE SET seen_at_ms = max(seen_at_ms, excluded.seen_at_ms), gone = 0,
         download_count = coalesce(excluded.download_count, download_count),
         size = coalesce(excluded.size, size),
         upload_date = coalesce(excluded.upload_date, upload_date),
         filename = coalesce(excluded.filename, filename),
         public_link = coalesce(excluded.public_link, public_link)`,
      fileId,
      atMs,
      file.download_count ?? null,
      file.size ?? null,
      file.upload_date ?? null,
      file.filename ?? null,
      file.public_link ?? null,
    );
    listed.remoteChanged(fileId);
  };

  /** Also for our own file that no list has shown yet. */
  const loseOne = (fileId: number, atMs: number) => {
    database.run(
      `INSERT INTO remote_files (file_id, first_seen_at_ms, seen_at_ms, gone) VALUES (?1, ?2, ?2, 1)
         ON CONFLICT DO UPDATE SET gone = 1`,
      fileId,
      atMs,
    );
    listed.remoteChanged(fileId);
  };

  return {
    saw: (files, atMs) => {
      database.atomically(() => {
        for (const file of files) if (isNamed(file)) see(file.file_id, file, atMs);
      });
    },
    markUnseenGone: (sinceMs, knownBeforeMs = sinceMs) =>
      database.atomically(() => {
        listed.catchUp();
        const unseen = database.all(
          `SELECT file_id FROM remote_files WHERE gone = 0 AND seen_at_ms < ? AND first_seen_at_ms < ?
           UNION
           SELECT file_id FROM listed l WHERE file_id IS NOT NULL AND upload_id IS NOT NULL AND id < ?
             AND NOT EXISTS (SELECT 1 FROM remote_files r WHERE r.file_id = l.file_id)`,
          sinceMs,
          knownBeforeMs,
          slotOf(Math.min(sinceMs, knownBeforeMs)),
        );
        for (const row of unseen) loseOne(number(row['file_id']), sinceMs);
        return unseen.length;
      }),
    markGone: (fileId) => {
      database.atomically(() => {
        loseOne(fileId, nowMs());
      });
    },
    byId: (fileId) => {
      const row = database.get('SELECT * FROM remote_files WHERE file_id = ?', fileId);
      return row === undefined ? null : readRemote(row);
    },
    copiesOf: (fileId, withinSeconds) =>
      database
        .all(
          `SELECT r.file_id FROM remote_files o JOIN remote_files r ON r.filename = o.filename AND r.size = o.size
           WHERE o.file_id = ?1 AND r.file_id <> ?1 AND o.gone = 0 AND r.gone = 0
             AND abs(unixepoch(r.upload_date) - unixepoch(o.upload_date)) <= ?2
             AND NOT EXISTS (SELECT 1 FROM uploads u WHERE u.file_id = r.file_id)
           ORDER BY r.file_id LIMIT 10`,
          fileId,
          withinSeconds,
        )
        .map((row) => number(row['file_id'])),
    count: () => number(database.get('SELECT count(*) AS n FROM remote_files WHERE gone = 0')?.['n']),
    downloadTotal: () =>
      number(
        database.get('SELECT coalesce(sum(download_count), 0) AS n FROM remote_files WHERE gone = 0')?.['n'],
      ),
    mostDownloaded: createMostDownloaded(database, listed),
  };
};

/** An entry without an id can be neither shown again nor deleted; ids are whole numbers and not negative. */
const isNamed = (file: RemoteFile): file is RemoteFile & { file_id: number } =>
  Number.isSafeInteger(file.file_id) && (file.file_id ?? -1) >= 0;

const readRemote = (row: Row): SeenRemote => {
  const seen: SeenRemote = {
    file_id: number(row['file_id']),
    firstSeenAtMs: number(row['first_seen_at_ms']),
    seenAtMs: number(row['seen_at_ms']),
    gone: number(row['gone']) === 1,
  };
  const downloads = numberOrNull(row['download_count']);
  const size = numberOrNull(row['size']);
  const date = textOrNull(row['upload_date']);
  const name = textOrNull(row['filename']);
  const link = textOrNull(row['public_link']);
  if (downloads !== null) seen.download_count = downloads;
  if (size !== null) seen.size = size;
  if (date !== null) seen.upload_date = date;
  if (name !== null) seen.filename = name;
  if (link !== null) seen.public_link = link;
  return seen;
};
