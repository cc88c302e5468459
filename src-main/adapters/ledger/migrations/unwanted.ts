// That a person cancels an upload under way is stored at its row, no longer in a list beside it.
export const unwanted = [
  `UPDATE uploads SET detail = json_set(detail, '$.isUnwanted', json('true'))
     WHERE state = 'sending' AND EXISTS (SELECT 1 FROM facts WHERE name = 'cancel' AND (
       NOT json_valid(facts.value) OR json_type(facts.value) <> 'array' OR uploads.id IN (
         SELECT one.value FROM json_each(iif(json_valid(facts.value), facts.value, '[]')) one)))`,
  `DELETE FROM facts WHERE name = 'cancel'`,
];
