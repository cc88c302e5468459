// The engine: joins the stages. Read this file first; resources/docs/design/one-file.md follows one file through it.
//
//   hint or scan → discover → upload → (service) → uploaded
//                                └→ uncertain → reconcile → uploaded
//
// Discovery makes a hint or a scan into a row, and the row ready once its file is stable and allowed. The queue takes
// ready rows when the limiter and the gate allow it, and the sender sends one file. The reconciler resolves uploads
// whose answer was lost. Each step is an event on the file's row (state/). It is on the disk before any other part acts
// on it. The feed tells window, tray and command.
import type { Change } from '../contract/client.ts';
import type { Handlers } from '../contract/commands.ts';
import type { AppError } from '../contract/errors.ts';
import type { EngineStatus, QueueOrder } from '../contract/model.ts';
import { createAccount } from './account/account.ts';
import { createDiscovery } from './discover/discovery.ts';
import { askWhile, createAsk } from './limiter/ask.ts';
import { createServiceIdentity } from './account/service-identity.ts';
import { createChoice } from './discover/choose-folder.ts';
import { createFeed } from './shared/feed.ts';
import { rootOf, type Existing } from './shared/folder.ts';
import { accountHandlers } from './handlers/account.ts';
import { filesHandlers } from './handlers/files.ts';
import { folderHandlers } from './handlers/folder.ts';
import type { Kit } from './handlers/kit.ts';
import { overviewHandlers } from './handlers/overview.ts';
import { queueHandlers } from './handlers/queue.ts';
import { createLimiter } from './limiter/limiter.ts';
import { createLedgerHealth } from './state/ledger-health.ts';
import type { Wait } from './limiter/line.ts';
import { createAccountList } from './reconcile/account-list.ts';
import { createReconciler } from './reconcile/reconciler.ts';
import { createLoop } from './shared/loop.ts';
import { createOlderLedger } from './reconcile/older-ledger.ts';
import { relativeTo } from './shared/paths.ts';
import type { Ports, Upload, WatchedFolder } from './ports.ts';
import { createQueue } from './upload/queue.ts';
import { recover, recoverRunning } from './reconcile/recover.ts';
import { createRows } from './state/rows.ts';
import { createStatus } from './handlers/status.ts';
import { createSteady } from './shared/time.ts';
import { uploadView } from './handlers/views.ts';
import { createWatching } from './discover/watching.ts';
import { createSender } from './upload/send-file.ts';

export type Engine = {
  handlers: Handlers;
  listen(hear: (change: Change) => void): () => void;
  status(): EngineStatus;
  /**
   * Recovers, then works until `stop`. `folder`: the folder to watch, null for none (files given by hand still go
   * up). Resolves once the folder's first scan is done. Throws `folder-unavailable` for a folder that is not there.
   */
  start(options: { folder: string | null; existing: Existing }): Promise<void>;
  /** No work is on its way and none can begin now. The rest waits for time, a person, or the network. */
  isStill(): boolean;
  /** A command changed the ledger or the settings. It may run in another process. */
  nudge(): void;
  /** The machine woke up, or time may have jumped: everything is looked at again. */
  resumed(): void;
  /** How often in a row the service could not be asked. */
  streak(): number;
  /** What is wrong with the disk or the data folder; null: nothing. */
  trouble(): AppError | null;
  /** The same when it will not pass: this process has to end. Listeners are told of it as a status. */
  fatal(): AppError | null;
  /** Asks the disk now, for those who wait beside the process that works. */
  checkDisk(): void;
  /** Only these uploads may go, as for `outtray upload`; null: all. */
  restrictTo(ids: ReadonlySet<number> | null): void;
  /** How long the limiter makes the next upload wait, and why; null: it may go now. */
  wait(): Wait | null;
  /** Tells listeners at once what is still bundled for them. */
  flush(): void;
  /** Stops sending before the tail, waits for answers that are due, closes the watch. */
  stop(): Promise<void>;
};

export const createEngine = (options: {
  ports: Ports;
  /** Who spends permits: `engine:…` for the holder of the engine lock, anything else for a guest. */
  owner: string;
  /** Tells another process that holds the engine about changed rows; a no-op when this one runs. */
  nudgeOthers: () => void;
  /** Whether the process of such an owner still runs; null: unknown. */
  isAlive: (owner: string) => boolean | null;
}): Engine => {
  const { ports } = options;
  const { ledger, clock, chance, log, settings } = ports;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = false;

  const steadyMs = createSteady(clock);
  const account = createAccount(ledger, clock, () => settings.current());
  const limiter = createLimiter({
    clock,
    chance,
    ledger,
    owner: options.owner,
    rules: () => account.rules(),
    backlog: () => ledger.uploads.countInState('ready'),
    isAlive: options.isAlive,
  });
  const ask = createAsk(limiter, () => ports.keys.require());
  const feed = createFeed({ clock, ledger, status: (seq) => status(seq) });
  const rows = createRows({ ledger, clock, feed });
  const health = createLedgerHealth({
    ledger,
    clock,
    log,
    changed: () => feed.statusChanged(),
    back: () => goOn(),
    conclude() {
      recoverRunning(ports, rows, limiter);
      reconciler.wake();
    },
  });
  const isWorking = (): boolean => running && health.trouble() === null;
  const mayLook = (): boolean => isWorking() && identity.holds() && queue.mayAsk() && queue.pause() === null;
  const askToLook = askWhile(mayLook, ask);
  const accountList = createAccountList(ports, askToLook);
  const unit = () => account.unit();
  const identity = createServiceIdentity(ports, ask, unit);
  const sender = createSender({
    ports,
    limiter,
    feed,
    rows,
    unit,
    learn: (bytes, receipt) => account.learn(bytes, receipt),
  });

  const discovery = createDiscovery({
    ports,
    rows,
    account,
    folder: () => watching.active(),
    folderIdOf: (path) => folderIdOf(path),
    steadyMs,
    ready: () => queue.wake(),
    lost: () => watching.check(),
    wake: () => arrivalsLoop.wake(),
  });
  const arrivalsLoop = createLoop({
    name: 'discovery',
    clock,
    log,
    signal,
    turn: () => (isWorking() ? discovery.turn(signal) : Promise.resolve(null)),
  });

  const older = createOlderLedger({
    ports,
    account,
    ask,
    rows,
    steadyMs,
    reconciler: () => reconciler,
    closedSinceMs: () => queue.closedSinceMs(),
  });

  const queue = createQueue({
    ports,
    limiter,
    sender,
    account,
    ask,
    async entitle(stop) {
      await ports.keys.require();
      await identity.prove(stop);
    },
    mayGo: (upload, stop) => older.mayGo(upload, stop),
    feed,
    rows,
    signal,
    steadyMs,
    isRunning: () => running,
    rootOf: (folderId) => rootOf(ledger, folderId),
    lookAgain: (upload) => discovery.lookAgain(upload),
    becameUncertain: () => reconciler.wake(),
    mayAskAgain: () => reconciler.wake(),
    confirmed: (fileId, begunMs) => reconciler.confirmed(fileId, begunMs),
    order: () => order(),
    health,
  });

  const reconciler = createReconciler({
    ports,
    ask: askToLook,
    account,
    accountList,
    rows,
    signal,
    steadyMs,
    mayAsk: mayLook,
    refused: (error) => queue.refused(error),
    ready: () => {
      discovery.resume();
      arrivalsLoop.wake();
      queue.wake();
    },
  });

  const order = (): QueueOrder => {
    const value = ledger.facts.get('order')?.value;
    return value === 'newest' || value === 'smallest' ? value : 'arrival';
  };

  const watching = createWatching({
    ports,
    feed,
    discovery: () => discovery,
    signal,
    isWell: () => health.trouble() === null,
  });

  // ---------------------------------------------------------------- the folder

  const chosen = (): WatchedFolder | null => {
    const { folder } = settings.current();
    return watching.opened()?.row ?? (folder === null ? null : ledger.folders.byPath(folder));
  };

  /** A file of the watched folder has one row, also when it is given by hand or the folder is not watched now. */
  const folderIdOf = (path: string): number | null => {
    const folder = chosen();
    return folder !== null && relativeTo(folder.path, path) !== null ? folder.id : null;
  };

  const choice = createChoice({ ports, feed, watching, isRunning: () => running });

  const { status, forecast } = createStatus({
    ports,
    account,
    limiter,
    queue,
    health,
    discovery,
    watching,
    folder: chosen,
    isRunning: () => running,
    order,
    seq: () => feed.seq(),
  });

  const view = (row: Upload, expectedAtMs: number | null = null) =>
    uploadView(row, { sentBytes: queue.sentBytes(row.id), expectedAtMs });

  /** The disk is back: what was left half done is taken up again. */
  const goOn = (): void => {
    if (!running) return;
    discovery.resume();
    arrivalsLoop.wake();
    queue.wake();
    reconciler.wake();
    watching.check();
    feed.statusChanged();
  };

  const nudgeHere = (): void => {
    if (!running) return;
    queue.hearCancelled();
    discovery.resume();
    arrivalsLoop.wake();
    queue.reopen();
    reconciler.wake();
    feed.statusChanged();
  };

  const kit: Kit = {
    ports,
    ask,
    identity,
    account,
    accountList,
    limiter,
    feed,
    rows,
    discovery,
    queue,
    reconciler,
    status: () => status(),
    forecast,
    view,
    folderIdOf,
    chooseFolder: choice.choose,
    order,
    setOrder: (by) => ledger.facts.set('order', by, clock.wallMs()),
    nudge() {
      nudgeHere();
      options.nudgeOthers();
    },
  };

  const undoSettings = settings.onChange((now) => {
    choice.settingsChanged(now);
    limiter.rulesChanged();
    queue.wake();
    feed.settingsChanged();
  });

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
      feed.statusChanged();
      older.started(folder);
      limiter.recover();
      const found = recover(ports, rows);
      queue.hearCancelled();
      log.info('started', { folder, ...found });
      discovery.resume();
      arrivalsLoop.wake();
      if (folder !== null) {
        // The folder may have been chosen long ago. The rules for folders may have changed since.
        const place = await ports.places.acceptFolder(folder);
        await choice.open(place, existing);
      }
      queue.wake();
      reconciler.wake();
    },
    isStill: () =>
      health.trouble() === null &&
      discovery.isStill() &&
      !arrivalsLoop.isBusy() &&
      queue.isStill() &&
      !reconciler.isDue(),
    nudge: nudgeHere,
    resumed() {
      if (watching.active() !== null) discovery.requestScan();
      watching.check();
      nudgeHere();
    },
    streak: () => queue.streak(),
    trouble: health.trouble,
    fatal: health.fatal,
    checkDisk: health.check,
    restrictTo: (ids) => queue.restrictTo(ids),
    wait: () => limiter.waitFor('upload'),
    flush: feed.flush,
    async stop() {
      running = false;
      undoSettings();
      stopping.abort();
      limiter.close();
      health.stop();
      await watching.stop();
      await Promise.all([arrivalsLoop.stop(), queue.stop(), reconciler.stop()]);
      feed.flush();
    },
  };
};
