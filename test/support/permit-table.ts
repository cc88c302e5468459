// The ledger's permit table in memory, with transactions that roll back: what the limiter needs of a ledger.
// Several limiters on one table are several processes on one data folder.
import type { Ledger, Permit } from '../../src-main/engine/ports/ledger.ts';

export type PermitLedger = Pick<Ledger, 'permits' | 'atomically'> & {
  /** Every permit ever spent and kept, oldest first. */
  rows(): readonly Permit[];
};

export const createPermitLedger = (): PermitLedger => {
  let rows: Permit[] = [];
  let outstanding = new Map<number, Permit>();
  let memory: string | null = null;
  let nextId = 1;
  let depth = 0;
  let undo: (() => void)[] = [];

  /** Rows are replaced, never changed: what was read stays as it was. */
  const replace = (changed: Permit): void => {
    const at = rows.findLastIndex((row) => row.id === changed.id);
    const before = rows[at];
    if (before === undefined) return;
    put(at, changed);
    undo.push(() =>
      put(
        rows.findIndex((row) => row.id === changed.id),
        before,
      ),
    );
  };
  const put = (at: number, row: Permit): void => {
    rows[at] = row;
    if (row.answeredAtMs === null) outstanding.set(row.id, row);
    else outstanding.delete(row.id);
  };
  /** Searches from the newest, because the wanted rows are there. */
  const indexAfter = (id: number): number => {
    let at = rows.length;
    while (at > 0 && (rows[at - 1]?.id ?? 0) > id) at--;
    return at;
  };

  return {
    rows: () => rows,
    atomically(act) {
      if (depth > 0) return act();
      depth++;
      undo = [];
      try {
        return act();
      } catch (error) {
        for (const step of undo.toReversed()) step();
        throw error;
      } finally {
        depth--;
      }
    },
    permits: {
      insert(lane, spentAtMs, owner) {
        if (!Number.isInteger(spentAtMs)) throw new TypeError('A stamp is a whole number.');
        const permit: Permit = { id: nextId++, lane, spentAtMs, answeredAtMs: null, owner };
        rows.push(permit);
        outstanding.set(permit.id, permit);
        undo.push(() => {
          rows.pop();
          outstanding.delete(permit.id);
          nextId--;
        });
        return permit;
      },
      answer(id, atMs) {
        if (!Number.isInteger(atMs)) throw new TypeError('A stamp is a whole number.');
        const permit = outstanding.get(id);
        if (permit !== undefined) replace({ ...permit, answeredAtMs: atMs });
      },
      answerAllOf(owner, atMs) {
        for (const permit of [...outstanding.values()]) {
          if (permit.owner === owner) replace({ ...permit, answeredAtMs: atMs });
        }
      },
      after: (afterId) => rows.slice(indexAfter(afterId)),
      since: (sinceMs) =>
        rows.filter(
          (row) => row.answeredAtMs === null || row.spentAtMs >= sinceMs || row.answeredAtMs >= sinceMs,
        ),
      outstanding: () => [...outstanding.values()],
      prune(beforeMs) {
        const before = rows.length;
        rows = rows.filter((row) => row.answeredAtMs === null || row.answeredAtMs >= beforeMs);
        outstanding = new Map(rows.filter((row) => row.answeredAtMs === null).map((row) => [row.id, row]));
        return before - rows.length;
      },
      memory: () => (memory === null ? null : (JSON.parse(memory) as unknown)),
      remember(value) {
        const before = memory;
        memory = JSON.stringify(value);
        undo.push(() => {
          memory = before;
        });
      },
    },
  };
};
