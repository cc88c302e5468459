// The command's table (cli/program.ts) as plain values: the manual page and the completions are written from these, so
// that none of them can tell of an option the command does not have.
import type { Argument, Command, Option } from 'commander';

export type OptionRow = {
  short: string | null;
  long: string;
  /** The name of its value as in `<dir>`; null for a flag. */
  value: string | null;
  choices: readonly string[];
  text: string;
};

export type ArgumentRow = {
  name: string;
  isRequired: boolean;
  isMany: boolean;
  choices: readonly string[];
  text: string;
};

export type CommandRow = {
  /** Empty for the program itself. */
  name: string;
  text: string;
  options: OptionRow[];
  arguments: ArgumentRow[];
  commands: CommandRow[];
};

export const tableOf = (program: Command): CommandRow => rowOf(program, '');

const rowOf = (command: Command, name: string): CommandRow => ({
  name,
  text: command.description(),
  options: command.options.filter((option) => !option.hidden).map(optionRow),
  arguments: command.registeredArguments.map(argumentRow),
  commands: command.commands.map((below) => rowOf(below, below.name())),
});

const optionRow = (option: Option): OptionRow => ({
  short: option.short ?? null,
  long: option.long ?? '',
  value: /[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1] ?? null,
  choices: option.argChoices ?? [],
  text: option.description === 'output the version number' ? 'print the version' : option.description,
});

const argumentRow = (argument: Argument): ArgumentRow => ({
  name: argument.name(),
  isRequired: argument.required,
  isMany: argument.variadic,
  choices: argument.argChoices ?? [],
  text: argument.description,
});

/** Help is commander's own and in no list of options. */
export const helpOption: OptionRow = {
  short: '-h',
  long: '--help',
  value: null,
  choices: [],
  text: 'print help',
};

/** `<file...>`, `[dir]` */
export const usageOf = ({ name, isRequired, isMany }: ArgumentRow): string => {
  const inner = isMany ? `${name}...` : name;
  return isRequired ? `<${inner}>` : `[${inner}]`;
};

/** Arguments that are files or folders, which a shell completes by itself. */
export const takesFiles = (row: CommandRow): boolean => takes(row, 'file', 'dir', 'path');

/** Ids of uploads or files, which the ledger knows. */
export const takesIds = (row: CommandRow): boolean => takes(row, 'id');

/** A command with those below it. */
export const withBelow = (row: CommandRow): CommandRow[] => [row, ...row.commands];

const takes = (row: CommandRow, ...kinds: string[]): boolean =>
  withBelow(row)
    .flatMap((one) => one.arguments)
    .some(({ name }) => name.split('|').some((one) => kinds.includes(one)));
