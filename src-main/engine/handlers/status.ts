// What is going on, in one object: for the foot of the window, the tray's first line and `outtray status`.
import { noCounts, type EngineStatus } from '../../contract/model.ts';
import type { Service } from '../account/service.ts';
import type { Discovery } from '../discover/discovery.ts';
import type { Forecast } from '../limiter/forecast.ts';
import { pauseNow, queueOrder } from '../shared/controls.ts';
import type { Core } from '../state/core.ts';
import { toAppError } from '../../contract/errors.ts';
import type { LedgerHealth } from '../state/ledger-health.ts';
import { outlook } from './status-line.ts';
import type { Queue } from '../upload/queue.ts';
import { degradedMessage } from '../discover/watching.ts';

export const createStatus = (
  { ports, feed, work }: Core,
  { account, limiter }: Service,
  { queue, health, discovery }: { queue: Queue; health: LedgerHealth; discovery: Discovery },
): { status: (seq?: number) => EngineStatus; forecast: () => Forecast } => {
  const { isRunning } = work;
  const { watching, choice } = discovery;
  const { ledger, settings } = ports;

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
    return discovery.hasWork() ? 'scanning' : 'live';
  };

  const read = (seq: number): EngineStatus => {
    const folder = choice.chosen();
    const path = folder?.path ?? settings.current().folder;
    const pause = pauseNow(ports);
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
      order: queueOrder(ledger),
      nextSlotAtMs: ahead.nextSlotAtMs,
      doneAtMs: moves ? ahead.allDoneAtMs : null,
      doneToday: moves ? ahead.doneWithinDay : 0,
      sending: queue.sending().size,
      watch: watchState(),
      watchMessage: isRunning() ? watching.health().message : degradedMessage(ports),
    };
  };

  let last: EngineStatus | null = null;

  /** On a disk that cannot be read: as it was, with what is wrong now. */
  const status = (seq = feed.seq()): EngineStatus => {
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
