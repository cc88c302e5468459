// That a person does not want an upload under way, or one whose answer was lost, is stored at its row, no longer in a list
// beside it. A row that was cancelled after its answer was lost may still have a file at the service: it is looked for.
export const unwanted = [
  `UPDATE uploads SET detail = json_set(detail, '$.isUnwanted', json('true'))
     WHERE state IN ('sending', 'committing', 'uncertain') AND EXISTS (SELECT 1 FROM facts WHERE name = 'cancel' AND (
       NOT json_valid(facts.value) OR json_type(facts.value) <> 'array' OR uploads.id IN (
         SELECT one.value FROM json_each(iif(json_valid(facts.value), facts.value, '[]')) one)))`,
  `DELETE FROM facts WHERE name = 'cancel'`,
  `UPDATE uploads SET state = 'uncertain', bucket = 'waiting', detail = json_object('attemptId',
       (SELECT max(a.id) FROM attempts a WHERE a.upload_id = uploads.id), 'lost', NULL, 'looks', 0,
       'nextLookAtMs', 0, 'isUnwanted', json('true'))
     WHERE state = 'skipped' AND detail ->> 'rule' = 'cancelled' AND (SELECT a.outcome FROM attempts a
       WHERE a.upload_id = uploads.id ORDER BY a.id DESC LIMIT 1) = 'uncertain'`,
];
