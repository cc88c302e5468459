// Which upload goes next: in the order wanted, and one of a kind at a time.
import type { QueueOrder } from '../../contract/model.ts';
import { nameToSend } from '../shared/sent-name.ts';
import type { Ledger, Upload } from '../ports.ts';
import type { Rows } from '../state/rows.ts';

export type Picker = {
  /** The upload that may go beside those on their way; null: none. */
  next(onTheWay: readonly Upload[]): Upload | null;
  /** Only these rows may go; null: all. */
  restrictTo(ids: ReadonlySet<number> | null): void;
};

/** So many ready rows are looked at first for one that may go now (one of a few nearly always may), then more. */
const pickFirst = 8;
const pickMore = 16;
/**
 * Of those that waited for another one, so many are compared again at a time: of a thousand equal names and sizes only
 * one can go, and the others wait again.
 */
const comparedAtOnce = 8;
/** Nearly always there are fewer, and need no counting. */
const fewUncertain = 200;

export const createPicker = (options: {
  ledger: Pick<Ledger, 'uploads'>;
  /** The file has to settle again. */
  lookAgain: (upload: Upload) => void;
  rows: Rows;
  order: () => QueueOrder;
}): Picker => {
  const { uploads } = options.ledger;
  /** Ready rows that wait for another one with the same file. */
  const heldBack = new Set<number>();
  /** Those that may go and are not uploaded yet: thousands of files are not gone through again for each of them. */
  let only: Set<number> | null = null;

  const ready = (most: number, busy: ReadonlySet<number>): Upload[] =>
    only === null ? uploads.inState('ready', most, options.order()) : readyOf(only, most, busy);

  const readyOf = (ids: Set<number>, most: number, busy: ReadonlySet<number>): Upload[] => {
    const found: Upload[] = [];
    let others: number | null = null;
    for (const id of ids) {
      if (found.length === most) break;
      if (busy.has(id)) continue;
      const row = uploads.byId(id);
      if (row?.state.kind === 'ready') found.push(row);
      else if (row === null || row.state.kind === 'uploaded') ids.delete(id);
      // Thousands that still settle are not gone through for one that is not there.
      else if ((others ??= readyBeside(busy)) <= found.length) break;
    }
    return found;
  };

  /** How many are ready and not on their way: those that are may not have recorded it yet. */
  const readyBeside = (busy: ReadonlySet<number>): number =>
    uploads.countInState('ready') - [...busy].filter((id) => uploads.byId(id)?.state.kind === 'ready').length;

  const among = (
    rows: readonly Upload[],
    taken: ReadonlySet<string>,
    compared: { count: number },
  ): Upload | null => {
    for (const upload of rows) {
      if (keysOf(upload).some((key) => taken.has(key))) {
        heldBack.add(upload.id);
        continue;
      }
      if (!heldBack.has(upload.id)) return upload;
      if (compared.count === comparedAtOnce) continue;
      compared.count += 1;
      heldBack.delete(upload.id);
      // The one it waited for may have been the same file: its content is compared once more.
      const row = options.rows.apply(upload.id, { kind: 'sent-back' });
      if (row !== 'stale') options.lookAgain(row);
    }
    return null;
  };

  /** All of them: one that is left out could be sent a second time. */
  const uncertain = (): Upload[] => {
    const rows = uploads.inState('uncertain', fewUncertain);
    return rows.length < fewUncertain
      ? rows
      : uploads.inState('uncertain', uploads.countInState('uncertain'));
  };

  return {
    next(onTheWay) {
      const busy = new Set(onTheWay.map((upload) => upload.id));
      const taken = new Set([...onTheWay, ...uncertain()].flatMap(keysOf));
      const compared = { count: 0 };
      // Rows by their ids are read one by one.
      for (let most = only === null ? pickFirst : 1; ; most *= pickMore) {
        const rows = ready(most, busy);
        const upload = among(
          rows.filter(({ id }) => !busy.has(id)),
          taken,
          compared,
        );
        if (upload !== null || rows.length < most) return upload;
      }
    },
    restrictTo(ids) {
      only = ids === null ? null : new Set(ids);
    },
  };
};

/**
 * Uploads with equal names and sizes could be each other's candidates when looking, and one file under two names
 * could go up twice: one of each at a time, uncertain ones included.
 */
const keysOf = ({ name, stamp }: Upload): string[] =>
  stamp === null ? [] : [`${nameToSend(name)}|${stamp.sizeBytes}`, `${stamp.inode}|${stamp.sizeBytes}`];
