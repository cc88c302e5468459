import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openMemoryLedger } from '../../../support/memory-ledger.ts';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { RemoteFile } from '../../../../src-main/contract/model.ts';
import type { Ask } from '../../../../src-main/engine/limiter/ask.ts';
import { createAccountList } from '../../../../src-main/engine/reconcile/account-list.ts';
import { createFakeService } from '../../../support/fake-service.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const signal = new AbortController().signal;

/** An account with `files` files, oldest first. `ours`: those that are known to be our own, with their times. */
const world = (options: { files: number; ours?: Record<number, number>; pageSize?: number }) => {
  const clock = createVirtualClock();
  const ledger = openMemoryLedger(() => clock.wallMs());
  onTestFinished(() => ledger.close());
  const service = createFakeService(clock);
  service.pageSize = options.pageSize ?? 4;
  /** `atMs`: when we knew of it; `tailAtMs`: when its tail was sent, if not at the same moment. */
  const own = (fileId: FileId, atMs: number, tailAtMs?: number): void => {
    const stamp = { sizeBytes: 1, key: String(fileId), inode: String(fileId), mtimeMs: 0, ctimeMs: 0 };
    const draft = { folderId: null, dir: '/x', name: `f${fileId}`, stamp, state: { kind: 'ready' as const } };
    const { id } = ledger.uploads.insert(draft, atMs);
    const change = {
      state: { kind: 'uploaded' as const },
      fileId,
      publicLink: 'x',
      sha256: 'x',
      uploadedAtMs: atMs,
    };
    ledger.uploads.update(id, change, atMs);
    if (tailAtMs === undefined) return;
    const begun = { uploadId: id, sentName: 'x', sizeBytes: 1, permitId: 1, startedAtMs: tailAtMs };
    ledger.attempts.committing(ledger.attempts.insert(begun).id, tailAtMs);
  };
  for (let n = 1; n <= options.files; n += 1) service.addForeign(`f${n}`, 'x');
  for (const [index, atMs] of Object.entries(options.ours ?? {})) own(1000 + Number(index), atMs);
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
  const accountList = createAccountList({ api, ledger, clock }, ask);
  const pass = async (given: Partial<Parameters<typeof accountList.pass>[0]> = {}) => {
    pages.length = 0;
    const promise = accountList.pass({ lane: 'background', signal, most: 100, ...given });
    const state = { done: false };
    void promise.finally(() => (state.done = true)).catch(() => undefined);
    await clock.runUntil(() => state.done);
    return await promise;
  };
  const order = (value: 'newest' | 'oldest'): void => ledger.facts.set('list-order', value, 0);
  return { service, ledger, accountList, pages, pass, order, own, refusals };
};
const ids = (files: readonly RemoteFile[]): FileId[] => files.map((file) => file.file_id ?? 0);
const has = (fileId: FileId) => (files: readonly RemoteFile[]) => ids(files).includes(fileId);

describe('one view of the list', () => {
  test('contains every page while the order is unknown', async () => {
    const { pass, pages } = world({ files: 10 });
    const seen = await pass({ reachesPast: () => true });
    expect(pages).toEqual([1, 2, 3]);
    expect(seen).toMatchObject({ total: 10, requests: 3, isComplete: true });
    expect(seen.files).toHaveLength(10);
  });

  test('continues after a page was refused for the rate, but fails for a person, and at the fourth refusal', async () => {
    const { pass, pages, refusals } = world({ files: 10 });
    refusals.of = 3;
    expect(await pass()).toMatchObject({ total: 10, requests: 3, isComplete: true });
    expect(pages).toEqual([1, 2, 3]);
    await expect(pass({ lane: 'user' })).rejects.toMatchObject({ code: 'rate' });
    refusals.of = 4;
    await expect(pass()).rejects.toMatchObject({ code: 'rate' });
  });

  test('of an empty account is one page, and complete', async () => {
    const { pass } = world({ files: 0 });
    expect(await pass()).toEqual({ files: [], total: 0, requests: 1, isComplete: true });
  });

  test('ends at the first page of a newest-first list that reaches back far enough', async () => {
    const { pass, pages, order } = world({ files: 10 });
    order('newest');
    expect(await pass({ reachesPast: has(1008) })).toMatchObject({ requests: 1, isComplete: true });
    expect(await pass({ reachesPast: has(1005) })).toMatchObject({ requests: 2, isComplete: true });
    expect(pages).toEqual([1, 2]);
  });

  test('begins at the end of an oldest-first list', async () => {
    const { pass, pages, order, service } = world({ files: 10 });
    service.order = 'oldest';
    order('oldest');
    expect(await pass({ reachesPast: has(1007) })).toMatchObject({ requests: 3, isComplete: true });
    expect(pages).toEqual([1, 3, 2]);
  });

  test('contains all pages, in any order, without a criterion of where to stop', async () => {
    const { pass, pages, order } = world({ files: 10 });
    order('newest');
    await pass();
    expect(pages).toEqual([1, 2, 3]);
  });

  test('is incomplete when it needs more requests than allowed', async () => {
    const { pass } = world({ files: 10 });
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
});

describe('a list that shifts while it is read', () => {
  test('is read again, and is complete when it no longer shifts', async () => {
    const { pass, service, pages } = world({ files: 10 });
    const { list } = service.api;
    let calls = 0;
    service.api.list = async (query, stop) => {
      calls += 1;
      if (calls === 2) service.addForeign('new', 'x');
      return await list(query, stop);
    };
    expect(await pass()).toMatchObject({ isComplete: true, total: 11, requests: 6 });
    expect(pages).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test('at every reading is incomplete after three tries, or as many as requested', async () => {
    const { pass, service } = world({ files: 10 });
    const { list } = service.api;
    service.api.list = async (query, stop) => {
      service.addForeign('new', 'x');
      return await list(query, stop);
    };
    expect(await pass({ tries: 1 })).toMatchObject({ isComplete: false, requests: 3 });
    const { requests } = await pass();
    expect(requests).toBeGreaterThan(9);
    expect(await pass()).toMatchObject({ isComplete: false });
  });

  test('is also detected by an id that appears twice', async () => {
    const { pass, service } = world({ files: 8 });
    const { list } = service.api;
    service.api.list = async (query, stop) => {
      const answer = await list(query, stop);
      const [first] = service.stored;
      return query.page === 2 && first !== undefined
        ? { ...answer, files: answer.files.map((file) => ({ ...file, file_id: 1008 })) }
        : answer;
    };
    expect(await pass()).toMatchObject({ isComplete: false });
  });

  test('is judged by the number of its entries if they have no ids', async () => {
    const { pass, service } = world({ files: 6 });
    service.without = ['file_id'];
    expect(await pass()).toMatchObject({ isComplete: true, requests: 2 });
  });
});

describe('the order of the list', () => {
  const falling = { 10: 500, 9: 400, 8: 300, 7: 200 };

  test('is learned from four uploads of ours in a row', async () => {
    const newest = world({ files: 10, ours: falling });
    await newest.pass();
    expect(newest.accountList.order()).toBe('newest');
    const oldest = world({ files: 4, ours: { 1: 100, 2: 200, 3: 300, 4: 400 } });
    oldest.service.order = 'oldest';
    await oldest.pass();
    expect(oldest.accountList.order()).toBe('oldest');
  });

  test('is not learned from fewer, or from a mixture', async () => {
    const few = world({ files: 10, ours: { 10: 500, 9: 400, 8: 300 } });
    await few.pass();
    expect(few.accountList.order()).toBeNull();
    const mixed = world({ files: 10, ours: { ...falling, 8: 900 } });
    await mixed.pass();
    expect(mixed.accountList.order()).toBeNull();
  });

  test('is neither learned from nor contradicted by uploads that were under way together', async () => {
    const { pass, accountList, order, own } = world({ files: 10, ours: { 10: 500 } });
    // Its answer was lost, and it was found after the next ones had been uploaded.
    own(1009, 900, 390);
    own(1008, 400, 310);
    own(1007, 300, 290);
    own(1006, 320, 280);
    await pass();
    expect(accountList.order()).toBeNull();
    order('newest');
    await pass();
    expect(accountList.order()).toBe('newest');
  });

  test('is discarded at the first contradiction, and that view reads everything', async () => {
    const { pass, order, accountList, pages } = world({ files: 10, ours: { 10: 100, 9: 900 } });
    order('newest');
    const seen = await pass({ reachesPast: () => true });
    expect(accountList.order()).toBeNull();
    expect(pages).toEqual([1, 2, 3]);
    expect(seen.isComplete).toBe(true);
  });

  test('that turns out wrong on a later page makes the view read everything again', async () => {
    const { pass, order, accountList, pages, service } = world({ files: 12, ours: { 12: 100, 11: 900 } });
    service.order = 'oldest';
    order('oldest');
    const seen = await pass({ reachesPast: has(1009) });
    expect(accountList.order()).toBeNull();
    expect(pages).toEqual([1, 3, 1, 2, 3]);
    expect(seen).toMatchObject({ isComplete: true, requests: 5 });
  });
});
