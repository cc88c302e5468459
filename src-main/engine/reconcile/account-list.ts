// Reading the account's list (GET /files). Order, page size and bounds are open in the specification: the returned
// pagination is what counts, the order is learned from our own uploads and given up at the first contradiction.
import { toAppError } from '../../contract/errors.ts';
import type { RemoteFile } from '../../contract/model.ts';
import type { Ask } from '../limiter/ask.ts';
import type { Ports } from '../ports.ts';
import type { Lane } from '../../contract/model.ts';

export type ListOrder = 'newest' | 'oldest';

export type ListPass = {
  files: RemoteFile[];
  /** As the service counts; null when no page came. */
  total: number | null;
  requests: number;
  /** Everything that could matter was seen in one consistent view. */
  isComplete: boolean;
};

/** Asked for; the service may give fewer. */
const pageSize = 100;
/** Agreeing samples before an order is believed. */
const samplesNeeded = 3;
/** A list that shifts while it is read is read so often. */
const mostTries = 3;
/** A page that is refused for the rate is asked for again so often. */
const mostRefusals = 3;

export const createAccountList = (ports: Pick<Ports, 'api' | 'ledger' | 'clock'>, ask: Ask) => {
  const { api, ledger, clock } = ports;

  const order = (): ListOrder | null => {
    const value = ledger.facts.get('list-order')?.value;
    return value === 'newest' || value === 'oldest' ? value : null;
  };

  const page = async (number: number, lane: Lane, signal: AbortSignal) => {
    for (let refusals = 0; ; refusals += 1) {
      try {
        return await ask(lane, signal, (stop) => api.list({ page: number, limit: pageSize }, stop));
      } catch (caught) {
        // It says nothing of the list: else a long one would be begun again and again. The limiter waits.
        const isRefused = lane !== 'user' && toAppError(caught).code === 'rate';
        if (!isRefused || refusals === mostRefusals) throw caught;
      }
    }
  };

  const readOnce = async (
    lane: Lane,
    signal: AbortSignal,
    most: number,
    /** True when nothing older can matter: allows stopping early in a known order. */
    reachesPast: ((files: readonly RemoteFile[]) => boolean) | null,
  ): Promise<ListPass> => {
    const files: RemoteFile[] = [];
    const seen = new Set<number>();
    const first = await page(1, lane, signal);
    let requests = 1;
    const { total } = first.pagination;
    const pages = Math.max(1, first.pagination.pages);
    let isConsistent = true;
    const add = (part: readonly RemoteFile[]): void => {
      for (const file of part) {
        if (file.file_id !== undefined && seen.has(file.file_id)) isConsistent = false;
        if (file.file_id !== undefined) seen.add(file.file_id);
        files.push(file);
      }
    };
    add(first.files);
    noteOrder(first.files);
    // What the first page says of the order counts already.
    const known = reachesPast === null || !isBorneOut(first.files, order()) ? null : order();
    const isEnough = known === 'newest' && reachesPast?.(first.files) === true;
    for (let read = 1; read < pages && !isEnough; read += 1) {
      if (requests >= most) return { files, total, requests, isComplete: false };
      const next = await page(known === 'oldest' ? pages + 1 - read : read + 1, lane, signal);
      requests += 1;
      if (next.pagination.total !== total) isConsistent = false;
      add(next.files);
      noteOrder(next.files);
      if (known !== null && !isBorneOut(next.files, known)) isConsistent = false;
      if (known !== null && reachesPast?.(next.files) === true) break;
    }
    // Where the order was wrong, whatever was left out may matter.
    if (known !== null && order() !== known) isConsistent = false;
    const isWhole = known !== null || seen.size >= total || files.length >= total;
    return { files, total, requests, isComplete: isConsistent && isWhole };
  };

  /** Three neighbours of ours in the same order teach it; one contradiction revokes it. */
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
   * Between which moments the service came to hold a file of ours: from its tail until we knew. Where two of them
   * overlap (uploads that were on their way together, one whose answer was lost and found later), nobody can say
   * which one the service had first.
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
     * One view of the account, read again when it shifts under the reading. `most`: requests at the most; `tries`:
     * how often it is read at the most, 1 where a view that is not complete will do.
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

export type AccountList = ReturnType<typeof createAccountList>;

/**
 * Whether ids or dates of all entries run in that order. A few uploads of ours in a row say little where the list is
 * sorted by name or by size: what is left out of such a list could be the very file that is looked for.
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
