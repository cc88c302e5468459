import { describe, expect, test } from 'vitest';
import { isErrorCode, type ErrorCode } from '../../../../src-main/contract/errors.ts';
import {
  answerWaitMs,
  isQuickRefusal,
  classifyFailure,
  type Verdict,
} from '../../../../src-main/engine/upload/classify-failure.ts';
import { againAfter, isFinalRefusal } from '../../../../src-main/engine/reconcile/send-again.ts';
import { unanswered } from '../../../../src-main/engine/shared/waits.ts';

const waits = (reason: Extract<Verdict, { kind: 'queue-waits' }>['reason']): Verdict => ({
  kind: 'queue-waits',
  reason,
});
const uncertain: Verdict = { kind: 'uncertain', closes: null };
const trouble: Verdict = { kind: 'uncertain', closes: 'service' };

/** What each fault means: before the tail, and after it. */
const table: Record<ErrorCode, [before: Verdict, after: Verdict]> = {
  'key-refused': [waits('key'), uncertain],
  'key-missing': [waits('key'), uncertain],
  'unknown-key': [waits('key'), uncertain],
  'keychain-locked': [waits('key'), uncertain],
  'keychain-unavailable': [waits('key'), uncertain],
  plan: [waits('plan'), uncertain],
  limit: [{ kind: 'ask-stats' }, uncertain],
  rate: [waits('rate'), { kind: 'uncertain', closes: 'rate' }],
  moved: [waits('moved'), { kind: 'uncertain', closes: 'moved' }],
  'wrong-address': [waits('moved'), uncertain],
  'not-configured': [waits('moved'), uncertain],
  'bad-setting': [waits('moved'), uncertain],
  refused: [{ kind: 'fail' }, uncertain],
  'too-large': [{ kind: 'fail' }, uncertain],
  offline: [waits('network'), trouble],
  interrupted: [waits('network'), trouble],
  'unusable-answer': [waits('service'), trouble],
  intercepted: [waits('service'), trouble],
  blocked: [{ kind: 'ask-stats' }, uncertain],
  aborted: [{ kind: 'stopped' }, uncertain],
  changed: [{ kind: 'settle' }, uncertain],
  outside: [{ kind: 'settle' }, uncertain],
  'not-a-file': [{ kind: 'settle' }, uncertain],
  gone: [{ kind: 'gone' }, uncertain],
  locked: [{ kind: 'file-waits', reason: 'locked' }, uncertain],
  'folder-unavailable': [waits('folder'), uncertain],
  'bad-use': [{ kind: 'fail' }, uncertain],
  ambiguous: [{ kind: 'fail' }, uncertain],
  'not-allowed': [{ kind: 'fail' }, uncertain],
  forbidden: [{ kind: 'fail' }, uncertain],
  'own-data': [{ kind: 'fail' }, uncertain],
  'not-found': [{ kind: 'fail' }, uncertain],
  budget: [{ kind: 'fail' }, uncertain],
  'engine-taken': [{ kind: 'fail' }, uncertain],
  'folder-refused': [{ kind: 'fail' }, uncertain],
  uncertain: [{ kind: 'fail' }, uncertain],
  disk: [{ kind: 'fail' }, uncertain],
  ledger: [{ kind: 'fail' }, uncertain],
  'ledger-newer': [{ kind: 'fail' }, uncertain],
  audit: [{ kind: 'fail' }, uncertain],
  internal: [{ kind: 'fail' }, uncertain],
};
const rows = Object.entries(table).flatMap(([code, [before, after]]) =>
  isErrorCode(code) ? [{ code, before, after }] : [],
);

describe('what a failed upload means', () => {
  test.each(rows)('$code before the tail: $before.kind', ({ code, before }) => {
    expect(classifyFailure({ code, status: undefined, tailSent: false })).toEqual(before);
  });

  test.each(rows)('$code after the tail: $after.kind', ({ code, after }) => {
    expect(classifyFailure({ code, status: undefined, tailSent: true })).toEqual(after);
  });

  test.each<[ErrorCode, number, Verdict]>([
    ['key-refused', 401, waits('key')],
    ['limit', 403, { kind: 'ask-stats' }],
    ['wrong-address', 404, waits('moved')],
    ['wrong-address', 405, waits('moved')],
    ['too-large', 413, { kind: 'fail' }],
    ['refused', 415, { kind: 'fail' }],
  ])('%s with status %d proves that nothing was created, even after the tail', (code, status, verdict) => {
    expect(classifyFailure({ code, status, tailSent: true })).toEqual(verdict);
    expect(classifyFailure({ code, status, tailSent: false })).toEqual(verdict);
  });

  test.each<[ErrorCode, number]>([
    ['refused', 400],
    ['interrupted', 408],
    ['refused', 409],
    ['refused', 410],
    ['interrupted', 417],
    ['interrupted', 421],
    ['refused', 422],
    ['interrupted', 425],
    ['rate', 429],
    ['rate', 503],
    ['unusable-answer', 500],
    ['unusable-answer', 502],
    ['unusable-answer', 504],
  ])('%s with status %d proves nothing after the tail: a proxy may have sent it twice', (code, status) => {
    expect(classifyFailure({ code, status, tailSent: true }).kind).toBe('uncertain');
    expect(classifyFailure({ code, status, tailSent: false }).kind).not.toBe('uncertain');
  });

  test.each([500, 502, 503, 504])('status %d after the tail closes the queue', (status) => {
    expect(classifyFailure({ code: 'unusable-answer', status, tailSent: true })).toEqual(trouble);
    expect(classifyFailure({ code: 'interrupted', status: undefined, tailSent: true })).toEqual(trouble);
  });

  test.each([200, 204, 299])(
    'an early success %d that cannot be read may have created something',
    (status) => {
      expect(classifyFailure({ code: 'unusable-answer', status, tailSent: false })).toEqual(trouble);
    },
  );

  test.each([103, 199, 300, 304, 503])(
    'an early status %d that cannot be read has created nothing',
    (status) => {
      expect(classifyFailure({ code: 'unusable-answer', status, tailSent: false })).toEqual(waits('service'));
    },
  );
});

const minuteMs = 60_000;

describe('sending again a file that the service does not have', () => {
  const again = (tries: number, sinceLastMs: number, isBusy = false) =>
    againAfter(tries, { sinceLastMs, isBusy }, 15 * minuteMs);

  test('never needs a person while the service is busy: the wait grows to 2 h', () => {
    expect([3, 4, 5, 99].map((tries) => again(tries, 0, true))).toEqual(
      [30, 120, 120, 120].map((minutes) => ({ kind: 'wait', waitMs: minutes * minuteMs })),
    );
    expect(again(4, 120 * minuteMs, true)).toEqual({ kind: 'now' });
  });

  test('waits 1, 5 and 30 min from the end of one attempt to the next, and holds the file after the fourth', () => {
    expect([1, 2, 3].map((tries) => again(tries, 0))).toEqual(
      [1, 5, 30].map((minutes) => ({ kind: 'wait', waitMs: minutes * minuteMs })),
    );
    expect(again(4, 0)).toEqual({ kind: 'hold' });
    expect(again(4, 1e12)).toEqual({ kind: 'hold' });
  });

  test('happens at once when that time is over, or when no attempt of the day is known', () => {
    expect(again(1, minuteMs)).toEqual({ kind: 'now' });
    expect(again(2, 5 * minuteMs)).toEqual({ kind: 'now' });
    expect(again(0, minuteMs)).toEqual({ kind: 'now' });
  });

  test('counts the attempts of the last day that ended without a usable answer', () => {
    const nowMs = 1e12;
    const ago = (hours: number, outcome: 'uncertain' | 'refused' | null) => ({
      outcome,
      startedAtMs: nowMs - hours * 60 * minuteMs,
    });
    const attempts = [
      ago(25, 'uncertain'),
      ago(23, 'uncertain'),
      ago(2, 'refused'),
      ago(1, null),
      ago(0, 'uncertain'),
    ];
    expect(unanswered(attempts, nowMs)).toBe(2);
  });

  test('is useless after a refusal of the request itself', () => {
    expect([400, 402, 409, 410, 422].map((status) => isFinalRefusal(status))).not.toContain(false);
    expect([408, 417, 421, 425, 429, 500, 502, 503, 200, 302, null].map(isFinalRefusal)).not.toContain(true);
  });
});

test('a complete refusal within seconds of the tail is quick, and a gateway timeout is not', () => {
  expect([400, 429, 500, 502, 503].map((status) => isQuickRefusal(status, 3000))).not.toContain(false);
  expect(isQuickRefusal(504, 3000)).toBe(false);
  expect(isQuickRefusal(502, 10_001)).toBe(false);
  expect(isQuickRefusal(200, 3000)).toBe(false);
  expect(isQuickRefusal(undefined, 0)).toBe(false);
});

describe('the wait for an answer', () => {
  const wait = (given: Partial<Parameters<typeof answerWaitMs>[0]>): number =>
    answerWaitMs({ settingMs: 0, sizeBytes: 0, bytesPerSecond: null, tries: 0, ...given });

  test('is two minutes for a small file, and over three for 60 MB', () => {
    expect(wait({})).toBe(2 * minuteMs);
    expect(wait({ sizeBytes: 60_000_000 })).toBeGreaterThan(5 * minuteMs);
    expect(wait({ sizeBytes: 60_000_000, bytesPerSecond: 100_000_000 })).toBeGreaterThan(5 * minuteMs);
  });

  test('grows with the size at the observed speed, up to half an hour', () => {
    expect(wait({ sizeBytes: 6_000_000, bytesPerSecond: 10_000 })).toBe(12 * minuteMs);
    expect(wait({ sizeBytes: 1e12 })).toBe(30 * minuteMs);
    expect(wait({ sizeBytes: 1000, bytesPerSecond: 0 })).toBeLessThanOrEqual(30 * minuteMs);
  });

  test('is twice as long with each attempt without an answer', () => {
    expect([0, 1, 2, 3, 4, 99].map((tries) => wait({ tries }) / minuteMs)).toEqual([2, 4, 8, 16, 30, 30]);
  });

  test('is the one of the setting', () => {
    expect(wait({ settingMs: 5000, sizeBytes: 1e9, tries: 3 })).toBe(5000);
  });
});
