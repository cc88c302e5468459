// The feed writes an entry to the ledger first. It notifies the listeners after the commit, so they never hear of an
// entry that was rolled back. Changes are numbered without gaps. Progress is bundled to at most ten messages a second
// and never stored.
import type { Change, Transport } from '../../contract/client.ts';
import type { Entry, EntryBody, Packing, Progress } from '../../contract/entries.ts';
import { toAppError } from '../../contract/errors.ts';
import type { EngineStatus } from '../../contract/model.ts';
import type { Clock } from '../ports/ports.ts';
import type { Ledger } from '../ports/ledger.ts';

const bundleMs = 100;
/** More entries than this in one bundle are sent in several changes, so that no message is huge. */
const entriesPerChange = 500;
/** Entries kept in the ledger: weeks of normal use, a few MiB. */
const keptEntries = 50_000;
const pruneEvery = 5000;

/** The status has many parts: only a listener that shows it reads it. */
export type FeedChange = Exclude<Change, { kind: 'status' }> | { seq: number; kind: 'status' };

export const createFeed = (options: {
  clock: Clock;
  ledger: Pick<Ledger, 'entries'>;
  /** Called for each entry, within its transaction. */
  recorded?: (entry: Entry) => void;
}) => {
  const { clock, ledger } = options;
  const listeners = new Set<(change: FeedChange) => void>();
  let seq = 0;
  /** The newest entry that listeners know of. */
  let toldSeq = 0;
  let statusIsStale = false;
  let filesAreStale = false;
  let disarm: (() => void) | null = null;
  /** By upload: what is newer than the upload's last entry. */
  const progress = new Map<number, Progress>();
  let packings: readonly Packing[] | null = null;

  const tell = (change: (seq: number) => FeedChange): void => {
    seq += 1;
    const made = change(seq);
    for (const hear of listeners) hear(made);
  };

  const flush = (): void => {
    if (disarm === null) return;
    disarm();
    disarm = null;
    for (;;) {
      const part = entriesAfter(ledger, toldSeq);
      const last = part.at(-1);
      if (last === undefined) break;
      toldSeq = last.seq;
      filesAreStale = false;
      tell((at) => ({ seq: at, kind: 'entries', entries: part }));
    }
    if (filesAreStale) {
      filesAreStale = false;
      tell((at) => ({ seq: at, kind: 'entries', entries: [] }));
    }
    if (progress.size > 0) {
      const part = [...progress.values()];
      progress.clear();
      tell((at) => ({ seq: at, kind: 'progress', progress: part }));
    }
    if (packings !== null) {
      const now = packings;
      packings = null;
      tell((at) => ({ seq: at, kind: 'packing', packings: now }));
    }
    if (statusIsStale) {
      statusIsStale = false;
      tell((at) => ({ seq: at, kind: 'status' }));
    }
  };

  const soon = (): void => {
    if (listeners.size === 0) {
      progress.clear();
      packings = null;
      statusIsStale = false;
      filesAreStale = false;
      return;
    }
    disarm ??= clock.after(bundleMs, flush);
  };

  return {
    /** Stores the entry (inside the caller's transaction, if any) and notifies the listeners soon. */
    record(uploadId: number | null, path: string | null, body: EntryBody): Entry {
      const entry = ledger.entries.add(uploadId, path, body, clock.wallMs());
      options.recorded?.(entry);
      if (uploadId !== null) progress.delete(uploadId);
      if (entry.seq % pruneEvery === 0) ledger.entries.prune(keptEntries);
      statusIsStale = true;
      soon();
      return entry;
    },
    progress(one: Progress): void {
      progress.set(one.uploadId, one);
      soon();
    },
    packing(now: readonly Packing[]): void {
      packings = now;
      soon();
    },
    /** Something that the status shows has changed. */
    statusChanged(): void {
      statusIsStale = true;
      soon();
    },
    /** What is known of the files of the account has changed, and perhaps no entry reports it. */
    filesChanged(): void {
      statusIsStale = true;
      filesAreStale = true;
      soon();
    },
    settingsChanged(): void {
      tell((at) => ({ seq: at, kind: 'settings' }));
    },
    listen(hear: (change: FeedChange) => void): () => void {
      if (listeners.size === 0) toldSeq = ledger.entries.lastSeq();
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
      };
    },
    seq: (): number => seq,
    /** Sends what is still bundled. */
    flush,
  };
};

export type Feed = ReturnType<typeof createFeed>;

export const withStatus =
  ({ listen, status }: Pick<Feed, 'listen'> & { status: () => EngineStatus }): Transport['listen'] =>
  (hear) =>
    listen((change) => hear(change.kind === 'status' ? { ...change, status: status() } : change));

/** If the ledger cannot be read, the listeners get the entries later. */
const entriesAfter = ({ entries }: Pick<Ledger, 'entries'>, seq: number): Entry[] => {
  try {
    return entries.after(seq, entriesPerChange);
  } catch (error) {
    if (toAppError(error).storage === undefined) throw error;
    return [];
  }
};
