// How benchmarks show their figures: words, tables and small charts on stderr, and the numbers behind them.

/** Text goes to stderr: stdout is for the one line. */
export const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

type Cell = string | number;

export const showTable = (head: readonly Cell[], rows: readonly (readonly Cell[])[]): void => {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  for (const [at, row] of all.entries()) {
    const cells = widths.map((width, column) => {
      const cell = row[column] ?? '';
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    say(`  ${cells.join('  ')}`);
    if (at === 0) say(`  ${widths.map((width) => '─'.repeat(width)).join('  ')}`);
  }
};

/** Three significant digits for what is small, whole numbers for what is large. */
export const rounded = (value: number): number =>
  Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(3));

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value that `share` of all values do not exceed; NaN of none. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export type Spread = { median: number; min: number; max: number };

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

export type Point = { label: string; x: number; value: number };

/**
 * Prints a bar for each point. `slope` is the exponent of a power law through the points: 0 is flat, 1 grows as x does.
 */
export const chart = (title: string, points: readonly Point[]): { points: Point[]; slope: number } => {
  const most = Math.max(...points.map(({ value }) => value));
  const wide = Math.max(...points.map(({ label }) => label.length));
  say(title);
  for (const { label, value } of points)
    say(
      `  ${label.padStart(wide)} ${'█'.repeat(Math.max(1, Math.round((value / most) * 50)))} ${rounded(value)}`,
    );
  const slope = rounded(exponentOf(points));
  say(`  slope ${slope} (0 flat, 1 as the size)`);
  return { points: points.map((point) => ({ ...point, value: rounded(point.value) })), slope };
};

const exponentOf = (points: readonly Point[]): number => {
  const logs = points.map(({ x, value }) => ({ x: Math.log(x), y: Math.log(value) }));
  const middle = { x: mean(logs.map(({ x }) => x)), y: mean(logs.map(({ y }) => y)) };
  const along = logs.map(({ x, y }) => (x - middle.x) * (y - middle.y));
  const across = logs.map(({ x }) => (x - middle.x) ** 2);
  return mean(along) / mean(across);
};
