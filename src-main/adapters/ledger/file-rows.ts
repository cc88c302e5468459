// One row of Files, put together from `listed` and the truth behind it.
import type { FileRow } from '../../contract/model.ts';
import { number, numberOrNull, text, textOrNull, type Database, type List } from './database.ts';
import { places, strangerName, UNKNOWN, type Listed } from './listed.ts';
import { pathOf } from './upload-row.ts';

const selectDetails = `
  SELECT l.upload_id, l.file_id, l.place, l.size, l.downloads, l.link,
         u.name, u.sha256, u.uploaded_at_ms, u.state, d.path AS dir, r.filename, r.upload_date, wanted.key
  FROM json_each(?) wanted
  CROSS JOIN listed l ON l.id = wanted.value
  LEFT JOIN uploads u ON u.id = l.upload_id
  LEFT JOIN dirs d ON d.id = u.dir_id
  LEFT JOIN remote_files r ON r.file_id = l.file_id`;
const KEY = 13;

const known = (value: number): number | null => (value === UNKNOWN ? null : value);

/** In the order of the columns above. */
const readFileRow = (row: List): FileRow => {
  const uploadId = numberOrNull(row[0]);
  const fileId = numberOrNull(row[1]);
  const publicLink = textOrNull(row[5]);
  const ownName = textOrNull(row[6]);
  const dir = textOrNull(row[10]);
  return {
    key: uploadId === null ? `r${fileId}` : `u${uploadId}`,
    uploadId,
    fileId,
    name: ownName ?? strangerName(fileId ?? 0, textOrNull(row[11]), publicLink),
    size: known(number(row[3])),
    sizeIsBytes: uploadId !== null,
    uploadedAtMs: numberOrNull(row[8]),
    uploadDate: textOrNull(row[12]),
    downloads: known(number(row[4])),
    publicLink,
    sha256: textOrNull(row[7]),
    path: dir === null || ownName === null ? null : pathOf(dir, ownName),
    place: places[number(row[2])] ?? 'elsewhere',
    superseded: uploadId !== null && text(row[9]) === 'superseded',
  };
};

/**
 * By their ids in `listed`, in that order. One statement: a hundred would take three times as long. They come in order
 * already, though SQLite does not promise it: it would copy all of them to be sure.
 */
export const readFileRows = (database: Database, ids: readonly number[]): FileRow[] =>
  database
    .lists(selectDetails, JSON.stringify(ids))
    .sort((a, b) => number(a[KEY]) - number(b[KEY]))
    .map(readFileRow);

export const createMostDownloaded =
  (database: Database, listed: Listed) =>
  (limit: number): FileRow[] => {
    listed.catchUpIfCan();
    // Not those that are gone from the service.
    const most = [0, 1, 2]
      .flatMap((place) =>
        database.all(
          'SELECT id, downloads FROM listed WHERE place = ? AND downloads > 0 ORDER BY downloads DESC, id DESC LIMIT ?',
          place,
          limit,
        ),
      )
      .map((row) => ({ id: number(row['id']), downloads: number(row['downloads']) }))
      .sort((a, b) => b.downloads - a.downloads || b.id - a.id)
      .slice(0, limit);
    return readFileRows(
      database,
      most.map(({ id }) => id),
    );
  };
