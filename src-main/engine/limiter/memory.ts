// What the limiter remembers beside the permits: how the service has answered, and when the next request is due.
// Plain JSON in the ledger, shared by all processes on it, written with each permit. All times are on the
// limiter's own scale (elapsed.ts).
import { unreachable } from '../../contract/errors.ts';
import type { Note } from './elapsed.ts';

export type LimiterMemory = {
  version: 1;
  /** See elapsed.ts. */
  offsetMs: number;
  /** The machine's own count when this was written; null where it has none. */
  noted: Note | null;
  /** When the next request would leave at even pace (the theoretical arrival time of GCRA). */
  dueMs: number;
  /** The pace after a cut, in requests a minute; null: the full pace. */
  cutTo: number | null;
  /** What `cutTo` was before the present run of 429s. */
  cutBefore: number | null;
  cutAtMs: number;
  roseAtMs: number;
  /** Minutes of work without a 429 since the last cut. */
  cleanMinutes: number;
  /** Pauses in a row without a good answer between them. */
  streak: number;
  pausedAtMs: number;
  pausedUntilMs: number;
  /** No bursts until then. */
  cautiousUntilMs: number;
};

const NEVER = 0;

export const freshMemory = (nowMs: number): LimiterMemory => ({
  version: 1,
  offsetMs: 0,
  noted: null,
  dueMs: nowMs,
  cutTo: null,
  cutBefore: null,
  cutAtMs: NEVER,
  roseAtMs: NEVER,
  cleanMinutes: 0,
  streak: 0,
  pausedAtMs: NEVER,
  pausedUntilMs: NEVER,
  cautiousUntilMs: NEVER,
});

/** The policy sets no pause and no caution longer than this, with some room. */
const FURTHEST_MS = 25 * 3_600_000;

export type Remembered =
  | { kind: 'known'; memory: LimiterMemory }
  /** Nothing was stored yet. */
  | { kind: 'none' }
  /** Something else was stored: the memory of another version, or a damaged one. */
  | { kind: 'strange' };

export const parseMemory = (stored: unknown): Remembered => {
  if (stored === null || stored === undefined) return { kind: 'none' };
  if (typeof stored !== 'object' || !('version' in stored) || stored.version !== 1)
    return { kind: 'strange' };
  const fields = new Map<string, unknown>(Object.entries(stored));
  const unsound: string[] = [];
  const number = (name: keyof LimiterMemory, min: number, max: number): number => {
    const value = fields.get(name);
    if (typeof value === 'number' && value >= min && value <= max) return value;
    unsound.push(name);
    return 0;
  };
  const rate = (name: 'cutTo' | 'cutBefore'): number | null =>
    fields.get(name) === null ? null : number(name, 0.001, 1e9);
  const time = (name: keyof LimiterMemory): number => number(name, 0, 8.64e15);
  const memory: LimiterMemory = {
    version: 1,
    offsetMs: number('offsetMs', -8.64e15, 8.64e15),
    noted: parseNote(fields.get('noted')),
    dueMs: time('dueMs'),
    cutTo: rate('cutTo'),
    cutBefore: rate('cutBefore'),
    cutAtMs: time('cutAtMs'),
    roseAtMs: time('roseAtMs'),
    cleanMinutes: number('cleanMinutes', 0, 1e9),
    streak: number('streak', 0, 1e9),
    pausedAtMs: time('pausedAtMs'),
    pausedUntilMs: time('pausedUntilMs'),
    cautiousUntilMs: time('cautiousUntilMs'),
  };
  return unsound.length === 0 ? { kind: 'known', memory } : { kind: 'strange' };
};

/** A damaged note counts as none. Then the wall clock decides. */
const parseNote = (stored: unknown): Note | null => {
  if (typeof stored !== 'object' || stored === null) return null;
  const { id, ms, nowMs } = stored as Record<string, unknown>;
  if (typeof id !== 'string' || typeof ms !== 'number' || typeof nowMs !== 'number') return null;
  return { id, ms, nowMs };
};

/**
 * The memory to go on with. A strange one is replaced by a cautious fresh one; times that lie further ahead than
 * the policy ever sets them (the clock was wrong when they were written) are pulled in.
 */
export const restoreMemory = (remembered: Remembered, nowMs: number): LimiterMemory => {
  switch (remembered.kind) {
    case 'known': {
      const { memory } = remembered;
      const furthestMs = nowMs + FURTHEST_MS;
      const ahead =
        memory.dueMs > furthestMs || memory.pausedUntilMs > furthestMs || memory.cautiousUntilMs > furthestMs;
      if (!ahead) return memory;
      return {
        ...memory,
        dueMs: Math.min(memory.dueMs, nowMs + 60_000),
        pausedUntilMs: Math.min(memory.pausedUntilMs, nowMs + 60_000),
        cautiousUntilMs: Math.min(memory.cautiousUntilMs, furthestMs),
      };
    }
    case 'none':
      return freshMemory(nowMs);
    case 'strange':
      return { ...freshMemory(nowMs), cautiousUntilMs: nowMs + 86_400_000 };
    default:
      return unreachable(remembered);
  }
};
