// The real ledger in memory. Its tables and compiled statements take ten times as long as most tests, so a ledger that
// was closed is emptied and serves again: the next test in this process gets it as good as new.
import { createHealth } from '../../src-main/adapters/ledger/health.ts';
import { openDatabase, type Database } from '../../src-main/adapters/ledger/database.ts';
import { toLedgerError } from '../../src-main/adapters/ledger/faults.ts';
import { assemble, type OpenLedger } from '../../src-main/adapters/ledger/ledger.ts';
import { schemaVersion } from '../../src-main/adapters/ledger/migrations/migrations.ts';
import { tables, viewsAndTriggers } from '../../src-main/adapters/ledger/schema.ts';

type Kept = { database: Database; empty: () => void; health: ReturnType<typeof createHealth> };

const free: Kept[] = [];

const closed = (): Error => new Error('The ledger is closed.');

const create = (): Kept => {
  const kept: Kept = {
    health: createHealth(),
    database: openDatabase(':memory:', (error) => {
      const known = toLedgerError(error);
      kept.health.failed(known);
      return known;
    }),
    empty: () => undefined,
  };
  const { database } = kept;
  database.exec(
    `PRAGMA foreign_keys = ON; ${tables} ${viewsAndTriggers} PRAGMA user_version = ${schemaVersion}`,
  );
  // A row refers to rows of tables that were created before its own. The index of the texts would keep a mark
  // for each text that was deleted.
  const names = database
    .all(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'files_text%' ORDER BY rowid DESC`,
    )
    .map(({ name }) => `DELETE FROM ${String(name)}`);
  kept.empty = () => {
    database.exec(
      `${names.join(';')}; INSERT INTO files_text (files_text) VALUES ('delete-all');
       INSERT INTO accounts (id, is_present) VALUES (1, 1)`,
    );
  };
  database.holdVersion(schemaVersion);
  return kept;
};

export type MemoryLedger = OpenLedger & {
  /** How many writes there were: as long as it stays the same, so does every row. */
  writes(): number;
};

/** An empty ledger; nothing of it is left after `close`. */
export const openMemoryLedger = (nowMs: () => number): MemoryLedger => {
  const kept = free.pop() ?? create();
  kept.health = createHealth();
  let isOpen = true;
  const whileOpen =
    <Given extends unknown[], Answer>(act: (...given: Given) => Answer) =>
    (...given: Given): Answer => {
      if (!isOpen) throw closed();
      return act(...given);
    };
  let writes = 0;
  const writing = <Given extends unknown[], Answer>(act: (...given: Given) => Answer) =>
    whileOpen((...given: Given): Answer => {
      writes += 1;
      return act(...given);
    });
  const { database } = kept;
  const ledger = assemble({
    database: {
      get: whileOpen(database.get),
      value: whileOpen(database.value),
      all: whileOpen(database.all),
      run: writing(database.run),
      insert: writing(database.insert),
      update: writing(database.update),
      exec: writing(database.exec),
      atomically: (act) => {
        if (!isOpen) throw closed();
        return database.atomically(act);
      },
      afterCommit: whileOpen(database.afterCommit),
      holdVersion: whileOpen(database.holdVersion),
      demandVersion: whileOpen(database.demandVersion),
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        kept.empty();
        free.push(kept);
      },
    },
    updatedFrom: null,
    witness: null,
    health: kept.health,
    file: ':memory:',
    nowMs,
    unwritable: null,
  });
  return { ...ledger, writes: () => writes };
};
