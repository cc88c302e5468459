// Forecasts when the waiting files are done. It plays the budget forward minute by minute from the present use: the
// pace and its recovery after a 429, the windows of minute and day, the account's daily uploads, and the connection.
// It leaves out other future requests (clicks, looks). It takes one step per minute in which files leave, so 100,000
// files over 20 days take about 4,000 steps.
import { dayLimitOf, limitsOf, paceAtMs, paceOf, risenRate, spend, type LimiterRules } from './policy.ts';
import type { BudgetSnapshot } from './snapshot.ts';
import { cellFreeAtMs, cellOf, MINUTE_WINDOW_MS } from './usage.ts';

/** The files that wait for a permit. */
export type Backlog = {
  files: number;
  bytes: number;
  /** The observed speed of all connections together. Null: not known; then the transfer counts as no time. */
  bytesPerSecond: number | null;
  /** Uploads at once. */
  concurrency: number;
  /** From the last byte to the answer, as observed. */
  answerMs?: number;
};

export type Forecast = {
  /** How many files it is about. */
  files: number;
  /** When the first file leaves, wall clock. Null when no file waits, or the first may leave now. */
  nextSlotAtMs: number | null;
  /** When the n-th file (from 1) is done, wall clock. Null: not within a year, or there are fewer files. */
  doneAtMs(n: number): number | null;
  allDoneAtMs: number | null;
  /** How many are done within the next 24 h. */
  doneWithinDay: number;
};

/** `count` files leave from `atMs` on, one every `everyMs`; `before` files left earlier. */
type Run = { atMs: number; everyMs: number; count: number; before: number };

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A forecast for a later time is of no use. This also limits the steps. */
const HORIZON_MS = 366 * DAY_MS;
const USUAL_ANSWER_MS = 500;

export const forecast = (snapshot: BudgetSnapshot, rules: LimiterRules, backlog: Backlog): Forecast => {
  const { nowMs } = snapshot;
  const answerMs = backlog.answerMs ?? USUAL_ANSWER_MS;
  const fileMs =
    backlog.bytesPerSecond === null || backlog.files === 0
      ? 0
      : (1000 * backlog.bytes) / backlog.files / Math.max(1, backlog.bytesPerSecond);
  const runs = play(snapshot, rules, backlog, fileMs, answerMs);

  const doneAtMs = (n: number): number | null => {
    const run = runs[lastIndexWith(runs, (one) => one.before < n)];
    if (run === undefined || n > run.before + run.count) return null;
    return Math.round(run.atMs + (n - run.before - 1) * run.everyMs + fileMs + answerMs);
  };
  const doneBy = (atMs: number): number => {
    const issuedByMs = atMs - fileMs - answerMs;
    const run = runs[lastIndexWith(runs, (one) => one.atMs <= issuedByMs)];
    if (run === undefined) return 0;
    const more = run.everyMs === 0 ? run.count : Math.floor((issuedByMs - run.atMs) / run.everyMs) + 1;
    return run.before + Math.min(run.count, more);
  };
  const first = runs[0];
  return {
    files: backlog.files,
    nextSlotAtMs: first === undefined || first.atMs <= nowMs ? null : Math.ceil(first.atMs),
    doneAtMs,
    allDoneAtMs: doneAtMs(backlog.files),
    doneWithinDay: doneBy(nowMs + DAY_MS),
  };
};

const play = (
  snapshot: BudgetSnapshot,
  rules: LimiterRules,
  backlog: Backlog,
  fileMs: number,
  answerMs: number,
): Run[] => {
  const { memory, nowMs } = snapshot;
  const limits = limitsOf(rules);
  const day = createDay(snapshot, dayLimitOf('upload', limits), rules.dailyUploads ?? Infinity);
  const runs: Run[] = [];
  let { cutTo, cleanMinutes } = memory;
  let atMs = Math.max(nowMs, memory.pausedUntilMs);
  let dueMs = memory.dueMs;
  let gone = 0;

  /** The slowest of: the pace, the window of the minute, the connection, the answers. */
  const intervalMs = (): number =>
    Math.max(
      MINUTE_MS / Math.min(cutTo ?? limits.pace, paceOf(limits, memory.cautiousUntilMs, atMs)),
      (MINUTE_WINDOW_MS + fileMs + answerMs) / limits.perMinute,
      fileMs,
      (fileMs + answerMs) / Math.max(1, backlog.concurrency),
    );
  // If the connection is slower than the pace, files leave one after the other.
  const burst = fileMs > MINUTE_MS / limits.pace ? 1 : limits.burst;
  const leave = (run: Omit<Run, 'before'>): void => {
    if (run.count <= 0) return;
    runs.push({ ...run, before: gone });
    gone += run.count;
    day.spend(run.count, run.atMs + fileMs + answerMs);
  };

  // While few left in the last minute, the policy decides request by request: a small backlog leaves at once, and costs
  // the pace twice.
  for (let used = snapshot.minuteUsed; used < limits.smallBurst && gone < backlog.files; used += 1) {
    day.freeUntil(atMs);
    if (day.room() <= 0) break;
    const pace = { ...memory, dueMs };
    const load = { minuteUsed: used, backlog: () => backlog.files - gone };
    atMs = Math.max(atMs, paceAtMs(pace, limits, atMs, load));
    dueMs = spend(pace, rules, atMs).dueMs;
    leave({ atMs, everyMs: 0, count: 1 });
    atMs += Math.max(
      fileMs,
      gone < backlog.concurrency ? 0 : (fileMs + answerMs) / Math.max(1, backlog.concurrency),
    );
  }

  while (gone < backlog.files && atMs < nowMs + HORIZON_MS) {
    day.freeUntil(atMs);
    if (day.room() <= 0) {
      const freeAtMs = day.nextFreeAtMs();
      if (freeAtMs === null) break;
      atMs = Math.max(atMs, freeAtMs);
      continue;
    }
    const everyMs = intervalMs();
    const left = backlog.files - gone;
    dueMs = Math.max(dueMs, atMs);
    const atOnce = Math.floor(burst - (dueMs - atMs) / everyMs + 1e-9);
    const first = Math.max(0, Math.min(atOnce, left, day.room(), backlog.concurrency));
    leave({ atMs, everyMs: fileMs, count: first });
    dueMs += first * everyMs;
    // To the end of the minute, or to the next slot if that is later.
    const endMs = Math.max(atMs + MINUTE_MS, dueMs);
    const nextMs = Math.max(atMs, dueMs - (burst - 1) * everyMs);
    const fit = Math.ceil((endMs - nextMs) / everyMs);
    const count = Math.max(0, Math.min(fit, left - first, day.room()));
    leave({ atMs: nextMs, everyMs, count });
    dueMs += count * everyMs;
    if (cutTo !== null) ({ cutTo, cleanMinutes } = risenRate(cutTo, cleanMinutes, limits));
    // If the day is full, the next step goes on when it has room again.
    if (day.room() > 0) atMs = endMs;
  }
  return runs;
};

/** The window of the day, and when its requests leave it. */
const createDay = (snapshot: BudgetSnapshot, perDay: number, dailyUploads: number) => {
  const answeredNow = { atMs: cellFreeAtMs(cellOf(snapshot.nowMs)), ...snapshot.outstanding };
  const queue = [...snapshot.freeing, answeredNow];
  let next = 0;
  let requests = queue.reduce((sum, one) => sum + one.requests, 0);
  let uploads = queue.reduce((sum, one) => sum + one.uploads, 0);
  return {
    room: () => Math.min(perDay - requests, dailyUploads - uploads),
    freeUntil(atMs: number) {
      for (let first = queue[next]; first !== undefined && first.atMs <= atMs; first = queue[++next]) {
        requests -= first.requests;
        uploads -= first.uploads;
      }
    },
    nextFreeAtMs: () => queue[next]?.atMs ?? null,
    spend(count: number, answeredAtMs: number) {
      requests += count;
      uploads += count;
      queue.push({ atMs: cellFreeAtMs(cellOf(answeredAtMs)), requests: count, uploads: count });
    },
  };
};

/** The last index for which `holds` is true, or -1. It must be true up to some index and false after it. */
const lastIndexWith = <T>(list: readonly T[], holds: (one: T) => boolean): number => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = list[middle];
    if (one !== undefined && holds(one)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};
