// The requests that wait for a permit: first the lane of the user, then uploads, then background requests. Within a
// lane the order of arrival holds. All of them share one timer.
import { AppError } from '../../contract/errors.ts';
import type { Lane } from '../../contract/model.ts';
import type { Clock } from '../ports/ports.ts';
import type { Permit } from '../ports/ledger.ts';
import type { SlotReason } from './policy.ts';
import { lanes } from './usage.ts';

/** `waitMs`: ask again after this time at the latest. `onChange` is called when it may be sooner. */
export type Wait = { waitMs: number; why: SlotReason };
export type Turn = { kind: 'granted'; permit: Permit } | ({ kind: 'wait' } & Wait);

type Waiter = { lane: Lane; grant: (permit: Permit) => void; fail: (error: unknown) => void };

/** `turn` gives a permit to the next request of a lane, or returns how long to wait. */
export const createLine = (options: { clock: Clock; turn: (lane: Lane) => Turn; granted: () => void }) => {
  const { clock, turn } = options;
  let waiters: Waiter[] = [];
  let undoTimer: (() => void) | null = null;

  const leave = (waiter: Waiter): void => {
    waiters = waiters.filter((one) => one !== waiter);
  };
  const firstIn = (lane: Lane): Waiter | undefined => waiters.find((waiter) => waiter.lane === lane);

  /** Tries one waiter. Null when it left the line, with a permit or a failure. */
  const serveOne = (waiter: Waiter): Wait | null => {
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

  /** Lets all waiters go that may go, and sets the timer for the next one. */
  const move = (): void => {
    undoTimer?.();
    undoTimer = null;
    let soonest: Wait | null = null;
    let granted = false;
    for (const lane of lanes) {
      let wait: Wait | null = null;
      for (let first = firstIn(lane); first !== undefined && wait === null; first = firstIn(lane)) {
        wait = serveOne(first);
        granted ||= wait === null;
      }
      if (wait === null) continue;
      if (soonest === null || wait.waitMs < soonest.waitMs) soonest = wait;
      // Uploads that wait for the daily limit do not block later lanes. For any other reason the later lanes wait too.
      if (wait.why !== 'daily-uploads') break;
    }
    if (soonest !== null) setTimer(soonest.waitMs);
    if (granted) options.granted();
  };

  const moveSoon = (): void => {
    if (waiters.length > 0) setTimer(0);
  };

  return {
    /** Waits for a permit. Throws `aborted`, and what `turn` throws. */
    join: (lane: Lane, signal: AbortSignal): Promise<Permit> =>
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
    /** How many wait in a lane. */
    length: (lane: Lane): number =>
      waiters.reduce((count, waiter) => count + (waiter.lane === lane ? 1 : 0), 0),
    /** Something has changed: tries again, but not at once, because the caller may be inside a transaction. */
    moveSoon,
    /** All waiting requests get `aborted`. */
    close(): void {
      undoTimer?.();
      undoTimer = null;
      const left = waiters;
      waiters = [];
      for (const waiter of left) waiter.fail(new AppError('aborted', 'Outtray is closing.'));
    },
  };
};

export type WaitingLine = ReturnType<typeof createLine>;
