// The rules of the gate (gate.ts). The network, the key or the plan closes it for all requests, a limit only for uploads.
// Each of these two has the same shape and is stored, so that the next process obeys it. Pure.
// The back-off is for the whole queue, never per file: after 401/403/404/3xx at most one probe leaves per interval.
import type { Wording } from '../../contract/text/wording.ts';
import type { QueueGate, WaitReason } from '../../contract/model.ts';
import type { StoredClosing } from '../../contract/facts.ts';
import type { AppError, ErrorCode } from '../../contract/errors.ts';

export type Closed = {
  reason: WaitReason;
  /** Monotonic. Requests that began before this moment give no information about the closed gate. */
  sinceMs: number;
  /** Monotonic. One probe may go from this moment on. Null: only after an action of the user. */
  untilMs: number | null;
  message: string;
  remedy: Wording;
  /** A cheap request has succeeded since. Now one upload may go, and the reconciler may look for uploads. */
  isTested: boolean;
  /** A 403 names no reason. Until the statistics show that the account may be used, nothing else is asked. */
  isKnown: boolean;
  /** How many times in a row the same reason had closed the gate before. After an act of the user: -1. */
  streak: number;
};

/** Null: it is open. */
export type Gate = Closed | null;

/** What a reason closes: all requests, or only uploads. */
export type Scope = 'all' | 'uploads';
export const scopeOf = (reason: WaitReason): Scope =>
  reason === 'limit' || reason === 'blocked' || reason === 'daily-uploads' ? 'uploads' : 'all';

/** Short outages end within one or two minutes. In that time the next try is at most 30 s away. */
const troubleSeconds = [2, 4, 8, 16, 30, 30, 30, 60, 120, 240];
const longestTroubleSeconds = 300;

const minutes = (count: number): number => count * 60_000;

type ProbeAfter = (streak: number, chance: number) => number;
/** A quarter of the wait is random, so that machines behind one router do not try at the same moment. */
const afterTrouble: ProbeAfter = (streak, chance) =>
  1000 * (troubleSeconds[streak] ?? longestTroubleSeconds) * (0.75 + chance / 4);
const afterRefusal: ProbeAfter = () => minutes(15);
const afterLimit: ProbeAfter = (streak) => Math.min(minutes(360), minutes(15) * 2 ** Math.min(streak, 5));

/**
 * Milliseconds until the one next probe, for the n-th closing in a row (from 0). What is not here waits for no probe: the
 * limiter, the pause, the settings, the file, ledger-health.ts or audit-trail.ts ends that wait.
 */
const probes: Partial<Record<WaitReason, ProbeAfter>> = {
  network: afterTrouble,
  service: afterTrouble,
  key: afterRefusal,
  moved: afterRefusal,
  plan: afterLimit,
  limit: afterLimit,
  blocked: afterLimit,
  'daily-uploads': afterLimit,
  folder: () => 30_000,
};

const probeAfterMs = (reason: WaitReason, streak: number, chance: number): number | null =>
  probes[reason]?.(streak, chance) ?? null;

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

/** `isAsked`: the refused request left after the gate was closed, so the wait begins anew. */
export const close = (
  gate: Gate,
  cause: { reason: WaitReason; message: string; remedy: Wording },
  nowMs: number,
  chance: number,
  isAsked = false,
): Gate => {
  const isSame = gate !== null && seriesOf(gate.reason) === seriesOf(cause.reason);
  // Uploads that are on their way together fail together. That is one closing and not the next one of a streak. The
  // statistics may meanwhile have shown which limit it is.
  const isOneClosing = isSame && gate.untilMs !== null && nowMs < gate.untilMs;
  if (isOneClosing && !isAsked) return gate.reason === cause.reason ? gate : { ...gate, ...cause };
  // An upload that was on its way fails now. Trouble of the network does not replace a reason that still holds.
  const stands = gate !== null && (gate.untilMs === null || nowMs < gate.untilMs);
  if (isTrouble(cause.reason) && stands) return gate;
  const streak = isOneClosing ? gate.streak : isSame ? gate.streak + 1 : 0;
  const waitMs = probeAfterMs(cause.reason, streak, chance);
  return {
    ...cause,
    sinceMs: nowMs,
    untilMs: waitMs === null ? null : nowMs + waitMs,
    isTested: false,
    isKnown: cause.reason !== 'limit',
    streak,
  };
};

/** A request that began at `begunMs` (monotonic) succeeded. Opens the gate, unless it was closed after that moment. */
export const passed = (gate: Gate, begunMs: number): Gate =>
  gate === null || begunMs > gate.sinceMs ? null : gate;

/** A cheap request that began at `begunMs` (monotonic) succeeded. One upload may now try, and others may follow it. */
export const tested = (gate: Gate, begunMs: number): Gate =>
  gate === null || begunMs <= gate.sinceMs ? gate : { ...gate, isTested: true, isKnown: true };

/** The statistics were answered since an upload was refused with 403. */
export const knownGate = (gate: Gate): Gate =>
  gate === null || gate.isKnown ? gate : { ...gate, isKnown: true };

/** The user acted: one probe may go at once, and the streak begins again. */
export const probeNow = (gate: Gate, nowMs: number): Gate =>
  gate === null ? null : { ...gate, untilMs: nowMs, streak: -1 };

export type Passage =
  | { kind: 'open' }
  /** Exactly one upload may try. All others wait for its result. */
  | { kind: 'probe' }
  | { kind: 'closed'; waitMs: number | null };

export const passage = (gate: Gate, nowMs: number): Passage => {
  if (gate === null) return { kind: 'open' };
  const { untilMs } = gate;
  if (untilMs === null) return { kind: 'closed', waitMs: null };
  return nowMs >= untilMs ? { kind: 'probe' } : { kind: 'closed', waitMs: untilMs - nowMs };
};

/** As the window shows it. Monotonic times become wall times. */
export const closedView = (
  { reason, untilMs, message, remedy }: Closed,
  monoMs: number,
  wallMs: number,
): QueueGate & { kind: 'closed' } => ({
  kind: 'closed',
  reason,
  untilMs: untilMs === null ? null : Math.round(wallMs + (untilMs - monoMs)),
  message,
  remedy,
});

/**
 * The gate as an earlier process left it. What closes uploads keeps its time: its probe is a whole file. The rest is
 * probed at once, because a cheap request goes first.
 */
export const restored = (
  { reason, message, remedy, untilMs, streak }: StoredClosing,
  monoMs: number,
  wallMs: number,
): Closed => {
  const mostMs = scopeOf(reason) === 'uploads' ? (probeAfterMs(reason, streak, 1) ?? 0) : 0;
  const waitMs = Math.min(mostMs, Math.max(0, (untilMs ?? 0) - wallMs));
  return {
    reason,
    message,
    remedy,
    sinceMs: -Infinity,
    untilMs: monoMs + waitMs,
    isTested: false,
    isKnown: true,
    streak,
  };
};

/** Why no request goes after one with this code failed. */
export const closedBy = {
  'key-refused': 'key',
  'key-missing': 'key',
  'unknown-key': 'key',
  'keychain-locked': 'key',
  'keychain-unavailable': 'key',
  offline: 'network',
  interrupted: 'network',
  'unusable-answer': 'service',
  intercepted: 'service',
  moved: 'moved',
  'wrong-address': 'moved',
  'not-configured': 'moved',
  'bad-setting': 'moved',
} as const satisfies Partial<Record<ErrorCode, WaitReason>>;

const closings: Partial<Record<ErrorCode, WaitReason>> = {
  ...closedBy,
  limit: 'plan',
  plan: 'plan',
  blocked: 'blocked',
};

/** Why the queue waits after a request other than an upload failed. */
export const gateReasonOf = ({ code }: AppError): WaitReason => closings[code] ?? 'moved';
