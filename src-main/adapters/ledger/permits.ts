// The limiter's memory: every request that left, who sent it and when its answer came. Shared by all processes on
// this ledger; pruned, so that it holds about a day.
import { AppError } from '../../contract/errors.ts';
import type { Lane } from '../../contract/model.ts';
import type { Permit, PermitTable } from '../../engine/ports.ts';
import { number, numberOrNull, text, type Database, type List } from './database.ts';
import type { Witness } from './witness.ts';

const lanes: Record<Lane, true> = { user: true, upload: true, background: true };

const readLane = (lane: string): Lane => {
  const isLane = (word: string): word is Lane => Object.hasOwn(lanes, word);
  if (isLane(lane)) return lane;
  throw new AppError('ledger', `The ledger holds a lane called "${lane}".`, 'Update Outtray.');
};

const select = 'SELECT id, lane, spent_at_ms, answered_at_ms, owner FROM permits';
// Asked several times for each upload. Built once: building a long text for each call costs more than the statement.
const selectAfter = `${select} WHERE id > ? ORDER BY id`;
const selectOutstanding = `${select} WHERE answered_at_ms IS NULL ORDER BY id`;

const readPermit = ([id, lane, spentAtMs, answeredAtMs, owner]: List): Permit => ({
  id: number(id),
  lane: readLane(text(lane)),
  spentAtMs: number(spentAtMs),
  answeredAtMs: numberOrNull(answeredAtMs),
  owner: text(owner),
});

/** The last one ever given, also when it has been pruned. */
export const lastPermit = (database: Database): number =>
  number(
    database.get("SELECT coalesce(max(seq), 0) AS seq FROM sqlite_sequence WHERE name = 'permits'")?.['seq'],
  );

/** `witness` null: for a ledger in memory. */
export const createPermits = (database: Database, witness: Witness | null): PermitTable => ({
  insert: (lane, spentAtMs, owner) => {
    witness?.assertInPlace();
    const { lastId } = database.run(
      'INSERT INTO permits (lane, spent_at_ms, owner) VALUES (?, ?, ?)',
      lane,
      spentAtMs,
      owner,
    );
    database.afterCommit(() => witness?.note(lastId));
    return { id: lastId, lane, spentAtMs, answeredAtMs: null, owner };
  },
  answer: (id, atMs) => {
    database.run('UPDATE permits SET answered_at_ms = ? WHERE id = ?', atMs, id);
  },
  answerAllOf: (owner, atMs) => {
    database.run(
      'UPDATE permits SET answered_at_ms = ? WHERE answered_at_ms IS NULL AND owner = ?',
      atMs,
      owner,
    );
  },
  after: (afterId) => database.lists(selectAfter, afterId).map(readPermit),
  since: (sinceMs) =>
    database
      .lists(
        `${select} WHERE spent_at_ms >= ?1 OR answered_at_ms >= ?1 OR answered_at_ms IS NULL
         ORDER BY id`,
        sinceMs,
      )
      .map(readPermit),
  outstanding: () => database.lists(selectOutstanding).map(readPermit),
  prune: (beforeMs) => database.run('DELETE FROM permits WHERE answered_at_ms < ?', beforeMs).changes,
  memory: () => {
    const row = database.list('SELECT memory FROM limiter WHERE id = 1');
    if (row === undefined) return null;
    const memory: unknown = JSON.parse(text(row[0]));
    return memory;
  },
  remember: (memory) => {
    database.run(
      'INSERT INTO limiter (id, memory) VALUES (1, ?) ON CONFLICT DO UPDATE SET memory = excluded.memory',
      JSON.stringify(memory),
    );
  },
});
