import { describe, expect, test } from 'vitest';
import { call } from '../../../../src-main/contract/text/wording.ts';
import { refusal, rootProblem, type Allowance } from '../../../../src-main/engine/candidate/allowance.ts';
import { candidateOf, writtenPlace } from '../../../../src-main/engine/candidate/candidate.ts';
import { nameToSend } from '../../../../src-main/engine/shared/sent-name.ts';
import type { Place } from '../../../../src-main/engine/ports/files.ts';

const rules = (some: Partial<Allowance>): Allowance => ({
  allowedRoots: [],
  forbiddenRoots: [],
  maxFileBytes: null,
  allowedTypes: [],
  forbiddenTypes: [],
  ...some,
});
const refusalOf = (path: string, some: Partial<Allowance>, sizeBytes = 1) =>
  refusal(candidateOf(writtenPlace(path), sizeBytes), rules(some));
const codeOf = (path: string, some: Partial<Allowance>, sizeBytes = 1) =>
  refusalOf(path, some, sizeBytes)?.code ?? null;
const problemOf = (path: string, given: { allowedRoots: string[]; forbiddenRoots: string[] }) =>
  rootProblem(writtenPlace(path), {
    allowedRoots: given.allowedRoots.map(writtenPlace),
    forbiddenRoots: given.forbiddenRoots.map(writtenPlace),
  });

test('without rules everything may be shared', () => {
  expect(refusalOf('/home/me/x.exe', {}, Number.MAX_SAFE_INTEGER)).toBeNull();
});

describe('roots', () => {
  test.each([
    ['/srv/shared/a.txt', null],
    ['/srv/shared', null],
    ['/srv/shared/private/a.txt', 'below /srv/shared/private/'],
    ['/srv/sharedness/a.txt', 'outside /srv/shared'],
    ['/home/me/a.txt', 'outside /srv/shared'],
  ])('%s is %s', (path, problem) => {
    expect(problemOf(path, { allowedRoots: ['/srv/shared'], forbiddenRoots: ['/srv/shared/private/'] })).toBe(
      problem,
    );
  });

  test('are compared on Windows with either separator and without regard to case', () => {
    const given = { allowedRoots: ['C:/Shared/'], forbiddenRoots: ['\\\\nas\\Staff'] };
    expect(problemOf('c:\\shared\\a.txt', given)).toBeNull();
    expect(problemOf('\\\\NAS\\staff\\a.txt', given)).toBe('below \\\\nas\\Staff');
    expect(problemOf('D:\\shared\\a.txt', given)).toBe('outside C:/Shared/');
    expect(problemOf('C:\\a.txt', { allowedRoots: ['c:\\'], forbiddenRoots: [] })).toBeNull();
  });

  test('may be the whole disk', () => {
    expect(problemOf('/a', { allowedRoots: [], forbiddenRoots: ['/'] })).toBe('below /');
  });
});

test('types are recognised by extension, without regard to case; forbidden wins over allowed', () => {
  expect(codeOf('/a/x.PDF', { allowedTypes: ['pdf'] })).toBeNull();
  expect(codeOf('/a/x.txt', { allowedTypes: ['pdf'] })).toBe('forbidden');
  expect(codeOf('/a.pdf/x', { allowedTypes: ['pdf'] })).toBe('forbidden');
  expect(codeOf('/a/.pdf', { allowedTypes: ['pdf'] })).toBe('forbidden');
  expect(codeOf('/a/x.pdf', { allowedTypes: ['pdf'], forbiddenTypes: ['pdf'] })).toBe('forbidden');
});

test('a file is refused when it exceeds the size limit by one byte', () => {
  expect(codeOf('/a/x', { maxFileBytes: 10 }, 10)).toBeNull();
  expect(codeOf('/a/x', { maxFileBytes: 10 }, 11)).toBe('forbidden');
  expect(refusalOf('/a/x', { maxFileBytes: 5_000_000_000 }, 5_000_000_001)?.message).toBe(
    'The file is larger than 5 GB, the most that the rules here allow.',
  );
});

test('the reason names the rule and where to ask', () => {
  expect(refusalOf('/home/me/x', { forbiddenRoots: [writtenPlace('/home/me')] })).toMatchObject({
    code: 'forbidden',
    message: 'Files below /home/me are not shared.',
    remedy: expect.arrayContaining([call('settings')]) as unknown,
  });
});

describe('a path is judged by the real folder that it leads to', () => {
  const place = (path: string, names: string[], folders: string[] = []): Place => ({ path, names, folders });
  const root = place('/secret', ['/secret'], ['1:7', '1:2']);
  test.each<[what: string, file: Place]>([
    ['a link on the way', place('/pub/l/a', ['/pub/l/a', '/secret/a'])],
    ['the written path, though a link leads out of it', place('/secret/l/a', ['/secret/l/a', '/pub/a'])],
    [
      'another spelling of the folder: capitals, 8.3, another mount',
      place('/SECRET/a', ['/SECRET/a'], ['1:9', '1:7', '1:2']),
    ],
    ['the folder itself', place('/x', ['/x'], ['1:7', '1:2'])],
  ])('forbidden: %s', (_what, file) => {
    expect(rootProblem(file, { allowedRoots: [], forbiddenRoots: [root] })).toBe('below /secret');
  });

  test('a part of the forbidden folder that is mounted elsewhere is recognised by its path on the file system', () => {
    const bound = place('/mnt/a', ['8:1:/secret/deep/a', '/mnt/a']);
    const onDisk = place('/secret', ['8:1:/secret', '/secret']);
    expect(rootProblem(bound, { allowedRoots: [], forbiddenRoots: [onDisk] })).toBe('below /secret');
  });

  test('composed and decomposed letters name the same forbidden folder', () => {
    const nfd = '/geh\u0065\u0301im';
    const file = writtenPlace(`${nfd}/a`);
    const forbidden = writtenPlace(nfd.normalize('NFC'));
    expect(rootProblem(file, { allowedRoots: [], forbiddenRoots: [forbidden] })).not.toBeNull();
  });

  test('only what really lies in an allowed folder is allowed', () => {
    const allowed = place('/pub', ['/pub'], ['1:5', '1:2']);
    const asked = { allowedRoots: [allowed], forbiddenRoots: [] };
    expect(rootProblem(place('/pub/l/a', ['/pub/l/a', '/home/a'], ['1:9']), asked)).toBe('outside /pub');
    expect(rootProblem(place('/l/a', ['/l/a', '/pub/a'], ['1:9']), asked)).toBeNull();
    expect(rootProblem(place('/PUB/a', ['/PUB/a'], ['1:9', '1:5']), asked)).toBeNull();
  });

  test('folders without device and inode numbers are not taken for the same folder', () => {
    const one = place('/a', ['/a'], ['', '']);
    const other = place('/b', ['/b'], ['', '']);
    expect(rootProblem(one, { allowedRoots: [], forbiddenRoots: [other] })).toBeNull();
  });
});

describe('the name on the disk and the sent name are both judged', () => {
  test.each([
    'tool.exe',
    'tool.EXE',
    'tool.exe.',
    'tool.exe ',
    'tool.exe . .',
    'tool.exe\u00a0',
    'tool.exe\u3000',
    'tool.exe\u200b',
    'tool.e\u00adxe',
    'tool.exe\ufe0f',
    'tool.exe\u2800',
    'tool.exe\u3164',
    '\u202etool.exe',
    'tool\uff0eexe',
    'tool\u2024exe',
    'tool\u3002exe',
    'tool.\uff45\uff58\uff45',
    'tool.\u0435x\u0435',
    'tool.e\u0445e',
    'tool.ex\u212f',
    'tool.exe:',
    'tool.exe::$DATA',
    'tool.txt:tool.exe',
    'invoice.pdf.exe',
    'tool.exe.txt',
    'tool.exe\0ff',
    'tool.exe\n',
    'tool.exe..txt.',
    'tool.exe\t',
    'tool\t.\texe',
    'tool.exe \t .txt',
    'tool.e\u0301xe',
    'tool.exe\u0301\u0323',
    'tool.e\u0436xe',
    'tool.exe\\',
    'tool.txt\\tool.exe',
    'tool.exe*',
    'tool.exe?',
    'tool.exe|',
    'tool.exe"',
    'tool.exe<',
    'tool.exe>',
    'tool.exe_',
    'tool.exe~',
    'tool.exe;.jpg',
    'tool\ua60eexe',
    'tool\u0660exe',
    '.exe',
    '.exe.',
    ' .exe',
    '.exe\u200b',
    `.${'a'.repeat(195)}.exe${'x'.repeat(40)}`,
  ])('%j is of a forbidden type', (name) => {
    expect(codeOf(`/a/${name}`, { forbiddenTypes: ['exe'] })).toBe('forbidden');
  });

  test.each(['exe', 'exe.md', 'my exe.txt', 'texe', 'x.exes', 'архив.txt', '报告.pdf', 'a.b'])(
    '%j is of another type',
    (name) => {
      expect(codeOf(`/a/${name}`, { forbiddenTypes: ['exe'] })).toBeNull();
    },
  );

  // No service, browser or system would treat these as programs.
  test.each([
    ['tool.exe\tx', 'tool.exe_x'],
    ['tool.exe%00', 'tool.exe_00'],
    ['tool.exe%00.txt', 'tool.exe_00.txt'],
    ['tool%2eexe', 'tool_2eexe'],
    ['tool.exe%2f', 'tool.exe_2f'],
    ['tool.exe-', 'tool.exe-'],
  ])('%j is of another type, because it is sent as %j', (name, sent) => {
    expect(codeOf(`/a/${name}`, { forbiddenTypes: ['exe'] })).toBeNull();
    expect(nameToSend(name)).toBe(sent);
  });

  test("a web server's rules file has its own type; a hidden name has no allowed type", () => {
    expect(codeOf('/a/.htaccess', { forbiddenTypes: ['htaccess'] })).toBe('forbidden');
    expect(codeOf('/a/.pdf', { allowedTypes: ['pdf'] })).toBe('forbidden');
    expect(codeOf('/a/..pdf', { allowedTypes: ['pdf'] })).toBe('forbidden');
    expect(codeOf('/a/.a.pdf', { allowedTypes: ['pdf'] })).toBeNull();
  });

  test('an allowed type is allowed in every reading of the name, whatever a service makes of it', () => {
    expect(codeOf('/a/报告.txt', { allowedTypes: ['txt'] })).toBeNull();
    expect(codeOf('/a/x.c++', { allowedTypes: ['c++'] })).toBeNull();
    const allowedTypes = ['txt'];
    expect(codeOf('/a/x.txt', { allowedTypes })).toBeNull();
    expect(codeOf('/a/Ж.txt', { allowedTypes })).toBeNull();
    expect(codeOf('/a/x.exe\u200b.txt', { allowedTypes })).toBeNull();
    expect(codeOf('/a/x.txt:y.exe', { allowedTypes })).toBe('forbidden');
    expect(codeOf('/a/x.exe:y.txt', { allowedTypes })).toBe('forbidden');
  });

  test('an extension of two parts counts as an extension', () => {
    expect(codeOf('/a/x.tar.gz', { forbiddenTypes: ['tar.gz'] })).toBe('forbidden');
    expect(codeOf('/a/x.tar.gz', { forbiddenTypes: ['gz'] })).toBe('forbidden');
  });
});
