// Public links that are read back once after their upload (setting verifyAfterUpload). An upload that arrives ends a
// read. What was found stays until a person's read finds the link right.
import { toAppError } from '../../contract/errors.ts';
import type { VerifyReason } from '../../contract/model.ts';
import type { Service } from '../account/service.ts';
import type { Core } from '../state/core.ts';
import { proveLink } from '../account/copies/prove-link.ts';

const minuteMs = 60_000;
/** The waits after a read that did not reach the link. After the last of them the failure is reported. */
const againAfterMs = [5 * minuteMs, 30 * minuteMs, 180 * minuteMs];
/** The wait after a read that ended without a result: an upload arrived, or there is no key. */
const laterMs = 5 * minuteMs;

export const createProofs = (core: Core, service: Service) => {
  const { ports, rows, feed, work } = core;
  const { ledger, clock, keys, log, settings } = ports;
  const { limiter, spare } = service;
  const { watched } = ledger;
  let reading: AbortController | null = null;

  const found = (uploadId: number, reason: VerifyReason | null): boolean =>
    ledger.atomically(() => {
      if (reason === null) rows.apply(uploadId, { kind: 'served' });
      const proof = watched.byId('content', uploadId);
      // Its link was taken back meanwhile, or is not read any more.
      if (proof === null) return false;
      const againMs = reason === 'unreachable' ? againAfterMs[proof.tries] : undefined;
      if (againMs !== undefined) {
        watched.update('content', uploadId, { nextMs: limiter.nowMs() + againMs, tries: proof.tries + 1 });
        return false;
      }
      const isNews = reason === null || reason !== proof.told;
      const { path, fileId, publicLink } = proof;
      if (isNews) feed.record(uploadId, path, { kind: 'verified', fileId, publicLink, reason });
      if (reason === null) watched.remove('content', uploadId);
      else {
        const toldAtMs = isNews ? { toldAtMs: clock.wallMs() } : {};
        watched.update('content', uploadId, { nextMs: null, tries: 0, told: reason, ...toldAtMs });
      }
      return isNews;
    });

  return {
    patienceMs: 20_000,
    dueMs() {
      const proof = watched.next('content');
      return proof === null ? null : Math.max(0, proof.nextMs - limiter.nowMs());
    },
    async look() {
      const proof = watched.next('content');
      if (proof === null) return;
      const { uploadId, path } = proof;
      // Before the read: one that is cut off by a crash is not repeated at once.
      watched.update('content', uploadId, { nextMs: limiter.nowMs() + laterMs });
      reading = new AbortController();
      const signal = AbortSignal.any([reading.signal, work.signal]);
      try {
        await keys.require();
        const turn = spare.waitMs() === 0 ? limiter.tryTake('background') : null;
        if (turn?.kind !== 'granted') return;
        try {
          found(uploadId, await proveLink(ports, proof, signal));
        } finally {
          // A public link is no endpoint of the API. So its answer shows nothing about the limits.
          limiter.answered(turn.permit, { kind: 'no-answer' });
          spare.ended();
        }
      } catch (caught) {
        const { code, message } = toAppError(caught);
        if (!signal.aborted) log.warn('link not read back', { path, code, message });
      } finally {
        reading = null;
      }
    },
    /** What a read of a link has found; null: it serves what was sent. True when an entry reports it. */
    found,
    /** In a transaction. This upload has its link. */
    add(uploadId: number): void {
      if (settings.current().verifyAfterUpload)
        watched.add('content', uploadId, { sinceMs: clock.wallMs(), nextMs: limiter.nowMs() });
    },
    isReading: (): boolean => reading !== null,
    /** Ends a read for an upload. */
    giveWay: (): void => reading?.abort(),
  };
};
