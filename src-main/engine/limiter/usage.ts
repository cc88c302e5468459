// Counts the permits: the answers of the last minute one by one, the answers of the last day by the minute. Both
// windows hold a request from when it is sent until its ANSWER is one window old.
// Proof for the minute: take any L + 1 requests. When the last of them left, the answer of one other was at least 60 s
// old. So the service counted that one at least 60 s before the last. Therefore no window of 60 s holds more than L,
// whatever the clock of the service shows and wherever its windows begin. The same holds for the day.
//
// The count of the day by the minute stays small (1,441 cells at any limit). It frees a request up to a minute and a
// half late, which is 0.1 % of the day.
import type { Lane, LaneUse } from '../../contract/model.ts';

/** A minute, plus the difference that two clocks may have (see elapsed.ts). */
export const MINUTE_WINDOW_MS = 60_250;
/** A day, plus 30 s for a clock that is wrong by 350 ppm. */
export const DAY_WINDOW_MS = 86_430_000;
const CELL_MS = 60_000;

/** Answers of one minute, by lane. `cell` is the minute's number since the epoch. */
export type DayCell = LaneUse & { cell: number };

/** When a cell's requests are free again. */
export const cellFreeAtMs = (cell: number): number => (cell + 1) * CELL_MS + DAY_WINDOW_MS;
export const cellOf = (atMs: number): number => Math.floor(atMs / CELL_MS);

export const noUse = (): LaneUse => ({ user: 0, agent: 0, upload: 0, background: 0 });

export const createUsage = () => {
  // Both oldest first.
  const minute: { atMs: number; lane: Lane }[] = [];
  const minuteLanes = noUse();
  const day: DayCell[] = [];
  const dayLanes = noUse();

  const addToDay = (lane: Lane, atMs: number): void => {
    const cell = cellOf(atMs);
    const at = day.findLastIndex((one) => one.cell <= cell);
    const found = day[at];
    if (found?.cell === cell) found[lane]++;
    else day.splice(at + 1, 0, { ...noUse(), cell, [lane]: 1 });
    dayLanes[lane]++;
  };

  return {
    /** An answer arrived, or counts as arrived, at that time. */
    add(lane: Lane, answeredAtMs: number): void {
      const at = minute.findLastIndex((one) => one.atMs <= answeredAtMs);
      minute.splice(at + 1, 0, { atMs: answeredAtMs, lane });
      minuteLanes[lane]++;
      addToDay(lane, answeredAtMs);
    },
    /** Forgets what is older than its window. */
    expire(nowMs: number): void {
      for (let first = minute[0]; first !== undefined; first = minute[0]) {
        if (first.atMs + MINUTE_WINDOW_MS > nowMs) break;
        minuteLanes[first.lane]--;
        minute.shift();
      }
      for (let first = day[0]; first !== undefined; first = day[0]) {
        if (cellFreeAtMs(first.cell) > nowMs) break;
        for (const lane of lanes) dayLanes[lane] -= first[lane];
        day.shift();
      }
    },
    /** Answers within the window. */
    minuteUsed: (): number => minute.length,
    dayUsed: (): number => totalOf(dayLanes),
    minuteLanes: (): LaneUse => ({ ...minuteLanes }),
    dayLanes: (): LaneUse => ({ ...dayLanes }),
    /** When the `count` oldest answers have left the window. Null when there are fewer answers. */
    minuteFreeAtMs(count: number): number | null {
      const last = minute[count - 1];
      return last === undefined ? null : last.atMs + MINUTE_WINDOW_MS;
    },
    dayFreeAtMs(count: number): number | null {
      let left = count;
      for (const cell of day) {
        left -= totalOf(cell);
        if (left <= 0) return cellFreeAtMs(cell.cell);
      }
      return null;
    },
    /** When the oldest answers of this lane leave the windows. Null: it has none. */
    laneFreeAtMs(lane: Lane): { minute: number | null; day: number | null } {
      const last = minute.find((one) => one.lane === lane);
      const cell = day.find((one) => one[lane] > 0);
      return {
        minute: last === undefined ? null : last.atMs + MINUTE_WINDOW_MS,
        day: cell === undefined ? null : cellFreeAtMs(cell.cell),
      };
    },
    /** A copy, oldest first. */
    dayCells: (): DayCell[] => day.map((cell) => ({ ...cell })),
  };
};

export type Usage = ReturnType<typeof createUsage>;

/** The lanes in the order in which waiting requests go. */
export const lanes: readonly Lane[] = ['user', 'agent', 'upload', 'background'];

/** Requests of agents are uploads, and a few recalls. */
export const mayBeUpload = (lane: Lane): boolean => lane === 'upload' || lane === 'agent';

export const totalOf = (use: LaneUse): number => lanes.reduce((sum, lane) => sum + use[lane], 0);
