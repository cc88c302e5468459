// The one decision about a row: what an event changes in it. Pure.
import type { EntryBody } from '../../contract/entries.ts';
import { unreachable } from '../../contract/errors.ts';
import { isByPerson, isUnwanted, mayBeThere, takenBackRule, type UploadState } from '../../contract/model.ts';
import { joinPath } from '../shared/paths.ts';
import type { Upload, UploadChange } from '../ports/uploads.ts';
import { isHeldUncertain } from '../shared/same-content.ts';
import { isInGrace } from '../shared/waits.ts';
import { isUnwritten, renewed, staysConfirmed } from '../shared/file-version.ts';
import type { UploadEvent } from './events.ts';
import { table } from './table.ts';
import { isByAPerson, leftOut, lookedFor, obeyed, withdrawn, type Step } from './unwanted.ts';

/** 'stale': the row has moved on meanwhile, and the caller drops what it did. */
export const next = (row: Upload, event: UploadEvent): Step | 'stale' => {
  if (!table[event.kind].from.includes(row.state.kind)) return 'stale';
  const step = stepOf(row, event);
  return step === 'stale' || !isUnwanted(row.state) || isByAPerson.has(event.kind) ? step : obeyed(row, step);
};

const stepOf = (row: Upload, event: UploadEvent): Step | 'stale' => {
  switch (event.kind) {
    case 'version-found': {
      const { state, stamp, wantsAnother, confirmed = staysConfirmed(row, stamp) } = event;
      const door = event.door ?? (row.folderId === null ? row.door : 'folder');
      // A file that a person gives by path goes at once.
      const graceOver = event.confirmed !== undefined && isByPerson(door);
      const change = {
        state,
        stamp,
        sha256: null,
        sent: null,
        wantsAnother,
        confirmed,
        graceOver,
        door,
        keptBy: event.keptBy ?? null,
        attempts: 0,
      };
      return { change, entries: entriesOf(state) };
    }
    case 'version-kept-back': {
      const { stamp, wantsAnother } = event;
      const confirmed = staysConfirmed(row, stamp);
      // Without an entry: a file that is written again and again is asked about once.
      const isRewritten = row.state.kind === 'held' && !isUnwritten(row.stamp, stamp);
      const state = isRewritten ? { state: { ...row.state, isRewritten } } : {};
      return silent({ ...state, stamp, sha256: null, sent: null, confirmed, wantsAnother, attempts: 0 });
    }
    case 'kept-back': {
      const { state, stamp } = event;
      const confirmed = staysConfirmed(row, stamp);
      return { change: { state, stamp, sha256: null, sent: null, confirmed }, entries: entriesOf(state) };
    }
    case 'replaced':
      return silent({ present: false });
    case 'vanished':
      // Its link, or the question whether it has one, outlives the file.
      return {
        change: hasOutcome(row)
          ? { present: false }
          : { present: false, state: { kind: 'gone' }, keptBy: event.keptBy },
        entries: [{ kind: 'gone' }],
      };
    case 'reappeared':
      return silent({ keptBy: null });
    case 'followed': {
      const { folderId, dir, name, stamp, state, isNews } = event;
      const from = joinPath(row.dir, row.name);
      return {
        change: { present: true, keptBy: null, folderId, dir, name, state, ...renewed(row, stamp) },
        entries: [{ kind: 'moved', from }, ...(isNews ? entriesOf(state) : [])],
      };
    }
    case 'moved': {
      const { folderId, dir, name, stamp, isNews } = event;
      const from = joinPath(row.dir, row.name);
      return {
        change: { folderId, dir, name, stamp, present: true },
        entries: isNews ? [{ kind: 'moved', from }] : [],
      };
    }
    case 'folder-changed':
      return silent({ folderId: event.folderId });
    case 'touched':
      return silent(renewed(row, event.stamp));
    case 'checked':
      // If it waited in its time of grace, that time is over.
      return silent({
        state: { kind: 'settling' },
        ...renewed({ ...row, graceOver: row.graceOver || isInGrace(row) }, event.stamp),
      });
    case 'locked': {
      const state = { kind: 'waiting' as const, reason: 'locked' as const, untilMs: event.untilMs };
      return { change: { state, attempts: row.attempts + 1 }, entries: [state] };
    }
    case 'folder-missing':
      return silent({ state: { kind: 'waiting', reason: 'folder', untilMs: event.untilMs } });
    case 'settled': {
      if (!row.present) return 'stale';
      const { state, stamp, sha256, sent = null, sameAsId = row.sameAsId } = event;
      const isRead = sha256 !== null && row.stamp?.key === stamp?.key;
      return {
        change: { state, sent, sameAsId, ...(isRead ? { sha256 } : {}) },
        entries:
          state.kind === 'ready' ? [{ kind: 'queued', sizeBytes: stamp?.sizeBytes ?? 0 }] : entriesOf(state),
      };
    }
    case 'merged':
      return silent({ present: false, state: { kind: 'gone' }, sameAsId: null });
    case 'burst':
      return recorded({ kind: 'held', reason: 'burst' });
    case 'superseded':
      return silent({ state: { kind: 'superseded', byId: event.byId } });
    case 'begun': {
      const { attemptId, sentName, accountId } = event;
      return {
        change: { state: { kind: 'sending', attemptId }, sentName, accountId },
        entries: [{ kind: 'uploading' }],
      };
    }
    case 'tail-due': {
      const { attemptId, sha256, accountId } = event;
      return silent({ state: { kind: 'committing', attemptId }, sha256, accountId });
    }
    case 'uploaded':
      return uploaded(row, event);
    case 'returned':
      return row.present ? silent({ state: { kind: 'ready' } }) : notThere;
    case 'sent-back':
      return row.present ? silent({ state: { kind: 'settling' } }) : notThere;
    case 'delayed': {
      if (!row.present) return notThere;
      const state = { kind: 'waiting' as const, reason: event.reason, untilMs: event.untilMs };
      return { change: { state, attempts: row.attempts + 1 }, entries: [state] };
    }
    case 'failed': {
      const { code, message, remedy } = event;
      const state = { kind: 'failed' as const, code, message, remedy };
      return { change: { state, attempts: row.attempts + 1 }, entries: [state] };
    }
    case 'ended':
      return recorded({ kind: 'skipped', rule: 'expired' });
    case 'answer-lost': {
      const { attemptId, lost, isQuick, isBusy, nextLookAtMs, message } = event;
      const counts = { looks: 0, nextLookAtMs };
      const why = message === null ? {} : { message, untilMs: nextLookAtMs };
      return {
        change: {
          state: {
            kind: 'uncertain',
            attemptId,
            lost,
            isQuick,
            ...(isBusy ? { isBusy } : {}),
            ...counts,
          },
          attempts: row.attempts + 1,
        },
        entries: [
          isBusy
            ? { kind: 'waiting', reason: 'busy', untilMs: nextLookAtMs }
            : { kind: 'held', reason: 'uncertain', ...why },
        ],
      };
    }
    case 'look-planned': {
      if (row.state.kind !== 'uncertain') return 'stale';
      const { looks, nextLookAtMs } = event;
      return silent({ state: { ...row.state, looks, nextLookAtMs } });
    }
    case 'undecided':
      return recorded({ kind: 'held', reason: 'uncertain' });
    case 'absent':
      return row.present ? recorded(event.then) : notThere;
    case 'hashed':
      return silent({ sha256: event.sha256 });
    case 'doubted':
      return {
        change: { state: event.then },
        entries: event.then.kind === 'held' ? entriesOf(event.then) : [],
      };
    case 'ledger-replaced':
      return silent({ state: { kind: 'held', reason: 'maybe-uploaded' } });
    case 'replanned':
      return row.state.kind === 'waiting'
        ? silent({ state: { ...row.state, untilMs: event.untilMs } })
        : 'stale';
    case 'wanted': {
      const { confirmed, wantsAnother } = event;
      const state: UploadState = row.present ? { kind: 'settling' } : { kind: 'gone' };
      return silent({ state, confirmed, wantsAnother, graceOver: true, attempts: 0 });
    }
    case 'left-out':
      return isHeldUncertain(row.state) ? lookedFor(row.state) : leftOut(row);
    case 'put-back': {
      const { state, confirmed, wantsAnother, attempts } = event;
      // No entry: a notification reported this state before it was left out.
      return silent({ state: withdrawn(row.state, state), confirmed, wantsAnother, attempts });
    }
    case 'prioritized':
      return silent({ priority: event.priority });
    case 'expire': {
      const { wish, wanted, endsAtMs } = event;
      if (row.publicLink === null) return silent({ expireWish: wish });
      return {
        change: { expireWish: wish, wantedEnds: wanted },
        entries: [{ kind: 'expiry-set', expiresAtMs: endsAtMs }],
      };
    }
    case 'recall': {
      if (row.state.kind === 'held') return lookedFor(row.state);
      if (mayBeThere(row.state)) return leftOut(row);
      const { kind: _, ...how } = event;
      const { state } = row;
      const before = state.kind === 'superseded' || state.kind === 'recalled' ? { before: state } : {};
      return silent({ state: { kind: 'recalling', tries: 0, ...how, ...before } });
    }
    case 'delete-due':
      return silent(row.state.kind === 'recalling' ? { state: { ...row.state, isSent: true } } : {});
    case 'kept': {
      const { state } = row;
      if (state.kind !== 'recalling') return silent({ state: withdrawn(state, null) });
      const isGoing = state.isSent === true || state.isExpired === true;
      return isGoing ? 'stale' : silent({ state: state.before ?? { kind: 'uploaded' } });
    }
    case 'recall-planned': {
      const { nextAtMs, tries, refusal, look } = event;
      if (row.state.kind === 'recalled')
        return silent(
          row.state.dead ? {} : { state: { ...row.state, nextAtMs, tries, ...(look && { look }) } },
        );
      if (row.state.kind !== 'recalling') return 'stale';
      const { refusal: _, isSent, ...state } = row.state;
      // A DELETE that was refused has deleted nothing.
      const answered = refusal !== null ? { refusal } : isSent === true ? { isSent } : {};
      return silent({ state: { ...state, nextAtMs, tries, ...answered } });
    }
    case 'recalled':
      return recalled(row, event);
    case 'served':
      return silent({ wasServed: true });
    default:
      return unreachable(event);
  }
};

const silent = (change: UploadChange): Step => ({ change, entries: [] });
/** Nothing was created of a file that is not there any more, or has another version now: it does not go again. */
const notThere = silent({ state: { kind: 'gone' } });
const recorded = (state: UploadState): Step => ({ change: { state }, entries: entriesOf(state) });

/** The entries that a new state records by itself. */
export const entriesOf = (state: UploadState): readonly EntryBody[] => {
  switch (state.kind) {
    case 'skipped':
    case 'failed':
      return [state];
    case 'waiting':
      return [{ kind: 'waiting', reason: state.reason, untilMs: state.untilMs }];
    case 'held':
      return [state];
    default:
      return [];
  }
};

/** It is on the service, or may be. */
const hasOutcome = ({ state }: Upload): boolean =>
  state.kind === 'uploaded' ||
  state.kind === 'recalling' ||
  state.kind === 'uncertain' ||
  isHeldUncertain(state);

const uploaded = (
  { sent }: Upload,
  { receipt, sha256, sentName, atMs, life, wasThere }: Extract<UploadEvent, { kind: 'uploaded' }>,
): Step => {
  const { file_id: fileId, public_link: publicLink, size, filename } = receipt;
  return {
    change: {
      state: { kind: 'uploaded' },
      sha256,
      sentName,
      fileId,
      publicLink,
      remoteSize: size,
      remoteName: filename === sentName ? null : filename,
      uploadedAtMs: atMs,
      uploadedProvenMs: life.provenMs,
      sameAsId: null,
      wantedEnds: life.wanted,
    },
    entries: [
      {
        kind: 'uploaded',
        fileId,
        publicLink,
        size,
        filename,
        expiresAtMs: life.endsAtMs,
        ...(wasThere === true ? { wasThere } : {}),
        ...(sent === null ? { sha256 } : { sha256: sent.sha256, withoutLocation: true }),
      },
    ],
  };
};

/** The row keeps the former link. A file that is still on the disk gets a row of its own. */
const recalled = (
  { fileId, publicLink, uploadedAtMs, state: before }: Upload,
  { dead, downloads, atMs, lateMs, open }: Extract<UploadEvent, { kind: 'recalled' }>,
): Step => {
  const isExpired = takenBackRule(before) === 'expired';
  const { againAtMs: _, ...planned } = open ?? {};
  return {
    change: {
      state: { kind: 'recalled', dead, ...planned, ...(isExpired ? { isExpired } : {}) },
      present: false,
    },
    entries: [
      {
        kind: 'recalled',
        fileId: fileId ?? 0,
        publicLink: publicLink ?? '',
        publicSeconds: Math.max(0, Math.round((atMs - (uploadedAtMs ?? atMs)) / 1000)),
        downloads,
        dead,
        ...(open === null ? {} : { look: open.look, againAtMs: open.againAtMs }),
        ...(isExpired ? { lateMs } : {}),
      },
    ],
  };
};
