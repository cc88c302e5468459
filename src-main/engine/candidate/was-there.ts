// Whether a file was in the folder when it was chosen, although its row is new: it was restored, copied, unpacked or
// checked out again. It is recognised by its size first. A file is read only where a size fits.
import { rootOf } from '../shared/folder.ts';
import { joinPath } from '../shared/paths.ts';
import { digestOrNull } from '../shared/same-content.ts';
import type { Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';

type Seen = Pick<Upload, 'dir' | 'name'> & { stamp: Stamp };
/** What is needed of a row, or of a file that has none, to open its file. */
type Placed = Pick<Upload, 'id' | 'dir' | 'name' | 'folderId' | 'door'>;

/** Whether this may be a pre-existing file, so that its content is worth reading. All empty files have the same. */
export const mayHaveBeenThere = ({ uploads }: Pick<Ports['ledger'], 'uploads'>, seen: Seen): boolean =>
  isBackAgain({ uploads }, seen) ||
  (seen.stamp.sizeBytes > 0 && uploads.existing.isComparable(seen.stamp.sizeBytes));

/** Whether this is a pre-existing file that had left its path. Its content was not read, so path or time decide. */
export const isBackAgain = ({ uploads }: Pick<Ports['ledger'], 'uploads'>, seen: Seen): boolean =>
  seen.stamp.sizeBytes > 0 && uploads.existing.hasLeft(seen);

/** How much of two files is compared before they are read whole. */
const headBytes = 16_384;

const readAtOnce = 100;

/** Records the content of a row, so that its file is not read again. */
export type NoteContent = (row: Upload, sha256: string) => void;

/**
 * Whether a pre-existing file has this content. Reads those of this size that are there and were not read. `changed`: it
 * is not known, because the reading was stopped or the file itself cannot be read now.
 */
export const wasThere = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  { row, stamp, sha256 }: { row: Placed; stamp: Stamp; sha256: string },
  signal: AbortSignal,
  note: NoteContent = () => undefined,
): Promise<boolean | 'changed'> => {
  const { existing } = ports.ledger.uploads;
  const { dir, name } = row;
  if (stamp.sizeBytes === 0) return false;
  if (existing.hasContent(sha256, row.id) || isBackAgain(ports.ledger, { dir, name, stamp })) return true;
  const unread = (belowId: number): Upload[] => existing.unread(stamp.sizeBytes, belowId, readAtOnce);
  let some = unread(Number.MAX_SAFE_INTEGER);
  if (some.length === 0) return false;
  const head = await headOf(ports, row);
  if (head === null) return 'changed';
  while (some.length > 0) {
    for (const one of some) {
      if (signal.aborted) return 'changed';
      // A file is no evidence for itself.
      if (one.id === row.id) continue;
      if (one.stamp === null || (await headOf(ports, one)) !== head) continue;
      const path = joinPath(one.dir, one.name);
      const known = await digestOrNull(ports, path, rootOf(ports.ledger, one), one.stamp.key, signal);
      if (known !== null) note(one, known);
      if (known === sha256) return true;
    }
    if (signal.aborted) return 'changed';
    some = unread(some.at(-1)?.id ?? 0);
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
