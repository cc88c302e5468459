// Sentences that contain calls of the command, in the form in which they are typed in a terminal.
import type { Wording } from '../../contract/text/wording.ts';

type Parts = Exclude<Wording, string>;

export const typedText = (text: Wording): string =>
  typeof text === 'string' ? text : text.map(partText).join('');

const partText = (part: Parts[number]): string => {
  if (typeof part === 'string') return part;
  if ('option' in part) return part.option;
  return `\`outtray ${part.command}${part.rest === '' ? '' : ` ${part.rest}`}\``;
};

/** What went wrong and what helps. */
export const troubleText = ({ message, remedy }: { message: string; remedy: Wording }): string =>
  [message, typedText(remedy)].filter((part) => part !== '').join(' ');

/** JSON in which a sentence is one string, with its calls as they are typed. */
export const typedJson = (value: object): string => {
  const text = JSON.stringify(value);
  // Few answers contain a call. Without a function that runs for each value, long answers are printed much faster.
  return /\{"(?:command|option)":/.test(text)
    ? JSON.stringify(value, (_, part: unknown) => (isParts(part) ? typedText(part) : part))
    : text;
};

const isParts = (value: unknown): value is Parts =>
  Array.isArray(value) &&
  value.some((part) => typeof part === 'object') &&
  value.every((part: unknown) => typeof part === 'string' || isCall(part));

const isCall = (part: unknown): boolean => {
  const names = typeof part === 'object' && part !== null ? Object.keys(part).sort().join() : '';
  return names === 'command,rest' || names === 'option';
};
