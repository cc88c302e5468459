// What keeps a file back, as conditions of indexes. SQLite uses such an index only for the same text, so queries print
// it, too.
import { skipRows } from '../../../contract/catalogue/reasons.ts';
import { namesWith } from '../../../contract/catalogue/rows-with.ts';

/** It was in the folder when the folder was chosen, and is kept back, or was when it left its path. */
export const isExisting = `state IN ('skipped', 'gone') AND (kept_by = 'existing' OR detail = '{"rule":"existing"}')`;
/** The same after it left its path, if its content is not known. */
export const hasLeft = `present = 0 AND sha256 IS NULL AND ${isExisting}`;

const noes = namesWith(skipRows, { keepsContent: true }).map((rule) => `'${rule}'`);
/** It was refused before its content was read, so the refusal belongs to a content that is not known yet. */
export const isUnreadNo = `state = 'skipped' AND sha256 IS NULL AND present = 1
  AND detail ->> 'rule' IN (${noes.join(', ')})`;
