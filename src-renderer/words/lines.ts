/** What stands in a field of lines: without empty ones, and without blanks at their ends. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
