// The pause: a fact in the ledger, so that every process can set it.
import type { FactTable } from '../ports.ts';

export type Pause = { untilMs: number | null };

/** Null when nothing is paused, or no longer. */
export const pauseNow = (facts: FactTable, nowMs: number): Pause | null => {
  const value = facts.get('pause')?.value;
  if (typeof value !== 'object' || value === null || !('untilMs' in value)) return null;
  const untilMs = typeof value.untilMs === 'number' ? value.untilMs : null;
  return untilMs !== null && untilMs <= nowMs ? null : { untilMs };
};
