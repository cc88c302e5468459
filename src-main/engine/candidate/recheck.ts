// Checks the guards again, on the open file: when it is opened to be sent, and before its tail.
import { unfinishedBy } from './unfinished.ts';
import { AppError } from '../../contract/errors.ts';
import { isByPerson } from '../../contract/model.ts';
import type { OpenFile } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import { watchedPaths } from '../../contract/settings.ts';
import { allowanceOf, ofZip, refusal, type Allowance, type Refusal } from './allowance.ts';
import { candidateOf, placeFor } from './candidate.ts';
import { whyUnavailable } from '../shared/folder.ts';
import { joinPath } from '../shared/paths.ts';

type Port = Pick<Ports, 'files' | 'settings'> & {
  ledger: Pick<Ports['ledger'], 'bundled' | 'folders' | 'facts'>;
};

/** Why the open file may not become public, as an error with the code of the rule; null: it may. */
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
    refusal(candidateOf(place, open.stamp.sizeBytes, row.name), rules) ??
    (isZip ? await refusalInside({ files, ledger }, row, allowance) : null);
  if (refused !== null) return new AppError(refused.code, refused.message, refused.remedy);
  if (isZip) return null;
  const control = await unfinishedBy({ files, ledger }, row, open.stamp.sizeBytes);
  return control === null
    ? null
    : new AppError('changed', `A program is still writing it: ${control} is beside it.`);
};

/** Another disk in the place of a chosen folder may have files of the same names, sizes, times and inode numbers. */
export const whyAway = async (
  { files, ledger, settings }: Port,
  { door, folderId, confirmed }: Upload,
): Promise<AppError | null> => {
  const folder = !isByPerson(door) && folderId !== null ? ledger.folders.byId(folderId) : null;
  if (folder === null) return null;
  // A file that a person confirmed may be in a folder that is not watched any more. Then the folder is not checked.
  if (confirmed && !watchedPaths(settings.current()).includes(folder.path)) return null;
  // The watch may have found out what a look at the folder does not show.
  if (ledger.facts.get('folders-away')?.value.includes(folder.id) === true)
    return new AppError('changed', `${folder.path} is not there, or another folder is in its place.`);
  const away = await whyUnavailable(files, folder);
  return away === null ? null : new AppError('changed', away.message, away.remedy);
};

/** The first refusal of a file in a zip: a rule may be newer than the zip. Its sizes were judged when it was packed. */
export const refusalInside = async (
  { files, ledger }: Pick<Port, 'files' | 'ledger'>,
  row: Upload,
  rules: Allowance,
): Promise<Refusal | null> => {
  for (const path of ledger.bundled.pathsIn(row.id)) {
    const refused = refusal(candidateOf(await placeFor(files, rules, path), 0), rules);
    if (refused !== null) return { ...refused, message: `${path}: ${refused.message}` };
  }
  return null;
};
