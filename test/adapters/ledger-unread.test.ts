// Values in the ledger that cannot be read: damaged, or written by another version. Whatever they held back stays held.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { facts, unread, type Facts } from '../../src-main/contract/facts.ts';
import { parseMemory } from '../../src-main/engine/limiter/memory.ts';
import { add, errorOf, NOON_MS, openFor, temporaryFolder } from './ledger-fixtures.ts';

const damages: [name: string, value: string][] = [
  ['empty', ''],
  ['cut off', '{"untilMs":'],
  ['with NUL bytes', '\0\0{}'],
  ['no JSON', 'paused'],
  ['huge', 'x'.repeat(1_000_000)],
  ['a newer shape', '{"newer":"yes"}'],
  ['an array of other things', '[[]]'],
  ['a number', '-0.5'],
];
const names = Object.keys(facts) as (keyof Facts)[];

const openRaw = () => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  const ledger = openFor(file);
  const change = (sql: string, ...values: (string | number)[]): void => {
    const raw = new DatabaseSync(file);
    raw.prepare(sql).run(...values);
    raw.close();
  };
  return { ledger, change };
};

test.for(damages)(
  'a fact that is %s counts as the value that stops or asks more, or as none',
  ([, value]) => {
    const { ledger, change } = openRaw();
    for (const name of names) {
      change('INSERT INTO facts (name, value, at_ms) VALUES (?, ?, 5)', name, value);
      const instead = unread[name];
      const found = ledger.facts.get(name);
      expect({ name, found }).toEqual({
        name,
        found: instead === undefined ? null : { value: instead(5), atMs: 5 },
      });
    }
  },
);

test('fields of a newer version are ignored, and a position in the audit file keeps its name without its number', () => {
  const { ledger, change } = openRaw();
  const put = 'INSERT INTO facts (name, value, at_ms) VALUES (?, ?, 5)';
  change(put, 'pause', '{"untilMs":7,"by":"somebody"}');
  change(put, 'audit', '{"ledger":"abc","seq":"many"}');
  expect(ledger.facts.get('pause')?.value).toEqual({ untilMs: 7 });
  expect(ledger.facts.get('audit')?.value).toEqual({ ledger: 'abc', seq: 0 });
});

test.for(damages)('no entry is pruned while the position in the audit file is %s', ([, value]) => {
  const { ledger, change } = openRaw();
  for (const atMs of [1, 2, 3]) ledger.entries.add(null, null, { kind: 'queue-opened' }, atMs);
  change("INSERT INTO facts (name, value, at_ms) VALUES ('audit', ?, 5)", value);
  ledger.entries.prune(1);
  expect(ledger.entries.after(0, 10)).toHaveLength(3);
});

test.for([
  ...damages.filter(([name]) => name !== 'a newer shape'),
  ['an unknown choice', '{"copyFormat":"poem"}'],
])('a folder is paused while its own rules are %s', ([, value = '']) => {
  const { ledger, change } = openRaw();
  const { id, own } = ledger.folders.insert({ path: '/tray', identity: '1', chosenAtMs: NOON_MS });
  expect(own).toEqual({});
  change('UPDATE folders SET own = ?', value);
  expect(ledger.folders.byId(id)?.own).toEqual({ paused: true });
});

test.for([...damages, ['null', 'null']])(
  'a memory of the limiter that is %s makes it cautious',
  ([, value = '']) => {
    const { ledger, change } = openRaw();
    change('INSERT OR REPLACE INTO limiter (id, memory) VALUES (1, ?)', value);
    expect(parseMemory(ledger.permits.memory())).toEqual({ kind: 'strange' });
  },
);

test.for(damages.filter(([name]) => name !== 'a newer shape'))(
  'an upload or an entry whose details are %s is reported as a fault of the ledger',
  ([, value]) => {
    const { ledger, change } = openRaw();
    const { id } = add(ledger, { name: 'a', state: { kind: 'held', reason: 'burst' } });
    ledger.entries.add(id, '/a', { kind: 'queue-opened' }, 1);
    change('UPDATE entries SET body = ?', value);
    expect(errorOf(() => ledger.entries.after(0, 10)).code).toBe('ledger');
    change('UPDATE uploads SET expire_wish = ?', value);
    expect(errorOf(() => ledger.uploads.byId(id)).code).toBe('ledger');
    change('UPDATE uploads SET expire_wish = NULL, detail = ?', value);
    expect(errorOf(() => ledger.uploads.byId(id)).code).toBe('ledger');
  },
);
