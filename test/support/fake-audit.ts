// An audit file in memory, and its lines.
import { AppError } from '../../src-main/contract/errors.ts';
import type { Audit, AuditLine } from '../../src-main/engine/ports/ledger.ts';

export const auditLine = (seq: number, more: Partial<AuditLine> = {}): AuditLine => ({
  at: '2026-01-01T00:00:00.000Z',
  event: 'public',
  file_id: seq,
  path: '/tray/a.txt',
  filename: 'a.txt',
  size: 1,
  sha256: 'ab',
  public_link: 'https://files.example.com/a',
  expiresAt: null,
  door: 'folder',
  reason: null,
  dead: null,
  linkState: null,
  seq,
  ledger: 'one',
  ...more,
});

export const createFakeAudit = () => {
  const lines: AuditLine[] = [];
  let fault: AppError | null = null;
  const orThrow = (): void => {
    if (fault !== null) throw fault;
  };
  const port: Audit = {
    check: orThrow,
    lastSeq(_, ledger) {
      orThrow();
      return lines.findLast((line) => line.ledger === ledger)?.seq ?? null;
    },
    append(_, more) {
      orThrow();
      lines.push(...more);
    },
  };
  return {
    port,
    lines,
    /** From now on it cannot be written; null: it can. */
    fail(message: string | null): void {
      fault = message === null ? null : new AppError('audit', message, 'Repair it.');
    },
  };
};
