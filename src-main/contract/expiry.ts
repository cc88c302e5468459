// How a person writes a span or a date, and which moment it means: the end of a link or of a pause. Pure.

/** What was asked for. `afterMs` counts from the upload, or from now for a link that is there already. */
export type ExpireWish = { afterMs: number } | { atMs: number } | 'never';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Longer than anybody plans, and far from the end of what a date can hold. */
export const longestExpiryMs = 3650 * dayMs;

/** A link that ends less than this after its time is on time: its requests take a while. */
export const lateFromMs = 5 * minuteMs;

const unitMs: Record<string, number> = { s: 1000, m: minuteMs, h: hourMs, d: dayMs, w: 7 * dayMs };

/** What the window and the completions offer. */
export const expiryPresets = ['1h', '1d', '7d', '31d'] as const;

/** A whole number and its unit: `30m`, `7d`, `3 days`, `15 min`. */
const spanShape = /^(\d+) ?(?:(s|sec|seconds?)|(m|min|minutes?)|(h|hours?)|(d|days?)|(w|weeks?))$/i;

/** `90s`, `30m`, `1h`, `7d`, `2w`, `3 days`; null for anything else, and for 0 or more than ten years. */
export const spanOf = (text: string): number | null => {
  const [, digits = '', ...units] = spanShape.exec(text.trim()) ?? [];
  const ms = Number(digits) * (Object.values(unitMs)[units.findIndex(Boolean)] ?? 0);
  return ms > 0 && ms <= longestExpiryMs ? ms : null;
};

/** In the largest unit that is exact: `7d`. */
export const spanText = (ms: number): string => {
  const [unit, each] = Object.entries(unitMs).findLast(([one, size]) => one !== 'w' && ms % size === 0) ?? [
    's',
    1000,
  ];
  return `${Math.ceil(ms / each)}${unit}`;
};

/** A setting: null for `none`. */
export const spanSetting = (value: string): number | null => (value === 'none' ? null : spanOf(value));

const shapes = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** A link is kept too long rather than too short. */
const endOfDay = (day: Date): number => new Date(day).setHours(23, 59, 59, 0);

/** Eight o'clock: a pause until a day ends in its morning, not at midnight. */
const morningOf = (day: Date): number => new Date(day).setHours(8, 0, 0, 0);

export const tomorrowMorning = (nowMs: number): number => morningOf(tomorrow(nowMs));

const tomorrow = (nowMs: number): Date => {
  const at = new Date(nowMs);
  at.setDate(at.getDate() + 1);
  return at;
};

/** Local time where no zone is named. Null: no such day or time. */
const momentOf = (text: string, inDay: (day: Date) => number): number | null => {
  const [whole, year, month, day] = shapes.exec(text) ?? [];
  if (whole === undefined) return null;
  // JavaScript takes February 30 for March 2.
  const named = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (named.getUTCMonth() !== Number(month) - 1 || named.getUTCDate() !== Number(day)) return null;
  const atMs =
    whole.length === 10 ? inDay(new Date(`${whole}T12:00:00`)) : Date.parse(whole.replace(' ', 'T'));
  return Number.isNaN(atMs) ? null : atMs;
};

export type WhenProblem = 'unreadable' | 'past' | 'too-far';
export type Read<Wish> = { ok: true; wish: Wish } | { ok: false; problem: WhenProblem };

const readWhen = (
  text: string,
  nowMs: number,
  inDay: (day: Date) => number,
): Read<{ afterMs: number } | { atMs: number }> => {
  const given = text.trim();
  const afterMs = spanOf(given);
  if (afterMs !== null) return { ok: true, wish: { afterMs } };
  const [, digits] = spanShape.exec(given) ?? [];
  if (digits !== undefined) return { ok: false, problem: /^0+$/.test(digits) ? 'past' : 'too-far' };
  const atMs = given.toLowerCase() === 'tomorrow' ? inDay(tomorrow(nowMs)) : momentOf(given, inDay);
  if (atMs === null) return { ok: false, problem: 'unreadable' };
  if (atMs <= nowMs) return { ok: false, problem: 'past' };
  return atMs - nowMs > longestExpiryMs ? { ok: false, problem: 'too-far' } : { ok: true, wish: { atMs } };
};

/** When a link ends: a span, the end of a day, a moment, or `never`. */
export const readExpiry = (text: string, nowMs: number): Read<ExpireWish> =>
  text.trim().toLowerCase() === 'never' ? { ok: true, wish: 'never' } : readWhen(text, nowMs, endOfDay);

/** When a pause ends: after a span, in the morning of a day, at a moment. Null for `until resumed`. */
export const readPause = (text: string, nowMs: number): Read<number | null> => {
  if (/^(until resumed)?$/i.test(text.trim())) return { ok: true, wish: null };
  const read = readWhen(text, nowMs, morningOf);
  if (!read.ok) return read;
  return { ok: true, wish: 'atMs' in read.wish ? read.wish.atMs : nowMs + read.wish.afterMs };
};
