// Decides when the next request may leave. Pure: it uses the counts (usage.ts), the memory (memory.ts) and the rules.
// limiter.ts carries the decisions out.
//
// · Never more than the limits: at most L requests whose answer is younger than a minute, D younger than a day.
// · An even pace a little below the limit, so that it also fits servers that count by other windows. A few requests
//   may leave at once: ten when hardly any wait and few left in the last minute. Each one beyond the few counts twice
//   in the pace, so that a minute that begins with ten at once has no more than L.
// · A 429 (or a 503 that asks for fewer requests) means that the service counts in another way, or that another program
//   uses the same account. All requests wait. For a day the pace is a little lower and ten never leave at once. After
//   another 429 within the hour the pace falls by 30 %. It rises again slowly; after a cut from the full pace it rises
//   quickly.
// · Six pauses in a row without a good answer mean that others used up the day. Then one request leaves every
//   15 minutes. The limit of our own rolling day still holds.
import type { Lane } from '../../contract/model.ts';
import type { LimiterMemory } from './memory.ts';

/** `share`: which part of the account's limits Outtray may use, 0 < share ≤ 1 (setting requestShare). */
export type LimiterRules = {
  perMinute: number;
  perDay: number;
  share: number;
  /** Uploads allowed in a day (service.md §2); null: not known. */
  dailyUploads: number | null;
};

export type RequestLimits = {
  perMinute: number;
  perDay: number;
  /** Full pace, requests a minute. */
  pace: number;
  /** How many may leave at once: usually, and with a small backlog. */
  burst: number;
  smallBurst: number;
};

/** The pace leaves room for other windows of the service. The bursts fit into this room. */
const PACE = 0.96;
/** At most this many waiting requests are a small backlog. */
export const SMALL_BACKLOG = 10;

// Some services weigh the last minute by its overlap with the present one. At the cautious pace they have room for half
// a request more than at the full pace. The window of the minute also delays less, so the pace stays even. Delayed
// requests must leave at once: without bursts the pace is lost. If they leave slowly, this minute gets the requests
// that the last one lacked, and such a service refuses them.

/** The pace for a day after a 429. */
const CAUTIOUS_PACE = 0.952;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const CAUTION_MS = 86_400_000;
const CUT = 0.7;
const RISE_PER_MINUTE = 0.25;
const PROBE_AFTER_STREAK = 6;
const PROBE_MS = 900_000;
/** A repeated wait of the service doubles up to this. A longer wait that the service asks for is kept as it is. */
const LONGEST_ASKED_MS = 300_000;
/** After a 429 one request goes at a time. The next one waits at most this long for a slow upload. */
const TRIAL_MS = 30_000;

export const limitsOf = (rules: LimiterRules): RequestLimits => {
  const perMinute = Math.max(1, Math.floor(rules.perMinute * rules.share));
  return {
    perMinute,
    perDay: Math.max(1, Math.floor(rules.perDay * rules.share)),
    pace: PACE * perMinute,
    burst: Math.min(3, 1 + Math.floor((1 - PACE) * perMinute + 1e-9)),
    smallBurst: Math.max(1, Math.min(SMALL_BACKLOG, Math.floor(perMinute / 5))),
  };
};

/** Uploads and agents leave 2 % of the day for the user's own clicks. Background requests leave 5 %. */
export const dayLimitOf = (lane: Lane, limits: RequestLimits): number =>
  Math.max(1, Math.floor(limits.perDay * dayPart[lane]));
const dayPart: Record<Lane, number> = { user: 1, agent: 0.98, upload: 0.98, background: 0.95 };

/** The part of a limit that agents may use (setting agentShare, 0 to 1): at least one request, unless it is 0. */
export const agentPart = (limit: number, agentShare: number): number =>
  agentShare === 0 ? 0 : Math.max(1, Math.floor(limit * agentShare));

/** The part of the memory that determines how fast requests leave. */
type Pace = Pick<LimiterMemory, 'dueMs' | 'cutTo' | 'cautiousUntilMs'>;

export const rateOf = (memory: Pick<LimiterMemory, 'cutTo'>, limits: RequestLimits): number =>
  memory.cutTo === null ? limits.pace : Math.min(memory.cutTo, limits.pace);

/** How many requests may leave in a minute, without the cuts. */
export const paceOf = (limits: RequestLimits, cautiousUntilMs: number, nowMs: number): number =>
  nowMs < cautiousUntilMs ? CAUTIOUS_PACE * limits.perMinute : limits.pace;

const intervalOf = (memory: Pace, limits: RequestLimits, nowMs: number): number =>
  MINUTE_MS / Math.min(rateOf(memory, limits), paceOf(limits, memory.cautiousUntilMs, nowMs));

// ---------------------------------------------------------------- when

/** What counts at this moment. `minuteUsed` and `dayUsed` include outstanding requests. */
export type Load = {
  minuteUsed: number;
  dayUsed: number;
  /** When `count` more are free. Null: only after an answer. */
  minuteFreeAtMs(count: number): number | null;
  dayFreeAtMs(count: number): number | null;
  /** When the newest of the outstanding requests was sent; null when there is none. */
  lastSentMs: number | null;
  /** When the next upload fits into `dailyUploads`; null: now. Asked for lane `upload` only. */
  dailyUploadAtMs(): number | null;
  /** How many requests of this lane wait. Called only when needed. */
  backlog(): number;
};

export type SlotReason = 'minute' | 'pace' | 'day' | 'daily-uploads' | 'rate';

export type Slot =
  | { kind: 'now' }
  | { kind: 'at'; atMs: number; why: SlotReason }
  /** No slot becomes free with time, because all counted requests are outstanding. */
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
  /** Keeps the latest reason to wait. `after-answer` is later than any time. */
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

/** When the pace lets the next request leave. */
export const paceAtMs = (
  memory: Pace,
  limits: RequestLimits,
  nowMs: number,
  load: Pick<Load, 'minuteUsed' | 'backlog'>,
): number => {
  const intervalMs = intervalOf(memory, limits, nowMs);
  const atMs = memory.dueMs - (limits.burst - 1) * intervalMs;
  const atRest = nowMs >= memory.cautiousUntilMs && load.minuteUsed < limits.smallBurst;
  if (atMs <= nowMs || !atRest || load.backlog() > SMALL_BACKLOG) return atMs;
  return memory.dueMs - extraAhead(limits) * intervalMs;
};

/** How many intervals the pace may run ahead for a small backlog: the burst, then two for each further request. */
const extraAhead = (limits: RequestLimits): number =>
  Math.max(limits.burst - 1, limits.burst + 2 * (limits.smallBurst - limits.burst - 1));

// ---------------------------------------------------------------- what follows

/** A request leaves now. */
export const spend = <Of extends Pace>(memory: Of, rules: LimiterRules, nowMs: number): Of => {
  const limits = limitsOf(rules);
  const intervalMs = intervalOf(memory, limits, nowMs);
  const dear = nowMs < memory.dueMs - (limits.burst - 1) * intervalMs - 1;
  return { ...memory, dueMs: Math.max(memory.dueMs, nowMs) + (dear ? 2 : 1) * intervalMs };
};

export type AnswerMeaning =
  /** Any answer that does not ask for fewer requests. The request counted, and there is no reason to slow down. */
  | { kind: 'ok' }
  /** The connection broke or could not be made. The request may have counted. It is not known whether the service still refuses. */
  | { kind: 'no-answer' }
  /** 429, or a 503 that asks for fewer requests. `retryAfterMs`: only when sane (contract/errors.ts). */
  | { kind: 'rate-limited'; retryAfterMs: number | null };

/**
 * The memory after an answer. `sentMs`: when its request left. `minuteUsed`: requests of the last minute, which shows
 * whether it was an idle minute. `chance`: uniform in [0, 1).
 */
export const answered = (
  memory: LimiterMemory,
  rules: LimiterRules,
  nowMs: number,
  answer: AnswerMeaning,
  seen: { sentMs: number; minuteUsed: number; chance: () => number },
): LimiterMemory => {
  if (answer.kind === 'rate-limited') return slowed(memory, rules, nowMs, answer.retryAfterMs, seen);
  // The answer to a request from before the pause does not show that the service accepts requests again.
  const isRelieved = answer.kind === 'ok' && memory.streak > 0 && seen.sentMs >= memory.pausedAtMs;
  return risen(isRelieved ? relieved(memory) : memory, rules, nowMs, seen);
};

/** A person does not wait for the end of the pause: one request may go at once, and its answer decides. */
export const triedNow = (memory: LimiterMemory, nowMs: number): LimiterMemory =>
  memory.pausedUntilMs > nowMs ? { ...memory, pausedUntilMs: nowMs } : memory;

/** The series of 429s is over. If the day was used up, the pace was not the cause. */
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
    // It left before the first 429 of this pause arrived. So it is the same event again.
    if (askedOnce === null) return memory;
    return { ...memory, pausedUntilMs: Math.max(memory.pausedUntilMs, nowMs + askedOnce) };
  }
  const streak = memory.streak + 1;
  // During an outage a proxy may ask for the same few seconds each time. So the wait doubles each time in a row.
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
  // The first 429 of an hour comes from the way the service counts. A shared account gets more of them. For one,
  // the cautious pace is enough.
  const first = nowMs - memory.pausedAtMs >= HOUR_MS;
  if (first || probing || nowMs - memory.cutAtMs < MINUTE_MS) return paused;
  const limits = limitsOf(rules);
  const cutTo = Math.max(Math.min(1, limits.pace), rateOf(memory, limits) * CUT);
  const cleanMinutes = memory.cutTo === null ? cleanAtFullPace(limits) : 0;
  return { ...paused, cutTo, cutAtMs: nowMs, roseAtMs: nowMs, cleanMinutes };
};

/** After a cut from the full pace, the steps begin at this count of clean minutes: each is a twelfth of the limit. */
const cleanAtFullPace = ({ perMinute }: RequestLimits): number =>
  Math.max(0, Math.floor(10 * Math.log2(perMinute / 12 / RISE_PER_MINUTE)));

/** The pace rises one step for each busy minute without a 429. */
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

/** The pace after one more clean minute. The steps double after every ten clean minutes. */
export const risenRate = (
  cutTo: number,
  cleanMinutes: number,
  limits: RequestLimits,
): Pick<LimiterMemory, 'cutTo' | 'cleanMinutes'> => {
  const rate = cutTo + RISE_PER_MINUTE * 2 ** Math.min(6, Math.floor(cleanMinutes / 10));
  return { cutTo: rate >= limits.pace ? null : rate, cleanMinutes: cleanMinutes + 1 };
};
