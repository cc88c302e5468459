// The texts of a row of Files and of an empty queue.
import { beforeEach, expect, test, vi } from 'vitest';
import { liveLine, standstillOf } from '../../../src-main/contract/live.ts';
import type { UploadView, WaitReason } from '../../../src-main/contract/model.ts';
import { placeOf } from '../../../src-renderer/views/queue/held-text.ts';
import { emptyQueue } from '../../../src-renderer/words/empty-queue.ts';
import { bannerFor } from '../../../src-renderer/words/banner.ts';
import { foundText } from '../../../src-renderer/views/files/found-text.ts';
import { flightText } from '../../../src-renderer/views/files/flight-text.ts';
import * as show from '../../../src-renderer/words/show.ts';
import { sizeOf, tagOf, uploadedOf } from '../../../src-renderer/views/files/row-text.ts';
import { speak } from '../../../src-renderer/words/say.svelte.ts';
import { account, NOW_MS, row, status, upload } from '../../support/window/seed.ts';

// Another file of tests may have left another language.
beforeEach(async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await speak('en', ['en-US']);
  vi.unstubAllGlobals();
});

test('a size without a known unit is a dash, and dates have one form', () => {
  const theirs = { sizeIsBytes: false, size: 402_118, uploadedAtMs: null } as const;
  expect(sizeOf(row(1, 'a', theirs))).toBe('–');
  expect(sizeOf(row(1, 'a', { size: 48_900_000 }))).toBe('48.9 MB');
  const day = (uploadDate: string): string => uploadedOf(row(1, 'a', { ...theirs, uploadDate }), NOW_MS).text;
  expect([day('2026-11-02 09:14:55'), day('2026-11-02'), day('2025-11-02T09:14:55Z')]).toEqual([
    'Nov 2',
    'Nov 2',
    'Nov 2, 2025',
  ]);
  expect(day('some day or other')).toBe('some day …');
  const ours = row(1, 'a', { uploadedAtMs: new Date(2026, 10, 2, 9).getTime() });
  expect(uploadedOf(ours, NOW_MS).text).toBe('Nov 2');
});

test('a file of another account is said to be of one, and no end is promised that its key would have to keep', () => {
  const ends = { expiresAtMs: NOW_MS - 1 } as const;
  expect(tagOf(row(1, 'a', ends), NOW_MS)).toBe('expired, being taken back');
  expect(tagOf(row(1, 'a', { ...ends, place: 'other-account' }), NOW_MS)).toBe('in another account');
});

test('"Nothing is waiting" is shown only when no upload is kept back and each folder is there', () => {
  const title = (of: Parameters<typeof status>[0]): string => emptyQueue(status(of), NOW_MS, false).title;
  expect(title({})).toBe('Nothing is waiting');
  const closed = { kind: 'closed', reason: 'disk', untilMs: null, message: '', remedy: '' } as const;
  expect(title({ gate: closed })).toBe('Records cannot be written');
  expect(title({ paused: true })).toBe('Paused');
  expect(title({ folder: null, folders: [] })).toBe('No folder chosen');
  const [first] = status({}).folders;
  if (first === undefined) throw new Error('no folder');
  const away = { ...first, folder: '/mnt/usb', available: false };
  expect(title({ folders: [first, away] })).toBe('Folder missing');
});

test('a held zip names which of its files keeps it back, and the reason', () => {
  const inZip = { name: '.env', others: 0 };
  const text = (of: object): string =>
    placeOf({ state: { kind: 'held', reason: 'secret-name', inZip, ...of } });
  expect(text({})).toBe('Waits: .env looks like a secret.');
  const found = { reason: 'secret-content', rule: 'aws-key', line: 3 };
  expect(text(found)).toBe('Waits: .env looks like a secret.');
  expect(text({ ...found, inZip: { name: 'a.txt', others: 2 } })).toBe(
    'Waits: a.txt looks like a secret, and 2 more files in it are held too.',
  );
  expect(text({ reason: 'secret-content', rule: 'too-large' })).toContain('.env could not be searched');
  expect(text({ reason: 'location', removable: false })).toContain('.env shows, or may show, where');
});

test('a file that waits says for what: its own reason, or else what keeps every file back', () => {
  const text = (state: UploadView['state'], standstill: WaitReason | null): string =>
    flightText(upload(1, 'a.mp4', state, { expectedAtMs: null }), undefined, standstill, NOW_MS).text;
  expect(text({ kind: 'ready' }, null)).toBe('waiting');
  expect(text({ kind: 'ready' }, 'network')).toBe('the service cannot be reached');
  expect(text({ kind: 'ready' }, 'paused')).toBe('paused');
  expect(text({ kind: 'ready' }, 'key')).toBe('the service does not accept the API key');
  expect(text({ kind: 'waiting', reason: 'folder', untilMs: null }, 'network')).toBe('the folder is missing');
  const busy = { kind: 'uncertain', isBusy: true, attemptId: 1, looks: 0, nextLookAtMs: NOW_MS } as const;
  expect(text(busy, null)).toMatch(/^the service was busy.* · next check/);
  expect(text(busy, 'paused')).toMatch(/^the service was busy[^·]*$/);
});

const [ours, theirs] = [
  ['disk', 'audit', 'policy'],
  ['key', 'plan', 'moved', 'network', 'service', 'rate', 'budget', 'daily-uploads', 'limit', 'blocked'],
] as const;
test.each([...ours, ...theirs])(
  'rows, foot and banner agree whether a pause or "%s" is named first',
  (reason) => {
    const isFirst = ours.some((one) => one === reason);
    const gate = { kind: 'closed', reason, untilMs: NOW_MS, message: '', remedy: '' } as const;
    const paused = status({ gate, paused: true });
    expect(standstillOf(paused)?.reason).toBe(isFirst ? reason : 'paused');
    expect(liveLine(paused, NOW_MS, false).title.key).toBe(isFirst ? `gate.${reason}` : 'live.paused');
    expect(bannerFor(paused, account()) !== null).toBe(isFirst);
    expect(standstillOf({ ...paused, paused: false })?.reason).toBe(reason);
  },
);

test('a file that has to rest for a while is not described as changing: nobody may be writing to it', () => {
  const copied = upload(1, 'a.mp4', { kind: 'settling' });
  expect(flightText(copied, undefined, null, NOW_MS).text).toBe('checking that it is complete');
  expect(show.waitReason('settling')).toBe(
    'checking that it is complete and that no program is writing to it',
  );
});

test('the number of found files is shown with the total, or as a lower bound where they are not all counted', () => {
  const counts = { all: 20_000, ours: 0, elsewhere: 0, gone: 0 };
  const query = { search: 'a', place: 'all', folder: null, sort: 'match', descending: false } as const;
  const found = { counts, query, total: 1_000, matches: null };
  expect(foundText(found)).toBe('over 1,000 of 20,000');
  expect(foundText({ ...found, matches: { ...counts, all: 12 } })).toBe('12 of 20,000');
  expect(foundText({ ...found, counts: null, total: 20_000 })).toBe('20,000 files');
});

test('uploads that wait by themselves can be tried now: offline, an outage and a busy service', () => {
  for (const reason of ['network', 'service', 'rate'] as const) {
    const gate = { kind: 'closed', reason, untilMs: NOW_MS, message: '', remedy: '' } as const;
    expect(bannerFor(status({ gate }), account())).toMatchObject({ tone: 'calm', act: { do: 'try-now' } });
  }
});
