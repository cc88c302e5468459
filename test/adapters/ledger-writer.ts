// A second process for the ledger's tests: writes entries one transaction at a time and prints each number once it is
// recorded. `node ledger-writer.ts FILE WHO COUNT`; with COUNT 0 it continues until it is killed.
import { writeSync } from 'node:fs';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';

const [file = '', who = '', count = '0'] = process.argv.slice(2);
const ledger = openLedger({ file, nowMs: Date.now });
for (let turn = 1; count === '0' || turn <= Number(count); turn += 1) {
  const seq = ledger.atomically(() => {
    const { lane, id } = ledger.permits.insert('upload', turn, who);
    return ledger.entries.add(null, `${who} ${lane} ${id}`, { kind: 'queue-opened' }, turn).seq;
  });
  writeSync(1, `${seq}\n`);
}
ledger.close();
