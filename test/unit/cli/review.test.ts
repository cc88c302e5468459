import { expect, test } from 'vitest';
import { commandFor } from '../../../src-main/cli/commands/review.ts';

const again = (path: string, platform: NodeJS.Platform): string =>
  commandFor({ do: 'again', path }, platform).replace('outtray upload --again ', '');

/** A word in single quotes as PowerShell reads it, and what follows; any of five signs is a quote, two are one. */
const inPowerShell = (text: string): { word: string; rest: string } => {
  const [whole = '', word = ''] = /^'((?:[^'‘’‚‛]|['‘’‚‛]{2})*)['‘’‚‛]/.exec(text) ?? [];
  return { word: word.replaceAll(/(['‘’‚‛])['‘’‚‛]/g, '$1'), rest: text.slice(whole.length) };
};

test.each(["Ada's.pdf", 'Ada’s.pdf', 'x’; calc; ’.pdf', '‘‚‛.txt', "’'‘.txt", 'plain.txt'])(
  'in PowerShell the path of %s is one word',
  (name) => expect(inPowerShell(again(`C:\\${name}`, 'win32'))).toEqual({ word: `C:\\${name}`, rest: '' }),
);

test('in a POSIX shell only the straight sign is a quote', () => {
  expect(again("/x/Ada's ’.pdf", 'linux')).toBe("'/x/Ada'\\''s ’.pdf'");
});
