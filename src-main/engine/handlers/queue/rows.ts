// Rows that wait for a person, and how a person's answer changes one.
import { AppError } from '../../../contract/errors.ts';
import { isBusy } from '../../../contract/model.ts';
import { queueIdText } from '../../../contract/text/named-file.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Upload } from '../../ports/uploads.ts';
import type { UploadEvent } from '../../state/events.ts';
import type { Kit } from '../kit.ts';

export const heldShown = 100_000;

export const uncertainRows = ({ uploads }: Ports['ledger'], areBusy: boolean): Upload[] =>
  uploads.inState('uncertain', heldShown).filter(({ state }) => isBusy(state) === areBusy);

export const heldRows = (ledger: Ports['ledger'], limit: number): Upload[] =>
  [...ledger.uploads.inState('held', limit), ...uncertainRows(ledger, false)].slice(0, limit);

export const changedMeanwhile = ({ id }: Upload): AppError =>
  new AppError('bad-use', `Upload ${queueIdText(id)} has changed meanwhile.`, 'Look at it again.');

/** Throws when something else has happened to the row meanwhile. */
export const change = ({ rows }: Pick<Kit, 'rows'>, row: Upload, event: UploadEvent): Upload => {
  const now = rows.apply(row.id, event);
  if (now === 'stale') throw changedMeanwhile(row);
  return now;
};
