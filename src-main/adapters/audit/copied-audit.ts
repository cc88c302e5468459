// The audit file, and where a setting wants it the copy of its lines in the log of the system.
import type { AppError } from '../../contract/errors.ts';
import { createAudit, type AuditFiles } from './audit.ts';
import { createSystemLog } from './system-log.ts';

export type CopiedAudit = AuditFiles & {
  /** Throws when the file, or the log of the system that is wanted, cannot be written. */
  checkAll(file: string): void;
  /** What was to be copied has gone, or failed. */
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
