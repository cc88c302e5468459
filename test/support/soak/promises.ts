// What must hold once a run has ended: every file exactly once on the service with its bytes, its link in the ledger
// and no other, no link changed that was reported before, counts that add up, no request over the limit.
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ServiceProcess, StoredFile } from './processes.ts';

export type LedgerRow = {
  id: number;
  name: string;
  state: string;
  present: number;
  sha256: string | null;
  fileId: FileId | null;
  link: string | null;
};

/** `recalls`: file ids, one for each report of a recall. `summaries`: the number of entries about links that ended. */
export type LedgerView = {
  rows: LedgerRow[];
  openAttempts: number;
  sound: string;
  recalls: number[];
  summaries: number;
};

/** The ledger as the crash left it. It is read from a copy, so that the next process still has to recover it. */
export const readLedger = (home: string): LedgerView | null => {
  const file = path.join(home, 'ledger.sqlite');
  if (!existsSync(file)) return null;
  const aside = mkdtempSync(path.join(tmpdir(), 'outtray-soak-copy-'));
  try {
    const copy = path.join(aside, 'ledger.sqlite');
    for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
    const database = new DatabaseSync(copy);
    try {
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'uploads'").all();
      if (tables.length === 0) return null;
      const rows = database
        .prepare(
          'SELECT id, name, state, present, sha256, file_id AS fileId, public_link AS link FROM uploads',
        )
        .all();
      const recalls = database
        .prepare("SELECT body ->> 'fileId' AS id FROM entries WHERE body ->> 'kind' = 'recalled'")
        .all();
      const summaries = database
        .prepare("SELECT count(*) AS n FROM entries WHERE body ->> 'kind' = 'expired'")
        .get();
      const open = database.prepare('SELECT count(*) AS n FROM attempts WHERE outcome IS NULL').get();
      const check = database.prepare('PRAGMA quick_check(1)').get();
      return {
        rows: rows as unknown as LedgerRow[],
        openAttempts: Number(open?.['n']),
        sound: String(check?.['quick_check']),
        summaries: Number(summaries?.['n']),
        recalls: recalls.map(({ id }) => Number(id)),
      };
    } finally {
      database.close();
    }
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
};

/** Adds the links reported so far, by upload. Known links must not change; returns those that did, as sentences. */
export const noteLinks = (told: Map<number, string>, view: LedgerView | null): string[] => {
  const broken: string[] = [];
  for (const row of view?.rows ?? []) {
    const before = told.get(row.id);
    if (before !== undefined && before !== row.link) {
      broken.push(`${row.name}: the link was ${before} and is ${String(row.link)}`);
    }
    if (row.link !== null) told.set(row.id, row.link);
  }
  return broken;
};

export const findBroken = async (at: {
  home: string;
  service: ServiceProcess;
  account: string;
  /** SHA-256 by name. */
  wanted: ReadonlyMap<string, string>;
  told: Map<number, string>;
  /** The counts of `status`. */
  counts: Record<string, number> | null;
  /** Files that another device has uploaded. */
  isForeign?: (file: StoredFile) => boolean;
}): Promise<string[]> => {
  const { home, service, wanted, counts } = at;
  const broken: string[] = [];
  const stored = (await service.files(at.account)).filter((file) => at.isForeign?.(file) !== true);
  const view = readLedger(home);
  broken.push(...noteLinks(at.told, view));
  for (const [name, sha256] of wanted) {
    const mine = stored.filter((file) => file.sha256 === sha256);
    if (mine.length !== 1) broken.push(`${name} is on the service ${mine.length} times`);
    const rows = (view?.rows ?? []).filter((row) => row.present === 1 && row.name === name);
    const [row] = rows;
    if (rows.length !== 1 || row === undefined) broken.push(`${name} has ${rows.length} rows`);
    else if (row.state !== 'uploaded' || row.sha256 !== sha256) broken.push(`${name} is ${row.state}`);
    else if (row.link !== mine[0]?.link || row.fileId !== mine[0].id) {
      broken.push(`${name} has the link ${String(row.link)}, its bytes are at ${String(mine[0]?.link)}`);
    }
  }
  const known = new Set(wanted.values());
  for (const file of stored) {
    if (!known.has(file.sha256)) broken.push(`${file.filename} on the service holds what no file is`);
  }
  if (view?.openAttempts !== 0) broken.push(`${String(view?.openAttempts)} attempts have no end`);
  if (view?.sound !== 'ok') broken.push(`the ledger is ${String(view?.sound)}`);
  const aside = readdirSync(home).filter((name) => /damaged|suspect|\.new$/.test(name));
  if (aside.length > 0) broken.push(`left behind: ${aside.join(', ')}`);
  if (counts !== null) {
    const sum = Object.values(counts).reduce((total, count) => total + count, 0);
    if (sum !== wanted.size || counts['uploaded'] !== wanted.size) {
      broken.push(`status counts ${JSON.stringify(counts)} for ${wanted.size} files`);
    }
  }
  const { violations } = await service.control<{ violations: number }>('summary');
  if (violations > 0) broken.push(`${violations} requests were answered with 429`);
  return broken;
};
