// How long a file waits before it is tried or looked for. Pure.
import { isGrace, isUnwanted, type UploadState } from '../../contract/model.ts';
import type { Attempt } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';

export type InGrace = Upload & { state: Extract<UploadState, { reason: 'grace' }> };

export const isInGrace = (row: Upload): row is InGrace => isGrace(row.state);

/** Its folder is paused. */
export const isPausedByFolder = ({ state }: Upload): boolean =>
  state.kind === 'waiting' && state.reason === 'paused';

/** A file that could not be read or was cut off waits 5 s, then twice as long each time, at most 10 min. */
export const fileBackOffMs = (attempts: number): number =>
  Math.min(600_000, 5000 * 2 ** Math.min(attempts, 10));

const ofTable =
  (waits: readonly number[]) =>
  (tries: number): number =>
    (waits[Math.min(tries, waits.length - 1)] ?? 0) * 1000;

/** A DELETE that is refused is tried after 1, 5, 15 min, 1, 6 and 24 h, then daily. */
export const deleteAgainMs = ofTable([60, 300, 900, 3600, 21_600, 86_400]);

/** A link that is served after its file was deleted is read after 30 s, 2, 10 min, 1 h, then daily. */
export const linkAgainMs = ofTable([30, 120, 600, 3600, 86_400]);

/** An upload that a person does not want, and that cannot be told from others, is looked for after 15 min, 1, 6 h, then daily. */
export const lookAgainMs = ofTable([900, 900, 900, 3600, 21_600, 86_400]);

/** A file that something before the service refuses waits 2 min, then twice as long each time, at most 2 h. */
export const blockedBackOffMs = (attempts: number): number =>
  Math.min(7_200_000, 120_000 * 2 ** Math.min(attempts, 10));

/** An unfinished file is looked at after a tenth of the time that it has rested: 5 s to 10 min. */
export const unfinishedAgainMs = (restedMs: number): number =>
  Math.round(Math.min(600_000, Math.max(5000, restedMs / 10)));

/**
 * When to look, in milliseconds after the answer was given up: soon, a little later, and after `reconcileAfterMs`,
 * when even a slow list must show the file. With the default of 15 min: 30 s, 2 min, 15.5 min.
 */
export const lookTimes = (reconcileAfterMs: number): readonly [number, number, number] => {
  const soonMs = Math.min(30_000, Math.ceil(reconcileAfterMs / 30));
  return [soonMs, 4 * soonMs, reconcileAfterMs + soonMs];
};

/**
 * Whether the looks of `lookTimes` have not decided about an upload that a person does not want. Then it may be looked for
 * without end; one that is wanted becomes a question.
 */
export const isUndecided = (state: UploadState): boolean =>
  state.kind === 'uncertain' && isUnwanted(state) && state.looks >= lookTimes(0).length;

const dayMs = 24 * 3_600_000;

/** How many attempts of the last day ended without a usable answer. */
export const unanswered = (
  attempts: readonly Pick<Attempt, 'outcome' | 'startedAtMs'>[],
  nowMs: number,
): number => attempts.filter((one) => one.outcome === 'uncertain' && one.startedAtMs > nowMs - dayMs).length;
