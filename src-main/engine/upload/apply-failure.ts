// Applies the verdict on a failed upload (classify-failure.ts): writes it into the row, and into the gate when it
// concerns all uploads.
import { blockedBackOffMs, fileBackOffMs, lookTimes } from '../shared/waits.ts';
import { AppError, unreachable } from '../../contract/errors.ts';
import type { ServiceStats, DelayReason } from '../../contract/model.ts';
import { gateReasonOf, isTrouble } from '../account/gate-rules.ts';
import type { Service } from '../account/service.ts';
import { askOf, askUnlessClosed } from '../limiter/ask.ts';
import { planFault } from '../account/forbidden.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import type { Verdict } from './classify-failure.ts';
import type { Refusals } from '../account/refusals.ts';
import type { Core } from '../state/core.ts';

type FailurePorts = { ports: Pick<Ports, 'ledger' | 'clock' | 'settings' | 'api'> };

const dayMs = 24 * 3_600_000;
/** Longer than the time in which uploads that began together are refused. Shorter than the wait for any probe. */
const togetherMs = 120_000;

/** Limits of proxies are larger: a smaller file is not refused for its size. */
const leastProxyLimitBytes = 1024 * 1024;

const allBlocked = {
  message: 'Something on the way to the service, for example a firewall, blocks all uploads.',
  remedy: 'Ask the people who run the network or the service.',
};

/** The bytes that are sent: a photo without its location has fewer. */
const sizeOf = ({ sent, stamp }: Upload): number => (sent ?? stamp)?.sizeBytes ?? 0;

/** What becomes of the row. */
const createFates = ({ rows, steadyMs }: Pick<Core, 'rows' | 'steadyMs'>) => {
  const again = (upload: Upload): void => {
    rows.apply(upload.id, { kind: 'returned' });
  };

  const sendBack = (upload: Upload): void => {
    rows.apply(upload.id, { kind: 'sent-back' });
  };

  /** `blocked`: something refuses this file alone. The others go on, and it is tried again by itself. */
  const delay = ({ id, attempts }: Upload, reason: DelayReason): void => {
    const waitMs = reason === 'blocked' ? blockedBackOffMs(attempts) : fileBackOffMs(attempts);
    rows.apply(id, { kind: 'delayed', reason, untilMs: Math.ceil(steadyMs() + waitMs) });
  };

  const fail = (upload: Upload, { code, message, remedy }: AppError): void => {
    rows.apply(upload.id, { kind: 'failed', code, message, remedy });
  };

  return { again, sendBack, delay, fail };
};

/** Finds out why an upload was refused with 403, or by a page. */
const createTellApart = (
  { ledger, clock, api }: FailurePorts['ports'],
  signal: AbortSignal,
  { account, ask, gate }: Pick<Service, 'account' | 'ask' | 'gate'>,
  refusals: Refusals,
  { again, delay, fail }: ReturnType<typeof createFates>,
) => {
  /** Uploads that are refused together share one request. */
  let asked: { atMs: number; accountId: number; stats: Promise<ServiceStats> } | null = null;
  const freshStats = (): Promise<ServiceStats> => {
    const nowMs = clock.monoMs();
    const accountId = ledger.accounts.present();
    if (asked === null || asked.accountId !== accountId || nowMs - asked.atMs > togetherMs) {
      const askStill = askOf(accountId, askUnlessClosed(gate.closedSinceMs, ask));
      const stats = askStill('background', signal, async (stop) => {
        const told = await api.stats(stop);
        account.keep(accountId, told);
        return told;
      });
      const mine = { atMs: nowMs, accountId, stats };
      asked = mine;
      // If the request failed, the next refusal asks again.
      mine.stats.catch(() => {
        if (asked === mine) asked = null;
      });
    }
    return asked.stats;
  };

  /**
   * The statistics are fine, and a page refused the upload: something before the service did, perhaps for the name or
   * the content of this file. The gate closes for a few seconds only, and another file goes first.
   */
  const applyBlocked = (upload: Upload, refusal: AppError): void => {
    const verdict = refusals.refused(upload.id);
    switch (verdict) {
      case 'this-file':
        fail(upload, refusal);
        return;
      case 'not-known':
        delay(upload, 'service');
        return;
      case 'all':
        again(upload);
        gate.shut('blocked', allBlocked);
        return;
      default:
        unreachable(verdict);
    }
  };

  const isAboutSize = (upload: Upload, { code, status }: AppError): boolean => {
    const sizeBytes = sizeOf(upload);
    // A page from something before the service does not show the account's limit. Only a 413 for a larger file counts.
    if (code !== 'blocked') return account.sizes.refused(sizeBytes, 403);
    return status === 413 && sizeBytes >= leastProxyLimitBytes && account.sizes.refused(sizeBytes, 413);
  };

  /** 403 means plan, size or daily uploads (service.md §7). The statistics show which of them it is. */
  const tellApart = async (upload: Upload, refusal: AppError): Promise<void> => {
    // No other upload begins until the statistics arrive, because it would be refused as well.
    if (refusal.code !== 'blocked') gate.shut('limit', refusal);
    else if (refusals.isAll()) gate.shut('blocked', allBlocked);
    else gate.shut('service', refusal);
    const begunMs = clock.monoMs();
    try {
      const stats = await freshStats();
      // The service itself refused the upload and answers: what closed all requests before is over.
      gate.known(refusal.code === 'blocked' ? null : begunMs);
      const { daily_uploads: daily } = stats.limits;
      // The day is checked first: if it is used up, the refusal does not show that the file is too large.
      const isDayUsedUp = daily > 0 && ledger.attempts.committedSince(clock.wallMs() - dayMs) >= daily;
      if (!isDayUsedUp && isAboutSize(upload, refusal)) {
        const message = 'The file is larger than the account allows.';
        gate.lift();
        fail(
          upload,
          new AppError('too-large', message, 'Split the file, or ask the service for a larger plan.'),
        );
        return;
      }
      if (refusal.code === 'blocked' && !isDayUsedUp) {
        applyBlocked(upload, refusal);
        return;
      }
      again(upload);
      if (isDayUsedUp) {
        const message = `The account's ${daily} uploads for the day are used up.`;
        gate.shut('daily-uploads', { message, remedy: 'They continue by themselves when the day is over.' });
      }
    } catch (caught) {
      again(upload);
      gate.known(null);
      const error = planFault(caught);
      if (error.code === 'aborted' || error.code === 'rate') return;
      if (error.storage !== undefined) {
        gate.lift();
        throw error;
      }
      const reason = gateReasonOf(error);
      // It is not known whether it is a limit, so the long wait of a limit does not apply. The new reason begins now,
      // also if the same reason had closed all requests already.
      if (isTrouble(reason)) gate.lift();
      gate.shut(reason, error, true);
    }
  };

  return tellApart;
};

export const createFailures = (
  { ports, rows, work, steadyMs }: Pick<Core, 'rows' | 'work' | 'steadyMs'> & FailurePorts,
  service: Pick<Service, 'account' | 'ask' | 'gate' | 'limiter'>,
  refusals: Refusals,
) => {
  const { account, gate, limiter } = service;
  const { ledger, clock, settings } = ports;

  const fates = createFates({ rows, steadyMs });
  const { again, sendBack, delay, fail } = fates;
  const becomeUncertain = (
    upload: Upload,
    message: string,
    how: { isQuick: boolean; isBusy: boolean },
  ): void => {
    const [firstLookMs] = lookTimes(settings.current().reconcileAfterMs);
    const now = ledger.uploads.byId(upload.id)?.state;
    const attemptId = now?.kind === 'committing' || now?.kind === 'sending' ? now.attemptId : 0;
    rows.apply(upload.id, {
      kind: 'answer-lost',
      attemptId,
      lost: clock.sinceBoot(),
      ...how,
      // A service that is busy is not asked before the time that it named.
      nextLookAtMs: Math.max(
        steadyMs() + firstLookMs,
        (how.isBusy ? limiter.nextSlotAt('background') : null) ?? 0,
      ),
      message,
    });
  };

  /** For the reason `rate` the limiter itself waits. */
  const closeFor = (reason: DelayReason, error: AppError): void => {
    if (reason !== 'rate') gate.shut(reason, error);
  };

  const tellApart = createTellApart(ports, work.signal, service, refusals, fates);
  /** Other files passed each time that this one was refused or cut off. */
  const isOfThisFile = ({ id }: Upload, reason: DelayReason, { code }: AppError): boolean => {
    if (isTrouble(reason)) return code !== 'offline' && refusals.cut(id) === 'this-file';
    if (reason !== 'moved') return false;
    refusals.denied(id);
    return refusals.isOnlyThis(id) && gate.now() === null;
  };

  /** `asked`: a request was made. */
  return async (
    upload: Upload,
    verdict: Verdict,
    error: AppError,
    { asked, isQuick }: { asked: boolean; isQuick: boolean },
  ): Promise<void> => {
    // Before the request the row is not marked as sent. If its state changed during the open, that state stays.
    if (!asked && ledger.uploads.byId(upload.id)?.state.kind !== 'ready') return;
    switch (verdict.kind) {
      case 'stopped':
        again(upload);
        return;
      case 'settle':
      case 'gone':
        sendBack(upload);
        return;
      case 'file-waits':
        delay(upload, verdict.reason);
        return;
      case 'queue-waits':
        if (asked && isOfThisFile(upload, verdict.reason, error)) {
          delay(upload, 'blocked');
          return;
        }
        // This file may be the reason why the connection broke. So it waits, and the probe takes another file.
        if (asked && isTrouble(verdict.reason) && error.code !== 'offline') delay(upload, verdict.reason);
        else again(upload);
        closeFor(verdict.reason, error);
        return;
      case 'ask-stats':
        await tellApart(upload, error);
        return;
      case 'fail':
        if (error.status === 413) account.sizes.refused(sizeOf(upload), 413);
        fail(upload, error);
        return;
      case 'uncertain':
        becomeUncertain(upload, error.message, { isQuick, isBusy: verdict.closes === 'rate' });
        if (verdict.closes !== null) closeFor(verdict.closes, error);
        return;
      default:
        unreachable(verdict);
    }
  };
};
