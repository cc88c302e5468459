// A reader may ask for the list page by page (`list --all`). Pages 1 to the last, one after the other and of one size, are
// the whole list if together they are consistent.
import type { RemotePage } from '../../contract/model.ts';
import { createListView } from './account-list.ts';

type Asked = { page: number | undefined; limit: number | undefined; startMs: number };

export const createPagedReading = () => {
  let reading: (Asked & { view: ReturnType<typeof createListView>; last: number }) | null = null;

  return {
    /** `startMs`: wall time before the request. Returns the reading that this page completes, otherwise null. */
    add(asked: Asked, answer: RemotePage): { startMs: number; isComplete: true } | null {
      const { page, pages } = answer.pagination;
      const isNext = reading !== null && asked.page === reading.last + 1 && asked.limit === reading.limit;
      if (reading !== null && isNext) {
        reading.view.add(answer);
        reading.last += 1;
      } else if ((asked.page ?? 1) === 1) reading = { ...asked, view: createListView(answer), last: 1 };
      else reading = null;
      if (reading === null) return null;
      const { view, last, startMs } = reading;
      const isOver = page !== last || page >= pages;
      if (isOver) reading = null;
      const isComplete = isOver && page === last && view.isConsistent() && view.isWhole();
      return isComplete ? { startMs, isComplete } : null;
    },
  };
};
