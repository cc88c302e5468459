// When may the next request leave? Pure decisions from what was counted (usage.ts), what is remembered
// (memory.ts) and the rules; limiter.ts obeys them.
//
// · Never more than the limits: at most L requests whose answer is younger than a minute, D younger than a day.
// · An even pace a little below the limit, so that servers that count by other windows agree as well; a few at
//   once are fine, ten when hardly anything waits and nothing went before. What goes beyond the few is paid twice,
//   so that no minute that begins with ten at once ends with more than L.
// · A 429 means that the service counts in a way of its own, or that somebody else spends too. Everything waits,
//   and for a day the pace is a little lower and never ten leave at once. Another one within the hour, and the pace
//   drops by a third. It comes back slowly; quickly the first time, since the full pace had stood until then.
// · Six pauses in a row without a good answer mean that others used up the day: one request each 15 minutes.
//   Our own rolling day is never exceeded for that.
import type { Lane } from '../../contract/model.ts';
import type { LimiterMemory } from './memory.ts';

/** `share`: which part of the account's limits is ours, 0 < share ≤ 1 (setting requestShare). */
export type LimiterRules = {
  perMinute: number;
  perDay: number;
  share: number;
  /** Uploads allowed in a day (service.md §2); null: not known. */
  dailyUploads: number | null;
};

export type Limits = {
  perMinute: number;
  perDay: number;
  /** Full pace, requests a minute. */
  pace: number;
  /** At once from rest; and when hardly anything waits. */
  burst: number;
  smallBurst: number;
};

/** The pace leaves room for service windows that are not ours; the bursts fit into what it leaves. */
const PACE = 0.96;
/** Up to so many waiting requests are a small backlog. */
export const SMALL_BACKLOG = 10;
/**
 * For a day after a 429. A service that weighs the last minute by its overlap with this one has room for half a
 * request more at this pace than at the full one, and the minute's window delays it less, so that it stays even.
 * What is delayed must be made up for at once: without bursts the pace is lost, and made up for slowly, this minute
 * gets what the last one lacked, which such a service refuses.
 */
const CAUTIOUS_PACE = 0.952;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const CAUTION_MS = 86_400_000;
const CUT = 0.7;
const RISE_PER_MINUTE = 0.25;
const PROBE_AFTER_STREAK = 6;
const PROBE_MS = 900_000;
/** A wait that the service asks for, again and again, becomes no longer than this; longer ones are kept as they are. */
const LONGEST_ASKED_MS = 300_000;
/** After a 429 one request at a time, but an upload that takes long is not waited for. */
const TRIAL_MS = 30_000;

export const limitsOf = (rules: LimiterRules): Limits => {
  const perMinute = Math.max(1, Math.floor(rules.perMinute * rules.share));
  return {
    perMinute,
    perDay: Math.max(1, Math.floor(rules.perDay * rules.share)),
    pace: PACE * perMinute,
    burst: Math.min(3, 1 + Math.floor((1 - PACE) * perMinute + 1e-9)),
    smallBurst: Math.max(1, Math.min(SMALL_BACKLOG, Math.floor(perMinute / 5))),
  };
};

/** 2 % of the day are kept for the user's own clicks, 5 % from our own business. */
export const dayLimitOf = (lane: Lane, limits: Limits): number =>
  Math.max(1, Math.floor(limits.perDay * dayPart[lane]));
const dayPart: Record<Lane, number> = { user: 1, upload: 0.98, background: 0.95 };

export const rateOf = (memory: LimiterMemory, limits: Limits): number =>
  memory.cutTo === null ? limits.pace : Math.min(memory.cutTo, limits.pace);

/** What may leave in a minute before the cuts. */
export const paceOf = (limits: Limits, cautiousUntilMs: number, nowMs: number): number =>
  nowMs < cautiousUntilMs ? CAUTIOUS_PACE * limits.perMinute : limits.pace;

const intervalOf = (memory: LimiterMemory, limits: Limits, nowMs: number): number =>
  MINUTE_MS / Math.min(rateOf(memory, limits), paceOf(limits, memory.cautiousUntilMs, nowMs));

// ---------------------------------------------------------------- when

/** What counts at this moment, outstanding requests included in `minuteUsed` and `dayUsed`. */
export type Load = {
  minuteUsed: number;
  dayUsed: number;
  /** When `count` more will be free; null: only after an answer. */
  minuteFreeAtMs(count: number): number | null;
  dayFreeAtMs(count: number): number | null;
  /** When the newest of the outstanding requests was sent; null when there is none. */
  lastSentMs: number | null;
  /** When the next upload fits into `dailyUploads`; null: now. Asked for lane `upload` only. */
  dailyUploadAtMs(): number | null;
  /** How many requests like this one wait. Asked only when it matters. */
  backlog(): number;
};

export type SlotReason = 'minute' | 'pace' | 'day' | 'daily-uploads' | 'rate';

export type Slot =
  | { kind: 'now' }
  | { kind: 'at'; atMs: number; why: SlotReason }
  /** Nothing frees by itself: everything that counts is outstanding. */
  | { kind: 'after-answer'; why: SlotReason };

export const nextSlot = (
  memory: LimiterMemory,
  load: Load,
  rules: LimiterRules,
  nowMs: number,
  lane: Lane,
): Slot => {
  const limits = limitsOf(rules);
  let slot: Slot = { kind: 'now' };
  /** Keeps the latest of the reasons to wait; `after-answer` is later than any time. */
  const wait = (atMs: number | null, why: SlotReason): void => {
    if (slot.kind === 'after-answer') return;
    if (atMs === null) slot = { kind: 'after-answer', why };
    else if (atMs > nowMs && (slot.kind === 'now' || atMs > slot.atMs)) slot = { kind: 'at', atMs, why };
  };
  wait(memory.pausedUntilMs, 'rate');
  if (memory.streak > 0 && load.lastSentMs !== null && load.lastSentMs >= memory.pausedUntilMs) {
    wait(load.lastSentMs + TRIAL_MS, 'rate');
  }
  wait(paceAtMs(memory, limits, nowMs, load), 'pace');
  const overMinute = load.minuteUsed - limits.perMinute + 1;
  if (overMinute > 0) wait(load.minuteFreeAtMs(overMinute), 'minute');
  const overDay = load.dayUsed - dayLimitOf(lane, limits) + 1;
  if (overDay > 0) wait(load.dayFreeAtMs(overDay), 'day');
  if (lane === 'upload') wait(load.dailyUploadAtMs() ?? nowMs, 'daily-uploads');
  return slot;
};

const paceAtMs = (memory: LimiterMemory, limits: Limits, nowMs: number, load: Load): number => {
  const intervalMs = intervalOf(memory, limits, nowMs);
  const atMs = memory.dueMs - (limits.burst - 1) * intervalMs;
  const atRest = nowMs >= memory.cautiousUntilMs && load.minuteUsed < limits.smallBurst;
  if (atMs <= nowMs || !atRest || load.backlog() > SMALL_BACKLOG) return atMs;
  return memory.dueMs - extraAhead(limits) * intervalMs;
};

/** How many intervals ahead the pace may run for a small backlog: the burst, then two for each one more. */
const extraAhead = (limits: Limits): number =>
  Math.max(limits.burst - 1, limits.burst + 2 * (limits.smallBurst - limits.burst - 1));

// ---------------------------------------------------------------- what follows

/** A request leaves now. */
export const spend = (memory: LimiterMemory, rules: LimiterRules, nowMs: number): LimiterMemory => {
  const limits = limitsOf(rules);
  const intervalMs = intervalOf(memory, limits, nowMs);
  const dear = nowMs < memory.dueMs - (limits.burst - 1) * intervalMs - 1;
  return { ...memory, dueMs: Math.max(memory.dueMs, nowMs) + (dear ? 2 : 1) * intervalMs };
};

export type Answer =
  /** Any answer but 429: it counted, and says nothing against the pace. */
  | { kind: 'ok' }
  /** It may have counted; whether the service would still refuse is not known. */
  | { kind: 'no-answer' }
  /** `retryAfterMs` only when sane (contract/errors.ts). */
  | { kind: 'rate-limited'; retryAfterMs: number | null };

/**
 * What an answer teaches. `sentMs`: when its request left. `minuteUsed`: requests of the last minute, which tells
 * working from idling. `chance`: uniform in [0, 1).
 */
export const answered = (
  memory: LimiterMemory,
  rules: LimiterRules,
  nowMs: number,
  answer: Answer,
  seen: { sentMs: number; minuteUsed: number; chance: () => number },
): LimiterMemory => {
  if (answer.kind === 'rate-limited') return slowed(memory, rules, nowMs, answer.retryAfterMs, seen);
  // What left before the pause says nothing about the time after it.
  const isRelieved = answer.kind === 'ok' && memory.streak > 0 && seen.sentMs >= memory.pausedAtMs;
  return risen(isRelieved ? relieved(memory) : memory, rules, nowMs, seen);
};

/** The run of 429s is over. Where it came from a used-up day, the pace was not to blame. */
const relieved = (memory: LimiterMemory): LimiterMemory => ({
  ...memory,
  cutTo: memory.streak >= PROBE_AFTER_STREAK ? memory.cutBefore : memory.cutTo,
  streak: 0,
});

const slowed = (
  memory: LimiterMemory,
  rules: LimiterRules,
  nowMs: number,
  retryAfterMs: number | null,
  seen: { sentMs: number; chance: () => number },
): LimiterMemory => {
  const askedOnce = retryAfterMs === null ? null : Math.max(1_000, retryAfterMs) + seen.chance() * 1_000;
  if (memory.streak > 0 && seen.sentMs < memory.pausedAtMs) {
    // It left before the first 429 of this pause came back: the same event, told again.
    if (askedOnce === null) return memory;
    return { ...memory, pausedUntilMs: Math.max(memory.pausedUntilMs, nowMs + askedOnce) };
  }
  const streak = memory.streak + 1;
  // A proxy may ask for the same few seconds during a whole outage: each time in a row it gets twice as many.
  const longerMs = Math.min(LONGEST_ASKED_MS, (askedOnce ?? 0) * 2 ** (streak - 1));
  const asked = askedOnce === null ? null : Math.max(askedOnce, longerMs);
  const probing = streak >= PROBE_AFTER_STREAK;
  const ownMs = probing ? PROBE_MS : (10_000 + 10_000 * seen.chance()) * 2 ** Math.min(2, streak - 1);
  const paused: LimiterMemory = {
    ...memory,
    streak,
    cutBefore: streak === 1 ? memory.cutTo : memory.cutBefore,
    pausedAtMs: nowMs,
    pausedUntilMs: Math.max(memory.pausedUntilMs, nowMs + (asked ?? ownMs)),
    cautiousUntilMs: nowMs + CAUTION_MS,
    cleanMinutes: 0,
  };
  // The first one of an hour comes from how the service counts: who shares an account is told more often. Then the
  // cautious pace is all it takes.
  const first = nowMs - memory.pausedAtMs >= HOUR_MS;
  if (first || probing || nowMs - memory.cutAtMs < MINUTE_MS) return paused;
  const limits = limitsOf(rules);
  const cutTo = Math.max(Math.min(1, limits.pace), rateOf(memory, limits) * CUT);
  const cleanMinutes = memory.cutTo === null ? cleanAtFullPace(limits) : 0;
  return { ...paused, cutTo, cutAtMs: nowMs, roseAtMs: nowMs, cleanMinutes };
};

/** A cut from the full pace comes back in the steps that follow so many clean minutes: a twelfth of the limit each. */
const cleanAtFullPace = ({ perMinute }: Limits): number =>
  Math.max(0, Math.floor(10 * Math.log2(perMinute / 12 / RISE_PER_MINUTE)));

/** One step up for each minute of work without a 429. */
const risen = (
  memory: LimiterMemory,
  rules: LimiterRules,
  nowMs: number,
  seen: { minuteUsed: number },
): LimiterMemory => {
  if (memory.cutTo === null || nowMs - memory.roseAtMs < MINUTE_MS) return memory;
  const limits = limitsOf(rules);
  // An idle minute proves nothing.
  if (seen.minuteUsed < rateOf(memory, limits) / 2) return { ...memory, roseAtMs: nowMs };
  const late = nowMs - memory.roseAtMs >= 2 * MINUTE_MS;
  return {
    ...memory,
    ...risenRate(memory.cutTo, memory.cleanMinutes, limits),
    roseAtMs: late ? nowMs : memory.roseAtMs + MINUTE_MS,
  };
};

/** The pace after one more clean minute; the steps double every ten of them. */
export const risenRate = (
  cutTo: number,
  cleanMinutes: number,
  limits: Limits,
): Pick<LimiterMemory, 'cutTo' | 'cleanMinutes'> => {
  const rate = cutTo + RISE_PER_MINUTE * 2 ** Math.min(6, Math.floor(cleanMinutes / 10));
  return { cutTo: rate >= limits.pace ? null : rate, cleanMinutes: cleanMinutes + 1 };
};
