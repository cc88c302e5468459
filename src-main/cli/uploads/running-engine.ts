// What a guest does about the closed gate of the engine that runs in another process.
import type { Composed } from '../session.ts';
import type { AppError } from '../../contract/errors.ts';
import { isTrouble } from '../../engine/account/gate-rules.ts';
import { closedFor } from './standstill.ts';

/** How long a guest waits for the gate of the running engine to open: our own files made the engine try again. */
const gatePatienceMs = 3000;
const networkPatienceMs = 10_000;

/** Waits some seconds each time the gate closes; if it stays closed, the run ends with its error. */
export const createElsewhere = ({ engine, clock }: Composed) => {
  let closed: { seenAtMs: number; key: string } | null = null;
  return {
    standstill(): AppError | null {
      const { gate } = engine.queueNow();
      if (gate.kind === 'open') {
        closed = null;
        return null;
      }
      const key = `${gate.reason} ${gate.untilMs}`;
      if (closed?.key !== key) closed = { seenAtMs: clock.monoMs(), key };
      const patienceMs = isTrouble(gate.reason) ? networkPatienceMs : gatePatienceMs;
      return clock.monoMs() - closed.seenAtMs < patienceMs ? null : closedFor(gate);
    },
  };
};

/** A wait that ends early when `ring` is called. */
export const createSignal = (clock: Composed['clock']) => {
  let ring = (): void => undefined;
  return {
    ring: () => ring(),
    wait: (maxMs: number): Promise<void> =>
      new Promise((resolve) => {
        const disarm = clock.after(maxMs, resolve);
        ring = () => {
          disarm();
          resolve();
        };
      }),
  };
};
