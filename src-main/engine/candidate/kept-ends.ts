// An end that was given with a file, before that has a link, is for the file: a rename does not make it public for ever.
import { isOnSameDevice, isUnwritten, mayBeSame } from '../shared/file-version.ts';
import type { Found, Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import type { Rows } from '../state/rows.ts';

/** Files that have left their paths and are remembered, the newest ones. */
const mostLeft = 10_000;

const hasEnd = ({ expireWish, fileId }: Upload): boolean => expireWish !== null && fileId === null;

/** Its content may have changed. Without times of birth an inode number alone could be that of another file. */
const isSame = (row: Upload, stamp: Stamp): boolean =>
  mayBeSame(row, stamp) && (stamp.bornMs !== undefined || isUnwritten(row.stamp, stamp));

export const createKeptEnds = ({
  ledger,
  rows,
}: {
  ledger: Pick<Ports['ledger'], 'uploads'>;
  rows: Pick<Rows, 'apply'>;
}) => {
  /** Rows as they were when their file left its path, by inode. */
  const left = new Map<string, Upload>();
  const others = (row: Upload, { inode }: Stamp): Upload[] =>
    ledger.uploads.presentByInode(inode).filter(({ id }) => id !== row.id);

  const keep = (to: Upload, stamp: Stamp, from: readonly Upload[]): void => {
    const wish = from.find((one) => hasEnd(one) && isSame(one, stamp))?.expireWish ?? null;
    if (wish !== null && to.fileId === null)
      rows.apply(to.id, { kind: 'expire', wish, wanted: null, endsAtMs: null });
  };

  // Both in a transaction.
  return {
    /** The file of this row is not at its path any more. `now`: the file that is. */
    leaves(row: Upload, now: Stamp | null = null): void {
      const { stamp } = row;
      if (stamp === null || stamp.inode === now?.inode || !hasEnd(row)) return;
      const [there] = others(row, stamp);
      if (there === undefined) {
        left.set(stamp.inode, row);
        const [oldest] = left.keys();
        if (left.size > mostLeft && oldest !== undefined) left.delete(oldest);
      } else if (there.stamp !== null && there.expireWish === null) keep(there, there.stamp, [row]);
    },
    /** The file is at this path now. `before`: the row that the path had. */
    arrives(folderId: number, dir: string, { name, stamp }: Found, before: Upload | null): void {
      if (stamp === null || stamp.inode === before?.stamp?.inode) return;
      const row = ledger.uploads.presentAt(folderId, dir, name);
      if (row === null) return;
      const gone = left.get(stamp.inode);
      left.delete(stamp.inode);
      const there = others(row, stamp).filter((one) => isOnSameDevice(one.stamp?.key ?? null, stamp.key));
      keep(row, stamp, gone === undefined ? there : [gone, ...there]);
    },
  };
};
