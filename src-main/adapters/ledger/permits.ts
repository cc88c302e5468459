// The limiter's memory: every request that left, who sent it and when its answer came. Shared by all processes on
// this ledger; pruned, so that it holds about a day.
import type { Lane } from '../../contract/model.ts';
import type { Permit, PermitTable } from '../../engine/ports/ledger.ts';
import { number, numberOrNull, readJson, text, word, type Database, type Row } from './database.ts';
import type { WitnessFile } from './witness.ts';

const lanes: Record<Lane, true> = { user: true, agent: true, upload: true, background: true };

const select = 'SELECT * FROM permits';

const readPermit = (row: Row): Permit => ({
  id: number(row['id']),
  lane: word(lanes, row['lane']),
  spentAtMs: number(row['spent_at_ms']),
  answeredAtMs: numberOrNull(row['answered_at_ms']),
  owner: text(row['owner']),
});

/** The last permit ever given, even if it was pruned. */
export const lastPermit = (database: Database): number =>
  number(database.value("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'permits'"));

/** `witness` null: the ledger is in memory. */
export const createPermits = (database: Database, witness: WitnessFile | null): PermitTable => ({
  insert: (lane, spentAtMs, owner) => {
    witness?.assertInPlace();
    const id = database.insert('permits', { lane, spent_at_ms: spentAtMs, owner });
    database.afterCommit(() => witness?.note(id));
    return { id, lane, spentAtMs, answeredAtMs: null, owner };
  },
  answer: (id, atMs) => {
    database.update('permits', id, { answered_at_ms: atMs });
  },
  answerAllOf: (owner, atMs) => {
    database.run(
      'UPDATE permits SET answered_at_ms = ? WHERE answered_at_ms IS NULL AND owner = ?',
      atMs,
      owner,
    );
  },
  after: (afterId) => database.all(`${select} WHERE id > ? ORDER BY id`, afterId).map(readPermit),
  since: (sinceMs) =>
    database
      .all(
        `${select} WHERE spent_at_ms >= ?1 OR answered_at_ms >= ?1 OR answered_at_ms IS NULL
         ORDER BY id`,
        sinceMs,
      )
      .map(readPermit),
  outstanding: () => database.all(`${select} WHERE answered_at_ms IS NULL ORDER BY id`).map(readPermit),
  prune: (beforeMs) => database.run('DELETE FROM permits WHERE answered_at_ms < ?', beforeMs),
  memory: () => {
    const json = database.value('SELECT memory FROM limiter WHERE id = 1');
    // A memory that cannot be read is not the same as none.
    return json === undefined ? null : (readJson(json) ?? {});
  },
  remember: (memory) => {
    database.run(
      'INSERT INTO limiter (id, memory) VALUES (1, ?) ON CONFLICT DO UPDATE SET memory = excluded.memory',
      JSON.stringify(memory),
    );
  },
});
