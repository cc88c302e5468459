// Listens to what happens to uploads: to the engine of this process, or, as a guest, to the ledger that the running
// engine writes.
import type { ComposedEngine } from '../../compose.ts';
import type { Entry, Progress } from '../../contract/entries.ts';
import type { AppError } from '../../contract/errors.ts';

/** How often a guest looks at the ledger, only while its command runs. */
const lookEveryMs = 200;
const entriesAtOnce = 1000;

export type Hearing = {
  /** Changes arrive a moment later, bundled. This delivers at once what is in the ledger. */
  catchUp(): void;
  stop(): void;
};

export const hear = (
  composed: ComposedEngine,
  heard: {
    entries: (entries: readonly Entry[]) => void;
    progress: (progress: readonly Progress[]) => void;
    /** What is wrong with the disk or the data folder, whenever it may have changed; null: nothing. */
    trouble: (error: AppError | null) => void;
  },
): Hearing => {
  const { engine, ledger, isEngine } = composed;
  if (isEngine) {
    const stop = engine.listen((change) => {
      if (change.kind === 'entries') heard.entries(change.entries);
      else if (change.kind === 'progress') heard.progress(change.progress);
      else if (change.kind === 'status') heard.trouble(engine.trouble());
    });
    return { catchUp: () => engine.flush(), stop };
  }
  let seq = ledger.entries.lastSeq();
  const read = (): Entry[] => {
    try {
      return ledger.entries.after(seq, entriesAtOnce);
    } catch {
      // The disk failed; `trouble` reports that.
      return [];
    }
  };
  const catchUp = (): void => {
    const entries = read();
    seq = entries.at(-1)?.seq ?? seq;
    if (entries.length > 0) heard.entries(entries);
    heard.trouble(engine.trouble());
  };
  const timer = setInterval(catchUp, lookEveryMs);
  return { catchUp, stop: () => clearInterval(timer) };
};
