// Nothing that an agent reads names a command or an option.
import { expect, test } from 'vitest';
import { holdRows, skipRows, waitRows } from '../../../src-main/contract/catalogue/reasons.ts';
import type { HoldReason, SkipRule, UploadState, WaitReason } from '../../../src-main/contract/model.ts';
import { call, option, see, wording } from '../../../src-main/contract/text/wording.ts';
import { lineFor, withoutCommands } from '../../../src-main/cli/mcp/plain-answers.ts';
import { sentenceFor } from '../../../src-main/engine/handlers/why.ts';

const states = [
  ...Object.keys(holdRows).map((reason) => ({ kind: 'held', reason: reason as HoldReason })),
  ...Object.keys(skipRows).map((rule) => ({ kind: 'skipped', rule: rule as SkipRule })),
  ...Object.keys(waitRows).map((reason) => ({
    kind: 'waiting',
    reason: reason as WaitReason,
    control: 'a.part',
  })),
] as unknown as UploadState[];

test.each(states)('%j', (state) => {
  const text = withoutCommands(
    sentenceFor(state, null, { gate: { kind: 'open' }, paused: false, running: true }, 2),
  );
  expect(text).not.toBe('');
  expect(text).not.toMatch(/outtray [a-z]|--[a-z]|[\u0001`]/);
});

test.each([
  [see('queue'), 'A person can help, in the window of Outtray.'],
  [wording`It waits. ${call('confirm', 'q1')} uploads it. It stays.`, 'It waits. It stays.'],
  [wording`Give it as ${option('--base-url')}.`, 'A person can help, in the window of Outtray.'],
  ['Run `outtray recall x` again.', 'A person can help, in the window of Outtray.'],
  ['Use --again for it. Or wait.', 'Or wait.'],
  ['Outtray tries again by itself.', 'Outtray tries again by itself.'],
  ['', ''],
] as const)('%j', (text, plain) => expect(withoutCommands(text)).toBe(plain));

test('an answer has one line', () => {
  const files = [
    { filename: 'a.txt', public_link: 'https://x/a', state: 'uploaded' },
    { filename: 'b.txt', public_link: null, state: 'held', message: 'Held.', remedy: 'A person decides.' },
  ];
  expect(lineFor({ files })).toBe('a.txt: https://x/a; b.txt: held Held. A person decides.');
  const recalled = (linkState?: string, more = {}) =>
    lineFor({ links: [{ filename: 'a', linkState, public_link: 'l', ...more }] });
  expect(recalled('dead')).toBe('a: its link is dead');
  expect(recalled('answers')).toBe('a: the file is deleted, but its link still answers');
  expect(recalled('not-proven')).toBe('a: the file is deleted, but its link could not be checked');
  expect(recalled(undefined, { error: { message: 'No.', remedy: '' } })).toBe('a: No.');
  expect(lineFor({ files: [], failed: [{ index: 1, error: { message: 'No.', remedy: '' } }] })).toBe(
    'File 1: No.',
  );
  expect(lineFor({ files: [] })).toBe('None.');
});
