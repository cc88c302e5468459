// Keeps what SQLite answered until a table that the question reads is written. In a day the engine asks three of four
// questions again before that. Only for a database with one connection: the writes of another one are not heard.
import { constants, type DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** A question about a time has another key each time. */
const mostKept = 500;

type Writes = { count: number };
type Given = SQLInputValue | Record<string, SQLInputValue>;

/** From now on the statements of this connection keep their answers. */
export const keepAnswers = (database: DatabaseSync): void => {
  const tables = new Map<string, Writes>();
  /** Statements without a table of their own that may change any: rollbacks and scripts. */
  const all: Writes = { count: 0 };
  const writesTo = (table: string): Writes => {
    const known = tables.get(table) ?? { count: 0 };
    tables.set(table, known);
    return known;
  };

  const { prepare, exec } = database;
  database.exec = (sql) => {
    all.count += 1;
    exec.call(database, sql);
  };
  database.prepare = (sql, options) => {
    const read = new Set<Writes>([all]);
    const written = new Set<Writes>(sql === 'ROLLBACK' ? [all] : []);
    // SQLite names the tables, those of triggers and views included.
    database.setAuthorizer((action, table) => {
      if (table === null) return constants.SQLITE_OK;
      if (action === constants.SQLITE_READ) read.add(writesTo(table));
      if (writing.has(action)) written.add(writesTo(table));
      return constants.SQLITE_OK;
    });
    try {
      const made = prepare.call(database, sql, options);
      if (/^\s*SELECT\b/i.test(sql)) keepAnswersOf(made, [...read]);
      else countRuns(made, [...written]);
      return made;
    } finally {
      database.setAuthorizer(null);
    }
  };
};

const writing = new Set([constants.SQLITE_INSERT, constants.SQLITE_UPDATE, constants.SQLITE_DELETE]);

const countRuns = (made: StatementSync, written: readonly Writes[]): void => {
  const { run } = made;
  made.run = (...given: Given[]) => {
    for (const one of written) one.count += 1;
    return Reflect.apply(run, made, given) as ReturnType<typeof run>;
  };
};

const keepAnswersOf = (made: StatementSync, read: readonly Writes[]): void => {
  let asOf = 0;
  const kept = new Map<unknown, { answer: unknown }>();
  const answerTo = (ask: StatementSync['get'] | StatementSync['all'], given: Given[]): unknown => {
    let now = 0;
    for (const one of read) now += one.count;
    if (now !== asOf || kept.size === mostKept) kept.clear();
    asOf = now;
    const key = given.length < 2 ? given[0] : JSON.stringify(given);
    const known = kept.get(key);
    if (known !== undefined) return known.answer;
    const answer: unknown = Reflect.apply(ask, made, given);
    kept.set(key, { answer });
    return answer;
  };
  const { get, all } = made;
  made.get = (...given: Given[]) => answerTo(get, given) as ReturnType<typeof get>;
  made.all = (...given: Given[]) => answerTo(all, given) as ReturnType<typeof all>;
};
