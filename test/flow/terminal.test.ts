// What the command prints on a terminal of 36, 60 and 80 columns.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { describe, expect, test, vi } from 'vitest';
import { run } from '../../src-main/cli/program.ts';
import { isDeep } from '../support/deep.ts';
import { commandEnv, commandWords, hasTerminal } from '../support/flow/command.ts';
import { ioFor } from '../support/flow/in-process.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';
import { createScreen } from '../support/flow/screen.ts';
import { within } from '../support/flow/within.ts';

const widths = [36, 60, 80];

const service = await ownService();
const place = await ownPlace(service);

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

describe.runIf(hasTerminal)('on a terminal', () => {
  test.each(widths)('help fits %i columns', async (columns) => {
    const { code, stdout } = await place.run(['help', 'pause'], { columns });
    expect(code).toBe(0);
    expect(widest(stdout.slice(stdout.indexOf('\n')))).toBeLessThanOrEqual(columns);
    expect(stdout).toMatchSnapshot();
  });
});

describe.runIf(hasTerminal)('files on a terminal', () => {
  test('upload shows which link belongs to which file, with a visible percentage on its bar; list has a header; delete and recall ask', async () => {
    await place.put('../one.bin', Buffer.alloc(300_000, 1));
    await place.put('../two.bin', Buffer.alloc(400_000, 2));
    const settings = { OUTTRAY_HOME: place.home };
    expect(
      (await place.run(['settings', 'set', 'bandwidthBytesPerSecond', '400000'], { env: settings })).code,
    ).toBe(0);
    const up = await place.run(['upload', 'one.bin', 'two.bin'], { columns: 36 });
    const [one, two] = ['one.bin', 'two.bin'].map((name) =>
      service.files().find((file) => file.filename === name),
    );
    expect(up.code).toBe(0);
    expect(up.stdout).toContain(`one.bin\n${one?.link ?? ''}\n`);
    expect(up.stdout).toMatch(/0 of 2 +\d+%/);
    const wide = await place.run(['--no-progress', 'upload', 'one.bin', 'two.bin'], { columns: 80 });
    expect(wide.stdout).toBe(
      `one.bin  ${one?.link ?? ''}\ntwo.bin  ${two?.link ?? ''}\n2 uploaded (2 of them before).\n`,
    );
    const list = await place.run(['list'], { columns: 60 });
    expect(list.stdout).toMatch(/^ *ID +Size +Uploaded +Downloads +Name +Link\n/);
    expect(list.stdout.split('\n')).toContain(`  ${one?.link ?? ''}`);

    const asked = await place.run(['delete', String(one?.id)], { columns: 80, stdin: 'n' });
    const said = asked.stdout.replaceAll(/\s*\n[│\s]*/g, ' ');
    expect(said).toMatch(
      /Delete \S+ ?one\.bin \(\d+, ?http\S+\) from the account\? Its link stops working\./,
    );
    expect(asked).toMatchObject({
      code: 130,
      stdout: expect.stringContaining('Nothing was deleted.') as string,
    });
    const kept = await place.run(['recall', 'one.bin'], { columns: 80, stdin: 'n' });
    expect(kept.stdout.replaceAll(/\s*\n[│\s]*/g, ' ')).toContain(`${one?.link ?? ''}) for good?`);
    expect(kept).toMatchObject({
      code: 130,
      stdout: expect.stringContaining('No link was taken back.') as string,
    });
    const exposed = await place.run(['recall', '--all-copies', 'one.bin'], { columns: 80, stdin: 'n' });
    expect(exposed).toMatchObject({
      code: 130,
      stdout: expect.stringContaining('No link was taken back.') as string,
    });
    // A terminal that moves no cursor gets the question in one plain line.
    const dumb = await place.run(['delete', String(one?.id)], {
      columns: 80,
      stdin: 'n\n',
      env: { TERM: 'dumb' },
    });
    expect(dumb.code).toBe(130);
    expect(dumb.stdout).toMatch(
      /^Delete \S+one\.bin \(\d+, http\S+\) from the account\? Its link stops working\. \[y\/N\] /m,
    );
    expect(dumb.stdout).not.toContain('\x1b');
    expect(service.files()).toHaveLength(2);
    expect((await place.run(['delete', '--yes', String(one?.id)], { columns: 80 })).code).toBe(0);
    // Without a terminal there is no question: to name the ids is the explicit act.
    expect((await place.run(['recall', 'two.bin'])).code).toBe(0);
    expect(service.files()).toHaveLength(0);
    await place.put('../three.txt', 'three');
    await place.put('../four.txt', 'four');
    expect((await place.run(['upload', 'three.txt', 'four.txt'])).code).toBe(0);
    expect((await place.run(['recall', '--yes', 'three.txt'], { columns: 80 })).code).toBe(0);
    expect((await place.run(['delete', 'four.txt'])).code).toBe(0);
    expect(service.files()).toHaveLength(0);
  });

  test('a form shows what a name hides, and keeps its own tabs', async () => {
    await place.put('../joined\u200cname.txt', 'joined');
    const form = ['upload', '--no-progress', '--format', '{name}\t{link}', 'joined\u200cname.txt'];
    const { stdout } = await place.run(form, { columns: 80 });
    expect(stdout).toBe(`joined\\u{200c}name.txt\t${service.files().at(-1)?.link}\n`);
  });
});

/** What a run on a terminal of this width shows. */
const seen = async (args: readonly string[], columns: number, given: Place = place): Promise<string[]> => {
  const screen = createScreen(columns, 40, () => undefined);
  const io = ioFor({ env: commandEnv(given.env), cwd: given.root, write: () => undefined });
  await run([...args], { ...io, stdout: screen.stream, stderr: screen.stream });
  return await screen.lines();
};

/** Types `keys` when the key is asked for; `hides`: the echo settings that the terminal received, in order. */
const logIn = async (keys: string, env: Record<string, string>, errors: { isTTY: boolean }) => {
  const hides: boolean[] = [];
  const setRawMode = (hide: boolean): void => void hides.push(hide);
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  let said = '';
  const write = (_: unknown, text: string): void => {
    said += text;
    // The question is written before the terminal is changed.
    if (text.startsWith('API key')) setImmediate(() => stdin.write(keys));
  };
  const given = { ...place.env, OUTTRAY_API_KEY: undefined, ...env };
  const io = ioFor({ env: commandEnv(given), cwd: place.root, write });
  Object.assign(io.stderr, errors);
  const code = await run(['login'], { ...io, stdin: () => stdin });
  // The name of the command may be red.
  return { code, said: said.replace(/\x1b\[3[19]m/g, ''), hides };
};

test.each([
  ['on a terminal that moves no cursor', { TERM: 'dumb' }, { isTTY: true }],
  ['with standard error in a file', { TERM: 'xterm' }, { isTTY: false }],
])('%s the key is asked for in one plain line, and never echoed', async (_, env, errors) => {
  const asks = 'API key (account settings of the service, section API): \n';
  // It may be edited before Enter.
  expect(await logIn('wrong\x15a-wrong-keyz\x7f\r', env, errors)).toEqual({
    code: 3,
    said: `${asks}outtray: The service does not accept the API key. Enter the current key.\n`,
    hides: [true, false],
  });
  for (const none of ['\x03', 'half a k\x03', '\x04'])
    expect(await logIn(none, env, errors)).toEqual({
      code: 130,
      said: `${asks}outtray: No key was given.\n`,
      hides: [true, false],
    });
});

test.each(isDeep ? [36, 40, 80, 200] : [36, 200])(
  '%i columns break no row of a table, and cut no link, id or path',
  async (columns) => {
    await within({}, async (listed, own) => {
      const shared = await own.put('report.pdf', 'the content');
      const deep = `${'folder/'.repeat(8)}the same again.pdf`;
      const copy = await own.put(deep, 'the content');
      const secret = await own.put('id_rsa', 'a name like that of a secret');
      await own.run(['folders', 'add', own.folder]);
      expect((await own.run(['upload', '--expire', '7d', shared])).code).toBe(0);
      expect((await own.run(['upload', '--again', copy])).code).toBe(0);
      expect((await own.run(['upload', secret])).code).toBe(8);
      await own.run(['follow', shared]);
      const links = listed.files().map(({ link }) => link);
      const ids = listed.files().map(({ id }) => String(id));
      const whole: Record<string, readonly string[]> = {
        status: [own.folder],
        folders: [own.folder],
        settings: [own.folder],
        list: [...links, ...ids],
        'list --place here': [...links, ...ids],
        'search pdf': [...links, ...ids],
        queue: ['q3', 'outtray confirm q3'],
        held: ['q3', secret],
        follow: [shared],
        review: ['outtray info '],
        'info report.pdf': [...links, copy],
        stats: [],
        doctor: [own.folder],
      };
      const missing: Record<string, unknown> = {};
      const broken: string[] = [];
      for (const [words, parts] of Object.entries(whole)) {
        const lines = await seen(words.split(' '), columns, own);
        const lost = parts.filter((part) => !lines.some((line) => line.includes(part)));
        if (lost.length > 0) missing[words] = { lost, lines };
        // Two blanks stand between cells.
        broken.push(...lines.filter((line) => line.length > columns && /\S {2,}\S/.test(line)));
      }
      expect({ missing, broken }).toEqual({ missing: {}, broken: [] });
    });
  },
);

test('an error is coloured on a terminal, and plain where a variable asks for it', async () => {
  vi.stubEnv('FORCE_COLOR', undefined);
  const said = async (variables: Record<string, string>): Promise<string> => {
    let text = '';
    const write = (_: unknown, part: string): void => void (text += part);
    const io = ioFor({ env: commandEnv(place.env), cwd: place.root, write });
    // Of Node's own: it reads these variables, and some of the machine that runs the tests (CI).
    const getColorDepth = () => WriteStream.prototype.getColorDepth({ TERM: 'xterm', ...variables });
    Object.assign(io.stderr, { isTTY: true, getColorDepth });
    expect(await run(['link', 'nowhere.txt'], io)).toBe(5);
    return text;
  };
  expect(await said({})).toContain('\x1b[31mouttray:\x1b[39m');
  for (const plain of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) expect(await said(plain)).not.toContain('\x1b');
});

describe('standard output that fails', () => {
  const runInto = (file: string, args: string[]) => {
    const output = openSync(file, 'w');
    try {
      const env = { ...place.env, PATH: process.env['PATH'], NO_COLOR: '1' };
      const [program, ...before] = commandWords;
      return spawnSync(program, [...before, ...args], {
        env,
        stdio: ['ignore', output, 'pipe'],
        encoding: 'utf8',
      });
    } finally {
      closeSync(output);
    }
  };

  test.runIf(existsSync('/dev/full'))('a full disk ends the run with 1 and one sentence', () => {
    for (const args of [['status'], ['--json', 'status'], ['--version']]) {
      const ended = runInto('/dev/full', args);
      expect({ args, code: ended.status }).toEqual({ args, code: 1 });
      expect(ended.stderr).toMatch(
        /^outtray: Standard output could not be written: no space is left\.[^\n]*\n$/,
      );
    }
  });

  test('a reader that has left ends it quietly', () => {
    const script = `{ "$@" help; echo "$?" >&2; } | true`;
    const ended = spawnSync('/bin/sh', ['-c', script, 'sh', ...commandWords], { encoding: 'utf8' });
    expect(ended.stderr).toBe('0\n');
    // Nothing else ends it, and it was not interrupted.
    const watch = `home="$1" folder="$2"; shift 2; { "$@" --json --home "$home" watch "$folder"; echo "$?" >&2; } | true`;
    const left = spawnSync('/bin/sh', ['-c', watch, 'sh', place.home, place.folder, ...commandWords], {
      encoding: 'utf8',
      env: { ...process.env, ...place.env },
    });
    expect(left.stderr).toBe('141\n');
  });
});

describe('without a terminal', () => {
  test('no arguments print the help on standard error and end with 2', async () => {
    const ended = await place.run([]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^Usage: outtray \[options\] \[command\]\n[^]*\n {2}upload /);
    expect((await place.json([])).lines[0]?.error).toMatchObject({
      code: 'bad-use',
      remedy: 'See `outtray help`.',
    });
  });

  test('help describes all commands, and a single one', async () => {
    const all = await place.run(['help']);
    expect(all).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout).toMatch(/^Usage: outtray /);
    // Each command stands below a heading that names its purpose.
    expect(all.stdout).not.toMatch(/^Commands:/m);
    expect(all.stdout).toMatch(/^Share files:\n {2}upload /m);
    expect((await place.run(['help', 'settings', 'set'])).stdout).toMatch(/^Usage: outtray settings set /);
    expect((await place.json(['help', 'why'])).lines[0]?.['help']).toMatch(/^Usage: outtray why /);
  });

  test.each([
    [['uplaod', 'x'], /unknown command 'uplaod' \(Did you mean upload\?\)/],
    [['help', 'uplaod'], /unknown command 'uplaod' \(Did you mean upload\?\)/],
    [['help', 'nonsense'], /unknown command 'nonsense'\. See `outtray help`\.\n$/],
    [['version'], /Use `outtray --version`\./],
    [['upload', '--colour'], /See `outtray help upload`\.\n$/],
    [['upload', '-dash.txt'], /See `outtray help upload`\. A file is named as `\.\/-dash\.txt`\.\n$/],
    [['integrate', '--list', '--remove'], /See `outtray help integrate`\./],
    [
      ['list', '--page', '0'],
      /^outtray: A page number is a whole number, 1 or higher\. The first page is --page 1\.\n$/,
    ],
    [['list', '--limit', 'x'], /^outtray: A page size is a whole number, 1 or higher\./],
    [['info', '0'], /^outtray: An id is a whole number, 1 or higher\./],
  ])('%j ends with 2 and names what to write instead', async (args, said) => {
    const ended = await place.run(args);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(said) as string });
  });

  test('retry skips a path that is no file, and --quiet still reports failures', async () => {
    const own = { env: { OUTTRAY_HOME: path.join(place.root, 'other-home') } };
    const ended = await place.run(['--quiet', 'upload', place.folder, 'nowhere.txt'], own);
    expect(ended).toMatchObject({ code: 8, stdout: '' });
    expect(ended.stderr).toMatch(/^folder: This is a folder\.[^\n]*\nnowhere\.txt: There is no such file\./);
    expect((await place.json(['queue'], own)).lines).toMatchObject([{ event: 'queue', failed: 0 }]);
    await place.run(['settings', 'set', 'maxFileBytes', '20'], own);
    const large = await Promise.all(
      ['a', 'b'].map((name) => place.put(`../large-${name}.txt`, `more than twenty bytes: ${name}`)),
    );
    expect(await place.run(['upload', ...large], own)).toMatchObject({ code: 8 });
    await Promise.all(large.map((file) => rm(file)));
    const retried = await place.run(['retry'], own);
    expect(retried).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^2 uploads cannot be tried again: there is no longer a regular file at the path\./,
      ) as string,
    });
    const none = await place.run(['retry'], { env: { OUTTRAY_HOME: path.join(place.root, 'third-home') } });
    expect(none).toMatchObject({ code: 0, stderr: 'Nothing has failed.\n' });
    const named = await place.run(['retry', 'q1', 'q2'], own);
    expect(named).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/there is no regular file/) as string,
    });
  });
});
