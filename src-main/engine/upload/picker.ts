// Picks the next upload: in the order that the user wants, and only one of several equal uploads at a time.
import type { QueueOrder } from '../../contract/model.ts';
import { nameToSend } from '../shared/sent-name.ts';
import type { Ledger, Upload } from '../ports.ts';
import type { Rows } from '../state/rows.ts';

export type Picker = {
  /** The upload that may begin while these are on their way. Null: none. */
  next(onTheWay: readonly Upload[]): Upload | null;
  /** Only these rows may go; null: all. */
  restrictTo(ids: ReadonlySet<number> | null): void;
};

/** The picker first looks at this many ready rows for one that may go now. If none may go, it looks at more. */
const pickFirst = 8;
const pickMore = 16;
/**
 * At most this many rows that waited for another one are compared again at a time. Of a thousand rows with equal names
 * and sizes only one can go, and the others wait again.
 */
const comparedAtOnce = 8;
/** Usually there are fewer uncertain uploads than this. Then they need not be counted. */
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
  /** The ids that may go and are not uploaded yet. Uploaded ids are removed, so that they are not read again. */
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
      // When all ready rows are found, the loop ends. It does not read thousands of rows that still settle.
      else if ((others ??= readyBeside(busy)) <= found.length) break;
    }
    return found;
  };

  /** How many rows are ready and not on their way. A row on its way may still have the state `ready`. */
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
      // The upload it waited for may have been the same file. So its content is compared again.
      const row = options.rows.apply(upload.id, { kind: 'sent-back' });
      if (row !== 'stale') options.lookAgain(row);
    }
    return null;
  };

  /** All uncertain uploads. If one were missing here, its file could be sent twice. */
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
      // Rows of `only` are read one by one, so it begins with one row.
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
 * If uploads have equal names and sizes, the reconciler cannot tell which one a list entry is. A file with two names
 * could be uploaded twice. So only one upload with each key goes at a time; uncertain uploads count too.
 */
const keysOf = ({ name, stamp }: Upload): string[] =>
  stamp === null ? [] : [`${nameToSend(name)}|${stamp.sizeBytes}`, `${stamp.inode}|${stamp.sizeBytes}`];
