// What uploads of one state have in common: the queue shows it once for all of them.
import { expect, test } from 'vitest';
import { see } from '../../../src-main/contract/text/wording.ts';
import { fateOf, mayGoUp, type StateKind, type UploadState } from '../../../src-main/contract/model.ts';

const failed = (message: string): UploadState => ({
  kind: 'failed',
  code: 'too-large',
  message,
  remedy: 'Split it.',
});

const told = (command: 'held' | 'queue'): UploadState => ({
  kind: 'failed',
  code: 'refused',
  message: '',
  remedy: see(command),
});

test.each<[string, UploadState, UploadState, boolean]>([
  ['held for one reason', { kind: 'held', reason: 'burst' }, { kind: 'held', reason: 'burst' }, true],
  ['held for two reasons', { kind: 'held', reason: 'burst' }, { kind: 'held', reason: 'secret-name' }, false],
  [
    'skipped by one rule and two patterns',
    { kind: 'skipped', rule: 'ignored', pattern: '*.a' },
    { kind: 'skipped', rule: 'ignored', pattern: '*.b' },
    true,
  ],
  [
    'failed alike, with other numbers in the message',
    failed('It has 5 bytes.'),
    failed('It has 6 bytes.'),
    true,
  ],
  ['failed with two remedies that name a call', told('held'), told('queue'), false],
  ['failed with one remedy that names a call', told('held'), told('held'), true],
  ['in a state without a reason', { kind: 'settling' }, { kind: 'settling' }, true],
])('files that are %s', (_, one, other, isSame) => {
  expect(fateOf(one) === fateOf(other)).toBe(isSame);
});

test.each<[StateKind, boolean]>([
  ['settling', true],
  ['ready', true],
  ['held', true],
  ['failed', true],
  ['uncertain', true],
  ['uploaded', false],
  ['skipped', false],
  ['superseded', false],
  ['recalled', false],
  ['gone', false],
])('the file of an upload that is %s may still be needed: %s', (kind, isNeeded) => {
  expect(mayGoUp(kind)).toBe(isNeeded);
});
