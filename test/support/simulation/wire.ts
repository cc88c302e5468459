// The connection between the engine and the service in virtual time. Each transfer takes a while, breaks when the
// machine falls asleep or the engine dies, and ends when the caller no longer waits.
import { AppError } from '../../../src-main/contract/errors.ts';
import type { VirtualClock } from '../virtual-clock.ts';

export type Wire = {
  /** One trip, or the transfer of a piece of the body. Throws `aborted`, and `interrupted` after a sleep. */
  travel(ms: number, signal: AbortSignal): Promise<void>;
  /** Breaks every open connection. Waiting callers get the error when the machine is awake. */
  sever(): void;
  awake(isAwake: boolean): void;
};

export const broken = (evidence: string): AppError =>
  new AppError('interrupted', 'The connection broke.', 'Outtray tries again by itself.', { evidence });

export const createWire = (clock: VirtualClock): Wire => {
  const open = new Set<(error: AppError) => void>();
  const unheard: (() => void)[] = [];
  let isAwake = true;
  const whenAwake = (act: () => void): void => {
    if (isAwake) act();
    else unheard.push(act);
  };
  return {
    travel: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(new AppError('aborted', 'Stopped.'));
          return;
        }
        const over = (): void => {
          undo();
          open.delete(fail);
          signal.removeEventListener('abort', stop);
        };
        const fail = (error: AppError): void => {
          over();
          whenAwake(() => reject(error));
        };
        const stop = (): void => fail(new AppError('aborted', 'Stopped.'));
        const undo = clock.after(ms, () => {
          over();
          resolve();
        });
        open.add(fail);
        signal.addEventListener('abort', stop, { once: true });
      }),
    sever() {
      for (const fail of [...open]) fail(broken('the machine slept'));
    },
    awake(now) {
      isAwake = now;
      if (now) for (const act of unheard.splice(0)) act();
    },
  };
};
