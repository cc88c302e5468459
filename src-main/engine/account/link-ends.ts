// When a link ends, as a person or an agent asks for it.
import { spanSetting, type ExpireWish } from '../../contract/expiry.ts';
import { rulesOfRow } from '../shared/folder.ts';
import type { Upload, WatchedFolder } from '../ports/uploads.ts';
import type { Core } from '../state/core.ts';
import type { Expiry } from './expiry.ts';

export const createLinkEnds = (
  { ports, rows }: Pick<Core, 'ports' | 'rows'>,
  expiry: Expiry,
  folderOf: (path: string) => WatchedFolder | null,
) => {
  /** In a transaction. 'stale': its link is being taken back, or was. */
  const setEnd = (row: Upload, wish: ExpireWish): Upload | 'stale' => {
    const life = row.publicLink === null ? { wanted: null, endsAtMs: null } : expiry.wanted(wish, row);
    return rows.apply(row.id, { kind: 'expire', wish, ...life });
  };

  /** An agent never lets a link live longer than a person or a folder of its files allows, or than it asked for before. */
  const setEndByAgent = (row: Upload, asked: ExpireWish | undefined): Upload | 'stale' => {
    const spans = rulesOfRow(ports, folderOf, row).flatMap(
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

  /** A file turned out to be that of another row: what was asked for with it is for the link of that row. */
  const passOn = ({ expireWish: wish, door }: Upload, to: Upload): void => {
    if (wish === null) return;
    // The ceiling may be lower by now.
    const ceilingMs = expiry.ceilingMs();
    const allowed = ceilingMs === null ? wish : expiry.atMost(wish, ceilingMs);
    if (door === 'agent') setEndByAgent(to, allowed);
    else setEnd(to, allowed);
  };

  return { setEnd, setEndByAgent, passOn };
};

export type LinkEnds = ReturnType<typeof createLinkEnds>;

/** It gets no link by itself. */
export const getsNone = ({ state: { kind } }: Upload): boolean =>
  kind === 'skipped' || kind === 'failed' || kind === 'gone';
