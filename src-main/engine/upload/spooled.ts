// Stage: owns the files of the spool. One is removed once its upload is over, and when no upload knows it: a process was
// killed before its file was complete.
import { bucketOf, type UploadState } from '../../contract/model.ts';
import { createLoop, type Loop } from '../shared/loop.ts';
import type { Core } from '../state/core.ts';

/** It waits for its turn, for a person or for a look at the service, and may be sent again. */
const isNeeded = (state: UploadState): boolean => ['waiting', 'held'].includes(bucketOf(state) ?? '');

export const createSpooled = ({ ports, rows, work }: Core): Pick<Loop, 'wake' | 'stop'> => {
  const { spool, ledger, log } = ports;

  /** A move was heard that no sweep has seen. */
  let isDue = false;

  const sweep = async (): Promise<void> => {
    isDue = false;
    for (const { dir, name, isGuarded } of await spool.list()) {
      const row = name === null ? null : ledger.uploads.presentAt(null, dir, name);
      // Its process is about to give it to the ledger.
      if (row === null ? isGuarded : isNeeded(row.state)) continue;
      await spool
        .remove(dir)
        .catch((error: unknown) => log.warn('spool not tidied', { error: String(error) }));
    }
  };

  const loop = createLoop({
    name: 'spool',
    ports,
    work,
    async turn() {
      await sweep();
      return null;
    },
  });
  rows.onMove(({ row }) => {
    if (spool.holds(row.dir) && !isNeeded(row.state)) {
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
        await sweep().catch((error: unknown) => log.warn('spool not tidied', { error: String(error) }));
    },
  };
};
