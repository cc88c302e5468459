// The rules of the gate (gate.ts). The network, the key, the plan or a limit closes it for all uploads. Pure.
// The back-off is for the whole queue, never per file: after 401/403/404/3xx at most one probe leaves per interval.
import type { Wording } from '../../contract/text/wording.ts';
import { waitRow, type QueueGate, type WaitReason } from '../../contract/model.ts';
import { unreachable, type AppError } from '../../contract/errors.ts';

type Closed = {
  reason: WaitReason;
  /** Monotonic. Requests that began before this moment give no information about the closed gate. */
  sinceMs: number;
  /** Monotonic. One probe may go from this moment on. Null: only after an action of the user. */
  untilMs: number | null;
  message: string;
  remedy: Wording;
  /** A cheap request has succeeded since. Now one upload may go, and the reconciler may look for uploads. */
  isTested: boolean;
};

export type Gate = {
  closed: Closed | null;
  /** The reason that had closed the gate before the limit did. It closes the gate again when the limit is lifted. */
  beneath: Closed | null;
  /** How many times in a row the same reason closed the gate. */
  streak: number;
  /** The reason of the streak. */
  reason: WaitReason | null;
};

export const openGate = (): Gate => ({ closed: null, beneath: null, streak: 0, reason: null });

/** Short outages end within one or two minutes. In that time the next try is at most 30 s away. */
const troubleSeconds = [2, 4, 8, 16, 30, 30, 30, 60, 120, 240];
const longestTroubleSeconds = 300;

const minutes = (count: number): number => count * 60_000;

/** Milliseconds until the one next probe, for the n-th closing in a row (from 0). */
const probeAfterMs = (reason: WaitReason, streak: number, chance: number): number | null => {
  switch (reason) {
    case 'network':
    case 'service':
      // A quarter of the wait is random, so that machines behind one router do not try at the same moment.
      return 1000 * (troubleSeconds[streak] ?? longestTroubleSeconds) * (0.75 + chance / 4);
    case 'key':
    case 'moved':
      return minutes(15);
    case 'plan':
    case 'limit':
    case 'blocked':
    case 'daily-uploads':
      return Math.min(minutes(360), minutes(15) * 2 ** Math.min(streak, 5));
    case 'folder':
      return 30_000;
    case 'disk': // tried again by ledger-health.ts
    case 'audit': // tried again by audit-trail.ts
    case 'policy': // reported by the settings
    case 'rate':
    case 'budget':
    case 'paused':
    case 'settling':
    case 'locked':
    case 'same-name':
    case 'unfinished':
    case 'busy':
    case 'grace':
      // The limiter, the pause, or the file itself keeps these waits.
      return null;
    default:
      return unreachable(reason);
  }
};

/**
 * Reasons that form one streak. A 403 is `limit` until the statistics show which one. `blocked` waits as long as a
 * limit does. `service` counts as `network`.
 */
const seriesOf = (reason: WaitReason): WaitReason => {
  if (reason === 'daily-uploads' || reason === 'blocked') return 'limit';
  return reason === 'service' ? 'network' : reason;
};

/** The service cannot be used now, and it gives no reason. */
export const isTrouble = (reason: WaitReason | null): boolean => reason === 'network' || reason === 'service';

export const close = (
  gate: Gate,
  cause: { reason: WaitReason; message: string; remedy: Wording },
  nowMs: number,
  chance: number,
): Gate => {
  const { closed } = gate;
  const isSame = gate.reason !== null && seriesOf(gate.reason) === seriesOf(cause.reason);
  // Uploads that are on their way together fail together. That is one closing and not the next one of a streak. The
  // statistics may meanwhile have shown which limit it is.
  if (closed !== null && isSame && closed.untilMs !== null && nowMs < closed.untilMs) {
    return closed.reason === cause.reason
      ? gate
      : { ...gate, closed: { ...closed, ...cause }, reason: cause.reason };
  }
  // An upload that was on its way fails now. Trouble of the network does not replace a reason that still holds.
  const stands = closed !== null && (closed.untilMs === null || nowMs < closed.untilMs);
  if (isTrouble(cause.reason) && stands) return gate;
  const streak = isSame ? gate.streak + 1 : 0;
  const waitMs = probeAfterMs(cause.reason, streak, chance);
  return {
    closed: { ...cause, sinceMs: nowMs, untilMs: waitMs === null ? null : nowMs + waitMs, isTested: false },
    beneath: cause.reason === 'limit' && stands && waitRow(closed.reason).forAll === true ? closed : null,
    streak,
    reason: cause.reason,
  };
};

/** A request that began at `begunMs` (monotonic) succeeded. Opens the gate, unless it was closed after that moment. */
export const passed = (gate: Gate, begunMs: number): Gate => {
  if (gate.closed === null) return gate;
  return begunMs > gate.closed.sinceMs ? openGate() : gate;
};

/** A cheap request that began at `begunMs` (monotonic) succeeded. One upload may now try, and others may follow it. */
export const tested = (gate: Gate, begunMs: number): Gate =>
  gate.closed === null || begunMs <= gate.closed.sinceMs
    ? gate
    : { ...gate, closed: { ...gate.closed, isTested: true } };

/** The limit concerned one file only, or may not exist. Any other reason still closes the gate. */
export const lifted = (gate: Gate): Gate => {
  if (gate.closed?.reason !== 'limit') return gate;
  const { beneath } = gate;
  return beneath === null ? openGate() : { ...openGate(), closed: beneath, reason: beneath.reason };
};

/** The user acted: one probe may go at once, and the streak begins again. */
export const probeNow = (gate: Gate, nowMs: number): Gate =>
  gate.closed === null ? openGate() : { ...openGate(), closed: { ...gate.closed, untilMs: nowMs } };

export type Passage =
  | { kind: 'open' }
  /** Exactly one upload may try. All others wait for its result. */
  | { kind: 'probe' }
  | { kind: 'closed'; waitMs: number | null };

export const passage = (gate: Gate, nowMs: number): Passage => {
  if (gate.closed === null) return { kind: 'open' };
  const { untilMs } = gate.closed;
  if (untilMs === null) return { kind: 'closed', waitMs: null };
  return nowMs >= untilMs ? { kind: 'probe' } : { kind: 'closed', waitMs: untilMs - nowMs };
};

/** The gate as the window shows it. Monotonic times become wall times. */
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

/** Why the queue waits after a request other than an upload failed. */
export const gateReasonOf = ({ code }: AppError): WaitReason => {
  switch (code) {
    case 'key-refused':
    case 'key-missing':
    case 'keychain-locked':
    case 'keychain-unavailable':
      return 'key';
    case 'limit':
    case 'plan':
      return 'plan';
    case 'blocked':
      return 'blocked';
    case 'offline':
    case 'interrupted':
      return 'network';
    case 'unusable-answer':
    case 'intercepted':
      return 'service';
    default:
      return 'moved';
  }
};
