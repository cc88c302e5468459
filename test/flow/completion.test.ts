// Completions in the real shells: ids come from the ledger, and pressing Tab asks nothing of the service.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { cli, hasTerminal } from '../support/flow/command.ts';
import { createPlace, openService, type Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;

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
  const ended = spawnSync(shell, args, { cwd: place.root, env, input, encoding: 'utf8', timeout: 60_000 });
  return ended.stdout + ended.stderr;
};

/** What bash offers after these words; `first`: what it runs before. */
const inBash =
  (first: string) =>
  (words: string): string =>
    inShell('/bin/bash', [
      '-c',
      `${first} source outtray.bash; COMP_WORDS=(${words} ''); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _outtray; echo "\${COMPREPLY[*]}"`,
    ]);

test.runIf(existsSync('/bin/bash'))(
  'bash offers the id of what is held to confirm, and none to retry',
  () => {
    const complete = inBash('');
    expect(complete('outtray confirm')).toBe('q1\n');
    expect(complete('outtray retry')).toBe('\n');
    expect(complete('outtray --home ./nowhere confirm')).toBe('\n');
    expect(existsSync(path.join(place.root, 'nowhere'))).toBe(false);
  },
);

test.runIf(existsSync('/bin/bash'))('bash offers the values of an option by its command', () => {
  // Without a line to complete, `compopt` is an error: here it says what it is told.
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

test.runIf(existsSync('/usr/bin/zsh'))('zsh loads it from a file or the command without a word', () => {
  const at = 'autoload -Uz compinit; compinit -u -d ./dump; source ./_outtray; echo $_comps[outtray]';
  expect(inShell('/usr/bin/zsh', ['-f', '-c', at])).toBe('_outtray\n');
  expect(inShell('/usr/bin/zsh', ['-f', '-c', 'source ./_outtray'])).toBe('');
});

test.runIf(existsSync('/usr/bin/fish'))(
  'fish loads it without a word and offers values and files by option',
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
  const said = inShell('/usr/bin/fish', [
    '--no-config',
    '-c',
    'source outtray.fish; complete -C "outtray confirm "',
  ]);
  expect(said).toBe('q1\tid_rsa\n');
});

test.runIf(existsSync('/usr/bin/zsh') && hasTerminal)(
  'zsh writes it, as it writes the value of a setting',
  () => {
    const lines = [
      'PS1=; PATH=$PWD:$PATH; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D',
      'outtray settings set copyLink dr\t',
      'outtray --json cancel \t',
      'exit',
      '',
    ];
    const said = inShell('/usr/bin/script', ['-qec', 'zsh -f -i', '/dev/null'], lines.join('\n'));
    expect(said).toContain('copyLink = "dropped"');
    expect(said).toMatch(/"queueId":"q1","filename":"id_rsa",.*"state":"skipped"/);
  },
);

test('PowerShell gets the values of an option by its command, and of a setting by its name', async () => {
  const { stdout } = await place.run(['completion', 'powershell']);
  for (const line of [
    "'export --format' = @('csv', 'json')",
    "'upload --format' = @('plain', 'markdown', 'html', 'bbcode', 'template')",
    "'login --key-file' = @()",
    "'copyLink' = @(",
  ])
    expect(stdout).toContain(`\n    ${line}`);
  // What is offered in any place has none of them.
  expect(/'settings' = .*/.exec(stdout)?.[0]).not.toContain("'true'");
});

test('nothing was asked of the service', () => {
  expect(service.requests()).toEqual([]);
});
