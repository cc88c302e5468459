// The budget at one moment, on the wall clock. The forecast starts from it.
import type { Books } from './books.ts';
import type { LimiterMemory } from './memory.ts';
import { cellFreeAtMs, mayBeUpload, totalOf } from './usage.ts';

export type BudgetSnapshot = {
  nowMs: number;
  /** Requests of the last minute. */
  minuteUsed: number;
  memory: Pick<LimiterMemory, 'dueMs' | 'cutTo' | 'cleanMinutes' | 'pausedUntilMs' | 'cautiousUntilMs'>;
  /** What becomes free in the window of the day, oldest first. `uploads` is the part of `requests` that are uploads. */
  freeing: { atMs: number; requests: number; uploads: number }[];
  outstanding: { requests: number; uploads: number };
};

export const snapshotOf = (books: Books): BudgetSnapshot => {
  const { dueMs, cutTo, cleanMinutes, pausedUntilMs, cautiousUntilMs } = books.memory();
  const outstanding = books.outstanding();
  return {
    nowMs: books.toWallMs(books.nowMs()),
    minuteUsed: books.minuteUsed(),
    memory: {
      dueMs: books.toWallMs(dueMs),
      cutTo,
      cleanMinutes,
      pausedUntilMs: books.toWallMs(pausedUntilMs),
      cautiousUntilMs: books.toWallMs(cautiousUntilMs),
    },
    freeing: books.dayCells().map((cell) => ({
      atMs: books.toWallMs(cellFreeAtMs(cell.cell)),
      requests: totalOf(cell),
      uploads: cell.upload + cell.agent,
    })),
    outstanding: {
      requests: outstanding.length,
      uploads: outstanding.filter(({ lane }) => mayBeUpload(lane)).length,
    },
  };
};
