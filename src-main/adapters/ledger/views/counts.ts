// How many uploads there are of each kind, and which share a fate.
import type { Bucket } from '../../../contract/model.ts';
import type { UploadViews } from '../../../engine/ports/views.ts';
import { number, text, type Database, type Value } from '../database.ts';
import { folderNumber, readState, readUpload, selectUpload } from '../upload-row.ts';

type UploadCounts = Pick<
  UploadViews,
  'wasSetUp' | 'counts' | 'countLookedFor' | 'alike' | 'idsAlike' | 'burst' | 'inBucket'
>;

export const createCounts = (database: Database): UploadCounts => {
  const count = (where: string, ...values: Value[]): number =>
    number(database.value(`SELECT count(*) FROM uploads WHERE ${where}`, ...values));

  return {
    countLookedFor: () =>
      count(`state = 'uncertain' AND (detail ->> 'isBusy' = 1 OR detail ->> 'isUnwanted' = 1)`),

    wasSetUp: () =>
      database.value('SELECT EXISTS (SELECT 1 FROM folders) OR EXISTS (SELECT 1 FROM uploads)') === 1,

    counts: (folderId) => {
      const of = (bucket: Bucket) => count('folder = ? AND bucket = ?', folderNumber(folderId), bucket);
      return {
        uploaded: of('uploaded'),
        waiting: of('waiting'),
        held: of('held'),
        skipped: of('skipped'),
        failed: of('failed'),
      };
    },

    alike: (kind, folderIds) => {
      const { sql, values } = within(folderIds);
      return database
        .all(
          // SQLite takes the bare column from the row with the maximum.
          `SELECT detail, count(*) AS files, coalesce(sum(size_bytes), 0) AS bytes, max(changed_at_ms) AS as_of
           FROM uploads WHERE state = ? ${sql} GROUP BY ${fate} ORDER BY files DESC, as_of DESC`,
          kind,
          ...values,
        )
        .map((row) => ({
          state: readState({ state: kind, detail: row['detail'] ?? null }),
          files: number(row['files']),
          bytes: number(row['bytes']),
          asOfMs: number(row['as_of']),
        }));
    },
    idsAlike: ({ kind, fate: wanted, asOfMs }, folderIds) => {
      const { sql, values } = within(folderIds);
      return database
        .all(
          `SELECT id FROM uploads WHERE state = ? ${sql} AND ${fate} = ? AND changed_at_ms <= ? ORDER BY id`,
          kind,
          ...values,
          wanted,
          asOfMs,
        )
        .map((row) => number(row['id']));
    },
    burst: () => {
      const held = `state = 'held' AND ${fate} = 'burst'`;
      const newest = database.value(
        `SELECT id FROM uploads WHERE ${held} ORDER BY mtime_ms DESC, id DESC LIMIT 1`,
      );
      if (newest === undefined) return null;
      const dirs = database.all(
        `SELECT DISTINCT path FROM dirs WHERE id IN (SELECT dir_id FROM uploads WHERE ${held}) ORDER BY path`,
      );
      return { newestId: number(newest), dirs: dirs.map((row) => text(row['path'])) };
    },

    inBucket: (bucket, folderId, limit) =>
      database
        .all(
          `${selectUpload} WHERE u.folder = ? AND u.bucket = ? ORDER BY u.id DESC LIMIT +?`,
          folderNumber(folderId),
          bucket,
          limit,
        )
        .map(readUpload),
  };
};

/** `fateOf` (contract/model.ts) of what is held, failed or skipped. */
const fate = `coalesce(detail ->> 'reason', detail ->> 'rule', (detail ->> 'code') || char(10) || (detail ->> 'remedy'))`;

const within = (folderIds: readonly (number | null)[] | undefined): { sql: string; values: Value[] } =>
  folderIds === undefined
    ? { sql: '', values: [] }
    : {
        sql: `AND present = 1 AND folder IN (${folderIds.map(() => '?').join(', ')})`,
        values: folderIds.map(folderNumber),
      };
