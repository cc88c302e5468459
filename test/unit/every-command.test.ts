// Every row of the command's table, on every surface that is generated from it.
import { describe, expect, test } from 'vitest';
import { builtPapers } from '../../resources/build/papers/papers.ts';
import { actions } from '../../src-main/cli/actions.ts';
import { commandTable } from '../../src-main/cli/program.ts';
import { commandNames, programRows } from '../../src-main/contract/catalogue/program.ts';
import type { FlagsOf, GivenOf, ProgramRow } from '../../src-main/contract/catalogue/program-kinds.ts';
import { isForCommand } from '../../src-main/shell/start/launch-mode.ts';

const built = await builtPapers();
const parser = commandTable();
const rows = Object.entries<ProgramRow>(programRows);

describe.each(rows)('%s', (name, row) => {
  const command = parser.commands.find((one) => one.name() === name);
  const longs = [row, ...Object.values(row.below ?? {})].flatMap(({ options = [] }) =>
    options.flatMap(({ usage, isHidden }) => (isHidden === true ? [] : (/--[\w-]+/.exec(usage) ?? []))),
  );

  test('is parsed, and its help explains its arguments and gives its examples', () => {
    const help = command?.helpInformation() ?? '';
    for (const { usage, text = '' } of row.options ?? [])
      if (text !== '') expect(help).toContain(usage.replace(' <', '=<'));
    for (const { usage } of row.arguments ?? []) expect(help.split('\n')[0]).toContain(usage);
    for (const below of Object.keys(row.below ?? {})) expect(help).toMatch(new RegExp(`^  ${below}\\b`, 'm'));
    for (const example of 'examples' in row ? row.examples : []) expect(help).toContain(`\n  ${example}\n`);
  });

  test('appears in the overview under its group, unless hidden', () => {
    const [, part = ''] = parser.helpInformation().split(`\n${row.group}:\n`);
    const lines = part.split('\n\n')[0]?.split('\n') ?? [];
    const line = lines.filter((one) => one.startsWith(`  ${name} `));
    expect(line).toEqual('summary' in row ? [expect.stringContaining(row.summary)] : []);
  });

  test('does something', () => {
    const doing = row.below === undefined ? [name] : Object.keys(row.below).map((one) => `${name}.${one}`);
    // The parser itself explains how a command is used.
    for (const one of doing) if (one !== 'help') expect(Object.keys(actions)).toContain(one);
  });

  test('the manual page has it with its options', () => {
    const paper = (built['outtray.1'] ?? '').replaceAll('\\-', '-');
    for (const word of [name, ...longs]) expect(paper).toContain(word);
  });

  test('is no file that the app opens, even where a file has its name', () => {
    expect(isForCommand([name], () => true)).toBe(true);
  });
});

test('no action and no parser entry lacks a row', () => {
  expect(parser.commands.map((one) => one.name())).toEqual(commandNames);
  const named = rows.flatMap(([name, { below }]) =>
    below === undefined ? [name] : Object.keys(below).map((one) => `${name}.${one}`),
  );
  expect([...Object.keys(actions), 'help'].toSorted()).toEqual(named.toSorted());
});

test('an action gets the arguments of its row, with exact types', () => {
  type Rows = typeof programRows;
  const upload: Required<FlagsOf<Rows['upload']>> = {
    recursive: true,
    filesFrom: 'list',
    zip: true,
    name: 'a',
    size: '1',
    sha256: 'a',
    null: true,
    background: true,
    wait: false,
    again: true,
    open: true,
    copy: true,
    format: 'plain',
    detach: true,
    expire: '7d',
  };
  const watch: GivenOf<Rows['watch']> = [undefined, { existing: 'upload' }];
  const set: GivenOf<Rows['folders']['below']['set']> = ['/a', 'expireAfter', '7d'];
  // @ts-expect-error its default is always there
  const without: GivenOf<Rows['watch']> = ['/a', {}];
  // @ts-expect-error no rule has this name
  const other: GivenOf<Rows['folders']['below']['set']> = ['/a', 'anything', '7d'];
  expect([upload, watch, set, without, other]).toHaveLength(5);
});
