// The guards once more, asked about the open file: when it is opened to be sent, and before its tail.
import { unfinishedBy } from './unfinished.ts';
import { AppError } from '../../contract/errors.ts';
import type { OpenFile, Ports, Upload } from '../ports.ts';
import { allowanceOf, ofZip, refusal, type Allowance, type Refusal } from './allowance.ts';
import { candidateAt, candidateOf, draftStamp, placeFor } from './candidate.ts';
import { joinPath } from '../shared/paths.ts';

type Port = Pick<Ports, 'files' | 'settings'> & { ledger: Pick<Ports['ledger'], 'bundled' | 'folders'> };

/** Why what is open may not become public, as an error of the code of its rule; null: it may. */
export const whyRefused = async (
  { files, ledger, settings }: Port,
  row: Upload,
  open: Pick<OpenFile, 'stamp' | 'place'>,
): Promise<AppError | null> => {
  const allowance = await allowanceOf(files, settings.current());
  const isZip = ledger.bundled.has(row.id);
  const rules = isZip ? ofZip(allowance) : allowance;
  const place = await placeFor(open, rules, joinPath(row.dir, row.name));
  const refused =
    refusal(candidateOf(row, open.stamp, place), rules) ??
    (isZip ? await refusalInside({ files, ledger }, row, allowance) : null);
  if (refused !== null) return new AppError(refused.code, refused.message, refused.remedy);
  if (isZip) return null;
  const control = await unfinishedBy({ files, ledger }, row, open.stamp.sizeBytes);
  return control === null ? null : new AppError('changed', `A program writes it: ${control} lies beside it.`);
};

/** The first refusal of a file in a zip: a rule may be newer than the zip. Its sizes were judged when it was packed. */
export const refusalInside = async (
  { files, ledger }: Pick<Port, 'files' | 'ledger'>,
  row: Upload,
  rules: Allowance,
): Promise<Refusal | null> => {
  for (const path of ledger.bundled.pathsIn(row.id)) {
    const refused = refusal(candidateAt(await placeFor(files, rules, path), draftStamp(0), 'zip'), rules);
    if (refused !== null) return { ...refused, message: `${path}: ${refused.message}` };
  }
  return null;
};
