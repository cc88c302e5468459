// When an id alone is no yes: it may mean another version of a held file than the one that a person was asked about.
import { expect, test } from 'vitest';
import { hasOtherVersion } from '../../../src-main/cli/commands/queue/decide.ts';
import type { EntryBody } from '../../../src-main/contract/entries.ts';
import type { HoldReason } from '../../../src-main/contract/model.ts';

const held = (reason: HoldReason): EntryBody => ({ kind: 'held', reason });
const confirmed: EntryBody = { kind: 'confirmed', reason: 'burst' };

test('a file that was written again after it was held', () => {
  const state = { kind: 'held', reason: 'burst', isRewritten: true } as const;
  expect(hasOtherVersion([{ body: held('burst') }], { state })).toBe(true);
});

test.each<[string, EntryBody[], boolean]>([
  ['held once', [held('burst')], false],
  ['held again', [held('secret-name'), held('secret-name')], true],
  ['held again after an answer', [held('burst'), confirmed, held('secret-content')], false],
  ['held after its upload had begun', [held('burst'), held('uncertain')], false],
  ['whose entries are gone', [], false],
])('a file %s', (_, entries, isOther) => {
  const told = entries.map((body) => ({ body }));
  expect(hasOtherVersion(told, { state: { kind: 'held', reason: 'burst' } })).toBe(isOther);
  expect(hasOtherVersion(told, { state: { kind: 'ready' } })).toBe(false);
});
