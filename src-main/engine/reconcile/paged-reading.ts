// A reader may ask for the list page by page (`list --all`). Pages 1 to the last, one after the other and of one size,
// are read as the whole list if together they are consistent. That nothing is missing is proved by one page, or by two
// equal readings one after the other (list-rules.ts). The service may announce more pages without end, so a reading ends
// when a page does not continue it, and at a limit.
import { call, option, wording } from '../../contract/text/wording.ts';
import { AppError } from '../../contract/errors.ts';
import type { RemoteFile, RemotePage } from '../../contract/model.ts';

type Asked = { page: number | undefined; limit: number | undefined; startMs: number };

/** A page of 2 MiB can have 100,000 entries, and their keys are kept in memory. */
const mostEntries = 1_000_000;
/** A fifth of what the smaller plan allows in a day. */
const mostPages = 1000;

export const createPagedReading = () => {
  let reading: (Asked & { view: ReturnType<typeof createListView>; pages: number; last: number }) | null =
    null;
  /** The keys of the last whole reading, in order. */
  let before: readonly (number | string)[] = [];
  const continues = ({ page, limit }: Omit<Asked, 'startMs'>): boolean =>
    reading !== null && page === reading.last + 1 && limit === reading.limit;

  return {
    /** Call it before the request. Throws `budget` when the reading is as long as it may be. */
    allow(asked: Omit<Asked, 'startMs'>): void {
      if (reading === null || !continues(asked)) return;
      if (reading.pages < mostPages && !reading.view.isFull()) return;
      const { pages, last } = reading;
      reading = null;
      throw new AppError(
        'budget',
        `${pages} pages of the list were read, and no more are read at once.`,
        wording`Go on with ${call('list', `--all --page ${last + 1}`)}, or ask for larger pages with ${option('--limit')}.`,
      );
    },
    /**
     * `startMs`: wall time before the request. Returns the reading that this page completes, otherwise null. `isProof`: it
     * lacks no entry that was in the list all the time. Throws `unusable-answer` when the page does not follow the one
     * before it.
     */
    add(
      asked: Asked,
      answer: RemotePage,
    ): { startMs: number; isComplete: true; isProof: boolean; tellsIds: boolean } | null {
      const { page, pages } = answer.pagination;
      if (reading !== null && continues(asked)) {
        const fault = faultOf(reading.last + 1, answer, reading.view);
        if (fault !== null) {
          reading = null;
          throw fault;
        }
        reading.view.add(answer);
        reading.last += 1;
        reading.pages += 1;
      } else reading = { ...asked, view: createListView(answer), pages: 1, last: asked.page ?? page };
      const { view, last, startMs, page: first } = reading;
      if (page < pages) return null;
      reading = null;
      const isComplete = (first ?? 1) === 1 && page === last && view.isConsistent() && view.isWhole();
      if (!isComplete) return null;
      const keys = view.keys();
      const isProof =
        page === 1 || (keys.length === before.length && keys.every((key, at) => key === before[at]));
      before = keys;
      return { startMs, isComplete, isProof, tellsIds: view.tellsIds() };
    },
  };
};

/** Why a page cannot follow the pages in the view; null: it can. */
const faultOf = (
  wanted: number,
  answer: RemotePage,
  view: ReturnType<typeof createListView>,
): AppError | null => {
  const { page, pages } = answer.pagination;
  const remedy = 'The list cannot be read to its end. Ask the people who run the service.';
  if (page !== wanted)
    return new AppError('unusable-answer', `The service answered page ${page} instead of ${wanted}.`, remedy);
  if (answer.files.length === 0)
    return page >= pages || view.isWhole()
      ? null
      : new AppError('unusable-answer', `Page ${page} of ${pages} of the list is empty.`, remedy);
  return view.hasNew(answer)
    ? null
    : new AppError('unusable-answer', `Page ${page} of the list repeats earlier pages.`, remedy);
};

/** What pages of the list show together, from the first page that was read. */
const createListView = (first: RemotePage) => {
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
    keys: () => [...seen],
  };
};
