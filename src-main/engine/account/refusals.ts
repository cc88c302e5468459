// Whether a refusal of an upload, or a connection that breaks before its tail, concerns one file or all of them. It is
// learned from what passes (design/upload-protocol.md). What is refused now is stored for the next process.
import { mayBeOfOneFile } from '../../contract/errors.ts';
import type { Attempt } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';

export type Refused =
  /** Another file passed, or the same file was refused before: it is about this file. */
  | 'this-file'
  /** Not known yet: this file waits, and another one goes first. */
  | 'not-known'
  /** Several files are refused and none passes. */
  | 'all';

/** This many different files that are refused in a row are no coincidence of their names. */
const allFrom = 3;
/** A file is cut off this many times, and another one passes each time. Fewer times may be chance. */
const cutsFrom = 3;
/** More are not remembered: the oldest is forgotten and is only tried once more. */
const mostRemembered = 1000;

export type RefusedNow = { files: [uploadId: number, times: number][]; isAll: boolean };
type Memory = { load(): RefusedNow | null; save(now: RefusedNow | null): void };
const noMemory: Memory = { load: () => null, save: () => undefined };

export const createRefusals = (memory = noMemory) => {
  /** Files that were refused since a file passed, and how often. */
  const open = new Map<number, number>();
  let isLoaded = false;
  /** Files that were refused before another file passed. */
  const alone = new Set<number>();
  /** Files that were cut off: how often while others passed, and how many files had passed the last time. */
  const cuts = new Map<number, { times: number; passes: number }>();
  let isAll = false;
  let passes = 0;
  /** A file has passed since the last one was cut off. */
  let isPassing = false;

  const forget = (ids: Pick<Set<number>, 'size' | 'keys' | 'delete'>): void => {
    for (const id of ids.keys()) {
      if (ids.size <= mostRemembered) return;
      ids.delete(id);
    }
  };

  const load = (): void => {
    if (isLoaded) return;
    isLoaded = true;
    const before = memory.load();
    for (const [id, times] of before?.files ?? []) open.set(id, times);
    isAll = before?.isAll ?? false;
  };
  const save = (): void => memory.save(open.size > 0 || isAll ? { files: [...open], isAll } : null);

  return {
    /** Enough files were refused to show that it concerns all, and none has passed since. */
    isAll(): boolean {
      load();
      return isAll;
    },
    passed(uploadId: number): void {
      load();
      const isKnown = open.size > 0 || isAll;
      for (const id of open.keys()) alone.add(id);
      open.clear();
      isAll = false;
      isPassing = true;
      passes += 1;
      alone.delete(uploadId);
      cuts.delete(uploadId);
      forget(alone);
      if (isKnown) save();
    },
    /** Something before the service refused it, while the statistics are fine. */
    refused(uploadId: number): Refused {
      load();
      if (isAll) return 'all';
      const times = (open.get(uploadId) ?? 0) + 1;
      open.set(uploadId, times);
      if (alone.delete(uploadId)) return 'this-file';
      isAll = open.size >= allFrom;
      if (isAll) open.clear();
      save();
      if (isAll) return 'all';
      return times >= 2 ? 'this-file' : 'not-known';
    },
    /** The service itself may have refused it. That concerns all files until another one passes. */
    denied(uploadId: number): void {
      load();
      if (!alone.has(uploadId)) open.set(uploadId, (open.get(uploadId) ?? 0) + 1);
    },
    /** It was denied again after another file passed, and no other one was refused since. */
    isOnlyThis: (uploadId: number): boolean => alone.has(uploadId) && open.size === 0,
    /** No usable answer came before its tail. */
    cut(uploadId: number): 'this-file' | 'all' {
      const before = cuts.get(uploadId);
      const others = before !== undefined && passes > before.passes ? 1 : 0;
      const times = (before?.times ?? 0) + others;
      cuts.set(uploadId, { times, passes });
      forget(cuts);
      isPassing = false;
      return times >= cutsFrom ? 'this-file' : 'all';
    },
    /** Whether another file goes first. What the ledger keeps decides it, so it also holds after a restart. */
    goesLast: ({ attempts }: Pick<Upload, 'attempts'>, last: Pick<Attempt, 'status'> | undefined): boolean =>
      mayBeOfOneFile(last?.status ?? null) || (attempts >= 2 && !isPassing),
  };
};

export type Refusals = ReturnType<typeof createRefusals>;
