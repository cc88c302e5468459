// Links that are recalled from the window: what the dock counts, that all are recorded at once, and the report at the end.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeleteResult } from '../../../src-main/contract/answers.ts';
import type { Entry, EntryBody } from '../../../src-main/contract/entries.ts';
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { onService } from '../../../src-renderer/state/recall/deletion.ts';
import { openEnds, Recalling } from '../../../src-renderer/state/recall/recalling.svelte.ts';
import { recallMore, recallReason, recallText, recallTitle } from '../../../src-renderer/words/recall.ts';
import { speak } from '../../../src-renderer/words/say.svelte.ts';
import { row } from '../../support/window/seed.ts';

const ok = (fileId: FileId): DeleteResult => ({
  fileId,
  deleted: true,
  message: '',
  error: null,
  linkState: 'dead',
  goesOn: false,
});
const offline = { code: 'offline', message: 'The network is away.', remedy: '' } as const;
const missing = { code: 'not-found', message: 'There is no such file.', remedy: '' } as const;
const NOW_MS = Date.UTC(2026, 10, 24, 12);
const minute = 60_000;
const recalled = { kind: 'recalled', publicLink: '', publicSeconds: 1, downloads: 0, dead: true } as const;
const entry = (body: EntryBody): Entry => ({ seq: 1, atMs: NOW_MS, uploadId: null, path: null, body });

type Asked = { fileIds: readonly FileId[]; answer: (results: DeleteResult[] | Error) => void };
let asked: Asked[];
let clipboard: [copy: number, act: string][];
let ended: number;
let says: { copied: FileId[]; copy: number } | null;
let holds: boolean;
let looks: Promise<boolean> | null;
let recalling: Recalling;

beforeEach(async () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.setSystemTime(NOW_MS);
  await speak('en', ['en-US']);
  asked = [];
  clipboard = [];
  ended = 0;
  says = { copied: [], copy: 1 };
  holds = true;
  looks = null;
  recalling = new Recalling({
    ask: async () => says,
    remove: async (fileIds) => {
      const { promise, resolve } = Promise.withResolvers<DeleteResult[] | Error>();
      asked.push({ fileIds, answer: resolve });
      const results = await promise;
      if (results instanceof Error) throw results;
      return results;
    },
    keep: async (fileIds) => fileIds.filter((fileId) => fileId !== 2),
    clipboard: async (copy, act) => {
      clipboard.push([copy, act]);
      return looks === null ? holds : await looks;
    },
    ended: () => (ended += 1),
  });
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

const rows = (count: number, ageMs = 3 * minute) =>
  onService(
    Array.from({ length: count }, (_, at) =>
      row(at + 1, `file ${String(at + 1)}.txt`, {
        uploadedAtMs: NOW_MS - ageMs,
        downloads: at === 0 ? 2 : 0,
      }),
    ),
  );
const title = (): string =>
  recallTitle(recalling)
    .map(({ text }) => text)
    .join(' · ');
const next = (): Promise<void> => vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
/** Answers each as it is asked, until all are. */
const answerAll = async (
  ending: Promise<unknown>,
  answerOf: (fileId: FileId) => DeleteResult | Error = ok,
) => {
  let isOver = false;
  void ending.then(() => (isOver = true));
  await vi.waitFor(() => {
    for (const { fileIds, answer } of asked.splice(0)) {
      const results = fileIds.map((fileId) => answerOf(fileId));
      const error = results.find((one) => one instanceof Error);
      answer(error ?? results.filter((one): one is DeleteResult => !(one instanceof Error)));
    }
    expect(isOver).toBe(true);
  });
};

describe('a recall', () => {
  test('is one call, counts links as the engine reports them, and shows at its end how long they were public', async () => {
    const ending = recalling.begin(rows(12), ['notes.txt']);
    await next();
    expect(asked.map(({ fileIds }) => fileIds)).toEqual([rows(12).map(({ fileId }) => fileId)]);
    expect(title()).toBe('Recalling 1 of 12');
    expect(recallMore(recalling)).toBe('Each link is opened without your key until it no longer answers');
    recalling.hear([entry({ ...recalled, fileId: 1 }), entry({ ...recalled, fileId: 99 })]);
    expect(title()).toBe('Recalling 2 of 12');
    expect(recallMore(recalling)).toMatch(/^Link dead · 11 to go · Each link/);
    await answerAll(ending);
    expect(recallText(recalling)).toBe(
      '12 links dead · were public for 3 minutes. 2 downloads before · “notes.txt” stays shared',
    );
    expect([recalling.isSettled, ended]).toEqual([true, 1]);
  });

  test('is undone for those that the service was not told to delete yet, also after it has ended', async () => {
    const later = (fileId: FileId) => ({ ...ok(fileId), deleted: false, linkState: null, error: offline });
    const ending = recalling.begin(rows(4));
    await next();
    recalling.hear([entry({ ...recalled, fileId: 1 })]);
    expect(recalling.undoable.map(({ fileId }) => fileId)).toEqual([2, 3, 4]);
    await recalling.undo();
    expect(recalling.of('kept').map(({ row: { fileId } }) => fileId)).toEqual([3, 4]);
    const kept = { code: 'aborted', message: 'It is kept.', remedy: '' } as const;
    await answerAll(ending, (fileId) =>
      fileId === 1
        ? ok(fileId)
        : fileId === 2
          ? { ...later(fileId), goesOn: true }
          : { ...later(fileId), error: kept, kept: true },
    );
    expect([title(), recalling.isSettled]).toEqual([
      'Link dead · 2 links stay · 1 is taken back later',
      false,
    ]);
    expect(recalling.undoable.map(({ fileId }) => fileId)).toEqual([2]);
  });

  test('shows that a link which was to be taken back later is dead, and keeps the reasons of the others', async () => {
    const ending = recalling.begin(rows(2));
    await next();
    await answerAll(ending, (fileId) =>
      fileId === 1
        ? { ...ok(fileId), deleted: false, linkState: null, error: offline, goesOn: true }
        : { ...ok(fileId), linkState: 'answers', error: missing },
    );
    expect(title()).toBe('1 still answers · 1 is taken back later');
    recalling.hear([entry({ ...recalled, fileId: 1, dead: false }), entry({ ...recalled, fileId: 1 })]);
    expect(recalling.of('dead', 'answers').map(({ row: { fileId }, error }) => [fileId, error])).toEqual([
      [1, null],
      [2, missing],
    ]);
    expect(recalling.undoable).toEqual([]);
  });

  test('takes a link that was kept, when it is chosen again while the others go on', async () => {
    const ending = recalling.begin(rows(3));
    await next();
    await recalling.undo();
    expect(recalling.of('kept').map(({ row: { fileId } }) => fileId)).toEqual([1, 3]);
    const again = recalling.begin(rows(1));
    await vi.waitFor(() => expect(asked.at(-1)?.fileIds).toEqual([1]));
    expect(recalling.of('kept').map(({ row: { fileId } }) => fileId)).toEqual([3]);
    expect(recalling.rows.map(({ fileId }) => fileId)).toEqual([2, 3, 1]);
    await answerAll(Promise.all([ending, again]));
    expect(await again).toBe(true);
  });

  test('of very many links is sent in parts, all at once', async () => {
    const ending = recalling.begin(rows(2500));
    await next();
    expect(asked.map(({ fileIds }) => fileIds.length)).toEqual([1000, 1000, 500]);
    await answerAll(ending);
    expect(ended).toBe(1);
  });

  test('that is answered with no recalls nothing', async () => {
    says = null;
    expect(await recalling.begin(rows(2))).toBe(false);
    expect([asked, recalling.rows, ended]).toEqual([[], [], 0]);
  });

  test('names links that still answer or could not be checked, and checks them again', async () => {
    const ending = recalling.begin(rows(4));
    await next();
    recalling.hear([
      entry({ ...recalled, fileId: 1 }),
      entry({ ...recalled, fileId: 3, dead: false, look: { noAnswer: 'Away.' } }),
    ]);
    expect(recallMore(recalling)).toMatch(/^Link dead · 2 to go · 1 not proven · Each/);
    const states = ['dead', 'answers', 'not-proven', 'dead'] as const;
    await answerAll(ending, (fileId) => {
      const linkState = states[Number(fileId) - 1] ?? null;
      return { ...ok(fileId), linkState, ...(linkState === 'dead' ? {} : { againAtMs: NOW_MS + minute }) };
    });
    expect(title()).toBe('2 links dead · 1 still answers · 1 not proven');
    const reasons = (nowMs: number) =>
      recalling.of(...openEnds).map((one) => [one.row.name, recallReason(one, nowMs)]);
    expect(reasons(NOW_MS)).toEqual([
      ['file 2.txt', expect.stringMatching(/^Still answers · checked again by itself at \d/)],
      ['file 3.txt', expect.stringMatching(/^Could not be checked · checked again by itself at \d/)],
    ]);
    // What it found then is not known yet.
    expect(reasons(NOW_MS + minute)[1]).toEqual([
      'file 3.txt',
      'Could not be checked · checked again by itself',
    ]);
    expect(recalling.isSettled).toBe(false);
    await answerAll(recalling.again());
    expect([title(), ended]).toEqual(['4 links dead · were public for 3 minutes', 2]);
  });

  test('shows what the engine finds later by itself, after all were answered', async () => {
    await answerAll(recalling.begin(rows(2)), (fileId) => ({ ...ok(fileId), linkState: 'not-proven' }));
    expect([title(), recalling.deadIds.size]).toEqual(['2 not proven', 0]);
    recalling.hear([
      entry({ ...recalled, fileId: 1, dead: false, look: { answer: 'file' } }),
      entry({ ...recalled, fileId: 2 }),
    ]);
    expect([title(), [...recalling.deadIds]]).toEqual(['Link dead · 1 still answers', [2]]);
    recalling.hear([entry({ ...recalled, fileId: 1 })]);
    expect([title(), recalling.isSettled]).toEqual(['2 links dead · were public for 3 minutes', true]);
  });

  test.each<[string, (fileId: FileId) => DeleteResult, string, string[]]>([
    [
      'the service does not have: the others go on',
      (fileId) =>
        fileId === 1 ? { ...ok(fileId), deleted: false, linkState: null, error: missing } : ok(fileId),
      '5 links dead · 1 not recalled',
      ['There is no such file.'],
    ],
    [
      'cannot be asked now: the own ones are taken back later',
      (fileId) => ({ ...ok(fileId), deleted: false, linkState: null, error: offline, goesOn: fileId !== 6 }),
      '5 are taken back later · 1 not recalled',
      [
        ...Array.from({ length: 5 }, () => 'Taken back as soon as possible: The network is away.'),
        'The network is away.',
      ],
    ],
    [
      'of another machine are deleted, and not told to be dead',
      (fileId) => ({ ...ok(fileId), linkState: null }),
      '6 links recalled',
      [],
    ],
  ])('of six links that %s', async (_, answerOf, text, reasons) => {
    await answerAll(recalling.begin(rows(6)), answerOf);
    expect(title()).toBe(text);
    expect(recalling.of('later', 'failed').map((one) => recallReason(one, NOW_MS))).toEqual(reasons);
  });

  test('that fails names the error', async () => {
    await answerAll(recalling.begin(rows(1)), () => new Error('broken'));
    expect([title(), recalling.isRunning]).toEqual(['1 not recalled', false]);
  });

  test('with links of different ages shows the longest time, and nothing where one is unknown', async () => {
    await answerAll(recalling.begin([...rows(1, 2 * 86_400_000), ...rows(2).slice(1)]));
    expect(title()).toBe('2 links dead · were public for up to 2 days');
    recalling.close();
    await answerAll(recalling.begin(rows(2).map((one) => ({ ...one, uploadedAtMs: null }))));
    expect(title()).toBe('2 links dead');
  });

  test('accepts more links while it runs, each once', async () => {
    const first = recalling.begin(rows(6).slice(0, 5));
    await next();
    const second = recalling.begin(rows(6).slice(4));
    await vi.waitFor(() => expect(recalling.rows).toHaveLength(6));
    await answerAll(Promise.all([first, second]));
    expect([title(), ended]).toEqual(['6 links dead · were public for 3 minutes', 1]);
  });

  test('offers to clear the clipboard while it holds a dead link, and reports that it was cleared', async () => {
    says = { copied: [2], copy: 7 };
    await answerAll(recalling.begin(rows(2)));
    expect(recallMore(recalling)).toBe('2 downloads before · The clipboard still holds the links');
    await recalling.clearClipboard();
    expect(recallMore(recalling)).toBe('2 downloads before · Clipboard cleared');
    expect(clipboard).toEqual([
      [7, 'look'],
      [7, 'clear'],
    ]);
  });

  test('shows the results while the clipboard does not answer, and forgets its answer once it is closed', async () => {
    says = { copied: [1], copy: 7 };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    looks = promise;
    const done = recalling.begin(rows(1));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    asked[0]?.answer([ok(1)]);
    await vi.waitFor(() => expect([recalling.isSettled, ended]).toEqual([true, 1]));
    recalling.close();
    resolve(true);
    await done;
    expect(recalling.held).toBeNull();
  });

  test('does not mention a clipboard that by now holds something else, or a live link', async () => {
    says = { copied: [1], copy: 7 };
    holds = false;
    await answerAll(recalling.begin(rows(1)));
    expect(recalling.held).toBeNull();
    recalling.close();
    holds = true;
    await answerAll(recalling.begin(rows(1)), (fileId) => ({ ...ok(fileId), linkState: 'not-proven' }));
    expect(recalling.held).toBeNull();
  });
});

test('a recall ends with its account: neither an answer, a yes nor another try of it reaches the next one', async () => {
  const ending = recalling.begin(rows(2));
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  recalling.leaveAccount();
  expect([recalling.rows, recalling.isRunning]).toEqual([[], false]);
  asked[0]?.answer(new Error('The key is another one.'));
  await ending;
  await recalling.again();
  expect([recalling.answers, asked.length, ended]).toEqual([[], 1, 0]);
  const agreed = recalling.begin(rows(1));
  recalling.leaveAccount();
  expect([await agreed, asked.length]).toEqual([false, 1]);
});
