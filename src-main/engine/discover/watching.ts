// The watched folders over time. Each has a post: it is opened, watched, lost and back. It is scanned at the start,
// every hour, and every 30 s if the watches of the system do not cover it.
import { toAppError, type AppError } from '../../contract/errors.ts';
import type { Core } from '../state/core.ts';
import {
  lookForReturn,
  openFolder,
  rulesNow,
  whyUnavailable,
  type ActiveFolder,
  type Existing,
} from '../shared/folder.ts';
import { createLoop } from '../shared/loop.ts';
import type { Ports, Sighting } from '../ports.ts';

export type Health = { kind: 'off' | 'live' | 'degraded' | 'lost'; message: string | null };

/** What is still to be looked at in a folder. `dirty`: names by folder; null: all of it. */
export type Marks = {
  dirty: Map<string, Set<string> | null>;
  scanWanted: boolean;
  /** Monotonic; null before the first scan. */
  lastScanAtMs: number | null;
};

/** One watched folder. It may be missing now. */
export type Post = {
  folder: ActiveFolder;
  marks: Marks;
  health(): Health;
};

export type Watching = {
  /** In the order in which they were opened. */
  posts(): readonly Post[];
  /** The folders that are watched and there. */
  active(): Post[];
  /** The folder with this id, if it is watched and there. */
  activeOf(folderId: number | null): ActiveFolder | null;
  /** Of all folders together: lost only when all of them are. */
  health(): Health;
  /**
   * Starts the watch first and the scan after it, so no file is missed in between. For a new folder it resolves when
   * the baseline is done. Throws `folder-unavailable`.
   */
  open(path: string, existing: Existing): Promise<void>;
  /** Settings changed: patterns take effect at once, by a scan. */
  rulesChanged(): Promise<void>;
  /** Takes over rules of single folders that another command or process has written into the ledger. */
  hearOwnRules(): void;
  /** Folders may be gone: checks them now. */
  check(): void;
  /** This folder is not watched any more. */
  close(path: string): Promise<void>;
  stop(): Promise<void>;
};

/** A scan finds files whose hints were lost. Jitter keeps many machines from scanning at the same moment. */
const scanEveryMs = 3_600_000;
const degradedScanEveryMs = 30_000;
/** A missing folder is looked for again after this time. */
export const lostCheckMs = 30_000;
const baselineCheckMs = 20;

/** The reason and the remedy while the watching process has to scan instead. Null: its watches are enough. */
export const degradedMessage = ({ ledger }: Pick<Ports, 'ledger'>): string | null =>
  ledger.facts.get('watch-degraded')?.value ?? null;

/** The part of discovery that looks at the folders. */
export type Lookout = {
  sighted(marks: Marks, batch: readonly Sighting[]): void;
  /** There is something to look at. */
  wake(): void;
  /** Takes up the rows that settle, from an earlier run or from another process. */
  resume(): void;
};

type OpenPost = Post & {
  begin(): Promise<void>;
  rulesChanged(): Promise<void>;
  check(): void;
  close(): Promise<void>;
  stop(): Promise<void>;
};

export const createWatching = (core: Core, lookout: Lookout): Watching => {
  const { ports } = core;
  /** By path. */
  const posts = new Map<string, OpenPost>();
  /** The value in the ledger. Undefined: not known yet. */
  let told: string | null | undefined;

  const degraded = (): Health | undefined =>
    [...posts.values()].map((post) => post.health()).find(({ kind }) => kind === 'degraded');

  /** Stores the message in the ledger, where other processes read it. */
  const tellOthers = (): void => {
    const message = degraded()?.message ?? null;
    if (message === told) return;
    if (message !== null) ports.ledger.facts.set('watch-degraded', message, ports.clock.wallMs());
    else if (degradedMessage(ports) !== null) ports.ledger.facts.remove('watch-degraded');
    told = message;
  };

  const isThere = (post: Post): boolean => post.health().kind !== 'lost';
  const close = async (path: string): Promise<void> => {
    const post = posts.get(path);
    posts.delete(path);
    await post?.close();
  };

  return {
    posts: () => [...posts.values()],
    active: () => [...posts.values()].filter(isThere),
    activeOf(folderId) {
      for (const post of posts.values())
        if (post.folder.row.id === folderId) return isThere(post) ? post.folder : null;
      return null;
    },
    health() {
      const [first, ...others] = posts.values();
      if (first === undefined) return { kind: 'off', message: null };
      return (
        degraded() ??
        others.map((post) => post.health()).find(({ kind }) => kind !== 'lost') ??
        first.health()
      );
    },
    async open(path, existing) {
      const folder = await openFolder(ports, path, existing);
      await close(path);
      const post = createPost(core, folder, { ...lookout, tellOthers });
      posts.set(path, post);
      try {
        await post.begin();
      } catch (error) {
        if (posts.get(path) === post) await close(path);
        throw error;
      }
    },
    async rulesChanged() {
      await Promise.all([...posts.values()].map((post) => post.rulesChanged()));
    },
    hearOwnRules() {
      for (const post of posts.values()) {
        const { row } = post.folder;
        const own = ports.ledger.folders.byId(row.id)?.own ?? row.own;
        if (JSON.stringify(own) === JSON.stringify(row.own)) continue;
        post.folder.row = { ...row, own };
        void post.rulesChanged();
      }
    },
    check() {
      for (const post of posts.values()) post.check();
    },
    close,
    async stop() {
      await Promise.all([...posts.values()].map((post) => post.stop()));
    },
  };
};

const createPost = (
  { ports, feed, work }: Core,
  folder: ActiveFolder,
  { sighted, wake, resume, tellOthers }: Lookout & { tellOthers: () => void },
): OpenPost => {
  const { clock, chance, log } = ports;
  const { signal } = work;
  const marks: Marks = { dirty: new Map(), scanWanted: false, lastScanAtMs: null };
  let isOpen = true;
  const isWanted = (): boolean => isOpen;
  let health: Health = { kind: 'off', message: null };
  let watch: { stop(): Promise<void> } | null = null;
  let ending = new AbortController();
  let isRecursive = true;
  /** The system's message about its watches that is not yet in the activity list. */
  let unrecorded: string | null = null;

  const requestScan = (): void => {
    marks.scanWanted = true;
    wake();
  };

  const startWatch = async (): Promise<void> => {
    ending = new AbortController();
    const before = health;
    health = { kind: 'live', message: null };
    isRecursive = folder.rules.recursive;
    const starting = ports.watch.start({
      root: folder.row.path,
      recursive: isRecursive,
      sighted: (batch) => sighted(marks, batch),
      health: (now) => {
        if (health.kind === 'lost') return;
        if (now.kind === 'degraded' && health.kind !== 'degraded') unrecorded = now.message;
        health = now.kind === 'degraded' ? now : { kind: 'live', message: null };
        loop.wake();
      },
      signal: AbortSignal.any([signal, ending.signal]),
    });
    watch = await starting.catch((error: unknown) => {
      // The watch did not start. The former state returns, so the loop tries again.
      health = before;
      throw error;
    });
    // The folder was closed meanwhile.
    if (!isWanted()) await endWatch();
  };

  const endWatch = async (): Promise<void> => {
    ending.abort();
    await watch?.stop();
    watch = null;
  };

  /** Done in the loop, not in the watch callback: a write may fail on a full disk, and only the loop tries again. */
  const recordDegraded = (): void => {
    if (unrecorded === null) return;
    feed.record(null, folder.row.path, { kind: 'watch-degraded', message: unrecorded });
    unrecorded = null;
  };

  /** The user may have accepted the folder that is there now in another process. */
  const hearChosenAgain = (): void => {
    const row = ports.ledger.folders.byId(folder.row.id);
    if (row === null) return;
    if (row.identity === folder.row.identity && row.chosenAtMs === folder.row.chosenAtMs) return;
    folder.row = row;
    folder.isBaseline = !row.baselineDone;
    folder.existing = 'skip';
  };

  const problemNow = async (): Promise<AppError | null> => {
    if (health.kind !== 'lost') return whyUnavailable(ports.files, folder.row);
    const now = await lookForReturn(ports, folder.row);
    if ('problem' in now) return now.problem;
    folder.row = now.row;
    return null;
  };

  const turn = async (): Promise<number | null> => {
    tellOthers();
    if (!isWanted()) return null;
    const { path } = folder.row;
    recordDegraded();
    if (health.kind === 'lost') hearChosenAgain();
    const problem = await problemNow();
    if (!isWanted()) return null;
    if (problem !== null) {
      if (health.kind !== 'lost') {
        const message = `${problem.message} ${problem.remedy}`;
        feed.record(null, path, { kind: 'folder-lost', folder: path, message });
        health = { kind: 'lost', message };
        await endWatch();
      }
      return lostCheckMs;
    }
    if (health.kind === 'lost') {
      await startWatch();
      requestScan();
      feed.record(null, path, { kind: 'folder-back', folder: path });
      return scanEveryMs;
    }
    const everyMs = health.kind === 'degraded' ? degradedScanEveryMs : scanEveryMs * (0.9 + 0.2 * chance());
    const waitMs = (marks.lastScanAtMs ?? clock.monoMs()) + everyMs - clock.monoMs();
    if (waitMs > 0) return waitMs;
    requestScan();
    return everyMs;
  };
  const loop = createLoop({ name: 'folder', ports, work, turn });

  const baselineDone = (): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (signal.aborted || !isOpen || !folder.isBaseline || health.kind === 'lost') resolve();
        else clock.after(baselineCheckMs, check);
      };
      check();
    });

  return {
    folder,
    marks,
    health: () => health,
    async begin() {
      // The settings may have changed while the folder was opened.
      Object.assign(folder, rulesNow(ports, folder.row));
      await startWatch();
      requestScan();
      resume();
      loop.wake();
      await baselineDone();
    },
    async rulesChanged() {
      try {
        // The new rules hold before any access to the disk. A slow or missing disk would keep the old rules in force.
        Object.assign(folder, rulesNow(ports, folder.row));
        folder.judgesAgain = true;
        requestScan();
        if (folder.rules.recursive !== isRecursive && health.kind !== 'lost') {
          await endWatch();
          await startWatch();
          requestScan();
        }
      } catch (error) {
        log.warn('rules not taken over', { code: toAppError(error).code });
      }
    },
    check: loop.wake,
    async close() {
      isOpen = false;
      loop.wake();
      await endWatch();
    },
    async stop() {
      await endWatch();
      await loop.stop();
    },
  };
};
