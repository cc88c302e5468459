// How a piece of a file goes to the connection: in slices, and under the bandwidth cap that all uploads of this Api
// share.
import { setTimeout as sleep } from 'node:timers/promises';

export type Bandwidth = {
  /** Slices to send one after the other, each after `turn`. */
  slices(piece: Uint8Array): Iterable<Uint8Array>;
  /** Resolves when that many bytes may go. Rejects when the signal is aborted while it waits. */
  turn(bytes: number, signal: AbortSignal): Promise<void>;
};

export type BandwidthWorld = {
  monoMs: () => number;
  /** Rejects when the signal is aborted. */
  delay: (waitMs: number, signal: AbortSignal) => Promise<void>;
};

/**
 * A write counts as moving only when all of it is sent. So it must not be larger than what a very slow line sends
 * within the limit for a stall: 128 KiB in 60 s are 2 KiB/s. Larger ones are not faster.
 */
const maxSliceBytes = 128 * 1024;
/** Under a cap a slice takes about this long, so that the line looks steady and uploads share it evenly … */
const sliceMs = 100;
/** … but small slices cost a system call each. */
const minSliceBytes = 4 * 1024;

/** How often a slice that waits looks at the cap again: under the old one it might wait for minutes. */
const lookMs = 1000;

/** `bytesPerSecond`: the cap of the moment; 0: none. A changed one counts for running uploads as well. */
export const createBandwidth = (
  bytesPerSecond: () => number,
  { monoMs, delay }: BandwidthWorld = realTime,
): Bandwidth => {
  const sliceBytes = (): number => {
    const cap = bytesPerSecond();
    const shared = Math.max(minSliceBytes, Math.floor((cap * sliceMs) / 1000));
    return cap > 0 ? Math.min(shared, maxSliceBytes) : maxSliceBytes;
  };
  /** Bytes that were let go, or will be, and whose time is not over yet. */
  let owedBytes = 0;
  let atMs = monoMs();
  const pass = (): void => {
    const cap = bytesPerSecond();
    const nowMs = monoMs();
    owedBytes = cap > 0 ? Math.max(0, owedBytes - ((nowMs - atMs) * cap) / 1000) : 0;
    atMs = nowMs;
  };
  return {
    *slices(piece) {
      for (let at = 0; at < piece.length;) {
        const slice = piece.subarray(at, at + sliceBytes());
        yield slice;
        at += slice.length;
      }
    },
    async turn(bytes, signal) {
      pass();
      let before = owedBytes;
      owedBytes += bytes;
      while (before >= 1 && bytesPerSecond() > 0) {
        const sinceMs = monoMs();
        await delay(Math.min((before * 1000) / bytesPerSecond(), lookMs), signal);
        before -= ((monoMs() - sinceMs) * bytesPerSecond()) / 1000;
      }
    },
  };
};

const realTime: BandwidthWorld = {
  monoMs: () => performance.now(),
  delay: (waitMs, signal) => sleep(waitMs, undefined, { signal }),
};
