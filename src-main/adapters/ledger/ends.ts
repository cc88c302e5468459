// When links end, in SQL: at the time that is stored with the row, or once they are as old as the ceiling allows, if that
// is earlier. The ceiling is one fact, which is compared and never stored with a row: one that is lifted ends nothing.
import { states } from './schema.ts';

/** Null: there is none, or it cannot be read. */
const ceilingMs = `(SELECT value ->> '$' FROM facts
  WHERE name = 'longest-life' AND json_valid(value) AND json_type(value) = 'integer')`;
const never = Number.MAX_SAFE_INTEGER;
const hasLink = `state IN ${states({ hasLink: true })}`;

/** By the wall clock, or by the limiter's time; null: never. What was taken back has only the end that it had. */
export const sqlEndOf = (row: string, clock: 'at' | 'proven'): string => {
  const uploaded = `${row}.uploaded_at_ms`;
  const since = clock === 'at' ? uploaded : `coalesce(${row}.uploaded_proven_ms, ${uploaded})`;
  return `nullif(min(coalesce(${row}.ends_${clock}_ms, ${never}),
    coalesce(iif(${row}.state = 'recalled', NULL, ${since} + ${ceilingMs}), ${never})), ${never})`;
};

/**
 * Ids of links of an account that end at this time of the wall clock or earlier; at most `most` of each kind, the oldest
 * first. Each half has its index, which SQLite takes only by name and for the same text of its condition.
 */
export const endingBy = (time: string, account: string, most = -1): string =>
  `SELECT id FROM (SELECT id FROM uploads INDEXED BY uploads_ends
     WHERE ends_at_ms <= ${time} AND ${hasLink} AND account = ${account} ORDER BY ends_at_ms, id LIMIT ${most})
   UNION SELECT id FROM (SELECT id FROM uploads INDEXED BY uploads_since
     WHERE uploaded_at_ms <= ${time} - ${ceilingMs} AND ${hasLink} AND account = ${account} ORDER BY uploaded_at_ms, id LIMIT ${most})`;

/** The first time after this one at which a link of an account ends, in the column `at`. */
export const firstAfter = (time: string, account: string): string =>
  `SELECT min(at) FROM (
     SELECT min(ends_at_ms) AS at FROM uploads INDEXED BY uploads_ends
       WHERE ends_at_ms > ${time} AND ${hasLink} AND account = ${account}
     UNION ALL SELECT min(uploaded_at_ms) + ${ceilingMs} FROM uploads INDEXED BY uploads_since
       WHERE uploaded_at_ms > ${time} - ${ceilingMs} AND ${hasLink} AND account = ${account})`;
