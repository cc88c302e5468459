// Asks who is writing, as often as it may cost.
import type { Ports } from './ports.ts';

/** It is a walk over all processes: in the long run it takes a twentieth; a second's share at once. */
const pace = { leastMs: 50, mostMs: 250, share: 20, inHandMs: 1000 };

export const createWriterCheck = ({
  files,
  clock,
  writersAreSeen,
}: Pick<Ports, 'files' | 'clock'> & {
  /** Told after each check whether this system shows open writers. */
  writersAreSeen: (seen: boolean) => void;
}) => {
  let [paidUntilMs, nextMs] = [-Infinity, -Infinity];
  return {
    /** Monotonic time before which nobody is asked. */
    nextAtMs: (): number => nextMs,
    /** Those of the paths that are open for writing; null where the system does not tell. */
    async ask(paths: readonly string[]): Promise<ReadonlySet<string> | null> {
      if (paths.length === 0) return new Set();
      const atMs = clock.monoMs();
      const writers = await files.openForWriting(paths);
      const shareMs = Math.min(pace.mostMs, pace.share * (clock.monoMs() - atMs));
      paidUntilMs = Math.max(paidUntilMs, atMs - pace.inHandMs) + shareMs;
      nextMs = Math.max(clock.monoMs() + pace.leastMs, paidUntilMs);
      writersAreSeen(writers !== null);
      return writers;
    },
  };
};
