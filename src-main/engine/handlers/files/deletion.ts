// What is said of a link that is taken back, and of a file that is deleted.
import { call, wording } from '../../../contract/text/wording.ts';
import type { FileId } from '../../../contract/text/file-id.ts';
import { linkStateOf } from '../../../contract/files/taken-back.ts';
import type { DeleteResult } from '../../../contract/answers.ts';
import { AppError, toWire } from '../../../contract/errors.ts';
import { isUnwanted, stateRow } from '../../../contract/model.ts';
import type { Upload } from '../../ports/uploads.ts';
import type { Ended } from '../../recall/rounds.ts';

/** `row` null: no link of it can be taken back. */
export type TakenBack = { row: Upload; fate: Ended | AppError } | { row: null; fate: AppError };

export const notRecorded = (): AppError =>
  new AppError('internal', 'The recall was not recorded.', 'Please report it.');

export const nothing = { deleted: false, message: null, linkState: null };

/** What is said of our own link that is to be taken back. */
export const deletionOf = ({ row, fate }: TakenBack): Omit<DeleteResult, 'fileId'> => {
  if (row === null) return { ...nothing, error: toWire(fate), goesOn: false };
  if (fate instanceof AppError) return { ...nothing, error: toWire(recalledLater(fate)), goesOn: true };
  const { message, refusal, row: now, againAtMs } = fate;
  if (isUnwanted(now.state)) return { ...nothing, error: toWire(recalledLater(notKnown())), goesOn: true };
  if (stateRow(now.state.kind).hasLink === true) return { ...nothing, ...kept };
  if (now.state.kind !== 'recalled')
    return { ...nothing, error: refusal === null ? null : toWire(notDeleted(refusal)), goesOn: true };
  const { dead } = now.state;
  const error = refusal === null ? null : toWire(dead ? refusal : notFound(refusal));
  return {
    deleted: dead || refusal === null,
    message,
    error,
    linkState: linkStateOf(now.state),
    ...(againAtMs === null ? {} : { againAtMs }),
    goesOn: false,
  };
};

const recalledLater = (error: AppError): AppError => {
  // A person has to act first.
  if (error.code === 'unknown-key' || error.code === 'bad-use') return error;
  const isRecorded = 'The recall is recorded, and continues by itself while Outtray runs.';
  return new AppError(error.code, error.message, isRecorded);
};

/** The answer for a file whose deletion a person undid. */
export const kept = {
  error: toWire(new AppError('aborted', 'It is kept: nothing was deleted.')),
  goesOn: false,
  kept: true,
} as const;

const notKnown = (): AppError =>
  new AppError('uncertain', 'Whether it has a link is not known yet: its answer has not come, or was lost.');

/** `refusal`: what the service answered to the DELETE. */
const notDeleted = ({ code, message, status }: AppError): AppError =>
  new AppError(
    code,
    `Not deleted, and its link still works: ${message}${status === undefined ? '' : ` (${status})`}`,
    goesOn,
    status === undefined ? {} : { status },
  );

/** A proxy may have answered, or another file has the id. */
const notFound = ({ code }: AppError): AppError =>
  new AppError(
    code,
    'The service does not show this file, so Outtray has deleted nothing, and its link may still work.',
    goesOn,
  );

const goesOn = 'Outtray tries again by itself while it runs, rarer and rarer.';

export const notThere = (): AppError =>
  new AppError(
    'not-found',
    'The service does not have this file.',
    wording`${call('list', '--all')} shows the files of the account.`,
  );

export const isAnotherNow = (fileId: FileId, was: string): AppError =>
  new AppError(
    'bad-use',
    `${fileId} was ${was} and is another file now. Nothing was deleted.`,
    wording`${call('list', '--all')} shows what it is now; its link names it.`,
  );
