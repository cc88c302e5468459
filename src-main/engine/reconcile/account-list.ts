// Reads the account list (GET /files). The specification does not define order, page size and bounds. So the code uses
// the returned pagination. It learns the order from our own uploads and drops it at the first contradiction.
import { AppError, toAppError } from '../../contract/errors.ts';
import type { RemoteFile, RemotePage } from '../../contract/model.ts';
import type { Ask } from '../limiter/ask.ts';
import type { Ports } from '../ports/ports.ts';
import type { Lane } from '../../contract/model.ts';

export type ListOrder = 'newest' | 'oldest';

export type ListPass = {
  files: RemoteFile[];
  /** The count that the service gives. Null when no page arrived. */
  total: number | null;
  requests: number;
  /** One consistent view showed all entries that can matter. */
  isComplete: boolean;
};

/** The requested page size. The service may give fewer entries. */
const pageSize = 100;
/** At least this many agreeing samples before an order counts as known. */
const samplesNeeded = 3;
/** A list that shifts during the reading is read at most this many times. */
const mostTries = 3;
/** A page of 2 MiB can have 100,000 entries, and they are kept in memory. */
const mostEntries = 1_000_000;
/** A page that is refused because of the rate is asked for again at most this many times. */
const mostRefusals = 3;

export const createAccountList = (ports: Pick<Ports, 'api' | 'ledger' | 'clock'>, ask: Ask) => {
  const { api, ledger, clock } = ports;

  const order = (): ListOrder | null => ledger.facts.get('list-order')?.value ?? null;

  /** `of`: the account of the first page, once there is one. A list is of one account. */
  const page = async (number: number, lane: Lane, signal: AbortSignal, of: { accountId?: number }) => {
    for (let refusals = 0; ; refusals += 1) {
      try {
        return await ask(lane, signal, (stop, { accountId }) => {
          if ((of.accountId ??= accountId) !== accountId)
            throw new AppError('aborted', 'Another account is used now.');
          return api.list({ page: number, limit: pageSize }, stop);
        });
      } catch (caught) {
        // A refusal because of the rate does not concern the list, so only this page is repeated. Otherwise a long list
        // would start again each time. The limiter waits.
        const isRefused = lane !== 'user' && toAppError(caught).code === 'rate';
        if (!isRefused || refusals === mostRefusals) throw caught;
      }
    }
  };

  const readOnce = async (
    lane: Lane,
    signal: AbortSignal,
    most: number,
    /** True when older entries cannot matter. Then the reading may stop early in a known order. */
    reachesPast: ((files: readonly RemoteFile[]) => boolean) | null,
  ): Promise<ListPass> => {
    const of = {};
    const first = await page(1, lane, signal, of);
    let requests = 1;
    const { total } = first.pagination;
    const pages = Math.max(1, first.pagination.pages);
    const view = createListView(first);
    const files = [...first.files];
    let isConsistent = true;
    noteOrder(first.files);
    // The first page already shows whether the order is right.
    const known = reachesPast === null || !isBorneOut(first.files, order()) ? null : order();
    const isEnough = known === 'newest' && reachesPast?.(first.files) === true;
    for (let read = 1; read < pages && !isEnough; read += 1) {
      if (requests >= most || view.isFull()) return { files, total, requests, isComplete: false };
      const next = await page(known === 'oldest' ? pages + 1 - read : read + 1, lane, signal, of);
      requests += 1;
      view.add(next);
      for (const file of next.files) files.push(file);
      noteOrder(next.files);
      if (known !== null && !isBorneOut(next.files, known)) isConsistent = false;
      if (known !== null && reachesPast?.(next.files) === true) break;
    }
    // If the order was wrong, the entries that were left out may matter.
    if (known !== null && order() !== known) isConsistent = false;
    const isWhole = known !== null || view.isWhole();
    return { files, total, requests, isComplete: isConsistent && view.isConsistent() && isWhole };
  };

  /** Three pairs of our own uploads in the same order teach the order. One contradiction removes it. */
  const noteOrder = (files: readonly RemoteFile[]): void => {
    const spans = files.flatMap((file) => spanOf(file) ?? []);
    let falling = 0;
    let rising = 0;
    for (const [index, span] of spans.slice(1).entries()) {
      const before = spans[index];
      if (before === undefined) continue;
      if (span.toMs < before.fromMs) falling += 1;
      if (span.fromMs > before.toMs) rising += 1;
    }
    const learned =
      rising === 0 && falling >= samplesNeeded
        ? 'newest'
        : falling === 0 && rising >= samplesNeeded
          ? 'oldest'
          : null;
    const known = order();
    const contradicts = (known === 'newest' && rising > 0) || (known === 'oldest' && falling > 0);
    if (learned !== null && known === null) ledger.facts.set('list-order', learned, clock.wallMs());
    else if (contradicts) ledger.facts.remove('list-order');
  };

  /**
   * The time span in which the service created one of our own files: from its tail until the ledger knew it. Spans
   * overlap when uploads were on their way together, or when an answer was lost and the file was found later. Then it
   * is not known which file the service had first.
   */
  const spanOf = (file: RemoteFile): { fromMs: number; toMs: number } | null => {
    const ours = file.file_id === undefined ? null : ledger.uploads.byFileId(file.file_id);
    const knownAtMs = ours?.uploadedAtMs ?? null;
    if (ours === null || knownAtMs === null) return null;
    const tailAtMs = ledger.attempts.ofUpload(ours.id).at(-1)?.committingAtMs ?? knownAtMs;
    // The wall clock may have been set back in between.
    return { fromMs: Math.min(tailAtMs, knownAtMs), toMs: Math.max(tailAtMs, knownAtMs) };
  };

  return {
    order,
    /**
     * One view of the account. It is read again when it shifts during the reading. `most`: the most requests. `tries`:
     * how many times it is read at most; 1 if an incomplete view is enough.
     */
    async pass(options: {
      lane: Lane;
      signal: AbortSignal;
      most: number;
      tries?: number;
      reachesPast?: (files: readonly RemoteFile[]) => boolean;
    }): Promise<ListPass> {
      const tries = options.tries ?? mostTries;
      let spent = 0;
      for (let read = 1; ; read += 1) {
        const pass = await readOnce(
          options.lane,
          options.signal,
          options.most - spent,
          options.reachesPast ?? null,
        );
        spent += pass.requests;
        if (pass.isComplete || read >= tries || spent >= options.most) return { ...pass, requests: spent };
      }
    },
  };
};

/** What pages of the list show together, from the first page that was read. */
export const createListView = (first: RemotePage) => {
  const seen = new Set<number | string>();
  const { total } = first.pagination;
  let entries = 0;
  let isConsistent = true;
  let tellsIds = true;
  const keyOf = (file: RemoteFile): number | string | undefined => file.file_id ?? file.public_link;
  const isNew = (file: RemoteFile): boolean => !seen.has(keyOf(file) ?? '');
  const add = ({ files, pagination }: RemotePage): void => {
    if (pagination.total !== total) isConsistent = false;
    for (const file of files) {
      if (!isNew(file)) isConsistent = false;
      const key = keyOf(file);
      if (key !== undefined) seen.add(key);
      if (file.file_id === undefined) tellsIds = false;
    }
    entries += files.length;
  };
  add(first);
  return {
    add,
    /** False when every entry of the page is on an earlier page. */
    hasNew: ({ files }: RemotePage) => files.some(isNew),
    /** False when an entry has no readable id: any of our files may be that one. */
    tellsIds: () => tellsIds,
    /** False when the list shifted during the reading. */
    isConsistent: () => isConsistent,
    /** The pages have as many entries as the service counts. */
    isWhole: () => seen.size >= total || entries >= total,
    isFull: () => entries >= mostEntries,
  };
};

export type AccountList = ReturnType<typeof createAccountList>;

/**
 * Whether the ids or the dates of all entries are in that order. A few of our own uploads are weak evidence: the list
 * may be sorted by name or by size. Then an entry that was left out could be the lost file.
 */
const isBorneOut = (files: readonly RemoteFile[], order: ListOrder | null): boolean =>
  order !== null &&
  (runs(
    files.map((file) => file.file_id),
    order,
  ) ||
    runs(
      files.map((file) => file.upload_date),
      order,
    ));

const runs = (values: readonly (number | string | undefined)[], order: ListOrder): boolean =>
  values.every((value, index) => {
    const before = index === 0 ? value : values[index - 1];
    if (value === undefined || before === undefined) return false;
    return order === 'newest' ? value <= before : value >= before;
  }) &&
  (values.length < 2 || values[0] !== values.at(-1));
