// What every benchmark shares: its shape, its goals, contestants that run in turn and are compared round by round, and
// the search for peers. measure.ts measures a child process, show.ts shows figures; run.ts prints the one line of JSON
// at the end of a benchmark.
import { execFileSync } from 'node:child_process';
import { median, rounded, say, showTable, spreadOf, type Spread } from './show.ts';

// ---------------------------------------------------------------- what a benchmark is

export type Verdict = {
  /** False: a goal is missed. Null: none is missed, but some were not compared, since a peer is missing. */
  ok: boolean | null;
  [figure: string]: unknown;
};

export type Bench = {
  /** The name of its file. */
  name: string;
  /** What has to hold, in words. */
  goal: string;
  /** Not among the goals of performance: runs when it is named only. */
  extra?: true;
  run(): Promise<Verdict>;
};

// ---------------------------------------------------------------- goals

/** `value` null: it could not be compared. */
export type Goal = { what: string; value: number | null } & ({ atMost: number } | { atLeast: number });

/** The part of the verdict about the goals; also printed as a table. */
export const judge = (
  goals: readonly Goal[],
): { ok: boolean | null; ratios: Record<string, number | null>; missed: string[] } => {
  const reached = (goal: Goal): boolean | null => {
    if (goal.value === null) return null;
    return 'atMost' in goal ? goal.value <= goal.atMost : goal.value >= goal.atLeast;
  };
  const mark = (is: boolean | null): string => (is === null ? 'not compared' : is ? 'yes' : 'NO');
  showTable(
    ['goal', 'is', 'shall be', 'reached'],
    goals.map((goal) => [
      goal.what,
      goal.value === null ? '–' : rounded(goal.value),
      'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`,
      mark(reached(goal)),
    ]),
  );
  const missed = goals.filter((goal) => reached(goal) === false).map(({ what }) => what);
  const open = goals.some((goal) => reached(goal) === null);
  return {
    ok: missed.length > 0 ? false : open ? null : true,
    ratios: Object.fromEntries(
      goals.map(({ what, value }) => [what, value === null ? null : rounded(value)]),
    ),
    missed,
  };
};

// ---------------------------------------------------------------- in turn

/** One contestant's figures of one round, by name; a ratio compares the same figure of two contestants. */
export type Figures = Record<string, number>;

export type Contestant = { name: string; run(round: number): Promise<Figures> };

export type Rounds = {
  spread(contestant: string, figure: string): Spread;
  /** The median of the rounds' ratios; null when one of the two did not take part. */
  ratio(of: string, to: string, figure: string): number | null;
  /** For the JSON line: { contestant: { figure: number } } three times. */
  summary(): Record<'medians' | 'min' | 'max', Record<string, Figures>>;
};

/**
 * A B C, B C A, C A B … so that other work of the machine hits all alike; `warmup` rounds are dropped. A
 * contestant that throws ends the benchmark.
 */
export const interleave = async (options: {
  /** At least 7 for anything that is compared with a goal. */
  rounds: number;
  warmup?: number;
  contestants: readonly Contestant[];
}): Promise<Rounds> => {
  const { contestants, rounds, warmup = 1 } = options;
  const kept = new Map<string, Figures[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < warmup + rounds; round += 1) {
    for (let turn = 0; turn < contestants.length; turn += 1) {
      const contestant = contestants[(round + turn) % contestants.length];
      if (contestant === undefined) continue;
      const figures = await contestant.run(round);
      if (round >= warmup) kept.get(contestant.name)?.push(figures);
    }
  }
  const series = (name: string, figure: string): number[] =>
    (kept.get(name) ?? []).map((figures) => figures[figure] ?? Number.NaN);
  const figuresOf = (name: string): string[] => Object.keys(kept.get(name)?.[0] ?? {});
  const result: Rounds = {
    spread: (name, figure) => spreadOf(series(name, figure).filter((value) => !Number.isNaN(value))),
    ratio: (of, to, figure) => {
      const [above, below] = [series(of, figure), series(to, figure)];
      if (above.length === 0 || below.length !== above.length) return null;
      const ratios = above.map((value, at) => value / (below[at] ?? Number.NaN));
      return median(ratios.filter((value) => !Number.isNaN(value)));
    },
    summary: () => {
      const part = (which: keyof Spread) =>
        Object.fromEntries(
          contestants.map(({ name }) => [
            name,
            Object.fromEntries(
              figuresOf(name).map((figure) => [figure, rounded(result.spread(name, figure)[which])]),
            ),
          ]),
        );
      return { medians: part('median'), min: part('min'), max: part('max') };
    },
  };
  showRounds(contestants, figuresOf, result);
  return result;
};

const showRounds = (
  contestants: readonly Contestant[],
  figuresOf: (name: string) => string[],
  result: Rounds,
): void => {
  const figures = [...new Set(contestants.flatMap(({ name }) => figuresOf(name)))];
  showTable(
    ['median (min – max)', ...figures],
    contestants.map(({ name }) => [
      name,
      ...figures.map((figure) => {
        const { median: middle, min, max } = result.spread(name, figure);
        const text = (value: number): string => textOf(figure, value);
        return Number.isNaN(middle) ? '' : `${text(middle)} (${text(min)} – ${text(max)})`;
      }),
    ]),
  );
};

/** Bytes as MiB, milliseconds from ten seconds on as seconds; everything else as it is. */
const textOf = (figure: string, value: number): string => {
  if (figure.endsWith('Bytes')) return `${rounded(value / 1024 ** 2)} MiB`;
  if (figure.endsWith('Ms') && value >= 10_000) return `${rounded(value / 1_000)} s`;
  return String(rounded(value));
};

// ---------------------------------------------------------------- peers

export type Peer = { name: string; version: string };

export type Peers = {
  /**
   * The peer, or null. A missing one is named on stderr and in the JSON line with the package that brings it, and
   * what would be compared with it is null.
   */
  find(name: string, aptPackage?: string, versionArgument?: string): Peer | null;
  /** For the JSON line. */
  summary(): { versions: Record<string, string>; missing?: string[] };
};

export const createPeers = (): Peers => {
  const versions: Record<string, string> = { node: process.versions.node };
  const missing: string[] = [];
  return {
    find(name, aptPackage = name, versionArgument = '--version') {
      try {
        const text = execFileSync(name, [versionArgument], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const version = /\d+(\.\d+)+/.exec(text)?.[0] ?? 'unknown';
        versions[name] = version;
        return { name, version };
      } catch (error) {
        // Some peers answer the question for their version with an exit code of their own.
        const text = String(errorOutput(error));
        const version = /\d+(\.\d+)+/.exec(text)?.[0];
        if (version !== undefined) {
          versions[name] = version;
          return { name, version };
        }
        missing.push(`${name} (apt install ${aptPackage})`);
        say(`${name} is missing and not compared: apt install ${aptPackage}`);
        return null;
      }
    },
    summary: () => ({ versions, ...(missing.length > 0 ? { missing } : {}) }),
  };
};

const errorOutput = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'stdout' in error ? error.stdout : '';
