// The time at which all is done, as it is shown: it only moves earlier, or says why it is later.
import type { EngineStatus } from '../../contract/model.ts';

type Note = EngineStatus['doneNote'];

type Outlook = {
  /** As forecast now; null: not known, or nothing goes. */
  doneAtMs: number | null;
  nowMs: number;
  /** Of the present run: all files, and those that still have to go. */
  total: number;
  left: number;
  /** Of the limiter: until when the service asked to wait, and the pace that it cut, in requests a minute. */
  memory: { pausedUntilMs: number; cutTo: number | null };
  /** The time counts no transfer: the speed is not known yet. */
  isLeast: boolean;
};
type Shown = Pick<Outlook, 'total' | 'left' | 'memory' | 'isLeast'> & {
  doneAtMs: number;
  note: Note;
};

/** A forecast that moves by less than this, or than a share of what is left, stays as it is shown. */
const leastMs = 5_000;
const leastShare = 0.05;

export const createShownEnd = () => {
  let shown: Shown | null = null;

  const noteOf = (before: Shown, now: Outlook): Note => {
    if (now.memory.pausedUntilMs > Math.max(now.nowMs, before.memory.pausedUntilMs)) return { why: 'rate' };
    if ((now.memory.cutTo ?? Infinity) < (before.memory.cutTo ?? Infinity)) return { why: 'rate' };
    if (now.total > before.total) return { why: 'files', count: now.total - before.total };
    return { why: now.left > before.left ? 'again' : 'slower' };
  };

  return (now: Outlook): Pick<EngineStatus, 'doneAtMs' | 'doneNote'> => {
    const { doneAtMs, nowMs, isLeast } = now;
    if (doneAtMs === null) {
      shown = null;
      return { doneAtMs, doneNote: null };
    }
    const before = shown;
    const roomMs = Math.max(leastMs, leastShare * (doneAtMs - nowMs));
    if (before === null || before.isLeast) {
      // What is known to be the least time may grow without another reason.
      shown = { ...now, doneAtMs, note: isLeast ? { why: 'least' } : null };
    } else if (doneAtMs > before.doneAtMs + roomMs) {
      shown = { ...now, doneAtMs, isLeast: false, note: noteOf(before, now) };
    } else if (doneAtMs < before.doneAtMs) {
      // Compared with what was when the time was last clearly another one.
      shown =
        doneAtMs < before.doneAtMs - roomMs
          ? { ...now, doneAtMs, note: before.note }
          : { ...before, doneAtMs };
    }
    return { doneAtMs: shown?.doneAtMs ?? null, doneNote: shown?.note ?? null };
  };
};
