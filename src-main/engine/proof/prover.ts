// Stage: reads public links back and reports when one does not serve what was sent: once after an upload (setting
// verifyAfterUpload), and again and again while the link is watched. A read waits for spare requests, and an upload
// that arrives ends it. Reads are in the ledger, so a kill at any point only delays them; each finding is reported once
// (decisions/proof-of-links.md).
import { call, wording } from '../../contract/text/wording.ts';
import type { WatchPrice } from '../../contract/commands.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import type { VerifyReason } from '../../contract/model.ts';
import type { Service } from '../account/service.ts';
import type { Proof } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';
import { createLoop, type Stage } from '../shared/loop.ts';
import { joinPath } from '../shared/paths.ts';
import type { Core } from '../state/core.ts';
import { proveLink } from './prove-link.ts';

export type Prover = Stage & {
  /** What a person's own read of a link has found; null: it serves what was sent. True when an entry reports it. */
  found(uploadId: number, reason: VerifyReason | null): boolean;
  /** In a transaction. Throws `bad-use` when too many are watched. */
  watch(row: Upload): void;
  /** In a transaction. */
  unwatch(row: Upload): void;
  price(): WatchPrice;
};

/** All of them are read to compute what they cost. */
const mostWatched = 1000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The waits after a read that did not reach the link. After the last of them the failure is reported. */
const againAfterMs = [5 * minuteMs, 30 * minuteMs, 3 * hourMs];
/** The wait after a read that ended without a result: an upload arrived, or there is no key. */
const laterMs = 5 * minuteMs;
/** A run that ends when nothing is due waits this time for the pace, and not for another minute. */
const soonMs = 20_000;
/** How soon to look again whether a read that is due may begin. */
const tryAgainMs = minuteMs;

export const createProver = (core: Core, service: Service): Prover => {
  const { ports, rows, feed, work } = core;
  const { ledger, clock, keys, log, settings } = ports;
  const { limiter, gate, spare } = service;
  const { proofs } = ledger;
  let reading: AbortController | null = null;

  const everyMs = (): number => settings.current().releaseWatch * hourMs;

  /** In a transaction. */
  const note = (proof: Proof, reason: VerifyReason | null): boolean => {
    const { uploadId, path, fileId, publicLink } = proof;
    const told = reason ?? 'right';
    const isNews = told !== proof.told;
    if (isNews) feed.record(uploadId, path, { kind: 'verified', fileId, publicLink, reason });
    const toldAtMs = isNews ? clock.wallMs() : proof.toldAtMs;
    if (proof.isWatched) {
      const nextMs = limiter.nowMs() + everyMs();
      proofs.update(uploadId, { nextMs, tries: 0, told, toldAtMs });
    } else if (reason === null) proofs.remove(uploadId);
    else proofs.update(uploadId, { nextMs: null, tries: 0, told, toldAtMs });
    return isNews;
  };

  const found = (uploadId: number, reason: VerifyReason | null): boolean =>
    ledger.atomically(() => {
      const proof = proofs.byId(uploadId);
      // Its link was taken back meanwhile, or is not read any more.
      if (proof === null) return false;
      const againMs = reason === 'unreachable' ? againAfterMs[proof.tries] : undefined;
      if (againMs === undefined) return note(proof, reason);
      proofs.update(uploadId, { nextMs: limiter.nowMs() + againMs, tries: proof.tries + 1 });
      return false;
    });

  const read = async (proof: Proof): Promise<void> => {
    const { uploadId, path } = proof;
    // Before the read: one that is cut off by a crash is not repeated at once.
    proofs.update(uploadId, { nextMs: limiter.nowMs() + laterMs });
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
  };

  const turn = async (): Promise<number | null> => {
    // The setting may have changed.
    proofs.hasten(limiter.nowMs() + everyMs());
    const proof = proofs.next();
    if (proof === null) return null;
    const dueMs = proof.nextMs - limiter.nowMs();
    // The limiter's time may stand still while the clock of the timer runs.
    if (dueMs > 0) return Math.min(dueMs, hourMs);
    const waitMs = spare.waitMs();
    if (waitMs !== 0) return waitMs ?? tryAgainMs;
    await read(proof);
    return 0;
  };

  const loop = createLoop({ name: 'prover', ports, work, turn });
  gate.onChange(loop.wake);

  rows.onMove(({ row }) => {
    // The user's upload goes first, also on the wire.
    if (row.state.kind === 'ready') reading?.abort();
    if (row.state.kind !== 'uploaded') return;
    if (settings.current().verifyAfterUpload) proofs.add(row.id, limiter.nowMs());
    loop.wake();
  });

  const record = (row: Upload, isWatched: boolean): void =>
    void feed.record(row.id, joinPath(row.dir, row.name), { kind: 'watch-set', isWatched });

  return {
    stop: loop.stop,
    wake() {
      // Another process may have queued it.
      if (reading !== null && work.isOn() && ledger.uploads.countInState('ready') > 0) reading.abort();
      loop.wake();
    },
    isStill() {
      if (reading !== null) return false;
      const dueMs = (proofs.next()?.nextMs ?? Infinity) - limiter.nowMs();
      const waitMs = dueMs > 0 ? null : spare.waitMs();
      return waitMs === null || waitMs > soonMs;
    },
    found,
    watch(row) {
      if (proofs.countWatched() >= mostWatched && proofs.byId(row.id)?.isWatched !== true)
        throw new AppError(
          'bad-use',
          `Outtray watches at most ${mostWatched} links.`,
          wording`${call('verify', '--watch')} lists them; ${call('verify', '--unwatch ID')} ends one.`,
        );
      if (proofs.watch(row.id, limiter.nowMs())) record(row, true);
    },
    unwatch(row) {
      if (proofs.unwatch(row.id)) record(row, false);
    },
    price() {
      const links = proofs.watched();
      const perDay = dayMs / everyMs();
      const bytes = links.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
      return {
        links: links.length,
        requestsPerDay: Math.ceil(links.length * perDay),
        bytesPerDay: Math.ceil(bytes * perDay),
        dayLimit: limiter.view().day.limit,
        everyMs: everyMs(),
      };
    },
  };
};
