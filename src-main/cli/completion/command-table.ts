// The commands, their options and arguments as plain rows: the source of the manual page and the completions.
import { commonOptions } from '../../contract/catalogue/program-options.ts';
import { programRows, tagline } from '../../contract/catalogue/program.ts';
import type {
  ArgumentRow as Argument,
  OptionRow as Option,
  ProgramRow,
  SubcommandRow,
} from '../../contract/catalogue/program-kinds.ts';

export type CompletedOption = {
  short: string | null;
  long: string;
  /** The name of its value as in `<dir>`; null for a flag. */
  value: string | null;
  choices: readonly string[];
  /** What completions offer for its value. */
  offers: readonly string[];
  text: string;
};

export type CompletedArgument = {
  name: string;
  isRequired: boolean;
  isMany: boolean;
  offers: readonly string[];
  text: string;
};

export type CommandRow = {
  /** Empty for the program itself. */
  name: string;
  text: string;
  options: CompletedOption[];
  arguments: CompletedArgument[];
  commands: CommandRow[];
};

const optionOf = ({ usage, text = '', choices = [], offers = choices }: Option): CompletedOption => ({
  short: /^(-\w),/.exec(usage)?.[1] ?? null,
  long: /--[a-z0-9-]+/.exec(usage)?.[0] ?? '',
  value: /<([^>]+)>/.exec(usage)?.[1] ?? null,
  choices,
  offers,
  text,
});

const argumentOf = ({ usage, text = '', choices = [], offers = choices }: Argument): CompletedArgument => ({
  name: usage.replaceAll(/^[<[]|(\.\.\.)?[>\]]$/g, ''),
  isRequired: usage.startsWith('<'),
  isMany: usage.includes('...'),
  offers,
  text,
});

const rowOf = (name: string, row: SubcommandRow & Pick<ProgramRow, 'below'>): CommandRow => ({
  name,
  text: row.text ?? '',
  options: (row.options ?? []).filter((option) => option.isHidden !== true).map(optionOf),
  arguments: (row.arguments ?? []).map(argumentOf),
  commands: Object.entries(row.below ?? {}).map(([below, its]) => rowOf(below, its)),
});

/** The program itself, with all its commands. */
export const programTable: CommandRow = {
  ...rowOf('', {
    text: tagline,
    options: [{ usage: '-V, --version', text: 'print the version' }, ...commonOptions],
  }),
  commands: Object.entries<ProgramRow>(programRows).map(([name, row]) => rowOf(name, row)),
};

/** Commander adds this option itself; it is in no list of options. */
export const helpOption: CompletedOption = {
  short: '-h',
  long: '--help',
  value: null,
  choices: [],
  offers: [],
  text: 'print help',
};

/** `<file...>`, `[dir]` */
export const usageOf = ({ name, isRequired, isMany }: CompletedArgument): string => {
  const inner = isMany ? `${name}...` : name;
  return isRequired ? `<${inner}>` : `[${inner}]`;
};

/** A command with those below it. */
export const withBelow = (row: CommandRow): CommandRow[] => [row, ...row.commands];
