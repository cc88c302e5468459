// The rows that the question before a deletion names, and those that it deletes: the same.
import { expect, test } from 'vitest';
import type { GivenGroup } from '../../../src-main/contract/window.ts';
import { onService, rowsOfGroup } from '../../../src-renderer/state/recall/deletion.ts';
import { givenGroup, givenRow } from '../../support/window/screen-seeds.ts';
import { row } from '../../support/window/seed.ts';

const group: GivenGroup = {
  ...givenGroup,
  total: 2,
  linked: 2,
  rows: [givenRow(10, 'old.txt', 5), { ...givenRow(20, 'new.txt'), sharedAtMs: 9 }],
};

test('each link of a group is listed by its own name, and one shared before stays unless it is ticked', () => {
  expect(rowsOfGroup(group)).toEqual([
    { fileId: 10, name: 'old.txt', place: 'this-machine', uploadedAtMs: 5, before: { sinceMs: 5 } },
    { fileId: 20, name: 'new.txt', place: 'this-machine', uploadedAtMs: 9 },
  ]);
});

test('a row that the service no longer has is not listed, and one file is listed once', () => {
  const gone = row(1, 'gone.txt', { place: 'gone-from-service' });
  const rows = [gone, row(2, 'b.txt'), row(2, 'b.txt'), row(3, 'c.txt', { fileId: null })];
  expect(onService(rows).map(({ name }) => name)).toEqual(['b.txt']);
});
