// How a restart recovers the uploads that a crash interrupted, on the real ledger.
import { describe, expect, onTestFinished, test } from 'vitest';
import { openMemoryLedger } from '../../../support/memory-ledger.ts';
import { bucketOf } from '../../../../src-main/contract/model.ts';
import { createFeed } from '../../../../src-main/engine/shared/feed.ts';
import type { AttemptOutcome, Permit } from '../../../../src-main/engine/ports/ledger.ts';
import type { Upload } from '../../../../src-main/engine/ports/uploads.ts';
import { createRows } from '../../../../src-main/engine/state/rows.ts';
import { concludeFrom, recover, recoverRunning } from '../../../../src-main/engine/reconcile/recover.ts';
import { createFakeSettings } from '../../../support/fake-ports.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const world = () => {
  const clock = createVirtualClock();
  const ledger = openMemoryLedger(() => clock.wallMs());
  onTestFinished(() => ledger.close());
  const feed = createFeed({ clock, ledger });
  const rows = createRows({ ledger, clock, feed });
  const ports = { ledger, clock, settings: createFakeSettings({ reconcileAfterMs: 900_000 }) };

  const row = (name: string, state: Upload['state'] = { kind: 'ready' }): Upload =>
    ledger.uploads.insert({ folderId: null, dir: '/tray', name, stamp: null, state }, clock.wallMs());
  /** A row whose upload was under way when the process died: before the tail, or (`tail`) after it was announced. */
  const sent = (
    name: string,
    options: { tail?: boolean; outcome?: AttemptOutcome; status?: number } = {},
  ): Upload => {
    const upload = row(name);
    const permit = ledger.permits.insert('upload', clock.wallMs(), 'engine:1');
    const attempt = ledger.attempts.insert({
      uploadId: upload.id,
      sentName: name,
      sizeBytes: 5,
      permitId: permit.id,
      startedAtMs: clock.wallMs(),
    });
    if (options.tail === true) ledger.attempts.committing(attempt.id, clock.wallMs());
    if (options.outcome !== undefined) {
      const { outcome, status = null } = options;
      ledger.attempts.end(attempt.id, { atMs: clock.wallMs(), outcome, status, evidence: null });
    }
    const state =
      options.tail === true
        ? { kind: 'committing' as const, attemptId: attempt.id }
        : { kind: 'sending' as const, attemptId: attempt.id };
    return ledger.uploads.update(upload.id, { state }, clock.wallMs());
  };
  const stateOf = (upload: Upload): Upload['state'] | undefined => ledger.uploads.byId(upload.id)?.state;
  return { clock, ledger, feed, rows, ports, row, sent, stateOf };
};

describe('after a crash', () => {
  test('an upload without a sent tail is sent again, and counts as no attempt', () => {
    const { clock, ledger, rows, ports, sent, stateOf } = world();
    const upload = sent('a.txt');
    clock.advanceNow(5_000);
    expect(recover(ports, rows)).toEqual({ again: 1, uncertain: 0 });
    expect(stateOf(upload)).toEqual({ kind: 'ready' });
    expect(ledger.uploads.byId(upload.id)?.attempts).toBe(0);
    expect(ledger.attempts.ofUpload(upload.id)).toMatchObject([
      { outcome: 'not-created', endedAtMs: clock.wallMs(), status: null, evidence: 'Outtray was stopped.' },
    ]);
    expect(ledger.entries.after(0, 10)).toEqual([]);
  });

  test('an upload whose file has left the folder meanwhile is gone', () => {
    const { clock, ledger, rows, ports, sent, stateOf } = world();
    const upload = sent('a.txt');
    ledger.uploads.update(upload.id, { present: false }, clock.wallMs());
    expect(recover(ports, rows)).toEqual({ again: 1, uncertain: 0 });
    expect(stateOf(upload)).toEqual({ kind: 'gone' });
  });

  test('an upload whose tail may have left is looked up 30 s from now: its connection may have lived until then', () => {
    const { clock, ledger, rows, ports, sent, stateOf } = world();
    const upload = sent('a.txt', { tail: true });
    const [attempt] = ledger.attempts.ofUpload(upload.id);
    clock.advanceNow(10_000);
    expect(recover(ports, rows)).toEqual({ again: 0, uncertain: 1 });
    expect(stateOf(upload)).toEqual({
      kind: 'uncertain',
      lost: clock.sinceBoot(),
      isQuick: false,
      attemptId: attempt?.id,
      looks: 0,
      nextLookAtMs: clock.wallMs() + 30_000,
    });
    expect(ledger.uploads.byId(upload.id)?.attempts).toBe(1);
    expect(ledger.attempts.ofUpload(upload.id)).toMatchObject([{ outcome: 'uncertain' }]);
    expect(ledger.entries.after(0, 10)).toMatchObject([
      { uploadId: upload.id, path: '/tray/a.txt', body: { kind: 'held', reason: 'uncertain' } },
    ]);
  });

  test('an attempt that had already ended keeps its outcome, which determines the state of its row', () => {
    const { ledger, rows, ports, sent, stateOf } = world();
    const refused = sent('refused.txt', { tail: true, outcome: 'refused' });
    const broken = sent('broken.txt', { outcome: 'not-created' });
    const lost = sent('lost.txt', { tail: true, outcome: 'uncertain' });
    expect(recover(ports, rows)).toEqual({ again: 2, uncertain: 1 });
    expect([refused, broken, lost].map((upload) => stateOf(upload)?.kind)).toEqual([
      'ready',
      'ready',
      'uncertain',
    ]);
    expect(ledger.attempts.ofUpload(refused.id)).toMatchObject([{ outcome: 'refused', evidence: null }]);
  });

  test('the answer just before the crash determines whether a person has to decide: not after a 429', () => {
    const { rows, ports, sent, stateOf } = world();
    const busy = sent('busy.txt', { tail: true, outcome: 'uncertain', status: 429 });
    const lost = sent('lost.txt', { tail: true, outcome: 'uncertain', status: 502 });
    recover(ports, rows);
    expect([busy, lost].map((upload) => bucketOf(stateOf(upload) ?? { kind: 'gone' }))).toEqual([
      'waiting',
      'held',
    ]);
  });

  test('a row whose attempt is missing from the ledger is looked up, from now on', () => {
    const { clock, rows, ports, row, stateOf } = world();
    const upload = row('a.txt', { kind: 'committing', attemptId: 99 });
    expect(recover(ports, rows)).toEqual({ again: 0, uncertain: 1 });
    expect(stateOf(upload)).toMatchObject({ attemptId: 0, nextLookAtMs: clock.wallMs() + 30_000 });
  });

  test('rows that were not under way stay unchanged', () => {
    const { rows, ports, row, stateOf } = world();
    const held = row('held.txt', { kind: 'held', reason: 'secret-name' });
    const ready = row('ready.txt');
    expect(recover(ports, rows)).toEqual({ again: 0, uncertain: 0 });
    expect([stateOf(held), stateOf(ready)]).toEqual([
      { kind: 'held', reason: 'secret-name' },
      { kind: 'ready' },
    ]);
  });

  test('everything is recovered or nothing: a crash in the middle leaves the next start the same work', () => {
    const { clock, ledger, feed, rows, ports, sent, stateOf } = world();
    const upload = sent('a.txt', { tail: true });
    const full = {
      ...feed,
      record: () => {
        throw new Error('the disk is full');
      },
    };
    expect(() => recover(ports, createRows({ ledger, clock, feed: full }))).toThrow('the disk is full');
    expect(stateOf(upload)?.kind).toBe('committing');
    expect(ledger.attempts.open()).toHaveLength(1);
    expect(recover(ports, rows)).toEqual({ again: 0, uncertain: 1 });
  });
});

describe('when the ledger is an older copy', () => {
  const waits: Upload['state'] = { kind: 'waiting', reason: 'network', untilMs: null };

  test('waiting files may be uploaded already and are held, once; final states stay', () => {
    const { ledger, rows, ports, row, stateOf } = world();
    ledger.facts.set('hold-waiting', true, ports.clock.wallMs());
    const waiting = [row('a.txt', { kind: 'settling' }), row('b.txt'), row('c.txt', waits)];
    const skipped = row('d.txt', { kind: 'skipped', rule: 'hidden' });
    recover(ports, rows);
    for (const one of waiting) expect(stateOf(one)).toEqual({ kind: 'held', reason: 'maybe-uploaded' });
    expect(stateOf(skipped)).toEqual({ kind: 'skipped', rule: 'hidden' });
    expect(ledger.facts.get('hold-waiting')).toBeNull();
    const later = row('e.txt');
    recover(ports, rows);
    expect(stateOf(later)).toEqual({ kind: 'ready' });
  });
});

describe('when the clock was set back after times in the ledger were planned', () => {
  const lookAt = (nextLookAtMs: number): Upload['state'] => ({
    kind: 'uncertain',
    attemptId: 7,
    looks: 1,
    nextLookAtMs,
  });
  const waitUntil = (untilMs: number | null): Upload['state'] => ({
    kind: 'waiting',
    reason: 'network',
    untilMs,
  });

  test('a lookup beyond the latest possible one is due with the first', () => {
    const { clock, rows, ports, row, stateOf } = world();
    const furthestMs = clock.wallMs() + 930_000;
    const [planned, strange] = [row('a.txt', lookAt(furthestMs)), row('b.txt', lookAt(furthestMs + 1))];
    expect(recover(ports, rows)).toEqual({ again: 0, uncertain: 0 });
    expect(stateOf(planned)).toEqual(lookAt(furthestMs));
    expect(stateOf(strange)).toEqual(lookAt(clock.wallMs() + 30_000));
  });

  test('a file that waits longer than any back-off no longer waits', () => {
    const { clock, rows, ports, row, stateOf } = world();
    const furthestMs = clock.wallMs() + 7_200_000;
    const [planned, strange] = [row('a.txt', waitUntil(furthestMs)), row('b.txt', waitUntil(furthestMs + 1))];
    const forOther = row('c.txt', waitUntil(null));
    recover(ports, rows);
    expect(stateOf(planned)).toEqual(waitUntil(furthestMs));
    expect(stateOf(strange)).toEqual(waitUntil(clock.wallMs()));
    expect(stateOf(forOther)).toEqual(waitUntil(null));
  });

  test('a link that is read later than any link no longer waits', () => {
    const { clock, rows, ports, row, stateOf } = world();
    const readAt = (nextAtMs: number): Upload['state'] => ({
      kind: 'recalled',
      dead: false,
      nextAtMs,
      tries: 3,
    });
    const furthestMs = clock.wallMs() + 86_400_000;
    const [planned, strange] = [row('a.txt', readAt(furthestMs)), row('b.txt', readAt(furthestMs + 1))];
    recover(ports, rows);
    expect(stateOf(planned)).toEqual(readAt(furthestMs));
    expect(stateOf(strange)).toEqual(readAt(clock.wallMs()));
  });

  test('an upload whose tail was sent in the future is looked up 30 s from now', () => {
    const { clock, rows, ports, sent, stateOf } = world();
    const upload = sent('a.txt', { tail: true });
    clock.jumpWall(-3_600_000);
    recover(ports, rows);
    expect(stateOf(upload)).toMatchObject({ nextLookAtMs: clock.wallMs() + 30_000 });
  });
});

test.each([
  ['not-created', 'send-again'],
  ['refused', 'send-again'],
  ['uncertain', 'uncertain'],
  ['created', 'uncertain'],
  [null, 'uncertain'],
] as const)('an attempt that ended with %s is recovered as %s', (outcome, conclusion) => {
  expect(concludeFrom(outcome)).toBe(conclusion);
});

test('in a running engine only the permits of the recovered attempts end unanswered', () => {
  const { clock, ledger, rows, ports, sent, stateOf } = world();
  const lost = sent('lost.txt', { tail: true });
  sent('done.txt', { tail: true, outcome: 'refused' });
  const look = ledger.permits.insert('background', clock.wallMs(), 'engine:1');
  const [attempt] = ledger.attempts.ofUpload(lost.id);
  const ended: [permitId: number, outcome: string][] = [];
  const answered = (permit: Permit, outcome: { kind: string }): void => {
    ended.push([permit.id, outcome.kind]);
  };
  recoverRunning(ports, rows, { answered });
  expect(ended).toEqual([[attempt?.permitId, 'no-answer']]);
  expect(ended.map(([id]) => id)).not.toContain(look.id);
  expect(stateOf(lost)?.kind).toBe('uncertain');
});
