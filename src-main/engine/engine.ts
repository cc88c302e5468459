// The engine: joins the stages. Read this file first.
//
//   sighting → settle → intake → queue → limiter → worker → ledger → feed
//   (arrivals.ts: the first three)  (queue.ts: the next three)
//
// A hint or a scan becomes a row (arrivals), a row becomes ready once its file is stable and allowed, the queue takes
// ready rows when the limiter and the gate let it, the worker sends one file, the ledger has every step before
// anything is believed, and the feed tells window, tray and command. The looker resolves what a lost answer left.
import type { Change } from '../contract/client.ts';
import type { Handlers } from '../contract/commands.ts';
import { toAppError } from '../contract/errors.ts';
import { noCounts, type EngineStatus } from '../contract/model.ts';
import { createAccount } from './account.ts';
import { createArrivals } from './arrivals.ts';
import { createAsk } from './ask.ts';
import { createFeed } from './feed.ts';
import { openFolder, whyUnavailable, type ActiveFolder, type Existing } from './folder.ts';
import { accountHandlers } from './handlers/account.ts';
import { filesHandlers } from './handlers/files.ts';
import { folderHandlers } from './handlers/folder.ts';
import type { Kit } from './handlers/kit.ts';
import { overviewHandlers } from './handlers/overview.ts';
import { queueHandlers } from './handlers/queue.ts';
import { createLimiter } from './limiter/limiter.ts';
import { createLister } from './listing.ts';
import { createLooker } from './looker.ts';
import { createLoop } from './loop.ts';
import { outlook } from './outlook.ts';
import type { Ports, Upload } from './ports.ts';
import { createQueue, type QueueOrder } from './queue.ts';
import { recover } from './recover.ts';
import { uploadView } from './views.ts';
import { createWorker } from './worker.ts';

export type Engine = {
  handlers: Handlers;
  listen(hear: (change: Change) => void): () => void;
  status(): EngineStatus;
  /**
   * Recovers, then works until `stop`. `folder`: the folder to watch, null for none (files given by hand still go
   * up). Resolves once the folder's first scan is done. Throws `folder-unavailable` for a folder that is not there.
   */
  start(options: { folder: string | null; existing: Existing }): Promise<void>;
  /** Nothing is under way and nothing can move now: what is left waits for time, a person, or the network. */
  isStill(): boolean;
  /** The ledger or the settings were changed by a command, perhaps in another process. */
  nudge(): void;
  /** How often in a row the service could not be asked. */
  streak(): number;
  /** Only these uploads may go, as for `outtray upload`; null: all. */
  restrictTo(ids: ReadonlySet<number> | null): void;
  /** Milliseconds until the limiter lets the next upload go; null: now. */
  waitMs(): number | null;
  /** Stops sending before the tail, waits for answers that are due, closes the watch. */
  stop(): Promise<void>;
};

/** A scan makes up for hints that were lost; hourly, with jitter so that machines do not do it together. */
const scanEveryMs = 3_600_000;
/** Without enough watches everything is found by scanning. */
const degradedScanEveryMs = 30_000;
/** A folder that is not there is asked for again. */
const lostCheckMs = 30_000;

export const createEngine = (options: {
  ports: Ports;
  /** Who spends permits: `engine:…` for the holder of the engine lock, anything else for a guest. */
  owner: string;
  /** Tells another process that holds the engine about changed rows; a no-op when this one runs. */
  nudgeOthers: () => void;
}): Engine => {
  const { ports } = options;
  const { ledger, clock, chance, log, settings } = ports;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = false;
  let active: ActiveFolder | null = null;
  let watching: { stop(): Promise<void> } | null = null;
  let health: { kind: 'off' | 'live' | 'degraded' | 'lost'; message: string | null } = {
    kind: 'off',
    message: null,
  };
  let watchGeneration = new AbortController();

  const account = createAccount(ledger, clock, () => settings.current());
  const limiter = createLimiter({
    clock,
    chance,
    ledger,
    owner: options.owner,
    rules: () => account.rules(),
    backlog: () => ledger.uploads.countInState('ready'),
  });
  const ask = createAsk(limiter, () => ports.keys.require());
  const feed = createFeed({ clock, ledger, status: (seq) => status(seq) });
  const lister = createLister(ports, ask);
  const unit = () => account.unit();
  const worker = createWorker({
    ports,
    limiter,
    feed,
    unit,
    learn: (bytes, receipt) => account.learn(bytes, receipt),
  });

  const arrivals = createArrivals({
    ports,
    feed,
    account,
    folder: () => (health.kind === 'lost' ? null : active),
    ready: () => queue.wake(),
    lost: () => folderLoop.wake(),
    wake: () => arrivalsLoop.wake(),
  });
  const arrivalsLoop = createLoop({
    name: 'arrivals',
    clock,
    log,
    signal,
    turn: () => (running ? arrivals.turn(signal) : Promise.resolve(null)),
  });

  const queue = createQueue({
    ports,
    limiter,
    worker,
    account,
    ask,
    feed,
    signal,
    isRunning: () => running,
    rootOf: (folderId) => (folderId === null ? null : (ledger.folders.byId(folderId)?.path ?? null)),
    lookAgain: (upload) => arrivals.lookAgain(upload),
    becameUncertain: () => looker.wake(),
    order: () => order(),
  });

  const looker = createLooker({
    ports,
    ask,
    account,
    lister,
    feed,
    signal,
    mayAsk: () => running && queue.gate().kind === 'open' && queue.pause() === null,
    ready: () => {
      arrivals.resume();
      arrivalsLoop.wake();
      queue.wake();
    },
  });

  const order = (): QueueOrder => {
    const value = ledger.facts.get('order')?.value;
    return value === 'newest' || value === 'smallest' ? value : 'arrival';
  };

  // ---------------------------------------------------------------- the folder

  const watch = async (folder: ActiveFolder): Promise<void> => {
    watchGeneration = new AbortController();
    health = { kind: 'live', message: null };
    watching = await ports.watch.start({
      root: folder.row.path,
      recursive: settings.current().recursive,
      enter: () => true,
      sighted: (batch) => arrivals.sighted(batch),
      health: (now) => {
        if (now.kind === 'degraded' && health.kind !== 'degraded') {
          feed.record(null, folder.row.path, { kind: 'watch-degraded', message: now.message });
        }
        if (health.kind !== 'lost') health = now.kind === 'live' ? { kind: 'live', message: null } : now;
        folderLoop.wake();
      },
      signal: AbortSignal.any([signal, watchGeneration.signal]),
    });
  };

  const unwatch = async (): Promise<void> => {
    watchGeneration.abort();
    await watching?.stop();
    watching = null;
  };

  /** Watch first, scan after: what arrives in between is seen by one of the two. */
  const open = async (path: string, existing: Existing): Promise<void> => {
    const folder = await openFolder(ports, path, settings.current(), existing);
    await unwatch();
    active = folder;
    await watch(folder);
    arrivals.requestScan();
    arrivals.resume();
    await scanned();
  };

  const scanned = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (signal.aborted || active === null || !active.isBaseline) resolve();
        else clock.after(20, check);
      };
      check();
    });
  };

  const folderTurn = async (): Promise<number | null> => {
    if (!running || active === null) return null;
    const problem = await whyUnavailable(ports.files, active);
    if (problem !== null) {
      if (health.kind !== 'lost') {
        health = { kind: 'lost', message: problem.message };
        feed.record(null, active.row.path, {
          kind: 'folder-lost',
          folder: active.row.path,
          message: problem.message,
        });
        await unwatch();
      }
      return lostCheckMs;
    }
    if (health.kind === 'lost') {
      feed.record(null, active.row.path, { kind: 'folder-back', folder: active.row.path });
      await watch(active);
      arrivals.requestScan();
    }
    const everyMs = health.kind === 'degraded' ? degradedScanEveryMs : scanEveryMs * (0.9 + 0.2 * chance());
    const lastMs = arrivals.lastScanAtMs() ?? clock.monoMs();
    const waitMs = lastMs + everyMs - clock.monoMs();
    if (waitMs > 0) return waitMs;
    arrivals.requestScan();
    return everyMs;
  };
  const folderLoop = createLoop({ name: 'folder', clock, log, signal, turn: folderTurn });

  const folderId = (): number | null => {
    if (active !== null) return active.row.id;
    const { folder } = settings.current();
    return folder === null ? null : (ledger.folders.byPath(folder)?.id ?? null);
  };

  const chooseFolder = async (path: string, existing: Existing): Promise<void> => {
    await settings.set('folder', path);
    if (running) await open(path, existing);
    else if (existing !== 'skip') {
      // Nothing runs here: whoever starts next must know what was wanted.
      ledger.facts.set('existing', { folder: path, existing }, clock.wallMs());
    }
    feed.statusChanged();
  };

  // ---------------------------------------------------------------- status

  const forecast = () =>
    outlook({
      ledger,
      limiter,
      account,
      concurrency: settings.current().concurrentUploads,
      bytesPerSecond: queue.bytesPerSecond(),
    });

  const status = (seq = feed.seq()): EngineStatus => {
    const id = folderId();
    const pause = queue.pause();
    const ahead = forecast();
    const moves = pause === null && queue.gate().kind === 'open';
    return {
      seq,
      folder: active?.row.path ?? settings.current().folder,
      folderAvailable: health.kind !== 'lost',
      running,
      paused: pause !== null,
      pausedUntilMs: pause?.untilMs ?? null,
      counts: id === null && settings.current().folder !== null ? noCounts() : ledger.uploads.counts(id),
      budget: limiter.view(),
      gate: queue.gate(),
      nextSlotAtMs: ahead.nextSlotAtMs,
      doneAtMs: moves ? ahead.allDoneAtMs : null,
      doneToday: moves ? ahead.doneWithinDay : 0,
      sending: queue.sending().size,
      watch:
        !running || active === null
          ? 'off'
          : health.kind === 'degraded'
            ? 'degraded'
            : arrivals.isStill()
              ? 'live'
              : 'scanning',
      watchMessage: health.message,
    };
  };

  const view = (row: Upload, expectedAtMs: number | null = null) =>
    uploadView(row, { sentBytes: queue.sentBytes(row.id), expectedAtMs });

  const nudgeHere = (): void => {
    if (!running) return;
    const cancelled = ledger.facts.get('cancel')?.value;
    if (Array.isArray(cancelled)) {
      ledger.facts.remove('cancel');
      for (const id of cancelled) if (typeof id === 'number') queue.cancel(id);
    }
    arrivals.resume();
    arrivalsLoop.wake();
    queue.reopen();
    looker.wake();
    feed.statusChanged();
  };

  const kit: Kit = {
    ports,
    ask,
    account,
    lister,
    limiter,
    feed,
    arrivals,
    queue,
    looker,
    status: () => status(),
    forecast,
    view,
    folder: () => active,
    folderId,
    chooseFolder,
    order,
    setOrder: (by) => ledger.facts.set('order', by, clock.wallMs()),
    nudge() {
      nudgeHere();
      options.nudgeOthers();
    },
  };

  const undoSettings = settings.onChange((now) => {
    if (active !== null && running) void reopenWithRules(active, now.folder);
    queue.wake();
    feed.settingsChanged();
  });

  /** Rules are compiled with the folder: changed patterns take effect at once, by a scan. */
  const reopenWithRules = async (folder: ActiveFolder, path: string | null): Promise<void> => {
    try {
      if (path === null || path === folder.row.path) {
        const fresh = await openFolder(ports, folder.row.path, settings.current(), folder.existing);
        folder.rules = fresh.rules;
        arrivals.requestScan();
      }
    } catch (error) {
      log.warn('rules not taken over', { code: toAppError(error).code });
    }
  };

  return {
    handlers: {
      ...accountHandlers(kit),
      ...filesHandlers(kit),
      ...queueHandlers(kit),
      ...folderHandlers(kit),
      ...overviewHandlers(kit),
    },
    listen: feed.listen,
    status: () => status(),
    async start({ folder, existing }) {
      running = true;
      limiter.recover();
      const found = recover(ports, feed);
      log.info('started', { folder, ...found });
      arrivals.resume();
      arrivalsLoop.wake();
      if (folder !== null) {
        await open(folder, existing);
        folderLoop.wake();
      }
      queue.wake();
      looker.wake();
    },
    isStill: () => arrivals.isStill() && !arrivalsLoop.isBusy() && queue.isStill() && !looker.isDue(),
    nudge: nudgeHere,
    streak: () => queue.streak(),
    restrictTo: (ids) => queue.restrictTo(ids),
    waitMs: () => limiter.waitFor('upload')?.waitMs ?? null,
    async stop() {
      running = false;
      undoSettings();
      stopping.abort();
      limiter.close();
      await unwatch();
      await Promise.all([arrivalsLoop.stop(), queue.stop(), looker.stop(), folderLoop.stop()]);
      feed.flush();
    },
  };
};
