// The line that window and tray share: what is going on, and the most useful thing to know beside it.
import { expect, test } from 'vitest';
import { lineText, liveLine } from '../../../src-main/contract/live.ts';
import type { EngineStatus } from '../../../src-main/contract/model.ts';
import { chooseLanguage } from '../../../src-main/contract/speech.ts';
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
const closed = (reason: 'key' | 'plan' | 'moved' | 'network', untilMs: number | null) =>
  ({ kind: 'closed', reason, untilMs, message: '', remedy: '' }) as const;
const waiting = { counts: counts({ waiting: 9 }) };

test.each<[string, Partial<EngineStatus>, string | null]>([
  ['no folder is chosen: how to choose one', { folder: null }, 'live.noFolderMore'],
  ['the folder is away: it waits for you', { folderAvailable: false }, 'live.needsYou'],
  ['it is paused: what waits', { paused: true, ...waiting }, 'live.pausedMore'],
  ['it starts: nothing', { running: false }, null],
  ['the key is refused: the next try', { gate: closed('key', nowMs + minuteMs) }, 'live.nextTry'],
  ['the plan is wrong: you', { gate: closed('plan', null) }, 'live.needsYou'],
  ['the service moved: you', { gate: closed('moved', null) }, 'live.needsYou'],
  ['there is no network and no next try: nothing', { gate: closed('network', null) }, null],
  ['a network is tried again: when', { gate: closed('network', nowMs + minuteMs) }, 'live.nextTry'],
  ['files go up: nothing yet, without a forecast', { sending: 1, ...waiting }, null],
  ['files wait for a slot: when', { ...waiting, nextSlotAtMs: nowMs + 12_000 }, 'live.nextUpload'],
  [
    'files wait, the slot is there: the end',
    { ...waiting, nextSlotAtMs: nowMs, doneAtMs: nowMs },
    'live.doneAt',
  ],
  ['some go up tomorrow: how many', { ...waiting, doneToday: 4 }, 'live.doneSplit'],
  ['it looks the folder through: nothing', { watch: 'scanning' }, null],
  ['all is uploaded: which folder is watched', {}, 'live.idleMore'],
  ['something failed: nothing beside it', { counts: counts({ failed: 2 }) }, null],
])('when %s', (_, part, key) => {
  expect(liveLine(status(part), nowMs, false).more?.key ?? null).toBe(key);
});

test('when another process has the engine, it says where to look', () => {
  expect(liveLine(status({ running: false }), nowMs, true).more?.key).toBe('live.notRunningMore');
});

test('what failed is said when nothing else goes on', () => {
  const line = liveLine(status({ counts: counts({ failed: 2 }) }), nowMs, false);
  expect([line.tone, line.title.key]).toEqual(['bad', 'live.failedMore']);
});

test('its numbers, moments and waits are told in the reader’s language', () => {
  const speech = createSpeech('de', []);
  const wait = { key: 'live.nextUpload', values: { wait: { waitMs: 12_000 } } } as const;
  expect(lineText(speech, wait, nowMs)).toContain('12');
  const until = { key: 'live.nextTry', values: { time: { atMs: nowMs + 30 * minuteMs } } } as const;
  expect(lineText(speech, until, nowMs)).toContain('14:30');
  expect(lineText(speech, { key: 'live.heldMore', values: { count: 3 } }, nowMs)).toContain('3');
  expect(lineText(speech, { key: 'live.paused' }, nowMs)).not.toBe('');
});

test('the language is the chosen one, the first of the system that there is, or English', () => {
  expect(chooseLanguage('es', ['fr-FR', 'es-MX'])).toEqual({ language: 'es', locale: 'es-MX' });
  expect(chooseLanguage('es', ['fr-FR'])).toEqual({ language: 'es', locale: 'es' });
  expect(chooseLanguage('system', ['not a tag', 'fr-FR', 'zh-CN'])).toEqual({
    language: 'zh',
    locale: 'zh-CN',
  });
  expect(chooseLanguage('system', ['fr-FR'])).toEqual({ language: 'en', locale: 'en' });
});
