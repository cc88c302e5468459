// Names in the order of a person: 2 before 10. The ledger and the window sort by one definition.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { naturalKey } from '../../src-main/adapters/ledger/migrations/natural-order.ts';
import { openDatabase } from '../../src-main/adapters/ledger/database.ts';
import { toLedgerError } from '../../src-main/adapters/ledger/faults.ts';
import { naturalOrder } from '../../src-main/contract/search.ts';

const sorted = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => (naturalOrder(a) < naturalOrder(b) ? -1 : 1));

test('numbers in names are compared by value, wherever they stand, and leading zeros do not count', () => {
  const names = ['doc 2', 'doc 10', 'doc 20', 'doc 21', 'doc 100', 'doc b', 'doc_2', 'v1.9.1', 'v1.10.0'];
  expect(sorted(names.toReversed())).toEqual(names);
  expect(sorted(['img 010', 'img 9', 'img 0009b'])).toEqual(['img 9', 'img 0009b', 'img 010']);
  const long = [8, 9, 10, 11, 99, 120].map((length) => `7${'0'.repeat(length - 1)}`);
  expect(sorted(long.toReversed())).toEqual(long);
});

test('SQL and the window agree on the order of every name', () => {
  const database = openDatabase(':memory:', toLedgerError);
  const letters = fc.constantFrom('0', '1', '2', '9', 'a', 'ß', '😀', ' ', '.', "'", '%', '٣');
  const names = fc.array(letters, { maxLength: 40 }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        names,
        fc.string({ unit: 'grapheme' }).map((name) => name.replaceAll('\0', '')),
      ),
      (name) => {
        expect(database.value(`SELECT ${naturalKey('name')} FROM (SELECT ? AS name)`, name)).toBe(
          naturalOrder(name),
        );
      },
    ),
    { numRuns: 500 },
  );
  const many = Array.from({ length: 100 }, (_, at) => `${String(at)}x`).join('');
  expect(database.value(`SELECT ${naturalKey('name')} FROM (SELECT ? AS name)`, many)).toBe(
    naturalOrder(many),
  );
  database.close();
});
