// Completions in the real shells: each option that has values, each kind of id, files; ids come from the ledger, and pressing
// Tab sends no request to the service.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { table, takesIds, withBelow } from '../../src-main/cli/completion/command-table.ts';
import type { Service } from '../service/service.ts';
import { cli, hasTerminal } from '../support/flow/command.ts';
import { createPlace, openService, type Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;
let asked: number;

beforeAll(async () => {
  service = await openService();
  place = await createPlace(service);
  const program = path.join(place.root, 'outtray');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  await chmod(program, 0o755);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await place.run(['completion', shell]);
    await writeFile(path.join(place.root, shell === 'zsh' ? '_outtray' : `outtray.${shell}`), stdout);
  }
  await place.put('../id_rsa', 'secret');
  await place.run(['upload', 'id_rsa']);
  await place.put('../shared.txt', 'has a link');
  await place.run(['upload', 'shared.txt']);
  asked = service.requests().length;
});
afterAll(async () => {
  await place.remove();
  await service.close();
});

const inShell = (shell: string, args: string[], input = ''): string => {
  const env = {
    ...place.env,
    PATH: `${place.root}:${process.env['PATH'] ?? ''}`,
    SHELL: '/bin/sh',
    TERM: 'dumb',
  };
  const ended = spawnSync(shell, args, { cwd: place.root, env, input, encoding: 'utf8', timeout: 300_000 });
  return ended.stdout + ended.stderr;
};

/** What bash offers for the last of these words, by default an empty one; `first`: what it runs before. */
const inBash =
  (first: string) =>
  (words: string, last = "''"): string =>
    inShell('/bin/bash', [
      '-c',
      `${first} source outtray.bash; COMP_WORDS=(${words} ${last}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _outtray; echo "\${COMPREPLY[*]}"`,
    ]);

test.runIf(existsSync('/bin/bash'))('bash offers the ids of held files to confirm, and none to retry', () => {
  const complete = inBash('');
  expect(complete('outtray confirm')).toBe('q1\n');
  expect(complete('outtray retry')).toBe('\n');
  expect(complete('outtray --home ./nowhere confirm')).toBe('\n');
  expect(existsSync(path.join(place.root, 'nowhere'))).toBe(false);
});

test.runIf(existsSync('/bin/bash'))('bash offers the values of an option for its command', () => {
  // Without a line to complete, `compopt` is an error: here it prints its arguments.
  const complete = inBash('compopt() { echo "$*"; };');
  expect(complete('outtray export --format')).toBe('csv json\n');
  expect(complete('outtray card --format')).toContain('sha256sums');
  for (const command of ['upload', 'paste'])
    expect(complete(`outtray ${command} --format`)).toBe('plain markdown html bbcode template\n');
  expect(complete('outtray upload --expire')).toContain('7d');
  expect(complete('outtray pause')).toContain('tomorrow');
  expect(complete('outtray login --key-file')).toBe('-o default\n\n');
  expect(complete('outtray list --folder')).toBe('-o dirnames\n\n');
});

test.runIf(existsSync('/bin/bash'))('bash, which splits words at = and :, offers the same there', () => {
  const complete = inBash('compopt() { echo "$*"; };');
  expect(complete('outtray card --format =', 'ma')).toBe('markdown\n');
  expect(complete('outtray export --format', '=')).toBe('csv json\n');
  expect(complete('outtray list --folder', '=')).toBe('-o dirnames\n\n');
  expect(complete('outtray --home', '=')).toBe('-o dirnames\n\n');
  const elsewhere = inBash('export OUTTRAY_HOME=./nowhere;');
  expect(elsewhere('outtray confirm')).toBe('\n');
  expect(elsewhere('outtray --home = ./home confirm')).toBe('q1\n');
  expect(elsewhere('outtray --home ./home --base-url = https : //a.example : 8443 confirm')).toBe('q1\n');
  expect(elsewhere('outtray --base-url https : //a.example --home ./home confirm')).toBe('q1\n');
});

test.runIf(existsSync('/usr/bin/zsh'))('zsh loads it from a file or from the command without output', () => {
  const at = 'autoload -Uz compinit; compinit -u -d ./dump; source ./_outtray; echo $_comps[outtray]';
  expect(inShell('/usr/bin/zsh', ['-f', '-c', at])).toBe('_outtray\n');
  expect(inShell('/usr/bin/zsh', ['-f', '-c', 'source ./_outtray'])).toBe('');
});

test.runIf(existsSync('/usr/bin/fish'))(
  'fish loads it without output and offers values and files by option',
  () => {
    const complete = (line: string): string =>
      inShell('/usr/bin/fish', [
        '--no-config',
        '-c',
        `outtray completion fish | source; complete -C "${line}"`,
      ]);
    expect(complete('outtray export --format ')).toMatch(/^csv\t.*\njson\t.*\n$/);
    expect(complete('outtray paste --format ma')).toMatch(/^markdown\t.*\n$/);
    expect(complete('outtray login --key-file id')).toContain('id_rsa');
  },
);

test.runIf(existsSync('/usr/bin/fish'))('fish offers it with its name', () => {
  const complete = (line: string, first = ''): string =>
    inShell('/usr/bin/fish', ['--no-config', '-c', `source outtray.fish; ${first} complete -C "${line}"`]);
  expect(complete('outtray confirm ')).toBe('q1\tid_rsa\n');
  expect(complete('outtray card --format=ma')).toMatch(/^--format=markdown\t.*\n$/);
  const elsewhere = 'set -x OUTTRAY_HOME ./nowhere;';
  expect(complete('outtray confirm ', elsewhere)).toBe('');
  expect(complete('outtray --home=./home confirm ', elsewhere)).toBe('q1\tid_rsa\n');
  expect(complete('outtray --home ./home confirm ', elsewhere)).toBe('q1\tid_rsa\n');
});

test.runIf(existsSync('/usr/bin/zsh') && hasTerminal)(
  'zsh writes it, as it writes the value of a setting',
  () => {
    const lines = [
      'PS1=; PATH=$PWD:$PATH; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D',
      'outtray settings set copyLink dr\t',
      // Ctrl-A: what was completed is printed instead of run.
      'outtray card --format=ma\t\x01print -r -- TOLD ',
      'export OUTTRAY_HOME=./nowhere',
      'outtray --home=./home confirm \t\x01print -r -- TOLD ',
      'outtray --home ./home cancel \t\x01print -r -- TOLD ',
      'outtray --json --home=./home cancel \t',
      'exit',
      '',
    ];
    const said = inShell('/usr/bin/script', ['-qec', 'zsh -f -i', '/dev/null'], lines.join('\n'));
    expect(said).toContain('copyLink = "dropped"');
    expect([...said.matchAll(/^TOLD (.*?) *\r?$/gm)].map(([, line]) => line)).toEqual([
      'outtray card --format=markdown',
      'outtray --home=./home confirm q1',
      'outtray --home ./home cancel q1',
    ]);
    expect(said).toMatch(/"queueId":"q1","filename":"id_rsa",.*"state":"skipped"/);
  },
);

test('PowerShell offers the values of an option for its command, and of a setting for its name', async () => {
  const { stdout } = await place.run(['completion', 'powershell']);
  for (const line of [
    "'export --format' = @('csv', 'json')",
    "'upload --format' = @('plain', 'markdown', 'html', 'bbcode', 'template')",
    "'login --key-file' = @()",
    "'copyLink' = @(",
  ])
    expect(stdout).toContain(`\n    ${line}`);
  // No PowerShell is there to read it: at least its brackets close, and its strings end on their lines.
  const open: string[] = [];
  const pairs: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
  for (const line of stdout.split('\n')) {
    const code = line.replace(/^\s*#.*/, '').replaceAll(/'(?:[^']|'')*'|"(?:[^"`]|`.)*"/g, '');
    expect(code).not.toMatch(/['"]/);
    for (const sign of code.replaceAll(/[^()[\]{}]/g, ''))
      if (sign in pairs) expect({ line, opened: open.pop() }).toEqual({ line, opened: pairs[sign] });
      else open.push(sign);
  }
  expect(open).toEqual([]);
  // What is offered everywhere has none of them.
  expect(/'settings' = .*/.exec(stdout)?.[0]).not.toContain("'true'");
});

/** Each option whose values are known, behind its command. */
const withValues = table.commands.flatMap((row) =>
  [...row.options, ...row.commands.flatMap(({ options }) => options)]
    .filter(({ offers }) => offers.length > 0)
    .map(({ long, offers }) => ({ words: `outtray ${row.name} ${long}`, offers })),
);
/** Each option whose value is a file, behind its command. */
const withFiles = table.commands.flatMap((row) =>
  row.options
    .filter(({ value }) => value === 'file' || value === 'list')
    .map(({ long }) => `outtray ${row.name} ${long}`),
);
const queue = ['confirm', 'cancel', 'retry', 'resolve'];
/** One held upload, one that was cancelled, and one that has a link. */
const offered = { held: 'q3', cancelled: 'q1' };
/** What is offered to a command that takes a file. */
const idsFor = (name: string, fileId: string): string[] =>
  queue.includes(name)
    ? ({ confirm: [offered.held], cancel: [offered.held], retry: [offered.cancelled], resolve: [] }[name] ??
      [])
    : [fileId];
const nameOf = (id: string): string =>
  id === offered.held ? 'server.pem' : id === offered.cancelled ? 'id_rsa' : 'shared.txt';
const ofIds = table.commands.filter((row) => takesIds(row)).map(({ name }) => name);

const fileId = (): string => String(service.files()[0]?.id);

describe('options with values, files and ids', () => {
  beforeAll(async () => {
    await place.run(['cancel', offered.cancelled]);
    await place.put('../server.pem', 'secret');
    const { lines } = await place.json(['upload', 'server.pem']);
    expect(lines.find(({ event }) => event === 'held')?.['queueId']).toBe(offered.held);
  });

  test('are many', () => {
    expect(withValues.length).toBeGreaterThan(8);
    expect(withFiles.length).toBeGreaterThan(4);
    expect(ofIds.length).toBeGreaterThan(12);
    expect(new Set(table.commands.flatMap(withBelow).map(({ name }) => name)).has('confirm')).toBe(true);
  });

  test.runIf(existsSync('/bin/bash'))('bash completes each of them', () => {
    const lines = [
      ...withValues.map(({ words }) => words),
      ...withFiles,
      ...ofIds.map((name) => `outtray ${name}`),
    ];
    const script = lines.map(
      (words) =>
        `COMP_WORDS=(${words} ''); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); OPTED=; _outtray; echo "\${COMPREPLY[*]}$OPTED"`,
    );
    const said = inShell('/bin/bash', [
      '-c',
      `compopt() { OPTED="|$2"; }; source outtray.bash; ${script.join('; ')}`,
    ]);
    expect(
      Object.fromEntries(
        said
          .trimEnd()
          .split('\n')
          .map((line, at) => [lines[at], line]),
      ),
    ).toEqual({
      ...Object.fromEntries(withValues.map(({ words, offers }) => [words, offers.join(' ')])),
      ...Object.fromEntries(withFiles.map((words) => [words, '|default'])),
      ...Object.fromEntries(
        ofIds.map((name) => [
          `outtray ${name}`,
          `${idsFor(name, fileId()).join(' ')}${queue.includes(name) ? '' : '|default'}`,
        ]),
      ),
    });
  });

  test.runIf(existsSync('/usr/bin/fish'))(
    'fish completes each of them, with the names of files beside their ids',
    () => {
      const lines = [
        ...withValues.map(({ words }) => words),
        ...withFiles,
        ...ofIds.map((name) => `outtray ${name}`),
      ];
      const script = lines.map((words) => `complete -C '${words} '; echo end`);
      const said = inShell('/usr/bin/fish', [
        '--no-config',
        '-c',
        `source outtray.fish; ${script.join('; ')}`,
      ]);
      const parts = said.split(/^end\n/m);
      const wordsOf = (text = ''): string[] => text.split('\n').map((line) => line.split('\t')[0] ?? '');
      for (const { words, offers } of withValues)
        expect({ words, offered: wordsOf(parts[lines.indexOf(words)]) }).toMatchObject({
          offered: expect.arrayContaining([...offers]) as string[],
        });
      for (const words of withFiles)
        expect({ words, offered: wordsOf(parts[lines.indexOf(words)]) }).toMatchObject({
          offered: expect.arrayContaining(['id_rsa', 'shared.txt']) as string[],
        });
      for (const name of ofIds) {
        const text = parts[lines.indexOf(`outtray ${name}`)] ?? '';
        for (const id of idsFor(name, fileId()))
          expect({ name, text: text.split('\n') }).toMatchObject({
            text: expect.arrayContaining([`${id}\t${nameOf(id)}`]) as string[],
          });
      }
    },
  );

  test.runIf(existsSync('/usr/bin/zsh') && hasTerminal)('zsh completes each of them', () => {
    /** As much of a value as distinguishes it from the others. */
    const begun = (offers: readonly string[], value: string): string | null => {
      for (let length = 1; length <= value.length; length += 1) {
        const start = value.slice(0, length);
        if (offers.filter((one) => one.startsWith(start)).length === 1) return start;
      }
      return null;
    };
    const typed = [
      ...withValues.flatMap(({ words, offers }) =>
        offers.flatMap((value) => {
          const start = begun(offers, value);
          return start === null || start === value
            ? []
            : [{ typed: `${words} ${start}`, whole: `${words} ${value}` }];
        }),
      ),
      ...withFiles.map((words) => ({ typed: `${words} shar`, whole: `${words} shared.txt` })),
      ...ofIds.flatMap((name) =>
        idsFor(name, fileId()).map((id) => ({
          typed: `outtray ${name} ${queue.includes(name) ? '' : id.slice(0, 2)}`,
          whole: `outtray ${name} ${id}`,
        })),
      ),
    ];
    const lines = [
      'PS1=; PATH=$PWD:$PATH; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D',
      // Ctrl-A: what was completed is printed instead of run.
      ...typed.map(({ typed: words }) => `${words}\t\x01print -r -- TOLD `),
      'exit',
      '',
    ];
    const said = inShell('/usr/bin/script', ['-qec', 'zsh -f -i', '/dev/null'], lines.join('\n'));
    const told = said
      .split(/\r?\n/)
      .filter((line) => line.startsWith('TOLD '))
      .map((line) => line.slice('TOLD '.length).trimEnd());
    expect(told).toEqual(typed.map(({ whole }) => whole));
  });
});

test('the line that the guide puts at the start of a shell completes the command there, and prints nothing', () => {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../resources/docs/user-guide.md'), 'utf8');
  const line = (shell: string): string =>
    [...guide.matchAll(/`([^`]*outtray completion (\w+)[^`]*)`/g)].find(([, , of]) => of === shell)?.[1] ??
    expect.fail(`no line for ${shell}`);
  const shells: [file: string, args: (line: string) => string[], said: string][] = [
    [
      '/usr/bin/bash',
      (text) => ['--norc', '-c', `${text}; complete -p outtray`],
      'complete -F _outtray outtray\n',
    ],
    [
      '/usr/bin/zsh',
      (text) => ['-f', '-c', `autoload -Uz compinit; compinit -u -D; ${text}; echo $_comps[outtray]`],
      '_outtray\n',
    ],
    [
      '/usr/bin/fish',
      (text) => ['--no-config', '-c', `${text}; complete -C 'outtray unf'`],
      'unfollow\tstop reporting downloads of these links\n',
    ],
  ];
  for (const [file, args, said] of shells)
    if (existsSync(file))
      expect({ file, said: inShell(file, args(line(path.basename(file)))) }).toEqual({ file, said });
});

test('no request is sent to the service', () => {
  expect(service.requests()).toHaveLength(asked);
});
