// The longest life that the settings allow is compared, no longer stored as the end of a link. A stored end that a person
// did not want can come from nothing else, and goes. Any other may come from the rule of a folder, and stays.
export const wantedEnds = [
  `ALTER TABLE uploads ADD COLUMN uploaded_proven_ms INTEGER`,
  `UPDATE uploads SET uploaded_proven_ms = uploaded_at_ms + min(0, ends_proven_ms - ends_at_ms)
     WHERE uploaded_at_ms IS NOT NULL AND ends_at_ms IS NOT NULL`,
  `UPDATE uploads SET ends_at_ms = NULL, ends_proven_ms = NULL
     WHERE state IN ('uploaded', 'superseded') AND ends_at_ms IS NOT NULL
       AND expire_wish = '"never"'`,
  `CREATE INDEX uploads_since ON uploads (uploaded_at_ms, id) WHERE state IN ('uploaded', 'superseded')`,
];
