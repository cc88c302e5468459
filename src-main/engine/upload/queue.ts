// The queue picks the uploads that are due and keeps a few of them on their way. It closes for all uploads while the
// service or the network refuses. It sleeps until a file is ready, a slot is free, or the gate allows a probe.
import { unreachable, type AppError } from '../../contract/errors.ts';
import type { QueueGate, StateKind, WaitReason, QueueOrder } from '../../contract/model.ts';
import type { Account } from '../account/account.ts';
import type { Ask } from '../limiter/ask.ts';
import type { Feed } from '../shared/feed.ts';
import type { LedgerHealth } from '../state/ledger-health.ts';
import { createFlight, hasProbe, type Flight } from './flight.ts';
import {
  close,
  gateView,
  isTrouble,
  lifted,
  openGate,
  passage,
  passed,
  probeNow,
  type Gate,
} from './gate.ts';
import type { Limiter } from '../limiter/limiter.ts';
import { createLoop } from '../shared/loop.ts';
import { createFailures, gateReasonOf } from './apply-failure.ts';
import { closesEverything, planFault } from '../account/forbidden.ts';
import { pauseNow, type Pause } from '../shared/pause.ts';
import { createPicker } from './picker.ts';
import type { Ports, Upload } from '../ports.ts';
import { createPreflight } from './preflight.ts';
import { answerWaitMs } from './classify-failure.ts';
import { unanswered } from '../shared/waits.ts';
import { createSpeed } from './speed.ts';
import type { Rows } from '../state/rows.ts';
import type { Sent, Sender } from './send-file.ts';

export type Queue = {
  wake(): void;
  /** Ids on their way now. */
  sending(): ReadonlySet<number>;
  sentBytes(uploadId: number): number | null;
  /** The observed speed of all uploads together. Null: not known yet. */
  bytesPerSecond(): number | null;
  /** Nothing is on its way and nothing can move now. */
  isStill(): boolean;
  gate(): QueueGate;
  /** Other requests of the engine may go: the gate is open, or a cheap request has succeeded since it closed. */
  mayAsk(): boolean;
  /** The user acted (new key, new address, resume): one probe goes at once. */
  reopen(): void;
  /** A request of another stage was refused for a reason that concerns all: no key, no plan, another address. */
  refused(error: AppError): void;
  /** How many times in a row the gate was closed for its reason. */
  streak(): number;
  /** Since when (monotonic) the gate is closed; null: it is open. */
  closedSinceMs(): number | null;
  pause(): Pause | null;
  /** Ends uploads on their way that were cancelled. Another process may have cancelled them, or no engine ran then. */
  hearCancelled(): void;
  /** Only these rows may go; null: all. */
  restrictTo(ids: ReadonlySet<number> | null): void;
  stop(): Promise<void>;
};

const mostReleased = 1000;
/** The queue looks again after this time. Nothing wakes it when a released file turns out to be gone. */
const releaseAgainMs = 5000;

type Closed = NonNullable<Gate['closed']>;

/** True for another reason. In trouble also true for each new closing. */
const isNews = (now: Closed, before: Closed | null): boolean =>
  now.reason !== before?.reason || (isTrouble(now.reason) && now.sinceMs !== before.sinceMs);

/** The states that an upload may have after an attempt without a result. */
const mayReturn: ReadonlySet<StateKind> = new Set(['ready', 'settling', 'waiting']);

export const createQueue = (options: {
  ports: Ports;
  limiter: Limiter;
  sender: Sender;
  account: Account;
  ask: Ask;
  /** Throws while there is no key, or the service is not the one whose links the ledger holds. */
  entitle: (signal: AbortSignal) => Promise<void>;
  mayGo: (upload: Upload, signal: AbortSignal) => Promise<boolean>;
  feed: Feed;
  rows: Rows;
  signal: AbortSignal;
  /** The clock for "not before" times: see time.ts. */
  steadyMs: () => number;
  /** False in a process that only reads the state. It sends nothing. */
  isRunning: () => boolean;
  /** The watched folder's root by id; null: given by hand. */
  rootOf: (folderId: number | null) => string | null;
  /** The file has to settle again, or may have a newer version. */
  lookAgain: (upload: Upload) => void;
  /** An upload became uncertain: the reconciler must plan a look. */
  becameUncertain: () => void;
  /** The gate lets other requests pass again. */
  mayAskAgain: () => void;
  /** The service confirmed a file; `begunMs` (monotonic): when its upload began. */
  confirmed: (fileId: number, begunMs: number) => void;
  order: () => QueueOrder;
  health: LedgerHealth;
}): Queue => {
  const { ports, limiter, sender, account, ask, feed, health, signal } = options;
  const { ledger, clock, chance, settings } = ports;
  const inFlight = new Map<number, Flight>();
  const picker = createPicker({
    ledger,
    rows: options.rows,
    lookAgain: options.lookAgain,
    order: options.order,
  });
  const cancelled = new Set<number>();
  const speed = createSpeed();
  let gate: Gate = openGate();

  const mayAsk = (): boolean => gate.closed === null || gate.closed.isTested;

  const closedSinceMs = (): number | null => gate.closed?.sinceMs ?? null;

  const setGate = (next: Gate): void => {
    const before = gate.closed;
    const couldAsk = mayAsk();
    gate = next;
    if (!couldAsk && mayAsk()) options.mayAskAgain();
    if (next.closed !== null && isNews(next.closed, before)) {
      const view = gateView(next, clock.monoMs(), clock.wallMs());
      if (view.kind === 'open') return;
      const { kind: _, ...cause } = view;
      feed.record(null, null, { kind: 'queue-closed', ...cause });
    } else if (next.closed === null && before !== null) {
      feed.record(null, null, { kind: 'queue-opened' });
    }
  };

  const shut = (reason: WaitReason, { message, remedy }: { message: string; remedy: string }): void => {
    setGate(close(gate, { reason, message, remedy }, clock.monoMs(), chance()));
    feed.statusChanged();
  };

  // A policy may forbid pauses. Then a pause from an earlier time no longer holds.
  const pause = (): Pause | null =>
    ports.settings.current().allowPause ? pauseNow(ledger.facts, clock.wallMs()) : null;

  // ---------------------------------------------------------------- the loop

  const next = (): Upload | null => picker.next([...inFlight.values()].map((flight) => flight.upload));

  const turn = async (): Promise<number | null> => {
    if (!options.isRunning() || health.trouble() !== null) return null;
    let releaseMs = releaseWaiting();
    while (!signal.aborted) {
      const paused = pause();
      if (paused !== null) return paused.untilMs === null ? null : paused.untilMs - clock.wallMs();
      const way = passage(gate, clock.monoMs());
      if (way.kind === 'closed') return least(way.waitMs, releaseMs);
      if (!health.mayGoOn(inFlight.size)) return releaseMs;
      if (inFlight.size >= settings.current().concurrentUploads || isOneFailing()) return releaseMs;
      if (way.kind === 'probe' && hasProbe(inFlight)) return releaseMs;
      const upload = next();
      if (upload === null) {
        // The last upload is done. Events are sent now and do not wait for a full bundle.
        if (inFlight.size === 0) feed.flush();
        // The reconciler needs an open gate. If there is no file to try, the statistics are the probe.
        if (way.kind !== 'probe' || ledger.uploads.countInState('uncertain') === 0) return releaseMs;
        await preflight.isReady('alone');
        continue;
      }
      if (!(await preflight.isReady('for-upload')) || pause() !== null) continue;
      const mayGo = await preflight.allows((stop) => options.mayGo(upload, stop));
      if (!mayGo) releaseMs = releaseWaiting();
      if (!mayGo) continue;
      const wait = limiter.waitFor('upload');
      if (wait !== null) return least(wait.waitMs, releaseMs);
      // The test may have opened the gate, or another request may have been refused meanwhile.
      const now = passage(gate, clock.monoMs());
      if (now.kind === 'open' || now.kind === way.kind) start(upload, way.kind === 'probe');
    }
    return null;
  };

  /** Waiting files whose time has come are looked at again; returns when the next one will be. */
  const releaseWaiting = (): number | null => {
    const nowMs = options.steadyMs();
    const nextAtMs = ledger.uploads.nextWaitingAtMs();
    if (nextAtMs === null || nextAtMs > nowMs) return nextAtMs === null ? null : nextAtMs - nowMs;
    for (const upload of ledger.uploads.dueWaiting(nowMs, mostReleased)) options.lookAgain(upload);
    return releaseAgainMs;
  };

  const preflight = createPreflight({
    ports,
    account,
    limiter,
    ask,
    signal,
    entitle: options.entitle,
    gate: () => gate,
    setGate,
    shut,
  });

  // ---------------------------------------------------------------- one upload
  const failures = createFailures({
    ports,
    account,
    ask,
    rows: options.rows,
    signal,
    steadyMs: options.steadyMs,
    shut,
    closedSinceMs,
    liftLimit() {
      setGate(lifted(gate));
    },
    takeCancelled: (uploadId) => cancelled.delete(uploadId),
    lookAgain: options.lookAgain,
    becameUncertain: options.becameUncertain,
  });

  const isOneFailing = (): boolean => [...inFlight.values()].some((flight) => flight.failure !== null);

  const start = (upload: Upload, isProbe: boolean): void => {
    const flight = createFlight(upload, isProbe);
    inFlight.set(upload.id, flight);
    feed.statusChanged();
    flight.done = send(upload, flight, AbortSignal.any([signal, flight.abort.signal])).finally(() => {
      inFlight.delete(upload.id);
      cancelled.delete(upload.id);
      feed.statusChanged();
      loop.wake();
    });
  };

  const send = async (upload: Upload, flight: Flight, stop: AbortSignal): Promise<void> => {
    const startMs = clock.monoMs();
    const { closed } = gate;
    const progress = (sentBytes: number): void => {
      flight.sentBytes = sentBytes;
    };
    try {
      const root = options.rootOf(upload.folderId);
      const sent = await sender.send(upload, root, stop, progress, {
        mayGo: () => gate.closed === closed && !isOneFailing(),
        answerWaitMs: answerWaitMs({
          settingMs: settings.current().answerTimeoutMs,
          sizeBytes: upload.stamp?.sizeBytes ?? 0,
          bytesPerSecond: speed.bytesPerSecond(),
          tries: unanswered(ledger.attempts.ofUpload(upload.id), clock.wallMs()),
        }),
        failing(error) {
          flight.failure = error;
        },
      });
      if (sent.kind === 'uploaded') {
        const atOnce = Math.min(inFlight.size, settings.current().concurrentUploads);
        speed.sent(upload.stamp?.sizeBytes ?? 0, clock.monoMs() - startMs, atOnce);
      }
      await obey(upload, sent, startMs);
      // It was the probe of an outage, and its own file ended it. So the service gave no answer. The gate closes
      // again, which plans the next probe.
      const isUntold = sent.kind === 'fault' && sent.attempt !== null && gate.closed === closed;
      if (isUntold && closed !== null && !closed.isTested && isTrouble(closed.reason)) {
        shut(closed.reason, closed);
      }
    } catch (error) {
      ports.log.error('outcome not recorded', { uploadId: upload.id, error });
      health.lost(error);
      // The refusal could not be recorded, but it still holds.
      const { failure } = flight;
      if (failure !== null && closesEverything.has(failure.code)) {
        const { message, remedy } = failure;
        gate = close(gate, { reason: gateReasonOf(failure), message, remedy }, clock.monoMs(), chance());
      }
    }
  };

  const obey = async (upload: Upload, sent: Sent, begunMs: number): Promise<void> => {
    switch (sent.kind) {
      case 'no-permit':
      case 'not-due':
        return;
      case 'uploaded':
        setGate(passed(gate, begunMs));
        if (sent.upload.fileId !== null) options.confirmed(sent.upload.fileId, begunMs);
        options.lookAgain(sent.upload);
        return;
      case 'fault':
        await failures.apply(upload, sent.verdict, sent.error, {
          asked: sent.attempt !== null,
          isQuick: sent.isQuick,
        });
        return;
      default:
        unreachable(sent);
    }
  };

  const cancel = (uploadId: number): void => {
    const flight = inFlight.get(uploadId);
    if (flight !== undefined) {
      cancelled.add(uploadId);
      flight.abort.abort();
      return;
    }
    // The upload ended before the cancellation was read.
    const row = ledger.uploads.byId(uploadId);
    if (row !== null && mayReturn.has(row.state.kind)) failures.cancel(row);
  };

  const loop = createLoop({ name: 'queue', clock, log: ports.log, signal, turn });
  limiter.onChange(() => loop.wake());

  return {
    wake: loop.wake,
    sending: () => new Set(inFlight.keys()),
    sentBytes: (uploadId) => inFlight.get(uploadId)?.sentBytes ?? null,
    bytesPerSecond: () => speed.bytesPerSecond(),
    isStill() {
      if (inFlight.size > 0 || loop.isBusy()) return false;
      return pause() !== null || gate.closed !== null || next() === null;
    },
    gate() {
      const trouble = health.trouble();
      if (trouble === null) return gateView(gate, clock.monoMs(), clock.wallMs());
      const { message, remedy } = trouble;
      return { kind: 'closed', reason: 'disk', untilMs: null, message, remedy };
    },
    mayAsk,
    reopen() {
      preflight.askAgain();
      if (pause() !== null) preflight.giveUp();
      setGate(probeNow(gate, clock.monoMs()));
      loop.wake();
    },
    refused(error) {
      const fault = planFault(error);
      shut(gateReasonOf(fault), fault);
      loop.wake(); // to plan the probe
    },
    closedSinceMs,
    streak: () => (gate.closed === null ? 0 : gate.streak + 1),
    pause,
    hearCancelled() {
      const ids = ledger.facts.get('cancel')?.value;
      if (!Array.isArray(ids)) return;
      ledger.facts.remove('cancel');
      for (const id of ids) if (typeof id === 'number') cancel(id);
    },
    restrictTo(ids) {
      picker.restrictTo(ids);
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
