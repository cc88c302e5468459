import { describe, expect, test } from 'vitest';
import {
  AppError,
  fromWire,
  isAboutOneFile,
  isErrorCode,
  toAppError,
  toWire,
  unreachable,
} from '../../../src-main/contract/errors.ts';

describe('the one error of the program', () => {
  test('crosses a process border with code, message and remedy, and nothing else', () => {
    const error = new AppError('limit', 'Too much.', 'Wait.', { status: 403, evidence: 'x', cause: 'y' });
    const wire = toWire(error);
    expect(wire).toEqual({ code: 'limit', message: 'Too much.', remedy: 'Wait.' });
    expect(fromWire(wire)).toMatchObject({ name: 'AppError', code: 'limit', status: undefined });
  });

  test('keeps its cause, and has none where none was given', () => {
    const cause = new Error('deep');
    expect(new AppError('disk', 'Full.', '', { cause }).cause).toBe(cause);
    expect('cause' in new AppError('disk', 'Full.')).toBe(false);
  });

  test('has a code from the one table', () => {
    expect(isErrorCode('gone')).toBe(true);
    expect(isErrorCode('toString')).toBe(false);
  });
});

describe('any thrown value', () => {
  test('stays itself when it is the error of the program', () => {
    const error = new AppError('gone', 'Not there.');
    expect(toAppError(error)).toBe(error);
  });

  test('may quote a token that nobody here knows, and then loses it', () => {
    const { message } = toAppError(new Error('header "Bearer tok-123" is not allowed'));
    expect(message).toBe('Something went wrong inside Outtray: header "Bearer «redacted»" is not allowed');
    expect(toWire('bearer%20tok-123').message).toContain(': Bearer «redacted»');
  });

  test('is a stop when the platform aborts', () => {
    const abort = new Error('x');
    abort.name = 'AbortError';
    expect(toAppError(abort)).toMatchObject({ code: 'aborted', cause: abort });
  });

  test('is a fault of Outtray otherwise, with the thrown value in the sentence', () => {
    expect(toAppError(new TypeError('x is no function'))).toMatchObject({ code: 'internal' });
    expect(toAppError(new TypeError('x is no function')).message).toContain('x is no function');
    expect(toAppError('just text').message).toContain('just text');
  });

  test('shows by its code whether it concerns one file only', () => {
    expect((['not-found', 'refused', 'offline', 'key-refused'] as const).map(isAboutOneFile)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('a case that the types rule out reports the value', () => {
    expect(() => unreachable({ kind: 'new' } as never)).toThrow('{"kind":"new"}');
  });
});
