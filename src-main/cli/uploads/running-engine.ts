// The queue's gate as a guest knows it: what the engine of another process said about it last.
import type { Composed } from '../session.ts';
import type { Entry } from '../../contract/entries.ts';
import type { AppError } from '../../contract/errors.ts';
import type { WaitReason } from '../../contract/model.ts';
import { isTrouble } from '../../engine/account/gate-rules.ts';
import { closedFor } from './standstill.ts';

/** How long a guest waits for the gate of the running engine to open: our own files made the engine try again. */
const gatePatienceMs = 3000;
const networkPatienceMs = 10_000;
/** The last entries, at most this many, are read for the state of the gate. */
const entriesBack = 500;

/** What a guest knows of the gate of the engine that runs in another process: its last word about it. */
export const createElsewhere = ({ ledger, holder, clock }: Composed) => {
  let closed: { heardAtMs: number; error: AppError; reason: WaitReason } | null = null;
  const heard = ({ body }: Entry): void => {
    if (body.kind === 'queue-opened') closed = null;
    if (body.kind !== 'queue-closed') return;
    const error = closedFor(body);
    closed = error === null ? null : { heardAtMs: clock.monoMs(), error, reason: body.reason };
  };
  const { entries } = ledger;
  for (const entry of holder === null ? [] : entries.after(entries.lastSeq() - entriesBack, entriesBack)) {
    if (holder !== null && entry.atMs >= holder.sinceMs) heard(entry);
  }
  return {
    heard,
    standstill(): AppError | null {
      if (closed === null) return null;
      const patienceMs = isTrouble(closed.reason) ? networkPatienceMs : gatePatienceMs;
      return clock.monoMs() - closed.heardAtMs < patienceMs ? null : closed.error;
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
