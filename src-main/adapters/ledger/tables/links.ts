// Links that are looked at again: for their downloads, and for what they serve.
import type { VerifyReason } from '../../../contract/model.ts';
import type { WatchedFor, WatchedTable } from '../../../engine/ports/ledger.ts';
import { number, numberOrNull, text, textOrNull, word, whole, type Database, type Row } from '../database.ts';
import { downloadsBy, isCopyOf, sqlIsOurs, isWrong } from '../schema.ts';
import { rowPathOf } from '../upload-row.ts';

const reasons: Record<VerifyReason, true> = {
  gone: true,
  differs: true,
  unreachable: true,
  'unknown-content': true,
};

const readWatched = (row: Row) => ({
  uploadId: number(row['upload_id']),
  fileId: whole(row['file_id']),
  path: rowPathOf(text(row['dir']), text(row['name'])),
  publicLink: text(row['public_link']),
  sinceMs: number(row['since_ms']),
  nextMs: numberOrNull(row['next_ms']),
  tries: number(row['tries']),
  toldAtMs: numberOrNull(row['told_at_ms']),
});

const read: { [What in keyof WatchedFor]: (row: Row) => WatchedFor[What] } = {
  downloads: (row) => ({
    ...readWatched(row),
    downloads: numberOrNull(row['downloads']),
    asOfMs: numberOrNull(row['as_of_ms']),
    told: number(row['told']),
  }),
  content: (row) => ({
    ...readWatched(row),
    sha256: textOrNull(row['sha256']),
    sizeBytes: numberOrNull(row['bytes']),
    told: row['told'] === null ? null : word(reasons, row['told']),
  }),
};

/** Which uploads may be watched, and what counts as reported then. */
const begins: Record<keyof WatchedFor, { told: string; where: string }> = {
  downloads: { told: `coalesce(${downloadsBy('r')}, 0)`, where: 'true' },
  content: {
    told: 'NULL',
    where:
      "u.file_id IS NOT NULL AND u.public_link IS NOT NULL AND coalesce(u.sent_sha256, u.sha256, '') <> ''",
  },
};

export const createWatched = (database: Database): WatchedTable => {
  const select = `SELECT w.*, u.file_id, u.name, u.public_link, d.path AS dir,
      coalesce(u.sent_sha256, u.sha256) AS sha256, coalesce(u.sent_bytes, u.size_bytes) AS bytes,
      iif(r.download_count IS NULL, NULL, r.seen_at_ms) AS as_of_ms, ${downloadsBy('r')} AS downloads
    FROM watched w CROSS JOIN uploads u ON u.id = w.upload_id CROSS JOIN dirs d ON d.id = u.dir_id
    LEFT JOIN remote_files r ON ${isCopyOf('r', 'u')}
    WHERE ${sqlIsOurs('u')} AND w.what = ?`;
  const inTurn = 'ORDER BY w.next_ms, w.upload_id';
  const at = 'WHERE what = ? AND upload_id = ?';
  const byId: WatchedTable['byId'] = (what, uploadId) => {
    const row = database.get(`${select} AND w.upload_id = ?`, what, uploadId);
    return row === undefined ? null : read[what](row);
  };
  return {
    all: (what) =>
      database.all(`${select} ORDER BY w.next_ms IS NULL, w.next_ms, w.upload_id`, what).map(read[what]),
    next(what) {
      const row = database.get(`${select} AND w.next_ms IS NOT NULL ${inTurn} LIMIT 1`, what);
      return row === undefined ? null : { ...read[what](row), nextMs: number(row['next_ms']) };
    },
    byId,
    count: (what) =>
      number(
        database.value(
          `SELECT count(*) FROM watched w CROSS JOIN uploads u ON u.id = w.upload_id WHERE ${sqlIsOurs('u')} AND w.what = ?`,
          what,
        ),
      ),
    add: (what, uploadId, { sinceMs, nextMs }) =>
      database.run(
        `INSERT OR IGNORE INTO watched (upload_id, what, since_ms, next_ms, told)
           SELECT u.id, ?, ?, ?, ${begins[what].told}
           FROM uploads u LEFT JOIN remote_files r ON ${isCopyOf('r', 'u')}
           WHERE u.id = ? AND ${begins[what].where}`,
        what,
        sinceMs,
        nextMs,
        uploadId,
      ) > 0,
    remove: (what, uploadId) => database.run(`DELETE FROM watched ${at}`, what, uploadId) > 0,
    update(what, uploadId, change) {
      const before = byId(what, uploadId);
      if (before === null) return;
      const { nextMs, tries, told, toldAtMs } = { ...before, ...change };
      database.run(
        `UPDATE watched SET next_ms = ?, tries = ?, told = ?, told_at_ms = ? ${at}`,
        nextMs,
        tries,
        told,
        toldAtMs,
        what,
        uploadId,
      );
    },
    hasten(what, latestMs) {
      const later = 'what = ? AND next_ms > ?';
      // Almost always there is none, and a write would wait for the disk.
      if (database.value(`SELECT 1 FROM watched WHERE ${later} LIMIT 1`, what, latestMs) === undefined)
        return;
      database.run(`UPDATE watched SET next_ms = ? WHERE ${later}`, latestMs, what, latestMs);
    },
    countWrong: () =>
      number(
        database.value(
          `SELECT count(*) FROM watched w CROSS JOIN uploads u ON u.id = w.upload_id WHERE w.${isWrong} AND ${sqlIsOurs('u')}`,
        ),
      ),
    countsOf: (uploadId, limit) =>
      database
        .all(
          `SELECT c.at_ms, c.gained, c.count FROM uploads u JOIN downloads c ON c.account = u.account AND c.file_id = u.file_id
             WHERE u.id = ? ORDER BY c.at_ms DESC, c.rowid DESC LIMIT +?`,
          uploadId,
          limit,
        )
        .map((row) => ({
          atMs: number(row['at_ms']),
          downloads: number(row['count']),
          gained: number(row['gained']),
        }))
        .toReversed(),
  };
};
