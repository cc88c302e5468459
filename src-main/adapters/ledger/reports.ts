// The queries of reports: which links serve a content, which links need attention, and every file, page by page. Each
// query begins at an index, or walks the files in the order of one (a test reads SQLite's query plans).
import { linkStateOf } from '../../contract/files/taken-back.ts';
import type { ExportedFile, CopyLink, ReviewedLink } from '../../contract/report.ts';
import type { ReportTable } from '../../engine/ports/ledger.ts';
import {
  number,
  numberOrNull,
  text,
  textOrNull,
  type Database,
  type Row,
  type Value,
  whole,
  wholeOrNull,
} from './database.ts';
import { sqlEndOf, endingBy } from './ends.ts';
import { isCopyOf, isFinal, isWrong, mayBePublic, present, sqlIsOurs, states } from './schema.ts';
import { openStateOf, rowPathOf, readState } from './upload-row.ts';

/** The requested contents, and the copies without location that were sent of them. */
const asked = `asked (sha) AS (
  SELECT value FROM json_each(?1)
  UNION SELECT u.sent_sha256 FROM json_each(?1) j CROSS JOIN uploads u ON u.sha256 = j.value
    WHERE u.sent_sha256 IS NOT NULL)`;
const found = `found (upload_id, member, path, sha) AS (
  SELECT u.id, NULL, NULL, coalesce(u.sent_sha256, u.sha256) FROM asked CROSS JOIN uploads u ON u.sha256 = asked.sha
  UNION SELECT u.id, NULL, NULL, u.sent_sha256 FROM asked CROSS JOIN uploads u ON u.sent_sha256 = asked.sha
  UNION SELECT b.upload_id, b.name, b.path, b.sha256 FROM asked CROSS JOIN bundled b ON b.sha256 = asked.sha)`;

/** When each link was first recorded as dead. The entries are few (prune), and are read once. */
const ended = `ended (upload_id, at_ms) AS MATERIALIZED (
  SELECT upload_id, min(at_ms) FROM entries
  WHERE upload_id IN (SELECT upload_id FROM found)
    AND (body ->> 'kind' = 'lost' OR (body ->> 'kind' = 'recalled' AND body ->> 'dead' = 1))
  GROUP BY upload_id)`;

/** Null if the row is of another account, or if another file has its id now: the id would name the wrong file. */
const idNow = `iif(${sqlIsOurs('u')}, u.file_id, NULL) AS id_now`;

/** The columns of a link of this machine for a finding, whose remedy names the file by its id (`sqlIsOurs`). */
const linkColumns = `u.id AS id, u.file_id AS file_id, d.path AS dir, u.name AS name, u.public_link AS link, u.state, u.detail,
  coalesce(u.sent_bytes, u.size_bytes) AS bytes, coalesce(u.uploaded_at_ms, u.created_at_ms) AS at_ms,
  ${sqlEndOf('u', 'at')} AS end_at_ms, coalesce(u.sent_sha256, u.sha256) AS sha256, count(*) OVER () AS total`;
const linkTables = `files f CROSS JOIN uploads u ON u.id = f.id CROSS JOIN dirs d ON d.id = u.dir_id
  LEFT JOIN remote_files r ON ${isCopyOf('r', 'u')}`;
const isOffered = `f.place IN ('this-machine', 'gone-from-disk') AND f.link IS NOT NULL AND f.file_id IS NOT NULL
  AND u.state IN ${states({ hasLink: true })}`;

/** Offered links that are old enough, and do not end soon. Values: before when, after when, how many. */
const oldLinks = (more = '') => `SELECT ${linkColumns}, f.at_ms AS since_ms FROM ${linkTables}
  WHERE ${isOffered} AND f.at_ms <= ? AND coalesce(end_at_ms, ${Number.MAX_SAFE_INTEGER}) > ? ${more}
  ORDER BY f.at_ms, f.id LIMIT +?`;

const createReviews = (database: Database) => {
  const links =
    (sql: string) =>
    (...values: Value[]) => {
      const rows = database.all(sql, ...values);
      return {
        total: number(rows[0]?.['total'] ?? 0),
        links: rows.map((row) => ({ ...readLink(row), sinceMs: numberOrNull(row['since_ms'] ?? null) })),
      };
    };

  return {
    old: links(oldLinks()),
    neverDownloaded: links(oldLinks('AND r.download_count <= r.read_in_count')),
    expiring: links(
      `SELECT ${linkColumns}, u.uploaded_at_ms AS since_ms
       FROM uploads u CROSS JOIN dirs d ON d.id = u.dir_id
       LEFT JOIN remote_files r ON ${isCopyOf('r', 'u')}
       WHERE u.id IN (${endingBy('?1', present)}) AND u.file_id IS NOT NULL AND ${sqlIsOurs('u')}
         AND coalesce(r.gone, 0) = 0
       ORDER BY end_at_ms, u.id LIMIT +?2`,
    ),
    wrong: links(
      `SELECT ${linkColumns}, p.told_at_ms AS since_ms
       FROM watched p INDEXED BY watched_wrong CROSS JOIN uploads u ON u.id = p.upload_id
       CROSS JOIN dirs d ON d.id = u.dir_id
       WHERE p.${isWrong} AND ${sqlIsOurs('u')} ORDER BY p.told_at_ms DESC LIMIT +?`,
    ),
    goneButOnDisk: links(
      `SELECT ${linkColumns}, r.seen_at_ms AS since_ms FROM ${linkTables}
       WHERE f.place = 'gone-from-service' AND u.present = 1 AND u.state = 'uploaded' AND f.file_id IS NOT NULL
       ORDER BY f.at_ms DESC, f.id DESC LIMIT +?`,
    ),
    openRecalls: links(
      `SELECT ${linkColumns}, u.changed_at_ms AS since_ms
       FROM uploads u INDEXED BY uploads_arrival CROSS JOIN dirs d ON d.id = u.dir_id
       WHERE u.state IN ('recalling', 'recalled') AND coalesce(u.detail ->> 'dead', 0) = 0 AND u.file_id IS NOT NULL
         AND ${sqlIsOurs('u')}
       ORDER BY u.id DESC LIMIT +?`,
    ),
    countOpenRecalls: () =>
      number(
        database.value(
          `SELECT count(*) FROM uploads u WHERE id IN (
             SELECT id FROM uploads WHERE state = 'recalling' UNION ALL
             SELECT id FROM uploads INDEXED BY uploads_not_dead WHERE state = 'recalled' AND detail ->> 'dead' = 0)
             AND u.file_id IS NOT NULL AND ${sqlIsOurs('u')}`,
        ),
      ),
    duplicates: links(
      // Keeps the link with the most downloads for each content, or the newest of those; the others are duplicates.
      `WITH live AS (
         SELECT u.id, row_number() OVER same AS rank
         FROM files f CROSS JOIN uploads u ON u.id = f.id LEFT JOIN remote_files r ON ${isCopyOf('r', 'u')}
         WHERE ${isOffered} AND coalesce(u.sha256, '') <> ''
         WINDOW same AS (PARTITION BY coalesce(u.sent_sha256, u.sha256)
           ORDER BY coalesce(r.download_count - r.read_in_count, 0) DESC, f.at_ms DESC, u.id DESC))
       SELECT ${linkColumns}, u.uploaded_at_ms AS since_ms
       FROM live CROSS JOIN uploads u ON u.id = live.id CROSS JOIN dirs d ON d.id = u.dir_id
       WHERE live.rank > 1 ORDER BY sha256, u.id LIMIT +?`,
    ),
    largest: links(
      `SELECT ${linkColumns}, f.at_ms AS since_ms FROM ${linkTables}
       WHERE ${isOffered} AND f.size >= ? ORDER BY f.size DESC, f.id DESC LIMIT +?`,
    ),
  } satisfies Partial<ReportTable>;
};

/** The columns and tables of an upload in an export; `more`: columns before the tables. */
const exported = (more: string, from: string) => `SELECT u.*, ${idNow}, d.path AS dir,
  ${sqlEndOf('u', 'at')} AS end_at_ms, u.account <> ${present} AS is_other, r.gone AS gone,
  r.download_count - r.read_in_count AS downloads${more}
  FROM ${from} CROSS JOIN dirs d ON d.id = u.dir_id LEFT JOIN remote_files r ON ${isCopyOf('r', 'u')}`;
const uploadsAfter = `${exported('', 'uploads u')} WHERE u.id > ? ORDER BY u.id LIMIT +?`;
const member =
  ', b.name AS member, b.path AS member_path, b.size_bytes AS member_bytes, b.sha256 AS member_sha';
const membersAfter = `${exported(member, 'bundled b CROSS JOIN uploads u ON u.id = b.upload_id')}
  WHERE (b.upload_id, b.name) > (?, ?) ORDER BY b.upload_id, b.name LIMIT +?`;
const othersAfter = `SELECT r.* FROM remote_files r WHERE r.account = ${present} AND r.file_id > ?
  AND NOT EXISTS (SELECT 1 FROM uploads u WHERE ${isCopyOf('r', 'u')}) ORDER BY r.file_id LIMIT +?`;

const createExport = (database: Database) =>
  ({
    uploadsAfter: (id, limit) =>
      database.all(uploadsAfter, id, limit).map((row) => ({ id: number(row['id']), file: readOwn(row) })),
    membersAfter: (uploadId, name, limit) =>
      database
        .all(membersAfter, uploadId, name, limit)
        .map((row) => ({ uploadId: number(row['id']), name: text(row['member']), file: readMember(row) })),
    othersAfter: (fileId, limit) =>
      database
        .all(othersAfter, fileId, limit)
        .map((row) => ({ fileId: whole(row['file_id']), file: readOther(row) })),
  }) satisfies Partial<ReportTable>;

export const createReports = (database: Database): ReportTable => {
  return {
    linksOf(hashes, limit) {
      const shas = JSON.stringify(hashes);
      const rows = database.all(
        // For a zip, SQLite takes the bare columns from the row with the least name.
        `WITH ${asked}, ${found}, ${ended}
         SELECT u.*, ${idNow}, d.path AS dir, min(coalesce(found.member, '')) AS least, found.member AS member,
           found.path AS member_path, found.sha AS sha, r.gone AS gone, r.seen_at_ms AS seen_at_ms,
           r.download_count - r.read_in_count AS downloads, ended.at_ms AS dead_at_ms
         FROM found CROSS JOIN uploads u ON u.id = found.upload_id CROSS JOIN dirs d ON d.id = u.dir_id
         LEFT JOIN remote_files r ON ${isCopyOf('r', 'u')} LEFT JOIN ended ON ended.upload_id = u.id
         WHERE ${isFinal('u')} AND u.public_link IS NOT NULL
         GROUP BY u.id ORDER BY coalesce(u.uploaded_at_ms, u.created_at_ms) DESC, u.id DESC LIMIT +?2`,
        shas,
        limit,
      );
      return rows.map(readExposed);
    },

    ...createReviews(database),
    ...createExport(database),
    openWith: (hashes, limit) =>
      database
        .all(
          `WITH ${asked}, ${found} SELECT DISTINCT u.id FROM found CROSS JOIN uploads u ON u.id = found.upload_id
           WHERE u.file_id IS NULL AND ${mayBePublic('u')} LIMIT +?2`,
          JSON.stringify(hashes),
          limit,
        )
        .map((row) => number(row['id'])),

    lastContentAt(dir, name, path) {
      const sha256 = database.value(
        `WITH place AS (SELECT id FROM dirs
           WHERE folder IN (SELECT id FROM folders UNION ALL SELECT 0) AND path = ?1)
         SELECT sha256 FROM (
           SELECT u.id, u.sha256 FROM place CROSS JOIN uploads u ON u.dir_id = place.id
             WHERE u.name = ?2 AND u.present = 1
           UNION ALL
           SELECT u.id, u.sha256 FROM place CROSS JOIN uploads u ON u.dir_id = place.id
             WHERE u.name = ?2 AND u.present = 0 AND u.uploaded_at_ms IS NOT NULL)
         WHERE coalesce(sha256, '') <> '' ORDER BY id DESC LIMIT 1`,
        dir,
        name,
      );
      if (sha256 !== undefined) return text(sha256);
      const packed = database.value(
        'SELECT sha256 FROM bundled WHERE path = ? ORDER BY upload_id DESC LIMIT 1',
        path,
      );
      return packed === undefined ? null : text(packed);
    },
  };
};

// ---------------------------------------------------------------- rows

/** Counts only downloads by others. */
const countOf = (row: Row): number | null => {
  const downloads = numberOrNull(row['downloads'] ?? null);
  return downloads === null ? null : Math.max(0, downloads);
};

const isGone = (row: Row): boolean => number(row['gone'] ?? 0) > 0;

/** The list may show a file again after its link was dead. */
const isAlive = (row: Row): boolean | null => {
  const state = readState(row);
  if (state.kind === 'recalling') return true;
  if (state.kind === 'recalled') return state.dead ? row['gone'] === 0 : null;
  return !isGone(row);
};

const readExposed = (row: Row): CopyLink => {
  const alive = isAlive(row);
  const name = text(row['name']);
  const member = textOrNull(row['member'] ?? null);
  const state = readState(row);
  const isRecalled = state.kind === 'recalled';
  const deadAtMs = numberOrNull(row['dead_at_ms'] ?? null);
  return {
    uploadId: number(row['id']),
    fileId: wholeOrNull(row['id_now']),
    path: member === null ? rowPathOf(text(row['dir']), name) : text(row['member_path']),
    filename: member ?? name,
    sha256: text(row['sha']),
    publicLink: text(row['public_link']),
    inside: member === null ? null : name,
    fromMs: number(row['uploaded_at_ms'] ?? row['created_at_ms']),
    untilMs:
      alive === false
        ? (deadAtMs ?? number(row[isRecalled || row['seen_at_ms'] === null ? 'changed_at_ms' : 'seen_at_ms']))
        : null,
    downloads: countOf(row),
    alive,
    linkState: isRecalled && alive !== true ? linkStateOf(state) : null,
  };
};

const readLink = (row: Row): ReviewedLink => ({
  uploadId: number(row['id']),
  fileId: whole(row['file_id']),
  path: rowPathOf(text(row['dir']), text(row['name'])),
  name: text(row['name']),
  publicLink: textOrNull(row['link']),
  sizeBytes: numberOrNull(row['bytes']),
  uploadedAtMs: number(row['at_ms']),
  expiresAtMs: numberOrNull(row['end_at_ms']),
  linkState: openStateOf(row),
  sha256: textOrNull(row['sha256']),
});

const readOwn = (row: Row): ExportedFile => {
  const state = readState(row);
  return {
    uploadId: number(row['id']),
    fileId: wholeOrNull(row['id_now']),
    path: rowPathOf(text(row['dir']), text(row['name'])),
    filename: text(row['name']),
    sizeBytes: numberOrNull(row['sent_bytes'] ?? row['size_bytes']),
    sha256: textOrNull(row['sent_sha256'] ?? row['sha256']),
    publicLink: textOrNull(row['public_link']),
    uploadedAtMs: numberOrNull(row['uploaded_at_ms']),
    expiresAtMs: numberOrNull(row['end_at_ms']),
    recalledAtMs: state.kind === 'recalled' ? number(row['changed_at_ms']) : null,
    state,
    isGone: isGone(row),
    isOther: row['is_other'] === 1,
    downloads: countOf(row),
    inside: null,
    told: {},
  };
};

const readMember = (row: Row): ExportedFile => ({
  ...readOwn(row),
  path: text(row['member_path']),
  filename: text(row['member']),
  sizeBytes: number(row['member_bytes']),
  sha256: text(row['member_sha']),
  inside: text(row['name']),
});

const readOther = (row: Row): ExportedFile => {
  const size = numberOrNull(row['size']);
  const date = textOrNull(row['upload_date']);
  const link = textOrNull(row['public_link']);
  return {
    uploadId: null,
    fileId: whole(row['file_id']),
    path: null,
    filename: textOrNull(row['filename']) ?? link ?? String(row['file_id']),
    sizeBytes: numberOrNull(row['size_bytes']),
    sha256: textOrNull(row['sha256']),
    publicLink: link,
    uploadedAtMs: null,
    expiresAtMs: null,
    recalledAtMs: null,
    state: null,
    isGone: isGone(row),
    isOther: false,
    downloads: numberOrNull(row['download_count']),
    inside: null,
    told: { ...(size === null ? {} : { size }), ...(date === null ? {} : { upload_date: date }) },
  };
};
