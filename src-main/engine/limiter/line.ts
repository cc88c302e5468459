// Those who wait for a permit: the user's lane first, then uploads, then our own business, each in order of
// arrival. One timer for all of them.
import { AppError } from '../../contract/errors.ts';
import type { Lane } from '../../contract/model.ts';
import type { Clock, Permit } from '../ports.ts';
import type { SlotReason } from './policy.ts';
import { lanes } from './usage.ts';

/** `waitMs`: when to ask again at the latest; `onChange` tells when it may be sooner. */
export type Wait = { waitMs: number; why: SlotReason };
export type Turn = { kind: 'granted'; permit: Permit } | ({ kind: 'wait' } & Wait);

export type Line = {
  /** Waits for a permit. Throws `aborted`, and what `turn` throws. */
  join(lane: Lane, signal: AbortSignal): Promise<Permit>;
  /** How many wait in a lane. */
  length(lane: Lane): number;
  /** Something has changed: tries again, but not at once, since the caller may be inside a transaction. */
  moveSoon(): void;
  /** Those who wait get `aborted`. */
  close(): void;
};

type Waiter = { lane: Lane; grant: (permit: Permit) => void; fail: (error: unknown) => void };

/** `turn` gives the next in a lane a permit, or says how long to wait. */
export const createLine = (options: {
  clock: Clock;
  turn: (lane: Lane) => Turn;
  granted: () => void;
}): Line => {
  const { clock, turn } = options;
  let waiters: Waiter[] = [];
  let undoTimer: (() => void) | null = null;

  const leave = (waiter: Waiter): void => {
    waiters = waiters.filter((one) => one !== waiter);
  };
  const firstIn = (lane: Lane): Waiter | undefined => waiters.find((waiter) => waiter.lane === lane);

  /** One waiter's turn: null when it left, with a permit or a failure. */
  const letGo = (waiter: Waiter): Wait | null => {
    try {
      const result = turn(waiter.lane);
      if (result.kind === 'wait') return result;
      leave(waiter);
      waiter.grant(result.permit);
    } catch (error) {
      leave(waiter);
      waiter.fail(error);
    }
    return null;
  };

  const setTimer = (delayMs: number): void => {
    undoTimer?.();
    undoTimer = clock.after(delayMs, move);
  };

  /** Lets those go who may, and sets the timer for the next. */
  const move = (): void => {
    undoTimer?.();
    undoTimer = null;
    let soonest: Wait | null = null;
    let granted = false;
    for (const lane of lanes) {
      let wait: Wait | null = null;
      for (let first = firstIn(lane); first !== undefined && wait === null; first = firstIn(lane)) {
        wait = letGo(first);
        granted ||= wait === null;
      }
      if (wait === null) continue;
      if (soonest === null || wait.waitMs < soonest.waitMs) soonest = wait;
      // Uploads that wait for tomorrow keep nobody else waiting; for any other reason the later lanes wait too.
      if (wait.why !== 'daily-uploads') break;
    }
    if (soonest !== null) setTimer(soonest.waitMs);
    if (granted) options.granted();
  };

  const moveSoon = (): void => {
    if (waiters.length > 0) setTimer(0);
  };

  return {
    join: (lane, signal) =>
      new Promise<Permit>((resolve, reject) => {
        const stopped = (): void => {
          leave(waiter);
          reject(
            new AppError('aborted', 'Stopped while waiting for the request budget.', '', {
              cause: signal.reason,
            }),
          );
          moveSoon();
        };
        const done = (): void => signal.removeEventListener('abort', stopped);
        const waiter: Waiter = {
          lane,
          grant(permit) {
            done();
            resolve(permit);
          },
          fail(error) {
            done();
            reject(error instanceof Error ? error : new AppError('internal', String(error)));
          },
        };
        if (signal.aborted) {
          stopped();
          return;
        }
        signal.addEventListener('abort', stopped, { once: true });
        waiters.push(waiter);
        if (firstIn(lane) === waiter) move();
      }),
    length: (lane) => waiters.reduce((count, waiter) => count + (waiter.lane === lane ? 1 : 0), 0),
    moveSoon,
    close() {
      undoTimer?.();
      undoTimer = null;
      const left = waiters;
      waiters = [];
      for (const waiter of left) waiter.fail(new AppError('aborted', 'Outtray is closing.'));
    },
  };
};
