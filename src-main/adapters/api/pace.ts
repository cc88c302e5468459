// The bandwidth cap: one allowance for all uploads of this Api, in small slices so that they share it evenly.

export type Pace = {
  /** Slices to send one after the other, each after `turn`; the whole piece when there is no cap. */
  slices(piece: Uint8Array): Iterable<Uint8Array>;
  /** Resolves when that many bytes may go. Rejects when the signal is aborted while it waits. */
  turn(bytes: number, signal: AbortSignal): Promise<void>;
};

export type PaceWorld = {
  monoMs: () => number;
  /** Rejects when the signal is aborted. */
  delay: (waitMs: number, signal: AbortSignal) => Promise<void>;
};

/** A slice takes about this long, so that a slow line still looks steady … */
const sliceMs = 100;
/** … but small slices cost a system call each. */
const minSliceBytes = 4 * 1024;

/** `bytesPerSecond` 0: no cap. */
export const createPace = (bytesPerSecond: number, { monoMs, delay }: PaceWorld): Pace => {
  if (bytesPerSecond === 0) return { slices: (piece) => [piece], turn: async () => {} };
  const sliceBytes = Math.max(minSliceBytes, Math.floor((bytesPerSecond * sliceMs) / 1000));
  /** When the last slice given out has had its time; the next starts there. */
  let freeAtMs = -Infinity;
  return {
    *slices(piece) {
      for (let at = 0; at < piece.length; at += sliceBytes) yield piece.subarray(at, at + sliceBytes);
    },
    async turn(bytes, signal) {
      const nowMs = monoMs();
      const startMs = Math.max(nowMs, freeAtMs);
      freeAtMs = startMs + (bytes * 1000) / bytesPerSecond;
      if (startMs > nowMs) await delay(startMs - nowMs, signal);
    },
  };
};
