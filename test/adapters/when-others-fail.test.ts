// A part that fails takes no other part with it: listeners of a commit, parts of a program that ends.
import { afterEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src-main/adapters/ledger/database.ts';
import { toLedgerError } from '../../src-main/adapters/ledger/faults.ts';

afterEach(() => vi.unstubAllGlobals());

test('a listener that throws after the commit makes it no failure, and the others are told', () => {
  const later: (() => void)[] = [];
  vi.stubGlobal('queueMicrotask', (act: () => void) => void later.push(act));
  const database = openDatabase(':memory:', toLedgerError);
  database.exec('CREATE TABLE a (b)');
  let told = 0;
  const count = database.atomically(() => {
    database.afterCommit(() => {
      throw new Error('of the listener');
    });
    database.afterCommit(() => void (told += 1));
    return database.run('INSERT INTO a VALUES (1)');
  });
  expect([count, told, database.value('SELECT count(*) FROM a')]).toEqual([1, 1, 1]);
  // Its fault is not lost either.
  expect(() => later[0]?.()).toThrow('of the listener');
  database.close();
});

test('a part that does not end is reported, and the others end in their order', async () => {
  const { endAll } = await import('../../src-main/adapters/system/end-all.ts');
  const done: string[] = [];
  const end = (part: string) => async () => void done.push(part);
  const parts = { engine: end('engine'), disk: () => Promise.reject(new Error('EIO')), lock: end('lock') };
  await endAll(parts, (event, { part }) => void done.push(`${event}: ${String(part)}`));
  expect(done).toEqual(['engine', 'not closed: disk', 'lock']);
});
