// What the app does with files and folders that it is given, before the engine hears of them.
import { expect, test, vi } from 'vitest';
import type { GivenPath } from '../../../../src-main/contract/answers.ts';
import { AppError, ownData, toWire } from '../../../../src-main/contract/errors.ts';
import type { UploadView } from '../../../../src-main/contract/model.ts';

const asked = { answers: { response: 0, checkboxChecked: false }, questions: 0 };
vi.mock('electron', () => ({
  dialog: { showMessageBox: async () => ((asked.questions += 1), asked.answers) },
}));
vi.resetModules();
const { createClient } = await import('../../../../src-main/contract/client.ts');
const { createGiving } = await import('../../../../src-main/shell/drop/giving.ts');

const upload = (path: string): UploadView => ({ id: path.length, path }) as UploadView;
const refusals: Record<string, AppError> = {
  '/gone': new AppError('gone', 'There is no such file.'),
  '/own': ownData('/own'),
  '/unreadable/odd': new AppError('bad-use', 'Not now.'),
};
const noRegularFile = new AppError('not-a-file', 'This is no regular file.');

const noFile = /^\/(link|special|unreadable|own)/;
const lies = (path: string) => {
  const type = path.endsWith('/') ? 'folder' : (noFile.exec(path)?.[1]?.replace('own', 'file') ?? 'file');
  return path === '/gone' ? null : { type, stamp: null, onlineOnly: false };
};
const walked = {
  paths: ['/a/1', '/gone'],
  leftOut: [{ why: 'hidden', count: 1, paths: ['/a/.x'] }],
  unreadable: [{ path: '/a/locked', message: 'no permission' }],
};
const open = (givenFolders: 'zip' | 'files' | 'ask', locked = false) => {
  const disk = { isFull: false };
  const saved: string[] = [];
  const calls: { name: string; input: unknown }[] = [];
  const followed: unknown[] = [];
  const giving = createGiving({
    files: {
      look: async (path) => lies(path),
      place: async (path) => ({ names: path === '/link' ? ['/link', '/b'] : [path] }),
    },
    client: createClient({
      async call(name, input) {
        calls.push({ name, input });
        const { paths = [] } = input as { paths?: string[] };
        if (disk.isFull) return { ok: false, error: toWire(new AppError('disk', 'The disk is full.')) };
        if (name === 'files.bundle' && paths[0] === '/late/')
          return { ok: false, error: toWire(new AppError('not-allowed', 'Not here.')) };
        const each = paths.map((path): GivenPath =>
          path === '/gone' || noFile.test(path)
            ? { path, upload: null, error: toWire(refusals[path] ?? noRegularFile) }
            : { path, upload: upload(path), error: null },
        );
        const answers: Record<string, unknown> = {
          'files.walk': walked,
          'files.upload': each,
          'files.bundle': { upload: upload('/zip'), leftOut: [{ path: '/a/b', why: 'hidden' }] },
          'queue.zip': upload('/burst'),
        };
        return { ok: true, answer: answers[name] };
      },
      listen: () => () => undefined,
    }),
    surface: {
      frame: () => null,
      say: () => () => '',
      attempt: (work) => void work().catch(() => saved.push('reported')),
    },
    settings: {
      current: () => ({ givenFolders }) as never,
      async set(_, way) {
        if (locked) throw new AppError('bad-setting', 'It is locked.');
        saved.push(way);
      },
    },
    canRecord: () => !disk.isFull,
    follow: (...given) => followed.push(given),
  });
  return { disk, calls, followed, giving, saved };
};

const wish = { again: true, expire: { afterMs: 60_000 }, door: 'tray' as const };

test('files keep their door, and what was asked of their links', async () => {
  const { calls, followed, giving } = open('zip');
  expect(await giving.upload({ paths: ['/a', '/bb'], ...wish })).toEqual([upload('/a'), upload('/bb')]);
  expect(calls).toEqual([{ name: 'files.upload', input: { paths: ['/a', '/bb'], ...wish } }]);
  expect(followed).toEqual([[[2, 3], [], false]]);
});

test('a folder that becomes a zip keeps what was asked of its link, and its links are followed with what is left out', async () => {
  const { calls, followed, giving } = open('zip');
  await giving.upload({ paths: ['/a/'], ...wish }, true);
  const { door: _, ...asked } = wish;
  expect(calls).toEqual([{ name: 'files.bundle', input: { paths: ['/a/'], packing: 1, ...asked } }]);
  expect(followed).toEqual([[[4], [{ path: '/a/b', why: 'hidden' }], true]]);
});

const named = (why: string, ...paths: string[]) => ({ why, count: paths.length, paths });

test('a folder whose files get a link each keeps their door, and what was asked of their links; its drop names each of its files that gets none', async () => {
  const { calls, followed, giving } = open('files');
  await giving.upload({ paths: ['/a/', '/gone'], ...wish });
  expect(calls).toEqual([
    { name: 'files.walk', input: { paths: ['/a/', '/gone'] } },
    { name: 'files.upload', input: { paths: ['/a/1', '/gone'], ...wish } },
  ]);
  const lost = [named('hidden', '/a/.x'), named('gone', '/gone'), named('unreadable', '/a/locked')];
  expect(followed).toEqual([[[4], lost, false]]);
});

test('a folder of which nothing can be uploaded asks for no upload', async () => {
  const { calls, followed, giving } = open('files');
  walked.paths = [];
  expect(await giving.upload({ paths: ['/a/'] })).toEqual([]);
  expect(calls.map(({ name }) => name)).toEqual(['files.walk']);
  expect(followed).toEqual([[[], [named('hidden', '/a/.x'), named('unreadable', '/a/locked')], false]]);
});

test.each([
  ['one link', 0, false, ['files.bundle'], []],
  ['one link, and always, which a policy forbids', 0, true, ['files.bundle'], ['reported']],
  ['a link for each file, and always', 1, true, ['files.walk'], ['files']],
  ['Cancel', 2, false, [], []],
  ['Cancel, with the box ticked', 2, true, [], []],
])('the answer to the question about a folder counts: %s', async (_, response, always, names, kept) => {
  asked.answers = { response, checkboxChecked: always };
  const { calls, giving, saved } = open('ask', kept[0] === 'reported');
  await giving.upload({ paths: ['/a/'] });
  expect(calls.map(({ name }) => name)).toEqual(names);
  expect(saved).toEqual(kept);
});

test('without a folder nothing is asked', async () => {
  asked.questions = 0;
  await open('ask').giving.upload({ paths: ['/a'] });
  expect(asked.questions).toBe(0);
});

test('the drop names what is no regular file, not there or our own, and where a symbolic link leads', async () => {
  const { followed, giving } = open('zip');
  await giving.upload({
    paths: ['/link', '/b', '/link2', '/special', '/gone', '/unreadable', '/unreadable/odd', '/own'],
  });
  const lost = [
    { ...named('link', '/link', '/link2'), targets: ['/b', null] },
    { ...named('special', '/special'), targets: [null] },
    named('gone', '/gone'),
    named('unreadable', '/unreadable', '/unreadable/odd'),
    { ...named('own', '/own'), targets: [null] },
  ];
  expect(followed).toEqual([[[2], lost, false]]);
});

test('files that were given too long ago are named in a drop, and none is uploaded', () => {
  const { calls, followed, giving } = open('zip');
  giving.late(['/a', '/b']);
  expect([calls, followed]).toEqual([[], [[[], [named('late', '/a', '/b')], false]]]);
});

test('the link of a held burst that becomes a zip is followed', async () => {
  const { calls, followed, giving } = open('zip');
  expect(await giving.zip({ asOfMs: 7 })).toEqual(upload('/burst'));
  expect(calls).toEqual([{ name: 'queue.zip', input: { asOfMs: 7 } }]);
  expect(followed).toEqual([[[6], [], false]]);
});

test('what is given while the records cannot be written has lines, and is given again in its order once they can', async () => {
  const { disk, calls, followed, giving, saved } = open('files');
  disk.isFull = true;
  expect(await giving.upload({ paths: ['/a', '/bb'], ...wish })).toEqual([]);
  await giving.upload({ paths: ['/ccc'] }, true);
  // A press on the line of the first: it waits last now, and once.
  await giving.upload({ paths: ['/a', '/bb'], ...wish });
  const line = (...paths: string[]) => [{ why: 'unrecorded', count: paths.length, paths }];
  expect(followed.splice(0)).toEqual([
    [[], line('/a', '/bb'), false],
    [[], line('/ccc'), true],
    [[], line('/a', '/bb'), false],
  ]);
  expect(giving.unrecorded()).toEqual([
    { files: ['/ccc'], isShare: true },
    { files: ['/a', '/bb'], isShare: false },
  ]);
  calls.length = 0;
  disk.isFull = false;
  giving.again();
  giving.again();
  await vi.waitFor(() => expect(followed).toHaveLength(2));
  expect(followed).toEqual([
    [[4], [], true],
    [[2, 3], [], false],
  ]);
  expect(calls.at(-1)?.input).toEqual({ paths: ['/a', '/bb'], ...wish });
  expect([giving.unrecorded(), saved]).toEqual([[], []]);
});

test('an error that is not about the records is reported, and nothing waits', async () => {
  const { giving } = open('zip');
  await expect(giving.upload({ paths: ['/late/'] })).rejects.toMatchObject({ code: 'not-allowed' });
  expect(giving.unrecorded()).toEqual([]);
});

test('what fails when it is given again is reported, and keeps none of the others', async () => {
  const { disk, followed, giving, saved } = open('zip');
  disk.isFull = true;
  for (const path of ['/a', '/late/', '/ccc']) await giving.upload({ paths: [path] });
  followed.length = 0;
  disk.isFull = false;
  giving.again();
  // What has not had its turn is still kept for the next start.
  expect(giving.unrecorded().map(({ files }) => files)).toEqual([['/a'], ['/late/'], ['/ccc']]);
  await vi.waitFor(() => expect(followed).toHaveLength(2));
  expect(followed).toEqual([
    [[2], [], false],
    [[4], [], false],
  ]);
  expect([giving.unrecorded(), saved]).toEqual([[], ['reported']]);
});
