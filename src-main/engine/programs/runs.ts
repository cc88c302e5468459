// Whether a program that hears of uploads causes them: it writes into a watched folder, and hears of that file, too.

/**
 * A program that writes two files each time has a thousand of them waiting when the first row is too long: the runs that
 * wrote them are still known then.
 */
const mostRuns = 10_000;
/** Files in a row, each written while the program ran for the one before. */
export const mostInRow = 10;

type Run = { fromMs: number; toMs: number; inRow: number };

export const createRuns = () => {
  const runs: Run[] = [];
  return {
    /** A run for a file that was written then; null: for no file of a watched folder. Null: the row is too long. */
    begin(writtenMs: number | null, nowMs: number): { ended(atMs: number): void } | null {
      const isDuring = ({ fromMs, toMs }: Run): boolean =>
        writtenMs !== null && fromMs <= writtenMs && writtenMs <= toMs;
      const inRow = runs.reduce((most, run) => (isDuring(run) ? Math.max(most, run.inRow + 1) : most), 0);
      if (inRow > mostInRow) return null;
      const run = { fromMs: nowMs, toMs: Infinity, inRow };
      runs.push(run);
      if (runs.length > mostRuns) runs.shift();
      return { ended: (atMs) => void (run.toMs = atMs) };
    },
  };
};
