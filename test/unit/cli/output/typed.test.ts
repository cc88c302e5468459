import { expect, test } from 'vitest';
import { troubleText, typedJson, typedText } from '../../../../src-main/cli/output/typed.ts';
import {
  call,
  option,
  plainWords,
  see,
  sentences,
  wording,
} from '../../../../src-main/contract/text/wording.ts';

const both = wording`Run ${call('login', '--base-url=…')}, or give ${option('--home')}.`;

test('a sentence with calls is data, and is rendered for a terminal only', () => {
  expect(both).toEqual([
    'Run ',
    { command: 'login', rest: '--base-url=…' },
    ', or give ',
    { option: '--home' },
    '.',
  ]);
  expect(typedText(both)).toBe('Run `outtray login --base-url=…`, or give --home.');
  expect(typedText(see('queue'))).toBe('See `outtray queue`.');
  expect(plainWords(both)).toBe('');
});

test('a sentence without calls is plain text, whatever its parts', () => {
  expect(wording`${'One'} of ${3}${''}.`).toBe('One of 3.');
  expect(wording``).toBe('');
  expect(sentences('One.', '', wording`Two${2}.`)).toBe('One. Two2.');
  expect(plainWords('One.')).toBe('One.');
});

test('a nested sentence keeps its calls', () => {
  expect(wording`It is full. ${see('doctor')} Nothing is lost.`).toEqual([
    'It is full. See ',
    call('doctor'),
    '. Nothing is lost.',
  ]);
  expect(typedText(sentences('Waiting.', see('queue'), 'Later.'))).toBe(
    'Waiting. See `outtray queue`. Later.',
  );
});

test('trouble without a remedy ends after its message', () => {
  expect(troubleText({ message: 'It broke.', remedy: '' })).toBe('It broke.');
  expect(troubleText({ message: 'It broke.', remedy: see('queue') })).toBe('It broke. See `outtray queue`.');
});

test('JSON has each sentence as one text, and lists stay lists', () => {
  const error = { code: 'bad-use', remedy: see('held') };
  expect(JSON.parse(typedJson({ error, files: ['a', 'b'], parts: [{ command: 'x' }], none: [] }))).toEqual({
    error: { code: 'bad-use', remedy: 'See `outtray held`.' },
    files: ['a', 'b'],
    parts: [{ command: 'x' }],
    none: [],
  });
  const name = '[{"command":"a","rest":""}]';
  expect(JSON.parse(typedJson({ name, remedy: both }))).toEqual({ name, remedy: typedText(both) });
});
