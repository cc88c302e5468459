// Numbers, times and tables as the command prints them.
import { describe, expect, test } from 'vitest';
import { noCounts } from '../../../../src-main/contract/model.ts';
import { pauses } from '../../../../src-main/contract/pauses.ts';
import {
  asOfText,
  closedText,
  countsText,
  folderText,
  givenTimeText,
  graceText,
  pauseEnd,
  timeLocale,
  timeText,
} from '../../../../src-main/cli/output/words.ts';

test.each([
  [{}, 0, '0 uploaded'],
  [{ uploaded: 3, held: 1 }, 0, '3 uploaded, 1 held'],
  [{ uploaded: 3, held: 1 }, 2, '3 uploaded (2 of them before), 1 held'],
  [
    { uploaded: 3, waiting: 1, skipped: 2, failed: 4 },
    3,
    '3 uploaded (3 of them before), 1 waiting, 2 skipped, 4 failed',
  ],
])('counts of a run: %j, %d of them before', (counts, before, text) => {
  expect(countsText({ ...noCounts(), ...counts }, before)).toBe(text);
});

describe('the locale of times', () => {
  test.each([
    [{}, 'linux', '20:23'],
    [{ LANG: '' }, 'darwin', '20:23'],
    [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, 'linux', '20:23'],
    [{ LC_TIME: 'POSIX', LANG: 'en_US.UTF-8' }, 'linux', '20:23'],
    [{ LANG: 'C.UTF-8' }, 'linux', '20:23'],
    [{ LANG: 'no such locale!' }, 'linux', '20:23'],
    [{ LANG: 'en_US.UTF-8' }, 'linux', '8:23 PM'],
    [{ LC_TIME: 'de_DE.UTF-8@euro', LANG: 'en_US.UTF-8' }, 'linux', '20:23'],
  ] as const)('%j on %s writes %s', (env, platform, text) => {
    const format = new Intl.DateTimeFormat(timeLocale(env, platform), {
      timeStyle: 'short',
      timeZone: 'UTC',
    });
    expect(format.format(Date.UTC(2026, 10, 22, 20, 23)).replace('\u202f', ' ')).toBe(text);
  });

  test('on Windows, where no variable sets it, the system’s own is used', () => {
    expect(timeLocale({}, 'win32')).toBeUndefined();
  });
});

test('a folder on a network drive is listed with how often it is scanned', () => {
  expect(folderText({ folder: '/tray' })).toBe('/tray');
  expect(folderText({ folder: '/tray', scanMinutes: 1 })).toBe(
    '/tray (a network drive: looked at every minute)',
  );
  expect(folderText({ folder: '/tray', scanMinutes: 7 })).toMatch(/every 7 minutes/);
});

describe('a time of another day', () => {
  test.each([
    ['C.UTF-8', '2027-05-05 07:03'],
    ['en_GB.UTF-8', '5 May 2027, 07:03'],
  ])('in %s is %s: the C locale has no words of a language', (locale, text) => {
    const where = { locale: () => timeLocale({ LC_ALL: locale }, 'linux') };
    const atMs = new Date(2027, 4, 5, 7, 3).getTime();
    expect(timeText(atMs, atMs - 86_400_000, where)).toBe(text);
    expect(timeText(atMs, atMs, where)).toBe('07:03');
    // The service’s time, which names no zone, has the same form, and is not converted.
    expect(givenTimeText('2027-05-05 07:03:59', where)).toBe(text);
    expect(givenTimeText('2027-13-05 07:03:59', where)).toBe('2027-13-05 07:03:59');
    expect(givenTimeText('yesterday', where)).toBe('yesterday');
  });
});

test('“until tomorrow” is eight in the morning in the command as in the tray', () => {
  const nowMs = new Date(2026, 10, 22, 23, 59).getTime();
  const tray = pauses.find(({ key }) => key === 'queue.pause.tomorrow')?.until(nowMs);
  expect(pauseEnd('tomorrow', nowMs)).toBe(tray);
  expect(pauseEnd('tomorrow', nowMs)).toBe(new Date(2026, 10, 23, 8).getTime());
});

const where = { locale: () => timeLocale({ LC_ALL: 'C' }, 'linux') };
const atMs = new Date(2026, 10, 22, 20, 23).getTime();

test('a file in its time of grace says how long it can be cancelled, and how', () => {
  expect(graceText({ untilMs: atMs + 29_001, id: 7, nowMs: atMs })).toBe(
    'is uploaded in 30 s; `outtray cancel q7` stops it.',
  );
  expect(graceText({ untilMs: atMs - 1, id: 7, nowMs: atMs })).toContain('in 1 s;');
});

test.each([
  ['service', atMs, 'The service has problems; next try 20:23. It answered 502.'],
  ['network', atMs, 'Waiting until 20:23: It answered 502. Look.'],
  ['network', null, 'Waiting: It answered 502. Look.'],
] as const)(
  'what keeps everything back (%s, until %j) is said with the next try',
  (reason, untilMs, text) => {
    const body = { reason, untilMs, message: 'It answered 502.', remedy: 'Look.' };
    expect(closedText(body, atMs - 60_000, where)).toBe(text);
  },
);

test('a review says how old the list is that it is made from', () => {
  expect(asOfText(atMs, atMs + 60_000, where)).toBe('as of 20:23');
  expect(asOfText(null, atMs, where)).toContain('has not been read yet');
});
