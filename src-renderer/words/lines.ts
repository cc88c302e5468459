// The content of a field with one entry per line.
import { mostInPattern, patternFault } from '../../src-main/contract/text/ignore-pattern.ts';
import { say } from './say.svelte.ts';

/** Without empty lines, and without blanks at their ends. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');

/** What is wrong with the first invalid ignore pattern, with its line number in the field; empty: nothing. */
export const wrongPattern = (text: string): string => {
  for (const [at, line] of text.split('\n').entries()) {
    const pattern = line.trimEnd();
    const fault = pattern.length > mostInPattern ? 'long' : patternFault(pattern);
    // A line of a field contains no line break; should it occur, the engine reports it.
    if (fault !== null && fault !== 'lines')
      return say(`settings.ignore.${fault}`, { line: at + 1, limit: mostInPattern });
  }
  return '';
};
