// Every command where little can be shown: in a pipe, on a plain narrow terminal, and to a reader that has
// left. No command shows a stack, none sends what a terminal would obey, and each ends with its code.
import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { exitCodes } from '../../src-main/cli/exit-codes.ts';
import { run } from '../../src-main/cli/program.ts';
import { commandNames } from '../../src-main/contract/catalogue/program.ts';
import { commandEnv } from '../support/flow/command.ts';
import { ioFor } from '../support/flow/in-process.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';

/** They change the computer, or need a terminal of their own; tests of their own run them. */
const elsewhere = ['login', 'logout'];

/** Each can be repeated: it ends with the same code every time. `NEW`: a file that was just uploaded. */
const runs: [code: number, ...args: string[]][] = [
  [0, 'stats'],
  [0, 'profiles'],
  [0, 'upload', 'report.pdf', 'notes.txt'],
  [8, 'upload', 'id_rsa', 'nowhere.txt'],
  [2, 'upload'],
  [0, 'plan', 'report.pdf', 'photos'],
  [2, 'paste'],
  [0, 'watch', '--once', 'Outtray'],
  [0, 'folders'],
  [2, 'folders', 'set', 'Outtray', 'colour', 'red'],
  [0, 'list'],
  [0, 'list', '--sort', 'name', '--place', 'here'],
  [0, 'search', 'report'],
  [0, 'link', 'report.pdf'],
  [0, 'info', 'report.pdf'],
  [0, 'delete', 'NEW'],
  [5, 'delete', 'q999'],
  [0, 'recall', 'NEW'],
  [0, 'expire', 'report.pdf', '7d'],
  [2, 'expire', 'report.pdf', 'soon'],
  [0, 'follow', 'report.pdf'],
  [0, 'follow'],
  [0, 'follow', '--stop', 'report.pdf'],
  [0, 'card', 'report.pdf'],
  [0, 'verify', 'report.pdf'],
  [0, 'info', 'report.pdf'],
  [0, 'review'],
  [0, 'export'],
  [2, 'import', 'report.pdf'],
  [0, 'status'],
  [0, 'queue'],
  [0, 'held'],
  [5, 'confirm', 'q999'],
  [5, 'cancel', 'q999'],
  [0, 'retry'],
  [2, 'resolve', 'q1'],
  [0, 'pause', '1h'],
  [0, 'resume'],
  [0, 'why', 'report.pdf'],
  [0, 'settings'],
  [2, 'settings', 'get', 'colour'],
  [0, 'settings', 'set', 'expireAfter', '7d'],
  [0, 'integrate', '--list'],
  [0, 'mcp'],
  [0, 'doctor'],
  [0, 'completion', 'bash'],
  [2, 'completion', 'csh'],
  [2, 'uplaod'],
  ...commandNames.map((name): [number, ...string[]] => [0, 'help', name]),
];

const service = await ownService();
const place = await ownPlace(service);
beforeAll(async () => {
  for (const name of ['report.pdf', 'notes.txt', 'id_rsa', 'photos/sea.txt', 'Outtray/old.txt'])
    await place.put(`../${name}`, `the content of ${name}`);
  expect((await place.run(['upload', 'id_rsa'])).code).toBe(8);
});
beforeEach(() => {
  for (const [name, value] of Object.entries({ TERM: 'dumb', NO_COLOR: '1', FORCE_COLOR: undefined }))
    vi.stubEnv(name, value);
});

let made = 0;
/** The name of a new file with a link. */
const fresh = async (): Promise<string> => {
  made += 1;
  const name = `new ${made}.txt`;
  await place.put(`../${name}`, `the content of ${name}`);
  expect((await place.run(['upload', name])).code).toBe(0);
  return name;
};

type Said = { code: number; stdout: string; stderr: string };

const runIn = async (
  words: readonly string[],
  on: { columns?: number; stdout?: () => Writable } = {},
): Promise<Said> => {
  const args: string[] = [];
  for (const word of words) args.push(word === 'NEW' ? await fresh() : word);
  const said = { stdout: '', stderr: '' };
  const env = commandEnv({ ...place.env, TERM: 'dumb', LC_ALL: 'C' });
  const io = ioFor({ env, cwd: place.root, write: (stream, text) => (said[stream] += text) });
  if (on.columns !== undefined) {
    // Of Node's own: it reads the variables.
    const { getColorDepth } = WriteStream.prototype;
    for (const stream of [io.stdout, io.stderr])
      Object.assign(stream, { isTTY: true, columns: on.columns, getColorDepth });
  }
  const code = await run(args, { ...io, ...(on.stdout === undefined ? {} : { stdout: on.stdout() }) });
  return { code, ...said };
};

/** What is wrong with the output, wherever it is written. */
const problemsOf = ({ stdout, stderr }: Said): string[] => {
  const all = stdout + stderr;
  return [
    ...(/^\s+at .*[:(]/m.test(all) ? ['shows a stack'] : []),

    ...(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(all) ? ['has control characters'] : []),
  ];
};

/** Each run with its code, and what is wrong; nothing where all is right. */
const wrongOnes = async (
  way: Parameters<typeof runIn>[1],
  isCode: (code: number, expected: number) => boolean,
  more: (said: Said, args: readonly string[]) => string[] = () => [],
): Promise<unknown[]> => {
  const wrong: unknown[] = [];
  for (const [expected, ...args] of runs) {
    const said = await runIn(args, way);
    const problems = [...problemsOf(said), ...more(said, args)];
    if (!isCode(said.code, expected) || problems.length > 0)
      wrong.push({ args, expected, problems, ...said });
  }
  return wrong;
};

test('every command is in the list', () => {
  const named = new Set(runs.map(([, name]) => name));
  expect(commandNames.filter((name) => !named.has(name)).sort()).toEqual(elsewhere);
});

test('in a pipe, in the C locale: no escape codes, the right exit code', { timeout: 120_000 }, async () => {
  expect(await wrongOnes({}, (code, expected) => code === expected)).toEqual([]);
});

test(
  'to a reader that has left: no message about it, and no exit code of an interruption',
  { timeout: 120_000 },
  async () => {
    const gone = (): Writable =>
      new Writable({
        write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
      });
    const isCode = (code: number, expected: number): boolean =>
      code === expected || code === exitCodes.readerGone;
    const more = ({ stderr }: Said): string[] =>
      /EPIPE|could not be written/.test(stderr) ? ['tells of it'] : [];
    expect(await wrongOnes({ stdout: gone }, isCode, more)).toEqual([]);
  },
);

test('on a plain terminal of 36 columns: help and tables fit', { timeout: 120_000 }, async () => {
  const columns = 36;
  const fitted = new Set(['help', 'list', 'search', 'upload']);
  /** Text to be typed is never broken, and a line of one word cannot be. */
  const isTooWide = (line: string): boolean =>
    line.length > columns && /\S\s+\S/.test(line) && !/^(Usage:| {2}outtray) /.test(line);
  const more = ({ stdout }: Said, [name = '']: readonly string[]): string[] =>
    fitted.has(name)
      ? stdout.split('\n').flatMap((line) => (isTooWide(line) ? [`too wide: ${line}`] : []))
      : [];
  expect(await wrongOnes({ columns }, (code, expected) => code === expected, more)).toEqual([]);
});
