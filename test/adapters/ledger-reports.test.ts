// The queries of reports, among 100,000 files: the answers, and that each query starts at an index.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLedger, type OpenLedger } from '../../src-main/adapters/ledger/ledger.ts';
import { NOON_MS } from './ledger-fixtures.ts';

const dayMs = 86_400_000;
const rows = 100_000;
/** Every content has 2 links, one of them to a photo whose copy was uploaded. */
const contents = rows / 2;
const shaOf = (content: number, kind = 'a'): string =>
  kind.repeat(56) + content.toString(16).padStart(8, '0');

let folder: string;
let ledger: OpenLedger;
let raw: DatabaseSync;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'outtray-reports-'));
  const file = path.join(folder, 'ledger.sqlite');
  ledger = openLedger({ file, nowMs: () => NOON_MS });
  raw = new DatabaseSync(file);
  raw.exec('BEGIN');
  raw.exec("INSERT INTO dirs (id, folder, path) VALUES (1, 0, '/tray')");
  const upload = raw.prepare(
    `INSERT INTO uploads (id, folder, dir_id, present, state, priority, name, name_key, size_bytes, attempts, confirmed,
       grace_over, door, created_at_ms, changed_at_ms, sha256, sent_sha256, sent_bytes)
     VALUES (?, 0, 1, ?, 'ready', 0, ?, ?, ?, 0, 0, 0, 'command', ?, ?, ?, ?, ?)`,
  );
  const done = raw.prepare(
    `UPDATE uploads SET state = 'uploaded', uploaded_at_ms = ?, file_id = ?, public_link = ?, ends_at_ms = ?,
       ends_proven_ms = ? WHERE id = ?`,
  );
  const seen = raw.prepare(
    `INSERT INTO remote_files (account, file_id, first_seen_at_ms, seen_at_ms, gone, download_count, name_key, at_ms)
     VALUES (1, ?, 1, 1, 0, ?, '', 1)`,
  );
  const packed = raw.prepare('INSERT INTO bundled VALUES (?, ?, ?, 1, ?)');
  for (let id = 1; id <= rows; id += 1) {
    const content = id % contents;
    const isCopy = id > contents;
    const atMs = NOON_MS - (id % 200) * dayMs;
    const endsMs = id % 1000 === 0 ? NOON_MS + 3 * dayMs : null;
    const name = `file ${id}.txt`;
    const sent = isCopy ? shaOf(content, 'c') : null;
    upload.run(id, 1, name, name, id, atMs, atMs, shaOf(content), sent, sent === null ? null : id);
    done.run(atMs, id, `https://share.example/d/${id}`, endsMs, endsMs, id);
    seen.run(id, id % 4);
    if (id % 100 === 0) packed.run(id, 'inside.txt', `/packed/${id}`, shaOf(content, 'b'));
  }
  raw.exec('COMMIT');
  // A busy machine may take minutes to write the rows.
}, 600_000);
afterAll(() => {
  raw.close();
  ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Milliseconds of processor time: another program on this machine takes none of it. */
const msOf = (act: () => unknown): number => {
  const from = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
};

describe('the links to one content', () => {
  test('are found by its hash, by the hash of its copy, and in a zip', () => {
    const { reports } = ledger;
    const names = (hash: string) =>
      reports.linksOf([hash], 100).map(({ filename, inside }) => [filename, inside]);
    expect(names(shaOf(7))).toEqual([
      [`file ${contents + 7}.txt`, null],
      ['file 7.txt', null],
    ]);
    // The copy without location has other content than the photo.
    expect(names(shaOf(7, 'c'))).toEqual([[`file ${contents + 7}.txt`, null]]);
    expect(names(shaOf(100, 'b'))).toEqual([
      ['inside.txt', `file ${contents + 100}.txt`],
      ['inside.txt', 'file 100.txt'],
    ]);
    expect(names(shaOf(1, 'd'))).toEqual([]);
    expect(reports.openWith([shaOf(7)], 10)).toEqual([]);
  });

  test('are found by the last content of a path, even when it was only in a zip', () => {
    const { reports } = ledger;
    expect(reports.lastContentAt('/tray', 'file 7.txt', '/tray/file 7.txt')).toBe(shaOf(7));
    expect(reports.lastContentAt('/packed', '100', '/packed/100')).toBe(shaOf(100, 'b'));
    expect(reports.lastContentAt('/tray', 'nowhere', '/tray/nowhere')).toBeNull();
  });

  test('are found without a noticeable delay', () => {
    expect(msOf(() => ledger.reports.linksOf([shaOf(7)], 100))).toBeLessThan(50);
  });
});

describe('links that need a look', () => {
  test('are listed up to a limit and counted in full', () => {
    const { reports } = ledger;
    const old = reports.old(NOON_MS - 90 * dayMs, NOON_MS + 7 * dayMs, 3);
    expect(old.links).toHaveLength(3);
    expect(old.links[0]?.uploadedAtMs).toBe(NOON_MS - 199 * dayMs);
    // Of 200 days 110 are old. Links that end soon are all from day 0.
    expect(old.total).toBe((rows / 200) * 110);
    expect(reports.neverDownloaded(NOON_MS, NOON_MS, 1).total).toBe(rows / 4);
    expect(reports.expiring(NOON_MS + 7 * dayMs, 1).total).toBe(rows / 1000);
    // The photo and its copy are two contents, so no link is one too many.
    expect(reports.duplicates(10)).toEqual({ total: 0, links: [] });
    expect(reports.largest(rows - 4, 2)).toMatchObject({
      total: 5,
      links: [{ sizeBytes: rows }, { sizeBytes: rows - 1 }],
    });
    expect(reports.goneButOnDisk(10).total + reports.openRecalls(10).total).toBe(0);
  });

  test('our own reads are no downloads', () => {
    raw.exec('UPDATE remote_files SET read_by_us = 1, read_in_count = 1 WHERE file_id = 1');
    const before = rows / 4;
    expect(ledger.reports.neverDownloaded(NOON_MS, NOON_MS, 1).total).toBe(before + 1);
    expect(ledger.reports.linksOf([shaOf(1)], 10).at(-1)).toMatchObject({ downloads: 0 });
    raw.exec('UPDATE remote_files SET read_by_us = 0, read_in_count = 0 WHERE file_id = 1');
  });

  test('are found within the time of a command', () => {
    const { reports } = ledger;
    expect(
      msOf(() => {
        reports.old(NOON_MS, NOON_MS, 100);
        reports.neverDownloaded(NOON_MS, NOON_MS, 100);
        reports.expiring(NOON_MS, 100);
        reports.duplicates(100);
        reports.goneButOnDisk(100);
        reports.openRecalls(100);
      }),
    ).toBeLessThan(3000);
  });
});

test('no query reads all uploads, or sorts what an index has in order', () => {
  const asked: string[] = [];
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql: string) {
    asked.push(sql);
    return prepare.call(this, sql);
  };
  const other = openLedger({ file: path.join(folder, 'ledger.sqlite'), nowMs: () => NOON_MS });
  try {
    asked.length = 0;
    const { reports } = other;
    reports.linksOf(['a'], 1);
    reports.openWith(['a'], 1);
    reports.lastContentAt('/a', 'b', '/a/b');
    reports.old(1, 1, 1);
    reports.neverDownloaded(1, 1, 1);
    reports.expiring(1, 1);
    reports.goneButOnDisk(1);
    reports.openRecalls(1);
    reports.largest(1, 1);
    reports.uploadsAfter(0, 1);
    reports.membersAfter(0, '', 1);
    reports.othersAfter(0, 1);
  } finally {
    DatabaseSync.prototype.prepare = prepare;
    other.close();
  }
  expect(asked.length).toBeGreaterThan(11);
  for (const sql of asked) {
    const plan = raw
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
    const scans = plan.filter((step) => /^SCAN (u|uploads|f|files|b|bundled|r|remote_files|d)\b/.test(step));
    expect({ sql, scans }).toEqual({ sql, scans: [] });
  }
});

test('the export reads every file once, page by page', () => {
  const { reports } = ledger;
  let id = 0;
  let count = 0;
  for (;;) {
    const page = reports.uploadsAfter(id, 1000);
    count += page.length;
    const last = page.at(-1);
    if (last === undefined) break;
    expect(last.id).toBeGreaterThan(id);
    ({ id } = last);
  }
  expect(count).toBe(rows);
  const first = reports.membersAfter(0, '', 600);
  const [last] = first.slice(-1);
  const rest = reports.membersAfter(last?.uploadId ?? 0, last?.name ?? '', 600);
  expect(first.length + rest.length).toBe(rows / 100);
  expect(reports.othersAfter(0, 10)).toEqual([]);
});
