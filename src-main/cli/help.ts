// Help in the width of the terminal, and the errors for wrong use.
import { firstExamples, programRows } from '../contract/catalogue/program.ts';
import type { ProgramRow } from '../contract/catalogue/program-kinds.ts';
import { Help, type Command, type CommanderError, type HelpConfiguration } from 'commander';
import { fromHandles } from '../adapters/system/storage.ts';
import { AppError, toAppError } from '../contract/errors.ts';

/** Below this width, the text of an option is printed under its name. */
const narrow = 64;

export const helpLayout: HelpConfiguration = {
  minWidthToWrap: 20,
  showGlobalOptions: true,
  styleTitle: (title) => title.replace('Global Options', 'Global options'),

  commandDescription: (command) => sentence(command.description()),
  // Option and value in one word, as in the guides.
  optionTerm: ({ flags }) => flags.replace(' <', '=<'),
  // The overview has one short line per command; the command's own help has the rest.
  subcommandTerm: (command) =>
    command.parent?.parent === null ? command.name() : new Help().subcommandTerm(command),
  visibleOptions: (command) => (command.parent === null ? [] : new Help().visibleOptions(command)),
  formatHelp(command, helper) {
    const text = new Help().formatHelp.call(helper, command, helper).trimEnd();
    const examples = command.parent === null ? firstExamples : examplesOf(command.name());
    const isTop = command.parent === null;
    const end = isTop ? '\n`outtray help COMMAND` shows the options and examples of a command.\n' : '';
    const shown = isTop || command.parent?.parent === null ? examples : [];
    const list = shown.length === 0 ? '' : `\nExamples:\n${shown.map((one) => `  ${one}\n`).join('')}`;
    return `${text}\n${list}${end}`;
  },
  formatItem(term, termWidth, description, helper) {
    const width = helper.helpWidth ?? 80;
    if (width >= narrow) return new Help().formatItem.call(helper, term, termWidth, description, helper);
    const text = helper.boxWrap(description, width - 6).replaceAll('\n', '\n      ');
    return description === '' ? `  ${term}` : `  ${term}\n      ${text}`;
  },
};

const examplesOf = (name: string): readonly string[] =>
  Object.entries<ProgramRow>(programRows).flatMap(([one, row]) =>
    one === name && 'examples' in row ? row.examples : [],
  );

const sentence = (text: string): string =>
  text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`;

/** The help of `settings set` for `['settings', 'set']`. For a word that is no command, the help of its parent. */
export const helpFor = (program: Command, names: readonly string[]): string => {
  let at = program;
  for (const name of names) at = at.commands.find((command) => command.name() === name) ?? at;
  return at.helpInformation();
};

export const isHelpWanted = (error: CommanderError): boolean => error.code === 'commander.help';

/** The name of the command that the arguments are for; '' when they name none. */
export const commandIn = ({ commands }: Command, args: readonly string[]): string =>
  args.find((arg) => arg !== 'help' && commands.some((command) => command.name() === arg)) ?? '';

export const usageError = (error: CommanderError, command: string): AppError => {
  if (isHelpWanted(error)) return new AppError('bad-use', 'No command was given.', 'See `outtray help`.');
  const message = error.message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    // Surplus arguments are not repeated: one may be a key, given where none is taken.
    .replace(/( but got \d+): .*$/, '$1')
    .replace(/[.?]?\)?$/, (end) => (end === '' ? '.' : end));
  return new AppError('bad-use', message, remedyFor(message, command), { cause: error });
};

const remedyFor = (message: string, command: string): string => {
  if (message.includes("'login'"))
    return 'The key is read from standard input or a file: `outtray login --key-file FILE`.';
  if (message.includes("unknown command 'version'")) return 'Use `outtray --version`.';
  const file = /^unknown option '(-[^']*\.[^']*)'/.exec(message)?.[1];
  const asFile = file === undefined ? '' : ` A file is named as \`./${file}\`.`;
  return `See \`${`outtray help ${command}`.trimEnd()}\`.${asFile}`;
};

/** Needed before the options are parsed, for an error in them. */
export const isJsonWanted = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).includes('--json');
};

/** A lack of file handles breaks even the loading of our own code. */
export const explainedFault = (fault: unknown): AppError => fromHandles(fault) ?? toAppError(fault);
