// What `upload` and `watch` print for each entry of the ledger.
import { expect, test } from 'vitest';
import type { EntryBody, EntryKind } from '../../../../src-main/contract/entries.ts';
import { eventOf, progressEvent } from '../../../../src-main/engine/state/event-json.ts';
import { openMemoryLedger } from '../../../support/memory-ledger.ts';

const at = '1970-01-01T00:00:10.000Z';
const later = '1970-01-01T00:01:00.000Z';
const link = 'https://files.example/8';
const sha256 = 'a'.repeat(64);
const ofFile = { fileId: 8, publicLink: link };
const linked = { file_id: 8, public_link: link };
const noLink = { file_id: null, public_link: null };

type Case = [body: EntryBody, event: object | null];

/** By kind: what happened, and the fields that its event has beside those of the file. Null: nothing is printed. */
const cases: Record<EntryKind, Case[]> = {
  queued: [
    [
      { kind: 'queued', sizeBytes: 5 },
      { event: 'queued', sizeBytes: 5, ...noLink },
    ],
  ],
  uploading: [[{ kind: 'uploading' }, { event: 'uploading', ...noLink }]],
  uploaded: [
    [
      { kind: 'uploaded', ...ofFile, size: 6, filename: 'b.txt', sha256, expiresAtMs: 60_000 },
      { event: 'uploaded', ...linked, new: true, size: 6, filename: 'b.txt', sha256, expiresAt: later },
    ],
    [
      {
        kind: 'uploaded',
        ...ofFile,
        size: 6,
        filename: 'b.txt',
        sha256,
        expiresAtMs: null,
        wasThere: true,
        withoutLocation: true,
      },
      { event: 'uploaded', new: false, withoutLocation: true, expiresAt: null },
    ],
  ],
  unwanted: [
    [
      { kind: 'unwanted', ...ofFile, filename: 'b.txt' },
      { event: 'unwanted', ...linked },
    ],
  ],
  waiting: [
    [
      { kind: 'waiting', reason: 'locked', untilMs: 60_000, written: 'open' },
      { event: 'waiting', reason: 'locked', until: later, written: 'open', ...noLink },
    ],
    [
      { kind: 'waiting', reason: 'paused', untilMs: null },
      { event: 'waiting', reason: 'paused', until: null },
    ],
  ],
  held: [
    [
      { kind: 'held', reason: 'secret-content', rule: 'private-key', line: 3 },
      { event: 'held', reason: 'secret-content', rule: 'private-key', line: 3, ...noLink },
    ],
    [
      { kind: 'held', reason: 'secret-content', rule: 'private-key' },
      { event: 'held', line: null },
    ],
    [
      { kind: 'held', reason: 'location', removable: true },
      { event: 'held', reason: 'location', removable: true },
    ],
    [
      { kind: 'held', reason: 'uncertain', message: 'No answer came.', untilMs: 60_000 },
      { event: 'held', message: 'No answer came.', until: later },
    ],
  ],
  skipped: [
    [
      { kind: 'skipped', rule: 'ignored', pattern: '*.log' },
      { event: 'skipped', rule: 'ignored', pattern: '*.log', ...noLink },
    ],
    [
      { kind: 'skipped', rule: 'already-shared', sameAsId: 2, publicLink: link },
      { event: 'skipped', rule: 'already-shared', public_link: link },
    ],
  ],
  failed: [
    [
      { kind: 'failed', code: 'refused', message: 'It was refused.', remedy: 'Change it.' },
      { event: 'failed', code: 'refused', message: 'It was refused.', remedy: 'Change it.', ...noLink },
    ],
  ],
  recalled: [
    [
      { kind: 'recalled', ...ofFile, publicSeconds: 7, downloads: 2, dead: true },
      { event: 'recalled', ...linked, publicSeconds: 7, downloads: 2, dead: true, linkState: 'dead' },
    ],
    [
      {
        kind: 'recalled',
        ...ofFile,
        publicSeconds: 7,
        downloads: 2,
        dead: false,
        look: { answer: 'file' },
        againAtMs: 0,
      },
      { event: 'recalled', dead: false, linkState: 'answers', againAt: '1970-01-01T00:00:00.000Z' },
    ],
    [
      { kind: 'recalled', ...ofFile, publicSeconds: 7, downloads: null, dead: false, lateMs: 1_600 },
      {
        event: 'recalled',
        downloads: null,
        dead: false,
        linkState: 'not-proven',
        reason: 'expired',
        lateSeconds: 2,
      },
    ],
  ],
  expired: [
    [
      { kind: 'expired', files: 3, alive: 2, answers: 1, lateMs: 1_400 },
      { event: 'expired', files: 3, alive: 2, answers: 1, lateSeconds: 1 },
    ],
  ],
  lost: [
    [
      { kind: 'lost', fileId: 8 },
      { event: 'lost', file_id: 8 },
    ],
  ],
  verified: [
    [
      { kind: 'verified', ...ofFile, reason: null },
      { event: 'verified', ...linked, ok: true, reason: null },
    ],
    [
      { kind: 'verified', ...ofFile, reason: 'differs' },
      { event: 'verified', ok: false, reason: 'differs' },
    ],
  ],
  downloaded: [
    [
      { kind: 'downloaded', ...ofFile, downloads: 4 },
      { event: 'downloaded', ...linked, downloads: 4 },
    ],
  ],
  downloads: [
    [
      {
        kind: 'downloads',
        links: 9,
        downloads: 12,
        files: [{ uploadId: 5, fileId: 8, path: '/tray/a.txt', downloads: 4 }],
      },
      {
        event: 'downloads',
        links: 9,
        downloads: 12,
        files: [expect.objectContaining({ file_id: 8, queueId: 'q5', path: '/tray/a.txt', downloads: 4 })],
      },
    ],
  ],
  'queue-closed': [
    [
      { kind: 'queue-closed', reason: 'network', untilMs: null, message: 'No way there.', remedy: 'Wait.' },
      { event: 'waiting', reason: 'network', until: null, message: 'No way there.', remedy: 'Wait.' },
    ],
  ],
  confirmed: [[{ kind: 'confirmed', reason: 'secret-content' }, null]],
  'follow-set': [[{ kind: 'follow-set', isFollowed: true }, null]],
  'expiry-set': [[{ kind: 'expiry-set', expiresAtMs: null }, null]],
  moved: [[{ kind: 'moved', from: '/tray/b.txt' }, null]],
  'program-failed': [[{ kind: 'program-failed', message: 'It ended with 1.' }, null]],
  gone: [[{ kind: 'gone' }, null]],
  deleted: [[{ kind: 'deleted', fileId: 8 }, null]],
  'queue-opened': [[{ kind: 'queue-opened' }, null]],
  'folder-chosen': [[{ kind: 'folder-chosen', folder: '/tray' }, null]],
  'folder-lost': [[{ kind: 'folder-lost', folder: '/tray', message: 'It is gone.' }, null]],
  'folder-back': [[{ kind: 'folder-back', folder: '/tray' }, null]],
  'watch-degraded': [[{ kind: 'watch-degraded', message: 'Too many.' }, null]],
};

const ledger = openMemoryLedger(() => 0);
const flat = Object.values(cases)
  .flat()
  .map(([body, event]) => ({ kind: body.kind, body, event }));

test.each(flat)('$kind', ({ body, event }) => {
  const printed = eventOf(ledger, { seq: 1, atMs: 10_000, uploadId: 5, path: '/tray/a.txt', body });
  if (event === null) expect(printed).toBeNull();
  else expect(printed).toMatchObject({ at, queueId: 'q5', path: '/tray/a.txt', ...event });
});

test('what is about no file has a path of null, and no field of a file', () => {
  const about = { seq: 1, atMs: 10_000, uploadId: null, path: null };
  const bodies = cases['queue-closed'].map(([body]) => body);
  expect(bodies.map((body) => eventOf(ledger, { ...about, body }))).toEqual([
    {
      event: 'waiting',
      at,
      path: null,
      reason: 'network',
      until: null,
      message: 'No way there.',
      remedy: 'Wait.',
    },
  ]);
});

test('progress names the file, and says when the service stores it', () => {
  const progress = { uploadId: 5, path: '/tray/a.txt', sentBytes: 3, totalBytes: 5 };
  const printed = progressEvent(ledger, progress, 10_000);
  expect(printed).toMatchObject({ event: 'progress', at, queueId: 'q5', sentBytes: 3, totalBytes: 5 });
  expect(printed).not.toHaveProperty('storing');
  expect(progressEvent(ledger, { ...progress, sentBytes: 5 }, 10_000)).toMatchObject({ storing: true });
});
