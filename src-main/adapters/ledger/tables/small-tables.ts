// The ledger's small tables: attempts, entries, decisions about contents.
import { openParts, workParts, type WorkPart } from '../../../contract/catalogue/work.ts';
import { AppError } from '../../../contract/errors.ts';
import type { EntryBody } from '../../../contract/entries.ts';
import { keptByNames, keptContentNames } from '../../../contract/model.ts';
import type {
  Attempt,
  AttemptOutcome,
  AttemptTable,
  BundledTable,
  EntryTable,
  DecisionTable,
  RunTable,
} from '../../../engine/ports/ledger.ts';
import {
  jsonObject,
  number,
  numberOrNull,
  text,
  textOrNull,
  word,
  type Database,
  type Row,
} from '../database.ts';
import { createFacts } from '../facts.ts';
import { present } from '../schema.ts';

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
  committedSince: (sinceMs) =>
    number(
      database.value(
        `SELECT count(*) FROM attempts a CROSS JOIN uploads u ON u.id = a.upload_id
           WHERE a.committing_at_ms >= ? AND u.account = ${present}`,
        sinceMs,
      ),
    ),

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
  latestUnknownMs: () =>
    number(
      database.value(
        `SELECT max(
           coalesce((SELECT max(coalesce(a.started_at_ms, u.created_at_ms)) FROM uploads u
             LEFT JOIN attempts a ON a.id = u.detail ->> 'attemptId' WHERE u.state = 'uncertain'), 0),
           coalesce((SELECT max(started_at_ms) FROM attempts WHERE outcome IS NULL), 0))`,
      ),
    ),
  earliestSince: (permitId) => {
    // Attempts and permits are numbered in the same order, so those of a day are at the end.
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
      // One always stays, because the next number is counted from it.
      const { get } = createFacts(database);
      const [audit, programs] = [get('audit')?.value.seq, get('after-upload')?.value];
      database.run(
        'DELETE FROM entries WHERE seq <= ?',
        Math.min(lastSeq() - Math.max(keep, 1), audit ?? Infinity, programs ?? Infinity),
      );
    },
  };
};

// ---------------------------------------------------------------- decisions about contents

/** Beside a SHA-256 and the decision about it, the size has a row of its own, so that the primary key finds it. */
const sizeKey = (sizeBytes: number): string => `bytes:${sizeBytes}`;
const keptPrefix = 'kept:';
const keptReasons = [...keptByNames, ...keptContentNames];

export const createDecisions = (database: Database): DecisionTable => {
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
      if (sizeBytes === null) return;
      add(sizeKey(sizeBytes), 'said');
      add(sizeKey(sizeBytes), reason);
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
    knowsSize: (sizeBytes, said) => has(sizeKey(sizeBytes), said ?? 'said'),
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
