// How a person writes the end of a link.
import { describe, expect, test } from 'vitest';
import {
  expiryPresets,
  readExpiry,
  readPause,
  spanOf,
  spanText,
  tomorrowMorning,
} from '../../../src-main/contract/expiry.ts';

const nowMs = new Date(2026, 10, 20, 14, 0, 0).getTime();
const dayMs = 86_400_000;

describe('the end of a link', () => {
  test.each<[string, number]>([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['1h', 3_600_000],
    ['7D', 7 * dayMs],
    ['2w', 14 * dayMs],
    [' 1d ', dayMs],
    ['3 days', 3 * dayMs],
    ['1 week', 7 * dayMs],
    ['15min', 900_000],
    ['2 Hours', 7_200_000],
    ['90 seconds', 90_000],
  ])('%j is a span', (text, afterMs) => {
    expect(readExpiry(text, nowMs)).toEqual({ ok: true, wish: { afterMs } });
  });

  test('a day ends with its last second, in local time; today is a day, too', () => {
    for (const [text, month, day] of [
      ['tomorrow', 10, 21],
      ['2026-12-31', 11, 31],
      ['2026-11-20', 10, 20],
      ['2028-02-29', 1, 29],
    ] as const) {
      const atMs = new Date(Number(/^\d{4}/.exec(text)?.[0] ?? 2026), month, day, 23, 59, 59).getTime();
      expect(readExpiry(text, nowMs)).toEqual({ ok: true, wish: { atMs } });
    }
  });

  test('a time of a day may name its zone', () => {
    const atMs = Date.UTC(2026, 11, 31, 16);
    for (const text of ['2026-12-31T18:00+02:00', '2026-12-31T16:00:00Z', '2026-12-31 16:00:00.000Z'])
      expect(readExpiry(text, nowMs)).toEqual({ ok: true, wish: { atMs } });
  });

  test.each([
    ['0d', 'past'],
    ['000h', 'past'],
    ['2026-11-19', 'past'],
    ['1970-01-01', 'past'],
    ['3651d', 'too-far'],
    ['99999999999999999999d', 'too-far'],
    ['2090-01-01', 'too-far'],
    ['9999-12-31', 'too-far'],
    ['1e9d', 'unreadable'],
    ['-1d', 'unreadable'],
    ['1.5h', 'unreadable'],
    ['7', 'unreadable'],
    ['7x', 'unreadable'],
    ['', 'unreadable'],
    ['2026-02-30', 'unreadable'],
    ['2027-02-29', 'unreadable'],
    ['2026-13-01', 'unreadable'],
    ['2026-00-10', 'unreadable'],
    ['26-12-31', 'unreadable'],
    ['2026-12-31T25:00', 'unreadable'],
    ['31.12.2026', 'unreadable'],
    ['yesterday', 'unreadable'],
    ['1h30m', 'unreadable'],
    ['0 days', 'past'],
    ['3 months', 'unreadable'],
  ])('%j is %s', (text, problem) => {
    expect(readExpiry(text, nowMs)).toEqual({ ok: false, problem });
  });

  test('never is an end, too; the offered ends are read as they are written', () => {
    expect(readExpiry('Never', nowMs)).toEqual({ ok: true, wish: 'never' });
    for (const preset of expiryPresets) expect(spanText(spanOf(preset) ?? 0)).toBe(preset);
    expect(spanText(5_400_000)).toBe('90m');
    // Less than a second is shown as the whole one after it.
    expect(spanText(1500)).toBe('2s');
  });
});

describe('the end of a pause', () => {
  test.each<[string, number | null]>([
    ['15m', nowMs + 900_000],
    ['3 days', nowMs + 3 * dayMs],
    ['2w', nowMs + 14 * dayMs],
    ['Tomorrow', new Date(2026, 10, 21, 8).getTime()],
    ['2026-12-31', new Date(2026, 11, 31, 8).getTime()],
    ['2026-12-31T16:00:00Z', Date.UTC(2026, 11, 31, 16)],
    ['', null],
    ['until resumed', null],
  ])('%j is read like a link’s end, but a day begins in the morning', (text, wish) => {
    expect(readPause(text, nowMs)).toEqual({ ok: true, wish });
  });

  test.each([
    ['never', 'unreadable'],
    ['soon', 'unreadable'],
    ['0m', 'past'],
    ['2026-11-20', 'past'],
    ['9999d', 'too-far'],
  ])('%j is %s', (text, problem) => {
    expect(readPause(text, nowMs)).toEqual({ ok: false, problem });
  });

  test('“tomorrow” is the same moment in window, tray and command', () => {
    expect(readPause('tomorrow', nowMs)).toEqual({ ok: true, wish: tomorrowMorning(nowMs) });
  });
});
