// State shared by the window: a notice of a problem disappears when the problem is over.
import { expect, test, vi } from 'vitest';
import type { Reply } from '../../../src-main/contract/client.ts';
import { AppError, toWire, type ErrorCode } from '../../../src-main/contract/errors.ts';
import { Newest } from '../../../src-renderer/popover/newest.svelte.ts';
import { stopPacking, uploadDropped, uploadPasted } from '../../../src-renderer/state/actions.ts';
import { Queue, undoNewest } from '../../../src-renderer/state/queue.svelte.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';
import { upload } from '../../support/window/seed.ts';
import { say } from '../../../src-renderer/words/say.svelte.ts';
import { givenGroup } from '../../support/window/screen-seeds.ts';

const offline = { kind: 'closed', reason: 'network', untilMs: null, message: '', remedy: '' } as const;

const failedWith = async (code: ErrorCode) => {
  const transport = createFakeTransport();
  const session = new Session({ call: transport.call, listen: transport.listen });
  await session.start();
  await session.attempt(() => Promise.reject(new AppError(code, 'It did not work.')));
  expect(session.notice).toMatchObject({ kind: 'problem', text: 'It did not work.' });
  return { transport, session };
};

test('an error disappears when the service is reached again', async () => {
  const { transport, session } = await failedWith('offline');
  transport.setStatus({ gate: offline });
  expect(session.notice).not.toBeNull();
  transport.setStatus({ gate: { kind: 'open' } });
  expect(session.notice).toBeNull();
});

test('an error disappears when the folder is back', async () => {
  const { transport, session } = await failedWith('folder-unavailable');
  transport.setStatus({ folderAvailable: false });
  transport.setStatus({ folderAvailable: true });
  expect(session.notice).toBeNull();
});

test('an error that nothing ends stays until it is read', async () => {
  const { transport, session } = await failedWith('not-found');
  transport.setStatus({ gate: offline });
  transport.setStatus({ gate: { kind: 'open' } });
  expect(session.notice).not.toBeNull();
});

test('links of a drop are not offered to be taken back once the list is that of another account', async () => {
  const transport = createFakeTransport();
  const session = new Session({ call: transport.call, listen: transport.listen });
  await session.start();
  session.listed(1);
  session.given.hear({ ...givenGroup, going: 1, goingIds: [2] });
  session.given.hear({ ...givenGroup, id: 2 });
  session.listed(1);
  expect(session.given.cards).toHaveLength(2);
  // A drop of the next account may come before its list.
  session.given.hear({ ...givenGroup, id: 3, accountId: 2 });
  expect([session.listed(2), session.given.cards.map(({ id }) => id)]).toEqual([true, [3]]);
  expect(session.shownIn()).toEqual({ accountId: 2 });
});

test('all files of a large drop are cancelled and brought back, in calls of a size that the app takes; one that is refused keeps none', async () => {
  const transport = createFakeTransport();
  const asked: unknown[] = [];
  const session = new Session({
    listen: transport.listen,
    call: async (name, input) => {
      if (name === 'queue.undo') asked.push(input);
      if (name !== 'queue.cancel' && name !== 'queue.skip') return await transport.call(name, input);
      const { ids } = input as { ids: number[] };
      asked.push(ids.length);
      const isLate = ids[0] === 1;
      return isLate
        ? { ok: false, error: toWire(new AppError('bad-use', 'It is too late.')) }
        : {
            ok: true,
            answer: ids.map((id) => upload(id, `${id}.txt`, { kind: 'skipped', rule: 'cancelled' })),
          };
    },
  });
  await session.start();
  const ids = Array.from({ length: 12_000 }, (_, at) => at + 1);
  await new Queue(session).cancelThese(ids);
  expect(session.notice).toMatchObject({ kind: 'done', text: expect.stringContaining('7,000') as string });
  await undoNewest(session);
  expect(asked.splice(0)).toEqual([5000, 5000, 2000, { actionsOf: [5001, 10_001] }]);
  await new Queue(session).undo(ids.slice(0, 6_000));
  expect(asked.splice(0)).toEqual([{ ids: ids.slice(0, 5_000) }, { ids: ids.slice(5_000, 6_000) }]);
  for (const leave of ['dismissThese', 'skipThese'] as const) {
    await new Queue(session)[leave](ids.slice(0, 6_000));
    expect(asked.splice(0)).toEqual([5000, 1000]);
  }
  await new Queue(session).cancelThese([1]);
  expect(session.notice).toMatchObject({ kind: 'problem', text: 'It is too late.' });
});

test('an undo of a recall that comes too late is told, and so is one with nothing left to undo', async () => {
  const transport = createFakeTransport();
  const deleting = Promise.withResolvers<Reply>();
  const session = new Session({
    listen: transport.listen,
    call: async (name, input) => {
      if (name === 'files.delete') return await deleting.promise;
      return name === 'files.keep' ? { ok: true, answer: [] } : await transport.call(name, input);
    },
  });
  await session.start();
  const ending = session.recalling.begin([{ fileId: 1, name: 'a.txt', place: 'this-machine' }]);
  await vi.waitFor(() => expect(session.recalling.undoable).toHaveLength(1));
  await undoNewest(session);
  expect(session.notice?.text).toBe('It has changed meanwhile and stays as it is.');
  const done = { fileId: 1, deleted: true, message: '', error: null, linkState: 'dead', goesOn: false };
  deleting.resolve({ ok: true, answer: [done] });
  await ending;
  session.did({ kind: 'recall' });
  await undoNewest(session);
  expect(session.spoken).toBe('Nothing to undo');
});

test('zips are listed while they are packed, one is stopped by its number, and none outlives a new start', async () => {
  const transport = createFakeTransport();
  const session = new Session({ call: transport.call, listen: transport.listen });
  await session.start();
  const zip = { id: 7, name: 'a.zip', files: 1, totalFiles: 2, bytes: 1, totalBytes: 2 };
  const pack = (): void => {
    transport.seed.packings = [zip];
    transport.send({ kind: 'packing', packings: [zip] });
  };
  pack();
  expect(session.packings).toEqual([zip]);
  await stopPacking(session, 7);
  expect([session.packings, session.notice?.text]).toEqual([[], 'Stopped. Nothing has become public.']);
  session.dismiss();
  // It was packed already: nothing is stopped, and nothing is reported.
  await stopPacking(session, 7);
  expect(session.notice).toBeNull();
  pack();
  await session.start();
  expect(session.packings).toEqual([]);
});

test('only completed actions have a tick: an empty clipboard is a note', async () => {
  vi.useFakeTimers();
  try {
    const transport = createFakeTransport();
    const session = new Session({ call: transport.call, listen: transport.listen });
    await session.start();
    await uploadPasted(session, { files: [], types: [] });
    expect(session.notice).toMatchObject({ kind: 'note' });
    // It stays no longer than other news.
    vi.advanceTimersByTime(5_000);
    expect(session.notice).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

/** By names; a picture of a web page has no path. */
const tokensOf = async (all: readonly unknown[]): Promise<string[]> =>
  all.map((one) => (one === 'picture' ? '' : `/t/${String(one)}`));
const given = async (act: (session: Session, files: string[]) => Promise<void>, files: string[]) => {
  const transport = createFakeTransport();
  const session = new Session({ call: transport.call, listen: transport.listen, tokensOf });
  await session.start();
  await act(session, files);
  return {
    text: session.notice?.text ?? '',
    uploads: transport.calls.flatMap(({ name, input }) => (name === 'files.upload' ? [input] : [])),
  };
};
const paste = (session: Session, files: string[]): Promise<void> =>
  uploadPasted(session, { files, types: ['Files'] });

test.each([
  ['dropped', uploadDropped],
  ['pasted', paste],
])('something %s beside files that is on no disk is named, and the files go', async (_how, act) => {
  expect(await given(act, ['a.txt', 'picture'])).toEqual({
    text: say('files.notOnDisk'),
    uploads: [{ paths: ['/t/a.txt'] }],
  });
  expect(await given(act, ['a.txt', 'b.txt'])).toEqual({
    text: '',
    uploads: [{ paths: ['/t/a.txt', '/t/b.txt'] }],
  });
});

test('a picture alone is named when it is dropped, and the clipboard is asked for it when it is pasted', async () => {
  expect(await given(uploadDropped, ['picture'])).toEqual({ text: say('files.notOnDisk'), uploads: [] });
  expect(await given(paste, ['picture'])).toEqual({ text: say('files.nothingToPaste'), uploads: [] });
});

test('the popover names a picture as well', async () => {
  const transport = createFakeTransport();
  const call: typeof transport.call = (name, input) =>
    // Without an answer it reads no more, which needs a page.
    name === 'app.status' ? new Promise(() => undefined) : transport.call(name, input);
  const popover = new Newest({ call, listen: transport.listen, tokensOf });
  for (const [files, problem] of [
    [['a.txt'], ''],
    [['a.txt', 'picture'], say('files.notOnDisk')],
  ] as const) {
    await popover.uploadDropped(files);
    expect(popover.problem).toBe(problem);
  }
  expect(transport.calls.filter(({ name }) => name === 'files.upload')).toHaveLength(2);
});

test('a clock that is set back does not hold up the pace of an upload', async () => {
  vi.useFakeTimers();
  try {
    const transport = createFakeTransport();
    const session = new Session({ call: transport.call, listen: transport.listen });
    await session.start();
    transport.setStatus({ sending: 1 });
    const send = (sentBytes: number): void =>
      transport.send({
        kind: 'progress',
        progress: [{ uploadId: 7, path: '/x', sentBytes, totalBytes: 9_000 }],
      });
    send(0);
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(1_000);
    send(2_000);
    expect(session.paces.get(7)?.bytesPerSecond).toBe(2_000);
  } finally {
    vi.useRealTimers();
  }
});
