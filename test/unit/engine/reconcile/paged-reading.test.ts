// A list that is read page by page, where the service always has one more page. Its contradictions: engine-files.test.ts.
import { expect, test } from 'vitest';
import { call } from '../../../../src-main/contract/text/wording.ts';
import type { RemoteFile } from '../../../../src-main/contract/model.ts';
import { createPagedReading } from '../../../../src-main/engine/reconcile/paged-reading.ts';

/** Reads from the page on until it is refused; the answer is the page that was refused. */
const readFrom = (
  first: number,
  entriesOfPage: (page: number) => number,
): { page: number; caught: unknown } => {
  const paged = createPagedReading();
  for (let page = first; ; page += 1) {
    try {
      paged.allow({ page, limit: 50 });
    } catch (caught) {
      // What was refused begins a new reading.
      paged.allow({ page, limit: 50 });
      return { page, caught };
    }
    const files = new Array<RemoteFile>(entriesOfPage(page)).fill({});
    const pagination = { page, limit: 50, total: 4e9, pages: page + 1 };
    expect(paged.add({ page, limit: 50, startMs: 0 }, { files, pagination })).toBeNull();
  }
};

test('a reading ends after 1,000 pages, and says where to continue', () => {
  expect(readFrom(5, () => 1)).toMatchObject({
    page: 1005,
    caught: {
      code: 'budget',
      message: '1000 pages of the list were read, and no more are read at once.',
      remedy: expect.arrayContaining([call('list', '--all --page 1005')]) as unknown,
    },
  });
});

test('a reading ends after a million entries, however few pages they fill', () => {
  expect(readFrom(1, (page) => page * 100_000)).toMatchObject({ page: 5, caught: { code: 'budget' } });
});
