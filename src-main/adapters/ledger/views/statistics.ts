// What Statistics shows: links and their downloads, in all and day by day.
import type { UploadViews } from '../../../engine/ports/views.ts';
import { number, type Database, whole } from '../database.ts';
import {
  everything,
  inPlaces,
  limited,
  ours,
  quoted,
  readRows,
  there,
  withIds,
  type PageOrder,
} from './page-sql.ts';
import { downloadsBy, isCopyOf, present } from '../schema.ts';

type Statistics = Pick<
  UploadViews,
  'mostDownloaded' | 'gainedSince' | 'countedLateSince' | 'firstDownloads' | 'shared' | 'perDay'
>;

const gained = `SELECT coalesce(sum(gained), 0) FROM downloads WHERE account = ${present} AND at_ms >= ?`;

export const createStatistics = (database: Database, nowMs: () => number): Statistics => {
  return {
    mostDownloaded: (limit, sinceMs) => {
      const most: PageOrder = { sort: 'downloads', descending: true };
      const source = inPlaces(most, there, { sql: 'f.downloads > 0', values: [] });
      return readRows(database, limited(source, most, limit, 0), most).map(({ row }) => ({
        row,
        gained: number(database.value(`${gained} AND file_id = ?`, sinceMs, row.fileId)),
      }));
    },
    gainedSince: (sinceMs) => number(database.value(gained, sinceMs)),
    countedLateSince: (sinceMs) =>
      number(
        database.value(
          `SELECT coalesce(sum(${downloadsBy('r')}), 0) FROM remote_files r CROSS JOIN uploads u ON ${isCopyOf('r', 'u')}
           WHERE r.account = ${present} AND r.download_count > 0 AND u.uploaded_at_ms >= ?
             AND NOT EXISTS (SELECT 1 FROM downloads d WHERE d.account = r.account AND d.file_id = r.file_id)`,
          sinceMs,
        ),
      ),

    firstDownloads: (limit) => {
      const first = database.all(
        `SELECT f.id AS id, d.at_ms AS at_ms FROM downloads d JOIN files f ON f.account = d.account AND f.file_id = d.file_id
         WHERE d.gained = d.count AND f.place IN (${quoted(there)}) ORDER BY d.at_ms DESC, f.at_ms DESC LIMIT ?`,
        limit,
      );
      const newest: PageOrder = { sort: 'uploaded', descending: true };
      const rows = readRows(
        database,
        withIds(
          newest,
          first.map((row) => whole(row['id'])),
          everything,
        ),
        newest,
      );
      return first.flatMap((one) => {
        const found = rows.find(({ cursor }) => cursor.id === one['id']);
        return found === undefined ? [] : [{ row: found.row, atMs: number(one['at_ms']) }];
      });
    },

    shared: () => {
      const row = database.get(
        `SELECT count(*) AS files, coalesce(sum(max(size, 0)) FILTER (WHERE id > 0), 0) AS bytes,
           coalesce(sum(max(size, 0)) FILTER (WHERE id < 0), 0) AS others, count(*) FILTER (WHERE downloads = 0) AS never
         FROM files WHERE place IN (${quoted(there)})`,
      );
      const counted = database.get(
        `SELECT coalesce(sum(people), 0) AS downloads, count(*) FILTER (WHERE gone > 0 AND people > 0) AS gone,
           count(*) FILTER (WHERE gone = 0 AND people > 0) AS downloaded,
           count(*) FILTER (WHERE gone = 0 AND people = 0) AS read,
           coalesce(sum(download_count) FILTER (WHERE gone = 0), 0) AS reported
         FROM (SELECT *, ${downloadsBy('r')} AS people FROM remote_files r
           WHERE account = ${present} AND download_count > 0)`,
      );
      return {
        files: number(row?.['files']),
        bytes: number(row?.['bytes']),
        others: number(row?.['others']),
        // Ours are the only reads of some.
        neverDownloaded: number(row?.['never']) + number(counted?.['read']),
        downloaded: number(counted?.['downloaded']),
        downloads: number(counted?.['downloads']),
        reported: number(counted?.['reported']),
        gone: number(counted?.['gone']),
      };
    },

    perDay: (sinceMs) =>
      days(sinceMs, nowMs()).map(({ day, fromMs, toMs }) => {
        const row = database.get(
          `SELECT count(*) AS uploads, coalesce(sum(max(size, 0)), 0) AS bytes FROM files
           WHERE place IN (${quoted(ours)}, 'removed') AND at_ms >= ? AND at_ms < ?`,
          fromMs,
          toMs,
        );
        return { day, uploads: number(row?.['uploads']), bytes: number(row?.['bytes']) };
      }),
  };
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
