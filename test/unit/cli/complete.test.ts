// What may follow on a line, for each command, option and shell. Real shells are in test/flow/completion.test.ts.
import { describe, expect, test } from 'vitest';
import { complete, lineWordsOf } from '../../../src-main/cli/completion/complete.ts';
import { programTable, withBelow } from '../../../src-main/cli/completion/command-table.ts';
import { settingChoices, settingNames } from '../../../src-main/contract/settings.ts';

const at = (line: string, shell: Parameters<typeof complete>[1] = 'zsh') =>
  complete(line, shell, programTable);
const values = (line: string, shell?: Parameters<typeof complete>[1]): string[] =>
  at(line, shell).words.map(({ value }) => value);

test.each([
  ['a command', 'outtray upl', ['upload']],
  ['each command', 'outtray ', programTable.commands.map(({ name }) => name)],
  ['nothing after an unknown command', 'outtray nonsense ', []],
  ['no option before one is begun', 'outtray upload ', []],
  ['an option', 'outtray upload --ag', ['--again']],
  ['a common option, before and after a command', 'outtray --qui', ['--quiet']],
  ['a common option after a command', 'outtray upload --qui', ['--quiet']],
  ['no hidden option', 'outtray completion bash --l', []],
  ['no option after --', 'outtray upload -- --ag', []],
  ['what a value of a choice begins with', 'outtray watch --existing s', ['skip']],
  ['the same with =', 'outtray watch --existing=s', ['skip']],
  ['values that belong to the command', 'outtray export --format ', ['csv', 'json']],
  ['nothing for a free value', 'outtray upload --size 12', []],
  ['nothing for the value of an unknown option', 'outtray upload --nonsense=', []],
  ['nothing for a value where none is taken', 'outtray upload --again=', []],
  ['an argument with choices', 'outtray completion z', ['zsh']],
  ['an argument with offers', 'outtray pause tom', ['tomorrow']],
  ['the commands for help', 'outtray help upl', ['upload']],
  ['a command below', 'outtray settings g', ['get']],
  ['the options of the command below', 'outtray folders add --ex', ['--existing']],
  ['a setting', 'outtray --home /x settings set requestS', ['requestShare']],
  ['the values of a setting', 'outtray settings set recursive ', ['true', 'false', 'default']],
  ['nothing where no value is wanted', 'outtray settings get copyLink ', []],
  ['a rule of a folder', 'outtray folders set ~/Tray recu', ['recursive']],
  ['the values of a rule', 'outtray folders set ~/Tray recursive t', ['true']],
  ['after an option with a value', 'outtray --base-url https://a.example:8443/api/v1 upl', ['upload']],
  ['within quotes', 'outtray settings "se', ['set']],
])('offers %s', (_, line, expected) => {
  expect(values(line)).toEqual(expected);
});

describe('files', () => {
  test.each([
    ['outtray upload ', 'files'],
    ['outtray upload one.txt ', 'files'],
    ['outtray upload -r ', 'files'],
    ['outtray upload -- -', 'files'],
    ['outtray plan ', 'files'],
    ['outtray recall ', 'files'],
    ['outtray watch ', 'folders'],
    ['outtray watch Tray ', null],
    ['outtray folders add ', 'folders'],
    ['outtray folders set ', 'folders'],
    ['outtray login --key-file ', 'files'],
    ['outtray login --key-file=', 'files'],
    ['outtray upload --files-from=li', 'files'],
    ['outtray list --folder ', 'folders'],
    ['outtray --home=', 'folders'],
    ['outtray status ', null],
    ['outtray upload --', null],
    ['outtray settings set ', null],
  ] as const)('belong at the end of %j: %s', (line, files) => {
    expect(at(line).files).toBe(files);
  });
});

test('ids are those of the command, with the data folder of the line', () => {
  expect(at('outtray --home ~/a confirm ')).toMatchObject({ idsFor: 'confirm', home: '~/a' });
  expect(at('outtray --json --home="my data" recall --yes 12 q')).toMatchObject({
    idsFor: 'recall',
    home: 'my data',
    typed: 'q',
  });
  expect(at('outtray upload ')).toMatchObject({ idsFor: null, home: null });
  expect(at('outtray resolve q1 ').idsFor).toBeNull();
});

test('bash, which splits words at =, gets the value alone; others get it with its option', () => {
  const line = 'outtray card --format=ma';
  expect(at(line, 'bash')).toMatchObject({ before: '', words: [{ value: 'markdown' }] });
  expect(at(line, 'fish')).toMatchObject({ before: '--format=', words: [{ value: 'markdown' }] });
});

test.each([
  [`outtray  a\\ b 'c "d' "e \\" f" g`, 'zsh', ['outtray', 'a b', 'c "d', 'e " f', 'g']],
  ['outtray ', 'zsh', ['outtray', '']],
  [`outtray 'open `, 'zsh', ['outtray', 'open ']],
  [`outtray ''`, 'zsh', ['outtray', '']],
  ['outtray a\\', 'bash', ['outtray', 'a']],
  ['outtray C:\\x a` b', 'powershell', ['outtray', 'C:\\x', 'a b']],
] as const)('the words of %j in %s', (line, shell, words) => {
  expect(lineWordsOf(line, shell)).toEqual(words);
});

test('every option with values, files or choices completes in both forms, for every command', () => {
  let count = 0;
  for (const row of programTable.commands)
    for (const one of withBelow(row))
      for (const { long, value, offers } of one.options) {
        const words = `outtray ${row.name} ${one === row ? '' : `${one.name} `}`;
        if (value === null) continue;
        expect(values(`${words}${long} `), long).toEqual(offers);
        expect(values(`${words}${long}=`), long).toEqual(offers);
        count += 1;
      }
  expect(count).toBeGreaterThan(20);
});

test.each(settingNames)('the setting %s completes with its choices', (name) => {
  const choices = settingChoices(name);
  expect(values(`outtray settings set ${name}`)).toContain(name);
  expect(values(`outtray settings set ${name} `)).toEqual([...choices, 'default']);
});
