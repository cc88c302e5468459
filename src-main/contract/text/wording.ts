// A sentence in which calls of the command are data: the command prints them as they are typed, the window and agents
// have remedies of their own.
import type { ProgramCommand } from '../catalogue/program.ts';

/** `rest`: arguments and options, as they are typed. */
export type WrittenCall = { command: ProgramCommand; rest: string };

type Part = string | WrittenCall | Option;
type Option = { option: string };

/** Plain words, or the parts of a sentence that names a call or an option of the command. */
export type Wording = string | readonly Part[];

export const call = (command: ProgramCommand, rest = ''): WrittenCall => ({ command, rest });

/** As it is typed: "--home". */
export const option = (text: string): Option => ({ option: text });

export const see = (command: ProgramCommand, rest = ''): Wording => wording`See ${call(command, rest)}.`;

/** Joins text, calls, options and other wordings; plain words stay a plain string. */
export const wording = (
  texts: TemplateStringsArray,
  ...values: (number | Wording | WrittenCall | Option)[]
): Wording =>
  joined(texts.flatMap((text, at) => (at === 0 ? [text] : [...partsOf(values[at - 1] ?? ''), text])));

/** The sentences one after the other; those without words are left out. */
export const sentences = (...all: readonly Wording[]): Wording =>
  joined(all.filter((one) => one !== '').flatMap((one, at) => [...(at === 0 ? [] : [' ']), ...partsOf(one)]));

const partsOf = (value: number | Wording | WrittenCall | Option): readonly Part[] =>
  typeof value === 'object' ? (isParts(value) ? value : [value]) : [String(value)];

const isParts = (value: object): value is readonly Part[] => Array.isArray(value);

const joined = (parts: readonly Part[]): Wording => {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part === '') continue;
    if (typeof part === 'string' && typeof last === 'string') all[all.length - 1] = last + part;
    else all.push(part);
  }
  const [only = '', ...others] = all;
  return typeof only === 'string' && others.length === 0 ? only : all;
};

/** For a reader without a terminal: what names a call or an option is no help there. */
export const plainWords = (text: Wording): string => (typeof text === 'string' ? text : '');
