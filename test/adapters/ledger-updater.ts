// Opens a ledger and prints the version that it was updated from: `node ledger-updater.ts FILE`.
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';

const [file = ''] = process.argv.slice(2);
const ledger = openLedger({ file, nowMs: Date.now });
process.stdout.write(`${ledger.updatedFrom}\n`);
ledger.close();
