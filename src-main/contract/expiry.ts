// When a link ends: how a person writes it, and until when that is. Pure.

/** What was asked for. `afterMs` counts from the upload, or from now for a link that is there already. */
export type ExpireWish = { afterMs: number } | { atMs: number } | 'never';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Longer than anybody plans, and far from the end of what a date can hold. */
export const longestExpiryMs = 3650 * dayMs;

/** A link that ends earlier than that after its time is on time: its requests take a while. */
export const lateFromMs = 5 * minuteMs;

const unitMs: Record<string, number> = { s: 1000, m: minuteMs, h: hourMs, d: dayMs, w: 7 * dayMs };

/** What the window and the completions offer. */
export const expiryPresets = ['1h', '1d', '7d', '31d'] as const;

/** `90s`, `30m`, `1h`, `7d`, `2w`; null for anything else, and for 0 or more than ten years. */
export const spanOf = (text: string): number | null => {
  const [, digits, unit = ''] = /^(\d{1,9})([smhdw])$/i.exec(text.trim()) ?? [];
  const ms = Number(digits) * (unitMs[unit.toLowerCase()] ?? 0);
  return digits !== undefined && ms > 0 && ms <= longestExpiryMs ? ms : null;
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

/** A day ends with its last second, in local time: a link is rather kept too long. Null: no such day or time. */
const momentOf = (text: string): number | null => {
  const [whole, year, month, day] = shapes.exec(text) ?? [];
  if (whole === undefined) return null;
  // JavaScript takes February 30 for March 2.
  const named = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (named.getUTCMonth() !== Number(month) - 1 || named.getUTCDate() !== Number(day)) return null;
  const atMs = Date.parse(whole.length === 10 ? `${whole}T23:59:59` : whole.replace(' ', 'T'));
  return Number.isNaN(atMs) ? null : atMs;
};

export type ExpiryProblem = 'unreadable' | 'past' | 'too-far';

/** What a person wrote: a span, a date, or `never`. */
export const readExpiry = (
  text: string,
  nowMs: number,
): { ok: true; wish: ExpireWish } | { ok: false; problem: ExpiryProblem } => {
  const given = text.trim();
  if (given.toLowerCase() === 'never') return { ok: true, wish: 'never' };
  const afterMs = spanOf(given);
  if (afterMs !== null) return { ok: true, wish: { afterMs } };
  const [, digits] = /^(\d+)[smhdw]$/i.exec(given) ?? [];
  if (digits !== undefined) return { ok: false, problem: /^0+$/.test(digits) ? 'past' : 'too-far' };
  const atMs = momentOf(given);
  if (atMs === null) return { ok: false, problem: 'unreadable' };
  if (atMs <= nowMs) return { ok: false, problem: 'past' };
  return atMs - nowMs > longestExpiryMs ? { ok: false, problem: 'too-far' } : { ok: true, wish: { atMs } };
};
