// What a person's no does to a row. An upload that is on its way, or whose answer was lost, keeps it (`isUnwanted`) until
// it is known not to be there, or its link is taken back. Pure.
import type { EntryBody } from '../../contract/entries.ts';
import type { UploadState } from '../../contract/model.ts';
import type { Upload, UploadChange } from '../ports/uploads.ts';
import { isHeldUncertain } from '../shared/same-content.ts';
import type { UploadEvent } from './events.ts';

/** What is written: the changed columns, and the entries that report the change. */
export type Step = { change: UploadChange; entries: readonly EntryBody[] };

/** These change what a person wants. */
export const isByAPerson: ReadonlySet<UploadEvent['kind']> = new Set([
  'wanted',
  'left-out',
  'put-back',
  'recall',
  'kept',
]);

const silently = (change: UploadChange): Step => ({ change, entries: [] });

/** No person wants it: what was not created is left out, and what is there is taken back. */
export const obeyed = (row: Upload, { change, entries }: Step): Step => {
  const { state } = change;
  switch (state?.kind) {
    case undefined:
    case 'gone':
      return { change, entries };
    case 'sending':
    case 'committing':
    case 'uncertain':
      return { change: { ...change, state: { ...state, isUnwanted: true } }, entries };
    case 'uploaded': {
      const { fileId, publicLink, remoteName, sentName } = { ...row, ...change };
      const filename = remoteName ?? sentName ?? row.name;
      return {
        change: { ...change, state: { kind: 'recalling', nextAtMs: 0, tries: 0 } },
        entries: [{ kind: 'unwanted', fileId: fileId ?? 0, publicLink: publicLink ?? '', filename }],
      };
    }
    default:
      // Which of several copies is meant is a question for the person.
      return state !== undefined && isHeldUncertain(state) ? { change, entries } : notGoing(row);
  }
};

/** Until the service shows it, or shows that it is not there. `before`: the question that was open. */
export const lookedFor = (before: Extract<UploadState, { kind: 'held' }>): Step =>
  silently({
    state: {
      kind: 'uncertain',
      attemptId: 0,
      looks: 0,
      nextLookAtMs: 0,
      isUnwanted: true,
      before,
    },
  });

export const leftOut = (row: Upload): Step => {
  const { state } = row;
  switch (state.kind) {
    case 'sending':
    case 'committing':
    case 'uncertain':
      return silently({ state: { ...state, isUnwanted: true } });
    default:
      return notGoing(row);
  }
};

/** `before`: the state before it was left out, where that is known. A question that was open is open again. */
export const withdrawn = (state: UploadState, before: UploadState | null): UploadState => {
  switch (state.kind) {
    case 'sending':
    case 'committing': {
      const { isUnwanted: wasUnwanted, ...now } = state;
      return wasUnwanted === true && before?.kind === 'held' ? before : now;
    }
    case 'uncertain': {
      const { isUnwanted: wasUnwanted, before: question = before, ...now } = state;
      return wasUnwanted === true && question?.kind === 'held' ? question : now;
    }
    default:
      return before ?? state;
  }
};

const notGoing = (row: Upload): Step => {
  const { state, present } = row;
  const kept = { wantsAnother: false, confirmed: false, attempts: 0 };
  if (!present) return silently({ state: { kind: 'gone' }, ...kept });
  // No person has asked for a pre-existing file yet, so its next change is held again.
  const isExisting = state.kind === 'held' && state.reason === 'existing-changed';
  const left = {
    kind: 'skipped' as const,
    rule: isExisting ? ('existing' as const) : ('cancelled' as const),
  };
  return { change: { state: left, ...kept }, entries: [left] };
};
