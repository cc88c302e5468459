// A ledger of many uploads in a moment: made by SQL, because through the port it would take longer than any test. The
// rows are those that the ledger itself would write (adapters/ledger/schema.ts); `openLedger` made the schema.
import { DatabaseSync } from 'node:sqlite';
import { openLedger } from '../../../src-main/adapters/ledger/ledger.ts';

export const startMs = Date.UTC(2026, 0, 1);
const words = ['render', 'invoice', 'photo', 'notes'];

/** The upload number `at` from 0 on; the last is the newest. */
export const nameOf = (at: number): string =>
  `${words[at % words.length] ?? ''}-${String(at).padStart(6, '0')}.pdf`;

/**
 * Writes a ledger of `count` uploads in /srv/shared, one per second, to a file that does not exist yet. `above`: their
 * ids at the service are larger, so that a service which begins at 1 does not reuse them.
 */
export const writeManyUploads = (file: string, count: number, above = 0): void => {
  openLedger({ file, nowMs: () => startMs }).close();
  const sqlite = new DatabaseSync(file);
  sqlite.exec('PRAGMA synchronous = OFF');
  const series = `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${count}) SELECT n FROM series WHERE n <= ${count}`;
  const word = `CASE (n - 1) % ${words.length} ${words.map((text, at) => `WHEN ${at} THEN '${text}'`).join(' ')} END`;
  const name = `${word} || '-' || printf('%06d', n - 1) || '.pdf'`;
  const extras = sqlite
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL",
    )
    .all();
  sqlite.exec('BEGIN');
  for (const { type, name } of extras) sqlite.exec(`DROP ${String(type)} ${String(name)}`);
  sqlite.exec(`
    INSERT INTO folders (id, path, identity, chosen_at_ms, baseline_done) VALUES (1, '/srv/shared', 'identity', ${startMs}, 1);
    INSERT INTO dirs VALUES (1, 1, '/srv/shared');
    INSERT INTO uploads (id, folder, dir_id, present, state, bucket, priority, name, name_key, stamp_key, size_bytes, mtime_ms,
        ctime_ms, inode, attempts, confirmed, grace_over, door, created_at_ms, changed_at_ms, uploaded_at_ms, file_id, remote_size,
        sent_name, sha256, public_link)
      SELECT n, 1, 1, 1, 'uploaded', 'uploaded', 0, ${name}, ${name}, n || ':1:1:1:' || n,
        1000 + n * 7919 % 10000000, 1.5, 1.5, '1:' || n, 1, 0, 1, 'folder', ${startMs}, ${startMs}, ${startMs} + (n - 1) * 1000, n + ${above}, 1,
        NULL, printf('%064x', n), 'https://share.example/download/T' || n || 'k'
      FROM (${series});
    INSERT INTO files SELECT * FROM our_files;
    INSERT INTO files_text (rowid, body)
      SELECT id, name_key || char(10) || lower(link) || char(10) || file_id FROM files;
  `);
  for (const { sql } of extras) sqlite.exec(String(sql));
  sqlite.exec('COMMIT');
  sqlite.close();
};
