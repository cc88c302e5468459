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

/** "84.1 MB", "5 bytes": three figures at most, none after the point for bytes. */
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
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: digits,
  }).format(value);
};

/**
 * A number as a person types it: with the separators of the language, or with a comma or a point before the decimals.
 * NaN for what is none.
 */
export const readNumber = (locale: string, text: string): number => {
  const parts = numberFormat(locale, 'count', {}).formatToParts(1_000_000);
  const group = parts.find(({ type }) => type === 'group')?.value ?? ' ';
  const plain = text.replaceAll(/[\s'’]/g, '');
  const [grouped = '', mark] = /^-?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?!\d|\1)/.exec(plain) ?? [];
  const whole = mark === group ? grouped.replaceAll(group, '') + plain.slice(grouped.length) : plain;
  // "5,0000" is neither five nor fifty thousand.
  const isUnclear = whole.includes(group) && /\d{3}/.test(whole.slice(whole.indexOf(group)));
  return isUnclear || !/\d/.test(whole) ? Number.NaN : Number(whole.replace(',', '.'));
};

/** A number as `readNumber` takes it back: without groups, with the decimal mark of the language. */
export const typedNumber = (locale: string, value: string): string => {
  const mark = numberFormat(locale, 'count', {})
    .formatToParts(0.5)
    .find(({ type }) => type === 'decimal');
  return value.replace('.', mark?.value ?? '.');
};

/** As JSON has a time; null: there is none. */
export const isoOrNull = (atMs: number | null): string | null =>
  atMs === null ? null : new Date(atMs).toISOString();

export const formatCount = (locale: string, count: number): string =>
  numberFormat(locale, 'count', {}).format(count);

export const formatPercent = (locale: string, share: number): string =>
  numberFormat(locale, 'percent', { style: 'percent', maximumFractionDigits: 0 }).format(share);

/** "8:04 PM" or "20:04", as the locale writes it. */
export const formatTime = (locale: string, atMs: number): string =>
  dateFormat(locale, 'time', { timeStyle: 'short' }).format(atMs);

/** The whole date to the second, for hovering and for screen readers. */
export const formatExact = (locale: string, atMs: number): string =>
  dateFormat(locale, 'exact', { dateStyle: 'full', timeStyle: 'medium' }).format(atMs);

const startOfDay = (atMs: number): number => new Date(atMs).setHours(0, 0, 0, 0);

/** How many local midnights lie between the two moments; negative when `atMs` is to come. */
export const daysBetween = (nowMs: number, atMs: number): number =>
  Math.round((startOfDay(nowMs) - startOfDay(atMs)) / (24 * HOUR));

/**
 * For the past: "2 min ago" below an hour, "13:20" today, then "yesterday", "18 Nov", "18 Nov 2025". `nowMs` comes
 * from a clock that ticks now and then: what happened since its last tick is just now.
 */
export const formatWhen = (locale: string, nowMs: number, atMs: number, justNow: string): string => {
  const agoMs = nowMs - atMs;
  if (Math.abs(agoMs) < MINUTE) return justNow;
  if (agoMs >= 0 && agoMs < HOUR) {
    return siMinutes(relative(locale).format(-Math.floor(agoMs / MINUTE), 'minute'));
  }
  const days = daysBetween(nowMs, atMs);
  if (days === 0) return formatTime(locale, atMs);
  if (days === 1) return relative(locale).format(-1, 'day');
  return formatDay(locale, nowMs, atMs);
};

/** "1 min ago", "vor 1 min": replaces the abbreviations "min." and "Min." by the symbol that waits have, too. */
const siMinutes = (text: string): string => text.replace(/\bmin\./i, 'min');

/** "14:21" today, "tomorrow, 09:00", "yesterday, 09:00", "24 Nov, 09:00". */
export const formatUntil = (locale: string, nowMs: number, atMs: number): string => {
  const days = daysBetween(nowMs, atMs);
  const time = formatTime(locale, atMs);
  if (days === 0) return time;
  const day = Math.abs(days) === 1 ? relative(locale).format(-days, 'day') : formatDay(locale, nowMs, atMs);
  return `${day}${betweenDayAndTime(locale)}${time}`;
};

/** "2:03 – 2:05 PM" today, else both moments in full. */
export const formatSpan = (locale: string, nowMs: number, fromMs: number, toMs: number): string =>
  daysBetween(nowMs, fromMs) === 0 && daysBetween(nowMs, toMs) === 0
    ? dateFormat(locale, 'time', { timeStyle: 'short' }).formatRange(fromMs, toMs)
    : `${formatUntil(locale, nowMs, fromMs)} – ${formatUntil(locale, nowMs, toMs)}`;

/** ", " in most languages, a space in Chinese. */
const betweenDayAndTime = (locale: string): string => {
  const parts = dateFormat(locale, 'day and time', { dateStyle: 'short', timeStyle: 'short' }).formatToParts(
    0,
  );
  const time = parts.findIndex(({ type }) => type === 'hour' || type === 'dayPeriod');
  return parts[time - 1]?.value ?? ', ';
};

export const formatDay = (locale: string, nowMs: number, atMs: number): string => {
  const sameYear = new Date(nowMs).getFullYear() === new Date(atMs).getFullYear();
  return sameYear
    ? dateFormat(locale, 'day', { day: 'numeric', month: 'short' }).format(atMs)
    : dateFormat(locale, 'dayYear', { day: 'numeric', month: 'short', year: 'numeric' }).format(atMs);
};

/** Over the files of one day: "Today", "Yesterday", "Thursday, 19 November", with the year if it is another one. */
export const formatDayHeading = (locale: string, nowMs: number, atMs: number): string => {
  const days = daysBetween(nowMs, atMs);
  if (days === 0 || days === 1) {
    const [first = '', ...rest] = relative(locale).format(-days, 'day');
    return `${first.toLocaleUpperCase(locale)}${rest.join('')}`;
  }
  const sameYear = new Date(nowMs).getFullYear() === new Date(atMs).getFullYear();
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return sameYear
    ? dateFormat(locale, 'heading', day).format(atMs)
    : dateFormat(locale, 'headingYear', { ...day, year: 'numeric' }).format(atMs);
};

const relatives = new Map<string, Intl.RelativeTimeFormat>();
const relative = (locale: string): Intl.RelativeTimeFormat => {
  const known = relatives.get(locale);
  if (known !== undefined) return known;
  const made = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  relatives.set(locale, made);
  return made;
};

type WaitUnit = 'second' | 'minute' | 'hour';
const symbols: Record<WaitUnit, string> = { second: 's', minute: 'min', hour: 'h' };

/** The international symbols, or the language's own words where it is not written in Latin letters: "26 s", "26秒". */
const inUnit = (locale: string, value: number, name: WaitUnit): { text: string; gap: string } => {
  const options: Intl.NumberFormatOptions = { style: 'unit', unit: name, unitDisplay: 'short' };
  const text = numberFormat(locale, `wait ${name}`, options).format(value);
  return /\p{Script=Latin}/u.test(text)
    ? { text: `${formatCount(locale, value)} ${symbols[name]}`, gap: ' ' }
    : { text, gap: '' };
};

/** "in 3 days", "in 5 hours": for the future, rounded to the nearest whole. */
export const formatWithin = (locale: string, ms: number): string => {
  const minutes = Math.max(1, Math.round(ms / MINUTE));
  const hours = Math.round(ms / HOUR);
  const days = Math.round(ms / (24 * HOUR));
  const [value, unit] =
    minutes < 60
      ? ([minutes, 'minute'] as const)
      : hours < 48
        ? ([Math.max(1, hours), 'hour'] as const)
        : ([days, 'day'] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'always' }).format(value, unit);
};

/** "40 seconds", "3 minutes", "12 days": how long something was so, rounded to the nearest whole. */
export const formatLasted = (locale: string, ms: number): string => {
  const seconds = Math.max(1, Math.round(ms / SECOND));
  const minutes = Math.round(ms / MINUTE);
  const hours = Math.round(ms / HOUR);
  const [value, unit] =
    seconds < 60
      ? [seconds, 'second']
      : minutes < 60
        ? [minutes, 'minute']
        : hours < 48
          ? [hours, 'hour']
          : [Math.round(hours / 24), 'day'];
  return numberFormat(locale, `lasted ${unit}`, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
};

/** "9 s", "1 min 26 s", "12 min", "1 h 20 min": rounded up, so that a wait never reads 0. */
export const formatWait = (locale: string, waitMs: number): string => {
  const exact = Math.max(1, Math.ceil(waitMs / SECOND));
  const step = exact <= 120 ? 1 : exact <= 600 ? 10 : exact <= 36_000 ? 60 : 3_600;
  const seconds = Math.ceil(exact / step) * step;
  const parts: [number, WaitUnit][] = [
    [Math.floor(seconds / 3_600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ];
  const units = parts.filter(([value]) => value > 0).map(([value, name]) => inUnit(locale, value, name));
  return units.map(({ text }) => text).join(units[0]?.gap);
};

const pastedStart = 'Pasted ';

/** "Pasted 2026-11-20 14.02.33.png": it describes itself, sorts by time, and is a name on every system. */
export const pastedName = (nowMs: number, again: number, ending: string): string => {
  const time = new Date(nowMs).toTimeString().slice(0, 8).replaceAll(':', '.');
  return `${pastedStart}${plainDay(nowMs)} ${time}${again === 0 ? '' : ` (${again + 1})`}.${ending}`;
};

/** The local day as 2026-11-24, which every reader and program knows. */
export const plainDay = (atMs: number): string => {
  const at = new Date(atMs);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};

/** Describes a folder on a drive that other machines write to; `minutes`: between two scans. */
export const sharedDriveText = (minutes: number): string =>
  `a network drive: looked at every ${minutes === 1 ? 'minute' : `${minutes} minutes`}`;
