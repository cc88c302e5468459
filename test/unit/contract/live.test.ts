// The line that window and tray share: the current activity, and the most useful fact beside it.
import { expect, test } from 'vitest';
import {
  doneLine,
  footOf,
  workLine,
  isCountdown,
  lineText,
  liveLine,
} from '../../../src-main/contract/live.ts';
import type { EngineStatus } from '../../../src-main/contract/model.ts';
import { chooseLanguage } from '../../../src-main/contract/text/speech.ts';
import { createSpeech } from '../../../src-main/shell/texts.ts';
import { status } from '../../support/window/seed.ts';

const nowMs = new Date(2026, 10, 20, 14, 0).getTime();
const minuteMs = 60_000;
const counts = (of: Partial<EngineStatus['counts']>): EngineStatus['counts'] => ({
  uploaded: 0,
  waiting: 0,
  held: 0,
  skipped: 0,
  failed: 0,
  ...of,
});
const closed = (reason: 'key' | 'plan' | 'moved' | 'network' | 'disk', untilMs: number | null) =>
  ({ kind: 'closed', reason, untilMs, message: '', remedy: '' }) as const;
const waiting = { counts: counts({ waiting: 9 }) };

const limit = (reason: 'budget' | 'rate' | 'daily-uploads') => ({
  reason,
  untilMs: nowMs + 8 * 60 * minuteMs,
});

test.each<[string, Partial<EngineStatus>, string, string | null]>([
  ['no folder is chosen: how to choose one', { folder: null }, 'live.noFolder', 'live.noFolderMore'],
  ['the folder is away: it needs you', { folderAvailable: false }, 'gate.folder', 'live.needsYou'],
  ['it is paused: what waits', { paused: true, ...waiting }, 'live.paused', 'live.pausedMore'],
  [
    'the end of its pause cannot be read: that',
    { paused: true, pauseIsUnread: true, ...waiting },
    'live.pauseUnread',
    'live.pausedMore',
  ],
  [
    'it is paused for a while: until when',
    { paused: true, pausedUntilMs: nowMs + minuteMs, limit: limit('budget'), ...waiting },
    'live.pausedUntil',
    'live.pausedMore',
  ],
  [
    'the disk is full while it is paused and no folder is chosen: nothing is sent, so no next try',
    { gate: closed('disk', nowMs + 5000), paused: true, folder: null },
    'gate.disk',
    null,
  ],
  ['it starts: nothing', { running: false }, 'app.loading', null],
  [
    'the key is refused: you, and no next try beside it',
    { gate: closed('key', nowMs + 15 * minuteMs) },
    'gate.key',
    'live.needsYou',
  ],
  [
    'the plan is wrong: you, and no next try beside it',
    { gate: closed('plan', nowMs + 15 * minuteMs) },
    'gate.plan',
    'live.needsYou',
  ],
  ['the plan is wrong and not tried: you', { gate: closed('plan', null) }, 'gate.plan', 'live.needsYou'],
  ['the service moved: you', { gate: closed('moved', null) }, 'gate.moved', 'live.needsYou'],
  ['there is no network and no next try: nothing', { gate: closed('network', null) }, 'gate.network', null],
  [
    'a network is tried soon: in how long',
    { gate: closed('network', nowMs + 40_000) },
    'gate.network',
    'live.nextTryIn',
  ],
  [
    'a network is tried later: when',
    { gate: closed('network', nowMs + 4 * minuteMs) },
    'gate.network',
    'live.nextTry',
  ],
  ['the service said 429: until when', { ...waiting, limit: limit('rate') }, 'gate.rate', 'live.until'],
  [
    'the day’s requests are used: when it goes on',
    { ...waiting, limit: limit('budget'), doneAtMs: nowMs + 1 },
    'gate.budget',
    'live.continues',
  ],
  [
    'the day’s uploads are used: when it goes on',
    { ...waiting, limit: limit('daily-uploads') },
    'gate.daily-uploads',
    'live.continues',
  ],
  ['files go up: nothing yet, without a forecast', { sending: 1, ...waiting }, 'live.ready', null],
  [
    'files go up at an even pace, none at this moment: the end',
    { ...waiting, nextSlotAtMs: nowMs + 12_000, doneAtMs: nowMs + minuteMs },
    'live.ready',
    'live.doneAt',
  ],
  [
    'some go up tomorrow: how many',
    { ...waiting, sending: 1, doneToday: 4, doneLater: 4, doneAtMs: nowMs },
    'live.ready',
    'live.doneSplit',
  ],
  ['files wait for their own reasons: how many', waiting, 'live.waiting', null],
  ['it looks the folder through: nothing', { watch: 'scanning' }, 'live.scanning', null],
  ['there is nothing to do: how to share', {}, 'live.idle', 'live.idleMore'],
  [
    'something needs you and something failed: the first',
    { counts: counts({ held: 1, failed: 2 }) },
    'live.heldMore',
    null,
  ],
  ['something failed: nothing beside it', { counts: counts({ failed: 2 }) }, 'live.failedMore', null],
])('when %s', (_, part, title, more) => {
  const line = liveLine(status(part), nowMs, false);
  expect([line.title.key, line.more?.key ?? null]).toEqual([title, more]);
});

test('files from outside the folder count: never “3 of 0”, and a failure of one is reported', () => {
  const going = liveLine(status({ sending: 3, outside: counts({ waiting: 5 }) }), nowMs, false);
  expect(going.title.values).toEqual({ ready: 0, total: 5 });
  expect(liveLine(status({ outside: counts({ failed: 1 }) }), nowMs, false).title).toEqual({
    key: 'live.failedMore',
    values: { count: 1 },
  });
  expect(
    liveLine(status({ folder: null, sending: 1, counts: counts({ waiting: 1 }) }), nowMs, false).kind,
  ).toBe('sending');
});

test('with several watched folders it shows how many they are', () => {
  const folders = ['/a', '/b'].map((folder) => ({ folder, available: true, counts: counts({}) }));
  expect(liveLine(status({ folders }), nowMs, false).more).toEqual({
    key: 'live.idleSeveral',
    values: { count: 2 },
  });
  expect(liveLine(status({ folders: folders.slice(1) }), nowMs, false).more?.key).toBe('live.idleMore');
});

test('only a line with a wait ages by itself', () => {
  const isOld = (part: Partial<EngineStatus>): boolean => isCountdown(liveLine(status(part), nowMs, false));
  expect(isOld({ gate: closed('network', nowMs + 40_000) })).toBe(true);
  expect(isOld({ gate: closed('network', nowMs + 4 * minuteMs) })).toBe(false);
  expect(isOld({})).toBe(false);
  expect(isOld({ running: false })).toBe(false);
});

test('when another process has the engine, it shows where to look', () => {
  expect(liveLine(status({ running: false }), nowMs, true).more?.key).toBe('live.notRunningMore');
});

test('its numbers, moments and waits are in the reader’s language', () => {
  const speech = createSpeech('de', []);
  const wait = { key: 'live.nextTryIn', values: { wait: { waitMs: 12_000 } } } as const;
  expect(lineText(speech, wait, nowMs)).toContain('12');
  const until = { key: 'live.nextTry', values: { time: { atMs: nowMs + 30 * minuteMs } } } as const;
  expect(lineText(speech, until, nowMs)).toContain('14:30');
  expect(lineText(speech, { key: 'live.heldMore', values: { count: 3 } }, nowMs)).toContain('3');
  expect(lineText(speech, { key: 'live.paused' }, nowMs)).not.toBe('');
});

test('the language is the chosen one, the first available one of the system, or English', () => {
  expect(chooseLanguage('es', ['tlh', 'es-MX'])).toEqual({ language: 'es', locale: 'es-MX' });
  expect(chooseLanguage('es', ['tlh'])).toEqual({ language: 'es', locale: 'es' });
  expect(chooseLanguage('system', ['not a tag', 'tlh', 'zh-CN'])).toEqual({
    language: 'zh',
    locale: 'zh-CN',
  });
  expect(chooseLanguage('system', ['tlh'])).toEqual({ language: 'en', locale: 'en' });
});

test.each<[string, Partial<EngineStatus>, string | null]>([
  ['files are held', { counts: counts({ held: 2 }) }, 'live.heldMore'],
  [
    'files are held while others go up',
    { sending: 1, counts: counts({ held: 2, waiting: 1 }) },
    'live.heldMore',
  ],
  ['files failed', { counts: counts({ failed: 1 }) }, 'live.failedMore'],
  ['the key is refused', { gate: closed('key', nowMs + minuteMs) }, 'gate.key'],
  ['the folder is away', { folderAvailable: false }, 'gate.folder'],
  ['the network is away', { gate: closed('network', null) }, null],
  ['all is well', {}, null],
])('the popover prompts you to look when something needs you: %s', (_, part, key) => {
  const now = status(part);
  expect(workLine(now, liveLine(now, nowMs, false))?.key ?? null).toBe(key);
});

test.each<[EngineStatus['doneNote'], string]>([
  [null, 'all done about 14:30'],
  [{ why: 'least' }, 'all done 14:30 at the earliest'],
  [{ why: 'files', count: 3 }, '3 more files'],
  [{ why: 'rate' }, 'the service asked to wait'],
])('an end that moved says why: %o', (doneNote, text) => {
  const line = doneLine({ doneAtMs: nowMs + 30 * minuteMs, doneNote });
  expect(line === null ? '' : lineText(createSpeech('en', ['en-GB']), line, nowMs)).toContain(text);
  expect(doneLine({ doneAtMs: null, doneNote })).toBeNull();
});

test('the foot shows how far the run is before what keeps it back', () => {
  const speech = createSpeech('en', ['en-GB']);
  const part = { gate: closed('network', nowMs + 40_000), counts: counts({ uploaded: 2, waiting: 9 }) };
  const foot = (of: Partial<EngineStatus>) => footOf(speech, liveLine(status(of), nowMs, false), nowMs);
  expect(foot(part)).toEqual({ title: '2 of 11 ready', more: 'Offline · next try in 40 s' });
  expect(foot({ running: false })).toEqual({ title: 'Opening…', more: '' });
});
