// What an agent reads of a refusal that ends by itself: when to call again.
import { expect, test } from 'vitest';
import { errorOf, notStarted, retryAt } from '../../../src-main/cli/mcp/results.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { Composed } from '../../../src-main/cli/session.ts';

test('a wait is told in whole seconds, at least one, and as a time; one that only a person ends is not', () => {
  expect(retryAt(61_001, 1_000)).toEqual({ retryAfterSeconds: 61, until: '1970-01-01T00:01:01.001Z' });
  expect(retryAt(0, 1_000)).toMatchObject({ retryAfterSeconds: 1 });
  expect(retryAt(null, 1_000)).toEqual({});
});

test('a file over the share of agents was not started, for a reason, and with when to call again', () => {
  const error = errorOf(new AppError('budget', 'The share is used.', 'Wait.', { retryAfterMs: 30_000 }));
  expect(error).toMatchObject({ code: 'budget', retryAfterSeconds: 30 });
  const spool = { holds: () => false };
  expect(notStarted({ spool } as unknown as Composed, '/a/b.txt', error)).toMatchObject({
    state: 'not-started',
    reason: 'budget',
    retryAfterSeconds: 30,
    path: '/a/b.txt',
  });
});
