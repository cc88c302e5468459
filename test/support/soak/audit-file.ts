// The audit file of a soak: nearly full, so that it is rotated within a run, and compared with the ledger at the end.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** As in adapters/audit/audit.ts. */
const fullBytes = 10 * 1024 * 1024;
const nameOf = 'audit.jsonl';

/** The space that lines of another ledger leave: three more lines fill the file. */
const freeBytes = 1100;

const folderOf = (home: string): string => path.join(path.dirname(home), 'record');

/** A file that is nearly full. Returns the settings for it. */
export const putAuditFile = (home: string): { auditFile: string } => {
  const folder = folderOf(home);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const auditFile = path.join(folder, nameOf);
  const line = (fill: number): string =>
    `${JSON.stringify({ event: 'public', seq: 1, ledger: 'another', fill: 'x'.repeat(fill) })}\n`;
  const [least, count] = [line(0).length, 9_000];
  const most = fullBytes - freeBytes - count * (least + 1000);
  writeFileSync(auditFile, line(1000).repeat(count) + line(most - least));
  return { auditFile };
};

/** The problems of the audit file, as sentences: lines that are missing, doubled, out of order, or hold a secret. */
export const findBrokenLines = (home: string, secrets: readonly string[]): string[] => {
  const folder = folderOf(home);
  const files = readdirSync(folder).toSorted(
    (a, b) => Number(a === nameOf) - Number(b === nameOf) || (a < b ? -1 : 1),
  );
  const text = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('');
  const broken = secrets.filter((secret) => text.includes(secret)).map((secret) => `it holds ${secret}`);
  const seqs = text.split('\n').flatMap((line) => {
    const read = lineIn(line);
    return read === null || read.ledger === 'another' ? [] : [read];
  });
  const told = seqs.map(({ seq }) => seq);
  const wanted = entriesToTell(home);
  if (JSON.stringify(told) !== JSON.stringify(wanted))
    broken.push(`the lines ${told.join(' ')} are not the entries ${wanted.join(' ')} (${files.join(', ')})`);
  if (new Set(seqs.map(({ ledger }) => ledger)).size > 1) broken.push('the ledger has two names');
  return broken.map((what) => `audit file: ${what}`);
};

/** Null: a line that is torn. */
const lineIn = (line: string): { ledger: string; seq: number } | null => {
  try {
    return JSON.parse(line) as { ledger: string; seq: number };
  } catch {
    return null;
  }
};

const entriesToTell = (home: string): number[] => {
  const database = new DatabaseSync(path.join(home, 'ledger.sqlite'), { readOnly: true });
  try {
    const rows = database
      .prepare(
        `SELECT seq FROM entries
         WHERE body ->> 'kind' IN ('uploaded', 'expiry-set', 'recalled', 'deleted', 'lost', 'confirmed')
            OR (body ->> 'kind' = 'held' AND body ->> 'reason' = 'uncertain')
         ORDER BY seq`,
      )
      .all();
    return rows.map(({ seq }) => Number(seq));
  } finally {
    database.close();
  }
};
