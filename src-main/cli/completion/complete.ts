// What may follow on a line of a shell, decided from the command's table. Pure: ids are named only by the command that
// takes them.
import type { shells } from '../../contract/catalogue/choices.ts';
import { isSettingName, settingChoices, settingNames } from '../../contract/settings.ts';
import {
  helpOption,
  withBelow,
  type CompletedArgument,
  type CommandRow,
  type CompletedOption,
} from './command-table.ts';

export type Shell = (typeof shells)[number];

/** `text`: what a shell shows beside the value; empty: nothing. */
export type Offer = { value: string; text: string };

export type Offered = {
  /** What begins as the word under the cursor does. */
  words: Offer[];
  /** The command whose ids are offered too; null: none. */
  idsFor: string | null;
  /** The shell completes these by itself. */
  files: 'files' | 'folders' | null;
  /** What stands before the value in the same word: `--format=`. Not for bash, which splits words there. */
  before: string;
  /** The value so far, without quotes. */
  typed: string;
  /** The data folder and the profile that the line names. */
  home: string | null;
  profile: string | null;
};

/**
 * The words of a line up to the cursor, without their quotes. The last one is under the cursor, and may be empty. No
 * variable is expanded.
 */
export const lineWordsOf = (line: string, shell: Shell): string[] => {
  const escape = shell === 'powershell' ? '`' : '\\';
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? '';
    if (sign === escape && quote !== "'") {
      at += 1;
      word = (word ?? '') + (line[at] ?? '');
    } else if (quote !== '' ? sign === quote : sign === '"' || sign === "'") {
      quote = quote === '' ? sign : '';
      word ??= '';
    } else if (quote === '' && /\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + sign;
  }
  return [...words, word ?? ''];
};

/** What the words before the cursor say. */
type Line = {
  command: CommandRow | null;
  below: CommandRow | null;
  /** The arguments of the command, or of the one below it. */
  given: string[];
  /** The option whose value is the next word. */
  open: CompletedOption | null;
  /** After `--` there are only arguments. */
  isEnded: boolean;
  home: string | null;
  profile: string | null;
};

const optionsOf = (
  table: CommandRow,
  { command, below }: Pick<Line, 'command' | 'below'>,
): CompletedOption[] => [
  ...(command === null
    ? []
    : below === null
      ? withBelow(command).flatMap(({ options }) => options)
      : [...command.options, ...below.options]),
  ...table.options,
  helpOption,
];

const readLine = (table: CommandRow, words: readonly string[]): Line => {
  const line: Line = {
    command: null,
    below: null,
    given: [],
    open: null,
    isEnded: false,
    home: null,
    profile: null,
  };
  const take = ({ long }: CompletedOption, value: string): void => {
    if (long === '--home') line.home = value;
    if (long === '--profile') line.profile = value;
  };
  for (const word of words) {
    if (line.open !== null) {
      take(line.open, word);
      line.open = null;
    } else if (word.startsWith('-') && word.length > 1 && !line.isEnded) {
      line.isEnded = word === '--';
      const [name = '', ...value] = word.split('=');
      const option = optionsOf(table, line).find(({ long, short }) => name === long || name === short);
      if (option === undefined || option.value === null) continue;
      if (value.length === 0) line.open = option;
      else take(option, value.join('='));
    } else if (line.command === null) {
      line.command = table.commands.find(({ name }) => name === word) ?? null;
      // An unknown command has nothing to offer, not the commands again.
      if (line.command === null) return { ...line, given: [word] };
    } else {
      const below =
        line.given.length > 0 ? undefined : line.command.commands.find(({ name }) => name === word);
      if (line.below === null && below !== undefined) line.below = below;
      else line.given.push(word);
    }
  }
  return line;
};

const plain = (values: readonly string[]): Offer[] => values.map((value) => ({ value, text: '' }));

type Found = Pick<Offered, 'words' | 'idsFor' | 'files'>;
const nothing: Found = { words: [], idsFor: null, files: null };

const ofValue = ({ value, offers }: CompletedOption): Found => ({
  ...nothing,
  words: plain(offers),
  files: value === 'dir' ? 'folders' : value === 'list' || value === 'file' ? 'files' : null,
});

const ofArgument = (
  table: CommandRow,
  { command, given }: Line,
  { name, offers }: CompletedArgument,
): Found => {
  const kinds = name.split('|');
  const named = command?.name === 'settings' && name === 'name' ? settingNames : [];
  const valued = given.at(-1) ?? '';
  const values = name === 'value' && isSettingName(valued) ? [...settingChoices(valued), 'default'] : [];
  return {
    words: [
      ...(name === 'command' ? table.commands.map(({ name, text }) => ({ value: name, text })) : []),
      ...plain([...offers, ...named, ...values]),
    ],
    idsFor: kinds.includes('id') ? (command?.name ?? null) : null,
    files: kinds.includes('dir')
      ? 'folders'
      : kinds.includes('file') || kinds.includes('path')
        ? 'files'
        : null,
  };
};

const ofArguments = (table: CommandRow, line: Line): Found => {
  const { command, below, given } = line;
  if (command === null) {
    if (given.length > 0) return nothing;
    return { ...nothing, words: table.commands.map(({ name, text }) => ({ value: name, text })) };
  }
  const rows = (below ?? command).arguments;
  const last = rows.at(-1);
  const row = rows[given.length] ?? (last?.isMany === true ? last : undefined);
  const found = row === undefined ? nothing : ofArgument(table, line, row);
  if (below !== null || given.length > 0) return found;
  return {
    ...found,
    words: [...command.commands.map(({ name, text }) => ({ value: name, text })), ...found.words],
  };
};

/** What may stand at the end of this line. */
export const complete = (line: string, shell: Shell, table: CommandRow): Offered => {
  const [, ...words] = lineWordsOf(line, shell);
  const word = words.at(-1) ?? '';
  const read = readLine(table, words.slice(0, -1));
  const sign = word.indexOf('=');
  const isOption = word.startsWith('-') && !read.isEnded && read.open === null;
  const before = isOption && sign !== -1 ? word.slice(0, sign + 1) : '';
  const typed = word.slice(before.length);
  const named = optionsOf(table, read).find(({ long }) => `${long}=` === before);
  const { words: offers, ...rest } =
    read.open !== null
      ? ofValue(read.open)
      : before !== ''
        ? named === undefined
          ? nothing
          : ofValue(named)
        : isOption
          ? { ...nothing, words: optionsOf(table, read).flatMap(namesOf) }
          : ofArguments(table, read);
  return {
    ...rest,
    words: offers.filter(({ value }) => value.startsWith(typed)),
    before: shell === 'bash' ? '' : before,
    typed,
    home: read.home,
    profile: read.profile,
  };
};

const namesOf = ({ short, long, text }: CompletedOption): Offer[] =>
  [long, ...(short === null ? [] : [short])].map((value) => ({ value, text }));
