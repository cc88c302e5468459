// What an agent reads: sentences without commands, and one line for each answer. A command would tell it how to lift a
// guard that only a person may lift.
import type { Wording } from '../../contract/text/wording.ts';

const help = 'A person can help, in the window of Outtray.';
/** Stands for a call or an option while sentences are told apart. */
const mark = '\u0001';
const written = /\bouttray [a-z]|(^|[\s`“])--[a-z]/;

/** The sentences that name neither a command nor an option; `otherwise` where none is left of some. */
export const withoutCommands = (text: Wording, otherwise = help): string => {
  const whole =
    typeof text === 'string' ? text : text.map((part) => (typeof part === 'string' ? part : mark)).join('');
  const kept = whole
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !sentence.includes(mark) && !written.test(sentence));
  return kept.join(' ') || (whole.trim() === '' ? '' : otherwise);
};

type Told = Partial<
  Record<
    'public_link' | 'state' | 'message' | 'remedy' | 'filename' | 'path' | 'card' | 'nextCursor',
    string | null
  >
> & { dead?: boolean; index?: number; error?: Told };

const lineOf = ({ error, ...one }: Told): string => {
  const name = one.filename ?? one.path ?? (one.index === undefined ? '' : `File ${one.index}`);
  const end = one.dead === true ? 'its link is dead' : one.public_link;
  const words = [one.message, one.remedy, error?.message, error?.remedy].filter(Boolean).join(' ');
  const said = one.dead === undefined || one.dead ? (end ?? `${one.state ?? ''} ${words}`.trim()) : words;
  return name === '' ? said : `${name}: ${said}`;
};

/** For clients that show no data: who got which link, or why not. */
export const lineFor = (answer: object): string => {
  const { files, zip, links, failed, card, nextCursor, held, counts, waits } = answer as Record<
    string,
    unknown
  >;
  if (typeof card === 'string' && card !== '') return card;
  const lists = [files, zip === undefined ? [] : [zip], links, failed, held].filter(Array.isArray);
  const lines = lists.flat().map((one) => lineOf(one as Told));
  if (counts !== undefined)
    lines.unshift(
      Object.entries(counts as object)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
    );
  if (waits !== undefined) lines.push((waits as Told).message ?? '');
  if (typeof nextCursor === 'string') lines.push(`There are more: cursor ${nextCursor}`);
  return lines.length === 0 ? 'None.' : lines.join('; ');
};
