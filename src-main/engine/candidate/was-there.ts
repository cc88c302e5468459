// Whether a file was in the folder when it was chosen, although its row is new: it was restored, copied, unpacked or
// checked out again. It is recognised by its size first. A file is read only where a size fits.
import { rootOf } from '../shared/folder.ts';
import { isUnwritten } from '../shared/file-version.ts';
import { joinPath } from '../shared/paths.ts';
import { digestOrNull } from '../shared/same-content.ts';
import type { Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';

type Seen = Pick<Upload, 'dir' | 'name'> & { stamp: Stamp };
/** What is needed of a row, or of a file that has none, to open its file. */
type Placed = Pick<Upload, 'id' | 'dir' | 'name' | 'folderId' | 'door'>;

/** Pre-existing files that may have the content of this one. All empty files have the same. */
export const existingLike = (
  { uploads }: Pick<Ports['ledger'], 'uploads'>,
  { sizeBytes }: Pick<Stamp, 'sizeBytes'>,
): Upload[] => (sizeBytes === 0 ? [] : uploads.existingOf(sizeBytes));

/** Whether this is the file of a row that has left its path. Its content was not read, so place or time decide. */
export const isGoneFrom = (row: Upload, { dir, name, stamp }: Seen): boolean =>
  !row.present &&
  row.sha256 === null &&
  ((row.dir === dir && row.name === name) || isUnwritten(row.stamp, stamp));

/** A row that is gone and was not read can be compared by place and time only. */
export const isComparable = (row: Upload, seen: Seen): boolean =>
  row.present || row.sha256 !== null || isGoneFrom(row, seen);

/** How much of two files is compared before they are read whole. */
const headBytes = 16_384;

/** Whether one of these rows has this content. Reads those that are there and were not read. */
export const hasContentOf = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  rows: readonly Upload[],
  { row, stamp, sha256 }: { row: Placed; stamp: Stamp; sha256: string },
  signal: AbortSignal,
): Promise<boolean> => {
  const { dir, name } = row;
  if (rows.some((one) => one.sha256 === sha256 || isGoneFrom(one, { dir, name, stamp }))) return true;
  const unread = rows.filter((one) => one.present && one.sha256 === null);
  const head = unread.length === 0 ? null : await headOf(ports, row);
  if (head === null) return false;
  for (const one of unread) {
    if (signal.aborted || one.stamp === null) return false;
    if ((await headOf(ports, one)) !== head) continue;
    const path = joinPath(one.dir, one.name);
    if ((await digestOrNull(ports, path, rootOf(ports.ledger, one), one.stamp.key, signal)) === sha256)
      return true;
  }
  return false;
};

/** The first bytes of the file of this row; null: it cannot be read now. */
const headOf = async (
  { files, ledger }: Pick<Ports, 'files' | 'ledger'>,
  row: Placed,
): Promise<string | null> => {
  try {
    const file = await files.open(joinPath(row.dir, row.name), rootOf(ledger, row));
    try {
      return (await file.head(headBytes)).join();
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
};
