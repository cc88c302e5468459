// Every row of the catalogue of states, against the events and the ledger's sets.
import { expect, test } from 'vitest';
import { states as sets } from '../../src-main/adapters/ledger/schema.ts';
import { stateRow, statesWith } from '../../src-main/contract/model.ts';
import { table } from '../../src-main/engine/state/table.ts';
import { states } from '../support/row-events.ts';

test('the catalogue has the states of the type, and no others', () => {
  expect(statesWith({}).sort()).toEqual(Object.keys(states).sort());
});

test('each action of a state is an event of the table', () => {
  for (const kind of statesWith({})) {
    const { mayCancel, hasLink, mayConfirm, mayRetry, phase } = stateRow(kind);
    if (mayCancel) expect(table['left-out'].from).toContain(kind);
    if (mayConfirm || mayRetry) expect(table.wanted.from).toContain(kind);
    if (hasLink) expect(table.recall.from).toContain(kind);
    if (phase === 'under-way') expect(table['answer-lost'].from).toContain(kind);
  }
});

test('a set is printed in the order of the catalogue, as in the indices of shipped ledgers', () => {
  expect(sets({ hasLink: true })).toBe("('uploaded', 'superseded')");
  expect(sets({ byContent: true })).toBe(
    "('committing', 'uncertain', 'uploaded', 'recalling', 'recalled', 'held')",
  );
  expect(sets({ isTakenBack: true })).toBe("('recalling', 'recalled')");
  expect(sets({ phase: 'final' })).toBe("('uploaded', 'superseded', 'recalling', 'recalled', 'gone')");
});
