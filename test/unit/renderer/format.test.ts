import { expect, test } from 'vitest';
import * as format from '../../../src-main/contract/formats.ts';
import { chooseLanguage } from '../../../src-main/contract/speech.ts';
import { settingProblem } from '../../../src-renderer/words/setting-problem.ts';

const now = new Date(2026, 10, 20, 14, 2, 10).getTime();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test.each([
  [0, '0B'],
  [999, '999B'],
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

test('sizes use the separators of the language', () => {
  expect(format.formatSize('de', 84_100_000)).toBe('84,1 MB');
});

test('the past reads as minutes, then time, yesterday, day, year', () => {
  const when = (atMs: number): string => format.formatWhen('en-GB', now, atMs, 'just now');
  expect(when(now - 20_000)).toBe('just now');
  expect(when(now - 12 * MINUTE)).toMatch(/^12 min/);
  expect(when(now - 61 * MINUTE)).toBe('13:01');
  expect(when(now - DAY)).toBe('yesterday');
  expect(when(now - 2 * DAY)).toBe('18 Nov');
  expect(when(now - 400 * DAY)).toBe('16 Oct 2025');
});

test('a moment to come names its day unless it is today', () => {
  const until = (atMs: number): string => format.formatUntil('en-GB', now, atMs);
  expect(until(now + 19 * MINUTE)).toBe('14:21');
  expect(until(now + 18 * 60 * MINUTE)).toBe('tomorrow, 08:02');
  expect(until(now + 4 * DAY)).toBe('24 Nov, 14:02');
});

test('a stamp from a clock that runs ahead is a time, not a negative age', () => {
  expect(format.formatWhen('en-GB', now, now + 5 * MINUTE, 'just now')).toBe('14:07');
});

test('a wait is rounded up and never reads zero', () => {
  const wait = (ms: number): string => format.formatWait('en', ms);
  expect(wait(1)).toBe('1 sec');
  expect(wait(8_100)).toBe('9 sec');
  expect(wait(100_000)).toBe('2 min');
  expect(wait(100 * MINUTE)).toBe('1 hr 40 min');
  expect(wait(23 * 60 * MINUTE)).toBe('23 hr');
});

test('the language follows the setting, else the first the system prefers that we speak', () => {
  expect(chooseLanguage('system', ['fr-FR', 'de-AT', 'en'])).toEqual({ language: 'de', locale: 'de-AT' });
  expect(chooseLanguage('es', ['de-AT', 'es-MX'])).toEqual({ language: 'es', locale: 'es-MX' });
  expect(chooseLanguage('zh', ['de'])).toEqual({ language: 'zh', locale: 'zh' });
  expect(chooseLanguage('system', ['not a tag!', 'fr'])).toEqual({ language: 'en', locale: 'en' });
});

test('a limit of a setting is told in the unit of its field', () => {
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
