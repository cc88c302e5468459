// The audit file, and a copy of its lines in the system log if the setting auditSystemLog is on.
import type { AppError } from '../../contract/errors.ts';
import { createAudit, type AuditFiles } from './audit.ts';
import { createSystemLog } from './system-log.ts';

export type CopiedAudit = AuditFiles & {
  /** Throws when the audit file, or the system log if it is wanted, cannot be written. */
  checkAll(file: string): void;
  /** Resolves when every copy is written or has failed. */
  close(): Promise<void>;
};

export const createCopiedAudit = ({
  nowMs,
  isCopied,
  notCopied,
}: {
  nowMs: () => number;
  isCopied: () => boolean;
  notCopied: (error: AppError) => void;
}): CopiedAudit => {
  const systemLog = createSystemLog({ failed: notCopied });
  const audit = createAudit({
    nowMs,
    copy(lines) {
      if (isCopied()) systemLog.send(lines);
    },
  });
  return {
    ...audit,
    checkAll(file) {
      audit.check(file);
      if (isCopied()) systemLog.check();
    },
    close: () => systemLog.close(),
  };
};
