// Whether a program that hears of uploads causes them: it writes into a watched folder, and hears of that file, too.

/**
 * A program that writes two files each time has a thousand of them waiting when the first row is too long: the runs that
 * wrote them are still known then.
 */
const mostRuns = 10_000;
/** Files in a row, each written while the program ran for the one before. */
export const mostInRow = 10;

type Run = { fromMs: number; toMs: number; inRow: number };

/** `null` for a time: that of a file in no watched folder. */
export const createRuns = () => {
  let runs: Run[] = [];
  /** How many files before this one were each written during the run for the one before. */
  const rowBefore = (writtenMs: number | null): number =>
    writtenMs === null
      ? 0
      : runs.reduce(
          (most, { fromMs, toMs, inRow }) =>
            fromMs <= writtenMs && writtenMs <= toMs ? Math.max(most, inRow + 1) : most,
          0,
        );
  return {
    rowBefore,
    isTooLong: (writtenMs: number | null): boolean => rowBefore(writtenMs) > mostInRow,
    /** Returns what is called when it has ended. */
    begin(writtenMs: number | null, nowMs: number): (atMs: number) => void {
      const run = { fromMs: nowMs, toMs: Infinity, inRow: rowBefore(writtenMs) };
      runs.push(run);
      if (runs.length > mostRuns) runs.shift();
      return (atMs) => void (run.toMs = atMs);
    },
    /** Those rows were no proof. */
    forget(): void {
      runs = [];
    },
  };
};
