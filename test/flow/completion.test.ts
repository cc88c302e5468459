// Completion in the real shells, typed at a prompt: files, options with values in both forms, ids with names. Ids come
// from the ledger, and pressing Tab sends no request to the service. What is offered where: test/unit/cli/complete.test.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { commandWords, hasTerminal } from '../support/flow/command.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';

let asked: number;

const service = await ownService();
const place = await ownPlace(service);
beforeAll(async () => {
  const program = path.join(place.root, 'outtray');
  await writeFile(program, `#!/bin/sh\nexec ${commandWords.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  await chmod(program, 0o755);
  await place.put('../id_rsa', 'secret');
  await place.put('../server.pem', 'secret');
  await place.put('../shared.txt', 'has a link');
  await place.run(['upload', 'id_rsa', 'server.pem', 'shared.txt']);
  await place.run(['cancel', 'q1']);
  mkdirSync(path.join(place.root, 'only'));
  await place.put('../only/one file.txt', 'x');
  asked = service.requests().length;
});

const inShell = (shell: string, args: string[], input = ''): string => {
  const env = {
    ...place.env,
    PATH: `${place.root}:${process.env['PATH'] ?? ''}`,
    HOME: place.root,
    SHELL: '/bin/sh',
    TERM: 'dumb',
  };
  const ended = spawnSync(shell, args, { cwd: place.root, env, input, encoding: 'utf8', timeout: 300_000 });
  return ended.stdout + ended.stderr;
};

/** What is typed before Tab, and what then stands on the line. */
const lines: readonly [typed: string, whole: string][] = [
  ['outtray upl', 'outtray upload'],
  ['outtray upload --aga', 'outtray upload --again'],
  ['cd . && outtray upl', 'cd . && outtray upload'],
  // Files, also after an option and with a blank in their names.
  ['outtray upload sha', 'outtray upload shared.txt'],
  ['outtray upload only/', 'outtray upload only/one\\ file.txt'],
  ['outtray upload --again only/', 'outtray upload --again only/one\\ file.txt'],
  ['outtray login --key-file serv', 'outtray login --key-file server.pem'],
  ['outtray login --key-file=serv', 'outtray login --key-file=server.pem'],
  ['outtray list --folder=on', 'outtray list --folder=only'],
  ['outtray watch on', 'outtray watch only'],
  ['outtray recall sha', 'outtray recall shared.txt'],
  // Values.
  ['outtray card --format ma', 'outtray card --format markdown'],
  ['outtray card --format=ma', 'outtray card --format=markdown'],
  ['outtray settings set copyLink dr', 'outtray settings set copyLink dropped'],
  // Ids, of the data folder that the line names.
  ['outtray confirm q', 'outtray confirm q2'],
  ['outtray confirm ', 'outtray confirm q2'],
  ['outtray retry ', 'outtray retry q1'],
  [
    'OUTTRAY_HOME=./nowhere outtray --home ./home confirm ',
    'OUTTRAY_HOME=./nowhere outtray --home ./home confirm q2',
  ],
  ['outtray --home=./home confirm ', 'outtray --home=./home confirm q2'],
  ['outtray --home=~/home confirm ', 'outtray --home=~/home confirm q2'],
  [
    'outtray --base-url https://a.example:8443 confirm ',
    'outtray --base-url https://a.example:8443 confirm q2',
  ],
  ['outtray --home ./nowhere confirm q', 'outtray --home ./nowhere confirm q'],
];

/** Types the lines at a prompt. Ctrl-A and Ctrl-E: what was completed is printed instead of run. */
const typedIn = (shell: string, first: string): (string | undefined)[] => {
  const typed = lines.map(([one]) => `${one}\t\x01printf 'TOLD %s\\n' '\x05'`);
  const said = inShell(
    '/usr/bin/script',
    ['-qec', shell, '/dev/null'],
    [first, ...typed, 'exit', ''].join('\n'),
  );
  // zsh removes the sign of a folder when another one is typed.
  return [...said.matchAll(/^TOLD (.*?)\/? *\r?$/gm)].map(([, line]) => line);
};
const written = lines.map(([, whole]) => whole);

test.runIf(existsSync('/bin/bash') && hasTerminal)('bash writes files, values and ids', () => {
  expect(typedIn('bash --norc -i', 'PS1=; source <(outtray completion bash)')).toEqual(written);
});

test.runIf(existsSync('/usr/bin/zsh') && hasTerminal)('zsh writes files, values and ids', () => {
  const first = 'PS1=; autoload -Uz compinit; compinit -u -D; source <(outtray completion zsh)';
  expect(typedIn('zsh -f -i', first)).toEqual(written);
});

test.runIf(existsSync('/usr/bin/fish'))('fish offers files, values and ids with their names', () => {
  const script = lines.map(
    ([typed]) => `complete -C ${JSON.stringify(typed.replace(/^cd . && /, ''))}; echo end`,
  );
  const said = inShell('/usr/bin/fish', [
    '--no-config',
    '-c',
    `outtray completion fish | source; ${script.join('; ')}`,
  ]);
  const parts = said.split(/^end\n/m);
  for (const [at, [typed, whole]] of lines.entries()) {
    const word = whole.slice(typed.lastIndexOf(' ') + 1);
    const offered = (parts[at] ?? '').split('\n').map((line) => line.split('\t')[0]?.replace(/\/$/, ''));
    if (typed !== whole)
      expect({ typed, offered }).toEqual({
        typed,
        offered: expect.arrayContaining([word.replace('\\ ', ' ')]) as string[],
      });
    else expect({ typed, offered }).toEqual({ typed, offered: [''] });
  }
  expect(parts.join('')).toContain('q2\tserver.pem\n');
});

test.runIf(existsSync('/bin/bash') && hasTerminal)(
  'a list of bash shows what each id stands for',
  async () => {
    await place.put('../other.pem', 'secret too');
    await place.run(['upload', 'other.pem']);
    const script =
      'source <(outtray completion bash); COMP_TYPE=63; COMP_LINE="outtray cancel "; COMP_POINT=15; _outtray outtray; printf "%s\\n" "${COMPREPLY[@]}"';
    expect(inShell('/bin/bash', ['-c', script])).toBe('q2  server.pem\nq4  other.pem\n');
  },
);

test.runIf(existsSync('/usr/bin/zsh'))('zsh loads it from a file or from the command without output', () => {
  const { stdout } = spawnSync(path.join(place.root, 'outtray'), ['completion', 'zsh'], { env: place.env });
  writeFileSync(path.join(place.root, '_outtray'), stdout);
  const at = 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -d ./dump; echo $_comps[outtray]';
  expect(inShell('/usr/bin/zsh', ['-f', '-c', at])).toBe('_outtray\n');
  expect(inShell('/usr/bin/zsh', ['-f', '-c', 'source ./_outtray'])).toBe('');
});

test.each([
  ['the line', '--home ./nowhere ', {}],
  ['the environment', '', { OUTTRAY_HOME: './nowhere' }],
  ['the system', '', { OUTTRAY_HOME: undefined }],
])('a data folder that is not there offers nothing, and is not created: of %s', async (_, option, more) => {
  const env = { XDG_DATA_HOME: path.join(place.root, 'nowhere'), ...more };
  const line = `--line=outtray ${option}confirm `;
  const { stdout, code } = await place.start(['completion', 'fish', line], { env }).ended;
  expect([stdout, code]).toEqual(['', 0]);
  expect(existsSync(path.join(place.root, 'nowhere'))).toBe(false);
});

test('the line that the guide puts at the start of a shell completes the command there, and prints nothing', () => {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../resources/docs/command.md'), 'utf8');
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
      (text) => ['--no-config', '-c', `${text}; complete -C 'outtray verif'`],
      'verify\tdownload links without the key and compare their SHA-256 with what was sent\n',
    ],
  ];
  for (const [file, args, said] of shells)
    if (existsSync(file))
      expect({ file, said: inShell(file, args(line(path.basename(file)))) }).toEqual({ file, said });
});

test('no request is sent to the service', () => {
  expect(service.requests()).toHaveLength(asked);
});
