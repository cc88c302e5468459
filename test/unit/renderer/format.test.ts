import { expect, test } from 'vitest';
import * as format from '../../../src-main/contract/text/formats.ts';
import { chooseLanguage } from '../../../src-main/contract/text/speech.ts';
import { settingProblem } from '../../../src-renderer/words/setting-problem.ts';

const now = new Date(2026, 10, 20, 14, 2, 10).getTime();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [5, '5 bytes'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [96_000, '96 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [84_100_000, '84.1 MB'],
  [1_204_000_000, '1.2 GB'],
  [9_000_000_000_000, '9 TB'],
])('%i bytes read %s', (bytes, text) => {
  expect(format.formatSize('en', bytes)).toBe(text);
});

test.each([
  [0, 'in 1 minute'],
  [25 * MINUTE, 'in 25 minutes'],
  [59.6 * MINUTE, 'in 1 hour'],
  [47 * 60 * MINUTE, 'in 47 hours'],
  [48 * 60 * MINUTE, 'in 2 days'],
  [31 * DAY, 'in 31 days'],
])('an end that is %i ms away reads %s', (ms, text) => {
  expect(format.formatWithin('en', ms)).toBe(text);
});

test.each([
  [0, '1 second'],
  [59_400, '59 seconds'],
  [59_600, '1 minute'],
  [3 * MINUTE, '3 minutes'],
  [59.6 * MINUTE, '1 hour'],
  [47 * 60 * MINUTE, '47 hours'],
  [48 * 60 * MINUTE, '2 days'],
  [12.4 * DAY, '12 days'],
])('what lasted %i ms reads %s', (ms, text) => {
  expect(format.formatLasted('en', ms)).toBe(text);
});

/** Intl puts spaces of several kinds between a number and what belongs to it. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ');

/** Four languages and two places that write dates and times differently. */
const locales = ['en', 'en-GB', 'de', 'es', 'es-MX', 'zh'];
const inEach = (said: (locale: string) => string): string =>
  locales.map((locale) => plain(said(locale))).join(' | ');

test('a duration is in the words of the language', () => {
  expect(inEach((locale) => format.formatLasted(locale, 3 * MINUTE))).toBe(
    '3 minutes | 3 minutes | 3 Minuten | 3 minutos | 3 minutos | 3分钟',
  );
});

test('sizes have a space before the unit, and the separators of the language', () => {
  expect(inEach((locale) => format.formatSize(locale, 5))).toBe(
    '5 bytes | 5 bytes | 5 Byte | 5 bytes | 5 bytes | 5字节',
  );
  expect(inEach((locale) => format.formatSize(locale, 84_100_000))).toBe(
    '84.1 MB | 84.1 MB | 84,1 MB | 84,1 MB | 84.1 MB | 84.1 MB',
  );
});

test('a time of day is as the locale writes it, without a leading zero where it has none', () => {
  const evening = new Date(2026, 10, 20, 20, 4).getTime();
  const morning = new Date(2026, 10, 20, 8, 4).getTime();
  expect(inEach((locale) => format.formatTime(locale, evening))).toBe(
    '8:04 PM | 20:04 | 20:04 | 20:04 | 8:04 p.m. | 20:04',
  );
  expect(inEach((locale) => format.formatTime(locale, morning))).toBe(
    '8:04 AM | 08:04 | 08:04 | 8:04 | 8:04 a.m. | 08:04',
  );
});

const when = (locale: string, agoMs: number): string =>
  plain(format.formatWhen(locale, now, now - agoMs, 'just now'));

test('the past reads as minutes below an hour, as a time today, then as yesterday, day, year', () => {
  expect(
    [0, 20_000, 12 * MINUTE, 61 * MINUTE, DAY, 2 * DAY, 400 * DAY].map((ago) => when('en-GB', ago)),
  ).toEqual(['just now', 'just now', '12 min ago', '13:01', 'yesterday', '18 Nov', '16 Oct 2025']);
  expect(inEach((locale) => when(locale, MINUTE))).toBe(
    '1 min ago | 1 min ago | vor 1 min | hace 1 min | hace 1 min | 1分钟前',
  );
  expect(inEach((locale) => when(locale, DAY))).toBe('yesterday | yesterday | gestern | ayer | ayer | 昨天');
  expect(inEach((locale) => when(locale, 2 * DAY))).toBe(
    'Nov 18 | 18 Nov | 18. Nov. | 18 nov | 18 nov | 11月18日',
  );
});

test('an event since the last tick of the clock reads as just now, like one shortly before it', () => {
  expect(when('en', -25_000)).toBe('just now');
  expect(when('en', 25_000)).toBe('just now');
});

test('a timestamp from a fast clock is a time, not a negative age', () => {
  expect(when('en-GB', -5 * MINUTE)).toBe('14:07');
});

test('a future moment names its day unless it is today', () => {
  const until = (locale: string, inMs: number): string => format.formatUntil(locale, now, now + inMs);
  expect(inEach((locale) => until(locale, 19 * MINUTE))).toBe(
    '2:21 PM | 14:21 | 14:21 | 14:21 | 2:21 p.m. | 14:21',
  );
  expect(inEach((locale) => until(locale, 18 * 60 * MINUTE))).toBe(
    'tomorrow, 8:02 AM | tomorrow, 08:02 | morgen, 08:02 | mañana, 8:02 | mañana, 8:02 a.m. | 明天 08:02',
  );
  expect(plain(until('en-GB', 4 * DAY))).toBe('24 Nov, 14:02');
});

test.each([
  [1, '1 s'],
  [8_100, '9 s'],
  [60_000, '1 min'],
  [86_000, '1 min 26 s'],
  [119_100, '2 min'],
  [322_000, '5 min 30 s'],
  [601_000, '11 min'],
  [59 * MINUTE + 1, '1 h'],
  [100 * MINUTE, '1 h 40 min'],
  [23 * 60 * MINUTE, '23 h'],
])('a wait of %i ms reads %s: rounded up, never zero', (ms, text) => {
  expect(format.formatWait('en', ms)).toBe(text);
});

test('a wait has the international symbols, or the words of a script without letters', () => {
  expect(inEach((locale) => format.formatWait(locale, 86_000))).toBe(
    '1 min 26 s | 1 min 26 s | 1 min 26 s | 1 min 26 s | 1 min 26 s | 1分钟26秒',
  );
  expect(plain(format.formatWait('zh', 100 * MINUTE))).toBe('1小时40分钟');
});

test('for screen readers and on hover a date is exact', () => {
  expect(inEach((locale) => format.formatExact(locale, now))).toBe(
    'Friday, November 20, 2026 at 2:02:10 PM | Friday, 20 November 2026 at 14:02:10 | Freitag, 20. November 2026 um 14:02:10 | viernes, 20 de noviembre de 2026, 14:02:10 | viernes, 20 de noviembre de 2026, 2:02:10 p.m. | 2026年11月20日星期五 14:02:10',
  );
});

test('the language follows the setting, else the system’s first supported one', () => {
  expect(chooseLanguage('system', ['tlh', 'de-AT', 'en'])).toEqual({ language: 'de', locale: 'de-AT' });
  expect(chooseLanguage('es', ['de-AT', 'es-MX'])).toEqual({ language: 'es', locale: 'es-MX' });
  expect(chooseLanguage('zh', ['de'])).toEqual({ language: 'zh', locale: 'zh' });
  expect(chooseLanguage('system', ['not a tag!', 'tlh'])).toEqual({ language: 'en', locale: 'en' });
});

test('a limit of a setting is shown in the unit of its field', () => {
  expect(settingProblem('Invalid value: Expected <=600000 but received 900000', 1_000)).toEqual({
    key: 'settings.invalid.atMost',
    values: { limit: 600 },
  });
  expect(settingProblem('must be a whole number', 1)).toEqual({
    key: 'settings.invalid.whole',
    values: {},
  });
  expect(settingProblem('something new', 1)).toEqual({ text: 'something new' });
});

test('the heading over the files of a day is a word for today and yesterday, else the date, with the year when it is another', () => {
  const now = new Date(2026, 10, 20, 14, 2).getTime();
  const headings = [
    new Date(2026, 10, 20, 1).getTime(),
    new Date(2026, 10, 19, 23).getTime(),
    new Date(2026, 2, 5).getTime(),
    new Date(2025, 2, 5).getTime(),
  ].map((atMs) => format.formatDayHeading('en-GB', now, atMs));
  expect(headings).toEqual(['Today', 'Yesterday', 'Thursday 5 March', 'Wednesday, 5 March 2025']);
  expect(format.formatDayHeading('de', now, now)).toBe('Heute');
});

test('a span within today is two times, else two moments in full', () => {
  const at = (day: number, hour: number): number => new Date(2026, 10, day, hour, 3).getTime();
  const span = (from: number, to: number): string =>
    format.formatSpan('en-GB', at(20, 9), from, to).replace(/[\u2009\u202f]/g, ' ');
  expect(span(at(20, 14), at(20, 15))).toMatch(/^14:03 ?– ?15:03$/);
  expect(span(at(20, 14), at(21, 15))).toBe('14:03 – tomorrow, 15:03');
});

test('a share is a whole percent', () => expect(format.formatPercent('en', 0.584)).toBe('58%'));

test.each<[string, string, number]>([
  ['en', '5000', 5000],
  ['en', '5,000', 5000],
  ['en', '1,234,567.5', 1_234_567.5],
  ['en', '0.25', 0.25],
  ['en', '0,25', 0.25],
  ['en', '5,0000', Number.NaN],
  ['en', '5,000,00', Number.NaN],
  ['de', '5.000', 5000],
  ['de', '5.000,5', 5000.5],
  ['de', '2,5', 2.5],
  ['de', '2.5', 2.5],
  ['de-CH', '5’000', 5000],
  ['es', '12.345', 12_345],
  ['fr', '5\u202f000', 5000],
  ['zh', '5,000', 5000],
  ['en', '1.2.3', Number.NaN],
  ['en', 'five', Number.NaN],
  ['en', '5e3', 5000],
  ['en', ' ', Number.NaN],
])('in %s the number "%s" is %d', (language, text, value) => {
  expect(format.readNumber(language, text)).toBe(value);
});

test.each(['en', 'de', 'es', 'zh', 'fr', 'de-CH'])(
  'in %s a number that a field shows is read back',
  (language) => {
    for (const value of [0.5, 1.234, 2.345, 1234, 1234.5, 1234567, 0.001])
      expect(format.readNumber(language, format.typedNumber(language, String(value)))).toBe(value);
  },
);
