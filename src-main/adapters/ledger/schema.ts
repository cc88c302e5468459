// The ledger's tables. A change of shape raises `schemaVersion`; a ledger of an earlier version is set aside
// (ledger.ts). Decisions that bind the file:
//
// · A folder's path is kept once (`dirs`), not in each row: half the size at a million uploads, and a scan asks by
//   number. `folder` 0 stands for "given by hand", so that unique indices hold there too (NULLs are never equal).
// · A state is its kind and the rest as JSON; what is searched for has its own column beside it (`until_ms`,
//   `bucket`: null when the row counts nowhere).
// · Counts by state are kept by triggers in `tally`: reading them costs the same at ten rows and at a million. The few
//   that are on their way are tallied as `ready`, as which they set out: upload-lists.ts takes them off.
// · `listed` is what Files shows, one small row per shown file; `unlisted` is what has changed since (listed.ts). The
//   id in `listed` is the file's place in time, so that the newest come first without an index and a text search yields
//   them in that order.
// · `listed_text` holds trigrams only (no text, no positions); hits are checked against the row.
// · `inode` has no device: its number may change with a reboot.
// · `uploads_waiting_smallest` covers all that waits: the bucket stays when an upload begins, so that its transitions
//   write one page less. `listed_name` has everything that a search in the order of names reads.
// · `unlisted` holds what has changed since `listed` was last brought up to date: uploads by id, files of the service by
//   -1 - file id.
// · An index is there when a list that may be long is asked for often: each is one more page in every flush. What
//   prune keeps short (permits, entries) is read through.
// · Ids that are remembered elsewhere after their rows are pruned (permits) are never given twice: AUTOINCREMENT.

/** PRAGMA user_version of the file. */
export const schemaVersion = 9;

/** An upload under way is tallied as what it set out as: the few make no difference that could not be counted. */
const tallied = (row: 'old' | 'new'): string =>
  `iif(${row}.state IN ('sending', 'committing'), 'ready', ${row}.state)`;

export const schema = `
CREATE TABLE folders (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  identity TEXT NOT NULL,
  chosen_at_ms INTEGER NOT NULL,
  baseline_done INTEGER NOT NULL
) STRICT;

CREATE TABLE dirs (
  id INTEGER PRIMARY KEY,
  folder INTEGER NOT NULL,
  path TEXT NOT NULL,
  UNIQUE (folder, path)
) STRICT;

CREATE TABLE uploads (
  id INTEGER PRIMARY KEY,
  folder INTEGER NOT NULL,
  dir_id INTEGER NOT NULL REFERENCES dirs (id),
  present INTEGER NOT NULL,
  state TEXT NOT NULL,
  bucket TEXT,
  priority INTEGER NOT NULL,
  name TEXT NOT NULL,
  stamp_key TEXT,
  size_bytes INTEGER,
  mtime_ms REAL,
  ctime_ms REAL,
  inode TEXT,
  detail TEXT,
  until_ms INTEGER,
  attempts INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,
  same_as_id INTEGER,
  created_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL,
  uploaded_at_ms INTEGER,
  file_id INTEGER,
  remote_size INTEGER,
  sent_name TEXT,
  remote_name TEXT,
  sha256 TEXT,
  public_link TEXT
) STRICT;
CREATE UNIQUE INDEX uploads_present ON uploads (dir_id, name) WHERE present = 1;
CREATE UNIQUE INDEX uploads_file_id ON uploads (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX uploads_inode ON uploads (inode) WHERE present = 1 AND inode IS NOT NULL;
CREATE INDEX uploads_sha256 ON uploads (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX uploads_size ON uploads (size_bytes)
  WHERE state IN ('committing', 'uncertain', 'uploaded', 'held');
CREATE INDEX uploads_state ON uploads (state, priority DESC, id);
CREATE INDEX uploads_waiting_smallest ON uploads (priority DESC, size_bytes, id) WHERE bucket = 'waiting';
CREATE INDEX uploads_until ON uploads (until_ms, id) WHERE state = 'waiting' AND until_ms IS NOT NULL;
CREATE INDEX uploads_bucket ON uploads (folder, bucket, id) WHERE bucket IS NOT NULL;

CREATE INDEX uploads_versions ON uploads (dir_id, name, uploaded_at_ms)
  WHERE present = 0 AND uploaded_at_ms IS NOT NULL;

CREATE TABLE tally (
  folder INTEGER NOT NULL,
  state TEXT NOT NULL,
  present INTEGER NOT NULL,
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (folder, state, present)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER tally_insert AFTER INSERT ON uploads BEGIN
  INSERT INTO tally VALUES (new.folder, ${tallied('new')}, new.present, 1, coalesce(new.size_bytes, 0))
    ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER tally_update AFTER UPDATE OF folder, state, present, size_bytes ON uploads
  WHEN ${tallied('new')} <> ${tallied('old')} OR new.folder <> old.folder OR new.present <> old.present
    OR new.size_bytes IS NOT old.size_bytes
BEGIN
  UPDATE tally SET files = files - 1, bytes = bytes - coalesce(old.size_bytes, 0)
    WHERE folder = old.folder AND state = ${tallied('old')} AND present = old.present;
  INSERT INTO tally VALUES (new.folder, ${tallied('new')}, new.present, 1, coalesce(new.size_bytes, 0))
    ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
END;

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  upload_id INTEGER NOT NULL REFERENCES uploads (id),
  permit_id INTEGER NOT NULL,
  sent_name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  started_at_ms INTEGER NOT NULL,
  committing_at_ms INTEGER,
  ended_at_ms INTEGER,
  outcome TEXT,
  status INTEGER,
  evidence TEXT
) STRICT;
CREATE INDEX attempts_upload ON attempts (upload_id);
CREATE INDEX attempts_open ON attempts (id) WHERE outcome IS NULL;
CREATE INDEX attempts_committing ON attempts (committing_at_ms) WHERE committing_at_ms IS NOT NULL;

CREATE TABLE permits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lane TEXT NOT NULL,
  owner TEXT NOT NULL,
  spent_at_ms INTEGER NOT NULL,
  answered_at_ms INTEGER
) STRICT;
CREATE INDEX permits_open ON permits (id) WHERE answered_at_ms IS NULL;

CREATE TABLE limiter (id INTEGER PRIMARY KEY CHECK (id = 1), memory TEXT NOT NULL) STRICT;

CREATE TABLE remote_files (
  file_id INTEGER PRIMARY KEY,
  first_seen_at_ms INTEGER NOT NULL,
  seen_at_ms INTEGER NOT NULL,
  gone INTEGER NOT NULL,
  download_count INTEGER,
  size INTEGER,
  upload_date TEXT,
  filename TEXT,
  public_link TEXT
) STRICT;
CREATE INDEX remote_live ON remote_files (download_count) WHERE gone = 0;

CREATE TABLE listed (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  upload_id INTEGER UNIQUE,
  file_id INTEGER UNIQUE,
  place INTEGER NOT NULL,
  size INTEGER NOT NULL,
  downloads INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  link TEXT
) STRICT;
CREATE INDEX listed_place ON listed (place);
CREATE INDEX listed_name ON listed (place, name_key, id, link, file_id);
CREATE INDEX listed_size ON listed (place, size);
CREATE INDEX listed_downloads ON listed (place, downloads);
CREATE VIRTUAL TABLE listed_text USING fts5 (
  body, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);

CREATE TABLE unlisted (id INTEGER PRIMARY KEY) STRICT;

CREATE TABLE listed_tally (place INTEGER PRIMARY KEY, files INTEGER NOT NULL) STRICT;
CREATE TRIGGER listed_insert AFTER INSERT ON listed BEGIN
  INSERT INTO listed_tally VALUES (new.place, 1) ON CONFLICT DO UPDATE SET files = files + 1;
END;
CREATE TRIGGER listed_move AFTER UPDATE OF place ON listed WHEN new.place <> old.place BEGIN
  UPDATE listed_tally SET files = files - 1 WHERE place = old.place;
  INSERT INTO listed_tally VALUES (new.place, 1) ON CONFLICT DO UPDATE SET files = files + 1;
END;
CREATE TRIGGER listed_delete AFTER DELETE ON listed BEGIN
  UPDATE listed_tally SET files = files - 1 WHERE place = old.place;
END;

CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  upload_id INTEGER,
  path TEXT,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
