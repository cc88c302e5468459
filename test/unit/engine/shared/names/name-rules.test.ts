import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createIgnoreRules } from '../../../../../src-main/adapters/ignore.ts';
import { createNameRules, type NameVerdict } from '../../../../../src-main/engine/shared/names/name-rules.ts';
import {
  endings,
  looksSecret,
  secretNames,
  wholeNames,
} from '../../../../../src-main/engine/shared/names/secret-names.ts';
import { systemFolders } from '../../../../../src-main/engine/shared/names/system-folders.ts';
import { marks, programs } from '../../../../../src-main/engine/shared/names/unfinished-marks.ts';
import { namedFile } from '../../../../../src-main/engine/shared/sent-name.ts';

const judge = (
  name: string,
  given: { ignore?: string[]; includeHidden?: boolean; holdSecrets?: boolean } = {},
) =>
  createNameRules(
    { ignore: [], includeHidden: false, holdSecrets: true, ...given },
    createIgnoreRules(),
  ).judge(namedFile(name));
const wanted: NameVerdict = { kind: 'wanted' };
const secret: NameVerdict = { kind: 'secret' };
const hidden: NameVerdict = { kind: 'skip', rule: 'hidden' };

const skipped = (rule: string) => ({ kind: 'skip', rule });
/** `names.txt`: the names of each kind, one a line. */
const names = new Map(
  readFileSync(path.join(import.meta.dirname, 'names.txt'), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((block) => block.trimEnd().split('\n'))
    .map(([kind = '', ...all]) => [kind, all]),
);

describe.each<[kind: string, verdict: object, includeHidden: boolean]>([
  ['an unfinished download', skipped('partial'), false],
  ['a program’s own file', skipped('temporary'), false],
  ['an ordinary file', wanted, false],
  ['a pattern for secrets', wanted, true],
  ['a public key or a certificate', wanted, false],
  ['what only begins like a public key', secret, false],
  ['what looks like a secret', secret, false],
  ['what is common for other files', wanted, false],
  ['a temporary file of rsync', skipped('partial'), true],
  ['another hidden file', wanted, true],
  ['a system folder', skipped('system'), false],
  ['a hidden system folder', skipped('system'), true],
  ['a name like that of a system folder', wanted, false],
])('the name of %s', (kind, verdict, includeHidden) => {
  test.each(names.get(kind) ?? [])('%s', (name) => {
    expect(judge(name, { includeHidden })).toMatchObject(verdict);
  });
});

test('names.txt has names of these kinds alone', () => expect(names.size).toBe(13));

describe('a name', () => {
  test('that looks like a secret is held, hidden or not: each row of the table, and its copies', () => {
    for (const { like, is } of secretNames) expect([like, is.test(like)]).toEqual([like, true]);
    const likes = secretNames.map(({ like }) => like);
    for (const like of [...likes, ...wholeNames, ...[...endings].map((ending) => `a${ending}`)]) {
      const below = `sub/${like}`;
      for (const one of [below, below.toUpperCase(), `${below}.old`, `${below} copy`, `${below}.bak.2`])
        expect([one, judge(one, { includeHidden: true })]).toEqual([one, secret]);
    }
  });

  test('is judged with its folder where programs share a name, with either separator', () => {
    expect(judge('.kube/config', { includeHidden: true })).toEqual(secret);
    expect(looksSecret(namedFile('/home/me/.kube/config'))).toBe(true);
    expect(looksSecret(namedFile('C:\\Users\\me\\.docker\\config.json'))).toBe(true);
    expect(looksSecret(namedFile('/home/me/.kube/config.bak'))).toBe(true);
    expect(looksSecret(namedFile('/home/me/docker/config.json'))).toBe(false);
    expect(looksSecret(namedFile('/home/me/.docker\\config.json'))).toBe(true);
  });

  test('is judged at once however long it is', () => {
    expect(looksSecret(namedFile('.old'.repeat(50_000)))).toBe(false);
    expect(looksSecret(namedFile(`${'a-credentials-'.repeat(20_000)}x`))).toBe(false);
  });

  test("is no secret when the user's setting does not hold secrets", () => {
    expect(judge('server.pem', { holdSecrets: false })).toEqual(wanted);
    expect(judge('.env', { holdSecrets: false })).toEqual(hidden);
    expect(looksSecret(namedFile('readme.md'))).toBe(false);
  });

  test('that begins with a dot, or lies below such a folder, is hidden', () => {
    expect(judge('.profile')).toEqual(hidden);
    expect(judge('.git/config')).toEqual(hidden);
    expect(judge('.ssh/id_rsa')).toEqual(hidden);
    expect(judge('.git/config', { includeHidden: true })).toEqual(wanted);
    expect(judge('.ssh/id_rsa', { includeHidden: true })).toEqual(secret);
  });
});

describe('patterns of the user', () => {
  test('skip a file and record the pattern that matched', () => {
    expect(judge('sub/a.log', { ignore: ['*.log'] })).toEqual({
      kind: 'skip',
      rule: 'ignored',
      pattern: '*.log',
    });
    expect(judge('build/a.txt', { ignore: ['build/'] })).toMatchObject({
      rule: 'ignored',
      pattern: 'build/',
    });
  });

  test('come after the built-in ones and can override them', () => {
    expect(judge('a.part', { ignore: ['!*.part'] })).toEqual(wanted);
    expect(judge('a.tmp', { ignore: ['!*.part'] })).toMatchObject({ rule: 'temporary' });
  });

  test('cannot release a secret', () => {
    expect(judge('server.pem', { ignore: ['!*.pem'] })).toEqual(secret);
  });

  test('that are invalid are refused', () => {
    expect(() => judge('a', { ignore: ['[open'] })).toThrow('never closed');
  });
});

describe('a file in a system folder', () => {
  test('is uploaded when the person allows that folder', () => {
    expect(judge('lost+found/a.txt', { ignore: ['!lost+found/'] })).toEqual(wanted);
  });
});

/** A name for each pattern of the tables; folders end in `/`. */
const namesOfRules = (letter: string): string[] => [
  ...[...marks.keys(), ...systemFolders.keys()].map((pattern) =>
    pattern
      .replace(/\[0-9\]/g, '7')
      .replace(/[*?]/g, letter)
      .replace(/\\/g, ''),
  ),
  ...programs.flatMap(({ shape }) => (shape === undefined ? [] : [shape.like])),
];

describe('below a folder with any name that a pattern of the tables matches', () => {
  const asFile = (name: string): string => (name.endsWith('/') ? `${name}a.txt` : name);
  const files = [
    ...[...namesOfRules('x').map(asFile), ...secretNames.map(({ like }) => like)],
    ...[
      'holiday.jpg',
      'draft.psd',
      'own.part',
      'build/a.txt',
      '.profile',
      '.git/config',
      'a.txt',
      'b/c/d.txt',
    ],
  ];
  const folders = [
    ...namesOfRules('x'),
    ...namesOfRules('F'),
    'My.Projects',
    'cafe.deadbeef',
    '.a.gitrepo',
  ].map((name) => name.replace(/\/$/, ''));

  test.each([true, false])('each rule holds as it does above it; hidden files too: %s', (includeHidden) => {
    const rules = createNameRules(
      { ignore: ['*.psd', 'build/', '!own.part', '/a.txt'], includeHidden, holdSecrets: true },
      createIgnoreRules(),
    );
    const verdict = (path: string): NameVerdict => rules.judge(namedFile(path));
    const rightOf = new Map(files.map((file) => [file, verdict(`sub/${file}`)]));
    const wrong: unknown[] = [];
    let open = 0;
    for (const folder of folders) {
      const isOpen = verdict(`${folder}/holiday.jpg`).kind === 'wanted';
      if (isOpen) open += 1;
      for (const file of isOpen ? files : ['holiday.jpg', '.profile'])
        for (const above of [folder, `sub/${folder}`, `${folder}/sub`]) {
          const found = verdict(`${above}/${file}`);
          const isRight = isOpen ? isDeepStrictEqual(found, rightOf.get(file)) : found.kind === 'skip';
          if (!isRight) wrong.push([`${above}/${file}`, found]);
        }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(open).toBeGreaterThan(0);
  });

  test('a pattern of the user that is the same as a built-in one is the user’s', () => {
    const ignore = ['*.part', 'lost+found/', '*.????????', '.*.??????', '*.tmp'];
    for (const path of [
      'a.part',
      'lost+found/a',
      'My.Projects/a.txt',
      'x/My.Projects/b/c.txt',
      'a.tmp',
      '.a.abcdef',
    ])
      expect(judge(path, { ignore })).toMatchObject({ rule: 'ignored' });
  });
});
