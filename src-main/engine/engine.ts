// The engine: a list of stages and the commands. resources/docs/design/one-file.md follows one file through it.
//
//   hint or scan → discover → upload → (service) → uploaded → recall → recalled
//                                └→ uncertain → reconcile → uploaded
//
// Discovery turns a hint or the result of a scan into a row, and marks it ready once its file is stable and allowed.
// The queue takes ready rows when the limiter and the gate allow it, and the sender sends one file. The reconciler
// resolves uploads whose answer was lost. A row changes by events, of which state/ notifies the stages. The feed
// notifies window, tray and command after the commit.
import type { Handlers } from '../contract/commands.ts';
import { withRights } from '../contract/rights.ts';
import { toAppError, type AppError } from '../contract/errors.ts';
import type { Existing } from '../contract/answers.ts';
import type { EngineStatus } from '../contract/model.ts';
import { watchedPaths } from '../contract/settings.ts';
import { createService } from './account/service.ts';
import { createEngineSpelling, withSpelling, type Spelling } from './candidate/spelling.ts';
import { createDiscovery } from './discover/discovery.ts';
import { createWatchedLinks } from './follow/watched-links.ts';
import { accountHandlers } from './handlers/account.ts';
import { filesHandlers } from './handlers/files/files.ts';
import { takeBackHandlers } from './handlers/files/take-back.ts';
import { givenHandlers } from './handlers/files/given.ts';
import { folderHandlers } from './handlers/folder.ts';
import type { Kit } from './handlers/kit.ts';
import { overviewHandlers } from './handlers/overview.ts';
import { proofHandlers } from './handlers/proof.ts';
import { reportHandlers } from './handlers/report.ts';
import { decisionHandlers } from './handlers/queue/decisions.ts';
import { queueHandlers } from './handlers/queue/queue.ts';
import { uncertainHandlers } from './handlers/queue/uncertain.ts';
import { createStatus, type QueueNow } from './handlers/status.ts';
import { uploadView } from './handlers/views.ts';
import type { Wait } from './limiter/line.ts';
import type { Ports } from './ports/ports.ts';
import { createAccountList } from './reconcile/account-list.ts';
import { createRecaller } from './recall/recaller.ts';
import { createOlderLedger } from './reconcile/older-ledger.ts';
import { createSpooled } from './upload/spooled.ts';
import { createReconciler } from './reconcile/reconciler.ts';
import { recover, recoverRunning } from './reconcile/recover.ts';
import { createFeed, type FeedChange } from './shared/feed.ts';
import type { Stage, StageWork } from './shared/loop.ts';
import { idNow } from './shared/links.ts';
import { createSteady } from './shared/time.ts';
import type { Core } from './state/core.ts';
import { createAuditTrail } from './state/audit-trail.ts';
import { createLedgerHealth } from './state/ledger-health.ts';
import { createRows } from './state/rows.ts';
import { createQueue } from './upload/queue.ts';
import { createAfterUpload } from './programs/after-upload.ts';

export type Engine = {
  handlers: Handlers;
  /** The one spelling of each path. The handlers use it by themselves. */
  spell: Spelling;
  listen(hear: (change: FeedChange) => void): () => void;
  status(): EngineStatus;
  /** What the status says of it, without the forty reads of the ledger for the rest. */
  queueNow(): QueueNow;
  /**
   * Recovers, then works until `stop`. `folder`: the first folder to watch; null: none (files given by hand are still
   * uploaded). The others of the settings are watched, too, unless it is `alone`. Resolves once newly chosen folders
   * have been scanned. Throws `folder-unavailable` when none of them is there.
   */
  start(options: { folder: string | null; existing: Existing; alone?: boolean }): Promise<void>;
  /** No work is on its way and none can begin now. The rest waits for time, a person, or the network. */
  isStill(): boolean;
  /** Compares the watched folders with the ledger once more. */
  scanFolders(): void;
  /** A command changed the ledger or the settings. It may run in another process. */
  nudge(): void;
  /** The machine woke up, or time may have jumped: everything is looked at again. */
  resumed(): void;
  /** How many times in a row the gate to the service was closed for its present reason. */
  streak(): number;
  /** What is wrong with the disk, the data folder or the policy; null: nothing. */
  trouble(): AppError | null;
  /** The same when it will not pass: this process has to end. The status reports it to listeners. */
  fatal(): AppError | null;
  /** Checks the disk now, for a process that waits beside the one that works. */
  checkDisk(): void;
  /** Only these uploads may go, as for `outtray upload`; null: all. */
  restrictTo(ids: ReadonlySet<number> | null): void;
  /** How long the limiter makes the next upload wait, and why; null: it may go now. */
  wait(): Wait | null;
  /** A program of the setting `afterUpload` runs, or is due. */
  isReporting(): boolean;
  /** Sends the listeners at once what is still bundled for them. */
  flush(): void;
  /** Stops sending before the tail, waits for a start and for answers that are due, closes the watch. */
  stop(): Promise<void>;
};

export const createEngine = (options: {
  ports: Ports;
  /** Who spends permits: `engine:…` for the holder of the engine lock, anything else for a guest. */
  owner: string;
  /** Notifies another process that holds the engine of changed rows; a no-op when this one runs. */
  nudgeOthers: () => void;
  /** Whether the process of such an owner still runs; null: unknown. */
  isAlive: (owner: string) => boolean | null;
}): Engine => {
  const { ports } = options;
  const { ledger, clock, log, settings } = ports;
  const stopping = new AbortController();
  let running = false;
  const isRunning = (): boolean => running;
  const work: StageWork = {
    signal: stopping.signal,
    isRunning,
    isOn: () => running && health.trouble() === null,
  };

  const feed = createFeed({
    clock,
    ledger,
    recorded(entry) {
      trail.recorded(entry);
      afterUpload.recorded(entry);
      // The row keeps its state, so no stage hears of it as a move.
      if (entry.body.kind === 'expiry-set') recaller.wake();
    },
  });
  const trail = createAuditTrail(ports, {
    changed: feed.statusChanged,
    back: () => queue.wake(),
  });
  const afterUpload = createAfterUpload(ports, { feed, work });
  const rows = createRows({ ledger, clock, feed });
  const core: Core = { ports, rows, feed, work, steadyMs: createSteady(clock) };
  const service = createService(core, {
    ...options,
    accountChanged() {
      // The ids of the files that are shown are those of other files now.
      feed.filesChanged();
      takeUp();
    },
  });
  const { limiter, gate } = service;
  const health = createLedgerHealth({
    ledger,
    clock,
    log,
    changed: feed.statusChanged,
    back: () => (isNudgeDue ? nudgeHere() : takeUp()),
    conclude: () => recoverRunning(ports, rows, limiter),
  });

  const discovery = createDiscovery(core, service);
  const reconciler = createReconciler(core, service);
  const recaller = createRecaller(core, service);
  const watchedLinks = createWatchedLinks(core, service);
  const older = createOlderLedger(core, service, reconciler);
  const spooled = createSpooled(core);
  const queue = createQueue(core, service, {
    health,
    trail,
    clear: async (upload, signal) =>
      discovery.mayBegin(upload) &&
      (await older.clear(upload, signal)) &&
      // Its folder may have been removed while the account was listed.
      discovery.mayBegin(upload),
  });

  const trouble = (): AppError | null => health.trouble() ?? trail.trouble() ?? settings.barred();

  const shown = createStatus(core, service, { queue, health, discovery });

  /** All but discovery: they work on its rows. */
  const stages: readonly Stage[] = [queue, reconciler, recaller, watchedLinks];

  const wakeStages = (): void => {
    for (const stage of stages) stage.wake();
    spooled.wake();
    afterUpload.wake();
  };

  /** The stages read the ledger: rows may have changed while they slept. */
  const takeUp = (): void => {
    if (!running) return;
    discovery.resume();
    wakeStages();
    discovery.watching.check();
    feed.statusChanged();
  };

  /** The last nudge met a ledger that cannot be written. */
  let isNudgeDue = false;
  /** Does not throw a fault of the disk: when the computer wakes up, no caller catches it, and the program would end. */
  const nudgeHere = (): void => {
    if (!running) return;
    isNudgeDue = false;
    try {
      queue.stopUnwanted();
      queue.reopen();
      takeUp();
    } catch (error) {
      const { storage, code, message } = toAppError(error);
      if (storage === undefined) throw error;
      isNudgeDue = true;
      log.warn('not nudged', { code, message });
    }
  };

  const spell = createEngineSpelling(ports);
  const kit: Kit = {
    ports,
    work,
    feed,
    rows,
    service,
    accountList: createAccountList(ports, service.ask),
    discovery,
    reconciler,
    recaller,
    watchedLinks,
    ...shown,
    view: (row, expectedAtMs = null) =>
      uploadView(row, {
        fileId: idNow(ports.ledger, row),
        sentBytes: queue.sentBytes(row.id),
        expectedAtMs,
        mayAskAtMs: () => limiter.nextSlotAt('background'),
      }),
    nudge() {
      if (!running) gate.probeNow();
      nudgeHere();
      options.nudgeOthers();
    },
    tryNow() {
      const now = gate.view();
      ports.keys.askAgain(now.kind === 'closed' && now.reason === 'key');
      limiter.tryNow();
    },
  };

  limiter.onChange(feed.statusChanged);

  const undoSettings = settings.onChange((now) => {
    discovery.settingsChanged(now);
    limiter.rulesChanged();
    recaller.wake();
    watchedLinks.wake();
    trail.write();
    queue.wake();
    feed.settingsChanged();
    feed.statusChanged();
  });

  const begin: Engine['start'] = async ({ folder, existing, alone = false }) => {
    running = true;
    trail.write();
    feed.statusChanged();
    gate.begin();
    await service.identity.look();
    older.started(folder === null ? [] : alone ? [folder] : watchedPaths({ ...settings.current(), folder }));
    limiter.recover();
    const found = recover(ports, rows);
    log.info('started', { folder, ...found });
    discovery.resume();
    if (folder !== null) {
      // The folder may have been chosen long ago. The rules for folders may have changed since.
      await discovery.choice.start(folder, { existing, alone });
    }
    wakeStages();
  };
  let starting: Promise<void> | null = null;
  const handlers: Handlers = {
    ...accountHandlers(kit),
    ...filesHandlers(kit),
    ...takeBackHandlers(kit),
    ...proofHandlers(kit),
    ...givenHandlers(kit),
    ...queueHandlers(kit),
    ...decisionHandlers(kit),
    ...uncertainHandlers(kit),
    ...folderHandlers(kit),
    ...overviewHandlers(kit),
    ...reportHandlers(kit),
  };

  return {
    handlers: withRights(withSpelling(handlers, spell), ports.settings),
    spell,
    listen: feed.listen,
    status: shown.status,
    queueNow: shown.queueNow,
    start(options) {
      starting = begin(options);
      return starting;
    },
    scanFolders: () => {
      discovery.requestScan();
    },
    isStill: () => trouble() === null && discovery.isStill() && stages.every((stage) => stage.isStill()),
    nudge: nudgeHere,
    resumed() {
      discovery.requestScan();
      nudgeHere();
    },
    streak: gate.streak,
    trouble,
    fatal: health.fatal,
    checkDisk() {
      health.check();
      trail.check();
    },
    restrictTo: (ids) => queue.restrictTo(ids),
    wait: () => limiter.waitFor('upload'),
    isReporting: afterUpload.isBusy,
    flush: feed.flush,
    async stop() {
      running = false;
      undoSettings();
      stopping.abort();
      limiter.close();
      health.stop();
      await Promise.allSettled([starting]);
      await Promise.all([discovery.stop(), ...stages.map((stage) => stage.stop())]);
      await Promise.all([spooled.stop(), afterUpload.stop()]);
      trail.stop();
      feed.flush();
    },
  };
};
