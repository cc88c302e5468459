// How a piece of a file goes to the connection: in slices, and under the bandwidth cap that all uploads of this Api
// share.

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

/** `bytesPerSecond` 0: no cap. */
export const createBandwidth = (bytesPerSecond: number, { monoMs, delay }: BandwidthWorld): Bandwidth => {
  const isCapped = bytesPerSecond > 0;
  const sharedBytes = Math.max(minSliceBytes, Math.floor((bytesPerSecond * sliceMs) / 1000));
  const sliceBytes = isCapped ? Math.min(sharedBytes, maxSliceBytes) : maxSliceBytes;
  /** When the time of the last slice is over; the next slice starts then. */
  let freeAtMs = -Infinity;
  return {
    *slices(piece) {
      for (let at = 0; at < piece.length; at += sliceBytes) yield piece.subarray(at, at + sliceBytes);
    },
    async turn(bytes, signal) {
      if (!isCapped) return;
      const nowMs = monoMs();
      const startMs = Math.max(nowMs, freeAtMs);
      freeAtMs = startMs + (bytes * 1000) / bytesPerSecond;
      if (startMs > nowMs) await delay(startMs - nowMs, signal);
    },
  };
};
