// A fault is described in the reader's language, with its remedy.
import { describe, expect, test } from 'vitest';
import { call, option, see, wording } from '../../../src-main/contract/text/wording.ts';
import { errorRows } from '../../../src-main/contract/catalogue/errors.ts';
import type { Check } from '../../../src-main/contract/answers.ts';
import { AppError, isErrorCode } from '../../../src-main/contract/errors.ts';
import { checkText, keyRemedy, problemText } from '../../../src-main/contract/text/problem-text.ts';
import { languages } from '../../../src-main/contract/text/speech.ts';
import { locales } from '../../../src-main/contract/locales/all.ts';
import { en, type WordKey } from '../../../src-main/contract/locales/words.ts';
import { createSpeech as speechHere } from '../../../src-main/shell/texts.ts';

const createSpeech: typeof speechHere = (...wanted) => ({ ...speechHere(...wanted), platform: 'linux' });
const { de, es } = locales;
describe('an error', () => {
  test('is shown in English as exactly as the engine words it, except parts meant for a terminal', () => {
    const speech = createSpeech('en', []);
    const exact = new AppError('offline', 'The proxy asks for a name.', 'Enter it in the settings.');
    expect(problemText(speech, exact)).toBe('The proxy asks for a name. Enter it in the settings.');
    const terminal = new AppError(
      'key-missing',
      'No key is stored.',
      wording`Give it with ${option('--base-url')}.`,
    );
    expect(problemText(speech, terminal)).toBe(`No key is stored. ${en['remedy.key-missing']}`);
    expect(problemText(speech, new AppError('aborted', 'Stopped.'))).toBe('Stopped.');
  });

  test('with an unknown code is shown as it is', () => {
    const strange = { code: 'from-tomorrow', message: 'Something new.', remedy: 'Do this.' };
    expect(problemText(createSpeech('de', []), strange)).toBe('Something new. Do this.');
  });

  test('a key that the keychain does not keep has a remedy in the language', () => {
    const speech = createSpeech('es', []);
    expect(keyRemedy(speech, { kind: 'locked', remedy: 'Unlock it.' })).toBe(es['remedy.keychain-locked']);
    expect(keyRemedy(speech, { kind: 'absent' })).toBe('');
  });
});

describe('on another system', () => {
  const systems = [
    ['win32', /GNOME|KWallet|Keychain Access|sudo|chmod/],
    ['darwin', /GNOME|KWallet|Windows|sudo|chmod/],
    ['linux', /Windows|Keychain Access/],
  ] as const;
  /** `checkWatchLimits` finds faults on Linux alone. */
  const ofLinuxAlone = ['check.watcher.remedy'];

  test('a text that names a Linux feature has one for each other system', () => {
    const things = /GNOME|KWallet|sudo|chmod|ulimit|systemctl|apt-get|xclip|wl-clipboard|\/etc\//;
    for (const table of Object.values(locales)) {
      const named = Object.entries(table).filter(([, text]) => things.test(text));
      expect(named.map(([key]) => key)).toContain('remedy.keychain-unavailable');
      for (const [key] of named) {
        if (ofLinuxAlone.includes(key)) continue;
        for (const system of ['win32', 'darwin']) expect(Object.keys(table)).toContain(`${key}.${system}`);
      }
    }
  });

  test.each(systems)(
    'of the kind %s has a remedy that names nothing of other systems',
    (platform, others) => {
      for (const language of languages) {
        const speech = { ...createSpeech(language, []), platform };
        for (const code of Object.keys(errorRows).filter(isErrorCode))
          expect(
            problemText(speech, new AppError(code, 'A fault.', wording`Run ${call('doctor')}.`)),
          ).not.toMatch(others);
        for (const kind of ['locked', 'unavailable'] as const)
          expect(
            keyRemedy(speech, { kind, remedy: wording`Give it with ${option('--key-file')}.` }),
          ).not.toMatch(others);
      }
    },
  );
});

describe('a check', () => {
  const german = createSpeech('de', []);
  const low: Check = { name: 'disk', ok: false, message: 'Only 3 MB are free.', remedy: 'Free some space.' };

  test('is shown by its name, with the exact sentence beside a fault', () => {
    expect(checkText(german, low)).toEqual({
      label: 'Festplatte',
      text: `${de['check.disk.bad']} ${de['check.disk.remedy']}`,
      exact: 'Only 3 MB are free.',
    });
    const fine = { ...low, ok: true, remedy: '' };
    expect(checkText(german, fine)).toEqual({ label: 'Festplatte', text: de['check.disk.ok'], exact: null });
  });

  test('that failed with an error is shown by its code', () => {
    const check: Check = { name: 'network', ok: false, message: 'ECONN', remedy: '', code: 'offline' };
    expect(checkText(german, check).text).toBe(`${de['error.offline']} ${de['remedy.offline']}`);
  });

  test('that passed, or has no result, has no remedy to show', () => {
    const english = createSpeech('en', []);
    expect(checkText(english, { ...low, ok: true, remedy: '' }).text).toBe('Only 3 MB are free.');
    const open: Check = { name: 'clock', ok: null, message: 'No answer to compare with.', remedy: '' };
    expect(checkText(german, open)).toEqual({
      label: de['check.clock'],
      text: de['check.clock.unknown'],
      exact: null,
    });
    expect(keyRemedy(english, { kind: 'unavailable', remedy: 'Install a keyring.' })).toBe(
      'Install a keyring.',
    );
  });

  test('in English is shown with the engine’s remedy, and with the code’s where that is for a terminal', () => {
    const english = createSpeech('en', []);
    expect(checkText(english, low).text).toBe('Only 3 MB are free. Free some space.');
    const failed: Check = {
      name: 'key',
      ok: false,
      message: 'None.',
      remedy: wording`Run ${call('login')}.`,
      code: 'key-missing',
    };
    expect(checkText(english, failed).text).toBe(`None. ${en['remedy.key-missing']}`);
    const strange: Check = { name: 'moon', ok: false, message: 'New.', remedy: see('doctor') };
    expect(checkText(english, strange).text).toBe('New.');
  });

  test('with an unknown name is shown by its outcome, with its exact text', () => {
    const check: Check = { name: 'moon', ok: false, message: 'It is new.', remedy: 'Wait.' };
    expect(checkText(german, check)).toEqual({
      label: 'moon',
      text: de['settings.doctor.bad'],
      exact: 'It is new. Wait.',
    });
  });

  test('that was not made is reported in the language of the window', () => {
    const check: Check = { name: 'network', ok: null, message: 'Not asked.', remedy: '' };
    expect(checkText(german, check).text).toBe('Der Dienst wurde nicht angefragt.');
  });

  test('names no command in the window', () => {
    const check: Check = { name: 'folder', ok: null, message: 'No folder.', remedy: see('watch') };
    expect(checkText(createSpeech('en', []), check).text).toBe(`No folder. ${en['check.folder.remedy']}`);
  });

  test.each(languages)('has words in %s for everything that the doctor can find', (language) => {
    const known = [
      'settings',
      'keychain',
      'folder',
      'watcher',
      'disk',
      'certificates',
      'network',
      'key',
      'clock',
    ];
    expect(locales[language]['check.sandbox.unknown']).toBeTruthy();
    for (const name of known) {
      const label = `check.${name}` as WordKey;
      expect(locales[language][label], label).toBeTruthy();
      expect(locales[language][`${label}.ok` as WordKey], label).toBeTruthy();
    }
  });
});
