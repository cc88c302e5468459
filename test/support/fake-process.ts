// A process that can be killed at any durable point. It sees the world through wrappers: after the kill its timers
// do not fire, its connections are cut, and the ledger refuses it, while everything it had committed stays.
import { AppError } from '../../src-main/contract/errors.ts';
import type { Api } from '../../src-main/engine/ports/api.ts';
import type { Clock } from '../../src-main/engine/ports/ports.ts';
import type { Ledger } from '../../src-main/engine/ports/ledger.ts';

export type Life = {
  /** Commits so far. */
  commits(): number;
  isOver(): boolean;
  /** Resolves when it is killed: what it was doing then never ends. */
  over: Promise<void>;
  kill(): void;
  /** Kills just before, or just after, the n-th commit from now (from 1). */
  killAt(commit: number, when: 'before' | 'after'): void;
  /** While true the disk is full: reading works, writing does not. */
  fillDisk(full: boolean): void;
  isFull(): boolean;
  /** The data folder is deleted, or replaced by another one: nothing that is written is kept. */
  loseFolder(): void;
  clock(clock: Clock): Clock;
  ledger(ledger: Ledger): Ledger;
  api(api: Api): Api;
};

const writes = new Set(
  'insert update committing end answer answerAllOf prune remember saw markGone removeGone add set remove'.split(
    ' ',
  ),
);

export const createLife = (): Life => {
  const end = new AbortController();
  const over = new Promise<void>((resolve) => end.signal.addEventListener('abort', () => resolve()));
  let commits = 0;
  let depth = 0;
  let fault: AppError | null = null;
  let trouble: AppError | null = null;
  const listeners = new Set<() => void>();
  const setTrouble = (next: AppError | null): void => {
    if (next?.storage === trouble?.storage) return;
    trouble = next;
    for (const hear of listeners) hear();
  };
  let doom: { commit: number; when: 'before' | 'after' } | null = null;

  const assertAlive = (): void => {
    if (end.signal.aborted) throw new AppError('internal', 'This process was killed.');
  };
  const isDoomed = (when: 'before' | 'after'): boolean => doom?.commit === commits && doom.when === when;
  const commit = <T>(act: () => T): T => {
    assertAlive();
    if (depth > 0) return act();
    depth += 1;
    try {
      commits += 1;
      if (fault !== null) {
        setTrouble(fault);
        throw fault;
      }
      if (isDoomed('before')) end.abort();
      assertAlive();
      const result = act();
      if (isDoomed('after')) end.abort();
      return result;
    } finally {
      depth -= 1;
      // A process that was killed by now gets no more results, not even that of its commit.
      assertAlive();
    }
  };

  const table = <T extends object>(inner: T): T => {
    /** By name: what it wraps, since a test may put another one in its place. */
    const wrapped = new Map<string | symbol, { value: unknown; as: unknown }>();
    const wrap = (name: string | symbol, value: unknown): unknown => {
      if (typeof value !== 'function') return value;
      const isWrite = writes.has(String(name));
      return (...given: unknown[]): unknown => {
        assertAlive();
        return isWrite
          ? commit((): unknown => Reflect.apply(value, inner, given))
          : Reflect.apply(value, inner, given);
      };
    };
    return new Proxy(inner, {
      get(_, name) {
        const value: unknown = Reflect.get(inner, name);
        const known = wrapped.get(name);
        if (known !== undefined && known.value === value) return known.as;
        const as = wrap(name, value);
        wrapped.set(name, { value, as });
        return as;
      },
    });
  };

  return {
    commits: () => commits,
    isOver: () => end.signal.aborted,
    over,
    kill: () => end.abort(),
    killAt(count, when) {
      doom = { commit: commits + count, when };
    },
    fillDisk(full) {
      if (fault?.storage === 'gone') return;
      fault = full ? new AppError('disk', 'The disk is full.', 'Free space.', { storage: 'full' }) : null;
    },
    isFull: () => fault !== null,
    loseFolder() {
      fault = new AppError('ledger', 'The data folder was deleted.', 'Put it back.', { storage: 'gone' });
    },
    clock: (clock) => ({
      ...clock,
      after: (delayMs, act) =>
        clock.after(delayMs, () => {
          if (!end.signal.aborted) act();
        }),
    }),
    ledger: (ledger) => ({
      atomically: (act) => commit(() => ledger.atomically(act)),
      uploads: table(ledger.uploads),
      views: table(ledger.views),
      accounts: table(ledger.accounts),
      attempts: table(ledger.attempts),
      permits: table(ledger.permits),
      remote: table(ledger.remote),
      entries: table(ledger.entries),
      facts: table(ledger.facts),
      folders: table(ledger.folders),
      decisions: table(ledger.decisions),
      bundled: table(ledger.bundled),
      run: table(ledger.run),
      watched: table(ledger.watched),
      reports: table(ledger.reports),
      trouble: () => trouble,
      onTrouble: (hear) => {
        listeners.add(hear);
        return () => listeners.delete(hear);
      },
      probe: () => {
        commit(() => undefined);
        setTrouble(null);
      },
      close: () => undefined,
    }),
    api: (api) => {
      const cut = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, end.signal]);
      return {
        ...api,
        upload: (request) => api.upload({ ...request, signal: cut(request.signal) }),
        list: (query, signal) => api.list(query, cut(signal)),
        info: (fileId, signal) => api.info(fileId, cut(signal)),
        remove: (fileId, signal, mark) => api.remove(fileId, cut(signal), mark),
        stats: (signal) => api.stats(cut(signal)),
        digestOfLink: (link, sizeBytes, signal) => api.digestOfLink(link, sizeBytes, cut(signal)),
        isSaneLink: (link) => api.isSaneLink(link),
      };
    },
  };
};
