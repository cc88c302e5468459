// Reads the account list (GET /files). The specification does not define order, page size and bounds, and the list shifts
// while others upload and delete. So a reading proves that nothing is missing, or it does not (isWhole).
import { AppError, toAppError } from '../../contract/errors.ts';
import type { Lane, RemoteFile, RemotePage } from '../../contract/model.ts';
import type { Ask } from '../limiter/ask.ts';
import type { Ports } from '../ports/ports.ts';
import {
  enough,
  isInOrder,
  isSameReading,
  remoteKeyOf,
  nextPage,
  orderInTime,
  type ListOrder,
  type PageAsked,
} from './list-rules.ts';

export type ListPass = {
  /** The account whose list it is. */
  accountId: number;
  files: RemoteFile[];
  /** The count that the service gives. */
  total: number;
  requests: number;
  /** No file is missing that was in the list all the time, or, with `reachesPast`, that is younger than that. */
  isComplete: boolean;
};

/** The requested page size. The service may give fewer entries. */
const pageSize = 100;
/** A list that shifts during the reading is read at most this many times. */
const mostTries = 3;
/** A page of 2 MiB can have 100,000 entries, and they are kept in memory. */
const mostEntries = 1_000_000;
/** A page that is refused because of the rate is asked for again at most this many times. */
const mostRefusals = 3;

/** `mayOverlap`: the service gives the pages that are asked for, as far as it is known. */
type Reading = { files: RemoteFile[]; total: number; isWhole: boolean; mayOverlap: boolean };

type Page = RemotePage & { accountId: number };
type Pages = { read(asked: PageAsked): Promise<Page>; isSpent(): boolean; requests(): number };

export const createAccountList = (ports: Pick<Ports, 'api'>, ask: Ask) => {
  const { api } = ports;

  const pagesFor = (lane: Lane, signal: AbortSignal, most: number, wanted: number | null): Pages => {
    let requests = 0;
    /** A list is of one account. */
    let of = wanted;
    const read = async (asked: PageAsked): Promise<Page> => {
      requests += 1;
      for (let refusals = 0; ; refusals += 1) {
        try {
          return await ask(lane, signal, async (stop, { accountId }) => {
            if ((of ??= accountId) !== accountId)
              throw new AppError('aborted', 'Another account is used now.');
            return { ...(await api.list(asked, stop)), accountId };
          });
        } catch (caught) {
          // A refusal because of the rate does not concern the list, so only this page is repeated. Otherwise a long
          // list would start again each time. The limiter waits.
          const isRefused = lane !== 'user' && toAppError(caught).code === 'rate';
          if (!isRefused || refusals === mostRefusals) throw caught;
        }
      }
    };
    return { read, isSpent: () => requests >= most, requests: () => requests };
  };

  return {
    /**
     * Reads the list, again while it shifts. `accountId`: whose; else the first page decides. `most`: the most requests.
     * `tries`: how many times it is read at most. `reachesPast`: the entries contain one that is too old to matter; then the
     * reading may stop early. Throws `aborted` when the key is of another account.
     */
    async pass(options: {
      lane: Lane;
      signal: AbortSignal;
      accountId?: number;
      most: number;
      tries?: number;
      reachesPast?: (files: readonly RemoteFile[]) => boolean;
    }): Promise<ListPass> {
      const { lane, signal, most, tries = mostTries, reachesPast } = options;
      const pages = pagesFor(lane, signal, most, options.accountId ?? null);
      let before: Reading | null = null;
      for (let read = 1; ; read += 1) {
        const first = await pages.read({ page: 1, limit: pageSize });
        const { accountId } = first;
        const order = read === 1 && reachesPast !== undefined ? orderInTime(first.files) : null;
        if (order !== null && reachesPast !== undefined) {
          const files = await readNewest(first, pages, order, reachesPast);
          const { total } = first.pagination;
          if (files !== null)
            return { accountId, files, total, requests: pages.requests(), isComplete: true };
        }
        const reading = await readAll(first, pages, before?.mayOverlap ?? true);
        const isComplete = reading.isWhole || (before !== null && isSameReading(before, reading));
        const { files, total } = reading;
        if (isComplete || read >= tries || pages.isSpent())
          return { accountId, files, total, requests: pages.requests(), isComplete };
        before = reading;
      }
    },
  };
};

/** From the newest entry on, until the older ones cannot matter. Null: that is not known. */
const readNewest = async (
  first: RemotePage,
  pages: Pages,
  order: ListOrder,
  reachesPast: (files: readonly RemoteFile[]) => boolean,
): Promise<RemoteFile[] | null> => {
  const { limit, total, pages: last } = first.pagination;
  const files = [...first.files];
  if (order === 'newest' && reachesPast(files)) return files;
  for (let read = 1; read < last && !pages.isSpent(); read += 1) {
    const next = await pages.read({ page: order === 'newest' ? read + 1 : last + 1 - read, limit });
    // A page may shift, so that the next one begins with entries of this one, but none may be left out.
    const isSteady = next.pagination.total === total && next.pagination.limit === limit;
    if (!isSteady || (next.files.length > 1 && orderInTime(next.files) !== order)) return null;
    files.push(...next.files);
    if (reachesPast(next.files)) return files;
  }
  return null;
};

/** Page after page, each with an entry of the one before where `mayOverlap`. */
const readAll = async (first: RemotePage, pages: Pages, mayOverlap: boolean): Promise<Reading> => {
  let { total, pages: last } = first.pagination;
  const { limit } = first.pagination;
  let least = total;
  const files = [...first.files];
  const known = new Set(files.map(remoteKeyOf));
  const isChain = mayOverlap && Math.min(limit, total) >= enough && files.length === limit;
  const cut = (mayOverlapAgain: boolean): Reading => ({
    files,
    total,
    isWhole: false,
    mayOverlap: mayOverlapAgain,
  });
  let asked: PageAsked = { page: 1, limit: isChain ? limit : pageSize };
  while (asked.page < last) {
    if (pages.isSpent() || files.length >= mostEntries) return cut(mayOverlap);
    const end = asked.page * asked.limit;
    asked = isChain ? nextPage(end, limit) : { ...asked, page: asked.page + 1 };
    const next = await pages.read(asked);
    ({ total, pages: last } = next.pagination);
    least = Math.min(least, total);
    const overlap = isChain ? next.files.findLastIndex((file) => known.has(remoteKeyOf(file))) : -1;
    if (isChain) {
      const isAsked = next.pagination.limit === asked.limit && next.pagination.page === asked.page;
      if (!isAsked || (asked.page - 1) * asked.limit >= end) return cut(false);
      const isFull = next.files.length === asked.limit || asked.page >= last;
      if (overlap < 0 || !isFull) return cut(true);
    }
    for (const file of next.files.slice(overlap + 1)) {
      files.push(file);
      known.add(remoteKeyOf(file));
    }
  }
  const isOrdered = asked.page === 1 || (isChain && isInOrder(files));
  return { files, total, isWhole: isOrdered && files.length >= least, mayOverlap };
};

export type AccountList = ReturnType<typeof createAccountList>;
