// Sends what agents queued. If another Outtray runs, that one sends. Otherwise this process takes the engine, but only
// while it has something to send: a server lives as long as its client and must not keep the app from starting.
import { readHolder } from '../../adapters/system/lock.ts';
import { toAppError, type AppError } from '../../contract/errors.ts';
import { within, type Session, type Composed } from '../session.ts';
import { createSignal } from '../uploads/running-engine.ts';
import { standstill } from '../uploads/standstill.ts';
import { uploadEndOf } from '../uploads/upload-ends.ts';

const lookEveryMs = 100;
/** How often to check whether the other process still runs; each check tries the lock. */
const holderEveryMs = 1000;
const who = 'outtray mcp';

export type Sending = {
  /** Has these uploads sent, by this process or by the running engine. */
  add(ids: readonly number[]): void;
  /** How much of it is sent; null: nothing, or another process sends it. */
  sent(id: number): { sentBytes: number; totalBytes: number } | null;
  /** Why no upload can proceed; null while they can. Cleared by the next `add`. */
  problem(): AppError | null;
  /** Stops uploads whose tail is not sent yet, and waits for the answers to the others. What is left stays queued. */
  stop(): Promise<void>;
};

export const createSending = (session: Session): Sending => {
  const left = new Set<number>();
  const sent = new Map<number, { sentBytes: number; totalBytes: number }>();
  let engine: Composed['engine'] | null = null;
  let running: Promise<void> | null = null;
  let problem: AppError | null = null;
  let isStopped = false;
  let ring = (): void => undefined;

  const settle = (composed: Composed): void => {
    for (const id of left) if (uploadEndOf(composed, id) !== null) left.delete(id);
  };
  const isDone = (): boolean => isStopped || left.size === 0;

  const asEngine = async (composed: Composed): Promise<void> => {
    const stirred = createSignal(composed.clock);
    ring = stirred.ring;
    await composed.keys.require();
    engine = composed.engine;
    const stopHearing = engine.listen((change) => {
      if (change.kind !== 'progress') return;
      for (const { uploadId, sentBytes, totalBytes } of change.progress)
        sent.set(uploadId, { sentBytes, totalBytes });
    });
    try {
      engine.restrictTo(left);
      await engine.start({ folder: null, existing: 'skip' });
      for (;;) {
        settle(composed);
        if (isDone()) return;
        const stop = standstill(composed, 'minute', () =>
          [...left].flatMap((id) => composed.ledger.uploads.byId(id) ?? []),
        );
        if (stop !== null) throw stop;
        await stirred.wait(lookEveryMs);
      }
    } finally {
      stopHearing();
      engine = null;
      sent.clear();
    }
  };

  const beside = async (composed: Composed): Promise<void> => {
    const stirred = createSignal(composed.clock);
    ring = stirred.ring;
    for (;;) {
      settle(composed);
      if (isDone()) return;
      if (readHolder(composed.home.folder) === null) return;
      await stirred.wait(holderEveryMs);
    }
  };

  const run = async (): Promise<void> => {
    try {
      while (!isDone())
        await within(session, { kind: 'either', who, isBrief: true }, (composed) =>
          composed.isEngine ? asEngine(composed) : beside(composed),
        );
    } catch (error) {
      problem = toAppError(error);
      left.clear();
    }
  };

  const begin = (): void => {
    if (running !== null || isDone()) return;
    running = run().finally(() => {
      running = null;
      // Something may have been added while it ended.
      begin();
    });
  };

  return {
    add(ids) {
      problem = null;
      for (const id of ids) left.add(id);
      engine?.restrictTo(left);
      engine?.nudge();
      ring();
      begin();
    },
    sent: (id) => sent.get(id) ?? null,
    problem: () => problem,
    async stop() {
      isStopped = true;
      ring();
      await running;
    },
  };
};
