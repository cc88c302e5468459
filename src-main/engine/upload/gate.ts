// The queue's gate: closed for everybody while the network, the key, the plan or a limit says no. Pure: a back-off
// of the whole queue, never per file, so that after 401/403/404/3xx at most one probe goes out per interval.
import type { QueueGate, WaitReason } from '../../contract/model.ts';
import { unreachable } from '../../contract/errors.ts';

type Closed = {
  reason: WaitReason;
  /** Monotonic: what was on its way then says nothing about it. */
  sinceMs: number;
  /** Monotonic; one probe may go from then on. null: only when somebody acts. */
  untilMs: number | null;
  message: string;
  remedy: string;
  /** A cheap request went through since: one upload may go, and uploads may be looked for. */
  isTested: boolean;
};

export type Gate = {
  closed: Closed | null;
  /** What a limit was found on top of, and stands again when that is lifted. */
  beneath: Closed | null;
  /** How often in a row the same reason closed it. */
  streak: number;
  /** The reason of the streak. */
  reason: WaitReason | null;
};

export const openGate = (): Gate => ({ closed: null, beneath: null, streak: 0, reason: null });

/** Short outages end within a minute or two: until then the next try is half a minute away at the most. */
const troubleSeconds = [2, 4, 8, 16, 30, 30, 30, 60, 120, 240];
const longestTroubleSeconds = 300;

const minutes = (count: number): number => count * 60_000;

/** Milliseconds until the one next probe, for the n-th closing in a row (from 0). */
const probeAfterMs = (reason: WaitReason, streak: number, chance: number): number | null => {
  switch (reason) {
    case 'network':
    case 'service':
      // A quarter of it by chance, so that machines behind one router do not come back together.
      return 1000 * (troubleSeconds[streak] ?? longestTroubleSeconds) * (0.75 + chance / 4);
    case 'key':
    case 'moved':
      return minutes(15);
    case 'plan':
    case 'limit':
    case 'daily-uploads':
      return Math.min(minutes(360), minutes(15) * 2 ** Math.min(streak, 5));
    case 'folder':
      return 30_000;
    case 'disk': // tried again by ledger-health.ts
    case 'rate':
    case 'budget':
    case 'paused':
    case 'settling':
    case 'locked':
    case 'same-name':
      // Kept by the limiter, the pause, or the file itself.
      return null;
    default:
      return unreachable(reason);
  }
};

/** Closings in one row: a 403 is a limit until the statistics tell which one, and a service in trouble goes offline. */
const rowOf = (reason: WaitReason): WaitReason => {
  if (reason === 'daily-uploads') return 'limit';
  return reason === 'service' ? 'network' : reason;
};

/** The service cannot be used just now, for no reason that it gives. */
export const isTrouble = (reason: WaitReason | null): boolean => reason === 'network' || reason === 'service';

/** A limit may concern one file only; these concern all. */
const concernsAll: ReadonlySet<WaitReason> = new Set<WaitReason>(['key', 'plan', 'moved']);

export const close = (
  gate: Gate,
  cause: { reason: WaitReason; message: string; remedy: string },
  nowMs: number,
  chance: number,
): Gate => {
  const { closed } = gate;
  const isSame = gate.reason !== null && rowOf(gate.reason) === rowOf(cause.reason);
  // Uploads on their way together are cut off together: that is one closing, not the next of a row. Statistics may
  // have told meanwhile which limit it is.
  if (closed !== null && isSame && closed.untilMs !== null && nowMs < closed.untilMs) {
    return closed.reason === cause.reason
      ? gate
      : { ...gate, closed: { ...closed, ...cause }, reason: cause.reason };
  }
  // An upload that was on its way breaks off: the connection says nothing against what closed the gate for longer.
  const stands = closed !== null && (closed.untilMs === null || nowMs < closed.untilMs);
  if (isTrouble(cause.reason) && stands) return gate;
  const streak = isSame ? gate.streak + 1 : 0;
  const waitMs = probeAfterMs(cause.reason, streak, chance);
  return {
    closed: { ...cause, sinceMs: nowMs, untilMs: waitMs === null ? null : nowMs + waitMs, isTested: false },
    beneath: cause.reason === 'limit' && stands && concernsAll.has(closed.reason) ? closed : null,
    streak,
    reason: cause.reason,
  };
};

/** A request that began at `begunMs` (monotonic) went through: open, and forget the streak, unless closed since. */
export const passed = (gate: Gate, begunMs: number): Gate => {
  if (gate.closed === null) return gate;
  return begunMs > gate.closed.sinceMs ? openGate() : gate;
};

/** A cheap request that began at `begunMs` (monotonic) went through: one upload tells whether others may follow. */
export const tested = (gate: Gate, begunMs: number): Gate =>
  gate.closed === null || begunMs <= gate.closed.sinceMs
    ? gate
    : { ...gate, closed: { ...gate.closed, isTested: true } };

/** The limit concerned one file only, or nobody knows of one; what else closed the gate stands. */
export const lifted = (gate: Gate): Gate => {
  if (gate.closed?.reason !== 'limit') return gate;
  const { beneath } = gate;
  return beneath === null ? openGate() : { ...openGate(), closed: beneath, reason: beneath.reason };
};

/** Somebody acted: one probe may go at once, and the streak begins anew. */
export const probeNow = (gate: Gate, nowMs: number): Gate =>
  gate.closed === null ? openGate() : { ...openGate(), closed: { ...gate.closed, untilMs: nowMs } };

export type Passage =
  | { kind: 'open' }
  /** Exactly one may try; everybody else waits for what becomes of it. */
  | { kind: 'probe' }
  | { kind: 'closed'; waitMs: number | null };

export const passage = (gate: Gate, nowMs: number): Passage => {
  if (gate.closed === null) return { kind: 'open' };
  const { untilMs } = gate.closed;
  if (untilMs === null) return { kind: 'closed', waitMs: null };
  return nowMs >= untilMs ? { kind: 'probe' } : { kind: 'closed', waitMs: untilMs - nowMs };
};

/** For the window: monotonic times become wall times. */
export const gateView = (gate: Gate, monoMs: number, wallMs: number): QueueGate =>
  gate.closed === null
    ? { kind: 'open' }
    : {
        kind: 'closed',
        reason: gate.closed.reason,
        untilMs: gate.closed.untilMs === null ? null : Math.round(wallMs + (gate.closed.untilMs - monoMs)),
        message: gate.closed.message,
        remedy: gate.closed.remedy,
      };
