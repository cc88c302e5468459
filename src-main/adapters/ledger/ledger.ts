// Opens the ledger: one SQLite file that survives crashes, power cuts and its own damage.
//
// · WAL with synchronous=FULL, on macOS with fullfsync: with less, a power cut can forget `committing`, and a file is
//   uploaded twice (upload-protocol.md). Price: one flush of the disk per transaction.
// · A file from a newer Outtray is refused and left alone. One of an earlier version is updated to this one
//   (migrate.ts), or set aside like a damaged one when it is older than the first version that was shipped.
// · A damaged file is set aside under another name, never overwritten; the fact `rebuilt` makes the engine hold what
//   may have been uploaded. Each start looks for damage where it costs nothing, in the header; when a statement finds
//   some later, a mark beside the file makes the next start check all of it.
// · The witness (witness.ts) shows that a ledger is older than it was (restored from a copy, or deleted). Then what it
//   does not know, and what it believes to be waiting, is held.
import {
  chmodSync,
  existsSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Ledger } from '../../engine/ports/ledger.ts';
import { lookInto, openDatabase, text, type Database } from './database.ts';
import { probeFolder } from '../system/storage.ts';
import { explained, ledgerReadingFault, toLedgerError } from './faults.ts';
import { createHealth, watched, type LedgerFaults } from './health.ts';
import { dropKeptCopy, keptCopy } from './kept-copy.ts';
import { versionOf } from './migrate.ts';
import { inTurn, updateInTurn, type TakeTurn } from './update.ts';
import { firstVersion, schemaVersion } from './migrations/migrations.ts';
import { createFacts } from './facts.ts';
import { createPermits, lastPermit } from './permits.ts';
import { createRemote } from './remote.ts';
import { createReports } from './reports.ts';
import { tables, viewsAndTriggers } from './schema.ts';
import {
  createAttempts,
  createBundled,
  createEntries,
  createRun,
  createDecisions,
} from './tables/small-tables.ts';
import { createUploadStore } from './uploads.ts';
import { createCounts } from './views/counts.ts';
import { createPages } from './views/pages.ts';
import { createStatistics } from './views/statistics.ts';
import { openWitness, type WitnessFile } from './witness.ts';
import { createAccounts } from './tables/accounts.ts';
import { createFolders } from './tables/folders.ts';
import { createWatched } from './tables/links.ts';

const IN_MEMORY = ':memory:';

export type OpenLedger = Ledger & {
  /**
   * Checks whether the file is still there, the same, and of this version; reports what is wrong as trouble. One stat
   * and one page of the file, nothing written.
   */
  check(): void;
  /** Where the damaged ledger is that was set aside; null: none was, or it is gone. */
  setAside(): string | null;
  /** The version from which this opening updated; null: the ledger was of this version, or is new. */
  updatedFrom: number | null;
  /** Why it is open only for reading; every write throws this. Null: it can be written. */
  unwritable: AppError | null;
  /** Removes the copy from before an update, once the ledger has served until a stop in good order. */
  dropKeptCopy(): void;
};

export type LedgerOptions = {
  file: string;
  nowMs: () => number;
  /** The tables of a new ledger; tests bring their own. */
  schema?: string;
  /** For each connection; tests limit the file with it. */
  pragma?: string;
  /**
   * Called before the file is updated or set aside, and repeatedly while it throws `engine-taken`; returns its undo.
   * Another process may be using the ledger. An older Outtray does not know the new schema.
   */
  takeTurn?: TakeTurn;
};

/**
 * Creates `file` if it is missing (`:memory:`: for this object only). Throws `ledger-newer` when the file is from a
 * newer Outtray, `ledger` when it cannot be written, `disk` when the disk is full or fails.
 */
export const openLedger = (options: LedgerOptions): OpenLedger => {
  const { file, nowMs, takeTurn, schema = tables + viewsAndTriggers, pragma = '' } = options;
  const health = createHealth();
  const witness = file === IN_MEMORY ? null : watched(openWitness(file), health);
  if (file !== IN_MEMORY) prepareFile(file, nowMs, takeTurn);
  const explain = (error: unknown): AppError => {
    const known = file === IN_MEMORY ? toLedgerError(error) : explained(error, file);
    health.failed(known);
    if (known.storage === 'damaged' && file !== IN_MEMORY) leaveMark(file);
    return known;
  };
  const { database, updatedFrom } = openSound({
    file,
    schema,
    pragma,
    nowMs,
    explain,
    update: (database) => (file === IN_MEMORY ? null : updateInTurn(database, { file, explain, takeTurn })),
  });
  // An earlier attempt may have found it locked for a moment.
  health.isWell();
  const ledger = assemble({ database, updatedFrom, witness, health, file, nowMs, unwritable: null });
  try {
    witness?.assertInPlace();
    if (witness !== null && lastPermit(database) < witness.lastPermit) {
      holdWhatMayBeUploaded(ledger, file, nowMs());
      witness.note(lastPermit(database));
    }
    return ledger;
  } catch (error) {
    ledger.close();
    throw error;
  }
};

/** What the ledger no longer knows, and what waits in it, may be uploaded: the next start holds it (recover.ts). */
const holdWhatMayBeUploaded = (ledger: Ledger, file: string, nowMs: number): void => {
  ledger.atomically(() => {
    ledger.facts.set('rebuilt', { setAside: newestSetAside(file) }, nowMs);
    ledger.facts.set('hold-waiting', true, nowMs);
  });
};

/** The tables over an open database. */
export const assemble = (options: {
  database: Database;
  updatedFrom: number | null;
  witness: WitnessFile | null;
  health: LedgerFaults;
  file: string;
  nowMs: () => number;
  unwritable: AppError | null;
}): OpenLedger => {
  const { database, updatedFrom, witness, health, file, nowMs, unwritable } = options;
  const facts = createFacts(database);
  return {
    atomically: (act) => database.atomically(act),
    uploads: createUploadStore(database),
    views: { ...createPages(database), ...createCounts(database), ...createStatistics(database, nowMs) },
    accounts: createAccounts(database, nowMs),
    attempts: createAttempts(database),
    permits: createPermits(database, witness),
    remote: createRemote(database, nowMs),
    entries: createEntries(database),
    facts,
    folders: createFolders(database),
    decisions: createDecisions(database),
    bundled: createBundled(database),
    run: createRun(database),
    watched: createWatched(database),
    reports: createReports(database),
    trouble: health.trouble,
    onTrouble: health.onTrouble,
    check() {
      try {
        witness?.assertInPlace();
        database.demandVersion();
      } catch {
        // `health` has notified the listeners for trouble.
      }
    },
    probe() {
      if (unwritable !== null) throw unwritable;
      witness?.assertInPlace();
      const below = file === IN_MEMORY ? null : probeFolder(dirname(file));
      if (below !== null) {
        health.failed(below);
        throw below;
      }
      facts.set('probed', true, nowMs());
      health.isWell();
    },
    setAside() {
      const file = facts.get('rebuilt')?.value.setAside ?? null;
      return file !== null && existsSync(file) ? file : null;
    },
    updatedFrom,
    unwritable,
    dropKeptCopy: () => {
      if (file !== IN_MEMORY) dropKeptCopy(file);
    },
    close: () => {
      try {
        database.close();
      } finally {
        witness?.close();
      }
    },
  };
};

const markOf = (file: string): string => `${file}.suspect`;

const openSound = (options: {
  file: string;
  schema: string;
  pragma: string;
  nowMs: () => number;
  explain: (error: unknown) => AppError;
  update: (database: Database) => number | null;
}): { database: Database; updatedFrom: number | null } => {
  const { file, schema, pragma, nowMs } = options;
  const database = openDatabase(file, options.explain);
  try {
    // 16 MiB of pages: the upper levels of every index of a million rows.
    database.exec('PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF');
    whileLocked(() => database.exec('PRAGMA journal_mode = WAL'));
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF');
    // The WAL grows with the longest reader; afterwards it shrinks to this again.
    database.exec('PRAGMA journal_size_limit = 8388608');
    if (process.platform === 'darwin') {
      database.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    }
    database.exec(pragma);
    const updatedFrom = options.update(database);
    database.exec('PRAGMA foreign_keys = ON');
    createTables(database, schema, () => {
      const setAside = file === IN_MEMORY ? null : newestSetAside(file);
      if (setAside !== null) createFacts(database).set('rebuilt', { setAside }, nowMs());
    });
    database.holdVersion(schemaVersion);
    database.demandVersion();
    return { database, updatedFrom };
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * When two processes create a ledger at once, the change to WAL answers "locked" without waiting for the busy timeout
 * (sqlite.org/wal.html, "Sometimes Queries Return SQLITE_BUSY In WAL Mode"). So it is tried for five seconds.
 */
const whileLocked = (act: () => void): void => {
  for (let tries = 1; ; tries += 1) {
    try {
      act();
      return;
    } catch (error) {
      if (!(error instanceof AppError && error.storage === 'locked') || tries === 250) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
};

// ---------------------------------------------------------------- versions

/** Throws `ledger-newer`. */
export const refuseNewer = (database: Database, file: string): void => {
  const version = versionOf(database);
  if (version <= schemaVersion) return;
  const kept = keptCopy(file);
  throw new AppError(
    'ledger-newer',
    `The ledger was written by a newer version of Outtray (ledger ${version}; this one reads up to ${schemaVersion}).`,
    `Update Outtray on this machine, or export the list with the newer one; the ledger was left as it is.${
      kept === null ? '' : ` As it was before the update, it is ${kept}.`
    }`,
  );
};

/** Reads the version in the same transaction, because two processes may start at once. `created` runs in it, too. */
const createTables = (database: Database, schema: string, created: () => void): void => {
  if (versionOf(database) !== 0) return;
  database.atomically(() => {
    if (versionOf(database) !== 0) return;
    database.exec(schema);
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
    created();
  });
};

// ---------------------------------------------------------------- the file

/** Creates the file, private; sets a damaged one aside first. */
const prepareFile = (file: string, nowMs: () => number, takeTurn: TakeTurn): void => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Two processes that start at once both find the damage: the second must not set the new ledger of the first aside.
    inTurn(takeTurn, {
      isNeeded: () => existsSync(file) && isUnusable(file),
      act: () => setAside(file, nowMs()),
      refused: (taken) =>
        new AppError(
          'engine-taken',
          `The ledger is damaged, and cannot be set aside now. ${taken.message}`,
          'Quit the other Outtray, and start again.',
          { cause: taken },
        ),
    });
    // Only when it is missing: closing it again would free the locks of another connection of this process.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    // SQLite gives -wal and -shm the mode of the file.
    if (process.platform !== 'win32') chmodSync(file, 0o600);
  } catch (error) {
    throw explained(error, file);
  }
};

/** Damaged, or of a version that was never shipped. Throws `ledger-newer`. */
const isUnusable = (file: string): boolean => {
  const mark = markOf(file);
  let found = false;
  const database = lookInto(file, (error) => {
    const known = explained(error, file);
    found ||= known.storage === 'damaged';
    return known;
  });
  try {
    // The cheapest statement that reads the header and the list of tables.
    database.value('SELECT count(*) FROM sqlite_schema');
    refuseNewer(database, file);
    const version = versionOf(database);
    found ||= version > 0 && version < firstVersion;
    if (existsSync(mark)) found ||= text(database.value('PRAGMA quick_check(1)')) !== 'ok';
    // The check also reports a page that the disk cannot read as damage.
    const unread = found ? ledgerReadingFault(file) : null;
    if (unread !== null) throw unread;
  } catch (error) {
    if (!(error instanceof AppError && error.storage === 'damaged')) throw error;
  } finally {
    database.close();
  }
  if (!found) rmSync(mark, { force: true });
  return found;
};

const damagedName = (file: string): string => `${file}.damaged-`;

const setAside = (file: string, atMs: number): void => {
  const time = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const base = damagedName(file) + time;
  let target = base;
  for (let again = 2; existsSync(target); again += 1) target = `${base}-${again}`;
  // SQLite looks for the log of changes under the file's name, so the log moves with the file. It moves first: a crash
  // in between must not leave a new file beside an old log.
  for (const end of ['-wal', '-shm', '']) {
    if (existsSync(file + end)) renameSync(file + end, target + end);
  }
  rmSync(markOf(file), { force: true });
};

/** A new ledger beside a damaged one counts as rebuilt, even if the start that set that aside went no further. */
const newestSetAside = (file: string): string | null => {
  const folder = dirname(file);
  const start = damagedName(basename(file));
  const found = readdirSync(folder).filter((name) => name.startsWith(start) && !/-(wal|shm)$/.test(name));
  const newest = found.sort().at(-1);
  return newest === undefined ? null : join(folder, newest);
};

const leaveMark = (file: string): void => {
  try {
    writeFileSync(markOf(file), '', { mode: 0o600 });
  } catch {
    // The damage itself is reported; without the mark the next start finds it only when it meets it.
  }
};
