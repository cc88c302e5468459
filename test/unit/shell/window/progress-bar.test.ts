// What Dock and taskbar show during uploads.
import { expect, test } from 'vitest';
import type { Change } from '../../../../src-main/contract/client.ts';
import type { Entry, EntryBody } from '../../../../src-main/contract/entries.ts';
import { noCounts, type EngineStatus } from '../../../../src-main/contract/model.ts';
import { nextRun, noRun } from '../../../../src-main/contract/live.ts';
import { barOf, type ProgressBar } from '../../../../src-main/shell/window/progress-bar.ts';
import { statusWith } from '../a-status.ts';

const status = (waiting: number, more: Partial<EngineStatus> = {}): Change => ({
  seq: 1,
  kind: 'status',
  status: statusWith({ counts: { ...noCounts(), waiting }, ...more }),
});
const sent = (uploadId: number, share: number): Change => ({
  seq: 1,
  kind: 'progress',
  progress: [{ uploadId, path: `/x/${uploadId}`, sentBytes: share * 100, totalBytes: 100 }],
});
const entry = (uploadId: number, body: EntryBody): Change => ({
  seq: 1,
  kind: 'entries',
  entries: [{ seq: 1, atMs: 0, uploadId, path: `/x/${uploadId}`, body } satisfies Entry],
});
const uploaded: EntryBody = {
  kind: 'uploaded',
  fileId: 1,
  publicLink: 'x',
  size: 1,
  filename: 'x',
  sha256: 'x',
  expiresAtMs: null,
};
const after = (...changes: Change[]): ProgressBar => barOf(changes.reduce(nextRun, noRun));

test('grows with bytes and files, and disappears at the end; the next run starts at zero', () => {
  const none = { share: -1, mode: 'none' };
  expect(after(status(0))).toEqual(none);
  const half = [status(2, { sending: 1 }), sent(7, 0.5)];
  expect(after(...half)).toEqual({ share: 0.25, mode: 'normal' });
  const one = [
    ...half,
    entry(7, uploaded),
    status(1, { sending: 1, counts: { ...noCounts(), uploaded: 1, waiting: 1 } }),
  ];
  expect(after(...one)).toEqual({ share: 0.5, mode: 'normal' });
  const end = [...one, entry(8, uploaded), status(0)];
  expect(after(...end)).toEqual(none);
  expect(after(...end, status(4))).toEqual({ share: 0, mode: 'normal' });
});

test('never shrinks while the files are the same, even when bytes are sent again or reported in two changes', () => {
  const half = [status(2, { sending: 1 }), sent(7, 0.5)];
  expect(after(...half, sent(7, 0.1))).toEqual({ share: 0.25, mode: 'normal' });
  // The entry comes first, and the status that counts its file after it.
  expect(after(...half, sent(7, 1), entry(7, uploaded))).toEqual({ share: 0.5, mode: 'normal' });
  expect(after(...half, status(8, { sending: 1 }))).toEqual({ share: 0.06, mode: 'normal' });
});

test('a file that needs the user or was left out is done with, and the bar is not full while a file is on its way', () => {
  const work = { ready: 1, uploading: 1, waiting: 0, needYou: 1, failed: 0, leftOut: 1, total: 4 };
  expect(after(status(1, { work }))).toEqual({ share: 0.75, mode: 'normal' });
  expect(after(status(1, { work }), sent(7, 1))).toEqual({ share: 0.99, mode: 'normal' });
});

test('a file that was sent and refused with its key waits: nothing of it counts', () => {
  expect(after(status(2, { sending: 1 }), sent(7, 1), status(2))).toEqual({ share: 0, mode: 'normal' });
});

test('a file that fails or is skipped no longer counts', () => {
  const failed: EntryBody = { kind: 'failed', code: 'x', message: '', remedy: '' };
  expect(after(status(2), sent(7, 0.9), entry(7, failed), status(1))).toEqual({ share: 0, mode: 'normal' });
});

test('a file from outside the folder counts while it is sent', () => {
  expect(after(status(0, { sending: 1 }), sent(7, 0.5))).toEqual({ share: 0.5, mode: 'normal' });
});

test('shows that uploads wait, and that they wait for the user', () => {
  const closed = (reason: 'network' | 'key'): Partial<EngineStatus> => ({
    gate: { kind: 'closed', reason, untilMs: null, message: '', remedy: '' },
  });
  expect(after(status(1, { paused: true })).mode).toBe('paused');
  expect(after(status(1, closed('network'))).mode).toBe('paused');
  expect(after(status(1, closed('key'))).mode).toBe('error');
});
