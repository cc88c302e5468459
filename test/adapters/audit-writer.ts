// Appends lines to an audit file that another process writes, too: FILE LEDGER COUNT MAXBYTES.
import { createAudit } from '../../src-main/adapters/audit/audit.ts';
import type { AuditLine } from '../../src-main/engine/ports/ledger.ts';

const [file = '', ledger = '', count, maxBytes] = process.argv.slice(2);
const audit = createAudit({ nowMs: Date.now, maxBytes: Number(maxBytes), files: 100_000 });
const line: AuditLine = {
  at: '2026-01-01T00:00:00.000Z',
  event: 'public',
  file_id: 1,
  path: '/tray/a.txt',
  filename: 'a.txt',
  size: 1,
  sha256: 'ab',
  public_link: 'https://files.example.com/a',
  expiresAt: null,
  door: 'folder',
  reason: null,
  dead: null,
  seq: 0,
  ledger,
};
for (let seq = 1; seq <= Number(count); seq += 1) audit.append(file, [{ ...line, seq }]);
