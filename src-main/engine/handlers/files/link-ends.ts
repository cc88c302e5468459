// When a link ends, as a person or an agent asks for it.
import { spanSetting, type ExpireWish } from '../../../contract/expiry.ts';
import { rulesOfRow } from '../../shared/folder.ts';
import type { Upload } from '../../ports/uploads.ts';
import type { Kit } from '../kit.ts';

export const createLinkEnds = ({
  ports,
  rows,
  discovery,
  service: { expiry },
}: Pick<Kit, 'ports' | 'rows' | 'discovery' | 'service'>) => {
  /** In a transaction. 'stale': its link is being taken back, or was. */
  const setEnd = (row: Upload, wish: ExpireWish): Upload | 'stale' => {
    const life = row.publicLink === null ? { wanted: null, endsAtMs: null } : expiry.wanted(wish, row);
    return rows.apply(row.id, { kind: 'expire', wish, ...life });
  };

  /** An agent never lets a link live longer than a person or a folder of its files allows, or than it asked for before. */
  const setEndByAgent = (row: Upload, asked: ExpireWish | undefined): Upload | 'stale' => {
    const spans = rulesOfRow(ports, discovery.choice.folderOf, row).flatMap(
      ({ expireAfter }) => spanSetting(expireAfter) ?? [],
    );
    const mostMs = spans.length === 0 ? null : Math.min(...spans);
    const wish = mostMs === null ? asked : expiry.atMost(asked ?? 'never', mostMs);
    if (wish === undefined) return row;
    if (row.publicLink === null) return row.expireWish === null ? setEnd(row, wish) : row;
    const { wanted } = expiry.wanted(wish, row);
    const isEarlier = wanted !== null && wanted.atMs < (row.wantedEnds?.atMs ?? Infinity);
    return isEarlier ? setEnd(row, wish) : row;
  };

  return { setEnd, setEndByAgent };
};

/** It gets no link by itself. */
export const getsNone = ({ state: { kind } }: Upload): boolean =>
  kind === 'skipped' || kind === 'failed' || kind === 'gone';
