// That a person does not want an upload under way, or one whose answer was lost, is stored at its row, no longer in a list
// beside it. A row that was cancelled after its answer was lost may still have a file at the service, also if the file
// here was deleted then: a person is asked, because a file like it may have been uploaded elsewhere since. If the file was
// changed since, its digest is not that of what was sent.
const named = `SELECT one.value FROM facts, json_each(iif(json_valid(facts.value), facts.value, '[]')) one
  WHERE facts.name = 'cancel' AND json_type(iif(json_valid(facts.value), facts.value, '[]')) = 'array'`;

export const unwanted = [
  `UPDATE uploads SET detail = json_set(detail, '$.isUnwanted', json('true')),
       bucket = iif(state = 'uncertain', iif(present = 1, 'waiting', NULL), bucket)
     WHERE state IN ('sending', 'committing', 'uncertain') AND id IN (${named})
       OR state = 'sending' AND EXISTS (SELECT 1 FROM facts WHERE name = 'cancel' AND (
         NOT json_valid(value) OR json_type(value) <> 'array'))`,
  `DELETE FROM facts WHERE name = 'cancel'`,
  `UPDATE uploads SET state = 'held', bucket = iif(present = 1, 'held', NULL), detail = json_object('reason', 'uncertain'),
       sha256 = iif(mtime_ms > (SELECT max(a.started_at_ms) FROM attempts a WHERE a.upload_id = uploads.id), NULL, sha256)
     WHERE (state = 'skipped' AND detail ->> 'rule' = 'cancelled' OR state = 'gone' AND kept_by = 'cancelled')
       AND (SELECT a.outcome FROM attempts a WHERE a.upload_id = uploads.id ORDER BY a.id DESC LIMIT 1) = 'uncertain'`,
];
