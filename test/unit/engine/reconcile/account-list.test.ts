import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { RemoteFile, RemotePage } from '../../../../src-main/contract/model.ts';
import type { Ask } from '../../../../src-main/engine/limiter/ask.ts';
import { createAccountList } from '../../../../src-main/engine/reconcile/account-list.ts';
import { createDice } from '../../../support/simulation/dice.ts';
import { createFakeService, type FakeService } from '../../../support/fake-service.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const signal = new AbortController().signal;

/** An account with `files` files, the newest first. */
const world = (options: { files: number; pageSize?: number; order?: FakeService['order'] }) => {
  const clock = createVirtualClock();
  const service = createFakeService(clock);
  service.pageSize = options.pageSize ?? 20;
  service.order = options.order ?? 'newest';
  for (let n = 1; n <= options.files; n += 1) service.addForeign(`f${n}`, String(n)).atMs += n * 1000;
  const pages: (number | undefined)[] = [];
  const api = {
    ...service.api,
    list: (query: { page?: number; limit?: number }, stop: AbortSignal) => {
      pages.push(query.page);
      return service.api.list(query, stop);
    },
  };
  /** How often each request is refused for its rate before it goes through. */
  const refusals = { of: 0 };
  let refused = 0;
  const ask: Ask = (_, stop, request) => {
    refused += 1;
    if (refused <= refusals.of)
      return Promise.reject(new AppError('rate', 'Fewer, please.', '', { status: 429 }));
    refused = 0;
    return request(stop, { accountId: 1, mark: '' });
  };
  const accountList = createAccountList({ api }, ask);
  const pass = async (given: Partial<Parameters<typeof accountList.pass>[0]> = {}) => {
    pages.length = 0;
    const promise = accountList.pass({ lane: 'background', signal, most: 100, ...given });
    const state = { done: false };
    void promise.finally(() => (state.done = true)).catch(() => undefined);
    await clock.runUntil(() => state.done);
    return await promise;
  };
  return { service, pages, pass, refusals };
};
const ids = (files: readonly RemoteFile[]): FileId[] => files.map((file) => file.file_id ?? 0);
const has = (fileId: FileId) => (files: readonly RemoteFile[]) => ids(files).includes(fileId);

/** Does something before the nth page is answered. */
const before = (service: FakeService, act: (nth: number) => void): void => {
  const { list } = service.api;
  let calls = 0;
  service.api.list = async (query, stop) => {
    calls += 1;
    act(calls);
    return await list(query, stop);
  };
};

describe('one reading of the list', () => {
  test('proves that it is whole by pages that overlap, if its entries are in order', async () => {
    const { pass, pages } = world({ files: 90, pageSize: 50 });
    const seen = await pass();
    expect(pages).toEqual([1, 2]);
    expect(seen).toMatchObject({ total: 90, requests: 2, isComplete: true });
    expect(new Set(ids(seen.files)).size).toBe(90);
  });

  test('is no proof if one answer lacks an entry that it has to show', async () => {
    const { service, pass } = world({ files: 140, pageSize: 50 });
    const { list } = service.api;
    let calls = 0;
    service.api.list = async (query, stop) => {
      const answer = await list(query, stop);
      calls += 1;
      if (calls !== 2) return answer;
      const total = answer.pagination.total - 1;
      return { files: answer.files.toSpliced(20, 1), pagination: { ...answer.pagination, total } };
    };
    expect((await pass({ tries: 1 })).isComplete).toBe(false);
    calls = 2;
    expect((await pass({ tries: 1 })).isComplete).toBe(true);
  });

  test.each<[string, Parameters<typeof world>[0]]>([
    ['entries in no order', { files: 90, pageSize: 50, order: 'shuffled' }],
    ['few entries', { files: 10, pageSize: 4 }],
  ])('with %s is repeated: two equal ones prove it', async (_, account) => {
    const { pass } = world(account);
    const { requests } = await pass({ tries: 1 });
    expect(await pass({ tries: 1 })).toMatchObject({ isComplete: false });
    expect(await pass()).toMatchObject({ total: account.files, requests: 2 * requests, isComplete: true });
  });

  test('of a service that gives other pages than those asked for is repeated, plainly', async () => {
    const { pass, pages, service } = world({ files: 90, pageSize: 40 });
    const { list } = service.api;
    service.api.list = (query, stop) => list({ ...query, limit: 40 }, stop);
    expect(await pass()).toMatchObject({ isComplete: true });
    expect(pages).toEqual([1, 2, 1, 2, 3, 1, 2, 3]);
  });

  test.each<[string, (answer: RemotePage) => RemotePage]>([
    [
      'gives the first page again',
      (answer) => ({ ...answer, pagination: { ...answer.pagination, page: 1 } }),
    ],
    [
      'has fewer pages than it counts',
      (answer) => ({ ...answer, pagination: { ...answer.pagination, pages: 1 } }),
    ],
  ])('of a service that %s proves nothing', async (what, changed) => {
    const { pass, service } = world({ files: 90, pageSize: 40 });
    const { list } = service.api;
    service.api.list = async (query, stop) =>
      changed(await list(what.startsWith('gives') ? { ...query, page: 1 } : query, stop));
    expect(await pass()).toMatchObject({ isComplete: false });
  });

  test('continues after a page was refused for the rate, but fails for a person, and at the fourth refusal', async () => {
    const { pass, pages, refusals } = world({ files: 90, pageSize: 50 });
    refusals.of = 3;
    expect(await pass()).toMatchObject({ total: 90, requests: 2, isComplete: true });
    expect(pages).toEqual([1, 2]);
    await expect(pass({ lane: 'user' })).rejects.toMatchObject({ code: 'rate' });
    refusals.of = 4;
    await expect(pass()).rejects.toMatchObject({ code: 'rate' });
  });

  test('of an empty account is one page, and complete', async () => {
    const { pass } = world({ files: 0 });
    expect(await pass()).toEqual({ accountId: 1, files: [], total: 0, requests: 1, isComplete: true });
  });

  test('is incomplete when it needs more requests than allowed', async () => {
    const { pass } = world({ files: 90 });
    expect(await pass({ most: 2 })).toMatchObject({ requests: 2, isComplete: false });
  });

  test('is incomplete when its pages grow beyond what is kept', async () => {
    const { pass, service } = world({ files: 1 });
    service.api.list = ({ page = 1 }) =>
      Promise.resolve({
        files: new Array<RemoteFile>(page * 250_000).fill({}),
        pagination: { page, limit: 100, total: 4e9, pages: 1e9 },
      });
    expect(await pass({ tries: 1 })).toMatchObject({ requests: 3, isComplete: false });
  });

  test('of a list that claims a billion pages needs no more requests than allowed', async () => {
    const { pass, service } = world({ files: 1 });
    const { list } = service.api;
    service.api.list = async (query, stop) => {
      const answer = await list(query, stop);
      return { ...answer, pagination: { ...answer.pagination, pages: 1e9, total: 4e9 } };
    };
    expect(await pass({ most: 5 })).toMatchObject({ requests: 5, isComplete: false });
  });

  test('of entries without ids is told by their links', async () => {
    const { pass, service } = world({ files: 6, pageSize: 4 });
    service.without = ['file_id'];
    expect(await pass()).toMatchObject({ isComplete: true, requests: 4 });
  });
});

describe('a reading that may stop early', () => {
  test('ends at the first page of a newest-first list that reaches back far enough', async () => {
    const { pass, pages } = world({ files: 90 });
    expect(await pass({ reachesPast: has(1080) })).toMatchObject({ requests: 1, isComplete: true });
    expect(await pass({ reachesPast: has(1060) })).toMatchObject({ requests: 2, isComplete: true });
    expect(pages).toEqual([1, 2]);
  });

  test('begins at the end of an oldest-first list', async () => {
    const { pass, pages } = world({ files: 100, order: 'oldest' });
    expect(await pass({ reachesPast: has(1070) })).toMatchObject({ requests: 3, isComplete: true });
    expect(pages).toEqual([1, 5, 4]);
  });

  test('reads everything in a list that is in no order, or shifts', async () => {
    const scrambled = world({ files: 90, order: 'shuffled' });
    expect((await scrambled.pass({ tries: 1, reachesPast: () => true })).files).toHaveLength(90);
    const shifting = world({ files: 90 });
    before(shifting.service, (nth) => {
      if (nth === 2) shifting.service.addForeign('new', 'x');
    });
    const seen = await shifting.pass({ reachesPast: has(1060) });
    expect(new Set(ids(seen.files)).size).toBeGreaterThanOrEqual(90);
  });
});

describe('a list that shifts while it is read', () => {
  test('by a deletion that pulls entries to the page before is read again', async () => {
    const { pass, service } = world({ files: 150, pageSize: 50, order: 'oldest' });
    const lost = service.stored.slice(0, 10);
    before(service, (nth) => {
      if (nth === 2) for (const file of lost) file.deleted = true;
    });
    const seen = await pass();
    expect(seen.isComplete).toBe(true);
    expect(ids(seen.files)).toEqual(
      expect.arrayContaining(ids(service.stored.slice(10).map(({ fileId }) => ({ file_id: fileId })))),
    );
  });

  // A deletion and a new file keep the count as it is.
  test.each(['oldest', 'newest', 'shuffled'] as const)(
    'a complete reading, %s, lacks no file that was there all the time',
    async (order) => {
      let complete = 0;
      for (let seed = 1; seed <= 40; seed += 1) {
        const dice = createDice(seed);
        const { pass, service } = world({ files: 120, pageSize: 50, order });
        before(service, () => {
          if (!dice.happens(0.3)) return;
          for (let n = dice.whole(1, 6); n > 0; n -= 1) {
            dice.pick(service.stored.filter(({ deleted }) => !deleted)).deleted = true;
            service.addForeign(`new${service.stored.length}`, String(service.stored.length));
          }
        });
        const there = service.stored.slice();
        const seen = await pass();
        if (!seen.isComplete) continue;
        complete += 1;
        const found = new Set(ids(seen.files));
        expect(there.filter(({ deleted, fileId }) => !deleted && !found.has(fileId))).toEqual([]);
      }
      expect(complete).toBeGreaterThan(order === 'shuffled' ? 5 : 30);
    },
  );
});
