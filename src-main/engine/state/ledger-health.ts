// The storage failed: the disk is full, read-only or dead, or the data folder is gone. This is the one place that knows
// it. It reports it as the gate's reason `disk` and tries again. Until that succeeds, no stage takes a turn.
//
// If an outcome could not be recorded, no upload starts until all running ones end and the recovery of a crash has run.
import { toAppError, type AppError, type StorageFault } from '../../contract/errors.ts';
import type { Clock, Log } from '../ports/ports.ts';
import type { Ledger } from '../ports/ledger.ts';

/** Often enough to go on soon after there is room; a probe writes 256 KiB. */
const probeEveryMs = 2000;
/** Does not pass while this process runs. */
const lasting: ReadonlySet<StorageFault> = new Set(['gone', 'damaged', 'newer']);
/** The wait after a fault in our own code: nothing outside changes it. */
const faultAgainMs = 300_000;

export const createLedgerHealth = (options: {
  ledger: Pick<Ledger, 'trouble' | 'onTrouble' | 'probe'>;
  clock: Pick<Clock, 'after'>;
  log: Log;
  /** What is wrong has changed. */
  changed: () => void;
  /** The ledger can be written again. */
  back: () => void;
  /** Concludes attempts that have no end, as at a start. */
  conclude: () => void;
}) => {
  const { ledger, clock, log } = options;
  let fault: AppError | null = null;
  let fatal: AppError | null = null;
  let isLost = false;
  let disarm: (() => void) | null = null;

  const trouble = (): AppError | null => fatal ?? ledger.trouble() ?? fault;

  const arm = (): void => {
    const now = trouble();
    if (now === null || fatal !== null) return;
    disarm ??= clock.after(now.storage === undefined ? faultAgainMs : probeEveryMs, () => {
      disarm = null;
      probe();
    });
  };

  const end = (error: AppError): void => {
    fatal = error;
    disarm?.();
    disarm = null;
    log.error('data folder lost', { error });
    options.changed();
  };

  const probe = (): void => {
    if (fatal !== null) return;
    const was = trouble();
    try {
      ledger.probe();
      fault = null;
    } catch (error) {
      const known = toAppError(error);
      // A disk may fail once. SQLite cannot be trusted on one that fails again: its files are mapped into memory.
      if (known.storage === 'failed') end(known);
      if (known.storage === undefined) fault = known;
    }
    hear();
    if (was !== null && trouble() === null) options.back();
  };

  const hear = (): void => {
    const now = ledger.trouble();
    if (fatal === null && now?.storage !== undefined && lasting.has(now.storage)) end(now);
    arm();
    options.changed();
  };
  const undo = ledger.onTrouble(hear);
  if (ledger.trouble() !== null) hear();

  const lost = (error: unknown): void => {
    isLost = true;
    fault = toAppError(error);
    hear();
  };

  return {
    /** What is wrong now; null: nothing. */
    trouble,
    /** What will not pass while this process runs; it has to end. Null: nothing. */
    fatal: (): AppError | null => fatal,
    /** Checks the disk now. */
    check: probe,
    /** An outcome could not be recorded. */
    lost,
    /**
     * True while the ledger can be written and agrees with what was sent. After an outcome that could not be recorded,
     * the lost attempts are concluded as soon as nothing is on the way.
     */
    recoverIfIdle(onTheWay: number): boolean {
      if (trouble() !== null) return false;
      if (!isLost) return true;
      if (onTheWay > 0) return false;
      try {
        options.conclude();
        isLost = false;
      } catch (error) {
        lost(error);
      }
      return !isLost;
    },
    stop(): void {
      undo();
      disarm?.();
    },
  };
};

export type LedgerHealth = ReturnType<typeof createLedgerHealth>;
