// Stage: owns the files of the spool. A file is removed once its upload is over. It is also removed if no upload has
// it, because a process was killed before the file was complete.
import { bucketOf, type UploadState } from '../../contract/model.ts';
import type { Upload } from '../ports/uploads.ts';
import { createLoop, type Loop } from '../shared/loop.ts';
import type { Core } from '../state/core.ts';

/** It waits for its turn, for a person or for a look at the service, and may be sent again. */
const isNeeded = (state: UploadState): boolean => ['waiting', 'held'].includes(bucketOf(state) ?? '');

/** A file that was left out stays as long as a person may take that back: the window offers it for 12 s. */
const undoMs = 60_000;
const isLeftOut = ({ state }: Upload): boolean => state.kind === 'skipped' && state.rule === 'cancelled';

export const createSpooled = ({ ports, rows, work }: Core): Pick<Loop, 'wake' | 'stop'> => {
  const { spool, ledger, log, clock } = ports;

  /** A file has to be removed that no sweep has removed yet. */
  let isDue = false;
  /** The upload for which a file was made, by the file's folder. The file may be missing there. */
  const madeFor = new Map<string, number>();

  /** A person's no belongs to its content, which is still to be read (candidate/noter.ts). */
  const isUnread = (row: Upload): boolean => isLeftOut(row) && row.sha256 === null && row.stamp !== null;

  /** Milliseconds; 0: it can be removed. */
  const keptForMs = (row: Upload): number => {
    if (isNeeded(row.state) || isUnread(row)) return Infinity;
    return isLeftOut(row) ? Math.max(0, row.changedAtMs + undoMs - clock.wallMs()) : 0;
  };

  /** Returns milliseconds until another file can be removed; null: when something happens. */
  const sweep = async (isLast: boolean): Promise<number | null> => {
    isDue = false;
    let nextMs = Infinity;
    for (const { dir, name, isGuarded } of await spool.list()) {
      const row =
        name === null
          ? ledger.uploads.byId(madeFor.get(dir) ?? 0)
          : ledger.uploads.presentAt(null, dir, name);
      // A file without a row stays while its process runs: that is about to record it.
      const keptMs = row !== null ? keptForMs(row) : isGuarded ? Infinity : 0;
      if (isLast ? keptMs === Infinity : keptMs > 0) {
        // No event says that its content was read.
        nextMs = Math.min(nextMs, row !== null && isUnread(row) ? undoMs : keptMs);
        continue;
      }
      await spool
        .remove(dir)
        .then(() => void madeFor.delete(dir))
        .catch((error: unknown) => log.warn('spool not tidied', { error: String(error) }));
    }
    if (nextMs === Infinity) return null;
    isDue = true;
    return nextMs;
  };

  const loop = createLoop({
    name: 'spool',
    ports,
    work,
    turn: () => sweep(false),
  });
  rows.onMove(({ row }) => {
    if (!spool.holds(row.dir)) return;
    madeFor.set(row.dir, row.id);
    if (!isNeeded(row.state)) {
      isDue = true;
      loop.wake();
    }
  });

  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      // The command ends with its upload.
      if (isDue)
        await sweep(true).catch((error: unknown) => log.warn('spool not tidied', { error: String(error) }));
    },
  };
};
