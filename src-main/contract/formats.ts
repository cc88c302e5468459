// Sizes, times and dates in the reader's locale. Pure: the locale and the present moment come in.
// Sizes are decimal (1 kB = 1000 B), as the systems' file managers and the service's plans count.

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const cache = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

const numberFormat = (locale: string, name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const key = `n ${locale} ${name}`;
  const known = cache.get(key);
  if (known instanceof Intl.NumberFormat) return known;
  const made = new Intl.NumberFormat(locale, options);
  cache.set(key, made);
  return made;
};

const dateFormat = (
  locale: string,
  name: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat => {
  const key = `d ${locale} ${name}`;
  const known = cache.get(key);
  if (known instanceof Intl.DateTimeFormat) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  cache.set(key, made);
  return made;
};

/** "84.1 MB": three figures at most, none after the point for bytes. */
export const formatSize = (locale: string, sizeBytes: number): string => {
  let step = 0;
  let value = sizeBytes;
  // 999.5 already reads "1,000" when rounded, so the next unit begins there.
  while (value >= 999.5 && step < units.length - 1) {
    value /= 1000;
    step += 1;
  }
  const unit = units[step] ?? 'byte';
  const digits = step === 0 || value >= 99.95 ? 0 : 1;
  return numberFormat(locale, `${unit}${String(digits)}`, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'narrow' : 'short',
    maximumFractionDigits: digits,
  }).format(value);
};

export const formatCount = (locale: string, count: number): string =>
  numberFormat(locale, 'count', {}).format(count);

export const formatPercent = (locale: string, share: number): string =>
  numberFormat(locale, 'percent', { style: 'percent', maximumFractionDigits: 0 }).format(share);

export const formatTime = (locale: string, atMs: number): string =>
  dateFormat(locale, 'time', { hour: '2-digit', minute: '2-digit' }).format(atMs);

/** The whole date to the second, for hovering and for screen readers. */
export const formatExact = (locale: string, atMs: number): string =>
  dateFormat(locale, 'exact', { dateStyle: 'full', timeStyle: 'medium' }).format(atMs);

const startOfDay = (atMs: number): number => new Date(atMs).setHours(0, 0, 0, 0);

/** How many local midnights lie between the two moments; negative when `atMs` is to come. */
export const daysBetween = (nowMs: number, atMs: number): number =>
  Math.round((startOfDay(nowMs) - startOfDay(atMs)) / (24 * HOUR));

/** For the past: "2 min ago", "13:20", "yesterday", "18 Nov", "18 Nov 2025". */
export const formatWhen = (locale: string, nowMs: number, atMs: number, justNow: string): string => {
  const agoMs = nowMs - atMs;
  if (agoMs >= 0 && agoMs < MINUTE) return justNow;
  if (agoMs >= 0 && agoMs < HOUR) {
    return relative(locale).format(-Math.floor(agoMs / MINUTE), 'minute');
  }
  const days = daysBetween(nowMs, atMs);
  if (days === 0) return formatTime(locale, atMs);
  if (days === 1) return relative(locale).format(-1, 'day');
  return formatDay(locale, nowMs, atMs);
};

/** For what is to come: "14:21" today, "tomorrow, 09:00", "24 Nov, 09:00". */
export const formatUntil = (locale: string, nowMs: number, atMs: number): string => {
  const days = daysBetween(nowMs, atMs);
  const time = formatTime(locale, atMs);
  if (days === 0) return time;
  if (days === -1) return `${relative(locale).format(1, 'day')}, ${time}`;
  return `${formatDay(locale, nowMs, atMs)}, ${time}`;
};

export const formatDay = (locale: string, nowMs: number, atMs: number): string => {
  const sameYear = new Date(nowMs).getFullYear() === new Date(atMs).getFullYear();
  return sameYear
    ? dateFormat(locale, 'day', { day: 'numeric', month: 'short' }).format(atMs)
    : dateFormat(locale, 'dayYear', { day: 'numeric', month: 'short', year: 'numeric' }).format(atMs);
};

const relatives = new Map<string, Intl.RelativeTimeFormat>();
const relative = (locale: string): Intl.RelativeTimeFormat => {
  const known = relatives.get(locale);
  if (known !== undefined) return known;
  const made = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  relatives.set(locale, made);
  return made;
};

/** "9 sec", "12 min", "1 hr 20 min": rounded up, so that a wait never reads 0. */
export const formatWait = (locale: string, waitMs: number): string => {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND));
  const unit = (value: number, name: 'second' | 'minute' | 'hour'): string =>
    numberFormat(locale, `wait ${name}`, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
  if (seconds < 90) return unit(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return unit(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 || hours >= 10 ? unit(hours, 'hour') : `${unit(hours, 'hour')} ${unit(rest, 'minute')}`;
};
