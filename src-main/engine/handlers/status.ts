// What is going on, in one object: for the foot of the window, the tray's first line and `outtray status`.
import { noCounts, type EngineStatus, type QueueOrder } from '../../contract/model.ts';
import type { Account } from '../account/account.ts';
import type { Discovery } from '../discover/discovery.ts';
import type { Forecast } from '../limiter/forecast.ts';
import type { Limiter } from '../limiter/limiter.ts';
import { toAppError } from '../../contract/errors.ts';
import type { LedgerHealth } from '../state/ledger-health.ts';
import { outlook } from './status-line.ts';
import type { Ports, WatchedFolder } from '../ports.ts';
import type { Queue } from '../upload/queue.ts';
import { degradedMessage, type Watching } from '../discover/watching.ts';

export const createStatus = (options: {
  ports: Pick<Ports, 'ledger' | 'settings'>;
  account: Account;
  limiter: Limiter;
  queue: Queue;
  health: LedgerHealth;
  discovery: Discovery;
  watching: Watching;
  /** The folder of the settings as the ledger knows it. */
  folder: () => WatchedFolder | null;
  isRunning: () => boolean;
  order: () => QueueOrder;
  seq: () => number;
}): { status: (seq?: number) => EngineStatus; forecast: () => Forecast } => {
  const { account, limiter, queue, health, discovery, watching, isRunning } = options;
  const { ledger, settings } = options.ports;

  const forecast = (): Forecast =>
    outlook({
      ledger,
      limiter,
      account,
      concurrency: settings.current().concurrentUploads,
      bytesPerSecond: queue.bytesPerSecond(),
    });

  const watchState = (): EngineStatus['watch'] => {
    if (!isRunning() || watching.active() === null) return 'off';
    if (watching.health().kind === 'degraded') return 'degraded';
    return discovery.isStill() ? 'live' : 'scanning';
  };

  const read = (seq: number): EngineStatus => {
    const folder = options.folder();
    const path = folder?.path ?? settings.current().folder;
    const pause = queue.pause();
    const gate = queue.gate();
    const ahead = forecast();
    const moves = pause === null && gate.kind === 'open';
    const isNew = folder === null && path !== null;
    return {
      seq,
      folder: path,
      folderAvailable: watching.health().kind !== 'lost',
      running: isRunning(),
      paused: pause !== null,
      pausedUntilMs: pause?.untilMs ?? null,
      // Without any folder: what was given by hand.
      counts: isNew ? noCounts() : ledger.uploads.counts(folder?.id ?? null),
      budget: limiter.view(),
      gate,
      storage: health.trouble()?.storage ?? null,
      order: options.order(),
      nextSlotAtMs: ahead.nextSlotAtMs,
      doneAtMs: moves ? ahead.allDoneAtMs : null,
      doneToday: moves ? ahead.doneWithinDay : 0,
      sending: queue.sending().size,
      watch: watchState(),
      watchMessage: isRunning() ? watching.health().message : degradedMessage(options.ports),
    };
  };

  let last: EngineStatus | null = null;

  /** On a disk that cannot be read: as it was, with what is wrong now. */
  const status = (seq = options.seq()): EngineStatus => {
    try {
      last = read(seq);
      return last;
    } catch (error) {
      if (last === null || toAppError(error).storage === undefined) throw error;
      const storage = health.trouble()?.storage ?? null;
      return {
        ...last,
        seq,
        running: isRunning(),
        gate: queue.gate(),
        storage,
        doneAtMs: null,
        doneToday: 0,
      };
    }
  };

  return { status, forecast };
};
