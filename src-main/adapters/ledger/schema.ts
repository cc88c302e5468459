// The tables of a new ledger. Whatever changes here needs a migration (migrations/migrations.ts). Decisions that bind
// the file:
//
// · A folder's path is stored once (`dirs`), not in each row: half the size at a million uploads, and a scan looks up
//   by number. `folder` 0 stands for "given by path", so that unique indices hold there too (NULLs are never equal).
// · A state is its kind and the rest as JSON; what is searched for has its own column beside it (`until_ms`, `bucket`:
//   null when the row counts nowhere).
// · `files` is what Files shows. Triggers keep it: a change of an upload or of a file of the account writes its row in
//   the same transaction. The views `our_files` and `other_files` define the row.
// · `files_text` holds the trigrams of `files` only (no text, no positions); a hit is checked against its row.
// · `gone` of a file of the account: 0 there, 1 gone from the service, 2 gone and removed from the list by the user.
// · `name_key` is the folded name (contract/search.ts): SQL cannot fold letters beyond ASCII.
// · `name_order` is `name_key` in natural order of its numbers, so that 2 comes before 10.
// · `inode` has no device: the device's number may change with a reboot.
// · Each order of the queue has its index, so that the next upload is one read among 100,000.
// · What prune keeps short (permits, entries) has no index of its own.
// · Ids that are stored elsewhere after their rows are pruned (permits) are never given twice: AUTOINCREMENT.
// · A file id means nothing without its account: every table with one has both, and `present` is the account of the key
//   that is used now.

import { hasLeft, isExisting, isUnreadNo } from './tables/kept-back.ts';
import { naturalKey } from './migrations/natural-order.ts';
import { holdRows } from '../../contract/catalogue/reasons.ts';
import { namesWith } from '../../contract/catalogue/rows-with.ts';
import { statesWith } from '../../contract/model.ts';

/** `('uploaded', 'superseded')`. SQLite uses a partial index only for the same text, so queries print it, too. */
export const states = (fact: Parameters<typeof statesWith>[0]): string =>
  `(${statesWith(fact)
    .map((kind) => `'${kind}'`)
    .join(', ')})`;
/** In these states an upload with a file id is final (invariant I4), and Files shows it. */
export const isFinal = (row: string): string => `${row}.state IN ${states({ phase: 'final' })}`;

const sentHolds = namesWith(holdRows, { wasSent: true })
  .map((reason) => `'${reason}'`)
  .join(', ');
/** Its answer was lost, or it is on its way: the ledger cannot show whether it is public. */
export const mayBePublic = (row: string): string =>
  `(${row}.state IN ${states({ wasSent: true })}
  OR (${row}.state = 'held' AND ${row}.detail ->> 'reason' IN (${sentHolds})))`;

/** These results of reading a link back are findings. */
export const isWrong = `told IN ('gone', 'differs')`;

/** The account whose key is used now. Ids that the service gives are of this one. */
export const present = '(SELECT id FROM accounts WHERE is_present = 1)';
/** Whether the id of this upload names its file with the present key. Others wait until the key of their account is back. */
export const sqlIsOurs = (upload: string): string =>
  `${upload}.account = ${present} AND ${upload}.id_taken_at_ms IS NULL`;
/** Whether this file of an account is the copy of this upload. */
export const isCopyOf = (remote: string, upload: string): string =>
  `${remote}.account = ${upload}.account AND ${remote}.file_id = ${upload}.file_id AND ${upload}.id_taken_at_ms IS NULL`;

/** Downloads of a file of the account without our own reads. */
export const downloadsBy = (row: string): string => `max(0, ${row}.download_count - ${row}.read_in_count)`;

const weekMs = 7 * 86_400_000;

/** Our own file had no download when it was uploaded. An older file may have gained them long ago: NULL. */
const noneYet = `(SELECT 0 FROM uploads u WHERE ${isCopyOf('new', 'u')} AND u.uploaded_at_ms > new.seen_at_ms - ${weekMs})`;

const refreshRemote = `
  DELETE FROM files WHERE account = new.account AND file_id = new.file_id;
  INSERT INTO files SELECT * FROM our_files WHERE id = (SELECT u.id FROM uploads u WHERE ${isCopyOf('new', 'u')});
  INSERT INTO files SELECT * FROM other_files WHERE account = new.account AND file_id = new.file_id;
`;

/** No link is looked at again that is taken back, or is gone from the service. */
const unwatch = `WHEN new.gone > 0
BEGIN
  DELETE FROM watched WHERE upload_id IN (SELECT u.id FROM uploads u WHERE ${isCopyOf('new', 'u')});
END;`;

/** Tables and indices: what a migration changes. */
export const tables = `
CREATE TABLE folders (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  identity TEXT NOT NULL,
  chosen_at_ms INTEGER NOT NULL,
  baseline_done INTEGER NOT NULL DEFAULT 0,
  baseline_last_id INTEGER NOT NULL DEFAULT 0,
  left_out_subfolders INTEGER NOT NULL DEFAULT 0,
  judged_by TEXT,
  -- Rules of its own, as JSON.
  own TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- Accounts of the service that this data folder has files in. keys: marks of the keys that were shown to be of it
-- (engine/account/identity.ts), as a JSON list. Exactly one is present.
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  keys TEXT NOT NULL DEFAULT '[]',
  is_present INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO accounts (id, is_present) VALUES (1, 1);

CREATE TABLE unreadable_folders (
  folder INTEGER NOT NULL REFERENCES folders (id),
  path TEXT NOT NULL,
  PRIMARY KEY (folder, path)
) STRICT, WITHOUT ROWID;

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
  kept_by TEXT,
  state TEXT NOT NULL,
  bucket TEXT,
  priority INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  stamp_key TEXT,
  size_bytes INTEGER,
  mtime_ms REAL,
  ctime_ms REAL,
  inode TEXT,
  detail TEXT,
  until_ms INTEGER,
  attempts INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,
  grace_over INTEGER NOT NULL,
  same_as_id INTEGER,
  door TEXT NOT NULL,
  -- What a person wants for its link, as JSON; when the link ends, by the wall clock and by the limiter's time.
  expire_wish TEXT,
  ends_at_ms INTEGER,
  ends_proven_ms INTEGER,
  created_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL,
  uploaded_at_ms INTEGER,
  file_id INTEGER,
  remote_size INTEGER,
  sent_name TEXT,
  remote_name TEXT,
  sha256 TEXT,
  sent_sha256 TEXT,
  sent_bytes INTEGER,
  public_link TEXT,
  account INTEGER NOT NULL DEFAULT 1,
  -- Since then its id is that of another file. Its link may still be served.
  id_taken_at_ms INTEGER,
  -- Its link was read once and served what was sent.
  was_served INTEGER NOT NULL DEFAULT 0,
  -- As uploaded_at_ms, in the limiter's time.
  uploaded_proven_ms INTEGER
) STRICT;
CREATE UNIQUE INDEX uploads_present ON uploads (dir_id, name) WHERE present = 1;
CREATE UNIQUE INDEX uploads_file_id ON uploads (account, file_id)
  WHERE file_id IS NOT NULL AND id_taken_at_ms IS NULL;
CREATE INDEX uploads_id_taken ON uploads (account, file_id) WHERE id_taken_at_ms IS NOT NULL;
CREATE INDEX uploads_stored_name ON uploads (coalesce(remote_name, sent_name)) WHERE file_id IS NOT NULL;
CREATE INDEX uploads_inode ON uploads (inode) WHERE present = 1 AND inode IS NOT NULL;
CREATE INDEX uploads_departed ON uploads (inode, id) WHERE kept_by IS NOT NULL;
CREATE INDEX uploads_existing ON uploads (size_bytes, present, sha256, id) WHERE ${isExisting};
CREATE INDEX uploads_unread_no ON uploads (size_bytes, id) WHERE ${isUnreadNo};
CREATE INDEX uploads_left_path ON uploads (dir_id, name) WHERE ${hasLeft};
CREATE INDEX uploads_left_time ON uploads (size_bytes, mtime_ms) WHERE ${hasLeft};
CREATE INDEX uploads_ends ON uploads (ends_at_ms, id)
  WHERE ends_at_ms IS NOT NULL AND state IN ${states({ hasLink: true })};
CREATE INDEX uploads_since ON uploads (uploaded_at_ms, id) WHERE state IN ${states({ hasLink: true })};
CREATE INDEX uploads_sha256 ON uploads (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX uploads_sent_sha256 ON uploads (sent_sha256) WHERE sent_sha256 IS NOT NULL;
CREATE INDEX uploads_size ON uploads (size_bytes)
  WHERE state IN ${states({ byContent: true })};
CREATE INDEX uploads_arrival ON uploads (state, priority DESC, id);
CREATE INDEX uploads_newest ON uploads (state, priority DESC, id DESC);
CREATE INDEX uploads_smallest ON uploads (state, priority DESC, size_bytes, id);
CREATE INDEX uploads_until ON uploads (until_ms, id) WHERE until_ms IS NOT NULL;
CREATE INDEX uploads_bucket ON uploads (folder, bucket, id) WHERE bucket IS NOT NULL;
CREATE INDEX uploads_versions ON uploads (dir_id, name, uploaded_at_ms)
  WHERE present = 0 AND uploaded_at_ms IS NOT NULL;

CREATE INDEX uploads_not_dead ON uploads (id) WHERE state = 'recalled' AND detail ->> 'dead' = 0;

CREATE TABLE let_go (
  sha256 TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (sha256, reason)
) STRICT, WITHOUT ROWID;

-- What is in the zips that went up, or shall go.
CREATE TABLE bundled (
  upload_id INTEGER NOT NULL REFERENCES uploads (id),
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (upload_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX bundled_path ON bundled (path, upload_id);
CREATE INDEX bundled_sha256 ON bundled (sha256);

-- The files of the present run (contract/catalogue/work.ts); a zip counts for what is in it.
CREATE TABLE run_files (
  part TEXT NOT NULL,
  upload_id INTEGER NOT NULL UNIQUE REFERENCES uploads (id),
  files INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (part, upload_id)
) STRICT, WITHOUT ROWID;

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
  account INTEGER NOT NULL,
  file_id INTEGER NOT NULL,
  first_seen_at_ms INTEGER NOT NULL,
  seen_at_ms INTEGER NOT NULL,
  gone INTEGER NOT NULL,
  -- How many times this machine has read the public link, and how many of these the download count holds.
  read_by_us INTEGER NOT NULL DEFAULT 0,
  read_in_count INTEGER NOT NULL DEFAULT 0,
  download_count INTEGER,
  size INTEGER,
  upload_date TEXT,
  filename TEXT,
  public_link TEXT,
  name_key TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  -- As the export of the machine that uploaded it says; null: not imported.
  sha256 TEXT,
  size_bytes INTEGER,
  PRIMARY KEY (account, file_id)
) STRICT;
CREATE INDEX remote_imported ON remote_files (size_bytes) WHERE sha256 IS NOT NULL;
CREATE INDEX remote_live ON remote_files (download_count) WHERE gone = 0;

-- What a file gained between two readings, and what it had then, both without our own reads. Pruned by remote.ts.
CREATE TABLE downloads (
  file_id INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  gained INTEGER NOT NULL,
  count INTEGER NOT NULL,
  account INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX downloads_at ON downloads (at_ms);
CREATE INDEX downloads_file ON downloads (account, file_id, at_ms);
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  file_id INTEGER,
  place TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  size INTEGER NOT NULL,
  downloads INTEGER NOT NULL,
  link TEXT,
  folder INTEGER NOT NULL,
  name_order TEXT NOT NULL DEFAULT '',
  account INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX files_file_id ON files (account, file_id) WHERE file_id IS NOT NULL;
CREATE INDEX files_folder ON files (folder, place) WHERE folder > 0;
CREATE INDEX files_uploaded ON files (place, at_ms, id);
CREATE INDEX files_order ON files (place, name_order, id, name_key, link, file_id);
CREATE INDEX files_size ON files (place, size, id);
CREATE INDEX files_downloads ON files (place, downloads, id);

CREATE VIRTUAL TABLE files_text USING fts5 (
  body, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);

-- Links that are looked at again (engine/follow), for 'downloads' or for their 'content'. next_ms is the limiter's time,
-- the others are the wall clock's. told: the number of downloads, or what is wrong with the content.
CREATE TABLE watched (
  upload_id INTEGER NOT NULL REFERENCES uploads (id),
  what TEXT NOT NULL,
  since_ms INTEGER NOT NULL,
  next_ms INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  told ANY,
  told_at_ms INTEGER,
  PRIMARY KEY (upload_id, what)
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_next ON watched (what, next_ms, upload_id) WHERE next_ms IS NOT NULL;
CREATE INDEX watched_wrong ON watched (told_at_ms) WHERE ${isWrong};

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

/** Views and triggers hold no data: a migration creates them again from this text. */
export const viewsAndTriggers = `
CREATE TRIGGER downloads_gained AFTER UPDATE OF download_count ON remote_files
  WHEN ${downloadsBy('new')} > coalesce(${downloadsBy('old')}, ${noneYet})
BEGIN
  INSERT INTO downloads VALUES (new.file_id, new.seen_at_ms,
    ${downloadsBy('new')} - coalesce(${downloadsBy('old')}, ${noneYet}), ${downloadsBy('new')}, new.account);
END;
CREATE TRIGGER downloads_of_ours AFTER INSERT ON remote_files WHEN new.download_count > ${noneYet}
BEGIN
  INSERT INTO downloads VALUES (new.file_id, new.seen_at_ms, new.download_count, new.download_count, new.account);
END;

-- A place is one of FileRow, or removed, which no list shows. -1 stands for "not known", so that it sorts below every
-- number. What is gone has no link.
CREATE VIEW our_files AS
  SELECT u.id, iif(u.id_taken_at_ms IS NULL, u.file_id, NULL) AS file_id,
    CASE WHEN r.gone = 2 THEN 'removed'
      WHEN u.account <> ${present} THEN 'other-account'
      WHEN r.gone = 1 THEN 'gone-from-service'
      WHEN u.present = 1 OR u.state IN ${states({ isPast: true })} THEN 'this-machine'
      ELSE 'gone-from-disk' END,
    coalesce(u.uploaded_at_ms, u.created_at_ms), u.name_key, coalesce(u.sent_bytes, u.size_bytes, -1),
    max(coalesce(r.download_count, -1), -1), iif(r.gone > 0, NULL, u.public_link), u.folder,
    ${naturalKey('u.name_key')}, u.account
  FROM uploads u LEFT JOIN remote_files r ON ${isCopyOf('r', 'u')}
  WHERE ${isFinal('u')} AND (u.file_id IS NOT NULL OR u.public_link IS NOT NULL);
-- The id of an upload is positive. One that has no upload is its file id, moved below zero: those up to 2^53 stay
-- numbers, the larger ones lie below them.
CREATE VIEW other_files AS
  SELECT iif(r.file_id <= ${Number.MAX_SAFE_INTEGER}, r.file_id - ${Number.MAX_SAFE_INTEGER}, -r.file_id), r.file_id, 'elsewhere', r.at_ms, r.name_key,
    max(coalesce(r.size_bytes, r.size, -1), -1), max(coalesce(r.download_count, -1), -1), r.public_link, 0,
    ${naturalKey('r.name_key')}, r.account
  FROM remote_files r
  WHERE r.gone = 0 AND r.account = ${present}
    AND NOT EXISTS (SELECT 1 FROM uploads u WHERE ${isCopyOf('r', 'u')} AND ${isFinal('u')});

CREATE TRIGGER files_of_upload
  AFTER UPDATE OF state, present, folder, name_key, size_bytes, uploaded_at_ms, file_id, public_link, account, id_taken_at_ms ON uploads
  WHEN ${isFinal('old')} OR ${isFinal('new')}
BEGIN
  DELETE FROM files WHERE id = new.id OR (${isCopyOf('files', 'new')} AND ${isFinal('new')});
  INSERT INTO files SELECT * FROM our_files WHERE id = new.id;
END;
CREATE TRIGGER files_of_new_upload AFTER INSERT ON uploads WHEN ${isFinal('new')} AND new.file_id IS NOT NULL
BEGIN
  DELETE FROM files WHERE account = new.account AND file_id = new.file_id;
  INSERT INTO files SELECT * FROM our_files WHERE id = new.id;
END;
CREATE TRIGGER files_of_new_remote AFTER INSERT ON remote_files BEGIN ${refreshRemote} END;
CREATE TRIGGER files_of_remote AFTER UPDATE ON remote_files
  WHEN (new.gone, new.download_count, new.size, new.size_bytes, new.public_link, new.name_key, new.at_ms)
    IS NOT (old.gone, old.download_count, old.size, old.size_bytes, old.public_link, old.name_key, old.at_ms)
BEGIN ${refreshRemote} END;

CREATE TRIGGER files_text_insert AFTER INSERT ON files BEGIN
  INSERT INTO files_text (rowid, body)
    VALUES (new.id, new.name_key || char(10) || coalesce(lower(new.link), '') || char(10) || coalesce(new.file_id, ''));
END;
CREATE TRIGGER files_text_delete AFTER DELETE ON files BEGIN
  DELETE FROM files_text WHERE rowid = old.id;
END;

CREATE TRIGGER watched_taken_back AFTER UPDATE OF state ON uploads
  WHEN new.state NOT IN ${states({ hasLink: true })}
BEGIN
  DELETE FROM watched WHERE upload_id = new.id;
END;
CREATE TRIGGER watched_gone AFTER UPDATE OF gone ON remote_files ${unwatch}
CREATE TRIGGER watched_gone_unseen AFTER INSERT ON remote_files ${unwatch}
`;
