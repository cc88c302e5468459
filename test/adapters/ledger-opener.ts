// One of several processes that make new ledgers at the same moment: `node ledger-opener.ts FOLDER START ROUNDS` opens
// one every 300 ms from START (epoch milliseconds) on. Exits with 1 and the reason when one cannot be opened.
import path from 'node:path';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';

const [folder = '', start = '', rounds = ''] = process.argv.slice(2);
for (let round = 0; round < Number(rounds); round += 1) {
  const atMs = Number(start) + round * 300;
  if (Date.now() > atMs) continue;
  // Not a timer: all processes have to open it in the same millisecond.
  while (Date.now() < atMs);
  openLedger({ file: path.join(folder, `${round}.sqlite`), nowMs: Date.now }).close();
}
