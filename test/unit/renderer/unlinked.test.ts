// Every file of a drop that gets no link says why, with what can be done: each case alone, and beside the others.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FilesAlike } from '../../../src-main/contract/answers.ts';
import type { SkipRule, UploadState, UploadView } from '../../../src-main/contract/model.ts';
import type { GivenGroup, LostFiles, LostWhy } from '../../../src-main/contract/window.ts';
import { linesOf } from '../../../src-renderer/views/given/unlinked.ts';
import { speak } from '../../../src-renderer/words/say.svelte.ts';
import { filesAlike } from '../../support/window/fake-answers.ts';
import { givenGroup, givenRow, lost } from '../../support/window/screen-seeds.ts';
import { upload } from '../../support/window/seed.ts';

beforeEach(async () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.useFakeTimers({ now: new Date(2026, 10, 29, 12) });
  await speak('en', ['en-US']);
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

/** Name, reason, words of the actions. */
type Shown = [string, string, ...string[]];
const most = 10_700_000_000;
const shown = (drop: Partial<GivenGroup>, alike: FilesAlike[] = []): Shown[] =>
  linesOf(alike, { ...givenGroup, rows: [], ...drop }, most).map(({ names, reason, acts }) => [
    names.join(', '),
    reason,
    ...acts.map(({ label }) => label),
  ]);

const anyway = 'Upload anyway';
/** Files that have no row. */
const lostCases: Record<LostWhy, Shown> = {
  hidden: ['a.txt', 'hidden', anyway],
  ignored: ['a.txt', 'matches an ignore pattern', anyway],
  partial: ['a.txt', 'unfinished download', anyway],
  temporary: ['a.txt', 'temporary', anyway],
  system: ['a.txt', 'in a system folder', anyway],
  own: ['a.txt', 'belongs to Outtray’s own data', 'Dismiss'],
  'online-only': ['a.txt', 'not on this disk', anyway],
  link: ['a.txt', 'is a link to talk/slides final.pdf', 'Upload that file'],
  renamed: [
    'a.txt',
    'was renamed to talk/slides final.pdf while it was on its way',
    'Upload talk/slides final.pdf',
  ],
  gone: ['a.txt', 'was deleted, moved or renamed before it was read', 'Choose again…'],
  late: ['a.txt', 'was given more than an hour before Outtray started', anyway],
  unreadable: ['a.txt', 'cannot be read', 'Retry'],
  unrecorded: ['a.txt', 'the disk with Outtray’s records cannot be written', 'Retry'],
  special: ['a.txt', 'not a regular file', 'Dismiss'],
  'too-deep': ['a.txt', 'nested too deeply, or its path is too long', 'Dismiss'],
};
const whys = Object.keys(lostCases) as LostWhy[];
const noUploads: readonly LostWhy[] = ['special', 'too-deep', 'own'];
const lostFiles = (why: LostWhy, ...of: [string[], number?, (string | null)?]): LostFiles => ({
  ...lost(why, ...of),
  ...(noUploads.includes(why) ? { token: null, uploads: 0 } : {}),
});
const lostOf = (why: LostWhy) =>
  lostFiles(why, ['/x/a.txt'], 1, why === 'link' || why === 'renamed' ? 'talk/slides final.pdf' : null);

const skip = (rule: SkipRule): UploadState => ({ kind: 'skipped', rule });
const fail = (code: string, message: string): UploadState => ({ kind: 'failed', code, message, remedy: '' });
const recordedCases: [UploadState, string, ...string[]][] = [
  [skip('empty'), 'empty', anyway],
  [skip('cancelled'), 'cancelled', 'Undo'],
  [skip('link'), 'symbolic link', 'Dismiss'],
  [skip('recalled'), 'its link was taken back', anyway],
  [
    { kind: 'held', reason: 'secret-name' },
    'looks like a secret · not public',
    'Keep private',
    'Make public…',
  ],
  [{ kind: 'held', reason: 'large' }, 'It is very large. It stays here until you agree.', 'Show'],
  [fail('too-large', ''), 'is over 10.7 GB · it is 11.3 GB', 'Dismiss'],
  [
    fail('refused', 'The service does not accept this type (415).'),
    'The service does not accept this type (415).',
    'Dismiss',
  ],
];
const recorded = (id: number, state: UploadState): UploadView =>
  upload(id, 'a.txt', state, { sizeBytes: 11_300_000_000 });

describe('a file of a drop that got no link says why, with one action', () => {
  test.each(whys)('without a row, alone: %s', (why) => {
    expect(shown({ lost: [lostOf(why)] })).toEqual([lostCases[why]]);
  });

  test.each(recordedCases)('with a row, alone: %j', (state, ...rest) => {
    expect(shown({ without: [1] }, filesAlike([recorded(1, state)]))).toEqual([['a.txt', ...rest]]);
  });

  test('all of them together: what needs the user, what was left out, what the user left out', () => {
    const uploads = recordedCases.map(([state], at) => recorded(at + 1, state));
    const together = shown(
      { lost: whys.map(lostOf), without: uploads.map(({ id }) => id) },
      filesAlike(uploads),
    );
    expect(together).toHaveLength(whys.length + recordedCases.length);
    for (const one of [
      ...whys.map((why) => lostCases[why]),
      ...recordedCases.map(([, ...rest]) => ['a.txt', ...rest]),
    ])
      expect(together).toContainEqual(one);
    const at = (reason: string): number => together.findIndex(([, why]) => why === reason);
    const order = [
      'looks like a secret · not public',
      'is over 10.7 GB · it is 11.3 GB',
      'hidden',
      'empty',
      'cancelled',
    ].map(at);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test('several with one reason share a line; of what is on its way again nothing is said', () => {
    const uploads = filesAlike([
      recorded(1, skip('empty')),
      recorded(2, skip('empty')),
      recorded(3, { kind: 'ready' }),
    ]);
    expect(shown({ lost: [lost('hidden', ['/x/a', '/x/b'])], without: [1, 2] }, uploads)).toEqual([
      ['/x/a, /x/b', 'hidden', anyway],
      ['a.txt, a.txt', 'empty', anyway],
    ]);
  });

  test('several symbolic links name what each leads to, and the action says how many it uploads', () => {
    const links = lost('link', ['/x/a', '/x/b'], 2, 'talk/final.pdf');
    expect(shown({ lost: [links] })).toEqual([
      ['/x/a → talk/final.pdf, /x/b → talk/final.pdf', 'symbolic link', 'Upload those files'],
    ]);
    const files = links.files.map((one, at) => (at === 1 ? { ...one, to: null } : one));
    expect(shown({ lost: [{ ...links, files, uploads: 1 }] })).toEqual([
      ['/x/a → talk/final.pdf, /x/b', 'symbolic link', 'Upload 1 of 2'],
    ]);
  });

  test.each(whys)('an action takes all files of its line, or says how many it takes: %s', (why) => {
    const files = lostFiles(why, ['/x/a', '/x/b'], 150, 'c');
    const actsOf = (of: LostFiles) => shown({ lost: [of] })[0]?.slice(2);
    const isUpload = ![...noUploads, 'gone'].includes(why);
    expect(JSON.stringify(actsOf(files))).not.toContain('of 150');
    if (isUpload) expect(actsOf({ ...files, uploads: 2 })).toEqual(['Upload 2 of 150']);
  });

  test('a symbolic link that leads to nothing offers nothing', () => {
    expect(shown({ lost: [{ ...lost('link', ['/x/a.txt']), token: null, uploads: 0 }] })).toEqual([
      ['a.txt', 'symbolic link', 'Dismiss'],
    ]);
  });

  test.each<[string, GivenGroup['rows'], Shown[]]>([
    [
      'one beside new links',
      [givenRow(1, 'a.txt', Date.UTC(2026, 10, 12, 12)), givenRow(2, 'b.txt'), givenRow(3, 'c.txt')],
      [['a.txt', 'shared since Nov 12 · its link is among the 3', 'Show']],
    ],
    [
      'two beside a new link',
      [givenRow(1, 'a.txt', 1), givenRow(2, 'b.txt', 1), givenRow(3, 'c.txt')],
      [['a.txt, b.txt', 'already shared · their links are among the 3', 'Show']],
    ],
    ['one alone, whose head says so', [givenRow(1, 'a.txt', 1)], []],
  ])('of what was shared before: %s', (_, rows, lines) => {
    expect(shown({ rows })).toEqual(lines);
  });

  test('"yet" is said of none', () => {
    expect(JSON.stringify([lostCases, recordedCases])).not.toMatch(/\byet\b/);
  });
});
