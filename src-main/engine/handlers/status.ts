// What is going on, in one object: for the foot of the window, the tray's first line and `outtray status`.
import {
  noCounts,
  statesWith,
  type Bucket,
  type Counts,
  type EngineStatus,
  type QueueGate,
  type QueueLimit,
} from '../../contract/model.ts';
import { workOf } from '../../contract/catalogue/work.ts';
import type { Service } from '../account/service.ts';
import type { Discovery } from '../discover/discovery.ts';
import { forecast as forecastOf, type Forecast } from '../limiter/forecast.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { SlotReason } from '../limiter/policy.ts';
import { pauseNow, queueOrder } from '../shared/controls.ts';
import type { Core } from '../state/core.ts';
import { noAddress, toAppError, unknownKey, type AppError } from '../../contract/errors.ts';
import type { LedgerHealth } from '../state/ledger-health.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Queue } from '../upload/queue.ts';
import { createShownEnd } from '../plan/shown-end.ts';
import { degradedMessage, sharedScan } from '../discover/folders/watching.ts';

const minuteMs = 60_000;
/** Their transfer takes no time to speak of on any line. */
const fewBytes = 1_000_000;

const sumOf = (all: readonly Counts[]): Counts =>
  all.reduce(
    (sum, counts) => ({
      uploaded: sum.uploaded + counts.uploaded,
      waiting: sum.waiting + counts.waiting,
      held: sum.held + counts.held,
      skipped: sum.skipped + counts.skipped,
      failed: sum.failed + counts.failed,
    }),
    noCounts(),
  );

/** The limits that people see. A wait for the minute or the pace is the normal work of the queue. */
const limits: Partial<Record<SlotReason, QueueLimit['reason']>> = {
  day: 'budget',
  'daily-uploads': 'daily-uploads',
  rate: 'rate',
};

/** What a person has to say before anything is sent: no request found it out, so the gate does not know it. */
const untilTold = (reason: 'key' | 'moved', { message, remedy }: AppError): QueueGate => ({
  kind: 'closed',
  reason,
  untilMs: null,
  message,
  remedy,
});

/** Whether uploads go. */
export type QueueNow = Pick<EngineStatus, 'paused' | 'pausedUntilMs' | 'pauseIsUnread' | 'gate' | 'sending'>;

/** If the disk cannot be read: what was read last, with what is known now. */
const orLast = <T>(read: () => T, known: () => Partial<T>): (() => T) => {
  let last: T | null = null;
  return () => {
    try {
      last = read();
      return last;
    } catch (error) {
      if (last === null || toAppError(error).storage === undefined) throw error;
      return { ...last, ...known() };
    }
  };
};

export const createStatus = (
  { ports, feed, work }: Core,
  { account, identity, limiter }: Service,
  { queue, health, discovery }: { queue: Queue; health: LedgerHealth; discovery: Discovery },
) => {
  const { isRunning } = work;
  const { watching, choice } = discovery;
  const { ledger, settings, clock } = ports;

  /** When the queue will be done: as it is now, or as if `more` waited, too, and nothing went before `fromMs` (wall clock). */
  const forecast = (
    more: { files: number; bytes: number; fromMs?: number } = { files: 0, bytes: 0 },
    { files, bytes } = ledger.uploads.backlog(),
    snapshot = limiter.snapshot(),
  ): Forecast => {
    const nowMs = Math.max(snapshot.nowMs, more.fromMs ?? 0);
    const minuteUsed = nowMs - snapshot.nowMs < minuteMs ? snapshot.minuteUsed : 0;
    return forecastOf({ ...snapshot, nowMs, minuteUsed }, account.rules(), {
      files: files + more.files,
      bytes: bytes + more.bytes,
      bytesPerSecond: queue.bytesPerSecond(),
      concurrency: settings.current().concurrentUploads,
    });
  };

  const watchState = (): EngineStatus['watch'] => {
    if (!isRunning() || watching.active().length === 0) return 'off';
    if (watching.health().kind === 'degraded') return 'degraded';
    return choice.isOpening() || discovery.hasWork() ? 'scanning' : 'live';
  };

  const untold = (): QueueGate | null => {
    if (!identity.holds()) return untilTold('key', unknownKey());
    const needsAddress = settings.current().baseUrl === null && ledger.uploads.countInState('ready') > 0;
    return needsAddress ? untilTold('moved', noAddress()) : null;
  };

  const queueNow = orLast(
    (): QueueNow => {
      const pause = pauseNow(ports);
      const open = queue.gate();
      return {
        paused: pause !== null,
        pausedUntilMs: pause?.untilMs ?? null,
        ...(pause?.isUnread === true ? { pauseIsUnread: true as const } : {}),
        gate: open.kind === 'closed' ? open : (untold() ?? open),
        sending: queue.sending().size,
      };
    },
    () => ({ gate: queue.gate() }),
  );

  const read = (): EngineStatus => {
    const folders = choice.chosen().map(({ path, row, isAvailable }) => ({
      folder: row?.path ?? path,
      available: isAvailable,
      counts: row === null ? noCounts() : ledger.views.counts(row.id),
      ...sharedScan(ports, row),
    }));
    const isChosen = folders.length > 0;
    const now = queueNow();
    const backlog = ledger.uploads.backlog();
    const snapshot = limiter.snapshot();
    const ahead = forecast(undefined, backlog, snapshot);
    const forecastMs = Math.max(ahead.allDoneAtMs ?? 0, sendingDoneAtMs(queue, ports) ?? 0);
    const moves = !now.paused && now.gate.kind === 'open';
    const files = workOf(ledger.run.counts());
    const end = shownEnd({
      doneAtMs: moves && forecastMs > 0 ? forecastMs : null,
      nowMs: clock.wallMs(),
      total: files.total,
      left: files.uploading + files.waiting,
      memory: snapshot.memory,
      isLeast: queue.bytesPerSecond() === null && backlog.bytes >= fewBytes,
    });
    // Without any folder: what was given by hand.
    const counts = isChosen ? sumOf(folders.map((one) => one.counts)) : ledger.views.counts(null);
    return {
      seq: feed.seq(),
      folder: folders[0]?.folder ?? null,
      folderAvailable: !isChosen || folders.some(({ available }) => available),
      folders,
      wasSetUp: isChosen || ledger.views.wasSetUp(),
      running: isRunning(),
      ...now,
      counts,
      outside: outsideOf(ledger, counts, !isChosen),
      budget: limiter.view(),
      limit: moves ? limit(ledger, limiter) : null,
      storage: health.trouble()?.storage ?? null,
      order: queueOrder(ledger),
      nextSlotAtMs: moves ? ahead.nextSlotAtMs : null,
      ...end,
      doneToday: moves ? ahead.doneWithinDay : 0,
      doneLater: moves ? ahead.files - ahead.doneWithinDay : 0,
      work: files,
      wrongLinks: ledger.watched.countWrong(),
      openRecalls: ledger.reports.countOpenRecalls(),
      watch: watchState(),
      watchMessage: isRunning() ? watching.health().message : degradedMessage(ports),
    };
  };

  const shownEnd = createShownEnd();
  const status = orLast(read, () => ({
    seq: feed.seq(),
    running: isRunning(),
    gate: queue.gate(),
    storage: health.trouble()?.storage ?? null,
    doneAtMs: null,
    doneNote: null,
    doneToday: 0,
    doneLater: 0,
  }));

  return { status, queueNow, forecast };
};

const limit = ({ uploads }: Pick<Ledger, 'uploads'>, limiter: Limiter): QueueLimit | null => {
  if (uploads.countInState('ready') === 0) return null;
  const reason = limits[limiter.waitFor('upload')?.why ?? 'pace'];
  return reason === undefined ? null : { reason, untilMs: limiter.nextSlotAt('upload') };
};

/** When the uploads on their way are done; null: there are none, or their speed is not known. */
const sendingDoneAtMs = (
  queue: Queue,
  { ledger, clock }: Pick<Core['ports'], 'ledger' | 'clock'>,
): number | null => {
  const bytesPerSecond = queue.bytesPerSecond();
  const ids = [...queue.sending()];
  if (ids.length === 0 || bytesPerSecond === null) return null;
  const left = ids.reduce(
    (sum, id) => sum + (ledger.uploads.byId(id)?.stamp?.sizeBytes ?? 0) - (queue.sentBytes(id) ?? 0),
    0,
  );
  return clock.wallMs() + Math.round((1000 * left) / Math.max(1, bytesPerSecond));
};

const outsideOf = (ledger: Ledger, counts: Counts, areByHand: boolean): Counts => {
  const inBucket = (bucket: Bucket): number =>
    statesWith({ bucket }).reduce((sum, kind) => sum + ledger.uploads.countInState(kind), 0);
  const busy = ledger.views.countLookedFor();
  const byHand = areByHand ? noCounts() : ledger.views.counts(null);
  return {
    ...byHand,
    waiting: inBucket('waiting') + busy - counts.waiting,
    held: inBucket('held') - busy - counts.held,
    failed: inBucket('failed') - counts.failed,
  };
};
