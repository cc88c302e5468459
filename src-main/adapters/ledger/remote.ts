// The files of the present account as last seen in a list or an answer.
import { fileIdFrom, type FileId } from '../../contract/text/file-id.ts';
import type { RemoteFile } from '../../contract/model.ts';
import { isLinkToSame } from '../../contract/text/named-file.ts';
import type { RemoteTable, SeenRemote } from '../../engine/ports/ledger.ts';
import { number, numberOrNull, textOrNull, type Database, type Row, whole } from './database.ts';
import { isCopyOf, present } from './schema.ts';
import { containing, searchKey } from './upload-row.ts';

/** Twice the time that the statistics show. */
const keptDownloadsMs = 60 * 86_400_000;

/** Writes entries as they are seen, or not seen any more. */
const createSightings = (database: Database, byId: RemoteTable['byId']) => {
  /** `isCounted`: the download count was read now, and includes all our own reads until now. */
  const write = (file: Omit<SeenRemote, 'readByUs' | 'sha256' | 'sizeBytes'>, isCounted: boolean): void => {
    database.run(
      `INSERT INTO remote_files (account, file_id, first_seen_at_ms, seen_at_ms, gone, download_count, size, upload_date,
         filename, public_link, name_key, at_ms)
       VALUES (${present}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET seen_at_ms = excluded.seen_at_ms,
         gone = iif(excluded.gone = 0, 0, max(gone, excluded.gone)),
         download_count = excluded.download_count, size = excluded.size, upload_date = excluded.upload_date,
         filename = excluded.filename, public_link = excluded.public_link, name_key = excluded.name_key,
         at_ms = excluded.at_ms, read_in_count = iif(?, read_by_us, read_in_count)`,
      file.file_id,
      file.firstSeenAtMs,
      file.seenAtMs,
      file.gone ? 1 : 0,
      file.download_count ?? null,
      file.size ?? null,
      file.upload_date ?? null,
      file.filename ?? null,
      file.public_link ?? null,
      // Any field of a list entry may be missing: Files shows what there is.
      searchKey(file.filename ?? file.public_link ?? String(file.file_id)),
      dateMs(file.upload_date),
      isCounted ? 1 : 0,
    );
  };

  /**
   * An id that shows another link is that of another file now. It is ours again when it shows our link again: the other
   * answer was wrong, or that file is gone.
   */
  const letGoOfTaken = ({ file_id, public_link }: RemoteFile & { file_id: FileId }, atMs: number): void => {
    if (public_link === undefined) return;
    const shows = (link: unknown): boolean => typeof link === 'string' && isLinkToSame(link, public_link);
    const holding = (taken: string): Row[] =>
      database.all(
        `SELECT id, public_link FROM uploads WHERE account = ${present} AND file_id = ? AND id_taken_at_ms ${taken}`,
        file_id,
      );
    const [ours] = holding('IS NULL');
    const known = ours === undefined ? byId(file_id)?.public_link : textOrNull(ours['public_link']);
    if (ours !== undefined && (typeof known !== 'string' || shows(known))) return;
    const isOther = typeof known === 'string' && !shows(known);
    if (ours !== undefined) database.update('uploads', number(ours['id']), { id_taken_at_ms: atMs });
    const former = holding('IS NOT NULL').find((row) => shows(row['public_link']));
    if (former !== undefined) database.update('uploads', number(former['id']), { id_taken_at_ms: null });
    if (isOther) database.run(`DELETE FROM remote_files WHERE account = ${present} AND file_id = ?`, file_id);
  };

  /** A field that is missing now keeps the value that it had before. */
  const see = (file: RemoteFile & { file_id: FileId }, atMs: number, firstAtMs: number): void => {
    letGoOfTaken(file, atMs);
    const seen = { firstSeenAtMs: firstAtMs, ...byId(file.file_id), ...file, seenAtMs: atMs, gone: false };
    write(seen, file.download_count !== undefined);
  };

  /** Also for our own file that has not been in any list yet. */
  const lose = (fileId: FileId, atMs: number): void => {
    write({ file_id: fileId, firstSeenAtMs: atMs, seenAtMs: atMs, ...byId(fileId), gone: true }, false);
  };
  return { see, lose };
};

export const createRemote = (database: Database, nowMs: () => number): RemoteTable => {
  const byId = (fileId: FileId): SeenRemote | null => {
    const row = database.get(`SELECT * FROM remote_files WHERE account = ${present} AND file_id = ?`, fileId);
    return row === undefined ? null : readRemote(row);
  };

  const { see, lose } = createSightings(database, byId);
  return {
    saw: (accountId, files, atMs, firstAtMs = atMs) => {
      database.atomically(() => {
        if (accountId !== number(database.value(`SELECT ${present}`))) return;
        for (const file of files) if (isNamed(file)) see(file, atMs, firstAtMs);
        // What came since the reading before the last one is still to be added up.
        database.run(
          `DELETE FROM downloads WHERE at_ms < min(?1,
             coalesce((SELECT coalesce(value ->> '$[#-2].atMs', at_ms) FROM facts WHERE name = 'readings'), ?1))`,
          atMs - keptDownloadsMs,
        );
      });
    },
    unseen: (sinceMs, knownBeforeMs = sinceMs, aheadMs = Infinity) =>
      database
        .all(
          `SELECT file_id FROM remote_files WHERE account = ${present} AND gone = 0
             AND (seen_at_ms < ?1 OR seen_at_ms > ?3) AND (first_seen_at_ms < ?2 OR first_seen_at_ms > ?3)
           UNION
           SELECT file_id FROM files f WHERE f.account = ${present} AND f.id > 0 AND file_id IS NOT NULL
             AND (at_ms < min(?1, ?2) OR at_ms > ?3)
             AND NOT EXISTS (SELECT 1 FROM remote_files r WHERE r.account = f.account AND r.file_id = f.file_id)`,
          sinceMs,
          knownBeforeMs,
          Math.min(aheadMs, Number.MAX_SAFE_INTEGER),
        )
        .map((row) => whole(row['file_id'])),
    markGone: (fileId) => {
      lose(fileId, nowMs());
    },
    readByUs: (fileId) =>
      void database.run(
        `UPDATE remote_files SET read_by_us = read_by_us + 1 WHERE account = ${present} AND file_id = ?`,
        fileId,
      ),
    countedBefore: (atMs) => void database.run('UPDATE downloads SET at_ms = ?1 - 1 WHERE at_ms >= ?1', atMs),
    removeGone: (fileIds) =>
      database.run(
        `UPDATE remote_files SET gone = 2
         WHERE account = ${present} AND gone = 1 AND file_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(fileIds),
      ),
    learn: (fileId, { sha256, sizeBytes }) =>
      void database.run(
        `UPDATE remote_files SET sha256 = ?, size_bytes = ? WHERE account = ${present} AND file_id = ?`,
        sha256,
        sizeBytes,
        fileId,
      ),
    learnedOf: (sizeBytes) =>
      database
        .all(
          `SELECT * FROM remote_files r WHERE size_bytes = ? AND sha256 IS NOT NULL AND account = ${present} AND gone = 0
             AND NOT EXISTS (SELECT 1 FROM uploads u WHERE ${isCopyOf('r', 'u')}) ORDER BY file_id DESC`,
          sizeBytes,
        )
        .map(readRemote),
    byId,
    isGone: (fileId) => fileId !== null && byId(fileId)?.gone === true,
    named: (filename, limit) =>
      database
        .all(
          `SELECT * FROM remote_files WHERE account = ${present} AND filename = ? ORDER BY file_id DESC LIMIT +?`,
          filename,
          limit,
        )
        .map(readRemote),
    withLink: (part, limit) =>
      database
        .all(
          String.raw`SELECT * FROM remote_files WHERE account = ${present} AND public_link LIKE ? ESCAPE '\' ORDER BY file_id DESC LIMIT +?`,
          containing(part),
          limit,
        )
        .map(readRemote),
    copiesOf: (fileId, withinSeconds) =>
      database
        .all(
          `SELECT r.file_id FROM remote_files o JOIN remote_files r
             ON r.account = o.account AND r.filename = o.filename AND r.size = o.size
           WHERE o.account = ${present} AND o.file_id = ?1 AND r.file_id <> ?1 AND o.gone = 0 AND r.gone = 0
             AND abs(unixepoch(r.upload_date) - unixepoch(o.upload_date)) <= ?2
             AND NOT EXISTS (SELECT 1 FROM uploads u WHERE ${isCopyOf('r', 'u')})
           ORDER BY r.file_id LIMIT 10`,
          fileId,
          withinSeconds,
        )
        .map((row) => whole(row['file_id'])),
    count: () =>
      number(database.value(`SELECT count(*) FROM remote_files WHERE account = ${present} AND gone = 0`)),
  };
};

/** In the year 10889. With this limit a date of the service stays a time that can be sorted and shown. */
const MAX_MS = 2 ** 48;

/** The zone is not known (service.md §2): read as UTC, the date is at most 14 hours off in the order. */
const dateMs = (date: string | undefined): number => {
  const ms = date === undefined ? NaN : Date.parse(`${date.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MAX_MS);
};

/** An entry without an id can neither be shown again nor deleted; ids are whole numbers and not negative. */
const isNamed = (file: RemoteFile): file is RemoteFile & { file_id: FileId } =>
  file.file_id !== undefined && fileIdFrom(String(file.file_id)) === file.file_id;

const readRemote = (row: Row): SeenRemote => {
  const seen: SeenRemote = {
    file_id: whole(row['file_id']),
    firstSeenAtMs: number(row['first_seen_at_ms']),
    seenAtMs: number(row['seen_at_ms']),
    gone: number(row['gone']) > 0,
    readByUs: number(row['read_in_count']),
    sha256: textOrNull(row['sha256']),
    sizeBytes: numberOrNull(row['size_bytes']),
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
