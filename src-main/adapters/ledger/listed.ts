// Keeps `listed`: one small row per file that Files shows, derived from the uploads and the remote files. Decision: a
// kept table instead of a query over both, because only then can every sort, filter and page be an index read at a
// million rows; its price is about a quarter of the file.
//
// It is not written with each change: its rows, indices and trigrams are a quarter of the pages that an upload flushes
// (83 writes instead of 111). The transaction of a change only notes the id in `unlisted`. The list is brought up to
// date before each read, or when enough is noted, so no reader sees an old state. A note is durable with its change,
// whichever process crashes.
//
// Shown are our uploads that have a link (state uploaded, superseded or gone) and the account's other files until
// they are gone from the service; ours stay, marked, since their file may still be on this machine.
import type { FileRow, StateKind } from '../../contract/model.ts';
import { AppError } from '../../contract/errors.ts';
import { fold, foldLink } from '../../contract/search.ts';
import type { Upload } from '../../engine/ports.ts';
import { number, numberOrNull, text, textOrNull, type Database, type Row } from './database.ts';
import { readUpload, selectUpload } from './upload-row.ts';

/** Once an upload is in one of these with a file id, what it says about the service is final (invariant I4). */
export const finalKinds: ReadonlySet<StateKind> = new Set(['uploaded', 'superseded', 'gone']);

/** Stored by index. */
export const places = [
  'this-machine',
  'elsewhere',
  'gone-from-disk',
  'gone-from-service',
] as const satisfies readonly FileRow['place'][];
const THIS_MACHINE = 0;
const ELSEWHERE = 1;
const GONE_FROM_DISK = 2;
const GONE_FROM_SERVICE = 3;

/** Stands for "not known" in sort columns, so that it sorts below every number. */
export const UNKNOWN = -1;

/** Rows that share a millisecond before the next one's ids are used. */
const PER_MS = 16;
/** The year 10889; keeps ids safe integers. */
const MAX_MS = 2 ** 48;

/** The first id of a moment: ids grow with time. */
export const slotOf = (atMs: number): number => Math.min(Math.max(Math.floor(atMs), 0), MAX_MS) * PER_MS;

/**
 * Folded, without NUL, where SQL's LIKE would end (the service may send one in a name), and without halves of
 * characters: as it is kept.
 */
export const searchKey = (name: string): string => fold(name).toWellFormed().replaceAll('\0', '\ufffd');

type Shown = {
  atMs: number;
  uploadId: number | null;
  fileId: number | null;
  place: number;
  size: number;
  downloads: number;
  nameKey: string;
  link: string | null;
};
type StoredShown = Shown & { id: number };

export type Listed = {
  /** Call with any change of an upload that is, was or may be shown, in its transaction. */
  uploadChanged(id: number): void;
  /** Call with any change of a remote file, in its transaction. */
  remoteChanged(fileId: number): void;
  /** Call before anything is read from `listed` or its index. Throws `disk` or `ledger`. */
  catchUp(): void;
  /** The same for readers that prefer the old list to none. */
  catchUpIfCan(): void;
  /** A different text after each change of `listed` by any process. */
  version(): string;
};

/** At most this many changes are noted: catching up takes some milliseconds and flushes its pages once for all. */
const MOST_NOTED = 256;

// Built once: building a long text for each call costs more than the statement.
const selectById = `${selectUpload} WHERE u.id = ?`;
const selectByFileId = `${selectUpload} WHERE u.file_id = ?`;

export const createListed = (database: Database): Listed => {
  /** At least as many as are noted; null: other processes may have noted some. */
  let noted: number | null = null;
  let changes = 0;

  const stored = (row: Row | undefined): StoredShown | null =>
    row === undefined
      ? null
      : {
          id: number(row['id']),
          atMs: number(row['at_ms']),
          uploadId: numberOrNull(row['upload_id']),
          fileId: numberOrNull(row['file_id']),
          place: number(row['place']),
          size: number(row['size']),
          downloads: number(row['downloads']),
          nameKey: text(row['name_key']),
          link: textOrNull(row['link']),
        };

  const freeSlot = (atMs: number): number => {
    const from = slotOf(atMs);
    for (let width = PER_MS; ; width *= 2) {
      const row = database.get(
        'SELECT max(id) AS id FROM listed WHERE id >= ? AND id < ?',
        from,
        from + width,
      );
      const taken = numberOrNull(row?.['id'] ?? null);
      if (taken === null) return from;
      if (taken + 1 < from + width) return taken + 1;
    }
  };

  const remove = (was: StoredShown) => {
    database.run('DELETE FROM listed WHERE id = ?', was.id);
    database.run('DELETE FROM listed_text WHERE rowid = ?', was.id);
  };

  const add = (next: Shown) => {
    const id = freeSlot(next.atMs);
    database.run(
      `INSERT INTO listed (id, at_ms, upload_id, file_id, place, size, downloads, name_key, link)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      next.atMs,
      next.uploadId,
      next.fileId,
      next.place,
      next.size,
      next.downloads,
      next.nameKey,
      next.link,
    );
    database.run('INSERT INTO listed_text (rowid, body) VALUES (?, ?)', id, searchBody(next));
  };

  const put = (was: StoredShown | null, next: Shown | null) => {
    if (was !== null && next !== null && sameInPlace(was, next)) {
      if (was.place !== next.place) {
        database.run('UPDATE listed SET place = ? WHERE id = ?', next.place, was.id);
      }
      if (was.size !== next.size) database.run('UPDATE listed SET size = ? WHERE id = ?', next.size, was.id);
      if (was.downloads !== next.downloads) {
        database.run('UPDATE listed SET downloads = ? WHERE id = ?', next.downloads, was.id);
      }
      return;
    }
    if (was !== null) remove(was);
    if (next !== null) add(next);
  };

  const showUpload = (upload: Upload) => {
    const was = stored(database.get('SELECT * FROM listed WHERE upload_id = ?', upload.id));
    if (!isShown(upload)) {
      if (was !== null) remove(was);
      return;
    }
    const remote =
      upload.fileId === null
        ? undefined
        : database.get('SELECT gone, download_count FROM remote_files WHERE file_id = ?', upload.fileId);
    if (upload.fileId !== null && was?.fileId !== upload.fileId) {
      // Seen on the service before we knew it as ours.
      const stranger = stored(
        database.get('SELECT * FROM listed WHERE file_id = ? AND upload_id IS NULL', upload.fileId),
      );
      if (stranger !== null) remove(stranger);
    }
    put(was, {
      atMs: upload.uploadedAtMs ?? upload.createdAtMs,
      uploadId: upload.id,
      fileId: upload.fileId,
      place: placeOfOurs(upload, remote !== undefined && number(remote['gone']) === 1),
      size: upload.stamp?.sizeBytes ?? UNKNOWN,
      downloads: numberOrNull(remote?.['download_count'] ?? null) ?? UNKNOWN,
      nameKey: searchKey(upload.name),
      link: upload.publicLink,
    });
  };

  const showRemote = (fileId: number) => {
    const row = database.list(selectByFileId, fileId);
    const ours = row === undefined ? null : readUpload(row);
    if (ours !== null && isShown(ours)) {
      showUpload(ours);
      return;
    }
    const was = stored(database.get('SELECT * FROM listed WHERE file_id = ?', fileId));
    const remote = database.get('SELECT * FROM remote_files WHERE file_id = ?', fileId);
    put(was, remote === undefined || number(remote['gone']) === 1 ? null : stranger(fileId, remote));
  };

  const note = (id: number) => {
    noted ??= number(database.list('SELECT count(*) FROM unlisted')?.[0]);
    noted += database.run('INSERT INTO unlisted VALUES (?) ON CONFLICT DO NOTHING', id).changes;
    if (noted >= MOST_NOTED) listNoted();
  };

  const listNoted = () => {
    changes += 1;
    database.atomically(() => {
      // Our uploads first, in their order: otherwise our own file could be listed as one that Outtray did not upload.
      const shown = new Set<number | null>();
      for (const [isOfFile, one] of database.lists(selectNoted)) {
        const id = number(one);
        if (isOfFile === 1) {
          if (!shown.has(id)) showRemote(id);
          continue;
        }
        const row = database.list(selectById, id);
        if (row === undefined) continue;
        const upload = readUpload(row);
        showUpload(upload);
        if (isShown(upload)) shown.add(upload.fileId);
      }
      database.run('DELETE FROM unlisted');
      noted = 0;
    });
  };

  const catchUp = () => {
    if (database.list('SELECT 1 FROM unlisted LIMIT 1') !== undefined) listNoted();
  };

  return {
    uploadChanged: note,
    remoteChanged: (fileId) => {
      note(noteOfFile(fileId));
    },
    catchUp,
    catchUpIfCan: () => {
      try {
        catchUp();
      } catch (error) {
        // Inside a transaction that one fails all the same.
        if (!(error instanceof AppError && error.storage !== undefined)) throw error;
      }
    },
    // SQLite's number tells of other connections only.
    version: () => `${changes} ${number(database.list('PRAGMA data_version')?.[0])}`,
  };
};

/** Uploads are noted by their ids, which begin at 1, files of the service by negative numbers. */
const noteOfFile = (fileId: number): number => -1 - fileId;
/** Of the largest id the note is no safe integer any more: SQLite turns it back. */
const selectNoted = 'SELECT id < 0, iif(id < 0, -1 - id, id) FROM unlisted ORDER BY id < 0, abs(id)';

const isShown = (upload: Upload): boolean =>
  finalKinds.has(upload.state.kind) && (upload.fileId !== null || upload.publicLink !== null);

const placeOfOurs = (upload: Upload, goneFromService: boolean): number => {
  if (goneFromService) return GONE_FROM_SERVICE;
  // A superseded version has left the disk, but a newer one of the file is there.
  return upload.present || upload.state.kind === 'superseded' ? THIS_MACHINE : GONE_FROM_DISK;
};

const stranger = (fileId: number, remote: Row): Shown => {
  const link = textOrNull(remote['public_link']);
  return {
    // Its zone is not known (service.md §2): read as UTC it is at most 14 hours off in the order.
    atMs: dateMs(textOrNull(remote['upload_date'])),
    uploadId: null,
    fileId,
    place: ELSEWHERE,
    size: Math.max(numberOrNull(remote['size']) ?? UNKNOWN, UNKNOWN),
    downloads: Math.max(numberOrNull(remote['download_count']) ?? UNKNOWN, UNKNOWN),
    nameKey: searchKey(strangerName(fileId, textOrNull(remote['filename']), link)),
    link,
  };
};

/** Any field of a list entry may be missing. */
export const strangerName = (fileId: number, filename: string | null, link: string | null): string =>
  filename ?? link ?? String(fileId);

const dateMs = (date: string | null): number => {
  const ms = date === null ? NaN : Date.parse(`${date.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MAX_MS);
};

const searchBody = (shown: Shown): string =>
  [shown.nameKey, shown.link === null ? '' : foldLink(shown.link), shown.fileId ?? ''].join('\n');

/** True when neither the place in time nor anything that is searched for changed. */
const sameInPlace = (was: Shown, next: Shown): boolean =>
  was.atMs === next.atMs &&
  was.uploadId === next.uploadId &&
  was.fileId === next.fileId &&
  was.nameKey === next.nameKey &&
  was.link === next.link;
