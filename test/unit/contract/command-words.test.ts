// A program with its arguments, written as one text.
import { expect, test } from 'vitest';
import { commandWords } from '../../../src-main/contract/text/command-words.ts';

test.each([
  ['pass show outtray', ['pass', 'show', 'outtray']],
  ['  a  "b c"\t\'d "e\'  ', ['a', 'b c', 'd "e']],
  ['a $HOME;b|c', ['a', '$HOME;b|c']],
  ['"C:\\Program Files\\op.exe" read "the key"', ['C:\\Program Files\\op.exe', 'read', 'the key']],
  ['op read \'a "quoted" name\'', ['op', 'read', 'a "quoted" name']],
  ['op --name="the key"', ['op', '--name=the key']],
  ['op ""', ['op', '']],
])('%j is split into its words', (text, words) => {
  expect(commandWords(text)).toEqual(words);
});

test.each(['', '   ', '"" read', 'op "not closed', "op 'not closed", 'op\0read'])(
  '%j names no program',
  (text) => {
    expect(commandWords(text)).toBeNull();
  },
);
