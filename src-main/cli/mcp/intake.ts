// A client may send calls faster than they are answered, or may not read the answers. Then no more calls are read: the
// pipe fills, and the client waits.
import type { Readable } from 'node:stream';

/** Calls that run at once: each has the ledger open. */
const mostRunning = 8;
/** Calls that run or wait for their turn. Cancellations are still read while calls wait. A call may have 8 MiB. */
const mostOpen = 32;

export const createIntake = (input: Pick<Readable, 'pause' | 'resume'>) => {
  const waiting: (() => void)[] = [];
  let open = 0;
  let isClogged = false;
  const steer = (): void => void (open >= mostOpen || isClogged ? input.pause() : input.resume());
  return {
    /** Runs a call when it is its turn. */
    async run<Answer>(call: () => Promise<Answer>): Promise<Answer> {
      open += 1;
      steer();
      if (open > mostRunning) await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await call();
      } finally {
        waiting.shift()?.();
        open -= 1;
        steer();
      }
    },
    /** `clogged`: the client does not read what was written. */
    output(clogged: boolean): void {
      isClogged = clogged;
      steer();
    },
  };
};

export type Intake = ReturnType<typeof createIntake>;
