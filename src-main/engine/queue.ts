// The queue: picks what is due, keeps a few uploads on the way, and obeys the verdict on each that fails. It sleeps
// until a file is ready, a slot opens, or the gate lets a probe through.
import { AppError, toAppError, unreachable } from '../contract/errors.ts';
import type { QueueGate, WaitReason } from '../contract/model.ts';
import type { Account } from './account.ts';
import type { Ask } from './ask.ts';
import type { Feed } from './feed.ts';
import { close, gateView, openGate, passage, passed, type Gate } from './gate.ts';
import { lookTimes } from './look.ts';
import type { Limiter } from './limiter/limiter.ts';
import { createLoop } from './loop.ts';
import { nameToSend } from './names.ts';
import { joinPath } from './paths.ts';
import type { Ports, Upload } from './ports.ts';
import type { Verdict } from './retry.ts';
import { createSpeed } from './speed.ts';
import type { Sent, Worker } from './worker.ts';

export type Pause = { untilMs: number | null };

export type Queue = {
  wake(): void;
  /** Ids on their way now. */
  sending(): ReadonlySet<number>;
  sentBytes(uploadId: number): number | null;
  /** Of all uploads together, as observed; null: not known yet. */
  bytesPerSecond(): number | null;
  /** Nothing is on its way and nothing can move now. */
  isStill(): boolean;
  gate(): QueueGate;
  /** Somebody acted (new key, new address, resume): try again at once. */
  reopen(): void;
  close(cause: { reason: WaitReason; message: string; remedy: string }): void;
  /** How often in a row the gate was closed for its reason. */
  streak(): number;
  pause(): Pause | null;
  cancel(uploadId: number): void;
  /** Only these rows may go; null: all. */
  restrictTo(ids: ReadonlySet<number> | null): void;
  stop(): Promise<void>;
};

export type QueueOrder = 'arrival' | 'newest' | 'smallest';

/** How many ready rows are looked at for one that may go now; more can only be blocked by equal names and sizes. */
const pickFrom = 200;
/** A file that could not be read or was cut off waits 5 s, then twice as long each time, at most 10 min. */
const fileBackOffMs = (attempts: number): number => Math.min(600_000, 5000 * 2 ** Math.min(attempts, 10));
/** Statistics older than this are read again before the day's first upload. */
const statsFreshMs = 24 * 3_600_000;

export const createQueue = (options: {
  ports: Ports;
  limiter: Limiter;
  worker: Worker;
  account: Account;
  ask: Ask;
  feed: Feed;
  signal: AbortSignal;
  /** False in a process that only asks: nothing is sent from there. */
  isRunning: () => boolean;
  /** The watched folder's root by id; null: given by hand. */
  rootOf: (folderId: number | null) => string | null;
  /** The file has to settle again, or has a newer version. */
  lookAgain: (upload: Upload) => void;
  /** An upload became uncertain: looking is due. */
  becameUncertain: () => void;
  order: () => QueueOrder;
}): Queue => {
  const { ports, limiter, worker, account, ask, feed, signal } = options;
  const { ledger, clock, chance, settings } = ports;
  const inFlight = new Map<
    number,
    { key: string; abort: AbortController; sentBytes: number; done: Promise<void> }
  >();
  const speed = createSpeed();
  let gate: Gate = openGate();
  let statsAsked = false;
  let only: ReadonlySet<number> | null = null;

  const setGate = (next: Gate): void => {
    const before = gate.closed;
    gate = next;
    if (before?.reason === next.closed?.reason && before !== null) return;
    if (next.closed !== null) {
      const view = gateView(next, clock.monoMs(), clock.wallMs());
      if (view.kind === 'closed') {
        const { kind: _, ...cause } = view;
        feed.record(null, null, { kind: 'queue-closed', ...cause });
      }
    } else if (before !== null) {
      feed.record(null, null, { kind: 'queue-opened' });
    }
  };

  const pause = (): Pause | null => {
    const fact = ledger.facts.get('pause')?.value as Pause | undefined;
    if (fact === undefined) return null;
    if (fact.untilMs !== null && fact.untilMs <= clock.wallMs()) {
      ledger.facts.remove('pause');
      feed.statusChanged();
      return null;
    }
    return fact;
  };

  // ---------------------------------------------------------------- picking

  /** Our own uploads must never be each other's candidates when looking: one at a time with a name and size. */
  const keyOf = (upload: Upload): string => `${nameToSend(upload.name)}|${upload.stamp?.sizeBytes ?? 0}`;

  const next = (): Upload | null => {
    const blocked = new Set([...inFlight.values()].map((flight) => flight.key));
    for (const upload of ledger.uploads.inState('uncertain', pickFrom)) blocked.add(keyOf(upload));
    const ready =
      only === null
        ? ledger.uploads.inState('ready', pickFrom, options.order())
        : [...only]
            .flatMap((id) => ledger.uploads.byId(id) ?? [])
            .filter((row) => row.state.kind === 'ready');
    for (const upload of ready) {
      if (!inFlight.has(upload.id) && !blocked.has(keyOf(upload))) return upload;
    }
    return null;
  };

  const turn = async (): Promise<number | null> => {
    if (!options.isRunning()) return null;
    const released = releaseWaiting();
    for (;;) {
      if (signal.aborted) return null;
      const paused = pause();
      if (paused !== null) return paused.untilMs === null ? null : paused.untilMs - clock.wallMs();
      const way = passage(gate, clock.monoMs());
      if (way.kind === 'closed') return least(way.waitMs, released);
      const most = way.kind === 'probe' ? 1 : settings.current().concurrentUploads;
      if (inFlight.size >= most) return released;
      const upload = next();
      if (upload === null) return released;
      if (!(await readyToAsk())) continue;
      const wait = limiter.waitFor('upload');
      if (wait !== null) return least(wait.waitMs, released);
      start(upload);
    }
  };

  /** Waiting files whose time has come become ready again; returns when the next one will. */
  const releaseWaiting = (): number | null => {
    const nowMs = clock.wallMs();
    for (const upload of ledger.uploads.dueWaiting(nowMs, 1000)) options.lookAgain(upload);
    const nextAtMs = ledger.uploads.nextWaitingAtMs();
    return nextAtMs === null ? null : Math.max(0, nextAtMs - nowMs);
  };

  /** Plan and limits once a day, before the first upload: they set the budgets and spare hopeless uploads. */
  const readyToAsk = async (): Promise<boolean> => {
    try {
      await ports.keys.require();
    } catch (caught) {
      const error = toAppError(caught);
      shut(reasonOf(error), error);
      return false;
    }
    const known = account.stats();
    const isProbe = gate.closed !== null;
    if (!isProbe && (statsAsked || (known !== null && clock.wallMs() - known.atMs < statsFreshMs)))
      return true;
    if (isProbe && (gate.closed?.reason === 'network' || gate.closed?.reason === 'folder')) return true;
    statsAsked = true;
    try {
      account.keep(await ask('background', signal, (stop) => ports.api.stats(stop)));
      setGate(passed(gate));
      return true;
    } catch (caught) {
      const error = toAppError(caught);
      if (error.code === 'aborted') return false;
      statsAsked = false;
      if (error.code === 'rate') return false;
      if (error.code === 'unusable-answer' && gate.closed === null) {
        // The statistics are a comfort, not a condition.
        statsAsked = true;
        return true;
      }
      shut(reasonOf(error), error);
      return false;
    }
  };

  // ---------------------------------------------------------------- one upload

  const start = (upload: Upload): void => {
    const abort = new AbortController();
    const stop = AbortSignal.any([signal, abort.signal]);
    const flight = { key: keyOf(upload), abort, sentBytes: 0, done: Promise.resolve() };
    inFlight.set(upload.id, flight);
    feed.statusChanged();
    const startMs = clock.monoMs();
    flight.done = worker
      .send(upload, options.rootOf(upload.folderId), stop)
      .then((sent) => {
        const sizeBytes = upload.stamp?.sizeBytes ?? 0;
        if (sent.kind === 'uploaded') speed.sent(sizeBytes, clock.monoMs() - startMs, inFlight.size);
        return obey(upload, sent);
      })
      .catch((error: unknown) => {
        ports.log.error('upload could not be recorded', { uploadId: upload.id, message: String(error) });
        // What is on disk is the truth; it is read again at the next start. Going on would be going on wrong.
        shut(
          'moved',
          new AppError('ledger', 'The ledger cannot be written.', 'Free disk space, then resume.'),
        );
      })
      .finally(() => {
        inFlight.delete(upload.id);
        cancelled.delete(upload.id);
        feed.statusChanged();
        loop.wake();
      });
  };

  const obey = async (upload: Upload, sent: Sent): Promise<void> => {
    switch (sent.kind) {
      case 'no-permit':
        return;
      case 'uploaded':
        setGate(passed(gate));
        options.lookAgain(sent.upload);
        return;
      case 'fault':
        await obeyVerdict(upload, sent.verdict, sent.error, sent.attempt !== null);
        return;
      default:
        unreachable(sent);
    }
  };

  const obeyVerdict = async (
    upload: Upload,
    verdict: Verdict,
    error: AppError,
    asked: boolean,
  ): Promise<void> => {
    const nowMs = clock.wallMs();
    const path = joinPath(upload.dir, upload.name);
    const [firstLookMs] = lookTimes(settings.current().reconcileAfterMs);
    switch (verdict.kind) {
      case 'again':
      case 'stopped':
        if (cancelled.delete(upload.id)) {
          ledger.uploads.update(upload.id, { state: { kind: 'skipped', rule: 'cancelled' } }, nowMs);
          feed.record(upload.id, path, { kind: 'skipped', rule: 'cancelled' });
        } else ledger.uploads.update(upload.id, { state: { kind: 'ready' } }, nowMs);
        return;
      case 'settle':
      case 'gone':
        options.lookAgain(ledger.uploads.update(upload.id, { state: { kind: 'settling' } }, nowMs));
        return;
      case 'file-waits':
        fileWaits(upload, verdict.reason, path);
        return;
      case 'queue-waits':
        // A connection that broke may be this file's doing: it steps back, so that the probe takes another one.
        if (asked && verdict.reason === 'network' && error.code !== 'offline')
          fileWaits(upload, 'network', path);
        else ledger.uploads.update(upload.id, { state: { kind: 'ready' } }, nowMs);
        if (verdict.reason !== 'rate') shut(verdict.reason, error);
        return;
      case 'ask-stats':
        await tellApart(upload, error, path);
        return;
      case 'fail':
        fail(upload, error, path);
        return;
      case 'uncertain':
        ledger.atomically(() => {
          const state = ledger.uploads.byId(upload.id)?.state;
          const attemptId = state?.kind === 'committing' || state?.kind === 'sending' ? state.attemptId : 0;
          ledger.uploads.update(
            upload.id,
            {
              state: {
                kind: 'uncertain',
                attemptId,
                looks: 0,
                absences: 0,
                nextLookAtMs: nowMs + firstLookMs,
              },
              attempts: upload.attempts + 1,
            },
            nowMs,
          );
          feed.record(upload.id, path, { kind: 'held', reason: 'uncertain' });
        });
        options.becameUncertain();
        return;
      default:
        unreachable(verdict);
    }
  };

  const fileWaits = (upload: Upload, reason: WaitReason, path: string): void => {
    const nowMs = clock.wallMs();
    const untilMs = nowMs + fileBackOffMs(upload.attempts);
    ledger.atomically(() => {
      ledger.uploads.update(
        upload.id,
        { state: { kind: 'waiting', reason, untilMs }, attempts: upload.attempts + 1 },
        nowMs,
      );
      feed.record(upload.id, path, { kind: 'waiting', reason, untilMs });
    });
  };

  const fail = (upload: Upload, error: AppError, path: string): void => {
    const { code, message, remedy } = error;
    ledger.atomically(() => {
      ledger.uploads.update(
        upload.id,
        { state: { kind: 'failed', code, message, remedy }, attempts: upload.attempts + 1 },
        clock.wallMs(),
      );
      feed.record(upload.id, path, { kind: 'failed', code, message, remedy });
    });
  };

  /** 403 means plan, size or daily uploads (service-api.md §7); the statistics tell which. */
  const tellApart = async (upload: Upload, refusal: AppError, path: string): Promise<void> => {
    const again = (): void => {
      ledger.uploads.update(upload.id, { state: { kind: 'ready' } }, clock.wallMs());
    };
    try {
      const stats = await ask('background', signal, (stop) => ports.api.stats(stop));
      account.keep(stats);
      const sizeBytes = upload.stamp?.sizeBytes ?? 0;
      const unit = account.unit() ?? 1;
      if (stats.limits.max_file_size > 0 && sizeBytes > stats.limits.max_file_size * unit) {
        const message = 'The file is larger than the account allows.';
        fail(
          upload,
          new AppError('too-large', message, 'Split the file, or ask the service for a larger plan.'),
          path,
        );
        return;
      }
      again();
      const usedToday = ledger.uploads.committedSince(clock.wallMs() - 24 * 3_600_000);
      if (stats.limits.daily_uploads > 0 && usedToday >= stats.limits.daily_uploads) {
        const message = `The account's ${stats.limits.daily_uploads} uploads of the day are used up.`;
        shut(
          'daily-uploads',
          new AppError('limit', message, 'They go on by themselves when the day is over.'),
        );
      } else shut('limit', refusal);
    } catch (caught) {
      again();
      const error = toAppError(caught);
      if (error.code === 'limit') {
        const message = 'The plan of this account does not include the API.';
        shut('plan', new AppError('plan', message, 'Choose the Pro plan or a higher one, then resume.'));
      } else if (error.code === 'aborted' || error.code === 'rate') return;
      else shut(reasonOf(error), error);
    }
  };

  const shut = (reason: WaitReason, error: { message: string; remedy: string }): void => {
    setGate(close(gate, { reason, message: error.message, remedy: error.remedy }, clock.monoMs(), chance()));
    feed.statusChanged();
  };

  const reasonOf = (error: AppError): WaitReason => {
    if (['key-refused', 'key-missing', 'keychain-locked', 'keychain-unavailable'].includes(error.code))
      return 'key';
    if (error.code === 'limit' || error.code === 'plan') return 'plan';
    if (error.code === 'offline' || error.code === 'interrupted' || error.code === 'unusable-answer')
      return 'network';
    return 'moved';
  };

  // ---------------------------------------------------------------- outside

  const cancelled = new Set<number>();
  const loop = createLoop({ name: 'queue', clock, log: ports.log, signal, turn });
  limiter.onChange(() => loop.wake());
  feed.listen((change) => {
    if (change.kind !== 'progress') return;
    for (const one of change.progress) {
      const flight = inFlight.get(one.uploadId);
      if (flight !== undefined) flight.sentBytes = one.sentBytes;
    }
  });

  return {
    wake: loop.wake,
    sending: () => new Set(inFlight.keys()),
    sentBytes: (uploadId) => inFlight.get(uploadId)?.sentBytes ?? null,
    bytesPerSecond: () => speed.bytesPerSecond(),
    isStill() {
      if (inFlight.size > 0 || loop.isBusy()) return false;
      if (pause() !== null || gate.closed !== null) return true;
      return next() === null;
    },
    gate: () => gateView(gate, clock.monoMs(), clock.wallMs()),
    reopen() {
      statsAsked = false;
      if (gate.closed !== null) setGate(openGate());
      loop.wake();
    },
    close(cause) {
      shut(cause.reason, cause);
    },
    streak: () => (gate.closed === null ? 0 : gate.streak + 1),
    pause,
    cancel(uploadId) {
      const flight = inFlight.get(uploadId);
      if (flight === undefined) return;
      cancelled.add(uploadId);
      flight.abort.abort();
    },
    restrictTo(ids) {
      only = ids;
      loop.wake();
    },
    async stop() {
      await loop.stop();
      await Promise.all([...inFlight.values()].map((flight) => flight.done));
    },
  };
};

const least = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
