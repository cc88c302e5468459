// Finds uploads by the paths at which their files are, or were.
import type { Upload, UploadStore } from '../../../engine/ports/uploads.ts';
import { number, text, type Database } from '../database.ts';
import { readUploads, rowPathOf } from '../upload-row.ts';

/** Each has its index. */
const [isHere, wasHere] = ['u.present = 1', 'u.present = 0 AND u.uploaded_at_ms IS NOT NULL'];

export const createPaths = (database: Database): Pick<UploadStore, 'atPath' | 'knownAs'> => {
  const atPath = (dir: string, name: string, limit: number): Upload[] =>
    readUploads(
      database,
      // Each half has its index (schema.ts).
      `u.id IN (
         WITH place AS (SELECT id FROM dirs
           WHERE folder IN (SELECT id FROM folders UNION ALL SELECT 0) AND path = ?1)
         SELECT one.id FROM place CROSS JOIN uploads one ON one.dir_id = place.id
           WHERE one.name = ?2 AND one.present = 1
         UNION ALL
         SELECT one.id FROM place CROSS JOIN uploads one ON one.dir_id = place.id
           WHERE one.name = ?2 AND one.present = 0 AND one.uploaded_at_ms IS NOT NULL)
       ORDER BY u.uploaded_at_ms DESC, u.id DESC LIMIT +?3`,
      dir,
      name,
      limit,
    );

  const isKnown = (dir: string, name: string): boolean =>
    atPath(dir, name, 1).length > 0 ||
    database.value('SELECT 1 FROM bundled WHERE path = ? LIMIT 1', rowPathOf(dir, name)) !== undefined;

  /** SQLite folds only ASCII letters, so all paths are read. This is needed only for a file that was not found. */
  const alike = (dir: string, name: string, fold: (path: string) => string): string | null => {
    const [inside, wanted] = [fold(dir), fold(rowPathOf(dir, name))];
    const paths = database
      .all('SELECT id, path FROM dirs')
      .filter((row) => fold(text(row['path'])) === inside)
      .flatMap((row) =>
        database
          .all(
            `SELECT name FROM uploads u WHERE dir_id = ?1 AND ${isHere}
             UNION SELECT name FROM uploads u WHERE dir_id = ?1 AND ${wasHere}`,
            number(row['id']),
          )
          .map((file) => rowPathOf(text(row['path']), text(file['name']))),
      );
    const packed = database.all('SELECT DISTINCT path FROM bundled').map((row) => text(row['path']));
    return [...paths, ...packed].find((path) => fold(path) === wanted) ?? null;
  };

  return {
    atPath,
    knownAs: (places, fold) => {
      const known = places.find(({ dir, name }) => isKnown(dir, name));
      if (known !== undefined) return rowPathOf(known.dir, known.name);
      return fold === null
        ? null
        : (places.map(({ dir, name }) => alike(dir, name, fold)).find((path) => path !== null) ?? null);
    },
  };
};
