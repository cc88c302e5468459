// The card with the links of given files: which one is shown, how long, and in which words.
import { beforeEach, describe, expect, test } from 'vitest';
import type { GivenGroup } from '../../../src-main/contract/window.ts';
import { createSpeech } from '../../../src-main/shell/texts.ts';
import { Given, sentShare } from '../../../src-renderer/state/given.svelte.ts';
import { nextPaces, noPaces } from '../../../src-renderer/state/pace.ts';
import { givenGroup, givenRow, lost } from '../../support/window/screen-seeds.ts';
import { given, givenText, onTheWay, packedShare, packing } from '../../../src-renderer/words/given.ts';

const { say } = createSpeech('en', []);

const group = (change: Partial<GivenGroup> = {}): GivenGroup => ({
  ...givenGroup,
  rows: [givenRow(10, 'a.txt')],
  first: { uploadId: 1, name: 'a.txt', link: 'https://files.example.com/d/2l13', isOther: false },
  ...change,
});

let cards: Given;
let isElsewhere: boolean;
let isLow: boolean;
beforeEach(() => {
  [isElsewhere, isLow] = [false, false];
  cards = new Given({ isAway: () => isElsewhere, isLow: () => isLow });
});

test('the card of a finished group becomes its line at the next action, and stays until it is closed or another drop comes', () => {
  cards.hear(group({ going: 15, linked: 0, copy: 'later' }));
  cards.retire();
  expect(cards.isFolded).toBe(false);
  cards.hear(group({ lost: [lost('link', ['/latest'])] }));
  cards.retire();
  expect(cards).toMatchObject({ shown: { id: 1 }, isFolded: true });
  cards.hear(group({ copy: 'off' }));
  expect(cards).toMatchObject({ shown: { id: 1, copy: 'off' }, isFolded: true });
  cards.hear(group({ id: 2, going: 3, copy: 'later' }));
  expect(cards.cards).toMatchObject([{ id: 2 }]);
  expect(cards.isFolded).toBe(false);
});

test.each([
  ['here', null, false],
  ['here', true, true],
  ['in a low window', null, true],
  ['in a low window', false, false],
  ['under another view', null, true],
  ['under another view', false, true],
])(
  'a card %s, folded by the user: %j, has no line for a file and closes by Escape: %j',
  (where, folded, isLine) => {
    isElsewhere = where === 'under another view';
    isLow = where === 'in a low window';
    cards.hear(group({ without: [3] }));
    cards.folded = folded;
    expect(cards.names([3])).toBe(!isLine);
    cards.foldOrDismiss();
    expect(cards.shown === null).toBe(isLine);
  },
);

test('a card that went away stays away when one of its questions is answered later', () => {
  cards.hear(group({ needYou: [3] }));
  cards.dismiss();
  cards.hear(group());
  expect(cards.shown).toBeNull();
});

test('the newest drop is shown at once, whatever is ready or becomes ready before it; those on their way have a line', () => {
  cards.hear(group({ id: 1, going: 9, copy: 'later' }));
  cards.hear(group({ id: 2 }));
  expect(cards.cards.map(({ id }) => id)).toEqual([2, 1]);
  cards.hear(group({ id: 3, going: 3, copy: 'later' }));
  expect(cards.cards.map(({ id }) => id)).toEqual([3, 1]);
  cards.hear(group({ id: 1, going: 8, copy: 'later' }));
  cards.hear(group({ id: 1 }));
  expect(cards.cards).toMatchObject([
    { id: 3, going: 3 },
    { id: 1, going: 0 },
  ]);
  cards.unfold(1);
  expect(cards.cards.map(({ id }) => id)).toEqual([1, 3]);
  cards.hear(group({ id: 3 }));
  expect(cards.cards.map(({ id }) => id)).toEqual([3]);
});

test('an older drop with an open question stays as a line until it is answered', () => {
  cards.hear(group({ id: 1, needYou: [3] }));
  cards.hear(group({ id: 2, going: 3, copy: 'later' }));
  cards.hear(group({ id: 2 }));
  expect(cards.cards.map(({ id }) => id)).toEqual([2, 1]);
  cards.hear(group({ id: 1, copy: 'off' }));
  expect(cards.cards.map(({ id }) => id)).toEqual([2]);
});

test('the end of an older drop closes no newer card', () => {
  cards.hear(group({ id: 1, going: 9, copy: 'later' }));
  cards.hear(group({ id: 2 }));
  cards.hear(group({ id: 1 }));
  expect(cards.cards.map(({ id }) => id)).toEqual([2, 1]);
  cards.dismiss(2);
  expect(cards.cards.map(({ id }) => id)).toEqual([1]);
  cards.hear(group({ id: 3 }));
  expect(cards.cards.map(({ id }) => id)).toEqual([3]);
});

test('news of a newer card closes no line of an older drop, and the news of a line does not close it', () => {
  cards.hear(group({ id: 1, going: 9, copy: 'later' }));
  cards.hear(group({ id: 2 }));
  cards.hear(group({ id: 1 }));
  cards.hear(group({ id: 2, copy: 'off' }));
  cards.hear(group({ id: 1, copy: 'off' }));
  expect(cards.cards.map(({ id }) => id)).toEqual([2, 1]);
});

test.each([
  ['the older', [10], [2]],
  ['the newer', [20], [1]],
  ['both', [10, 20], []],
  ['neither', [30], [2, 1]],
])('of two ready drops, links of %s are deleted: that card closes', (_, fileIds, left) => {
  cards.hear(group({ id: 1, needYou: [3] }));
  cards.hear(group({ id: 2, rows: [givenRow(20, 'b.txt')] }));
  cards.deleted(fileIds);
  expect(cards.cards.map(({ id }) => id)).toEqual(left);
  expect(cards.folded).toBe(left.length === 2 ? true : null);
});

test('each drop is announced once, whichever changes again, and in whatever order', () => {
  const ids = [2, 1, 2, 1, 3, 2];
  expect(ids.map((id) => cards.isNews(group({ id })))).toEqual([true, true, false, false, true, false]);
});

test('a large drop is shown again when the card of a small one is closed', () => {
  cards.hear(group({ id: 1, going: 9, copy: 'later' }));
  cards.hear(group({ id: 2 }));
  cards.dismiss();
  expect(cards.shown).toMatchObject({ id: 1, going: 9 });
});

test('a drop whose card was closed has one again when a file of it is brought back', () => {
  cards.hear(group());
  cards.dismiss();
  cards.hear(group({ needYou: [3] }));
  expect(cards.shown).toBe(null);
  cards.hear(group({ going: 1, copy: 'later' }));
  expect(cards.shown).toMatchObject({ id: 1, going: 1 });
  cards.hear(group());
  expect(cards.shown).toMatchObject({ id: 1, going: 0 });
});

test.each<[Partial<GivenGroup>, string]>([
  [{}, '15 links copied'],
  [{ copy: 'off' }, '15 links ready'],
  [{ linked: 14 }, '14 links copied. 1 file has no link'],
  [{ linked: 0, first: null, copy: 'off' }, '15 files have no link'],
  [
    {
      total: 0,
      linked: 0,
      first: null,
      copy: 'off',
      lost: [lost('link', ['/latest'])],
    },
    '1 file has no link',
  ],
  [{ linked: 13, needYou: [3, 4] }, '13 links copied. 2 need you'],
  [{ total: 2, linked: 0, first: null, copy: 'off', needYou: [3, 4] }, 'No link: 2 need you'],
  [{ copy: 'unsure' }, say('do.copyUnsure')],
  [{ copy: 'refused' }, '15 links ready · the system does not let Outtray write the clipboard'],
  [
    {
      copy: { fault: 'new-host', address: 'http://cdn.example.net:8080/d/1' },
    },
    'These links point to cdn.example.net:8080 · new to Outtray, not encrypted',
  ],
  [
    {
      total: 1,
      linked: 1,
      rows: [],
      copy: { fault: 'new-host', address: 'https://cdn.example.net/d/1' },
    },
    'Already shared. This link points to cdn.example.net · new to Outtray',
  ],
  [{ copy: 'forbidden' }, '15 links ready · a policy or a setting forbids copying'],
  [
    { copy: { fault: 'not-encrypted', address: 'http://files.example.net/d/1' } },
    'These links point to files.example.net and are not encrypted · not copied',
  ],
  [{ copy: { fault: 'unusable', address: 'https:///' } }, 'The service answered with no usable link'],
  [{ total: 1, linked: 1, rows: [] }, 'Already shared. Link copied.'],
  [{ total: 1, linked: 1, rows: [], copy: 'off' }, 'Already shared.'],
  [{ total: 2, linked: 2, rows: [] }, 'Already shared. 2 links copied.'],
  [
    {
      total: 1,
      linked: 1,
      rows: [],
      first: { uploadId: 7, name: 'dataset 2026.parquet', link: 'https://x/d/1', isOther: true },
    },
    'Already shared as dataset 2026.parquet. Link copied.',
  ],
])('%j is worded “%s”', (change, text) => {
  expect(givenText(say, group(change))).toBe(text);
});

test.each<[Partial<GivenGroup>, Parameters<typeof onTheWay>[2], [string, string]]>([
  [
    { going: 8, linked: 7, copy: 'later' },
    { others: 0, takes: 'about 20 s', done: 'all done about 19:30' },
    ['15 files · 7 ready · about 20 s', 'Copied when all are ready'],
  ],
  [
    { going: 15, linked: 0, copy: 'later' },
    { others: 60, takes: null, done: 'all done about 19:30' },
    ['15 files', 'Copied when all are ready · 60 more on their way · all done about 19:30'],
  ],
  // Nothing is copied by itself, and something holds everything back.
  [{ going: 15, linked: 0, copy: 'off' }, { others: 0, takes: null, done: null }, ['15 files', '']],
])('%j on the way, %j, is worded %j', (change, rest, [title, more]) => {
  expect(onTheWay(say, group(change), rest)).toEqual({ title, more });
});

test('progress is that of the run: files that are done, and the parts of those on their way; not full before the end', () => {
  const paces = nextPaces(noPaces, [{ uploadId: 4, path: '/x', sentBytes: 20, totalBytes: 50 }], 0);
  expect(sentShare(group({ total: 4, goingIds: [4, 5] }), paces)).toBe(0.6);
  const sent = nextPaces(paces, [{ uploadId: 4, path: '/x', sentBytes: 0, totalBytes: 0 }], 1);
  expect(sentShare(group({ total: 4, goingIds: [4] }), sent)).toBe(0.99);
});

test('the name in the sentence is a separate piece, so that nothing in it changes the sentence', () => {
  const first = { uploadId: 7, name: 'a\u202e.txt', link: 'https://x/d/1', isOther: true };
  expect(given(say, group({ total: 1, linked: 1, rows: [], first })).title).toContainEqual({
    text: 'a\u202e.txt',
    name: true,
  });
});

describe('a zip', () => {
  const zip = { id: 1, name: 'a {b}.zip', files: 120, totalFiles: 300, bytes: 40, totalBytes: 100 };

  test('reports its progress, by its bytes, as soon as its files are counted', () => {
    const { title, far } = packing(say, zip, '40 %');
    expect(title.map(({ text }) => text).join('')).toBe('Packing a {b}.zip');
    expect(title.find(({ name }) => name)?.text).toBe(zip.name);
    expect([far, packedShare(zip)]).toEqual(['120 of 300 files · 40 %', 0.4]);
    const early = { ...zip, files: 0, totalFiles: 0, bytes: 0, totalBytes: 0 };
    expect([packing(say, early, '0 %').far, packedShare(early)]).toEqual([null, null]);
  });

  test('of empty files is measured by its files, and never exceeds the whole', () => {
    expect(packedShare({ ...zip, bytes: 0, totalBytes: 0 })).toBe(0.4);
    expect(packedShare({ ...zip, bytes: 101 })).toBe(1);
  });
});
