// Pre-existing files are found among any number of one size: by content, by those that were not read, and after they
// left, by path or time.
const isExisting = `state IN ('skipped', 'gone') AND (kept_by = 'existing' OR detail = '{"rule":"existing"}')`;
const hasLeft = `present = 0 AND sha256 IS NULL AND ${isExisting}`;

export const existingFiles = [
  `DROP INDEX uploads_existing`,
  `CREATE INDEX uploads_existing ON uploads (size_bytes, present, sha256, id) WHERE ${isExisting}`,
  `CREATE INDEX uploads_left_path ON uploads (dir_id, name) WHERE ${hasLeft}`,
  `CREATE INDEX uploads_left_time ON uploads (size_bytes, mtime_ms) WHERE ${hasLeft}`,
];
