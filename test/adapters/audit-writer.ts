// Appends lines to an audit file that another process writes, too: FILE LEDGER COUNT MAXBYTES.
import { createAudit } from '../../src-main/adapters/audit/audit.ts';
import { auditLine } from '../support/fake-audit.ts';

const [file = '', ledger = '', count, maxBytes] = process.argv.slice(2);
const audit = createAudit({ nowMs: Date.now, maxBytes: Number(maxBytes), files: 100_000 });
for (let seq = 1; seq <= Number(count); seq += 1) audit.append(file, [auditLine(seq, { ledger })]);
