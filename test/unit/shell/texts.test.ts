// Texts for places that know only plain text, and for other programs.
import { describe, expect, test } from 'vitest';
import type { Language } from '../../../src-main/contract/text/speech.ts';
import { createSpeech, plainName } from '../../../src-main/shell/texts.ts';

describe('a name as plain text', () => {
  test('shows a direction override as a mark', () => {
    expect(plainName('invoice\u202efdp.exe')).toBe('invoice\ufffdfdp.exe');
    expect(plainName('a\u0000b\nc\u200bd')).toBe('a\ufffdb\ufffdc\ufffdd');
  });

  test('is cut in the middle, so that the extension stays', () => {
    const short = plainName(`${'a'.repeat(200)}.exe`);
    expect(short.length).toBe(48);
    expect(short).toMatch(/^a+…a+\.exe$/);
  });

  test('is measured in visible characters, not code units', () => {
    expect(plainName('👩‍👩‍👧.png'.replaceAll('\u200d', ''))).toBe('👩👩👧.png');
    expect(plainName('é'.repeat(48))).toBe('é'.repeat(48));
  });
});

describe('the language', () => {
  test.each<[wanted: 'system' | Language, preferred: string[], locale: string, quit: string]>([
    ['system', ['de-AT', 'en'], 'de-AT', 'Beenden'],
    ['system', ['tlh', 'es-MX'], 'es-MX', 'Salir'],
    ['system', ['tlh'], 'en', 'Quit'],
    ['de', ['en-US'], 'de', 'Beenden'],
    ['zh', ['zh-Hant-TW'], 'zh-Hant-TW', '退出'],
    ['system', ['C', ''], 'en', 'Quit'],
  ])('%s with %j speaks %s', (wanted, preferred, locale, quit) => {
    const speech = createSpeech(wanted, preferred);
    expect(speech.locale).toBe(locale);
    expect(speech.say('tray.quit')).toBe(quit);
  });

  test('uses the plural forms of the language', () => {
    const { say } = createSpeech('en', []);
    expect(say('notify.uploaded', { count: 1, name: 'a.txt' })).toBe('Link ready: a.txt');
    expect(say('notify.uploaded', { count: 12, name: 'a.txt' })).toBe('12 links ready');
  });
});
