// Sends one upload (upload-protocol.md, "Withheld tail"). The steps: open the file once, record the attempt and spend
// the permit in one transaction, stream, look again, record `committing`, send the tail, record the outcome. Do not
// change this order: it keeps the promise "nothing is lost, nothing is uploaded twice". Each record is on the disk
// before the next step.
import { storeReceipt } from '../state/receipt.ts';
import { AppError, toAppError, unreachable } from '../../contract/errors.ts';
import { isUnwanted, type UploadReceipt } from '../../contract/model.ts';
import type { Core } from '../state/core.ts';
import type { Feed } from '../shared/feed.ts';
import { noteOutcome, type KnownKey } from '../limiter/ask.ts';
import {
  goesAsPicked,
  isHeldElsewhere,
  isUndecidedElsewhere,
  offeredTo,
  sharedWith,
  takenBackWith,
} from '../shared/same-content.ts';
import { contradictionOf } from './contradiction.ts';
import type { Service } from '../account/service.ts';
import { findUnreadNo, keptContent } from '../candidate/content-decisions.ts';
import { whyAway, whyRefused } from '../candidate/recheck.ts';
import { nameToSend } from '../shared/sent-name.ts';
import { headBytes } from '../inspect/content.ts';
import { isOldEnough, restedMsOf } from '../shared/file-version.ts';
import { rootOf } from '../shared/folder.ts';
import { joinPath } from '../shared/paths.ts';
import type { Attempt, Permit } from '../ports/ledger.ts';
import type { OpenFile, Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import { isQuickRefusal, classifyFailure, type Verdict } from './classify-failure.ts';

/** How long a stop waits for the answer to a tail that is already sent. */
const graceMs = 5000;

export type Sent =
  | { kind: 'uploaded'; upload: Upload }
  /** No permit now: nothing was tried. */
  | { kind: 'no-permit'; waitMs: number }
  /** Nothing was tried: the upload was cancelled or held, the queue closed, or its state changed during the open. */
  | { kind: 'not-due' }
  /** The upload failed. `verdict`: what that means. `error`: the reason. `attempt` null: no request was made. */
  | { kind: 'fault'; verdict: Verdict; error: AppError; attempt: Attempt | null; isQuick: boolean };

/** What the queue adds to one upload. */
type Control = {
  /** Asked again just before the permit is spent. */
  mayGo: () => boolean;
  /** Called before a fault frees the permit, because this fault may close the gate. */
  failing: (error: AppError) => void;
  /** How long to wait for the answer after the last byte. */
  answerWaitMs?: number;
  /** Called with the bytes sent so far. */
  sent: (sentBytes: number) => void;
};

type SenderCore = Pick<Core, 'rows'> & {
  ports: Pick<Ports, 'files' | 'inspect' | 'api' | 'ledger' | 'clock' | 'log' | 'settings'>;
  feed: Pick<Feed, 'progress'>;
};

type SenderService = Pick<Service, 'limiter' | 'account' | 'expiry' | 'identity'>;

/** One upload whose tail is due. `sha256`: of the file; `sentSha256`: of what is sent. */
type Leaving = { upload: Upload; attempt: Attempt; accountId: number; sha256: string; sentSha256: string };

const notSent = {
  over: 'Its end came before it was uploaded.',
  elsewhere: 'Another account is used now.',
  shared: 'The same content was shared meanwhile.',
  kept: 'A person has left this content out meanwhile.',
};

/** What the ledger learns of one upload: that its tail goes, and how it ended. */
const createRecords = (
  { ports, rows }: Pick<SenderCore, 'ports' | 'rows'>,
  { account, expiry, identity }: Pick<Service, 'account' | 'expiry' | 'identity'>,
) => {
  const { ledger, clock } = ports;
  /** Records that the tail goes, in one step with the reasons why it may not. Throws such a reason. */
  const recordTail = (
    { upload, attempt, accountId, sha256, sentSha256 }: Leaving,
    stop: AbortSignal,
  ): void => {
    const why = ledger.atomically(() => {
      const now = ledger.uploads.byId(upload.id) ?? upload;
      if (stop.aborted || isUnwanted(now.state)) return 'stopped';
      if (expiry.isOver(now)) return 'over';
      // The key was changed meanwhile: the file is wanted in the account of the new one.
      if (!identity.holds() || ledger.accounts.present() !== accountId) return 'elsewhere';
      // Another upload was uncertain or on its way when contents were compared. It may now have this content.
      const isShared =
        !upload.wantsAnother &&
        (offeredTo(upload, sharedWith(ledger, upload.id, sha256)).length > 0 ||
          isUndecidedElsewhere(ledger, { id: upload.id, accountId }, sentSha256));
      const isTakenBack = takenBackWith(ledger, upload, sha256) !== null;
      if (isShared || isTakenBack || isHeldElsewhere(ledger, { ...upload, accountId }, sha256))
        return 'shared';
      if (keptContent(ledger, upload, sha256) !== null) return 'kept';
      ledger.attempts.committing(attempt.id, clock.wallMs());
      const row = rows.apply(upload.id, { kind: 'tail-due', attemptId: attempt.id, sha256, accountId });
      return row === 'stale' ? 'stopped' : null;
    });
    if (why === 'stopped') throw new AppError('aborted', 'The upload was stopped.');
    // It settles again, and the queue leaves it out.
    if (why !== null) throw new AppError('changed', notSent[why]);
  };

  const uncertain = (
    attempt: Attempt,
    verdict: Verdict,
    error: AppError,
    tailAtMonoMs: number | null,
  ): Sent => {
    const isQuick = tailAtMonoMs !== null && isQuickRefusal(error.status, clock.monoMs() - tailAtMonoMs);
    ledger.attempts.end(attempt.id, {
      atMs: clock.wallMs(),
      outcome: 'uncertain',
      status: error.status ?? null,
      evidence: evidenceOf(error),
    });
    return { kind: 'fault', verdict, error, attempt, isQuick };
  };

  const recordUploaded = (
    upload: Upload,
    attempt: Attempt,
    receipt: UploadReceipt,
    sha256: string,
    sizeBytes: number,
  ): Upload =>
    ledger.atomically(() => {
      const nowMs = clock.wallMs();
      ledger.attempts.end(attempt.id, { atMs: nowMs, outcome: 'created', status: 200, evidence: null });
      account.learn(sizeBytes, receipt);
      const since = expiry.tailOf(ledger.attempts.byId(attempt.id));
      return storeReceipt({ ledger, rows }, upload, receipt, {
        sha256,
        sentName: attempt.sentName,
        atMs: since.atMs,
        seenAtMs: nowMs,
        life: expiry.ofUpload(ledger.uploads.byId(upload.id) ?? upload, since),
      });
    });

  return { recordTail, uncertain, recordUploaded };
};

/** Sends one file, and records what came of it. */
const createTransmit = ({ ports, feed, rows }: SenderCore, service: SenderService) => {
  const { limiter } = service;
  const { api, ledger, clock, log } = ports;
  const { recordTail, uncertain, recordUploaded } = createRecords({ ports, rows }, service);

  const transmit = async (
    upload: Upload,
    open: OpenFile,
    begun: { attempt: Attempt; permit: Permit; sentName: string; key: KnownKey },
    signal: AbortSignal,
    control: Control,
  ): Promise<Sent> => {
    const { attempt, permit, sentName, key } = begun;
    const { accountId, mark } = key;
    const path = joinPath(upload.dir, upload.name);
    const totalBytes = open.stamp.sizeBytes;
    const tail: { atMonoMs: number | null } = { atMonoMs: null };
    let sha256 = '';
    const writers = lookForWriters(ports, upload, open.stamp);
    // A stop before the tail costs nothing. A stop after the tail waits for the answer for a short time, because
    // without it the upload becomes uncertain.
    const stop = new AbortController();
    let endGrace = (): void => undefined;
    const onAbort = (): void => {
      if (tail.atMonoMs !== null) endGrace = clock.after(graceMs, () => stop.abort());
      else stop.abort();
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const receipt = await api.upload({
        mark,
        sentName,
        sizeBytes: totalBytes,
        pieces: (stop) => writers.after(open.pieces(stop)),
        async beforeTail() {
          const sentSha256 = await open.sha256();
          sha256 = upload.sent === null ? sentSha256 : (upload.sha256 ?? '');
          if (upload.sent !== null && upload.sent.sha256 !== sentSha256)
            throw new AppError('changed', 'The copy without location is not the one that was looked at.');
          if (!(await open.unchanged())) {
            throw new AppError('changed', 'The file changed while it was being sent.');
          }
          // A person may have refused this content a moment ago, in a file that is not read yet.
          const stamp = upload.stamp ?? open.stamp;
          const no = await findUnreadNo(ports, { row: upload, stamp, sha256 }, stop.signal);
          if (no !== null && !stop.signal.aborted) throw new AppError('changed', notSent.kept);
          await writers.demandNone();
          const refused = (await whyRefused(ports, upload, open)) ?? (await whyAway(ports, upload));
          if (refused !== null) throw refused;
          recordTail({ upload, attempt, accountId, sha256, sentSha256 }, stop.signal);
          tail.atMonoMs = clock.monoMs();
        },
        progress(sentBytes) {
          control.sent(sentBytes);
          feed.progress({ uploadId: upload.id, path, sentBytes, totalBytes });
        },
        answerWaitMs: control.answerWaitMs,
        signal: stop.signal,
      });
      const end = ledger.atomically(() => {
        limiter.answered(permit, { kind: 'ok' });
        const problem = contradictionOf(ledger, attempt, receipt);
        if (problem !== null) return { kind: 'contradiction' as const, problem };
        const stored = recordUploaded(upload, attempt, receipt, sha256, totalBytes);
        return { kind: 'uploaded' as const, upload: stored };
      });
      if (end.kind === 'uploaded') return end;
      const verdict = { kind: 'uncertain' as const, closes: null };
      return uncertain(attempt, verdict, new AppError('unusable-answer', end.problem), tail.atMonoMs);
    } catch (caught) {
      const error = toAppError(caught);
      control.failing(error);
      noteOutcome(limiter, permit, error);
      if (error.code === 'internal')
        log.error('upload fault', { uploadId: upload.id, message: error.message });
      const verdict = classifyFailure({
        code: error.code,
        status: error.status,
        tailSent: tail.atMonoMs !== null,
      });
      if (verdict.kind === 'uncertain') return uncertain(attempt, verdict, error, tail.atMonoMs);
      ledger.attempts.end(attempt.id, {
        atMs: clock.wallMs(),
        outcome: error.status === undefined ? 'not-created' : 'refused',
        status: error.status ?? null,
        evidence: evidenceOf(error),
      });
      return { kind: 'fault', verdict, error, attempt, isQuick: false };
    } finally {
      signal.removeEventListener('abort', onAbort);
      endGrace();
    }
  };

  return transmit;
};

export const createSender = (core: SenderCore, service: SenderService) => {
  const { ports, rows } = core;
  const { limiter, identity } = service;
  const { ledger, clock } = ports;

  const transmit = createTransmit(core, service);
  return async (upload: Upload, signal: AbortSignal, control: Control): Promise<Sent> => {
    const isDue = (): boolean => control.mayGo() && goesAsPicked(ledger.uploads.byId(upload.id), upload);
    let open: OpenFile;
    let key: KnownKey;
    try {
      key = await identity.prove('upload', signal);
      open = await openContent(ports, upload);
    } catch (caught) {
      if (!isDue()) return { kind: 'not-due' };
      const error = toAppError(caught);
      return {
        kind: 'fault',
        verdict: classifyFailure({ code: error.code, status: undefined, tailSent: false }),
        error,
        attempt: null,
        isQuick: false,
      };
    }
    try {
      const sentName = nameToSend(upload.name);
      const begun = ledger.atomically(() => {
        if (!isDue()) return { kind: 'not-due' as const };
        if (open.stamp.key !== upload.stamp?.key) return { kind: 'changed' as const };
        const turn = limiter.tryTake('upload', upload.door === 'agent' ? 'agent' : 'upload');
        if (turn.kind === 'wait') return turn;
        const nowMs = clock.wallMs();
        const attempt = ledger.attempts.insert({
          uploadId: upload.id,
          sentName,
          sizeBytes: open.stamp.sizeBytes,
          permitId: turn.permit.id,
          startedAtMs: nowMs,
        });
        const { accountId } = key;
        rows.apply(upload.id, { kind: 'begun', attemptId: attempt.id, sentName, accountId });
        return { kind: 'begun' as const, attempt, permit: turn.permit, sentName, key };
      });
      switch (begun.kind) {
        case 'not-due':
          return begun;
        case 'changed': {
          const error = new AppError('changed', 'The file changed before it was sent.');
          return { kind: 'fault', verdict: { kind: 'settle' }, error, attempt: null, isQuick: false };
        }
        case 'wait':
          return { kind: 'no-permit', waitMs: begun.waitMs };
        case 'begun':
          return await transmit(upload, open, begun, signal, control);
        default:
          return unreachable(begun);
      }
    } finally {
      await open.close();
    }
  };
};

/**
 * A given file that was just written goes without a quiet time, so a program may go on with it. Who opens it when all
 * of it is read has changed nothing of that, and the answer is there before the tail is due.
 */
const lookForWriters = (
  { files, clock }: Pick<SenderCore['ports'], 'files' | 'clock'>,
  { door, dir, name }: Upload,
  stamp: Stamp,
) => {
  const path = joinPath(dir, name);
  const isJustWritten = !isOldEnough(restedMsOf(stamp, clock.wallMs()));
  let asked: Promise<string | undefined> | null = null;
  return {
    async *after(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
      yield* pieces;
      if (door !== 'folder' && isJustWritten && files.seesWriters())
        asked = files.openForWriting([path]).then(
          (writers) => writers.get(path),
          () => undefined,
        );
    },
    async demandNone(): Promise<void> {
      if ((await asked) === 'open')
        throw new AppError('changed', 'A program opened the file for writing while it was being sent.');
    },
  };
};

/** A photo that goes without its location is cut again each time: the cut copy is stored nowhere. */
const openContent = async (ports: SenderCore['ports'], upload: Upload): Promise<OpenFile> => {
  const { sent, stamp } = upload;
  const file = await ports.files.open(joinPath(upload.dir, upload.name), rootOf(ports.ledger, upload));
  try {
    const refused = await whyRefused(ports, upload, file);
    if (refused !== null) throw refused;
    if (sent === null || file.stamp.key !== stamp?.key) return file;
    const look = await ports.inspect.photo(file, await file.head(headBytes), true);
    const cut = look?.cut ?? null;
    if (cut === null) throw new AppError('changed', 'The photo cannot be cut any more.');
    return file.cut(cut.parts);
  } catch (error) {
    await file.close();
    throw error;
  }
};

const evidenceOf = (error: AppError): string =>
  `${error.code}: ${error.message}${error.evidence === undefined ? '' : ` (${error.evidence})`}`.slice(
    0,
    1000,
  );
