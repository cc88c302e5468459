// Counts how far the files of a run are. Every place that shows it uses these counts and no others. Pure.
import { stateRow, type StateKind, type UploadState, type Work } from '../model.ts';

/** Where a file of the run is. `held` and `failed` need the user. */
export const workParts = ['ready', 'uploading', 'waiting', 'held', 'failed', 'left-out'] as const;
export type WorkPart = (typeof workParts)[number];

/** The states in which a file is still to be uploaded or needs the user. Outtray resolves a lost answer by itself. */
export const openParts = {
  settling: 'waiting',
  ready: 'waiting',
  waiting: 'waiting',
  uncertain: 'waiting',
  sending: 'uploading',
  committing: 'uploading',
  held: 'held',
  failed: 'failed',
} as const satisfies Partial<Record<StateKind, WorkPart>>;

const isOpenKind = (kind: StateKind): kind is keyof typeof openParts => kind in openParts;

export const partOf = (state: UploadState): WorkPart => {
  if (isOpenKind(state.kind)) return openParts[state.kind];
  const isShared = state.kind === 'skipped' && state.rule === 'already-shared';
  return isShared || stateRow(state.kind).hasLink === true ? 'ready' : 'left-out';
};

/** It is still to be uploaded, or needs the user. */
export const isOpen = (part: WorkPart): boolean => part !== 'ready' && part !== 'left-out';

export const workOf = (files: Partial<Record<WorkPart, number>>): Work => {
  const { ready = 0, uploading = 0, waiting = 0, held = 0, failed = 0, 'left-out': leftOut = 0 } = files;
  const total = ready + uploading + waiting + held + failed + leftOut;
  return { ready, uploading, waiting, needYou: held + failed, failed, leftOut, total };
};
