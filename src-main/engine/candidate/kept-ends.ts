// An end that was given with a file, before that has a link, is for the file: a rename does not make it public for ever.
import type { Facts } from '../../contract/facts.ts';
import { isOnSameDevice, isUnwritten, mayBeSame } from '../shared/file-version.ts';
import type { Found, Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import type { Rows } from '../state/rows.ts';

/** Files that have left their paths and are remembered, the newest ones. */
const mostLeft = 1000;

/** A file with such an end, as it was when it left its path, or is. */
type WithEnd = Facts['kept-ends'][number];

const withEnd = ({ stamp, createdAtMs, expireWish, fileId }: Upload): WithEnd[] =>
  stamp === null || expireWish === null || fileId !== null ? [] : [{ stamp, createdAtMs, wish: expireWish }];

/** Its content may have changed. Without times of birth an inode number alone could be that of another file. */
const isSame = (one: WithEnd, stamp: Stamp): boolean =>
  mayBeSame(one, stamp) && (stamp.bornMs !== undefined || isUnwritten(one.stamp, stamp));

/** Two disks use the same numbers. The disk may also have got another number, but then the file is as it was. */
const hasInodeOf = (a: WithEnd['stamp'], b: Stamp): boolean =>
  a.inode === b.inode && (isOnSameDevice(a.key, b.key) || isUnwritten(a, b));

export const createKeptEnds = ({
  ledger: { uploads, facts },
  clock,
  rows,
}: {
  ledger: { uploads: Ports['ledger']['uploads']; facts: Pick<Ports['ledger']['facts'], 'get' | 'set'> };
  clock: Pick<Ports['clock'], 'wallMs'>;
  rows: Pick<Rows, 'apply'>;
}) => {
  /** Those whose files have left their paths, the newest last. */
  const left = (): readonly WithEnd[] => facts.get('kept-ends')?.value ?? [];

  const keep = (to: Upload, stamp: Stamp, from: readonly WithEnd[]): void => {
    const wish = from.find((one) => isSame(one, stamp))?.wish;
    if (wish !== undefined && to.fileId === null)
      rows.apply(to.id, { kind: 'expire', wish, wanted: null, endsAtMs: null });
  };

  // Both in a transaction.
  return {
    /** The file of this row is not at its path any more. `now`: the file that is. */
    leaves(row: Upload, now: Stamp | null = null): void {
      const [gone] = withEnd(row);
      if (gone === undefined || gone.stamp.inode === now?.inode) return;
      const there = uploads
        .presentByInode(gone.stamp.inode)
        .find(({ id, stamp }) => id !== row.id && stamp !== null && hasInodeOf(gone.stamp, stamp));
      if (there === undefined) facts.set('kept-ends', [...left(), gone].slice(-mostLeft), clock.wallMs());
      else if (there.stamp !== null && there.expireWish === null) keep(there, there.stamp, [gone]);
    },
    /** The file is at this path now. `before`: the row that the path had. */
    arrives(folderId: number, dir: string, { name, stamp }: Found, before: Upload | null): void {
      if (stamp === null || stamp.inode === before?.stamp?.inode) return;
      const gone = left();
      const isThis = (one: WithEnd): boolean => hasInodeOf(one.stamp, stamp);
      const there = uploads.presentByInode(stamp.inode);
      if (there.length < 2 && !gone.some(isThis)) return;
      const row = uploads.presentAt(folderId, dir, name);
      if (row === null) return;
      const others = there.filter(
        (one) => one.id !== row.id && isOnSameDevice(one.stamp?.key ?? null, stamp.key),
      );
      keep(row, stamp, [...gone.filter(isThis).toReversed(), ...others.flatMap(withEnd)]);
      const rest = gone.filter((one) => !isThis(one));
      if (rest.length < gone.length) facts.set('kept-ends', rest, clock.wallMs());
    },
  };
};
