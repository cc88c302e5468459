// Whether a file was in the folder when it was chosen, although its row is new: it was restored, copied, unpacked or
// checked out again. It is recognised by its size first. A file is read only where a size fits.
import type { Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import { findUnread, type NoteContent, type Placed } from './unread.ts';

type Seen = Pick<Upload, 'dir' | 'name'> & { stamp: Stamp };

/** Whether this may be a pre-existing file, so that its content is worth reading. All empty files have the same. */
export const mayHaveBeenThere = ({ uploads }: Pick<Ports['ledger'], 'uploads'>, seen: Seen): boolean =>
  isBackAgain({ uploads }, seen) ||
  (seen.stamp.sizeBytes > 0 && uploads.existing.isComparable(seen.stamp.sizeBytes));

/** Whether this is a pre-existing file that had left its path. Its content was not read, so path or time decide. */
export const isBackAgain = ({ uploads }: Pick<Ports['ledger'], 'uploads'>, seen: Seen): boolean =>
  seen.stamp.sizeBytes > 0 && uploads.existing.hasLeft(seen);

/**
 * Whether a pre-existing file has this content. Reads those of this size that are there and were not read. `changed`: it
 * is not known, because the reading was stopped or the file itself cannot be read now.
 */
export const wasThere = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  { row, stamp, sha256 }: { row: Placed; stamp: Stamp; sha256: string },
  signal: AbortSignal,
  note?: NoteContent,
): Promise<boolean | 'changed'> => {
  const { existing } = ports.ledger.uploads;
  const { dir, name } = row;
  if (stamp.sizeBytes === 0) return false;
  if (existing.hasContent(sha256, row.id) || isBackAgain(ports.ledger, { dir, name, stamp })) return true;
  const found = await findUnread(
    ports,
    { row, sha256 },
    (belowId, limit) => existing.unread(stamp.sizeBytes, belowId, limit),
    signal,
    note,
  );
  return found === 'changed' ? 'changed' : found !== null;
};
