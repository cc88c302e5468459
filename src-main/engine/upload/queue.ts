// The queue picks the uploads that are due and keeps a few of them on their way. It closes for all uploads while the
// service or the network refuses. It sleeps until a file is ready, a slot is free, or the gate allows a probe.
import { toAppError, unreachable, type AppError } from '../../contract/errors.ts';
import { isUnwanted, type QueueGate } from '../../contract/model.ts';
import { closesEverything } from '../account/forbidden.ts';
import { isTrouble, scopeOf } from '../account/gate-rules.ts';
import { createRefusals } from '../account/refusals.ts';
import type { Service } from '../account/service.ts';
import { pauseNow } from '../shared/controls.ts';
import { sentContent } from '../shared/same-content.ts';
import { createLoop } from '../shared/loop.ts';
import { unanswered } from '../shared/waits.ts';
import type { Core } from '../state/core.ts';
import type { AuditTrail } from '../state/audit-trail.ts';
import type { LedgerHealth } from '../state/ledger-health.ts';
import type { Upload } from '../ports/uploads.ts';
import { createFailures } from './apply-failure.ts';
import { answerWaitMs } from './classify-failure.ts';
import { createFlight, hasProbe, type Flight } from './flight.ts';
import { createPicker } from './picker.ts';
import { createPreflight } from './preflight.ts';
import { createSender, type Sent } from './send-file.ts';
import { createSpeed } from './speed.ts';

/** The last check before an upload begins. False: it has given the row another state. Throws what `ask` throws. */
export type Clearance = (upload: Upload, signal: AbortSignal) => Promise<boolean>;

/** Takes seconds on most lines. */
const smallBytes = 16 * 1024 * 1024;

/** Links are taken back or may not be dead yet, or an upload that is not wanted is looked for. */
const isTakingBack = ({ uploads }: Core['ports']['ledger']): boolean =>
  (['recall', 'unwanted-look'] as const).some((due) => uploads.nextOf(due, 1).length > 0);

export const createQueue = (
  core: Core,
  service: Service,
  { health, trail, clear }: { health: LedgerHealth; trail: AuditTrail; clear: Clearance },
) => {
  const { ports, rows, feed, work } = core;
  const { account, gate, limiter } = service;
  const { ledger, clock, settings } = ports;
  const { signal } = work;
  const inFlight = new Map<number, Flight>();
  const refusals = createRefusals(ledger, clock);
  const picker = createPicker(ledger, rows, account.sizes, refusals);
  const preflight = createPreflight(core, service);
  const sendFile = createSender(core, service);
  const applyFailure = createFailures(core, service, refusals);
  const speed = createSpeed();

  const isPaused = (): boolean => pauseNow(ports) !== null;
  const onTheWay = (): Upload[] => [...inFlight.values()].map((flight) => flight.upload);

  const isTooLarge = ({ sent, stamp }: Upload): boolean =>
    ((sent ?? stamp)?.sizeBytes ?? 0) > (account.maxFileSizeBytes() ?? Infinity);

  /** The service reports another limit. */
  const tryLargeAgain = (): void => {
    for (const { id, state, confirmed, wantsAnother } of ledger.uploads.inState(
      'failed',
      ledger.uploads.countInState('failed'),
    ))
      if (state.kind === 'failed' && state.code === 'too-large')
        rows.apply(id, { kind: 'wanted', confirmed, wantsAnother });
  };

  /** Whether other stages wait for the gate: to look for uploads, or to take back, follow, read or end links. */
  const isGateNeeded = (): boolean =>
    !gate.mayAsk() &&
    (isTakingBack(ledger) ||
      ledger.uploads.countInState('uncertain') > 0 ||
      ledger.watched.next('downloads') !== null ||
      ledger.watched.next('content') !== null ||
      ledger.uploads.nextEndMs(service.expiry.now()) !== null);

  /** Whether links that are to be taken back wait for the gate. No pause stops them. */
  const isGateNeededInPause = (): boolean =>
    !gate.mayAsk() &&
    (isTakingBack(ledger) || (ledger.uploads.nextEndMs(service.expiry.now()) ?? Infinity) <= 0);

  const isLimited = (): boolean => {
    const closed = gate.now();
    return closed !== null && scopeOf(closed.reason) === 'uploads';
  };

  /** The last slot is for small files: large ones would make them wait for hours. */
  const mostBytesNow = (): number | null => {
    const slots = settings.current().concurrentUploads;
    const large = onTheWay().filter((upload) => sentContent(upload).sizeBytes > smallBytes);
    return slots > 1 && large.length >= slots - 1 ? smallBytes : null;
  };

  // ---------------------------------------------------------------- the loop

  const turn = async (): Promise<number | null> => {
    while (!signal.aborted) {
      const paused = pauseNow(ports);
      const way = gate.passage();
      if (paused !== null) {
        if (way.kind !== 'open' && isGateNeededInPause()) {
          if (way.kind === 'closed') return way.waitMs;
          if (await preflight.prepare('alone')) continue;
        }
        return paused.untilMs === null ? null : paused.untilMs - clock.wallMs();
      }
      const isAlone = gate.isProbedAlone() && isGateNeeded();
      if (way.kind === 'closed' && !isAlone) return way.waitMs;
      // When this changes, the queue is woken.
      if (!health.recoverIfIdle(inFlight.size) || !trail.isWritable() || settings.barred() !== null)
        return null;
      if (inFlight.size >= settings.current().concurrentUploads || isOneFailing()) return null;
      if (way.kind === 'closed') {
        await preflight.prepare('alone');
        continue;
      }
      if (way.kind === 'probe' && hasProbe(inFlight)) return null;
      if (account.sizes.takeLifted()) tryLargeAgain();
      // A probe that is refused costs least with the smallest file.
      const upload = picker.next(onTheWay(), { isSmallest: isLimited(), mostBytes: mostBytesNow() });
      if (upload === null) {
        // The last upload is done. Events are sent now and do not wait for a full bundle.
        if (inFlight.size === 0) feed.flush();
        // No file can be the probe, and other stages need an open gate. So a request for the statistics is the probe.
        if (way.kind !== 'probe' || !isGateNeeded()) return null;
        await preflight.prepare('alone');
        continue;
      }
      if (service.expiry.isOver(upload)) {
        rows.apply(upload.id, { kind: 'ended' });
        continue;
      }
      if (isTooLarge(upload)) {
        // Its size was refused while it waited. It settles again, and fails there without a request.
        rows.apply(upload.id, { kind: 'sent-back' });
        continue;
      }
      if (!(await preflight.prepare('for-upload')) || isPaused()) continue;
      if (!(await preflight.ask((stop) => clear(upload, stop))) || isPaused()) continue;
      const wait = limiter.waitFor('upload');
      if (wait !== null) return wait.waitMs;
      // The test may have opened the gate, or another request may have been refused meanwhile.
      const now = gate.passage();
      if (now.kind === 'open' || now.kind === way.kind) start(upload, way.kind === 'probe');
    }
    return null;
  };

  // ---------------------------------------------------------------- one upload
  const isOneFailing = (): boolean => [...inFlight.values()].some((flight) => flight.failure !== null);

  const start = (upload: Upload, isProbe: boolean): void => {
    const flight = createFlight(upload, isProbe);
    inFlight.set(upload.id, flight);
    feed.statusChanged();
    flight.done = send(upload, flight, AbortSignal.any([signal, flight.abort.signal])).finally(() => {
      inFlight.delete(upload.id);
      feed.statusChanged();
      loop.wake();
    });
  };

  const send = async (upload: Upload, flight: Flight, stop: AbortSignal): Promise<void> => {
    const startMs = clock.monoMs();
    const closed = gate.now();
    try {
      const sent = await sendFile(upload, stop, {
        mayGo: () => gate.now() === closed && !isOneFailing(),
        answerWaitMs: answerWaitMs({
          settingMs: settings.current().answerTimeoutMs,
          sizeBytes: upload.stamp?.sizeBytes ?? 0,
          bytesPerSecond: speed.bytesPerSecond(),
          tries: unanswered(ledger.attempts.ofUpload(upload.id), clock.wallMs()),
        }),
        failing(error) {
          flight.failure = error;
        },
        sent(sentBytes) {
          flight.sentBytes = sentBytes;
        },
      });
      if (sent.kind === 'uploaded') {
        const atOnce = Math.min(inFlight.size, settings.current().concurrentUploads);
        speed.sent(upload.stamp?.sizeBytes ?? 0, clock.monoMs() - startMs, atOnce);
      }
      await obey(upload, sent, startMs);
      // This upload was the probe of an outage, and a fault of its file ended it. The service gave no answer, so the
      // gate closes again. That plans the next probe.
      const isUntold = sent.kind === 'fault' && sent.attempt !== null && gate.now() === closed;
      if (isUntold && closed !== null && !closed.isTested && isTrouble(closed.reason)) {
        gate.shut(closed.reason, closed);
      }
    } catch (error) {
      ports.log.error('outcome not recorded', { uploadId: upload.id, error });
      health.lost(error);
      const { failure } = flight;
      if (failure !== null && closesEverything.has(failure.code)) closeUnrecorded(failure);
    }
  };

  /** The refusal could not be recorded, but it still holds: the gate is closed before it is recorded. */
  const closeUnrecorded = (refusal: AppError): void => {
    try {
      gate.refused(refusal);
    } catch (error) {
      ports.log.warn('closed gate not recorded', { code: toAppError(error).code });
    }
  };

  const obey = async (upload: Upload, sent: Sent, begunMs: number): Promise<void> => {
    switch (sent.kind) {
      case 'no-permit':
      case 'not-due':
        return;
      case 'uploaded':
        refusals.passed(upload.id);
        gate.passed(begunMs);
        return;
      case 'fault':
        await applyFailure(upload, sent.verdict, sent.error, {
          asked: sent.attempt !== null,
          isQuick: sent.isQuick,
        });
        return;
      default:
        unreachable(sent);
    }
  };

  const loop = createLoop({ name: 'queue', ports, work, turn });
  limiter.onChange(loop.wake);
  gate.onChange(loop.wake);
  rows.onMove(({ row, before }) => {
    // Other files may have waited for the result of an uncertain upload.
    if (row.state.kind === 'ready' || before?.kind === 'uncertain') loop.wake();
  });

  return {
    wake: loop.wake,
    /** Ids on their way now. */
    sending: (): ReadonlySet<number> => new Set(inFlight.keys()),
    sentBytes: (uploadId: number): number | null => inFlight.get(uploadId)?.sentBytes ?? null,
    /** The observed speed of all uploads together. Null: not known yet. */
    bytesPerSecond: (): number | null => speed.bytesPerSecond(),
    isStill() {
      if (inFlight.size > 0 || loop.isBusy()) return false;
      return isPaused() || gate.passage().kind === 'closed' || !picker.isDue(onTheWay());
    },
    gate(): QueueGate {
      const trouble = health.trouble();
      const unwritten = trail.trouble();
      const wrong = trouble ?? unwritten ?? settings.barred();
      if (wrong === null) return gate.view();
      const { message, remedy } = wrong;
      const reason = trouble !== null ? 'disk' : unwritten !== null ? 'audit' : 'policy';
      return { kind: 'closed', reason, untilMs: null, message, remedy };
    },
    /** The user acted (new key, new address, resume): one probe goes at once. */
    reopen(): void {
      preflight.askAgain();
      if (isPaused()) preflight.giveUp();
      gate.probeNow();
      loop.wake();
    },
    /** Ends uploads on their way that a person does not want. Another process may have recorded that. */
    stopUnwanted(): void {
      for (const [id, { abort }] of inFlight) {
        const state = ledger.uploads.byId(id)?.state;
        // After the tail the answer is waited for: it has the id.
        if (state?.kind === 'sending' && isUnwanted(state)) abort.abort();
      }
    },
    /** Only these rows may go; null: all. */
    restrictTo(ids: ReadonlySet<number> | null): void {
      picker.restrictTo(ids);
      loop.wake();
    },
    async stop() {
      await loop.stop();
      await Promise.all([...inFlight.values()].map((flight) => flight.done));
    },
  };
};

export type Queue = ReturnType<typeof createQueue>;
