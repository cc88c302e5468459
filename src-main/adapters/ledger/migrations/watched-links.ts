// Followed links and links that are read back share one table. Links that were read again and again
// (`verify --watch`) are not read any more, which is said once; what was found wrong with them stays.
export const watchedLinks = [
  `CREATE TABLE watched (
  upload_id INTEGER NOT NULL REFERENCES uploads (id),
  what TEXT NOT NULL,
  since_ms INTEGER NOT NULL,
  next_ms INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  told ANY,
  told_at_ms INTEGER,
  PRIMARY KEY (upload_id, what)
) STRICT, WITHOUT ROWID`,
  `INSERT INTO watched
     SELECT upload_id, 'downloads', since_ms, coalesce(checked_ms, 0), is_doubted, told, iif(is_first_told, since_ms, NULL)
     FROM followed`,
  `INSERT INTO watched
     SELECT p.upload_id, 'content', coalesce(u.uploaded_at_ms, u.created_at_ms), iif(p.is_watched, NULL, p.next_ms),
       p.tries, p.told, p.told_at_ms
     FROM proofs p JOIN uploads u ON u.id = p.upload_id
     WHERE p.is_watched = 0 OR p.told IN ('gone', 'differs')`,
  `INSERT INTO facts
     SELECT 'links-not-read-again', count(*), 0 FROM proofs WHERE is_watched = 1 HAVING count(*) > 0`,
  'DROP TABLE followed',
  'DROP TABLE proofs',
  'CREATE INDEX watched_next ON watched (what, next_ms, upload_id) WHERE next_ms IS NOT NULL',
  "CREATE INDEX watched_wrong ON watched (told_at_ms) WHERE told IN ('gone', 'differs')",
  // One entry always stays, because the next number is counted from it.
  `DELETE FROM entries WHERE body ->> 'kind' = 'watch-set' AND seq < (SELECT max(seq) FROM entries)`,
  `UPDATE entries SET body = '{"kind":"queue-opened"}', upload_id = NULL, path = NULL
     WHERE body ->> 'kind' = 'watch-set'`,
  // The limiter counts what agents use (engine/limiter/agent-share.ts).
  "DELETE FROM facts WHERE name = 'agent-requests'",
];
