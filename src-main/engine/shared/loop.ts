// A loop that sleeps until it is woken or its next time has come, and never runs twice at once. Every stage that
// waits is one of these, so nothing sleeps without a timer or a visible cause.
import type { Clock, Log } from '../ports.ts';
import { toAppError } from '../../contract/errors.ts';

export type Loop = {
  /** Takes a turn soon; during a turn: one more after it. */
  wake(): void;
  /** True while a turn runs or is due now. */
  isBusy(): boolean;
  /** Takes no further turn; resolves when the running one has ended. */
  stop(): Promise<void>;
};

/** After a turn that threw: long enough not to burn, short enough to recover by itself. */
const afterFaultMs = 5000;

export const createLoop = (options: {
  name: string;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Returns milliseconds until the next turn, or null: until woken. */
  turn: () => Promise<number | null>;
}): Loop => {
  const { clock, log, signal } = options;
  let running: Promise<void> | null = null;
  let again = false;
  const isWanted = (): boolean => again;
  const isStopped = (): boolean => signal.aborted;
  let disarm: (() => void) | null = null;

  const arm = (waitMs: number): void => {
    disarm?.();
    disarm = clock.after(Math.max(0, waitMs), () => {
      disarm = null;
      wake();
    });
  };

  const run = async (): Promise<void> => {
    do {
      again = false;
      disarm?.();
      disarm = null;
      try {
        const waitMs = await options.turn();
        if (waitMs !== null && !isWanted() && !isStopped()) arm(waitMs);
      } catch (error) {
        if (isStopped()) return;
        log.error('turn failed', {
          loop: options.name,
          code: toAppError(error).code,
          message: String(error),
        });
        arm(afterFaultMs);
      }
    } while (isWanted() && !isStopped());
  };

  const wake = (): void => {
    again = true;
    if (running !== null || isStopped()) return;
    running = Promise.resolve()
      .then(run)
      .finally(() => {
        running = null;
        if (isWanted() && !isStopped()) wake();
      });
  };

  signal.addEventListener('abort', () => disarm?.(), { once: true });
  return {
    wake,
    isBusy: () => running !== null || again,
    async stop() {
      disarm?.();
      again = false;
      await running;
    },
  };
};
