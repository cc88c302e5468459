// Keeps a window in step with the engine: one snapshot, then numbered changes; a gap in the numbers means a new
// snapshot. Pure except for the two functions it is given.
import type { Change } from '../../src-main/contract/client.ts';

export type SyncPorts<Snapshot extends { seq: number }> = {
  snapshot(): Promise<Snapshot>;
  /** Everything derived from earlier changes is out of date and must be read again. */
  start(snapshot: Snapshot): void;
  apply(change: Change): void;
  failed(error: unknown): void;
};

export type Sync = {
  hear(change: Change): void;
  /** Takes a snapshot now: at the start, and by hand after a failure. */
  restart(): Promise<void>;
};

/** Changes that arrive during a snapshot are kept, up to this many: after more, it must be taken again anyway. */
const KEPT_CHANGES = 1_000;

export const createSync = <Snapshot extends { seq: number }>(ports: SyncPorts<Snapshot>): Sync => {
  let seq: number | null = null;
  let taking = false;
  let kept: Change[] = [];

  const take = async (): Promise<void> => {
    if (taking) return;
    taking = true;
    seq = null;
    try {
      const snapshot = await ports.snapshot();
      seq = snapshot.seq;
      ports.start(snapshot);
    } catch (error) {
      ports.failed(error);
    } finally {
      taking = false;
    }
    const late = kept;
    kept = [];
    for (const change of late) hear(change);
  };

  const hear = (change: Change): void => {
    if (taking) {
      if (kept.length < KEPT_CHANGES) kept.push(change);
      return;
    }
    if (seq !== null && change.seq <= seq) return;
    if (seq === null || change.seq !== seq + 1) {
      void take();
      return;
    }
    seq = change.seq;
    ports.apply(change);
  };

  return { hear, restart: take };
};
