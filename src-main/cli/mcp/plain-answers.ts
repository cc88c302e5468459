// What an agent reads: sentences without commands, and one line for each answer. A command would tell it how to lift a
// guard that only a person may lift.
import type { LinkState } from '../../contract/files/taken-back.ts';
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
> & { linkState?: LinkState; index?: number; error?: Told };

const linkTexts: Record<LinkState, string> = {
  dead: 'its link is dead',
  answers: 'the file is deleted, but its link still answers',
  'not-proven': 'the file is deleted, but its link could not be checked',
};

const lineOf = ({ error, ...one }: Told): string => {
  const name = one.filename ?? one.path ?? (one.index === undefined ? '' : `File ${one.index}`);
  const { linkState, public_link: link } = one;
  const words = [one.message, one.remedy, error?.message, error?.remedy].filter(Boolean).join(' ');
  const end = linkState === undefined || error !== undefined ? null : linkTexts[linkState];
  const said = end ?? (error === undefined ? link : null) ?? `${one.state ?? ''} ${words}`.trim();
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
