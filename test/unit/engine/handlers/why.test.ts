import { describe, expect, test } from 'vitest';
import { typedText } from '../../../../src-main/cli/output/typed.ts';
import type { QueueGate, UploadState } from '../../../../src-main/contract/model.ts';
import { sentenceFor } from '../../../../src-main/engine/handlers/why.ts';
import { copiesSentence } from '../../../../src-main/contract/text/why.ts';

const open: QueueGate = { kind: 'open' };
const closed: QueueGate = { kind: 'closed', reason: 'key', untilMs: null, message: '', remedy: '' };
const running = { gate: open, paused: false, running: true };

describe("the explanation of a file's state", () => {
  test.each<[UploadState, string]>([
    [{ kind: 'settling' }, 'Waiting: checking that it is complete'],
    [{ kind: 'sending', attemptId: 1 }, 'Waiting: it is on its way now.'],
    [{ kind: 'committing', attemptId: 1 }, 'Waiting: it is on its way now.'],
    [
      { kind: 'uncertain', attemptId: 1, looks: 0, nextLookAtMs: 0 },
      'checks the list of files before sending it again',
    ],
    [{ kind: 'waiting', reason: 'locked', untilMs: 1 }, 'another program has it open'],
    [
      { kind: 'waiting', reason: 'grace', untilMs: 1, sinceMs: 0, since: null },
      'Waiting: not public yet: you can still cancel it.',
    ],
    [
      { kind: 'waiting', reason: 'unfinished', untilMs: 1, control: '/tray/a.iso.aria2' },
      'aria2 keeps its control file /tray/a.iso.aria2',
    ],
    [
      { kind: 'skipped', rule: 'partial', pattern: '*.!ut' },
      'unfinished download (pattern *.!ut: µTorrent). The finished file is uploaded under its final name.',
    ],
    [{ kind: 'held', reason: 'secret-name' }, 'looks like a secret'],
    [{ kind: 'skipped', rule: 'hidden' }, 'Skipped: hidden.'],
    [{ kind: 'skipped', rule: 'ignored', pattern: '*.log' }, 'matches an ignore pattern (pattern *.log).'],
    [{ kind: 'failed', code: 'refused', message: 'Not wanted.', remedy: '' }, 'Failed: Not wanted.'],
    [{ kind: 'superseded', byId: 2 }, 'this link still works'],
    [{ kind: 'gone' }, 'left the folder before it was uploaded'],
    [
      { kind: 'held', reason: 'secret-content', rule: 'aws-key', line: 7 },
      'line 7 looks like a secret (aws-key)',
    ],
    [{ kind: 'held', reason: 'secret-content', rule: 'not-read', line: null }, 'took too long to search'],
    [
      { kind: 'held', reason: 'location', removable: true, isRead: true },
      'confirm it, with or without its location',
    ],
    [
      { kind: 'held', reason: 'location', removable: false, isRead: true },
      'that cannot be removed from this file',
    ],
    [{ kind: 'held', reason: 'location', removable: true, isRead: false }, 'may show where it was taken'],
    [{ kind: 'held', reason: 'location', removable: false, isRead: false }, 'It could not be removed.'],
    [{ kind: 'recalling', tries: 0, nextAtMs: 0 }, 'its link is being taken back'],
    [{ kind: 'recalled', dead: true }, 'Recalled: its link is dead.'],
    [{ kind: 'recalled', dead: true, isExpired: true }, 'Expired: its link is dead.'],
    [{ kind: 'recalled', dead: false }, 'Recalled, but whether its link is dead is not known.'],
    [
      { kind: 'recalled', dead: false, look: { noAnswer: 'x.net cannot be found.' } },
      'Recalled, but its link could not be checked: x.net cannot be found. Outtray checks',
    ],
    [
      { kind: 'recalled', dead: false, look: { answer: 'file' } },
      'Recalled, but its link still serves the file.',
    ],
    [
      { kind: 'recalled', dead: false, look: { answer: 'other-bytes' } },
      'Recalled, but its link still serves something.',
    ],
    [
      { kind: 'recalled', dead: false, look: { answer: 503 }, isExpired: true },
      'Expired, but its link still answers (503).',
    ],
    // The link that it shared was taken back.
    [{ kind: 'skipped', rule: 'already-shared' }, 'its link was taken back'],
  ])('exists for %j', (state, part) => {
    expect(typedText(sentenceFor(state, null, running))).toContain(part);
  });

  test('states for a file that changes often how often, how long it must rest, and how to upload it at once', () => {
    const told = [1, 3, 6].map((versions) =>
      typedText(sentenceFor({ kind: 'settling' }, null, running, versions)),
    );
    expect(told).toEqual([
      expect.stringMatching(/one version of it got a link .* after 10 s .*outtray upload --again/),
      expect.stringMatching(/3 versions of it got .* after 40 s/),
      expect.stringMatching(/6 versions .* after 5 min 20 s/),
    ]);
  });

  test('shows the link of an uploaded file if it has one', () => {
    expect(sentenceFor({ kind: 'uploaded' }, 'https://x.example/1', running)).toBe(
      'Uploaded: https://x.example/1',
    );
    expect(sentenceFor({ kind: 'uploaded' }, null, running)).toBe('Uploaded.');
  });

  test('states for a queued file what the whole queue waits for', () => {
    const ready = { kind: 'ready' } as const;
    expect(sentenceFor(ready, null, running)).toContain('when its turn comes');
    expect(sentenceFor(ready, null, { ...running, running: false })).toContain('when Outtray runs');
    expect(sentenceFor(ready, null, { ...running, paused: true })).toContain('paused');
    expect(sentenceFor(ready, null, { ...running, gate: closed })).toContain('does not accept the API key');
  });

  test('names copies in the account, with the command that deletes them', () => {
    expect(copiesSentence([])).toBeNull();
    expect(typedText(copiesSentence([7]) ?? '')).toMatch(
      /another file of this name and size \(id 7\).*`outtray delete 7`/,
    );
    expect(typedText(copiesSentence([7, 9]) ?? '')).toMatch(
      /2 other files .*\(ids 7, 9\).*`outtray delete 7 9`/,
    );
  });
});
