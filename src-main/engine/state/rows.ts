// The one place that changes a row of the ledger: event, row, entries in one durable transaction. The feed notifies its
// listeners of the entries after the commit (feed.ts). The stages hear here that a row has entered one of their states.
import type { Feed } from '../shared/feed.ts';
import { joinPath } from '../shared/paths.ts';
import { isUndecided } from '../shared/waits.ts';
import type { Clock } from '../ports/ports.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Upload, UploadDraft } from '../ports/uploads.ts';
import type { UploadEvent } from './events.ts';
import { entriesOf, next } from './next.ts';
import { followRun } from './run.ts';
import type { EntryBody } from '../../contract/entries.ts';
import { isUnwanted, type UploadState } from '../../contract/model.ts';

/**
 * A row has entered another state, has another version in one that keeps it back, is wanted or not wanted any more, or
 * stays undecided. `before`, `by`: null for a new row.
 */
export type Move = { row: Upload; before: UploadState | null; by: UploadEvent['kind'] | null };

export type Rows = {
  /** The row as it is now, or 'stale' when it has moved on. Joins the caller's transaction. Throws `ledger`, `disk`. */
  apply(id: number, event: UploadEvent): Upload | 'stale';
  /** A new row. Joins the caller's transaction. Throws `ledger`, `disk`. */
  insert(draft: UploadDraft): Upload;
  /**
   * The listener is called for each move in this process, still within the transaction. So it only notes the row and
   * wakes its loop, which reads the row again.
   */
  onMove(hear: (move: Move) => void): void;
};

const isKeptBack = ({ state }: Upload): boolean => state.kind === 'held' || state.kind === 'skipped';

export const createRows = (options: {
  ledger: Pick<Ledger, 'uploads' | 'run' | 'atomically'>;
  clock: Pick<Clock, 'wallMs'>;
  feed: Pick<Feed, 'record' | 'statusChanged'>;
}): Rows => {
  const { ledger, clock, feed } = options;

  const listeners: ((move: Move) => void)[] = [];
  const moved = (row: Upload, before: Upload | null, by: Move['by']): void => {
    const isSame =
      row.state.kind === before?.state.kind &&
      [isUnwanted, isUndecided].every((is) => is(row.state) === is(before.state));
    if (isSame && !(isKeptBack(row) && row.stamp?.key !== before.stamp?.key)) return;
    for (const hear of listeners) hear({ row, before: before?.state ?? null, by });
  };

  const tell = (row: Upload, entries: readonly EntryBody[]): void => {
    const path = joinPath(row.dir, row.name);
    for (const entry of entries) feed.record(row.id, path, withLink(row, entry));
    if (entries.length === 0) feed.statusChanged();
  };

  /** The link that the content has already. */
  const withLink = (row: Upload, entry: EntryBody): EntryBody => {
    if (entry.kind !== 'skipped' || entry.rule !== 'already-shared' || row.sameAsId === null) return entry;
    const { publicLink = null, ends = null } = ledger.uploads.byId(row.sameAsId) ?? {};
    return publicLink === null ? entry : { ...entry, publicLink, expiresAtMs: ends?.atMs ?? null };
  };

  return {
    apply: (id, event) =>
      ledger.atomically(() => {
        const row = ledger.uploads.byId(id);
        const step = row === null ? 'stale' : next(row, event);
        if (row === null || step === 'stale') return 'stale';
        const changed = ledger.uploads.update(id, step.change, clock.wallMs());
        followRun(ledger.run, row, changed);
        tell(changed, step.entries);
        moved(changed, row, event.kind);
        return changed;
      }),
    insert: (draft) =>
      ledger.atomically(() => {
        const row = ledger.uploads.insert(draft, clock.wallMs());
        followRun(ledger.run, null, row);
        tell(row, entriesOf(row.state));
        moved(row, null, null);
        return row;
      }),
    onMove: (hear) => void listeners.push(hear),
  };
};
