// The memory stored in the ledger, read back.
import { describe, expect, test } from 'vitest';
import {
  freshMemory,
  parseMemory,
  restoreMemory,
  type LimiterMemory,
} from '../../../../src-main/engine/limiter/memory.ts';

const nowMs = 1_900_000_000_000;
const HOUR_MS = 3_600_000;
const full: LimiterMemory = {
  version: 1,
  offsetMs: -5_000,
  noted: { id: 'boot 1', ms: 5_000, nowMs },
  dueMs: nowMs + 1_250,
  cutTo: 33.6,
  cutBefore: 40,
  cutAtMs: nowMs - 3,
  roseAtMs: nowMs - 2,
  cleanMinutes: 4,
  streak: 2,
  pausedAtMs: nowMs - 1,
  pausedUntilMs: nowMs + 10_000,
  cautiousUntilMs: nowMs + 86_400_000,
};
const kindOf = (change: Record<string, unknown>): string => parseMemory({ ...full, ...change }).kind;

describe('a stored memory', () => {
  test('is read back, field by field', () => {
    const stored: unknown = JSON.parse(JSON.stringify(full));
    expect(parseMemory(stored)).toEqual({ kind: 'known', memory: full });
    const fresh = freshMemory(nowMs);
    expect(parseMemory(fresh)).toEqual({ kind: 'known', memory: fresh });
  });

  test.each([
    undefined,
    null,
    1,
    {},
    { id: 1, ms: 1, nowMs },
    { id: 'a', ms: '1', nowMs },
    { id: 'a', ms: 1 },
  ])('with %j as its note of the machine’s own count is read without one', (noted) => {
    expect(parseMemory({ ...full, noted })).toEqual({ kind: 'known', memory: { ...full, noted: null } });
  });

  test('may not exist yet', () => {
    expect([null, undefined].map((stored) => parseMemory(stored).kind)).toEqual(['none', 'none']);
  });

  test.each(['text', 1, true, {}, { ...full, version: 2 }, []])('%j is invalid', (stored) => {
    expect(parseMemory(stored)).toEqual({ kind: 'strange' });
  });

  const fields = Object.keys(full).filter((name) => name !== 'version' && name !== 'noted');
  test.each(fields)('is invalid when its %s is missing or not a number', (name) => {
    expect(kindOf({ [name]: undefined })).toBe('strange');
    expect(kindOf({ [name]: '1' })).toBe('strange');
    expect(kindOf({ [name]: -1e16 })).toBe('strange');
    expect(kindOf({ [name]: 1e16 })).toBe('strange');
    expect(kindOf({ [name]: Number.NaN })).toBe('strange');
  });

  test('is valid up to the limits of a date and a rate', () => {
    const ends = {
      offsetMs: -8.64e15,
      dueMs: 8.64e15,
      cutAtMs: 0,
      cutTo: 0.001,
      cutBefore: 1e9,
      streak: 1e9,
    };
    expect(kindOf(ends)).toBe('known');
    for (const change of [{ cutTo: 0 }, { streak: -1 }, { cleanMinutes: -1 }, { dueMs: -1 }]) {
      expect(kindOf(change)).toBe('strange');
    }
  });
});

describe('the memory to continue with', () => {
  const known = (change: Partial<LimiterMemory>): LimiterMemory =>
    restoreMemory({ kind: 'known', memory: { ...full, ...change } }, nowMs);

  test('is the stored one', () => {
    expect(known({})).toEqual(full);
  });

  test.each(['dueMs', 'pausedUntilMs', 'cautiousUntilMs'] as const)(
    'has no %s more than 25 hours ahead, which is never set',
    (name) => {
      const furthestMs = nowMs + 25 * HOUR_MS;
      expect(known({ [name]: furthestMs })[name]).toBe(furthestMs);
      const pulledIn = name === 'cautiousUntilMs' ? furthestMs : nowMs + 60_000;
      expect(known({ [name]: furthestMs + 1 })).toEqual({ ...full, [name]: pulledIn });
    },
  );

  test('is fresh where there was none, and cautious for a day where it was invalid', () => {
    expect(restoreMemory({ kind: 'none' }, nowMs)).toEqual(freshMemory(nowMs));
    expect(restoreMemory({ kind: 'strange' }, nowMs)).toEqual({
      ...freshMemory(nowMs),
      cautiousUntilMs: nowMs + 24 * HOUR_MS,
    });
    expect(freshMemory(nowMs)).toMatchObject({
      dueMs: nowMs,
      pausedUntilMs: 0,
      cautiousUntilMs: 0,
      cutTo: null,
    });
  });
});
