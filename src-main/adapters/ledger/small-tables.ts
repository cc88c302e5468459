// The ledger's small tables: watched folders, attempts, entries, contents that a person let go.
import * as v from 'valibot';
import { openParts, workParts, type WorkPart } from '../../contract/catalogue/work.ts';
import { AppError } from '../../contract/errors.ts';
import type { EntryBody } from '../../contract/entries.ts';
import { keptByNames, keptContentNames } from '../../contract/model.ts';
import { ownRulesSchema, type OwnRules } from '../../contract/settings.ts';
import type {
  Attempt,
  AttemptOutcome,
  AttemptTable,
  BundledTable,
  EntryTable,
  FolderTable,
  Followed,
  FollowedTable,
  LetGoTable,
  Proof,
  ProofTable,
  ProofTold,
  RunTable,
  WatchedFolder,
} from '../../engine/ports.ts';
import {
  jsonObject,
  number,
  numberOrNull,
  readJson,
  text,
  textOrNull,
  word,
  type Database,
  type Row,
  whole,
} from './database.ts';
import { createFacts } from './facts.ts';
import { downloadsBy, isWrong } from './schema.ts';
import { pathOf } from './upload-row.ts';

// ---------------------------------------------------------------- folders

export const createFolders = (database: Database): FolderTable => {
  /** Read many times for each file: a text that is the same as before is not parsed again. */
  const rules = new Map<number, { json: string; own: OwnRules }>();
  const ownOf = (id: number, json: string): OwnRules => {
    const known = rules.get(id);
    if (known?.json === json) return known.own;
    const own = readOwn(json);
    rules.set(id, { json, own });
    return own;
  };
  const read = (row: Row): WatchedFolder => {
    const id = number(row['id']);
    return {
      id,
      path: text(row['path']),
      identity: text(row['identity']),
      chosenAtMs: number(row['chosen_at_ms']),
      baselineDone: number(row['baseline_done']) === 1,
      baselineLastId: number(row['baseline_last_id']),
      leftOutSubfolders: number(row['left_out_subfolders']) === 1,
      unreadable:
        number(row['unreadable']) === 0
          ? []
          : database
              .all('SELECT path FROM unreadable_folders WHERE folder = ? ORDER BY path', id)
              .map((one) => text(one['path'])),
      judgedBy: textOrNull(row['judged_by']),
      own: ownOf(id, text(row['own'])),
    };
  };
  const one = (row: Row | undefined) => (row === undefined ? null : read(row));
  const select =
    'SELECT f.*, EXISTS (SELECT 1 FROM unreadable_folders WHERE folder = f.id) AS unreadable FROM folders f';
  const byId = (id: number) => one(database.get(`${select} WHERE f.id = ?`, id));
  const known = (id: number): WatchedFolder => {
    const folder = byId(id);
    if (folder === null) throw new AppError('internal', `There is no folder ${id}.`, 'Please report it.');
    return folder;
  };
  return {
    byId,
    byPath: (path) => one(database.get(`${select} WHERE f.path = ?`, path)),
    insert: ({ path, identity, chosenAtMs }) => {
      return known(database.insert('folders', { path, identity, chosen_at_ms: chosenAtMs }));
    },
    update: (id, change) => {
      database.atomically(() => {
        const after = { ...known(id), ...change };
        database.update('folders', id, {
          identity: after.identity,
          chosen_at_ms: after.chosenAtMs,
          baseline_done: after.baselineDone ? 1 : 0,
          baseline_last_id: after.baselineLastId,
          left_out_subfolders: after.leftOutSubfolders ? 1 : 0,
          judged_by: after.judgedBy,
          own: JSON.stringify(after.own),
        });
        if (change.unreadable === undefined) return;
        database.run('DELETE FROM unreadable_folders WHERE folder = ?', id);
        for (const path of new Set(change.unreadable))
          database.insert('unreadable_folders', { folder: id, path });
      });
    },
  };
};

/** Where a rule cannot be read the folder is paused: the files must not go without it. */
const readOwn = (json: string): OwnRules => {
  const read = readJson(json);
  const parsed = v.safeParse(ownRulesSchema, read);
  return parsed.success && !Array.isArray(read) ? parsed.output : { paused: true };
};

// ---------------------------------------------------------------- attempts

const outcomes: Record<AttemptOutcome, true> = {
  'not-created': true,
  refused: true,
  uncertain: true,
  created: true,
};

const readAttempt = (row: Row): Attempt => ({
  id: number(row['id']),
  uploadId: number(row['upload_id']),
  sentName: text(row['sent_name']),
  sizeBytes: number(row['size_bytes']),
  permitId: number(row['permit_id']),
  startedAtMs: number(row['started_at_ms']),
  committingAtMs: numberOrNull(row['committing_at_ms']),
  endedAtMs: numberOrNull(row['ended_at_ms']),
  outcome: row['outcome'] === null ? null : word(outcomes, row['outcome']),
  status: numberOrNull(row['status']),
  evidence: textOrNull(row['evidence']),
});

export const createAttempts = (database: Database): AttemptTable => ({
  insert: (attempt) => {
    const id = database.insert('attempts', {
      upload_id: attempt.uploadId,
      permit_id: attempt.permitId,
      sent_name: attempt.sentName,
      size_bytes: attempt.sizeBytes,
      started_at_ms: attempt.startedAtMs,
    });
    const open = { committingAtMs: null, endedAtMs: null, outcome: null, status: null, evidence: null };
    return { ...attempt, id, ...open };
  },
  committing: (id, atMs) => {
    exactlyOne(id, database.update('attempts', id, { committing_at_ms: atMs }));
  },
  end: (id, { atMs, outcome, status, evidence }) => {
    exactlyOne(id, database.update('attempts', id, { ended_at_ms: atMs, outcome, status, evidence }));
  },
  byId: (id) => {
    const row = database.get('SELECT * FROM attempts WHERE id = ?', id);
    return row === undefined ? null : readAttempt(row);
  },
  open: () => database.all('SELECT * FROM attempts WHERE outcome IS NULL ORDER BY id').map(readAttempt),
  ofUpload: (uploadId) =>
    database.all('SELECT * FROM attempts WHERE upload_id = ? ORDER BY id', uploadId).map(readAttempt),
  earliestSince: (permitId) => {
    // Attempts and permits are numbered in the same order: those of a day are at the end.
    const earliest = database.value(
      `SELECT min(min(started_at_ms, coalesce(committing_at_ms, started_at_ms), coalesce(ended_at_ms, started_at_ms)))
         FROM (SELECT * FROM attempts ORDER BY id DESC LIMIT +?) WHERE permit_id >= ?`,
      mostOfADay,
      permitId,
    );
    return numberOrNull(earliest);
  },
});

/** More than any plan allows. */
const mostOfADay = 20_000;

const exactlyOne = (id: number, changes: number) => {
  if (changes !== 1) throw new AppError('internal', `There is no attempt ${id}.`, 'Please report it.');
};

// ---------------------------------------------------------------- entries

export const createEntries = (database: Database): EntryTable => {
  const read = (row: Row) => ({
    seq: number(row['seq']),
    atMs: number(row['at_ms']),
    uploadId: numberOrNull(row['upload_id']),
    path: textOrNull(row['path']),
    // Only `add` below writes it.
    body: jsonObject(row['body']) as EntryBody,
  });
  const lastSeq = () => number(database.value('SELECT coalesce(max(seq), 0) FROM entries'));
  return {
    lastSeq,
    add: (uploadId, path, body, atMs) => {
      const columns = { at_ms: atMs, upload_id: uploadId, path, body: JSON.stringify(body) };
      return { seq: database.insert('entries', columns), atMs, uploadId, path, body };
    },
    after: (seq, limit) =>
      database.all('SELECT * FROM entries WHERE seq > ? ORDER BY seq LIMIT +?', seq, limit).map(read),
    /** The newest `limit`, oldest of them first. */
    ofUpload: (uploadId, limit) =>
      database
        .all('SELECT * FROM entries WHERE upload_id = ? ORDER BY seq DESC LIMIT +?', uploadId, limit)
        .map(read)
        .reverse(),
    prune: (keep) => {
      // One always stays: the next number is counted from it.
      database.run(
        'DELETE FROM entries WHERE seq <= ?',
        Math.min(lastSeq() - Math.max(keep, 1), createFacts(database).get('audit')?.value.seq ?? Infinity),
      );
    },
  };
};

// ---------------------------------------------------------------- contents that a person let go

/** Beside a SHA-256 and what was said of it, the size is kept as a row of its own, so that it is found by the primary key. */
const sizeKey = (sizeBytes: number): string => `bytes:${sizeBytes}`;
const keptPrefix = 'kept:';
const keptReasons = [...keptByNames, ...keptContentNames];

export const createLetGo = (database: Database): LetGoTable => {
  const has = (key: string, reason: string): boolean =>
    database.get('SELECT 1 FROM let_go WHERE sha256 = ? AND reason = ?', key, reason) !== undefined;
  const add = (key: string, reason: string): void => {
    database.run('INSERT OR IGNORE INTO let_go (sha256, reason) VALUES (?, ?)', key, reason);
  };
  const release = (sha256: string): void => {
    database.run(`DELETE FROM let_go WHERE sha256 = ? AND reason GLOB '${keptPrefix}*'`, sha256);
  };
  return {
    has,
    add(sha256, reason, sizeBytes) {
      add(sha256, reason);
      if (sizeBytes !== null) add(sizeKey(sizeBytes), 'said');
    },
    keptBy(sha256) {
      const row = database.get(
        `SELECT reason FROM let_go WHERE sha256 = ? AND reason GLOB '${keptPrefix}*' LIMIT 1`,
        sha256,
      );
      const reason = row === undefined ? null : text(row['reason']).slice(keptPrefix.length);
      return keptReasons.find((one) => one === reason) ?? null;
    },
    keep(sha256, by, sizeBytes) {
      release(sha256);
      add(sha256, `${keptPrefix}${by}`);
      add(sizeKey(sizeBytes), 'said');
    },
    release,
    knowsSize: (sizeBytes) => has(sizeKey(sizeBytes), 'said'),
  };
};

// ---------------------------------------------------------------- what is in zips

export const createBundled = (database: Database): BundledTable => ({
  add(uploadId, files) {
    for (const { name, path, sizeBytes, sha256 } of files) {
      database.run(
        'INSERT OR REPLACE INTO bundled (upload_id, name, path, size_bytes, sha256) VALUES (?, ?, ?, ?, ?)',
        uploadId,
        name,
        path,
        sizeBytes,
        sha256,
      );
    }
  },
  has: (uploadId) =>
    database.get('SELECT 1 FROM bundled WHERE upload_id = ? LIMIT 1', uploadId) !== undefined,
  uploadsWith: (path, limit) =>
    database
      .all('SELECT upload_id FROM bundled WHERE path = ? ORDER BY upload_id DESC LIMIT +?', path, limit)
      .map((row) => number(row['upload_id'])),
  pathsIn: (uploadId) =>
    database.all('SELECT path FROM bundled WHERE upload_id = ?', uploadId).map((row) => text(row['path'])),
  inside: (uploadId, limit) => ({
    files: database
      .all('SELECT name, size_bytes FROM bundled WHERE upload_id = ? ORDER BY name LIMIT +?', uploadId, limit)
      .map((row) => ({ name: text(row['name']), sizeBytes: number(row['size_bytes']) })),
    total: number(
      database.get('SELECT count(*) AS total FROM bundled WHERE upload_id = ?', uploadId)?.['total'] ?? 0,
    ),
  }),
});

// ---------------------------------------------------------------- the present run

export const createRun = (database: Database): RunTable => {
  const readPart = (part: Parameters<typeof text>[0]): WorkPart => {
    const read = text(part);
    return workParts.find((known) => known === read) ?? 'waiting';
  };
  return {
    takeUp() {
      for (const [kind, part] of Object.entries(openParts))
        database.run(
          `INSERT OR IGNORE INTO run_files (part, upload_id, files)
           SELECT ?, id, max(1, (SELECT count(*) FROM bundled WHERE upload_id = uploads.id)) FROM uploads WHERE state = ?`,
          part,
          kind,
        );
    },
    begin() {
      database.run(`DELETE FROM run_files WHERE part IN ('ready', 'left-out')`);
    },
    isGoing: () =>
      database.get(`SELECT 1 FROM run_files WHERE part IN ('uploading', 'waiting') LIMIT 1`) !== undefined,
    partOf: (uploadId) => {
      const row = database.get('SELECT part FROM run_files WHERE upload_id = ?', uploadId);
      return row === undefined ? null : readPart(row['part']);
    },
    put(uploadId, part) {
      database.run(
        `INSERT INTO run_files (part, upload_id) VALUES (?, ?) ON CONFLICT (upload_id) DO UPDATE SET part = excluded.part`,
        part,
        uploadId,
      );
    },
    weigh(uploadId, files) {
      database.run('UPDATE run_files SET files = ? WHERE upload_id = ?', Math.max(1, files), uploadId);
    },
    counts: () =>
      Object.fromEntries(
        database
          .all('SELECT part, sum(files) AS files FROM run_files GROUP BY part')
          .map((row) => [readPart(row['part']), number(row['files'])]),
      ),
  };
};

// ---------------------------------------------------------------- followed links

export const createFollowed = (database: Database): FollowedTable => {
  const select = `SELECT f.*, u.file_id, u.name, u.public_link, d.path AS dir, 
      iif(r.download_count IS NULL, NULL, r.seen_at_ms) AS as_of_ms, ${downloadsBy('r')} AS downloads
    FROM followed f JOIN uploads u ON u.id = f.upload_id JOIN dirs d ON d.id = u.dir_id
    LEFT JOIN remote_files r ON r.file_id = u.file_id`;
  const read = (row: Row): Followed => ({
    uploadId: number(row['upload_id']),
    fileId: whole(row['file_id']),
    path: pathOf(text(row['dir']), text(row['name'])),
    publicLink: text(row['public_link']),
    sinceMs: number(row['since_ms']),
    checkedMs: numberOrNull(row['checked_ms']),
    asOfMs: numberOrNull(row['as_of_ms']),
    downloads: numberOrNull(row['downloads']),
    told: number(row['told']),
    isFirstTold: number(row['is_first_told']) === 1,
    isDoubted: number(row['is_doubted']) === 1,
  });
  const byId = (uploadId: number): Followed | null => {
    const row = database.get(`${select} WHERE f.upload_id = ?`, uploadId);
    return row === undefined ? null : read(row);
  };
  return {
    all: () => database.all(`${select} ORDER BY f.since_ms, f.upload_id`).map(read),
    count: () => number(database.value('SELECT count(*) FROM followed')),
    byId,
    countsOf: (uploadId, limit) =>
      database
        .all(
          `SELECT c.at_ms, c.gained, c.count FROM uploads u JOIN downloads c ON c.file_id = u.file_id
             WHERE u.id = ? ORDER BY c.at_ms DESC, c.rowid DESC LIMIT +?`,
          uploadId,
          limit,
        )
        .map((row) => ({
          atMs: number(row['at_ms']),
          downloads: number(row['count']),
          gained: number(row['gained']),
        }))
        .toReversed(),
    add: (uploadId, sinceMs) =>
      database.run(
        `INSERT OR IGNORE INTO followed (upload_id, since_ms, told)
           SELECT u.id, ?, coalesce(${downloadsBy('r')}, 0)
           FROM uploads u LEFT JOIN remote_files r ON r.file_id = u.file_id WHERE u.id = ?`,
        sinceMs,
        uploadId,
      ) > 0,
    remove: (uploadId) => database.run('DELETE FROM followed WHERE upload_id = ?', uploadId) > 0,
    update: (uploadId, { checkedMs = null, told = null, isFirstTold, isDoubted }) =>
      void database.run(
        `UPDATE followed SET checked_ms = coalesce(?, checked_ms), told = coalesce(?, told),
           is_first_told = coalesce(?, is_first_told), is_doubted = coalesce(?, is_doubted) WHERE upload_id = ?`,
        checkedMs,
        told,
        isFirstTold === undefined ? null : Number(isFirstTold),
        isDoubted === undefined ? null : Number(isDoubted),
        uploadId,
      ),
  };
};

// ---------------------------------------------------------------- links that are read back

const tolds: Record<ProofTold, true> = {
  right: true,
  gone: true,
  differs: true,
  unreachable: true,
  'unknown-content': true,
};

export const createProofs = (database: Database): ProofTable => {
  const select = `SELECT p.*, u.file_id, u.name, u.public_link, d.path AS dir,
      coalesce(u.sent_sha256, u.sha256) AS sha256, coalesce(u.sent_bytes, u.size_bytes) AS bytes
    FROM proofs p CROSS JOIN uploads u ON u.id = p.upload_id CROSS JOIN dirs d ON d.id = u.dir_id`;
  const read = (row: Row): Proof => ({
    uploadId: number(row['upload_id']),
    fileId: whole(row['file_id']),
    path: pathOf(text(row['dir']), text(row['name'])),
    publicLink: text(row['public_link']),
    sha256: textOrNull(row['sha256']),
    sizeBytes: numberOrNull(row['bytes']),
    isWatched: number(row['is_watched']) === 1,
    nextMs: numberOrNull(row['next_ms']),
    tries: number(row['tries']),
    told: row['told'] === null ? null : word(tolds, row['told']),
    toldAtMs: numberOrNull(row['told_at_ms']),
  });
  const one = (row: Row | undefined) => (row === undefined ? null : read(row));
  const byId = (uploadId: number) => one(database.get(`${select} WHERE p.upload_id = ?`, uploadId));
  const add = (uploadId: number, nextMs: number): boolean =>
    database.run(
      `INSERT OR IGNORE INTO proofs (upload_id, next_ms) SELECT id, ? FROM uploads
         WHERE id = ? AND file_id IS NOT NULL AND public_link IS NOT NULL
           AND coalesce(sent_sha256, sha256, '') <> ''`,
      nextMs,
      uploadId,
    ) > 0;
  return {
    next() {
      const row = database.get(
        `${select} WHERE p.next_ms IS NOT NULL ORDER BY p.next_ms, p.upload_id LIMIT 1`,
      );
      return row === undefined ? null : { ...read(row), nextMs: number(row['next_ms']) };
    },
    byId,
    watched: () => database.all(`${select} WHERE p.is_watched = 1 ORDER BY p.upload_id`).map(read),
    countWrong: () => number(database.value(`SELECT count(*) FROM proofs WHERE ${isWrong}`)),
    add,
    countWatched: () => number(database.value('SELECT count(*) FROM proofs WHERE is_watched = 1')),
    watch(uploadId, nextMs) {
      add(uploadId, nextMs);
      const sql = 'UPDATE proofs SET is_watched = 1, next_ms = ? WHERE upload_id = ? AND is_watched = 0';
      return database.run(sql, nextMs, uploadId) > 0;
    },
    unwatch: (uploadId) =>
      database.run('DELETE FROM proofs WHERE upload_id = ? AND is_watched = 1', uploadId) > 0,
    hasten(latestMs) {
      const later = 'is_watched = 1 AND next_ms > ?';
      // Nearly always none is: a write would wait for the disk.
      if (database.value(`SELECT 1 FROM proofs WHERE ${later} LIMIT 1`, latestMs) === undefined) return;
      database.run(`UPDATE proofs SET next_ms = ? WHERE ${later}`, latestMs, latestMs);
    },
    remove: (uploadId) => void database.run('DELETE FROM proofs WHERE upload_id = ?', uploadId),
    update(uploadId, change) {
      const before = byId(uploadId);
      if (before === null) return;
      const { nextMs, tries, told, toldAtMs } = { ...before, ...change };
      database.run(
        'UPDATE proofs SET next_ms = ?, tries = ?, told = ?, told_at_ms = ? WHERE upload_id = ?',
        nextMs,
        tries,
        told,
        toldAtMs,
        uploadId,
      );
    },
  };
};
