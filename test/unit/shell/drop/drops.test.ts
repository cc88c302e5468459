import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Entry } from '../../../../src-main/contract/entries.ts';
import type { GivenGroup, GivenRow } from '../../../../src-main/contract/window.ts';
import type { CopyMode } from '../../../../src-main/shell/rules-in-force.ts';
import type { Standing } from '../../../../src-main/shell/drop/drop.ts';

vi.mock('electron', () => ({ clipboard: {}, ClipboardItem: {} }));
// Other files of this run may have loaded these modules with their own stand-ins.
vi.resetModules();
const { AppError } = await import('../../../../src-main/contract/errors.ts');
const { createDrops } = await import('../../../../src-main/shell/drop/drops.ts');
const { otherContent } = await import('../../../../src-main/shell/clipboard/clipboard.ts');

let mode: CopyMode;
/** Of uploads in a folder with a rule of its own. */
let own: Map<number | null, CopyMode>;
let written: number[][];
let told: GivenGroup[];
let leftOut: (readonly string[])[];
let result: GivenGroup['copy'] | Error;
let quiet: (() => void) | null;
let ledger: Map<number, Standing>;
/** Where files are now that left. */
let moved: Map<number, string>;
let copies: ReturnType<typeof createDrops>;

const going: Standing = { isGoing: true, link: null };
const strange = { fault: 'new-host', address: 'https://cdn.example/1' } as const;
const without: Standing = { isGoing: false, link: null };
const asks: Standing = { ...without, needsYou: true };
const linked = (uploadId: number): Standing => ({
  isGoing: false,
  name: `${uploadId}.txt`,
  link: {
    uploadId,
    fileId: uploadId * 10,
    name: `${uploadId}.txt`,
    link: `https://x/${uploadId}`,
    uploadedAtMs: uploadId,
  },
});
const row = (uploadId: number, isNew: boolean): GivenRow => ({
  uploadId,
  fileId: uploadId * 10,
  name: `${uploadId}.txt`,
  link: `https://x/${uploadId}`,
  isNew,
  sharedAtMs: uploadId,
});

beforeEach(() => {
  mode = 'dropped';
  own = new Map();
  written = [];
  told = [];
  leftOut = [];
  result = 'done';
  quiet = null;
  ledger = new Map();
  moved = new Map();
  copies = createDrops({
    after: (_delayMs, act) => {
      quiet = act;
      return () => (quiet = null);
    },
    goesOn: () => false,
    mode: (id) => own.get(id) ?? mode,
    look: {
      isByHand: (id) => id >= 1000,
      account: () => 1,
      standing: (id) => ledger.get(id) ?? going,
      movedTo: async (id) => moved.get(id) ?? null,
    },
    async copy(ids) {
      written.push([...ids]);
      if (result instanceof Error) throw result;
      if (result === 'done' || result === 'unsure') {
        copies.hearClipboard({ uploadIds: ids, copy: 'later' });
        copies.hearClipboard({ uploadIds: ids, copy: result });
      }
      return result;
    },
    tell: { group: (group) => told.push(group), leftOut: (names) => leftOut.push(names) },
    tokenFor: (_, paths) => `token of ${paths.join(', ')}`,
  });
});

const entry = (uploadId: number, body: Entry['body']): Entry => ({
  seq: uploadId,
  atMs: 0,
  uploadId,
  path: '/x',
  body,
});

/** These have their links now. */
const upload = (...ids: number[]): void => {
  for (const id of ids) ledger.set(id, linked(id));
  copies.hear(
    ids.map((id) =>
      entry(id, {
        kind: 'uploaded',
        fileId: id * 10,
        publicLink: '',
        size: 1,
        filename: 'x',
        sha256: '',
        expiresAtMs: null,
      }),
    ),
  );
};
const end = (id: number, body: Entry['body'], standing = without): void => {
  ledger.set(id, standing);
  copies.hear([entry(id, body)]);
};
const failed = { kind: 'failed', code: 'refused', message: '', remedy: '' } as const;
const last = async (): Promise<GivenGroup | undefined> => {
  await Promise.resolve();
  await Promise.resolve();
  return told.at(-1);
};

test('the links of one drop are written once, in drop order, as soon as all are there; the window is sent the progress', async () => {
  copies.given([1, 2, 3]);
  expect(told.at(-1)).toMatchObject({ total: 3, going: 3, linked: 0, first: null, copy: 'later' });
  upload(3, 1);
  expect(written).toEqual([]);
  expect(told.at(-1)).toMatchObject({
    going: 1,
    goingIds: [2],
    linked: 2,
    uploadIds: [1, 3],
  });
  upload(2);
  expect(written).toEqual([[1, 2, 3]]);
  expect(copies.wereCopied([1, 2, 3])).toBe(true);
  expect(await last()).toEqual({
    id: 1,
    accountId: 1,
    total: 3,
    going: 0,
    goingIds: [],
    faces: [1, 2, 3].map((uploadId) => ({ uploadId, name: `${uploadId}.txt` })),
    linked: 3,
    uploadIds: [1, 2, 3],
    rows: [row(1, true), row(2, true), row(3, true)],
    first: { uploadId: 1, name: '1.txt', link: 'https://x/1', isOther: false },
    copy: 'done',
    lost: [],
    needYou: [],
    without: [],
  });
  quiet?.();
  expect(written).toHaveLength(1);
});

const lostFile = (path: string, to: string | null = null) => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  path,
  to,
});
/** What can be uploaded of a line. */
const offer = (...paths: string[]) => ({
  token: paths.length === 0 ? null : `token of ${paths.join(', ')}`,
  uploads: paths.length,
});

test('the window is sent what a zip leaves out, with its progress and with its link', async () => {
  const lost = [{ why: 'hidden' as const, count: 1, files: [lostFile('/x/.a')], ...offer('/x/.a') }];
  copies.given([1], [{ why: 'hidden', count: 1, paths: ['/x/.a'] }]);
  expect(told.at(-1)).toMatchObject({ going: 1, lost });
  upload(1);
  expect(await last()).toMatchObject({ going: 0, linked: 1, lost });
});

test('a drop of which nothing is uploaded is shown with what is left out of it', async () => {
  const paths = ['/x/latest', '/x/far', '/x/dead'];
  copies.given([], [{ why: 'link', count: 3, paths, targets: ['/x/talk/a.pdf', '/y/b.pdf', null] }]);
  const files = [lostFile('/x/latest', 'talk/a.pdf'), lostFile('/x/far', '/y/b.pdf'), lostFile('/x/dead')];
  const lost = [{ why: 'link', count: 3, files, ...offer('/x/talk/a.pdf', '/y/b.pdf') }];
  const shown = { total: 0, going: 0, linked: 0, copy: 'off', lost };
  expect(await last()).toMatchObject(shown);
  expect(leftOut).toEqual([['latest', 'far', 'dead']]);
  copies.given([], []);
  expect(await last()).toMatchObject(shown);
  expect(leftOut).toHaveLength(1);
});

test('of a file that left, its drop says whether it is there under another name', async () => {
  const gone = (path: string): Standing => ({ isGoing: false, link: null, isGone: true, path });
  moved.set(1, '/x/final.mp4');
  copies.given([1, 2, 3]);
  for (const id of [1, 2, 3]) ledger.set(id, gone(`/x/${id}.mp4`));
  copies.look();
  await vi.waitFor(() => expect(told.at(-1)?.lost).toHaveLength(2));
  expect(told.at(-1)?.lost).toEqual([
    { why: 'renamed', count: 1, files: [lostFile('/x/1.mp4', 'final.mp4')], ...offer('/x/final.mp4') },
    {
      why: 'gone',
      count: 2,
      files: [lostFile('/x/2.mp4'), lostFile('/x/3.mp4')],
      ...offer('/x/2.mp4', '/x/3.mp4'),
    },
  ]);
  expect(told.at(-1)).toMatchObject({ total: 3, going: 0, without: [] });
});

test('files that are lost for one reason share a line, wherever that was noticed; renamed files have one each', async () => {
  const dead = { why: 'link' as const, count: 1, paths: ['/x/dead'], targets: [null] };
  const many = Array.from({ length: 99 }, (_, at) => `/x/hidden ${at}`);
  for (const [id, name] of [
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ] as const)
    ledger.set(id, { isGoing: false, link: null, isGone: true, path: `/x/${name}` });
  moved.set(2, '/x/b2').set(3, '/x/c2');
  copies.given(
    [1, 2, 3],
    [
      { why: 'link', count: 1, paths: ['/x/latest'], targets: ['/x/a.pdf'] },
      { why: 'hidden', count: 99, paths: many },
      { why: 'gone', count: 1, paths: ['/x/before'] },
      dead,
      { why: 'hidden', count: 2, paths: ['/y/.a', '/y/.b'] },
    ],
  );
  await vi.waitFor(() => expect(told.at(-1)?.lost).toHaveLength(5));
  const named = [...many, '/y/.a'].map((path) => lostFile(path));
  expect(told.at(-1)?.lost).toEqual([
    {
      why: 'link',
      count: 2,
      files: [lostFile('/x/latest', 'a.pdf'), lostFile('/x/dead')],
      ...offer('/x/a.pdf'),
    },
    // The first hundred are named; the action is for all.
    { why: 'hidden', count: 101, files: named, ...offer(...many, '/y/.a', '/y/.b') },
    {
      why: 'gone',
      count: 2,
      files: [lostFile('/x/before'), lostFile('/x/a')],
      ...offer('/x/before', '/x/a'),
    },
    { why: 'renamed', count: 1, files: [lostFile('/x/b', 'b2')], ...offer('/x/b2') },
    { why: 'renamed', count: 1, files: [lostFile('/x/c', 'c2')], ...offer('/x/c2') },
  ]);
});

test('each link of a drop has its own name, and files shared before are distinguished from new ones', async () => {
  ledger.set(1, linked(1));
  copies.given([1, 2, 3]);
  expect(told.at(-1)?.rows).toEqual([row(1, false)]);
  upload(2);
  end(3, { kind: 'skipped', rule: 'already-shared', sameAsId: 2 }, linked(2));
  // The third has the link that the second brought.
  expect((await last())?.rows).toEqual([row(1, false), row(2, true)]);
});

test('a link that was taken back, or is gone, is neither copied nor shown with its drop, before and after its end', async () => {
  const recalled = {
    kind: 'recalled',
    publicLink: '',
    publicSeconds: 1,
    downloads: null,
    dead: true,
  } as const;
  copies.given([1, 2, 3, 4]);
  upload(1, 2);
  end(2, { ...recalled, fileId: 20 });
  expect(told.at(-1)).toMatchObject({ going: 2, linked: 1, rows: [row(1, true)] });
  // The third has the link of the first.
  end(3, { kind: 'skipped', rule: 'already-shared', sameAsId: 1 }, linked(1));
  upload(4);
  expect(written).toEqual([[1, 3, 4]]);
  expect(await last()).toMatchObject({ linked: 3, copy: 'done', without: [2] });
  ledger.set(3, without);
  end(1, { kind: 'lost', fileId: 10 });
  expect(await last()).toMatchObject({ linked: 1, rows: [row(4, true)], copy: 'done' });
  expect(written).toHaveLength(1);
});

test('all files of a large drop can be cancelled', () => {
  const ids = Array.from({ length: 5_001 }, (_, at) => at + 1);
  copies.given(ids);
  expect(told.at(-1)).toMatchObject({ going: 5_001, goingIds: ids });
});

test('two drops are two writes: the small one does not wait for the large one', () => {
  copies.given([1, 2]);
  copies.given([3]);
  upload(3);
  expect(written).toEqual([[3]]);
  upload(1, 2);
  expect(written).toEqual([[3], [1, 2]]);
});

test('an already shared file of the drop has its link copied, a failed one is not waited for', async () => {
  copies.given([1, 2]);
  end(1, { kind: 'skipped', rule: 'already-shared', sameAsId: 7 }, linked(7));
  end(2, failed);
  expect(written).toEqual([[1]]);
  // What was shared before is not recalled with the group.
  expect(await last()).toMatchObject({
    total: 2,
    linked: 1,
    rows: [row(7, false)],
    first: { isOther: true },
  });
});

test('a file that already has its link is copied at once, though nothing happens to it', async () => {
  ledger.set(5, linked(5));
  copies.given([5]);
  expect(written).toEqual([[5]]);
  expect(await last()).toMatchObject({
    linked: 1,
    rows: [row(5, false)],
    first: { uploadId: 5, isOther: false },
    copy: 'done',
  });
});

test('a file that was skipped or cancelled in the folder is copied when it is given by path', () => {
  end(4, { kind: 'skipped', rule: 'cancelled' });
  ledger.set(4, going);
  copies.given([4]);
  upload(4);
  expect(written).toEqual([[4]]);
});

test('a file that became part of another row, which no entry reports, is copied with its drop', () => {
  copies.given([1, 2]);
  upload(1);
  ledger.set(2, linked(7));
  copies.look();
  expect(written).toEqual([[1, 2]]);
});

test('a file that fails and is uploaded later is copied then', () => {
  copies.given([1]);
  end(1, failed);
  expect(told.at(-1)).toMatchObject({ total: 1, going: 0, linked: 0, copy: 'off' });
  ledger.set(1, going);
  upload(1);
  quiet?.();
  expect(written).toEqual([[1]]);
});

test('a link from the folder is not copied, unless the setting is always', () => {
  upload(5);
  quiet?.();
  expect(written).toEqual([]);
  mode = 'always';
  upload(6);
  quiet?.();
  expect(written).toEqual([[6]]);
});

test('a file that was dropped before the last start is copied too', () => {
  upload(1000);
  quiet?.();
  expect(written).toEqual([[1000]]);
});

test('a file that was uploaded before its drop was registered is written with its drop, once', () => {
  upload(1000);
  copies.given([1000, 1001]);
  quiet?.();
  upload(1001);
  expect(written).toEqual([[1000, 1001]]);
});

test('a file that is left out is named; brought back, it belongs to its drop again', async () => {
  copies.given([1, 2]);
  upload(1);
  end(2, { kind: 'skipped', rule: 'cancelled' });
  expect(await last()).toMatchObject({ linked: 1, without: [2], copy: 'done' });
  ledger.set(2, going);
  copies.look();
  expect(await last()).toMatchObject({ going: 1, without: [], copy: 'later' });
  upload(2);
  expect(await last()).toMatchObject({ going: 0, linked: 2, without: [], copy: 'done' });
  expect(written).toEqual([[1], [1, 2]]);
});

test('what is left out of a large drop belongs to it again when it is brought back, and answers count, in steps', async () => {
  const many = Array.from({ length: 350 }, (_, at) => at + 1);
  copies.given(many);
  for (const id of many) ledger.set(id, id > 345 ? asks : without);
  copies.hear(many.map((id) => entry(id, failed)));
  expect(await last()).toMatchObject({ going: 0, needYou: [346, 347, 348, 349, 350] });
  for (const id of [340, 341]) ledger.set(id, going);
  ledger.set(350, without);
  copies.look();
  for (let step = 0; step < 8; step += 1) {
    quiet?.();
    if (step === 0) copies.look();
  }
  expect(await last()).toMatchObject({ going: 2, needYou: [346, 347, 348, 349] });
});

test('with never nothing is copied, and the window still receives the links', async () => {
  mode = 'never';
  copies.given([1]);
  upload(1);
  quiet?.();
  expect(written).toEqual([]);
  expect(await last()).toMatchObject({ going: 0, linked: 1, copy: 'off' });
  mode = 'forbidden';
  copies.given([2]);
  upload(2);
  expect(await last()).toMatchObject({ going: 0, linked: 1, copy: 'forbidden' });
});

test.each<[string, GivenGroup['copy'] | Error, GivenGroup['copy']]>([
  ['unsure', 'unsure', 'unsure'],
  ['on a new host', strange, strange],
  ['refused', new Error('no'), 'refused'],
  ['forbidden', new AppError('not-allowed', 'No.'), 'forbidden'],
])('links that are %s are not reported as copied', async (_name, given, copy) => {
  result = given;
  copies.given([1]);
  upload(1);
  expect(await last()).toMatchObject({ copy });
  expect(copies.wereCopied([1])).toBe(false);
  expect(copies.wereCopied([])).toBe(false);
});

describe('what is said of the clipboard follows it', () => {
  test('whatever else is written to it, from any door', async () => {
    copies.given([1, 2]);
    upload(1, 2);
    expect(await last()).toMatchObject({ copy: 'done' });
    copies.hearClipboard({ uploadIds: [1], copy: 'later' });
    expect(told.at(-1)).toMatchObject({ copy: 'off' });
    copies.hearClipboard({ uploadIds: [1], copy: 'done' });
    expect([told.at(-1)?.copy, copies.wereCopied([1, 2]), copies.wereCopied([1])]).toEqual([
      'off',
      false,
      true,
    ]);
    copies.hearClipboard({ uploadIds: [2, 1], copy: 'later' });
    expect(told.at(-1)).toMatchObject({ copy: 'off' });
    copies.hearClipboard({ uploadIds: [2, 1], copy: 'done' });
    expect(told.at(-1)).toMatchObject({ copy: 'done' });
    copies.hearClipboard(otherContent);
    expect(told.at(-1)).toMatchObject({ copy: 'off' });
  });

  test('when links that were not copied by themselves are copied by hand, and a question is answered later', async () => {
    result = strange;
    copies.given([1, 2]);
    end(2, failed, asks);
    upload(1);
    expect(await last()).toMatchObject({ copy: strange, needYou: [2] });
    copies.hearClipboard(otherContent);
    expect(told.at(-1)).toMatchObject({ copy: strange });
    copies.hearClipboard({ uploadIds: [1], copy: 'done' });
    expect(told.at(-1)).toMatchObject({ copy: 'done' });
    end(2, { kind: 'skipped', rule: 'cancelled' });
    expect(told.at(-1)).toMatchObject({ copy: 'done', needYou: [] });
  });
});

test('among files that finish together only those are copied whose folder requests it', () => {
  own = new Map([
    [1, 'always'],
    [2, 'never'],
  ]);
  upload(1, 2, 3);
  quiet?.();
  expect(written).toEqual([[1]]);

  // The same with files that are given by path: the folder where they lie decides.
  own.set(1000, 'never');
  upload(1000, 1001);
  quiet?.();
  expect(written).toEqual([[1], [1001]]);
});

test('the window is sent which files wait for the user, and the answers, also of an older drop, which is not copied again', async () => {
  copies.given([1, 2]);
  end(2, failed, asks);
  expect(told.at(-1)).toMatchObject({ going: 1, needYou: [2] });
  upload(1);
  expect(await last()).toMatchObject({ linked: 1, needYou: [2], copy: 'done' });
  end(2, { kind: 'skipped', rule: 'cancelled' });
  expect(await last()).toMatchObject({ linked: 1, needYou: [], copy: 'done' });
  ledger.set(2, asks);
  copies.look();
  expect(await last()).toMatchObject({ needYou: [2] });
  copies.given([3]);
  upload(3);
  expect(await last()).toMatchObject({ id: 2, copy: 'done' });
  end(2, { kind: 'skipped', rule: 'cancelled' });
  expect(await last()).toMatchObject({ id: 1, needYou: [], copy: 'off' });
  expect(written).toEqual([[1], [3]]);
});
