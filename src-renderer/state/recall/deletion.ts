// The rows of a question before a deletion: exactly the rows that it names are deleted. Pure.
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import type { FileRow } from '../../../src-main/contract/model.ts';
import type { GivenGroup } from '../../../src-main/contract/window.ts';

/** `before`: it was public before the files in question, and stays unless it is ticked. */
export type DeletedRow = Pick<FileRow, 'fileId' | 'name' | 'place'> &
  Partial<Pick<FileRow, 'uploadedAtMs' | 'downloads'>> & { before?: { sinceMs: number | null } };
export type Deletable = DeletedRow & { fileId: FileId };

/** The rows that the service has, each once. */
export const onService = (rows: readonly DeletedRow[]): Deletable[] => {
  const found = new Map<FileId, Deletable>();
  for (const { fileId, ...row } of rows)
    if (fileId !== null && row.place !== 'gone-from-service' && !found.has(fileId))
      found.set(fileId, { ...row, fileId });
  return [...found.values()];
};

export const rowsOfGroup = ({ rows }: GivenGroup): DeletedRow[] =>
  rows.map(({ fileId, name, isNew, sharedAtMs }) => ({
    fileId,
    name,
    place: 'this-machine',
    uploadedAtMs: sharedAtMs,
    ...(isNew ? {} : { before: { sinceMs: sharedAtMs } }),
  }));

export const idsOf = (rows: readonly Deletable[]): ReadonlySet<FileId> =>
  new Set(rows.map(({ fileId }) => fileId));
