// A guide taken apart: its headings with the examples below them.
import { commandWords } from '../../src-main/contract/text/command-words.ts';

export type Example = { language: string; lines: string[] };
export type Section = { heading: string; text: string; examples: Example[] };

export const sectionsOf = (markdown: string): Section[] =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...rest] = part.split('\n');
      const text = rest.join('\n');
      const examples = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
        ([, language = '', body = '']) => ({
          language,
          lines: body.split('\n').filter((line) => line.trim() !== ''),
        }),
      );
      return { heading: heading.trim(), text, examples };
    });

/** The calls of our own command in a guide, as words; what a shell would redirect and comments are left out. */
export const callsOf = (sections: readonly Section[]): string[][] => [
  ...new Map(
    sections
      .flatMap(({ examples }) => examples)
      .filter(({ language }) => language === 'sh')
      .flatMap(({ lines }) => lines)
      .filter((line) => line.startsWith('outtray '))
      .map((line) => {
        const words = commandWords(line.replace(/ +#.*$/, '')) ?? [];
        const end = words.findIndex((word) => ['<', '|', '&&'].includes(word));
        return [line, words.slice(1, end === -1 ? words.length : end)] as const;
      }),
  ).values(),
];
