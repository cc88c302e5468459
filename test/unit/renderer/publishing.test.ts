// Secrets that are made public from the window: the named files, ten seconds later, or not at all.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { groupAlike } from '../../../src-renderer/state/grouping.ts';
import { Queue, undoNewest } from '../../../src-renderer/state/queue.svelte.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import { AppError, toWire } from '../../../src-main/contract/errors.ts';
import type { UploadView } from '../../../src-main/contract/model.ts';
import { createFakeTransport, type FakeTransport } from '../../support/window/fake-transport.ts';
import { upload } from '../../support/window/seed.ts';

const secret = (id: number, name: string): UploadView =>
  upload(id, name, { kind: 'held', reason: 'secret-name' }, { bucket: 'held' });

let transport: FakeTransport;
let session: Session;
let queue: Queue;
beforeEach(async () => {
  vi.useFakeTimers();
  transport = createFakeTransport({ uploads: [secret(1, '.env'), secret(2, 'id_rsa'), secret(3, 'a.key')] });
  session = new Session({ listen: transport.listen, call: (name, input) => transport.call(name, input) });
  await session.start();
  queue = new Queue(session);
  await queue.read();
  return () => vi.useRealTimers();
});
const asked = (name: string): unknown[] =>
  transport.calls.filter((call) => call.name === name).map(({ input }) => input);
const named = (...ids: number[]): UploadView[] => transport.seed.uploads.filter(({ id }) => ids.includes(id));
const agree = (...ids: number[]): Promise<void> => queue.publish({ ids, uploads: named(...ids), asOfMs: 7 });

describe('files that look like secrets', () => {
  test('are published after ten seconds, only the named ones and as they were then', async () => {
    await agree(1, 3);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(asked('queue.confirm')).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked('queue.confirm')).toEqual([{ ids: [1, 3], asOfMs: 7 }]);
    expect(session.publishing.uploads).toEqual([]);
  });

  test('stay private after an undo at nine seconds', async () => {
    await agree(1);
    await vi.advanceTimersByTimeAsync(9_000);
    session.publishing.undo();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked('queue.confirm')).toEqual([]);
  });

  test('stay private unless the question is answered with yes', async () => {
    const { call } = transport;
    transport.call = async (name, input) =>
      name === 'window.askToPublish'
        ? { ok: false, error: toWire(new AppError('aborted', 'The user said no.')) }
        : await call(name, input);
    await agree(1);
    expect(session.notice).toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked('queue.confirm')).toEqual([]);
  });

  test.each([
    ['while the question is open', 'window.askToPublish', [1], []],
    ['while others become public', 'queue.confirm', [1, 2], [{ ids: [1], asOfMs: 7 }]],
  ])('stay private when the account changes %s', async (_when, during, wanted, confirmed) => {
    session.listed(1);
    const { call } = transport;
    transport.call = async (name, input) => {
      if (name === during) session.listed(2);
      return await call(name, input);
    };
    for (const id of wanted) await agree(id);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked('queue.confirm')).toEqual(confirmed);
  });

  test('wait ten seconds more, all of them, when another one is made public meanwhile', async () => {
    await agree(1);
    await vi.advanceTimersByTimeAsync(9_000);
    await agree(2);
    expect(session.publishing.uploads.map(({ name }) => name)).toEqual(['.env', 'id_rsa']);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(asked('queue.confirm')).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked('queue.confirm')).toEqual([
      { ids: [1], asOfMs: 7 },
      { ids: [2], asOfMs: 7 },
    ]);
  });
});

test('of files alike all become public, also those that the list has no room for', async () => {
  const skipped = Array.from({ length: 300 }, (_, at) =>
    upload(at + 10, `${at}.txt`, { kind: 'skipped', rule: 'hidden' }, { bucket: 'skipped' }),
  );
  transport.seed.uploads = skipped;
  await queue.read();
  const [group] = queue.view === null ? [] : groupAlike(queue.view, 'skipped');
  expect(group?.uploads).toHaveLength(200);
  if (group !== undefined) await queue.publishAlike(group);
  expect(session.publishing.count).toBe(300);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked('queue.confirm')).toMatchObject([{ ids: skipped.map(({ id }) => id) }]);
});

test('more files than one call takes are asked about and become public in several; a no to some of them keeps all private', async () => {
  const ids = Array.from({ length: 5_001 }, (_, at) => at + 1);
  const bites = [{ ids: ids.slice(0, 5_000) }, { ids: [5_001] }];
  await queue.publish({ ids, uploads: [], asOfMs: 7 });
  expect(asked('window.askToPublish')).toEqual(bites);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked('queue.confirm')).toEqual(bites.map((bite) => ({ ...bite, asOfMs: 7 })));
  const { call } = transport;
  transport.call = async (name, input) =>
    name === 'window.askToPublish' && (input as { ids: number[] }).ids.length === 1
      ? { ok: false, error: toWire(new AppError('aborted', 'They stay private.')) }
      : await call(name, input);
  await queue.publish({ ids, uploads: [], asOfMs: 7 });
  expect(session.publishing.count).toBe(0);
});

test('a file that waits to become public is asked about once, and stays private when a person decides so meanwhile', async () => {
  await agree(1, 2);
  await agree(2, 3);
  expect(session.publishing.uploads.map(({ id }) => id)).toEqual([1, 2, 3]);
  await queue.skipThese([1, 3]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked('queue.confirm')).toEqual([{ ids: [2], asOfMs: 7 }]);
});

test.each<[string, (one: UploadView) => Promise<void>]>([
  ['Skip', (one) => queue.skip(one)],
  ['Keep private', (one) => queue.skipThese([one.id])],
  ['Dismiss', (one) => queue.dismiss(one)],
  ['Cancel', (one) => queue.cancel(one)],
])('%s in the queue is undone by Ctrl+Z a minute later, once its notice is gone', async (_, act) => {
  const [one] = named(2);
  if (one !== undefined) await act(one);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(session.notice).toBeNull();
  await undoNewest(session);
  expect(asked('queue.undo')).toEqual([{ actionsOf: [2] }]);
});

test('Undo applies to the files that its notice names', async () => {
  await queue.skipThese([2, 3]);
  session.notice?.act?.do();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked('queue.undo')).toEqual([{ actionsOf: [2] }]);
});

test.each([
  [
    { kind: 'held', reason: 'secret-name' },
    { kind: 'held', fate: 'all', asOfMs: 7 },
  ],
  [
    { kind: 'failed', code: 'offline', message: 'No connection.', remedy: 'Wait.' },
    { kind: 'failed', fate: 'all', asOfMs: 7 },
  ],
  [
    { kind: 'skipped', rule: 'existing' },
    { kind: 'skipped', fate: 'all', asOfMs: 7 },
  ],
] as const)('an answer for a group is for all that are alike: $kind', async (state, alike) => {
  await queue.retry({ state, key: 'all', uploads: [], files: 2, bytes: 2, asOfMs: 7 });
  expect(asked('queue.retry')).toEqual([{ alike }]);
});

test('a single file is confirmed as it was shown, with and without its location', async () => {
  const [one] = named(1);
  if (one === undefined) throw new Error('There is no such file.');
  await queue.confirm([{ ...one, asOfMs: 5 }]);
  await queue.confirm([{ ...one, asOfMs: 6 }], { withoutLocation: true });
  expect(asked('queue.confirm')).toEqual([
    { ids: [1], asOfMs: 5 },
    { ids: [1], asOfMs: 6, withoutLocation: true },
  ]);
});
