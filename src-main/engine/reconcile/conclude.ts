// What follows from a look at the account list: adopt what was found, look again, send again, or ask a person.
import { sentContent } from '../shared/same-content.ts';
import { unreachable } from '../../contract/errors.ts';
import { isBusy, isUnwanted, type RemoteFile, type UploadState } from '../../contract/model.ts';
import type { Service } from '../account/service.ts';
import { firstSeenAtMs } from '../account/copies/first-seen.ts';
import { lookVerdict, nextLookAt, type Evidence } from './reconcile-rules.ts';
import { lookAgainMs, lookTimes, unanswered } from '../shared/waits.ts';
import type { Attempt } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';
import { againAfter, isFinalRefusal } from './send-again.ts';
import type { UploadEvent } from '../state/events.ts';
import type { Core } from '../state/core.ts';
import { storeReceipt } from '../state/receipt.ts';

type Uncertain = Extract<UploadState, { kind: 'uncertain' }>;
export type Case = { row: Upload; state: Uncertain; attempt: Attempt | null };

/** Gives an entry of the account list to the upload whose content it serves. */
const createAdopt = ({ ports, rows }: Pick<Core, 'ports' | 'rows'>, expiry: Service['expiry']) => {
  const { ledger, clock } = ports;
  const adopt = (row: Upload, file: RemoteFile, wasThere = false): Upload =>
    ledger.atomically(() => {
      const { file_id: fileId, public_link: link } = file;
      if (fileId === undefined || link === undefined) return row;
      // The id may have been that of another upload before. This entry is newer.
      ledger.remote.saw(row.accountId, [file], ports.clock.wallMs(), firstSeenAtMs(ports));
      // While the contents were compared, the user may have given this file to another upload.
      if (ledger.uploads.byFileId(fileId) !== null || row.accountId !== ledger.accounts.present()) return row;
      const sentName = row.sentName ?? row.name;
      const receipt = {
        file_id: fileId,
        public_link: link,
        size: file.size ?? sentContent(row).sizeBytes,
        filename: file.filename ?? sentName,
      };
      const nowMs = clock.wallMs();
      const attempt = ledger.attempts.ofUpload(row.id).findLast((one) => one.committingAtMs !== null);
      const since = expiry.tailOf(attempt ?? null);
      return storeReceipt({ ledger, rows }, row, receipt, {
        sha256: row.sha256 ?? '',
        sentName,
        atMs: since.atMs,
        seenAtMs: nowMs,
        ...{ life: expiry.ofUpload(row, since), wasThere },
      });
    });
  return adopt;
};

export const createConclusions = (
  { ports, rows, steadyMs }: Pick<Core, 'ports' | 'rows' | 'steadyMs'>,
  expiry: Service['expiry'],
  /** Time since the engine gave up the answer. */
  sinceLostMs: (one: Case) => number,
) => {
  const { ledger, clock, settings } = ports;

  /** The row as it is now. Null: it has moved on since the look began, perhaps to another attempt. */
  const rowOf = ({ row, state }: Case): (Upload & { state: Uncertain }) | null => {
    const now = ledger.uploads.byId(row.id);
    return now?.state.kind === 'uncertain' && now.state.attemptId === state.attemptId
      ? { ...now, state: now.state }
      : null;
  };

  /** `isLast`: even a slow list must show the file, and another look would tell no more. */
  const decide = (
    one: Case,
    evidence: Evidence,
    { isComplete, isLast }: { isComplete: boolean; isLast: boolean },
  ): void => {
    const { reconcileAfterMs, onAmbiguous } = settings.current();
    const current = rowOf(one);
    if (current === null) return;
    const verdict = lookVerdict(evidence, { isComplete, isLast });
    switch (verdict.kind) {
      case 'adopt':
        adopt(current, verdict.file);
        rows.apply(current.id, { kind: 'served' });
        return;
      case 'send-again':
        wasAbsent(current, one);
        return;
      case 'hold':
        if (isUnwanted(current.state)) {
          lookLater(one);
          return;
        }
        if (onAmbiguous === 'reupload') {
          goAgain(current, one);
          return;
        }
        rows.apply(current.id, { kind: 'undecided' });
        return;
      case 'look-again': {
        const looks = one.state.looks + 1;
        const [soonMs] = lookTimes(reconcileAfterMs);
        const planned = nextLookAt(steadyMs() - sinceLostMs(one), looks, reconcileAfterMs);
        const nextLookAtMs = Math.max(planned ?? steadyMs() + reconcileAfterMs, steadyMs() + soonMs);
        rows.apply(current.id, { kind: 'look-planned', looks, nextLookAtMs });
      }
    }
  };

  /** A person does not want it: it is looked for until it is found, or is known not to be there. */
  const lookLater = ({ row, state }: Case): void => {
    const nextLookAtMs = Math.ceil(steadyMs() + lookAgainMs(state.looks));
    rows.apply(row.id, { kind: 'look-planned', looks: state.looks + 1, nextLookAtMs });
  };

  /** The service does not have the file. */
  const wasAbsent = (row: Upload, one: Case): void => {
    const status = one.attempt?.status ?? null;
    if (row.present && isFinalRefusal(status)) {
      const refusal = {
        kind: 'failed' as const,
        code: 'refused',
        message: `The service does not accept this file (${status ?? ''}), and does not have it.`,
        remedy: 'Change the file or its name, or ask the service.',
      };
      absent(row, refusal);
      return;
    }
    goAgain(row, one);
  };

  /** Sends it again now, later, or only after a person decides. */
  const goAgain = (row: Upload, one: Case): void => {
    const nowMs = clock.wallMs();
    const again = againAfter(
      unanswered(ledger.attempts.ofUpload(row.id), nowMs),
      { sinceLastMs: sinceLostMs(one), isBusy: isBusy(one.state) },
      settings.current().reconcileAfterMs,
    );
    switch (again.kind) {
      case 'now':
        absent(row, { kind: 'settling' });
        return;
      case 'hold':
        absent(row, { kind: 'held', reason: 'unanswered' });
        return;
      case 'wait': {
        const untilMs = Math.ceil(steadyMs() + again.waitMs);
        absent(row, { kind: 'waiting', reason: isBusy(one.state) ? 'rate' : 'service', untilMs });
        return;
      }
      default:
        unreachable(again);
    }
  };

  const absent = (row: Upload, then: Extract<UploadEvent, { kind: 'absent' }>['then']): void => {
    rows.apply(row.id, { kind: 'absent', then });
  };

  const adopt = createAdopt({ ports, rows }, expiry);
  return { rowOf, decide, adopt };
};
