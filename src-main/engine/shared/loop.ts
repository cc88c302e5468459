// A loop that sleeps until it is woken or its next time has come, and never runs twice at once. Every stage that
// waits is one of these, so what a stage waits for is its timer or a wake.
import type { Clock, Log } from '../ports/ports.ts';
import { toAppError } from '../../contract/errors.ts';

/** Whether the stages work. */
export type StageWork = {
  /** Aborted when the engine stops. */
  signal: AbortSignal;
  /** True between the start and the stop of the engine. False in a process that only reads the state. */
  isRunning: () => boolean;
  /** The engine runs, and the ledger can be written. */
  isOn: () => boolean;
};

export type Loop = {
  /** Takes a turn soon; during a turn: one more after it. */
  wake(): void;
  /** True while a turn runs or is due now. */
  isBusy(): boolean;
  /** Takes no further turn; resolves when the running one has ended. */
  stop(): Promise<void>;
};

/** A part of the engine that works by itself. It reads the ledger and is woken by rows and by its own timers. */
export type Stage = Pick<Loop, 'wake' | 'stop'> & {
  /** Nothing is due now or under way. The rest waits for time, a person, or the network. */
  isStill(): boolean;
};

/** The wait after a turn that threw: long enough to cost little time, short enough to recover soon. */
const afterFaultMs = 5000;

export const createLoop = (options: {
  name: string;
  ports: { clock: Clock; log: Log };
  work: StageWork;
  /** Returns milliseconds until the next turn, or null: until woken. Called only while the engine works. */
  turn: () => Promise<number | null>;
}): Loop => {
  const { clock, log } = options.ports;
  const { signal, isOn } = options.work;
  let running: Promise<void> | null = null;
  let again = false;
  const isWanted = (): boolean => again;
  const isStopped = (): boolean => signal.aborted;
  let disarm: (() => void) | null = null;

  const arm = (waitMs: number): void => {
    disarm?.();
    // Timers count whole milliseconds: a shorter wait would end before its time, and be taken again at once.
    disarm = clock.after(Math.max(0, Math.ceil(waitMs)), () => {
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
        const waitMs = isOn() ? await options.turn() : null;
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

/** One turn stays under 20 ms, also with a slice of the file adapter in it. */
const sliceMs = 8;

/**
 * For one piece of work; call the result before each step. A slice can end only at every `stride`-th step. Null: go on
 * at once, without an `await`.
 */
export const startSlices = (clock: Clock, stride = 1): (() => Promise<void> | null) => {
  let endsAtMs = clock.monoMs() + sliceMs;
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % stride !== 0 || clock.monoMs() < endsAtMs) return null;
    return new Promise<void>((next) => {
      clock.after(0, next);
    }).then(() => {
      endsAtMs = clock.monoMs() + sliceMs;
    });
  };
};
