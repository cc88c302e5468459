import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createIgnoreRules } from '../../src-main/adapters/ignore.ts';
import { temporaryFolder } from './files-folder.ts';

const compile = (patterns: readonly string[]) => {
  const match = createIgnoreRules().compile(patterns);
  return (path: string, isFolder: boolean): string | null => {
    const found = match(path, isFolder);
    return found?.kind === 'ignored' ? found.pattern : null;
  };
};

test('the deciding pattern is named', () => {
  const rule = compile(['*.tmp', 'build/', '/only-here', '**/deep/*.log', 'a[0-9]']);
  expect(rule('x.tmp', false)).toBe('*.tmp');
  expect(rule('sub/x.tmp', false)).toBe('*.tmp');
  expect(rule('build', true)).toBe('build/');
  expect(rule('build', false)).toBeNull();
  expect(rule('sub/build', true)).toBe('build/');
  expect(rule('only-here', false)).toBe('/only-here');
  expect(rule('sub/only-here', false)).toBeNull();
  expect(rule('x/deep/y.log', false)).toBe('**/deep/*.log');
  expect(rule('a7', false)).toBe('a[0-9]');
  expect(rule('kept.txt', false)).toBeNull();
  expect(rule('', true)).toBeNull();
});

test('the last match wins, a negation includes again, and a folder above overrules it', () => {
  const rule = compile(['*.log', '!keep.log', 'out/', '!out/keep.log']);
  expect(rule('x.log', false)).toBe('*.log');
  expect(rule('keep.log', false)).toBeNull();
  expect(rule('out/keep.log', false)).toBe('out/');
  expect(compile(['!keep.log', '*.log'])('keep.log', false)).toBe('*.log');
  expect(compile(['*.log', '!keep.log', '*.log'])('keep.log', false)).toBe('*.log');
});

test.each(['Entwürfe/', 'Übersicht*.pdf', 'sub/Ärger.txt', 'が/'])(
  'the pattern %s means a name in either form of Unicode, and is named as it is written',
  (pattern) => {
    const name = pattern.replace('*', ' 1').replace('/', '');
    for (const written of [pattern, pattern.normalize('NFD')])
      for (const form of ['NFC', 'NFD']) {
        const path = written.startsWith('sub') ? pattern : written.endsWith('/') ? `${name}/a.txt` : name;
        expect(compile([written])(path.normalize(form), false)).toBe(written);
      }
  },
);

test('a file below an ignored folder names that folder’s pattern', () => {
  expect(compile(['node_modules'])('a/node_modules/b/c.js', false)).toBe('node_modules');
});

test('upper and lower case are equivalent', () => {
  expect(compile(['*.PSD'])('draft.psd', false)).toBe('*.PSD');
});

test('comments, blank lines and escaped first characters are read as in a .gitignore', () => {
  const rule = compile(['# comment', '', '   ', '\\#literal', '\\!literal', 'space\\ ']);
  expect(rule('# comment', false)).toBeNull();
  expect(rule('#literal', false)).toBe('\\#literal');
  expect(rule('!literal', false)).toBe('\\!literal');
  expect(rule('space ', false)).toBe('space\\ ');
});

test.each(['[abc', 'a[', '[]', '[!]', 'x\\', '!', '/', '!/', 'two\nlines', 'nul\0'])(
  'a pattern that can match nothing is refused by its place and name: %j',
  (pattern) => {
    expect(() => compile(['*.ok', pattern])).toThrow(
      expect.objectContaining({
        code: 'bad-setting',
        message: expect.stringContaining(`Ignore pattern 2, ${JSON.stringify(pattern)}`) as string,
      }) as Error,
    );
  },
);

test.each(['[a]', '[]a]', '[!]a]', '[[:alpha:]]x', '\\[', 'x\\\\', '[a\\]b]', 'a]'])(
  'an unusual but valid pattern is accepted: %j',
  (pattern) => {
    expect(() => compile([pattern])).not.toThrow();
  },
);

test('matching very many paths does not change the answers', () => {
  const rule = compile(['*.tmp', '!7.tmp']);
  for (let index = 0; index < 25_000; index += 1) {
    expect(rule(`${index}.tmp`, false) === null).toBe(index === 7);
  }
});

const hasGit = (() => {
  try {
    execFileSync('git', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

test.runIf(hasGit)('git names the same patterns for the same paths', () => {
  const patterns = [
    '*.log',
    '!important.log',
    'build/',
    '/root.txt',
    'doc/*.txt',
    '**/cache',
    'a/**/z',
    'x?',
    'q[!a]',
  ];
  const paths = [
    'a.log',
    'important.log',
    'build/x',
    'sub/build/y',
    'root.txt',
    'sub/root.txt',
    'doc/a.txt',
    'doc/sub/a.txt',
    'sub/cache/f',
    'a/z',
    'a/b/c/z',
    'xy',
    'xyz',
    'qa',
    'qb',
    'build.txt',
    'sub/important.log',
  ];
  const folder = temporaryFolder();
  for (const path of paths) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  writeFileSync(join(folder, '.gitignore'), patterns.join('\n'));
  const git = (...args: string[]): string => execFileSync('git', ['-C', folder, ...args]).toString();
  git('init', '-q');
  const answers = git('check-ignore', '-v', '-n', '--no-index', ...paths)
    .trimEnd()
    .split('\n');
  const byGit = answers.map((line) => /^\.gitignore:\d+:(.*)\t/.exec(line)?.[1] ?? null);
  const rule = compile(patterns);
  expect(paths.map((path) => rule(path, false))).toEqual(
    byGit.map((pattern) => (pattern?.startsWith('!') === true ? null : pattern)),
  );
});
