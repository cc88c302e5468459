import { expect, test, vi } from 'vitest';
import { noReviewCounts, type CopyLink, type ReviewFinding } from '../../../src-main/contract/report.ts';
import {
  groupFindings,
  stateOfCopy,
  openLinks,
  ReviewList,
  rowsOf,
  rowsOfLinks,
} from '../../../src-renderer/state/review.svelte.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';

const link = {
  uploadId: 1,
  fileId: 11,
  path: '/tray/a.txt',
  name: 'a.txt',
  publicLink: 'https://files.example.com/d/a',
  sizeBytes: 3,
  uploadedAtMs: 0,
  expiresAtMs: null,
  linkState: null,
  sha256: 'f'.repeat(64),
};
const finding = (kind: ReviewFinding['kind'], id: number, does: 'recall' | 'remove'): ReviewFinding => ({
  kind,
  link: { ...link, uploadId: id, fileId: id },
  sinceMs: null,
  remedy: { do: does, fileId: id },
});
const full: ReviewFinding = {
  kind: 'daily-uploads',
  link: null,
  sinceMs: null,
  used: { uploads: 9, limit: 10 },
  remedy: { do: 'pause' },
};

test('findings are grouped, and those with a common remedy can have it together', () => {
  const findings = [
    finding('old', 1, 'recall'),
    finding('old', 2, 'recall'),
    finding('dead', 3, 'recall'),
    finding('dead', 4, 'remove'),
    finding('never-downloaded', 1, 'recall'),
    full,
  ];
  const counts = { ...noReviewCounts, old: 7, dead: 2, 'never-downloaded': 1, 'daily-uploads': 1 };
  const groups = groupFindings({ findings, counts, asOfMs: null });
  expect(groups.map(({ kind, total, findings: listed, all }) => [kind, total, listed.length, all])).toEqual([
    ['dead', 2, 2, null],
    ['never-downloaded', 1, 1, null],
    ['old', 7, 2, 'recall'],
    ['daily-uploads', 1, 1, null],
  ]);
  const comparing = { do: 'compare', fileId: 1 } as const;
  const twice = [1, 2].map((id) => ({ ...finding('duplicate', id, 'recall'), remedy: comparing }));
  expect(groupFindings({ findings: twice, counts, asOfMs: null })[0]?.all).toBeNull();
  expect(rowsOf([full, ...findings.slice(0, 1)])).toEqual([
    { fileId: 1, name: 'a.txt', place: 'this-machine' },
  ]);
});

const exposed = (change: Partial<CopyLink>): CopyLink => ({
  uploadId: 1,
  fileId: 11,
  path: '/tray/a.txt',
  filename: 'a.txt',
  sha256: 'f'.repeat(64),
  publicLink: 'https://files.example.com/d/a',
  inside: null,
  fromMs: 0,
  untilMs: null,
  downloads: null,
  alive: true,
  linkState: null,
  ...change,
});

test('a link that only the list ended is still checked by a recall of all, one that is proven dead is not', () => {
  const links = [
    exposed({}),
    exposed({ fileId: 12, alive: null, linkState: 'answers' }),
    exposed({ fileId: 13, alive: false, untilMs: 1 }),
    exposed({ fileId: 13, alive: false, untilMs: 1, inside: 'b.zip' }),
    exposed({ alive: false, untilMs: 1, linkState: 'dead' }),
    exposed({ fileId: null }),
  ];
  expect(links.map(stateOfCopy)).toEqual(['alive', 'answers', 'ended', 'ended', 'dead', 'alive']);
  const of = { sha256: 'f'.repeat(64), links, uncertain: [], asOfMs: null };
  expect(openLinks(of)).toHaveLength(3);
});

test('each remedy sends its call to the engine, and the review is read again after a change', async () => {
  vi.useFakeTimers();
  try {
    const transport = createFakeTransport();
    const session = new Session(transport);
    const review = new ReviewList(session);
    const undo = review.follow();
    await vi.advanceTimersByTimeAsync(0);
    const names = (): string[] => transport.calls.map(({ name }) => name);
    expect(names()).toEqual(['report.review']);
    session.happened();
    session.happened();
    await vi.advanceTimersByTimeAsync(600);
    expect(names()).toEqual(['report.review', 'report.review']);
    transport.calls.length = 0;
    await review.remove([finding('dead', 4, 'remove'), full]);
    await review.uploadAgain(finding('expiring', 4, 'recall'));
    await review.zip(finding('largest-file', 4, 'recall'));
    await review.pause();
    expect(
      transport.calls.filter(({ name }) => !['report.review', 'app.status'].includes(name)),
    ).toMatchObject([
      { name: 'files.remove', input: { fileIds: [4] } },
      { name: 'files.upload', input: { paths: ['row-4'], again: true } },
      { name: 'files.bundle', input: { paths: ['row-4'] } },
      { name: 'queue.pause' },
    ]);
    undo();
    transport.calls.length = 0;
    session.happened();
    await vi.advanceTimersByTimeAsync(600);
    expect(names()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('the rows of a content’s links have the public name, and since when', () => {
  const links = [exposed({}), exposed({ fileId: 12, inside: 'b.zip', downloads: 4 })];
  const open = openLinks({ sha256: 'f'.repeat(64), links, uncertain: [], asOfMs: null });
  expect(rowsOfLinks(open)).toEqual([
    { fileId: 11, name: 'a.txt', place: 'this-machine', uploadedAtMs: 0, downloads: 0 },
    { fileId: 12, name: 'b.zip', place: 'this-machine', uploadedAtMs: 0, downloads: 4 },
  ]);
});
