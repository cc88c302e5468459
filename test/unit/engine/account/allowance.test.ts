import { describe, expect, test } from 'vitest';
import { refusal, rootProblem, type Allowance } from '../../../../src-main/engine/account/allowance.ts';

const rules = (some: Partial<Allowance>): Allowance => ({
  allowedRoots: [],
  forbiddenRoots: [],
  maxFileBytes: null,
  allowedTypes: [],
  forbiddenTypes: [],
  ...some,
});
const codeOf = (path: string, some: Partial<Allowance>, sizeBytes = 1) => {
  const state = refusal(path, sizeBytes, rules(some));
  return state?.kind === 'failed' ? state.code : null;
};

test('without rules everything may be shared', () => {
  expect(refusal('/home/me/x.exe', Number.MAX_SAFE_INTEGER, rules({}))).toBeNull();
});

describe('roots', () => {
  test.each([
    ['/srv/shared/a.txt', null],
    ['/srv/shared', null],
    ['/srv/shared/private/a.txt', 'below /srv/shared/private/'],
    ['/srv/sharedness/a.txt', 'outside /srv/shared'],
    ['/home/me/a.txt', 'outside /srv/shared'],
  ])('%s is %s', (path, problem) => {
    expect(
      rootProblem(path, { allowedRoots: ['/srv/shared'], forbiddenRoots: ['/srv/shared/private/'] }),
    ).toBe(problem);
  });

  test('Windows reads either separator and no capitals', () => {
    const given = { allowedRoots: ['C:/Shared/'], forbiddenRoots: ['\\\\nas\\Staff'] };
    expect(rootProblem('c:\\shared\\a.txt', given)).toBeNull();
    expect(rootProblem('\\\\NAS\\staff\\a.txt', given)).toBe('below \\\\nas\\Staff');
    expect(rootProblem('D:\\shared\\a.txt', given)).toBe('outside C:/Shared/');
    expect(rootProblem('C:\\a.txt', { allowedRoots: ['c:\\'], forbiddenRoots: [] })).toBeNull();
  });

  test('the whole disk is a root as well', () => {
    expect(rootProblem('/a', { allowedRoots: [], forbiddenRoots: ['/'] })).toBe('below /');
  });
});

test('kinds of files are told by their ending, without capitals; forbidden wins over allowed', () => {
  expect(codeOf('/a/x.PDF', { allowedTypes: ['pdf'] })).toBeNull();
  expect(codeOf('/a/x.txt', { allowedTypes: ['pdf'] })).toBe('refused');
  expect(codeOf('/a.pdf/x', { allowedTypes: ['pdf'] })).toBe('refused');
  expect(codeOf('/a/.pdf', { allowedTypes: ['pdf'] })).toBe('refused');
  expect(codeOf('/a/x.pdf', { allowedTypes: ['pdf'], forbiddenTypes: ['pdf'] })).toBe('refused');
});

test('the size is refused from one byte over the limit', () => {
  expect(codeOf('/a/x', { maxFileBytes: 10 }, 10)).toBeNull();
  expect(codeOf('/a/x', { maxFileBytes: 10 }, 11)).toBe('too-large');
});

test('the reason names the rule and where to ask', () => {
  expect(refusal('/home/me/x', 1, rules({ forbiddenRoots: ['/home/me'] }))).toMatchObject({
    code: 'outside',
    message: 'Files below /home/me are not shared.',
    remedy: expect.stringContaining('outtray settings') as unknown,
  });
});
