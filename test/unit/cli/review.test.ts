import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandFor } from '../../../src-main/cli/commands/review.ts';
import { printable } from '../../../src-main/contract/text/printable.ts';

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

const family = '/x/👨\u200d👩.pdf';
const names = [
  family,
  '/x/a\u202eb\\.pdf',
  "/x/Ada's \u2066.pdf",
  '/x/\u{e0041}.txt',
  '/x/\u001b[2J.txt',
  '/x/\u0085.txt',
];

test.skipIf(process.platform === 'win32').each(names)(
  'the command is shown as it is, and names the same file in bash: %j',
  (name) => {
    const word = again(name, 'linux');
    expect(printable(word)).toBe(word);
    expect(execFileSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(name);
  },
);

/** A sum of texts in straight quotes and characters by number, as PowerShell reads it. */
const sumInPowerShell = (text: string): string =>
  text
    .slice(1, -1)
    .split('+')
    .map((part) => {
      const [, code] = /^\[char\]0x([0-9a-f]+)$/.exec(part) ?? [];
      return code === undefined ? inPowerShell(part).word : String.fromCharCode(parseInt(code, 16));
    })
    .join('');

test.each([...names, '/x/\ud800.txt'])('…and in PowerShell: %j', (name) => {
  const word = again(name, 'win32');
  expect(printable(word)).toBe(word);
  expect(word).toMatch(/^\(.*\)$/);
  expect(sumInPowerShell(word)).toBe(name);
});
