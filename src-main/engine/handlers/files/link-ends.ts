// When a link ends, as a person or an agent asks for it.
import type { ExpireWish } from '../../../contract/expiry.ts';
import type { Upload } from '../../ports/uploads.ts';
import type { Kit } from '../kit.ts';

export const createLinkEnds = ({ rows, service: { expiry } }: Pick<Kit, 'rows' | 'service'>) => {
  /** In a transaction. 'stale': its link is being taken back, or was. */
  const setEnd = (row: Upload, wish: ExpireWish): Upload | 'stale' => {
    const ends = row.publicLink === null ? null : expiry.wanted(wish, row.uploadedAtMs ?? row.createdAtMs);
    return rows.apply(row.id, { kind: 'expire', wish, ends });
  };

  /** An agent never lets a link live longer than a person wants it, or than it asked for before. */
  const setEndByAgent = (row: Upload, wish: ExpireWish): Upload | 'stale' => {
    if (row.publicLink === null) return row.expireWish === null ? setEnd(row, wish) : row;
    const ends = expiry.wanted(wish, row.uploadedAtMs ?? row.createdAtMs);
    const isEarlier = ends !== null && ends.atMs < (row.ends?.atMs ?? Infinity);
    return isEarlier ? setEnd(row, wish) : row;
  };

  return { setEnd, setEndByAgent };
};
