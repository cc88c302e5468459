// Picks the next upload: in the order that the user wants, and only one of several equal uploads at a time.
import { keptContent } from '../candidate/content-decisions.ts';
import { queueOrder } from '../shared/controls.ts';
import { sentContent } from '../shared/same-content.ts';
import { nameToSend } from '../shared/sent-name.ts';
import { isUndecided } from '../shared/waits.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';
import type { Refusals } from '../account/refusals.ts';
import type { SizeLimit } from '../account/size-limit.ts';
import type { Rows } from '../state/rows.ts';

type Wish = { isSmallest: boolean; mostBytes: number | null };

/** The picker first looks at this many ready rows for one that may go now. If none may go, it looks at more. */
const pickFirst = 3;
const pickMore = 16;
/** After this many refused ones the first of them goes. */
const mostPassedOver = 8;
/**
 * At most this many rows that waited for another one are compared again at a time. Of a thousand rows with equal names
 * and sizes only one can go, and the others wait again.
 */
const comparedAtOnce = 8;

const anySize: Wish = { isSmallest: false, mostBytes: null };

export const createPicker = (
  ledger: Pick<Ledger, 'uploads' | 'facts' | 'attempts' | 'accounts' | 'decisions'>,
  rows: Rows,
  sizes: Pick<SizeLimit, 'presumedBytes'>,
  refusals: Pick<Refusals, 'goesLast'>,
) => {
  const { uploads, attempts, accounts } = ledger;
  /** Ready rows that wait for another one with the same sent name and size, the same inode or the same content. */
  const heldBack = new Set<number>();
  /** The ids that may go and are not uploaded yet. Uploaded ids are removed, so that they are not read again. */
  let only: Set<number> | null = null;

  const ready = (most: number, busy: ReadonlySet<number>, isSmallest: boolean): Upload[] =>
    only === null
      ? uploads.inState('ready', most, isSmallest ? 'smallest' : queueOrder(ledger))
      : readyOf(only, most, busy);

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

  const isRefused = (upload: Upload): boolean =>
    refusals.goesLast(upload, attempts.ofUpload(upload.id).at(-1));

  /** Ready rows, in order, whose file, name and content are not on their way and not uncertain. */
  function* free(onTheWay: readonly Upload[], { isSmallest, mostBytes }: Wish = anySize): Generator<Upload> {
    if (uploads.countInState('ready') === 0) return;
    const busy = new Set(onTheWay.map((upload) => upload.id));
    const accountId = accounts.present();
    const uncertain = uploads.inState('uncertain', 'all').filter((row) => row.accountId === accountId);
    // If an uncertain upload to this account were missing here, its file could be sent twice.
    const before = [...onTheWay, ...uncertain];
    // What is looked for without end keeps only files with its content waiting.
    const decidedSoon = before.filter(({ state }) => !isUndecided(state));
    const taken = new Set(decidedSoon.flatMap(keysOf));
    const contents = new Set(before.flatMap(contentKeyOf));
    const waits = (upload: Upload): boolean =>
      keysOf(upload).some((key) => taken.has(key)) ||
      (!upload.wantsAnother && contentKeyOf(upload).some((key) => contents.has(key)));
    /** A person has left its content out meanwhile: it does not wait, and settles again. */
    const isLeftOut = (upload: Upload): boolean =>
      upload.sha256 !== null && keptContent(ledger, upload, upload.sha256) !== null;
    // The answer to one file over the presumed limit shows what would happen to the others.
    const presumedBytes = sizes.presumedBytes() ?? Infinity;
    const isOver = (upload: Upload): boolean => sentContent(upload).sizeBytes > presumedBytes;
    const isTried = onTheWay.some(isOver);
    // Rows of `only` are read one by one, so it begins with one row.
    for (let most = only === null ? pickFirst : 1; ; most *= pickMore) {
      const found = ready(most, busy, isSmallest || mostBytes !== null);
      for (const upload of found) {
        if (mostBytes !== null && sentContent(upload).sizeBytes > mostBytes) {
          // All after it are larger.
          if (only === null && upload.priority <= 0) return;
          continue;
        }
        if (busy.has(upload.id) || (isTried && isOver(upload))) continue;
        const isFree = !waits(upload);
        if (!isFree) heldBack.add(upload.id);
        if (isFree || isLeftOut(upload)) yield upload;
      }
      if (found.length < most) return;
    }
  }

  return {
    /** The upload that may begin while these are on their way. `mostBytes` null: of any size. Null: none. */
    next(onTheWay: readonly Upload[], wish?: Wish): Upload | null {
      let compared = 0;
      let refused: Upload | null = null;
      let passedOver = 0;
      for (const upload of free(onTheWay, wish)) {
        if (!heldBack.has(upload.id)) {
          if (!isRefused(upload)) return upload;
          // A refusal may concern this file alone, so another file goes first.
          refused ??= upload;
          passedOver += 1;
          if (passedOver === mostPassedOver) return refused;
          continue;
        }
        if (compared === comparedAtOnce) continue;
        compared += 1;
        heldBack.delete(upload.id);
        // The upload it waited for may have been the same file. So it settles again, and its content is compared.
        rows.apply(upload.id, { kind: 'sent-back' });
      }
      return refused;
    },
    /** Whether there is work: a row that may begin now, or one that waited and may be compared again. */
    isDue: (onTheWay: readonly Upload[]): boolean => free(onTheWay).next().done !== true,
    /** Only these rows may go; null: all. */
    restrictTo(ids: ReadonlySet<number> | null): void {
      only = ids === null ? null : new Set(ids);
    },
  };
};

/**
 * If uploads have equal names and sizes, the reconciler cannot know to which of them a list entry belongs before it has
 * read it. A file with two names could be uploaded twice. So only one upload with each key goes at a time; uncertain
 * uploads count too, but not those that stay undecided.
 */
export const keysOf = ({ name, stamp, sent }: Pick<Upload, 'name' | 'stamp' | 'sent'>): string[] =>
  stamp === null
    ? []
    : [`${nameToSend(name)}|${(sent ?? stamp).sizeBytes}`, `${stamp.inode}|${stamp.sizeBytes}`];

/** A copied file, or one moved to another disk, has neither name nor inode of the upload that is not decided yet. */
const contentKeyOf = (row: Upload): string[] => {
  const { sha256 } = sentContent(row);
  return sha256 === null ? [] : [sha256];
};
