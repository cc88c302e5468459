// What was in a folder when it was chosen is found by its size.
export const whatWasThere = [
  `CREATE INDEX uploads_existing ON uploads (size_bytes, id)
    WHERE state IN ('skipped', 'gone') AND (kept_by = 'existing' OR detail = '{"rule":"existing"}')`,
];
