// When an id alone is no yes: it may mean another version of a held file than the one that a person was asked about.
import { expect, test } from 'vitest';
import { hasOtherVersion } from '../../../src-main/cli/commands/decide.ts';
import type { EntryBody } from '../../../src-main/contract/entries.ts';
import type { HoldReason } from '../../../src-main/contract/model.ts';

const held = (reason: HoldReason): EntryBody => ({ kind: 'held', reason });
const confirmed: EntryBody = { kind: 'confirmed', reason: 'burst' };

test.each<[string, [atMs: number, body: EntryBody][], number, boolean]>([
  ['held once', [[10, held('burst')]], 10, false],
  ['held once, a moment after the row changed', [[11, held('burst')]], 10, false],
  ['rewritten without another question', [[10, held('burst')]], 20, true],
  ['that was there and is rewritten', [[10, held('existing-changed')]], 20, true],
  [
    'held again',
    [
      [10, held('secret-name')],
      [20, held('secret-name')],
    ],
    20,
    true,
  ],
  [
    'held again after an answer',
    [
      [10, held('burst')],
      [15, confirmed],
      [20, held('secret-content')],
    ],
    20,
    false,
  ],
  [
    'held after its upload had begun',
    [
      [10, held('burst')],
      [20, held('uncertain')],
    ],
    10,
    false,
  ],
  ['whose entries are gone', [], 20, false],
])('a file %s', (_, entries, changedAtMs, isOther) => {
  const told = entries.map(([atMs, body]) => ({ atMs, body }));
  expect(hasOtherVersion(told, { state: { kind: 'held', reason: 'burst' }, changedAtMs })).toBe(isOther);
  expect(hasOtherVersion(told, { state: { kind: 'ready' }, changedAtMs })).toBe(false);
});
