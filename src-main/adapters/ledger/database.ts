// A thin layer under the tables: cached statements, transactions, errors translated once. Nothing above it imports
// node:sqlite's classes. Everything is synchronous, as node:sqlite is: a transaction cannot stay open across an await,
// at the price that each must be short.
import { existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { AppError } from '../../contract/errors.ts';
import { holdLocks, storageError } from '../system/storage.ts';

export type Value = SQLInputValue;
/** Values to write, by the names of their columns. */
export type Columns = Record<string, Value>;
/** An integer too large for a number is the text of its digits. */
export type Row = Record<string, SQLOutputValue>;
/** One value of a row; undefined for a missing column. */
export type Cell = SQLOutputValue | undefined;

/** SQL has `LIMIT +?`: SQLite plans by the value of a bare `LIMIT ?`, and compiles the statement again for each one. */
export type Database = {
  get(sql: string, ...values: Value[]): Row | undefined;
  /** The first value of the first row. */
  value(sql: string, ...values: Value[]): Cell;
  all(sql: string, ...values: Value[]): Row[];
  /** Returns how many rows changed. */
  run(sql: string, ...values: Value[]): number;
  /** Adds a row with these columns; returns its id. */
  insert(table: string, columns: Columns): number;
  /** Writes these columns of one row; returns how many rows have this id. */
  update(table: string, id: number, columns: Columns): number;
  /** Statements without parameters or answer, not cached. */
  exec(sql: string): void;
  /** One durable transaction; nested calls join it. Whatever is thrown inside undoes all of it. */
  atomically<T>(act: () => T): T;
  /** Calls `act` once the present transaction is durable; at once without a transaction; never after a rollback. */
  afterCommit(act: () => void): void;
  /**
   * From now on every write checks within its transaction whether the file still has this `user_version`. Throws
   * `ledger-newer` when it has not: another program has updated it to a schema that this one does not know.
   */
  holdVersion(version: number): void;
  /** Makes the check of `holdVersion` now. */
  demandVersion(): void;
  close(): void;
};

/** Another process (the command beside the app) may be writing; its transactions take milliseconds. */
const BUSY_MS = 5_000;

/** Opens for reading and keeps the file as it is: the last writer to close it would move a killed one's log into it. */
export const lookInto = (file: string, explain: (error: unknown) => AppError): Database =>
  // Without a log, a reader would leave an empty one.
  openDatabase(file, explain, { readOnly: existsSync(`${file}-wal`) });

/**
 * Opens for reading where SQLite cannot create the index of the log, or gets no lock (sqlite.org/wal.html, "Read-Only
 * Databases"). Creates nothing beside the file. Throws the reason why it cannot be read.
 */
export const openInPlace = (
  file: string,
  explain: (error: unknown) => AppError,
  { hasLocks }: { hasLocks: boolean },
): Database => {
  try {
    if (hasLocks) return readable(openDatabase(file, explain, { readOnly: true }));
  } catch (error) {
    // A program that is writing now would change the file under a reader without a lock.
    if (error instanceof AppError && error.storage === 'locked') throw error;
  }
  const place = pathToFileURL(file);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  // SQLite reads an immutable file without its log.
  if (log?.isFile() === true && log.size > 0)
    place.searchParams.set('vfs', process.platform === 'win32' ? 'win32-none' : 'unix-none');
  else place.searchParams.set('immutable', '1');
  const database = openDatabase(place.href, explain, { readOnly: true });
  // Keeps the index of the log in memory.
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  return readable(database);
};

const readable = (database: Database): Database => {
  try {
    database.value('SELECT count(*) FROM sqlite_schema');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Transactions, one at a time. A call inside one joins it. */
const createTransactions = (
  sqlite: DatabaseSync,
  step: (sql: 'BEGIN IMMEDIATE' | 'COMMIT' | 'ROLLBACK') => void,
  guarded: <T>(act: () => T) => T,
  demandVersion: () => void,
) => {
  let inside = false;

  /** What nested calls threw inside the present transaction. */
  const broken: unknown[] = [];

  let whenDurable: (() => void)[] = [];

  const outermost = <T>(act: () => T): T => {
    guarded(() => step('BEGIN IMMEDIATE'));
    inside = true;
    broken.length = 0;
    whenDurable = [];
    let committed: typeof whenDurable = [];
    try {
      demandVersion();
      const result = act();
      if (isPromise(result)) {
        throw new AppError('internal', 'A transaction of the ledger must not wait.', 'Please report it.');
      }
      // A nested call failed and its caller continued: half of the transaction must not be committed.
      if (broken.length > 0) throw broken[0];
      guarded(() => step('COMMIT'));
      committed = whenDurable;
      return result;
    } catch (error) {
      // After some faults (a full disk) SQLite has already rolled back.
      try {
        if (sqlite.isTransaction) step('ROLLBACK');
      } catch {
        // The disk failed; the error that led here reports it.
      }
      throw error;
    } finally {
      inside = false;
      for (const tell of committed) afterCommit(tell);
    }
  };

  const joined = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      broken.push(error);
      throw error;
    }
  };
  const atCommit = (act: () => void): void => {
    if (inside) whenDurable.push(act);
    else act();
  };

  return { isInside: () => inside, outermost, joined, atCommit };
};

/**
 * Opens without reading: a fault of the file shows at the first statement. `explain` turns what SQLite throws into the
 * program's own error.
 */
export const openDatabase = (
  file: string,
  explain: (error: unknown) => AppError,
  { readOnly = false } = {},
): Database => {
  let held: number | null = null;
  let isClosed = false;
  const guarded = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      // Who asks after the end, with a call that was under way, is stopped like the rest: it is no fault.
      if (isClosed) throw new AppError('aborted', 'The ledger is closed.', '', { cause: error });
      // After an update by another program a statement may fail because it no longer fits the tables.
      throw explain(held !== null && isOfOtherVersion() ? storageError('newer', error) : error);
    }
  };
  const sqlite = guarded(() => new DatabaseSync(file, { timeout: BUSY_MS, readOnly }));
  const releaseLocks = holdLocks(file);
  const statements = new Map<string, StatementSync>();
  const withBigInts = new WeakSet<StatementSync>();
  const { isInside, outermost, joined, atCommit } = createTransactions(
    sqlite,
    (sql) => void statement(sql).run(),
    guarded,
    () => demandVersion(),
  );
  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = sqlite.prepare(sql);
    statements.set(sql, made);
    return made;
  };

  /** Most ledgers hold no integer above 2^53: only a statement that met one reads all its integers as BigInt. */
  const read = <T>(sql: string, act: (made: StatementSync) => T): T =>
    guarded(() => {
      const made = statement(sql);
      try {
        return act(made);
      } catch (error) {
        if (!isOutOfRange(error)) throw error;
        made.setReadBigInts(true);
        withBigInts.add(made);
        return act(made);
      }
    });
  const rowOf = (made: StatementSync, row: Row): Row => (withBigInts.has(made) ? withoutBigInts(row) : row);
  const first = (sql: string, values: Value[]): Row | undefined =>
    read(sql, (made) => {
      const row = made.get(...values);
      return row === undefined ? undefined : rowOf(made, row);
    });

  const isOfOtherVersion = (): boolean => {
    try {
      return statement('PRAGMA user_version').get()?.['user_version'] !== held;
    } catch {
      // The file cannot be read: that is the fault to report.
      return false;
    }
  };

  const demandVersion = (): void => {
    if (held !== null && isOfOtherVersion()) throw explain(storageError('newer'));
  };

  const run = (sql: string, values: Value[]) => {
    const act = () => guarded(() => statement(sql).run(...values));
    return isInside() || held === null ? act() : outermost(act);
  };

  return {
    get: (sql, ...values) => first(sql, values),
    value: (sql, ...values) => Object.values(first(sql, values) ?? {})[0],
    all: (sql, ...values) => read(sql, (made) => made.all(...values).map((row) => rowOf(made, row))),
    run: (sql, ...values) => Number(run(sql, values).changes),
    insert: (table, columns) => {
      const names = Object.keys(columns);
      const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
      return Number(run(sql, Object.values(columns)).lastInsertRowid);
    },
    update: (table, id, columns) => {
      const written = Object.keys(columns).map((name) => `${name} = ?`);
      const sql = `UPDATE ${table} SET ${written.join(', ')} WHERE id = ?`;
      return Number(run(sql, [...Object.values(columns), id]).changes);
    },
    exec: (sql) => {
      guarded(() => {
        sqlite.exec(sql);
      });
    },
    atomically: (act) => (isInside() ? joined(act) : outermost(act)),
    afterCommit: atCommit,
    holdVersion: (version) => {
      held = version;
    },
    demandVersion,
    close: () => {
      if (!sqlite.isOpen) return;
      statements.clear();
      guarded(() => {
        sqlite.close();
      });
      isClosed = true;
      releaseLocks();
    },
  };
};

/** The commit is durable: what a listener throws is that listener's fault, and no fault of the commit. */
const afterCommit = (tell: () => void): void => {
  try {
    tell();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
};

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';

const withoutBigInts = (row: Row): Row => {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'bigint') continue;
    const short = Number(value);
    row[name] = Number.isSafeInteger(short) ? short : String(value);
  }
  return row;
};

const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

// ---------------------------------------------------------------- reading columns

const wrongColumn = (): never => {
  throw new AppError(
    'ledger',
    'The ledger holds a value of the wrong type.',
    'Set the file aside (rename it) and start Outtray again.',
  );
};

export const text = (value: Cell): string => (typeof value === 'string' ? value : wrongColumn());

export const textOrNull = (value: Cell): string | null => (value === null ? null : text(value));

export const number = (value: Cell): number => (typeof value === 'number' ? value : wrongColumn());

/** An integer of any size: a number, or the text of its digits where a number cannot hold it. */
export const whole = (value: Cell): number | string =>
  typeof value === 'string' && /^-?\d{16,19}$/.test(value) ? value : number(value);

export const wholeOrNull = (value: Cell): number | string | null => (value === null ? null : whole(value));

export const numberOrNull = (value: Cell): number | null => (value === null ? null : number(value));

/** Undefined for text that is not JSON. */
export const readJson = (value: Cell): unknown => {
  try {
    return typeof value === 'string' ? JSON.parse(value) : undefined;
  } catch {
    return undefined;
  }
};

/** Throws `ledger` for anything but a JSON object. */
export const jsonObject = (value: Cell): object => {
  const read = readJson(value);
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : wrongColumn();
};

/** Text that is one of these words, or one of the keys. */
export const word = <T extends string>(
  known: readonly T[] | Readonly<Record<T, unknown>>,
  value: Cell,
): T => {
  const found = text(value);
  const isKnown = (one: string): one is T =>
    Array.isArray(known) ? known.some((name) => name === one) : Object.hasOwn(known, one);
  if (isKnown(found)) return found;
  throw new AppError('ledger', `The ledger holds "${found}", which is unknown here.`, 'Update Outtray.');
};
