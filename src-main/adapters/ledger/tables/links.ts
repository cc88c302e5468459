// Links that are monitored: for their downloads, and for what they serve.
import type { Followed, FollowedTable, Proof, ProofTable, ProofTold } from '../../../engine/ports/ledger.ts';
import { number, numberOrNull, text, textOrNull, word, whole, type Database, type Row } from '../database.ts';
import { downloadsBy, isWrong } from '../schema.ts';
import { pathOf } from '../upload-row.ts';

export const createFollowed = (database: Database): FollowedTable => {
  const select = `SELECT f.*, u.file_id, u.name, u.public_link, d.path AS dir, 
      iif(r.download_count IS NULL, NULL, r.seen_at_ms) AS as_of_ms, ${downloadsBy('r')} AS downloads
    FROM followed f JOIN uploads u ON u.id = f.upload_id JOIN dirs d ON d.id = u.dir_id
    LEFT JOIN remote_files r ON r.file_id = u.file_id`;
  const read = (row: Row): Followed => ({
    uploadId: number(row['upload_id']),
    fileId: whole(row['file_id']),
    path: pathOf(text(row['dir']), text(row['name'])),
    publicLink: text(row['public_link']),
    sinceMs: number(row['since_ms']),
    checkedMs: numberOrNull(row['checked_ms']),
    asOfMs: numberOrNull(row['as_of_ms']),
    downloads: numberOrNull(row['downloads']),
    told: number(row['told']),
    isFirstTold: number(row['is_first_told']) === 1,
    isDoubted: number(row['is_doubted']) === 1,
  });
  const byId = (uploadId: number): Followed | null => {
    const row = database.get(`${select} WHERE f.upload_id = ?`, uploadId);
    return row === undefined ? null : read(row);
  };
  return {
    all: () => database.all(`${select} ORDER BY f.since_ms, f.upload_id`).map(read),
    count: () => number(database.value('SELECT count(*) FROM followed')),
    byId,
    countsOf: (uploadId, limit) =>
      database
        .all(
          `SELECT c.at_ms, c.gained, c.count FROM uploads u JOIN downloads c ON c.file_id = u.file_id
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
    add: (uploadId, sinceMs) =>
      database.run(
        `INSERT OR IGNORE INTO followed (upload_id, since_ms, told)
           SELECT u.id, ?, coalesce(${downloadsBy('r')}, 0)
           FROM uploads u LEFT JOIN remote_files r ON r.file_id = u.file_id WHERE u.id = ?`,
        sinceMs,
        uploadId,
      ) > 0,
    remove: (uploadId) => database.run('DELETE FROM followed WHERE upload_id = ?', uploadId) > 0,
    update: (uploadId, { checkedMs = null, told = null, isFirstTold, isDoubted }) =>
      void database.run(
        `UPDATE followed SET checked_ms = coalesce(?, checked_ms), told = coalesce(?, told),
           is_first_told = coalesce(?, is_first_told), is_doubted = coalesce(?, is_doubted) WHERE upload_id = ?`,
        checkedMs,
        told,
        isFirstTold === undefined ? null : Number(isFirstTold),
        isDoubted === undefined ? null : Number(isDoubted),
        uploadId,
      ),
  };
};

const tolds: Record<ProofTold, true> = {
  right: true,
  gone: true,
  differs: true,
  unreachable: true,
  'unknown-content': true,
};

export const createProofs = (database: Database): ProofTable => {
  const select = `SELECT p.*, u.file_id, u.name, u.public_link, d.path AS dir,
      coalesce(u.sent_sha256, u.sha256) AS sha256, coalesce(u.sent_bytes, u.size_bytes) AS bytes
    FROM proofs p CROSS JOIN uploads u ON u.id = p.upload_id CROSS JOIN dirs d ON d.id = u.dir_id`;
  const read = (row: Row): Proof => ({
    uploadId: number(row['upload_id']),
    fileId: whole(row['file_id']),
    path: pathOf(text(row['dir']), text(row['name'])),
    publicLink: text(row['public_link']),
    sha256: textOrNull(row['sha256']),
    sizeBytes: numberOrNull(row['bytes']),
    isWatched: number(row['is_watched']) === 1,
    nextMs: numberOrNull(row['next_ms']),
    tries: number(row['tries']),
    told: row['told'] === null ? null : word(tolds, row['told']),
    toldAtMs: numberOrNull(row['told_at_ms']),
  });
  const one = (row: Row | undefined) => (row === undefined ? null : read(row));
  const byId = (uploadId: number) => one(database.get(`${select} WHERE p.upload_id = ?`, uploadId));
  const add = (uploadId: number, nextMs: number): boolean =>
    database.run(
      `INSERT OR IGNORE INTO proofs (upload_id, next_ms) SELECT id, ? FROM uploads
         WHERE id = ? AND file_id IS NOT NULL AND public_link IS NOT NULL
           AND coalesce(sent_sha256, sha256, '') <> ''`,
      nextMs,
      uploadId,
    ) > 0;
  return {
    next() {
      const row = database.get(
        `${select} WHERE p.next_ms IS NOT NULL ORDER BY p.next_ms, p.upload_id LIMIT 1`,
      );
      return row === undefined ? null : { ...read(row), nextMs: number(row['next_ms']) };
    },
    byId,
    watched: () => database.all(`${select} WHERE p.is_watched = 1 ORDER BY p.upload_id`).map(read),
    countWrong: () => number(database.value(`SELECT count(*) FROM proofs WHERE ${isWrong}`)),
    add,
    countWatched: () => number(database.value('SELECT count(*) FROM proofs WHERE is_watched = 1')),
    watch(uploadId, nextMs) {
      add(uploadId, nextMs);
      const sql = 'UPDATE proofs SET is_watched = 1, next_ms = ? WHERE upload_id = ? AND is_watched = 0';
      return database.run(sql, nextMs, uploadId) > 0;
    },
    unwatch: (uploadId) =>
      database.run('DELETE FROM proofs WHERE upload_id = ? AND is_watched = 1', uploadId) > 0,
    hasten(latestMs) {
      const later = 'is_watched = 1 AND next_ms > ?';
      // Almost always there is none, and a write would wait for the disk.
      if (database.value(`SELECT 1 FROM proofs WHERE ${later} LIMIT 1`, latestMs) === undefined) return;
      database.run(`UPDATE proofs SET next_ms = ? WHERE ${later}`, latestMs, latestMs);
    },
    remove: (uploadId) => void database.run('DELETE FROM proofs WHERE upload_id = ?', uploadId),
    update(uploadId, change) {
      const before = byId(uploadId);
      if (before === null) return;
      const { nextMs, tries, told, toldAtMs } = { ...before, ...change };
      database.run(
        'UPDATE proofs SET next_ms = ?, tries = ?, told = ?, told_at_ms = ? WHERE upload_id = ?',
        nextMs,
        tries,
        told,
        toldAtMs,
        uploadId,
      );
    },
  };
};
