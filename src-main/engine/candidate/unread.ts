// Finds the content of a file among files of its size that were not read yet. A file is read whole only where its
// beginning fits.
import { rootOf } from '../shared/folder.ts';
import { joinPath } from '../shared/paths.ts';
import { digestOrNull } from '../shared/same-content.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';

/** What is needed of a row, or of a file that has none, to open its file. */
export type Placed = Pick<Upload, 'id' | 'dir' | 'name' | 'folderId' | 'door'>;

/** Records the content of a row, so that its file is not read again. */
export type NoteContent = (row: Upload, sha256: string) => void;

/** How much of two files is compared before they are read whole. */
const headBytes = 16_384;

const readAtOnce = 100;

/**
 * The first of these rows that has this content; null: none has. `unread`: those with lower ids, newest first. `changed`:
 * it is not known, because the reading was stopped or the file itself cannot be read now.
 */
export const findUnread = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  { row, sha256 }: { row: Placed; sha256: string },
  unread: (belowId: number, limit: number) => Upload[],
  signal: AbortSignal,
  note: NoteContent = () => undefined,
): Promise<Upload | 'changed' | null> => {
  let some = unread(Number.MAX_SAFE_INTEGER, readAtOnce);
  if (some.length === 0) return null;
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
      if (known === sha256) return one;
    }
    if (signal.aborted) return 'changed';
    some = unread(some.at(-1)?.id ?? 0, readAtOnce);
  }
  return null;
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
