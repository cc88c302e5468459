import { describe, expect, test } from 'vitest';
import { isErrorCode, type ErrorCode } from '../../../src-main/contract/errors.ts';
import { verdictOf, type Verdict } from '../../../src-main/engine/retry.ts';

const waits = (reason: Extract<Verdict, { kind: 'queue-waits' }>['reason']): Verdict => ({
  kind: 'queue-waits',
  reason,
});
const uncertain: Verdict = { kind: 'uncertain' };

/** What each fault means: before the tail, and after it. */
const table: Record<ErrorCode, [before: Verdict, after: Verdict]> = {
  'key-refused': [waits('key'), waits('key')],
  'key-missing': [waits('key'), waits('key')],
  'keychain-locked': [waits('key'), waits('key')],
  'keychain-unavailable': [waits('key'), waits('key')],
  plan: [waits('plan'), waits('plan')],
  limit: [{ kind: 'ask-stats' }, { kind: 'ask-stats' }],
  rate: [waits('rate'), waits('rate')],
  moved: [waits('moved'), waits('moved')],
  'wrong-address': [waits('moved'), waits('moved')],
  'not-configured': [waits('moved'), waits('moved')],
  'bad-setting': [waits('moved'), waits('moved')],
  refused: [{ kind: 'fail' }, { kind: 'fail' }],
  'too-large': [{ kind: 'fail' }, { kind: 'fail' }],
  offline: [waits('network'), waits('network')],
  interrupted: [waits('network'), uncertain],
  'unusable-answer': [waits('network'), uncertain],
  aborted: [{ kind: 'stopped' }, uncertain],
  changed: [{ kind: 'settle' }, uncertain],
  outside: [{ kind: 'settle' }, uncertain],
  'not-a-file': [{ kind: 'settle' }, uncertain],
  gone: [{ kind: 'gone' }, uncertain],
  locked: [{ kind: 'file-waits', reason: 'locked' }, uncertain],
  'folder-unavailable': [waits('folder'), uncertain],
  'bad-use': [{ kind: 'fail' }, uncertain],
  'not-found': [{ kind: 'fail' }, uncertain],
  budget: [{ kind: 'fail' }, uncertain],
  'engine-taken': [{ kind: 'fail' }, uncertain],
  'folder-refused': [{ kind: 'fail' }, uncertain],
  uncertain: [{ kind: 'fail' }, uncertain],
  disk: [{ kind: 'fail' }, uncertain],
  ledger: [{ kind: 'fail' }, uncertain],
  internal: [{ kind: 'fail' }, uncertain],
};
const rows = Object.entries(table).flatMap(([code, [before, after]]) =>
  isErrorCode(code) ? [{ code, before, after }] : [],
);

describe('what a fault of an upload means', () => {
  test.each(rows)('$code before the tail: $before.kind', ({ code, before }) => {
    expect(verdictOf({ code, status: undefined, tailSent: false })).toEqual(before);
  });

  test.each(rows)('$code after the tail: $after.kind', ({ code, after }) => {
    expect(verdictOf({ code, status: undefined, tailSent: true })).toEqual(after);
  });

  test.each([408, 417, 421, 425])(
    'status %d says that nothing was created, even after the tail',
    (status) => {
      expect(verdictOf({ code: 'interrupted', status, tailSent: true })).toEqual(waits('network'));
    },
  );

  test.each([500, 502, 503, 504])('status %d after the tail leaves it open', (status) => {
    expect(verdictOf({ code: 'interrupted', status, tailSent: true })).toEqual(uncertain);
    expect(verdictOf({ code: 'unusable-answer', status, tailSent: true })).toEqual(uncertain);
  });

  test('an early success that cannot be read may have created something all the same', () => {
    expect(verdictOf({ code: 'unusable-answer', status: 200, tailSent: false })).toEqual(uncertain);
    expect(verdictOf({ code: 'unusable-answer', status: 204, tailSent: false })).toEqual(uncertain);
    expect(verdictOf({ code: 'unusable-answer', status: 299, tailSent: false })).toEqual(uncertain);
  });

  test.each([103, 199, 300, 304, 503])('an early status %d that cannot be read created nothing', (status) => {
    expect(verdictOf({ code: 'unusable-answer', status, tailSent: false })).toEqual(waits('network'));
  });

  test('a code that nobody knows is a fault of the program', () => {
    const code = 'brand-new' as ErrorCode;
    expect(() => verdictOf({ code, status: undefined, tailSent: true })).toThrow('Unexpected value');
  });
});
