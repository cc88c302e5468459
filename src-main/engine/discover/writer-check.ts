// Asks which files are open for writing, as often as it may cost.
import type { Ports, Writing } from '../ports.ts';

/** It is a walk over all processes: in the long run it takes a twentieth; a second's share at once. */
const pace = { leastMs: 50, mostMs: 250, share: 20, inHandMs: 1000 };

export const createWriterCheck = ({ files, clock }: Pick<Ports, 'files' | 'clock'>) => {
  let [paidUntilMs, nextMs] = [-Infinity, -Infinity];
  return {
    /** Monotonic time before which the system is not asked. */
    nextAtMs: (): number => nextMs,
    async ask(paths: readonly string[]): Promise<ReadonlyMap<string, Writing>> {
      if (paths.length === 0) return new Map();
      const atMs = clock.monoMs();
      const writers = await files.openForWriting(paths);
      const shareMs = Math.min(pace.mostMs, pace.share * (clock.monoMs() - atMs));
      paidUntilMs = Math.max(paidUntilMs, atMs - pace.inHandMs) + shareMs;
      nextMs = Math.max(clock.monoMs() + pace.leastMs, paidUntilMs);
      return writers;
    },
  };
};
